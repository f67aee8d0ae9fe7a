"""How much a document may hold, and what is said where it holds more."""

from __future__ import annotations

#: Pages of a PDF, sheets of a workbook; those of the attachments of an e-mail count together.
MOST_PAGES = 100
#: Code points of the text, tables included.
LONGEST_TEXT = 500_000
#: Rows of all tables, cells of one row, code points of one cell.
MOST_ROWS = 5_000
MOST_CELLS = 60
LONGEST_CELL = 10_000
#: Attachments that are read, and how deep messages may hold messages.
MOST_ATTACHMENTS = 20
DEEPEST = 3
#: Bytes that a packed document may unpack to, how many times its own size, and files in it.
LARGEST_UNPACKED = 128 * 1024 * 1024
MOST_TIMES = 150
MOST_ENTRIES = 2_000
#: Code points of a sender's words that a message repeats.
LONGEST_NAME = 80


class RefusedError(Exception):
    """The document is not taken. ``reason`` is for programs, the message for the person who sent it."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class UnsupportedError(RefusedError):
    """It is no document of a kind that is read here, or not what its media type says."""

    REASON = "unsupported_media_type"

    def __init__(self, message: str) -> None:
        super().__init__(self.REASON, message)
