"""Builds the word lists of the proofreader."""
