"""Promises of the settings between gateways and servers: none leaves the gRPC port open by mistake."""

import pytest

from cli.processes import channel_files
from gateway.config import GatewayConfig
from process.log import Log
from process.settings import SettingsError
from process.telemetry import Telemetry
from process.tracing import Tracer
from server.app import Server
from server.config import ServerConfig


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"grpc_tls": "files", "grpc_tls_ca": "ca.pem"}, "QW_GRPC_TLS=files takes"),
        ({"grpc_tls": "local", "grpc_tls_ca": "ca.pem"}, "name files where QW_GRPC_TLS is files"),
        ({"grpc_tls_key": "key.pem"}, "name files where QW_GRPC_TLS is files"),
        ({"grpc_tls": "on"}, "QW_GRPC_TLS='on' is not off, local or files"),
    ],
)
@pytest.mark.parametrize("kind", [ServerConfig, GatewayConfig])
def test_half_a_setting_is_refused(kind, settings, message):
    with pytest.raises(SettingsError, match=message):
        channel_files(kind(**settings), for_server=kind is ServerConfig)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.1.2.3", "server.example"])
def test_a_port_beyond_loopback_without_tls_is_refused(tmp_path, host):
    with pytest.raises(SettingsError, match=f"QW_GRPC_HOST={host} is beyond loopback"):
        Server(ServerConfig(data_dir=tmp_path, grpc_host=host), Log("server"), Telemetry(Tracer()))
