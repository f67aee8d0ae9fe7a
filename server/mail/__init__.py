"""E-mails: rendered, kept in an outbox with what they tell of, and handed over by a worker."""
