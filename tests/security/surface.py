"""What can be attacked, read from the contract: operations, the ids that they take, and the least request that each
accepts. Tests are made from this, so an RPC that is new is attacked, too.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any

import protovalidate
from buf.validate import validate_pb2
from google.api.httpbody_pb2 import HttpBody
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from PIL import Image
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2

from gateway.routes import Route, RouteTable
from process import contract
from process.contract import LINK_FIELD, Rpc

#: What counts inside a resource that is named beside it, the credential of a link, a name of the contract: no ids of
#: resources.
PARTS = {"line", "line_id", "question_id", "removed_line_ids", "version", "since", "profile", LINK_FIELD}
_VARIABLE = re.compile(r"\{(\w+)(?:=[^}]*)?\}")
#: Values that rules alone do not tell, by the name of the field, and by the RPC's name before it where they differ.
SAMPLES: dict[str, Any] = {
    "currency": "USD",
    "unit": "m",
    "kind": "material",
    "scopes": ["quotes:read"],
    "email": "somebody@customer.example.com",
    "to": ["somebody@customer.example.com"],
    "url": "https://hooks.quotewright.dev/in",
    "password": "a password of decent length",
    "new_password": "another password of decent length",
    "text": "Replace 12 m of guttering in Nashville",
    "filename": "prices.csv",
    "csv": "country,place,factor,source,as_of\nUS,Nashville,1.1,own,2026-01-01\n",
    "words": ["Quarzwerk"],
    "profile": "lead",
    "field_kind": "notes",
    "locale": "en-US",
    "city": "Nashville",
    "trade": "roofing",
    "role": "viewer",
    "CreateLead.name": "Jane Doe",
    "CreateLead.phone": "+12175550134",
    "CorrectIntake.input": "Jane Doe wants a tap fixed",
    "UploadDocument.file": HttpBody(content_type="text/plain", data=b"Replace 12 m of guttering in Nashville"),
    "UploadDocument.filename": "request.txt",
    "StartImport.file": HttpBody(content_type="text/csv", data=b"SKU,Item,Unit,Price,Currency\nA1,Fan,each,12,USD\n"),
}


def _picture() -> HttpBody:
    content = io.BytesIO()
    Image.new("RGB", (8, 8), "navy").save(content, "PNG")
    return HttpBody(content_type="image/png", data=content.getvalue())


SAMPLES["PutLogo.picture"] = _picture()
#: Fields that are asked for where another one is not given.
INSTEAD_OF = {"GenerateQuote.text": "document_id", "CreateQuote.text": "document_id"}


@dataclass(frozen=True)
class Operation:
    """An RPC and a route that leads to it."""

    rpc: Rpc
    route: Route

    def __str__(self) -> str:
        return f"{self.rpc.name}:{self.route.verb}"

    @property
    def variables(self) -> tuple[str, ...]:
        """Fields of the request that stand in the path."""
        return tuple(_VARIABLE.findall(self.route.template))

    @property
    def takes_body(self) -> bool:
        return bool(self.route.body)

    @property
    def raw_body(self) -> bool:
        """Whether the body is a file."""
        field = self.rpc.request_class.DESCRIPTOR.fields_by_name.get(self.route.body)
        return field is not None and field.message_type is not None and field.message_type is HttpBody.DESCRIPTOR

    def path(self, values: dict[str, Any]) -> str:
        """The path with these values of its variables."""
        return _VARIABLE.sub(lambda found: str(values.get(found[1], "0")), self.route.template)

    def http(self, request: Message) -> tuple[str, dict[str, Any]]:
        """Path and the rest of the HTTP request that says the same as the message."""
        given = json_format.MessageToDict(request, preserving_proto_field_name=True)
        path = self.path(given)
        given = {name: value for name, value in given.items() if name not in self.variables}
        more: dict[str, Any] = {}
        if self.raw_body:
            file = getattr(request, self.route.body)
            given.pop(self.route.body, None)
            more = {"data": file.data, "headers": {"Content-Type": file.content_type}}
        elif self.route.body == "*":
            return path, {"json": given}
        elif self.route.body:
            more = {"json": given.pop(self.route.body, {})}
        if given:
            more["params"] = [
                (name, str(one).lower() if isinstance(one, bool) else str(one))
                for name, value in given.items()
                for one in (value if isinstance(value, list) else [value])
            ]
        return path, more


RPCS = contract.rpcs(FILES)
#: Those that somebody outside can call; the rest is between gateway and server.
OUTSIDE = tuple(rpc for rpc in RPCS if not rpc.allows(options_pb2.CREDENTIAL_KIND_GATEWAY))
_BY_PATH = {rpc.path: rpc for rpc in RPCS}
OPERATIONS = tuple(Operation(_BY_PATH[route.rpc], route) for route in RouteTable.from_files(FILES).routes)
#: The first route of each RPC that has one.
FIRST = {operation.rpc.path: operation for operation in reversed(OPERATIONS)}


def ids(rpc: Rpc) -> tuple[str, ...]:
    """Fields of the request that name a resource: by their name, or because they stand in the path."""
    in_path = FIRST[rpc.path].variables if rpc.path in FIRST else ()
    return tuple(
        field.name
        for field in rpc.request_class.DESCRIPTOR.fields
        if field.name not in PARTS and (field.name in in_path or field.name.endswith(("_id", "_ids")))
    )


def least(rpc: Rpc, **given: Any) -> Message:
    """The least request that the contract's rules allow, with these fields besides.

    Raises `AssertionError` with the rules that it breaks, where there is none yet: then `SAMPLES` lacks a value.
    """
    fields = _least(rpc.request_class.DESCRIPTOR, f"{rpc.name}.", given.keys())
    request = rpc.request_class(**{**fields, **given})
    broken = [f"{one.proto.field}{one.proto.message}" for one in protovalidate.collect_violations(request)]
    assert not broken, f"no request for {rpc.name} without a sample in {__name__}.SAMPLES: {broken}"
    return request


def _least(descriptor: Descriptor, owner: str, given: Any = ()) -> dict[str, Any]:
    found = {}
    for field in descriptor.fields:
        if field.name in given or (field.containing_oneof and len(field.containing_oneof.fields) > 1):
            continue
        name = owner + field.name
        sample = SAMPLES.get(name, SAMPLES.get(field.name) if not field.message_type else None)
        instead = name in INSTEAD_OF and INSTEAD_OF[name] not in given
        if name in SAMPLES or instead or _asked_for(field):
            found[field.name] = sample if sample is not None else _invented(field, owner)
    return found


def _rules(field: FieldDescriptor) -> Any:
    return field.GetOptions().Extensions[validate_pb2.field]


def _asked_for(field: FieldDescriptor) -> bool:
    """Whether the rules refuse a request without the field."""
    rules = _rules(field)
    if rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE:
        return False
    return bool(
        rules.required
        or rules.string.min_len
        or rules.bytes.min_len
        or rules.repeated.min_items
        or (field.type == FieldDescriptor.TYPE_UINT32 and not field.has_presence and rules.uint32.gte)
        or (not field.has_presence and not field.is_repeated and rules.string.len)
        or (not field.has_presence and len(getattr(rules.string, "in")) and "" not in getattr(rules.string, "in"))
        or (not field.has_presence and len(getattr(rules.uint32, "in")) and 0 not in getattr(rules.uint32, "in"))
    )


def _invented(field: FieldDescriptor, owner: str) -> Any:
    rules = _rules(field)
    if field.message_type is not None:
        one: Any = _least(field.message_type, owner)
    elif field.type == FieldDescriptor.TYPE_STRING:
        choices = list(getattr(rules.string, "in"))
        one = choices[0] if choices else "x" * max(1, rules.string.min_len, rules.string.len)
    elif field.type == FieldDescriptor.TYPE_BYTES:
        one = b"x" * max(1, rules.bytes.min_len)
    elif field.type in (FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT):
        one = 1.0
    else:
        one = rules.uint32.gte or 1
    return [one] * max(1, rules.repeated.min_items) if field.is_repeated else one
