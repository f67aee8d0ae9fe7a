"""Settings of the server process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from process.config import ProcessConfig
from process.settings import SettingsError, setting


@dataclass(frozen=True, slots=True)
class ServerConfig(ProcessConfig):
    """Read once, by the composition root."""

    database_url: str = setting(
        "",
        "Address of a PostgreSQL database, postgresql://user:password@host/name; SQLite in the data folder without.",
        secret=True,
    )
    database_replica_url: str = setting(
        "",
        "Address of a standby of the PostgreSQL database, for reads of what it has already; none without.",
        secret=True,
    )
    grpc_host: str = setting("127.0.0.1", "Address on which the gRPC port listens.")
    grpc_plaintext: bool = setting(False, "Whether the gRPC port may listen beyond loopback without TLS.")
    grpc_port: int = setting(50051, "gRPC port; 0 takes a free one.")
    grpc_reflection: bool = setting(False, "Whether the gRPC port answers reflection.")
    environment: str = setting("development", "Name of the deployment, as GET /config says it.")
    company_name: str = setting("Quotewright", "Name of the company, as GET /config says it.")
    support_email: str = setting("", "Whom to ask, as GET /config says it.")
    public_url: str = setting(
        "", "Base address of links to pages and PDFs; https://localhost and the HTTPS port where it is empty."
    )
    webhook_secret: str = setting(
        "",
        "Secret under which secrets of webhook endpoints are stored; made in the data folder where it is empty.",
        secret=True,
    )
    webhook_worker: bool = setting(
        True, "Whether the server delivers webhooks and mail; `quotewright worker` does it as well."
    )
    webhook_attempt_seconds: float = setting(15.0, "Every try of a webhook delivery ends within this time.")
    webhook_allowed_networks: tuple[str, ...] = setting(
        (), "Networks (CIDR, comma-separated) where webhook receivers may be though not public, on any port, by http."
    )
    llm_base_url: str = setting(
        "", "Base address of a language model's chat protocol (OpenAI's) that proposes lines; empty: none is asked."
    )
    llm_model: str = setting("", "Name of the language model.")
    llm_api_key: str = setting("", "Key of the language model.", secret=True)
    llm_seconds: float = setting(10.0, "The language model must answer within this time, else it is left out.")
    mail_from: str = setting(
        "", "Address in From of e-mails; quotes@ and the host of the public address where it is empty."
    )
    smtp_url: str = setting(
        "",
        "SMTP server for e-mails (smtp:// with STARTTLS, or smtps://); files in the data folder where it is empty.",
        secret=True,
    )
    smtp_seconds: float = setting(30.0, "An e-mail must be handed over within this time.")
    document_seconds: float = setting(15.0, "Reading an uploaded document must end within this time.")
    document_memory_mib: int = setting(512, "Address space of a process that reads a document, in MiB.")
    document_workers: int = setting(2, "Documents that are read at the same time, each in a process of its own.")
    drafting_threads: int = setting(2, "Threads that draft long requests and print PDFs beside the event loop.")
    language_tool: bool = setting(
        False, "Check grammar with the LanguageTool port too; takes the extra languagetool, which is LGPL."
    )

    @property
    def database(self) -> Path | str:
        """What the store opens: the file in the data folder, or the address. Raises `SettingsError` for another kind
        of address."""
        if self.database_url and not self.database_url.startswith("postgresql://"):
            raise SettingsError("QW_DATABASE_URL begins with postgresql://")
        return self.database_url or self.sqlite_file

    @property
    def database_replica(self) -> str:
        """The standby's address, or nothing. Raises `SettingsError` where there is nothing that it could be of."""
        if self.database_replica_url and not self.database_url:
            raise SettingsError("QW_DATABASE_REPLICA_URL takes QW_DATABASE_URL")
        if self.database_replica_url and not self.database_replica_url.startswith("postgresql://"):
            raise SettingsError("QW_DATABASE_REPLICA_URL begins with postgresql://")
        return self.database_replica_url

    @property
    def sqlite_file(self) -> Path:
        """Where SQLite keeps the store."""
        return self.data_dir / "quotewright.db"
