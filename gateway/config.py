"""Settings of the gateway process."""

from __future__ import annotations

from dataclasses import dataclass

from process.config import ProcessConfig
from process.settings import setting


@dataclass(frozen=True, slots=True)
class GatewayConfig(ProcessConfig):
    """Read once, by the composition root."""

    https_host: str = setting(
        "127.0.0.1", "Where HTTPS and plain HTTP listen: an address, or a name with all that it has; empty: everywhere."
    )
    https_port: int = setting(8443, "HTTPS port.")
    http_port: int = setting(8080, "Port on which plain HTTP is refused with 403; 0: none.")
    tls_certificate: str = setting("", "Certificate chain (PEM); a local one is made where it is empty.")
    tls_key: str = setting("", "Private key of the certificate (PEM).")
    trusted_proxies: tuple[str, ...] = setting(
        (), "Networks (CIDR, comma-separated) whose X-Forwarded-Proto and X-Forwarded-For count."
    )
    server_target: tuple[str, ...] = setting(
        ("127.0.0.1:50051",),
        "gRPC servers (comma-separated host:port or dns:///name:port) of a gateway that runs apart from them.",
    )
    address_requests_per_minute: int = setting(600, "Requests without a credential, per minute and client address.")
    failed_sign_ins_per_minute: int = setting(60, "Refused credentials, per minute and client address.")
    user_requests_per_minute: int = setting(60, "Text-assist requests, per minute and user.")
    redis_url: str = setting(
        "",
        "Redis in which gateways share allowances (redis://, rediss://, unix://); each counts alone where it is empty.",
        secret=True,
    )
    redis_prefix: str = setting("quotewright:", "Beginning of the names of the keys in Redis.")
    redis_seconds: float = setting(
        0.016, "Redis must answer within this time, else the gateway counts alone until it does."
    )
    most_concurrent: int = setting(512, "Requests under way in all.")
    most_concurrent_per_organization: int = setting(128, "Requests under way of one organization.")
    most_concurrent_per_user: int = setting(4, "Text-assist requests under way of one user.")
    header_seconds: float = setting(5.0, "A request's head must be complete within this time.")
    body_seconds: float = setting(10.0, "A request's body must be complete within this time.")
    idle_seconds: float = setting(15.0, "An idle connection is closed after this time.")
    write_seconds: float = setting(
        10.0, "A client must take 8 KiB of a large answer, or the rest of it, in each such time."
    )
    drain_seconds: float = setting(0.0, "A gateway told to stop goes on taking connections for this time.")
    answer_seconds: float = setting(20.0, "An RPC must answer within this time.")
    connections: int = setting(4096, "Connections in all.")
    connections_per_address: int = setting(256, "Connections of one client address.")
