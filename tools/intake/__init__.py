"""Tools that fit what reads notes: developers run them, the service never does."""
