"""What leaves by itself, put together: webhooks and mail, with the notice of a webhook that was given up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from prometheus_client import CollectorRegistry
from yarl import URL

from process.log import Log
from process.settings import SettingsError
from server.config import ServerConfig
from server.delivery.egress import Egress
from server.delivery.sender import Sender
from server.delivery.vault import Vault
from server.delivery.worker import Worker
from server.domain.mailboxes import is_mailbox, mailbox
from server.keys import secret_file
from server.mail.letters import Letters
from server.mail.transport import FileOutbox, SmtpServer, Transport
from server.mail.worker import MailWorker
from server.metrics import count_mail, count_tries
from server.store import accounts, mail
from server.store.audit import Act
from server.store.database import Store
from server.store.deliveries import Claimed


class Delivery:
    """What delivers webhooks and mail, put together: in a server, or in a process of its own (`quotewright worker`).

    Raises `SettingsError` where the allowed networks are none, or the SMTP server's URL is not one.
    """

    def __init__(self, config: ServerConfig, store: Store, log: Log, registry: CollectorRegistry | None = None) -> None:
        master = config.webhook_secret.encode() or secret_file(config.data_dir / "webhook.secret")
        self.vault = Vault(master)
        try:
            self.egress = Egress.allowing(config.webhook_allowed_networks)
        except ValueError as error:
            raise SettingsError(f"QW_WEBHOOK_ALLOWED_NETWORKS: {error}") from None
        within = config.webhook_attempt_seconds
        self.sender = Sender(self.egress, within)
        count = None if registry is None else count_tries(registry)
        tell = notices(Letters(sender_address(config)))
        self.worker = Worker(store, self.vault, self.sender, log, within=within, count=count, tell=tell)
        self.mail = MailWorker(
            store,
            mail_transport(config),
            log,
            within=config.smtp_seconds,
            count=None if registry is None else count_mail(registry),
        )

    def start(self) -> None:
        """Begin to deliver."""
        self.worker.start()
        self.mail.start()

    async def stop(self) -> None:
        """Let what is under way end, then close the connections."""
        await asyncio.gather(self.worker.stop(), self.mail.stop())
        await self.sender.close()


def sender_address(config: ServerConfig) -> str:
    """The address in From. Raises `SettingsError`."""
    if not config.mail_from:
        return f"quotes@{URL(config.public_url).host or 'localhost'}"
    try:
        return mailbox(config.mail_from)
    except ValueError as error:
        raise SettingsError(f"QW_MAIL_FROM: {error}") from None


def mail_transport(config: ServerConfig) -> Transport:
    """The SMTP server that is set, else the folder ``outbox`` in the data folder. Raises `SettingsError`."""
    if not config.smtp_url:
        return FileOutbox(config.data_dir / "outbox")
    try:
        return SmtpServer(config.smtp_url, config.smtp_seconds)
    except ValueError as error:
        raise SettingsError(f"QW_SMTP_URL: {error}") from None


def notices(letters: Letters) -> Callable[[Claimed, str, int], None]:
    """What tells the owners, inside the transaction that disables a webhook endpoint."""

    def tell(claimed: Claimed, reason: str, at: int) -> None:
        act = Act(claimed.organization_id, claimed.livemode, "worker", "", at)
        for owner in accounts.owners(claimed.organization_id):
            if not is_mailbox(owner):
                continue
            mail.post(act, letters.endpoint_disabled(owner, claimed.endpoint_id, claimed.url, reason, at))

    return tell
