"""Settings of the server process."""

from __future__ import annotations

from dataclasses import dataclass

from process.config import ProcessConfig
from process.settings import setting


@dataclass(frozen=True, slots=True)
class ServerConfig(ProcessConfig):
    """Read once, by the composition root."""

    grpc_host: str = setting("127.0.0.1", "Address on which the gRPC port listens.")
    grpc_port: int = setting(50051, "gRPC port; 0 takes a free one.")
    grpc_reflection: bool = setting(False, "Whether the gRPC port answers reflection.")
    environment: str = setting("development", "Name of the deployment, as GET /config says it.")
    company_name: str = setting("Quotewright", "Name of the company, as GET /config says it.")
    support_email: str = setting("", "Whom to ask, as GET /config says it.")
    public_url: str = setting(
        "", "Base address in links to PDFs; https://localhost and the HTTPS port where it is empty."
    )
    drafting_threads: int = setting(2, "Threads that draft long requests and print PDFs beside the event loop.")
