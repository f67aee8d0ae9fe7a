"""Builds `server/data/` from the shared fact files and the hand-written trade tables beside this file."""
