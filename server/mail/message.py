"""An e-mail as the bytes that are sent (RFC 5322, MIME). Pure.

Whatever is in a header comes through `email.message.EmailMessage`, which encodes what is not ASCII (RFC 2047) and
refuses line breaks; texts that people wrote are made one line before.
"""

from __future__ import annotations

import email.policy
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage

#: Characters of a name before an address, counting twice the quotes and backslashes, which are escaped: so it fits on a
#: line behind "Reply-To". Where it does not, CPython 3.11 folds it and loses the quotes around it, and "Smith, Jones
#: and Sons" would be two mailboxes.
LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along; ``media_type`` such as ``application/pdf``."""

    filename: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """What is to be said to whom. Addresses are as `server.domain.mailboxes.wire_form` gives them; ``at`` in µs UTC.

    ``reply_to`` and ``html`` may be empty. ``automatic``: nobody asked for it to be sent just now (RFC 3834).
    """

    message_id: str
    sender_name: str
    sender: str
    recipient: str
    subject: str
    text: str
    at: int
    reply_to: str = ""
    html: str = ""
    attachments: Sequence[Attachment] = ()
    automatic: bool = False


def one_line(text: str, most: int = 200) -> str:
    """A text as a header takes it: no line breaks or other control characters, and not too long."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:most]


def compose(letter: Letter) -> bytes:
    """The message, with CRLF. Only a sender or recipient whose local part is not ASCII makes it one for SMTPUTF8 (RFC
    6531): by these two the transport knows that it must ask for that. Another mail does without a Reply-To whose local
    part is not ASCII, and any server takes it."""
    plain = letter.sender.isascii() and letter.recipient.isascii()
    message = EmailMessage(email.policy.SMTP if plain else email.policy.SMTPUTF8)
    message["From"] = _address(letter.sender, letter.sender_name)
    message["To"] = _address(letter.recipient)
    if letter.reply_to and (letter.reply_to.isascii() or not plain):
        message["Reply-To"] = _address(letter.reply_to, letter.sender_name)
    message["Subject"] = one_line(letter.subject)
    message["Date"] = datetime.fromtimestamp(letter.at / 1_000_000, UTC)
    message["Message-ID"] = letter.message_id
    if letter.automatic:
        message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text, cte="quoted-printable")
    if letter.html:
        message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    for one in letter.attachments:
        kind, _, subtype = one.media_type.partition("/")
        message.add_attachment(one.content, maintype=kind, subtype=subtype, filename=one.filename)
    return message.as_bytes()


def _address(mailbox: str, name: str = "") -> Address:
    local, _, domain = mailbox.rpartition("@")
    return Address(_short(one_line(name)), local, domain)


def _short(name: str) -> str:
    """What fits of a name."""
    while len(name) + name.count('"') + name.count("\\") > LONGEST_NAME:
        name = name[:-1]
    return name.rstrip()
