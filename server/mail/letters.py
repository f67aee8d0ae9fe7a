"""The mails of the service, rendered from `templates/`: HTML with every value escaped, and the same as plain text."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from server.domain.mailboxes import wire_form
from server.mail.message import Attachment, Letter, compose, one_line
from server.store.mail import NewMail

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=select_autoescape(["html"], default=False),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


@dataclass(frozen=True, slots=True)
class QuoteNews:
    """What the mail with a quote says. ``total`` is printed as the PDF prints it; ``message`` are the sender's own
    words, ``subject`` may be empty; ``reply_to`` is who sends it."""

    company_name: str
    company_address: str
    customer_name: str
    quote_id: int
    quote_number: str
    total: str
    valid_until: date
    subject: str
    message: str
    reply_to: str
    pdf: bytes


class Letters:
    """Writes the mails. ``sender`` is the address in From."""

    def __init__(self, sender: str) -> None:
        self._sender = sender

    def quote(self, news: QuoteNews, recipient: str, url: str, at: int) -> NewMail:
        """The mail with a quote, whose page is at ``url``."""
        values = {"news": news, "url": url}
        return self._mail(
            "quote",
            f"quote:{news.quote_id}",
            recipient,
            Letter(
                message_id=self._message_id(),
                sender_name=news.company_name,
                sender=wire_form(self._sender),
                recipient=wire_form(recipient),
                reply_to=wire_form(news.reply_to) if news.reply_to else "",
                subject=news.subject or f"Quote {news.quote_number} from {one_line(news.company_name, 120)}",
                text=_TEMPLATES.get_template("quote.txt").render(values),
                html=_TEMPLATES.get_template("quote.html").render(values),
                attachments=[Attachment(f"{news.quote_number}.pdf", "application/pdf", news.pdf)],
                at=at,
            ),
        )

    def invitation(
        self, recipient: str, invitation_id: int, organization: str, role: str, inviter: str, url: str, at: int
    ) -> NewMail:
        """The mail to somebody who is asked into a workspace; ``inviter`` is the address of who asks, or empty."""
        values = {"organization": organization, "role": role, "inviter": inviter, "url": url}
        return self._mail(
            "invitation",
            f"invitation:{invitation_id}",
            recipient,
            Letter(
                message_id=self._message_id(),
                sender_name=organization,
                sender=wire_form(self._sender),
                recipient=wire_form(recipient),
                reply_to=wire_form(inviter) if inviter else "",
                subject=f"Invitation to {one_line(organization, 120)}",
                text=_TEMPLATES.get_template("invitation.txt").render(values),
                at=at,
            ),
        )

    def endpoint_disabled(self, recipient: str, endpoint_id: int, url: str, reason: str, at: int) -> NewMail:
        """The mail to an owner whose webhook endpoint was disabled, because it was ``gone`` or ``failing``."""
        values = {"endpoint_id": endpoint_id, "url": url, "reason": reason}
        return self._mail(
            "webhook_disabled",
            f"webhook:{endpoint_id}",
            recipient,
            Letter(
                message_id=self._message_id(),
                sender_name="Quotewright",
                sender=wire_form(self._sender),
                recipient=wire_form(recipient),
                subject=f"Webhook endpoint {endpoint_id} was disabled",
                text=_TEMPLATES.get_template("endpoint_disabled.txt").render(values),
                at=at,
                automatic=True,
            ),
        )

    def _mail(self, kind: str, about: str, recipient: str, letter: Letter) -> NewMail:
        return NewMail(letter.message_id, kind, about, letter.sender, wire_form(recipient), compose(letter))

    def _message_id(self) -> str:
        return f"<{secrets.token_hex(16)}@{wire_form(self._sender).rpartition('@')[2]}>"
