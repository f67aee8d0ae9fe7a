"""Drafting: a plain-language work request becomes a takeoff, and the takeoff a priced draft (`docs/drafting.md`)."""
