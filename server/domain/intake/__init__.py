"""Structured intake: what people type or paste, read into the fields of a form (D9)."""
