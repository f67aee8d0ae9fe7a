"""The same two routes in FastAPI with pydantic models, without gRPC.

uvicorn parses HTTP in Python (h11) where it is installed by itself, and in C where httptools is there too; the
difference is large, so both are compared. The models' fields come from the proto descriptors: one contract, and no
second list of fields to keep in step.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from pydantic import BaseModel, ConfigDict, create_model
from quotewright.v1 import quote_pb2, sourcing_pb2

from benchmarks.peers.canned import WORKLOADS
from benchmarks.peers.serving import port_options

_SCALARS: dict[int, type] = {
    FieldDescriptor.TYPE_STRING: str,
    FieldDescriptor.TYPE_BOOL: bool,
    FieldDescriptor.TYPE_DOUBLE: float,
    FieldDescriptor.TYPE_UINT32: int,
}


def field_type(field: FieldDescriptor) -> Any:
    """The Python type of ``field``'s JSON value."""
    if field.message_type is None:
        value: Any = _SCALARS[field.type]
    elif field.message_type.full_name == "google.protobuf.Timestamp":
        value = str
    else:
        value = model(field.message_type)
    return list[value] if field.is_repeated else value


def model(message: Descriptor) -> type[BaseModel]:
    """A pydantic model with the fields of ``message``; as in the API, fields that are not given are empty."""
    fields: dict[str, Any] = {}
    for field in message.fields:
        value = field_type(field)
        if field.has_presence:
            fields[field.name] = (value | None, None)
        else:
            fields[field.name] = (value, [] if field.is_repeated else value())
    return create_model(message.name, __config__=ConfigDict(extra="forbid"), **fields)


def handler(request: type[BaseModel], answer: BaseModel) -> Callable[..., Awaitable[BaseModel]]:
    """A route's function: FastAPI decodes and checks a ``request`` for it, and encodes ``answer``."""

    async def respond(body: Any) -> Any:  # noqa: ARG001 - FastAPI passes it by name
        return answer

    # The model exists only at run time, so FastAPI is told of it where it looks.
    respond.__annotations__["body"] = request
    return respond


def application() -> FastAPI:
    """The two routes."""
    app = FastAPI()
    messages = (
        (sourcing_pb2.FindPricesRequest, sourcing_pb2.FindPricesResponse),
        (quote_pb2.GenerateQuoteRequest, quote_pb2.Quote),
    )
    for workload, (request, response) in zip(WORKLOADS, messages, strict=True):
        answer_model = model(response.DESCRIPTOR)
        respond = handler(model(request.DESCRIPTOR), answer_model.model_validate(workload.answer))
        app.post(workload.path, response_model=answer_model, response_model_exclude_none=True)(respond)
    return app


if __name__ == "__main__":
    options = port_options("port", parser=("h11", "httptools"))
    uvicorn.run(
        application(),
        host="127.0.0.1",
        port=options.port,
        http=options.parser,
        loop="uvloop",
        access_log=False,
        log_level="warning",
    )
