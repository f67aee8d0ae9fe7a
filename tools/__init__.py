"""Build steps of the repository; nothing here runs in the service."""
