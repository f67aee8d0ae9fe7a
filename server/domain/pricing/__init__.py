"""What work and materials cost at a place, and why."""
