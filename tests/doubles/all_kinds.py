"""`all_kinds.proto`, compiled when first asked for: nothing generated is kept."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import google.api
import grpc_tools
from google.api import annotations_pb2, httpbody_pb2
from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    descriptor_pool,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    message_factory,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.message import Message
from grpc_tools import protoc
from quotewright.options.v1 import options_pb2

_HERE = Path(__file__).parent
_NAME = "all_kinds.proto"
#: What the file imports must be in the pool before it.
_IMPORTS = (
    annotations_pb2,
    any_pb2,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    httpbody_pb2,
    options_pb2,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)


@cache
def file() -> FileDescriptor:
    """The file, in the default pool, where an Any finds its messages."""
    includes = (
        _HERE,
        _HERE.parents[1] / "protos",
        Path(grpc_tools.__file__).parent / "_proto",
        Path(next(iter(google.api.__path__))).parents[1],
    )
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "set"
        arguments = [f"--descriptor_set_out={out}", *(f"-I{path}" for path in includes), _NAME]
        assert protoc.main(["protoc", *arguments]) == 0
        compiled = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(compiled.file[0].SerializeToString())
    return pool.FindFileByName(_NAME)


def message_class(name: str) -> type[Message]:
    """The class of a message of the file."""
    return message_factory.GetMessageClass(file().message_types_by_name[name])
