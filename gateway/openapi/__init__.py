"""The contract as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1), made from descriptors alone.

`make generate` writes it; the gateway serves the file as it is. What cannot be described exactly is not described at
all: `DescriptionError` names the field or RPC, and the generation ends.
"""

from gateway.openapi.comments import read_comments
from gateway.openapi.document import describe, to_bytes
from gateway.openapi.rules import DescriptionError

__all__ = ["DescriptionError", "describe", "read_comments", "to_bytes"]
