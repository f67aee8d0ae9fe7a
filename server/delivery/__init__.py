"""Outbound webhooks: which addresses they may reach, how they are signed, sent, and tried again."""
