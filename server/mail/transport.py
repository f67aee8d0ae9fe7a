"""Where mail is handed over: to an SMTP server, or to a folder."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import ssl
from pathlib import Path
from typing import Protocol

import aiosmtplib
from yarl import URL

from server.store.mail import ClaimedMail

#: What a server that has taken a mail gets for saying goodbye.
GOODBYE_WITHIN = 1.0  # seconds
_FILENAME = re.compile(r"[^A-Za-z0-9.@_-]")


class MailError(Exception):
    """A mail was not taken. ``permanent``: it will not be either when it is tried again."""

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


class Transport(Protocol):
    """Takes mail."""

    async def hand_over(self, mail: ClaimedMail) -> None:
        """Return once the mail has been taken. Raises `MailError`, `OSError`."""


class FileOutbox:
    """Writes each mail into a folder as ``….eml``, for installations without a mail server and for looking at. A mail
    that is handed over again takes the place of itself."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def hand_over(self, mail: ClaimedMail) -> None:
        """See `Transport.hand_over`."""
        await asyncio.to_thread(self._write, _FILENAME.sub("", mail.message_id) + ".eml", mail.content)

    def _write(self, name: str, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = self._folder / f".{name}.{secrets.token_hex(4)}"
        try:
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self._folder / name)
        finally:
            partial.unlink(missing_ok=True)


class SmtpServer:
    """An SMTP server (RFC 5321), a connection for each mail.

    ``smtp://[user:password@]host[:587]`` with STARTTLS, which the server must offer; ``smtps://…[:465]`` with TLS from
    the first byte; ``smtp://host[:25]?starttls=never`` in the open, for a relay on the same machine. Certificates are
    checked. Each mail ends within ``within`` seconds, whatever the server does. Raises `ValueError` for another URL.
    """

    def __init__(self, url: str, within: float, tls: ssl.SSLContext | None = None) -> None:
        parsed = URL(url)
        starttls = parsed.query.get("starttls", "required")
        if parsed.scheme not in ("smtp", "smtps") or not parsed.host:
            raise ValueError("not smtp://host or smtps://host")
        if set(parsed.query) - {"starttls"} or starttls not in ("required", "never") or parsed.path not in ("", "/"):
            raise ValueError("only ?starttls=required or ?starttls=never can follow")
        self._use_tls = parsed.scheme == "smtps"
        self._start_tls = not self._use_tls and starttls == "required"
        if parsed.user and not (self._use_tls or self._start_tls):
            raise ValueError("a password goes over TLS only")
        self._host = parsed.host
        self._port = parsed.port or (465 if self._use_tls else 587 if self._start_tls else 25)
        self._user, self._password = parsed.user, parsed.password
        self._within = within
        self._tls = tls or ssl.create_default_context()

    async def hand_over(self, mail: ClaimedMail) -> None:
        """See `Transport.hand_over`."""
        client = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            username=self._user,
            password=self._password,
            use_tls=self._use_tls,
            start_tls=self._start_tls,
            tls_context=self._tls,
            timeout=self._within,
        )
        try:
            async with asyncio.timeout(self._within):
                await client.connect()
                await self._give(client, mail)
        except TimeoutError:
            raise MailError(f"no answer within {self._within:g} s") from None
        except aiosmtplib.SMTPException as error:
            raise MailError(_words(error), permanent=_is_permanent(error)) from None
        except (OSError, ValueError) as error:
            raise MailError(str(error)) from None
        else:
            # The mail is taken: what goes wrong from here on must not send it again.
            with contextlib.suppress(TimeoutError, OSError, aiosmtplib.SMTPException):
                async with asyncio.timeout(GOODBYE_WITHIN):
                    await client.quit()
        finally:
            client.close()

    async def _give(self, client: aiosmtplib.SMTP, mail: ClaimedMail) -> None:
        options = []
        if not (mail.sender.isascii() and mail.recipient.isascii()):
            await client.ehlo()
            if not client.supports_extension("smtputf8"):
                raise MailError("the server takes no internationalized addresses (SMTPUTF8)", permanent=True)
            options = ["SMTPUTF8", "BODY=8BITMIME"]
        await client.sendmail(mail.sender, [mail.recipient], mail.content, mail_options=options)


def _is_permanent(error: aiosmtplib.SMTPException) -> bool:
    """5yz to the sender, the recipient or the content (RFC 5321 section 4.2.1). What else is refused, such as our
    password, an operator can put right."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(one.code >= 500 for one in error.recipients)
    about_the_mail = (aiosmtplib.SMTPSenderRefused, aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError)
    return isinstance(error, about_the_mail) and error.code >= 500


def _words(error: aiosmtplib.SMTPException) -> str:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return "; ".join(_words(one) for one in error.recipients)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {error.message}"
    return str(error)
