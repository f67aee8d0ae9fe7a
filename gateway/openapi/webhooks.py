"""The section ``webhooks`` (OpenAPI 3.1.1 section 4.8.1): the requests that this service makes, one for each event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.descriptor import FileDescriptor
from quotewright.options.v1 import options_pb2

from gateway.openapi.comments import first_sentence
from gateway.openapi.rules import Schema
from gateway.openapi.schemas import Schemas

#: Headers of every delivery (Standard Webhooks 1.0.0).
_HEADERS: dict[str, Schema] = {
    "webhook-id": {
        "description": "The event's id, the same in every try and replay: what you have seen is done already.",
        "schema": {"type": "string", "pattern": "^evt_[0-9a-f]{24}$"},
    },
    "webhook-timestamp": {
        "description": "When this try was sent, in seconds since 1970, UTC. Refuse one that is minutes away.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    },
    "webhook-signature": {
        "description": "Signatures of `{webhook-id}.{webhook-timestamp}.{body}`, apart by spaces: `v1,` and "
        "HMAC-SHA256 by the endpoint's secret, twice while a secret is rotated; `v1a,` and Ed25519 by a key of "
        "`/.well-known/webhook-keys`.",
        "schema": {"type": "string"},
    },
}


def webhooks(files: Iterable[FileDescriptor], schemas: Schemas, comments: Mapping[str, str]) -> dict[str, Any]:
    """Event type → path item, of the messages that declare an ``event_type``, in their order."""
    return {
        message.GetOptions().Extensions[options_pb2.event_type]: {"post": _delivery(message, schemas, comments)}
        for file in files
        for message in file.message_types_by_name.values()
        if message.GetOptions().HasExtension(options_pb2.event_type)
    }


def _delivery(message: Any, schemas: Schemas, comments: Mapping[str, str]) -> dict[str, Any]:
    event_type = message.GetOptions().Extensions[options_pb2.event_type]
    reference = schemas.response(message)
    schemas.components[message.name]["properties"]["type"]["const"] = event_type
    # All of an envelope is always there, messages too.
    for envelope in (message, message.fields_by_name["data"].message_type):
        schemas.components[envelope.name]["required"] = [field.name for field in envelope.fields]
    summary, rest = first_sentence(comments.get(str(message.full_name), ""))
    return {
        "operationId": message.name,
        "summary": summary,
        "description": rest,
        "parameters": [{"name": name, "in": "header", "required": True, **more} for name, more in _HEADERS.items()],
        "requestBody": {"required": True, "content": {"application/json": {"schema": reference}}},
        "responses": {
            "2XX": {"description": "Taken. Whatever else is answered, or nothing in 15 seconds, is tried again."},
            "410": {"description": "The endpoint is gone for good, and is disabled."},
        },
    }
