"""One servicer a service: messages to the domain and back, no logic of their own."""
