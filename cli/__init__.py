"""The command line, and the composition roots of the processes that it starts."""
