"""Compile `protos/` into one descriptor image that `buf` takes as its input, without the network.

`protovalidate` ships no `validate.proto`, but its descriptor; with the descriptors of the well-known types it serves
`protoc` as an import. The image holds source information, so that comments reach the generated code and the API docs.

Usage: python -m tools.contract.image IMAGE
"""

from __future__ import annotations

import importlib.resources
import sys
import tempfile
from pathlib import Path

import google.api
import protovalidate._gen.buf.validate.validate_pb as validate_pb
from google.protobuf import descriptor_pb2, duration_pb2, field_mask_pb2, timestamp_pb2
from grpc_tools import protoc

ROOT = Path(__file__).parents[2]


def validate_descriptors() -> bytes:
    """A FileDescriptorSet with `buf/validate/validate.proto` and all that it imports."""
    files = descriptor_pb2.FileDescriptorSet()
    for module in (descriptor_pb2, duration_pb2, field_mask_pb2, timestamp_pb2):
        module.DESCRIPTOR.CopyToProto(files.file.add())
    files.file.add().ParseFromString(validate_pb.Rule.desc().file.proto.to_binary())
    return files.SerializeToString()


def compile_image(image: Path) -> None:
    """Write the image of every file under `protos/`. Raises `SystemExit` where one does not compile."""
    sources = sorted(str(path.relative_to(ROOT / "protos")) for path in (ROOT / "protos").rglob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        validate = Path(folder, "validate.binpb")
        validate.write_bytes(validate_descriptors())
        google_api = Path(next(iter(google.api.__path__))).parents[1]
        well_known = importlib.resources.files("grpc_tools") / "_proto"
        status = protoc.main(
            [
                "protoc",
                f"--proto_path={ROOT / 'protos'}",
                f"--proto_path={google_api}",
                f"--proto_path={well_known}",
                f"--descriptor_set_in={validate}",
                "--include_imports",
                "--include_source_info",
                f"--descriptor_set_out={image}",
                *sources,
            ]
        )
    if status:
        raise SystemExit(status)


if __name__ == "__main__":
    compile_image(Path(sys.argv[1]))
