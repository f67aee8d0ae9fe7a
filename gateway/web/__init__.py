"""Pages for people, rendered on the server: they work without a script, and load nothing from elsewhere."""
