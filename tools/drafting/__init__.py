"""What drafting learns from labelled requests."""
