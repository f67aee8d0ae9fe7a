"""Mail on its way, committed with what it tells of; inside `Store.write` or `Store.read`.

Rows are leased as webhook deliveries are (`server.store.deliveries`): whoever tries one moves ``due_at`` to the lease's
end, so that a mail whose worker has died is due again by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from server.store.audit import Act
from server.store.database import execute
from server.store.outbox import KEPT_FOR
from server.store.signals import Topic, tell

SECOND = 1_000_000
#: Characters of what went wrong that are kept.
LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class NewMail:
    """A rendered mail to one address. ``about`` is what it tells of, such as ``quote:7``."""

    message_id: str
    kind: str
    about: str
    sender: str
    recipient: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ClaimedMail:
    """A mail to hand over now."""

    mail_id: int
    organization_id: int
    kind: str
    message_id: str
    sender: str
    recipient: str
    content: bytes
    tries: int
    lease: str


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail as lists show it. Instants in µs; ``next_try_at`` is None where there will be none."""

    mail_id: int
    kind: str
    about: str
    recipient: str
    livemode: bool
    status: str
    tries: int
    error: str
    message_id: str
    created_at: int
    next_try_at: int | None
    finished_at: int | None


def post(act: Act, new: NewMail) -> None:
    """Put a mail into the outbox; of the test mode it is kept and never sent (D19)."""
    status, finished_at = ("pending", None) if act.livemode else ("withheld", act.at)
    execute(
        "insert into mail (organization_id, livemode, message_id, kind, about, sender, recipient, content, status, "
        "tries, due_at, lease, error, created_at, finished_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, '', '', ?, ?)",
        (
            act.organization_id,
            act.livemode,
            new.message_id,
            new.kind,
            new.about,
            new.sender,
            new.recipient,
            new.content,
            status,
            act.at,
            act.at,
            finished_at,
        ),
    )
    tell(Topic.MAIL)


def is_due(now: int) -> bool:
    """Whether anything waits to be tried."""
    return execute("select 1 from mail where status = 'pending' and due_at <= ? limit 1", (now,)).fetchone() is not None


def claim(lease: str, *, now: int, until: int, most: int) -> list[ClaimedMail]:
    """Take mail that is due, the longest waiting first."""
    rows = execute(
        "select id, organization_id, kind, message_id, sender, recipient, content, tries from mail "
        "where status = 'pending' and due_at <= ? order by due_at, id limit ?",
        (now, most),
    ).fetchall()
    for row in rows:
        execute("update mail set lease = ?, due_at = ? where id = ?", (lease, until, row[0]))
    return [ClaimedMail(*(*row, lease)) for row in rows]


def finish(claimed: ClaimedMail, error: str, *, now: int, wait: float | None) -> None:
    """Write down what a try came to. ``error`` is empty where the mail was taken; ``wait`` is in seconds to the next
    try, None gives it up. A success counts whoever reports it, a failure only while the lease is held."""
    if not error:
        execute(
            "update mail set status = 'sent', tries = tries + 1, lease = '', error = '', finished_at = ? where id = ?",
            (now, claimed.mail_id),
        )
        return
    status, due_at, finished_at = ("failed", now, now) if wait is None else ("pending", now + int(wait * SECOND), None)
    execute(
        "update mail set status = ?, tries = tries + 1, lease = '', error = ?, due_at = ?, finished_at = ? "
        "where id = ? and lease = ?",
        (status, error[:LONGEST_ERROR], due_at, finished_at, claimed.mail_id, claimed.lease),
    )


def retry(organization_id: int, mail_id: int, now: int) -> bool:
    """Begin the tries of a mail that failed anew; whether there is such a one."""
    cursor = execute(
        "update mail set status = 'pending', tries = 0, lease = '', due_at = ?, finished_at = null "
        "where organization_id = ? and id = ? and status = 'failed'",
        (now, organization_id, mail_id),
    )
    tell(Topic.MAIL)
    return bool(cursor.rowcount)


def list_page(organization_id: int, *, limit: int, status: str = "") -> tuple[StoredMail, ...]:
    """The newest mail of an organization."""
    where = "organization_id = ?" + (" and status = ?" if status else "")
    rows = execute(
        "select id, kind, about, recipient, livemode, status, tries, error, message_id, created_at, "  # noqa: S608
        f"case status when 'pending' then due_at end, finished_at from mail where {where} order by id desc limit ?",
        (organization_id, *([status] if status else []), limit),
    ).fetchall()
    return tuple(replace(StoredMail(*row), livemode=bool(row[4])) for row in rows)


def states(organization_id: int, about: str) -> dict[str, tuple[str, str]]:
    """What became of the mails that tell of something: status and last error, by their recipients."""
    rows = execute(
        "select recipient, status, error from mail where organization_id = ? and about = ? order by id",
        (organization_id, about),
    ).fetchall()
    return {recipient: (status, error) for recipient, status, error in rows}


def content(organization_id: int, mail_id: int) -> bytes | None:
    """A mail as it is sent, or None where this organization has none of that id."""
    row = execute(
        "select content from mail where organization_id = ? and id = ?", (organization_id, mail_id)
    ).fetchone()
    return None if row is None else bytes(row[0])


def sweep(at: int, most: int = 500) -> int:
    """Delete mail that ended long ago, at most so many; the number deleted.

    What waits, perhaps for a mail server that is not set up, holds up nothing behind it.
    """
    cursor = execute(
        "delete from mail where id in (select id from "
        "(select id, finished_at from mail where finished_at is not null order by id limit ?) oldest "
        "where finished_at < ?)",
        (most, at - KEPT_FOR),
    )
    return int(cursor.rowcount)
