"""Templates of quotes. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass

from server.domain.offer import Template
from server.store import offers
from server.store.database import execute, of_one_moment

#: Templates of an organization.
MOST_TEMPLATES = 200


class TooManyError(Exception):
    """The organization has as many templates as it may have."""


class StaleError(Exception):
    """The template was changed since the caller read it."""


@dataclass(frozen=True, slots=True)
class StoredTemplate:
    """A template as stored. ``version`` grows by one with each change; instants in µs UTC."""

    template_id: str
    template: Template
    version: int
    created_at: int
    updated_at: int


_COLUMNS = "public_id, content, version, created_at, updated_at"


def create(organization_id: int, template_id: str, template: Template, *, created_by: str, at: int) -> StoredTemplate:
    """A new template. Raises `TooManyError`."""
    if _count(organization_id) >= MOST_TEMPLATES:
        raise TooManyError
    execute(
        "insert into quote_template (public_id, organization_id, content, version, created_by, created_at, updated_at) "
        "values (?, ?, ?, 1, ?, ?, ?)",
        (template_id, organization_id, offers.to_json(template), created_by, at, at),
    )
    return StoredTemplate(template_id, template, 1, at, at)


def find(organization_id: int, template_id: str) -> StoredTemplate | None:
    """The template, or None where this organization has none of that id."""
    row = execute(
        f"select {_COLUMNS} from quote_template where organization_id = ? and public_id = ?",  # noqa: S608 - a constant
        (organization_id, template_id),
    ).fetchone()
    return None if row is None else _stored(row)


@of_one_moment
def list_page(organization_id: int, *, limit: int, offset: int) -> tuple[int, tuple[StoredTemplate, ...]]:
    """How many templates there are, and one page of them, newest first."""
    rows = execute(
        f"select {_COLUMNS} from quote_template where organization_id = ? "  # noqa: S608 - a constant
        "order by id desc limit ? offset ?",
        (organization_id, limit, offset),
    ).fetchall()
    return _count(organization_id), tuple(_stored(row) for row in rows)


def update(
    organization_id: int, template_id: str, template: Template, *, version: int, at: int
) -> StoredTemplate | None:
    """Replace a template; None where there is none. Raises `StaleError` where ``version`` is neither 0 nor the stored
    one."""
    before = find(organization_id, template_id)
    if before is None:
        return None
    if version not in (0, before.version):
        raise StaleError
    execute(
        "update quote_template set content = ?, version = version + 1, updated_at = ? where public_id = ?",
        (offers.to_json(template), at, template_id),
    )
    return StoredTemplate(template_id, template, before.version + 1, before.created_at, at)


def delete(organization_id: int, template_id: str) -> bool:
    """Whether there was such a template; quotes keep what they took of it."""
    done = execute(
        "delete from quote_template where organization_id = ? and public_id = ?", (organization_id, template_id)
    )
    return bool(done.rowcount)


def _count(organization_id: int) -> int:
    row = execute("select count(*) from quote_template where organization_id = ?", (organization_id,)).fetchone()
    return int(row[0])


def _stored(row: tuple[str, str, int, int, int]) -> StoredTemplate:
    return StoredTemplate(row[0], offers.template_from_json(row[1]), *row[2:])
