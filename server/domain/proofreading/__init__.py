"""Proofreading: what is misspelled or wrong in a text, as edits that a person can take or leave (D24 to D26)."""
