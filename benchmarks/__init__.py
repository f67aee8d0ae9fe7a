"""Comparisons with other ways to do the same work, side by side on one machine."""
