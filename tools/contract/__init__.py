"""From the protos to `generated/`: `make generate`, `make lint`."""
