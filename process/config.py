"""Settings that every process has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from process.settings import setting


@dataclass(frozen=True, slots=True)
class ProcessConfig:
    """The part that server and gateway share; read once, by the composition root."""

    data_dir: Path = setting(Path("var"), "Folder of the database, the certificates and the secrets.")
    gateway_secret: str = setting(
        "", "Secret shared by gateway and server; made in the data folder where it is empty.", secret=True
    )
    grpc_tls: str = setting(
        "off", "Mutual TLS between gateways and servers: off, local (of the authority in the data folder) or files."
    )
    grpc_tls_ca: str = setting("", "Authority (PEM) whose certificates gateways and servers take from each other.")
    grpc_tls_certificate: str = setting("", "Certificate chain (PEM) that this gateway or server shows the other.")
    grpc_tls_key: str = setting("", "Private key of that certificate (PEM).")
    private_host: str = setting("127.0.0.1", "Address on which the private port listens.")
    private_port: int = setting(0, "Port of /metrics, /livez and /readyz, for operators; 0: none.")
