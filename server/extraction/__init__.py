"""Reads text and tables out of uploaded documents, in a process of its own that ends in time."""
