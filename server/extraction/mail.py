"""E-mail: subject, body and the attachments of kinds that are read, messages in messages included."""

from __future__ import annotations

import email
import re
from email import policy
from email.message import EmailMessage, MIMEPart
from html.parser import HTMLParser

from server.extraction import limits
from server.extraction.builder import Builder, clean
from server.extraction.limits import RefusedError, UnsupportedError
from server.extraction.media_types import kind_of
from server.extraction.readers import READERS

#: What refuses an attachment alone; the message is read without it. The rest is a limit of the whole.
_OF_ITS_OWN = frozenset({UnsupportedError.REASON, "broken", "encrypted", "empty"})
_BLOCKS = frozenset(
    ["address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
     "header", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul"]
)  # fmt: skip
_HIDDEN = frozenset({"head", "script", "style", "template", "title"})


def read_email(data: bytes, builder: Builder) -> None:
    """A message as it was saved (RFC 5322, MIME)."""
    message = email.message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    if not message.keys():
        raise RefusedError("broken", "The file has no head of an e-mail.")
    _Mail(builder).read(message, "", 1)


class _Mail:
    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._attachments = 0

    def read(self, message: EmailMessage, name: str, depth: int) -> None:
        """A message; ``name`` is that of the attachment that it is."""
        if depth > limits.DEEPEST:
            raise RefusedError("nested_too_deep", f"Messages hold messages more than {limits.DEEPEST} deep.")
        builder = self._builder
        builder.attachment = name
        builder.whole()
        subject = " ".join(str(message.get("subject", "")).split())
        builder.text(subject)
        bodies = [body for kind in ("plain", "html") if (body := message.get_body((kind,))) is not None]
        builder.text(next((text for text in map(_text, bodies) if clean(text).strip()), ""))
        if not bodies and message.get_content_maintype() != "multipart":
            # Nothing but a file, as scanners send it.
            self._attach(message, depth)
        for part in message.iter_attachments():
            self._attach(part, depth)

    def _attach(self, part: MIMEPart, depth: int) -> None:
        self._attachments += 1
        if self._attachments > limits.MOST_ATTACHMENTS:
            raise RefusedError(
                "too_many_attachments", f"The message has more than {limits.MOST_ATTACHMENTS} attachments."
            )
        name = clean(part.get_filename() or "").strip()[: limits.LONGEST_NAME] or f"attachment {self._attachments}"
        content_type = part.get_content_type()
        if content_type == "message/rfc822":
            inner = part.get_content()
            if isinstance(inner, EmailMessage):
                self.read(inner, name, depth + 1)
            return
        data = part.get_payload(decode=True)
        try:
            if not isinstance(data, bytes):
                raise UnsupportedError(f"{content_type} is not taken.")
            kind = kind_of(data, content_type, name)
            if kind == "email":
                inner = email.message_from_bytes(data, policy=policy.default)
                assert isinstance(inner, EmailMessage)
                self.read(inner, name, depth + 1)
                return
            self._builder.attachment = name
            READERS[kind](data, self._builder)
        except RefusedError as error:
            if error.reason not in _OF_ITS_OWN:
                raise
            self._builder.notes.append(f"The attachment “{name}” is not read: {error.message}")


def _text(body: MIMEPart) -> str:
    written = _written(body)
    return _plain(written) if body.get_content_subtype() == "html" else written


def _written(body: MIMEPart) -> str:
    """The text of a part; in an unknown or wrong encoding, what of it can be read."""
    data = body.get_payload(decode=True)
    assert isinstance(data, bytes)
    charset = body.get_content_charset("utf-8")
    try:
        return data.decode(charset, "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


class _Text(HTMLParser):
    """The text of HTML, a line for each block; cells of a row are set apart."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        self._hidden += tag in _HIDDEN
        if tag in _BLOCKS:
            self.parts.append("\n")
        elif tag in {"td", "th"}:
            self.parts.append("  ")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(self._hidden - (tag in _HIDDEN), 0)
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(re.sub(r"\s+", " ", data))


def _plain(html: str) -> str:
    parser = _Text()
    parser.feed(html)
    parser.close()
    lines = (line.strip() for line in "".join(parser.parts).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
