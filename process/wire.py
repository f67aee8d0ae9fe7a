"""What gateway and server say to each other beside the messages: metadata names, and what may stand in them."""

from __future__ import annotations

import re

#: A caller's request id. Anything else is replaced, so that logs stay readable and safe; so is what looks like one of
#: our credentials, which somebody has put into the wrong header.
REQUEST_ID = re.compile(r"(?!.*qw_)[A-Za-z0-9._:-]{8,64}")
#: Trailing metadata with the `google.rpc.Status` of a failed call (gRPC's richer error model).
STATUS_DETAILS = "grpc-status-details-bin"
#: The server's proof of the caller, carried by the gateway.
PRINCIPAL = "qw-principal-bin"
#: Reply metadata of an answer that repeats the first one to its Idempotency-Key (D32).
REPLAYED = "idempotent-replayed"
#: Reply metadata that names a file: the Content-Disposition of the answer.
CONTENT_DISPOSITION = "content-disposition"
#: Reply metadata with the entity tag of the answer, and request metadata with the tags that a change asks for.
ENTITY_TAG = "etag"
IF_MATCH = "if-match"
#: Reply metadata that says something of the answer itself.
MARKS = frozenset((REPLAYED, CONTENT_DISPOSITION, ENTITY_TAG))
#: Request metadata that makes a repeated write return the first answer (D32).
IDEMPOTENCY_KEY = "idempotency-key"
#: What must not be there twice, as header or as metadata: somebody else could take the other one.
SINGLE = ("Authorization", "Idempotency-Key", "X-API-Key")
#: Reply metadata of a refused call of which nothing was begun: any call may be made again, elsewhere.
NOT_BEGUN = "qw-not-begun"
#: Reply metadata of a call that has changed or ended the credential it was made with: what is remembered of its caller
#: does not hold for the next request.
FORGET_CALLER = "qw-forget-caller"
#: Service whose health (grpc.health.v1) says whether gateways should call this server.
HEALTH_OF_GATE = "quotewright.v1.GateService"
#: Characters of an Idempotency-Key (D32).
LONGEST_IDEMPOTENCY_KEY = 255
#: Bytes of a message on the channel: a document has 10 MiB (D31).
LARGEST_MESSAGE = 12 * 1024 * 1024
