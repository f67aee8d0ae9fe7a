"""A document, whatever its kind, as `Content`; whatever is wrong with it as `RefusedError`."""

from __future__ import annotations

from server.domain.document import Content
from server.extraction.builder import Builder
from server.extraction.limits import RefusedError
from server.extraction.mail import read_email
from server.extraction.media_types import kind_of
from server.extraction.readers import READERS


def read_document(data: bytes, content_type: str, filename: str) -> Content:
    """What a document says. For the worker's process only, which bounds time and memory.

    Raises `UnsupportedError` where it is of no kind that is taken, else `RefusedError`.
    """
    try:
        kind = kind_of(data, content_type, filename)
        builder = Builder()
        read = read_email if kind == "email" else READERS[kind]
        read(data, builder)
        return builder.content(kind)
    except (RefusedError, ImportError):
        raise
    except MemoryError:
        raise RefusedError("too_much_memory", "Reading the document takes too much memory.") from None
    except Exception as error:  # noqa: BLE001 - whatever a library makes of a hostile file
        raise RefusedError("broken", f"The document is broken: {type(error).__name__}.") from None
