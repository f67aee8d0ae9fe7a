"""A protoc plugin for gRPC's Python stubs: grpcio-tools has that generator in its protoc and ships no plugin."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2
from google.protobuf.compiler import plugin_pb2
from grpc_tools import protoc


def generate(request: plugin_pb2.CodeGeneratorRequest) -> plugin_pb2.CodeGeneratorResponse:
    """Run the built-in generator over the request's descriptors."""
    response = plugin_pb2.CodeGeneratorResponse(
        supported_features=plugin_pb2.CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
    )
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder, "descriptors.binpb")
        descriptors.write_bytes(descriptor_pb2.FileDescriptorSet(file=request.proto_file).SerializeToString())
        out = Path(folder, "out")
        out.mkdir()
        wanted = set(request.file_to_generate)
        with_services = [file.name for file in request.proto_file if file.service and file.name in wanted]
        arguments = ["protoc", f"--descriptor_set_in={descriptors}", f"--grpc_python_out={out}", *with_services]
        if with_services and protoc.main(arguments):
            response.error = "grpc_python failed"
        for path in sorted(out.rglob("*.py")):
            response.file.add(name=path.relative_to(out).as_posix(), content=path.read_text())
    return response


if __name__ == "__main__":
    sys.stdout.buffer.write(
        generate(plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())).SerializeToString()
    )
