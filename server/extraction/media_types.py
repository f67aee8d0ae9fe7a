"""What kind of document a file is: its media type and its first bytes, held against each other."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePath

from server.extraction import limits
from server.extraction.limits import RefusedError, UnsupportedError

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: Media type → kind. What Windows calls an Excel file is often CSV; the rest of them is refused by content.
KINDS = {
    "text/plain": "text",
    "message/rfc822": "email",
    "application/pdf": "pdf",
    DOCX: "docx",
    XLSX: "xlsx",
    "text/csv": "csv",
    "application/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/vnd.ms-excel": "csv",
}
#: Media types that say nothing: then the bytes, and for texts the name of the file, decide.
_UNSAID = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_SUFFIXES = {".txt": "text", ".text": "text", ".md": "text", ".eml": "email", ".csv": "csv", ".tsv": "csv"}
_TEXTS = frozenset(_SUFFIXES.values())
#: The part that makes a packed file one of a kind.
_MAIN_PARTS = {"word/document.xml": "docx", "xl/workbook.xml": "xlsx"}
_TAKEN = "Plain text, e-mail (message/rfc822), PDF, DOCX, CSV and XLSX are taken."
#: PDF readers look for the mark within so many bytes.
_PDF_WITHIN = 1024
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")


def kind_of(data: bytes, content_type: str, filename: str) -> str:
    """text, email, pdf, docx, csv or xlsx.

    Raises `UnsupportedError` for other kinds and for a file that is not what its media type says, `RefusedError` for
    one that is empty, encrypted or a broken or boundless archive.
    """
    declared = content_type.partition(";")[0].strip().lower()
    if declared not in KINDS and declared not in _UNSAID:
        raise UnsupportedError(f"{_shown(declared)} is not taken. {_TAKEN}")
    if not data.strip():
        raise RefusedError("empty", "The document is empty.")
    found = _by_content(data)
    if declared in _UNSAID:
        kind = found if found != "text" else _SUFFIXES.get(PurePath(filename).suffix.lower(), "")
        if not kind:
            raise UnsupportedError(f"Say in Content-Type, or by the filename, what this text is. {_TAKEN}")
        return kind
    kind = KINDS[declared]
    if found != kind and not (found == "text" and kind in _TEXTS):
        raise UnsupportedError(f"Content-Type says {_shown(declared)}, but the file is {_NAMES[found]}.")
    return kind


def media_type(kind: str) -> str:
    """The media type of a kind."""
    return next(name for name, one in KINDS.items() if one == kind)


_NAMES = {"text": "a text", "pdf": "a PDF", "docx": "a DOCX", "xlsx": "an XLSX"}


def _by_content(data: bytes) -> str:
    """text, pdf, docx or xlsx, whatever is said. Raises as `kind_of` does."""
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return _packed(data)
    if data.startswith(_OLD_OFFICE):
        if _ENCRYPTED_STREAM in data:
            raise RefusedError("encrypted", "The document is encrypted: save it without a password.")
        raise UnsupportedError("This is an old Office document (.doc, .xls, .msg): save it as DOCX, XLSX or PDF.")
    head = data[:4096]
    if b"\0" in head and not _is_utf16(head):
        raise UnsupportedError(f"The file is none of the kinds that are taken. {_TAKEN}")
    return "text"


def _is_utf16(head: bytes) -> bool:
    return head[:2] in (b"\xff\xfe", b"\xfe\xff") or (len(head) > 7 and head.count(0) > len(head) // 4)


def _packed(data: bytes) -> str:
    """The kind of an archive by its parts; what unpacks to far more than it is goes no further."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise RefusedError("broken", "The document is a broken archive.") from None
    if any(entry.flag_bits & 1 for entry in entries):
        raise RefusedError("encrypted", "The document is encrypted: save it without a password.")
    unpacked = sum(entry.file_size for entry in entries)
    most = min(limits.LARGEST_UNPACKED, limits.MOST_TIMES * max(len(data), 1 << 16))
    if unpacked > most or len(entries) > limits.MOST_ENTRIES:
        raise RefusedError("unpacks_to_too_much", "The document unpacks to far more than a document holds.")
    names = {entry.filename for entry in entries}
    for part, kind in _MAIN_PARTS.items():
        if part in names:
            return kind
    raise UnsupportedError(f"The archive is neither DOCX nor XLSX. {_TAKEN}")


def _shown(text: str) -> str:
    return text[: limits.LONGEST_NAME] or "no media type"
