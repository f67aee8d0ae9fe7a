"""Ways to answer the two workloads over HTTP. Each runs as a process of its own and answers from `canned`."""
