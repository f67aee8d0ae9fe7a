"""Documents as they were read. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from server.domain.document import Content
from server.store.database import execute, of_one_moment


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document without its content. ``at`` is in µs UTC, ``sha256`` of the file as it was sent. ``status``: reading,
    read, or refused for ``reason``, in the words of ``problem``."""

    notes: tuple[str, ...]
    livemode: bool
    document_id: str
    filename: str
    content_type: str
    size: int
    sha256: str
    pages: int
    tables: int
    rows: int
    characters: int
    created_by: str
    at: int
    status: str = "read"
    reason: str = ""
    problem: str = ""


#: What a document holds while it is read, and where it was refused.
NOTHING = b"{}"


_COLUMNS = (
    "notes, livemode, public_id, filename, content_type, size, sha256, pages, tables, rows, characters, created_by, "
    "created_at, status, reason, problem"
)


def create(organization_id: int, row: DocumentRow, content: bytes) -> None:
    """Store a document. ``content`` is JSON of `server.domain.document.Content`."""
    execute(
        f"insert into document (organization_id, content, {_COLUMNS}) "  # noqa: S608 - a constant
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            organization_id,
            content,
            orjson.dumps(row.notes).decode(),
            row.livemode,
            row.document_id,
            row.filename,
            row.content_type,
            row.size,
            row.sha256,
            row.pages,
            row.tables,
            row.rows,
            row.characters,
            row.created_by,
            row.at,
            row.status,
            row.reason,
            row.problem,
        ),
    )


def finish(row: DocumentRow, content: bytes) -> None:
    """Put in what was read of a document that is being read, or why it was refused. A deleted one stays so."""
    execute(
        "update document set content = ?, notes = ?, content_type = ?, pages = ?, tables = ?, rows = ?, "
        "characters = ?, status = ?, reason = ?, problem = ? where public_id = ? and status = 'reading'",
        (
            content,
            orjson.dumps(row.notes).decode(),
            row.content_type,
            row.pages,
            row.tables,
            row.rows,
            row.characters,
            row.status,
            row.reason,
            row.problem,
            row.document_id,
        ),
    )


def find(organization_id: int, livemode: bool, document_id: str) -> tuple[DocumentRow, bytes] | None:
    """The document and its content for `content_of`, or None where this organization has none of that id in this
    mode."""
    row = execute(
        f"select {_COLUMNS}, content from document "  # noqa: S608 - a constant
        "where organization_id = ? and livemode = ? and public_id = ?",
        (organization_id, livemode, document_id),
    ).fetchone()
    return None if row is None else (_row(row[:-1]), row[-1])


def content_of(stored: bytes) -> Content:
    """A stored content. Long ones take some ten milliseconds: beside the event loop."""
    return Content.from_json(orjson.loads(stored))


@of_one_moment
def list_page(organization_id: int, livemode: bool, *, limit: int, offset: int) -> tuple[int, tuple[DocumentRow, ...]]:
    """How many documents there are, and one page of them, newest first."""
    scope = (organization_id, livemode)
    total = execute("select count(*) from document where organization_id = ? and livemode = ?", scope).fetchone()[0]
    rows = execute(
        f"select {_COLUMNS} from document where organization_id = ? and livemode = ? "  # noqa: S608 - a constant
        "order by id desc limit ? offset ?",
        (*scope, limit, offset),
    ).fetchall()
    return total, tuple(_row(row) for row in rows)


def delete(organization_id: int, livemode: bool, document_id: str) -> DocumentRow | None:
    """The document as it was, None where there was none."""
    row = execute(
        f"delete from document where organization_id = ? and livemode = ? and public_id = ? "  # noqa: S608
        f"returning {_COLUMNS}",
        (organization_id, livemode, document_id),
    ).fetchone()
    return None if row is None else _row(row)


def _row(row: tuple[Any, ...]) -> DocumentRow:
    return DocumentRow(tuple(orjson.loads(row[0])), bool(row[1]), *row[2:])
