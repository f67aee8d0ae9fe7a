"""Small records that are made by the thousand.

A frozen dataclass sets each of its fields by a call and takes about three times as long to make as one that is not.
`record` is `dataclasses.dataclass` to type checkers, which therefore hold that nobody writes to a record; when the
program runs it leaves the guard out and keeps the rest: slots, comparison and hash by value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen, slots):
        """A dataclass that compares and, if ``frozen``, hashes by value, without the guard against writing."""
        return dataclass(slots=slots, unsafe_hash=frozen)


__all__ = ["record"]
