"""Words that proofreading accepts in an organization. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from server.store.database import execute, of_one_moment

#: Words of one dictionary.
MOST_WORDS = 10_000
_DIGEST = 32  # bytes
_COLUMNS = "word, added_by, created_at"


class DictionaryFullError(Exception):
    """The dictionary would have more than `MOST_WORDS`."""


@dataclass(frozen=True, slots=True)
class StoredWord:
    """A word as it was added. ``created_at`` in µs UTC."""

    word: str
    added_by: str
    created_at: int


def add(
    organization_id: int, words: Mapping[str, str], *, added_by: str, at: int
) -> tuple[tuple[StoredWord, ...], tuple[str, ...], int]:
    """Add words, given by key, that are not there yet: all of them as stored, those that are new, and how many the
    dictionary has now. Raises `DictionaryFullError`; then nothing is added."""
    there = known(organization_id, words)
    new = [key for key in words if key not in there]
    total, digest = summary(organization_id)
    if new and total + len(new) > MOST_WORDS:
        raise DictionaryFullError
    for key in new:
        execute(
            "insert into dictionary_word (organization_id, key, word, added_by, created_at) values (?, ?, ?, ?, ?)",
            (organization_id, key, words[key], added_by, at),
        )
        digest = _sum(digest, key, 1)
    if new:
        _keep(organization_id, total + len(new), digest)
    stored = []
    for key in words:
        row = execute(
            f"select {_COLUMNS} from dictionary_word where organization_id = ? and key = ?",  # noqa: S608 - a constant
            (organization_id, key),
        ).fetchone()
        stored.append(StoredWord(*row))
    return tuple(stored), tuple(words[key] for key in new), total + len(new)


def remove(organization_id: int, key: str) -> StoredWord | None:
    """Remove a word: as it was, or None where the dictionary has no such word."""
    row = execute(
        f"delete from dictionary_word where organization_id = ? and key = ? returning {_COLUMNS}",  # noqa: S608
        (organization_id, key),
    ).fetchone()
    if row is None:
        return None
    total, digest = summary(organization_id)
    _keep(organization_id, total - 1, _sum(digest, key, -1))
    return StoredWord(*row)


@of_one_moment
def list_page(organization_id: int, *, limit: int, offset: int) -> tuple[int, tuple[StoredWord, ...]]:
    """How many words there are, and one page of them, newest first."""
    rows = execute(
        f"select {_COLUMNS} from dictionary_word where organization_id = ? "  # noqa: S608
        "order by id desc limit ? offset ?",
        (organization_id, limit, offset),
    ).fetchall()
    return summary(organization_id)[0], tuple(StoredWord(*row) for row in rows)


def known(organization_id: int, keys: Collection[str]) -> frozenset[str]:
    """Those of the keys that the dictionary has."""
    if not keys:
        return frozenset()
    # A text of 12,000 characters has 6,000 words at most; SQLite takes 32,766 parameters.
    marks = ", ".join("?" * len(keys))
    rows = execute(
        f"select key from dictionary_word where organization_id = ? and key in ({marks})",  # noqa: S608
        (organization_id, *keys),
    )
    return frozenset(row[0] for row in rows)


def summary(organization_id: int) -> tuple[int, bytes]:
    """How many words there are, and what names the set of them: equal sets have equal digests."""
    row = execute("select words, digest from dictionary where organization_id = ?", (organization_id,)).fetchone()
    return (0, bytes(_DIGEST)) if row is None else (row[0], bytes(row[1]))


def _keep(organization_id: int, total: int, digest: bytes) -> None:
    execute(
        "insert into dictionary (organization_id, words, digest) values (?, ?, ?) "
        "on conflict (organization_id) do update set words = excluded.words, digest = excluded.digest",
        (organization_id, total, digest),
    )


def _sum(digest: bytes, key: str, times: int) -> bytes:
    number = int.from_bytes(digest) + times * int.from_bytes(hashlib.sha256(key.encode()).digest())
    return (number % (1 << 8 * _DIGEST)).to_bytes(_DIGEST)
