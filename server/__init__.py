"""The Quotewright server: an asyncio gRPC server over a Peewee store."""
