"""The caller's price book as the engines look things up in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from cachetools import TTLCache
from quotewright.v1 import gate_pb2

from server.domain.price_book.item import BookItem
from server.domain.pricing.price_book import Wanted
from server.store import price_book
from server.store.database import Store
from server.store.signals import Topic

#: That an organization has no book is believed for this long: the hot path of those without one stays as it is.
REMEMBERED = 1.0  # seconds


class StoredBook:
    """A book on one day. For threads beside the event loop and the store's own: a look-up waits for a reader."""

    def __init__(self, store: Store, book_id: int, version: int, on: date) -> None:
        self._store = store
        self.book_id = book_id
        self._on = on.isoformat()
        self.version = f"b{version}.{self._on}"
        self._answers: dict[Wanted, Sequence[BookItem]] = {}

    def look_up(self, wanted: Wanted) -> Sequence[BookItem]:
        """See `server.domain.pricing.price_book.PriceBook`. The same question is asked of the store once."""
        if wanted not in self._answers:
            self._answers[wanted] = self._store.read_now(lambda: price_book.look_up(self.book_id, self._on, wanted))
        return self._answers[wanted]


class Books:
    """Finds books."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._without: TTLCache[tuple[int, bool], bool] = TTLCache(4096, REMEMBERED)
        self._changes = 0
        store.on(Topic.BOOK, self._forget)

    async def find(self, caller: gate_pb2.Principal, on: date) -> StoredBook | None:
        """The book of the caller's organization and mode, or None where nothing was ever in force in it."""
        key = (caller.organization_id, caller.livemode)
        if key in self._without:
            return None
        changes = self._changes
        found = await self._store.read(lambda: price_book.book_of(*key))
        if found is None or not found[1]:
            if changes == self._changes:
                self._without[key] = True
            return None
        return StoredBook(self._store, *found, on)

    def _forget(self, organization_id: int) -> None:
        self._changes += 1
        if organization_id:
            for livemode in (False, True):
                self._without.pop((organization_id, livemode), None)
        else:
            self._without.clear()
