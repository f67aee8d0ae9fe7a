"""Events: what integrators are told of. `record` commits one with the change that it tells of.

The kinds are those of the messages in `protos/quotewright/v1/event.proto`; nothing else lists them.
"""

from __future__ import annotations

import secrets
from typing import Any

import orjson
from google.protobuf import json_format, message_factory
from google.protobuf.message import Message
from quotewright.options.v1 import options_pb2
from quotewright.v1 import event_pb2

from server.store import outbox
from server.store.audit import Act

API_VERSION = "v1"

#: Event type → its message, in the order of the proto.
EVENTS: dict[str, type[Message]] = {
    message.GetOptions().Extensions[options_pb2.event_type]: message_factory.GetMessageClass(message)
    for message in event_pb2.DESCRIPTOR.message_types_by_name.values()
    if message.GetOptions().HasExtension(options_pb2.event_type)
}
PING = "ping"
#: The types that endpoints choose from: a ping goes to the endpoint that asks for it, chosen or not.
TYPES = tuple(kind for kind in EVENTS if kind != PING)


def record(act: Act, event_type: str, resource: Message, endpoints: Any = None) -> str:
    """Store an event and its deliveries; the event's id. Call it inside the `Store.write` that makes the change.

    ``resource`` is the message that ``data.object`` of the event has: a `Quote`, `Customer` or `Lead`, as it is after
    the change. ``endpoints`` as `outbox.append` has them. Raises `KeyError` for a type that does not exist,
    `TypeError` for another message.
    """
    event = _event(act, event_type, resource)
    outbox.append(event, endpoints)
    return event.public_id


def record_ping(act: Act, endpoint_id: int) -> tuple[str, int]:
    """Store a ping for one endpoint; its event's and its delivery's ids."""
    event = _event(act, PING, ping(endpoint_id))
    return event.public_id, outbox.append_for(event, endpoint_id)


def ping(endpoint_id: int) -> event_pb2.Ping:
    """A ping with a challenge that nobody can guess."""
    return event_pb2.Ping(endpoint_id=endpoint_id, challenge=secrets.token_urlsafe(24))


def new_id() -> str:
    """The id of a new event."""
    return f"evt_{secrets.token_hex(12)}"


def _event(act: Act, event_type: str, resource: Message) -> outbox.NewEvent:
    public_id = new_id()
    message = envelope(act, public_id, event_type, resource)
    return outbox.NewEvent(
        public_id, act.organization_id, act.livemode, event_type, message.SerializeToString(deterministic=True), act.at
    )


def envelope(act: Act, public_id: str, event_type: str, resource: Message) -> Message:
    """The event's message."""
    message: Any = EVENTS[event_type](
        id=public_id,
        type=event_type,
        api_version=API_VERSION,
        livemode=act.livemode,
        organization_id=act.organization_id,
    )
    message.timestamp.FromMicroseconds(act.at)
    message.data.object.CopyFrom(resource)
    return message  # type: ignore[no-any-return]


def body(event_type: str, payload: bytes) -> bytes:
    """The JSON that is delivered of a serialized event: every field is there, names are in snake_case."""
    return body_of(EVENTS[event_type].FromString(payload))


def body_of(message: Message) -> bytes:
    """The same of a message."""
    return orjson.dumps(
        json_format.MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    )
