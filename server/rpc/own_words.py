"""The words that an organization accepts when texts are proofread: its dictionary and the names in its price book."""

from __future__ import annotations

from collections.abc import Collection

from quotewright.v1 import gate_pb2

from server.store import dictionary, price_book
from server.store.database import Store

#: Unknown words of one text that are looked for in the price book.
MOST_LOOKED_FOR = 80


class StoredWords:
    """The words of the caller's organization, read anew for each text, so that every process has what was added
    before. For threads beside the event loop and the store's own: a look-up waits for a reader."""

    def __init__(self, store: Store, caller: gate_pb2.Principal) -> None:
        self._store = store
        self._caller = caller
        #: Names what the last look-up went by: the dictionary's set of words by hash, the price book by its number
        #: and version; empty parts where there is none.
        self.version = ""

    def __call__(self, words: Collection[str], unknown: Collection[str]) -> frozenset[str]:
        """See `server.domain.proofreading.proofreader.OwnWords`; one snapshot of the store answers."""
        found, self.version = self._store.read_now(lambda: self._look_up(words, unknown))
        return found

    def _look_up(self, words: Collection[str], unknown: Collection[str]) -> tuple[frozenset[str], str]:
        organization_id = self._caller.organization_id
        total, digest = dictionary.summary(organization_id)
        found = dictionary.known(organization_id, words) if total else frozenset()
        version = f" own-{digest.hex()[:12]}" if total else ""
        book = price_book.book_of(organization_id, self._caller.livemode)
        if book is not None:
            book_id, revision = book
            version += f" prices-{book_id}.{revision}"
            rest = sorted(set(unknown) - found)[:MOST_LOOKED_FOR]
            found |= {word for word in rest if price_book.names_have(book_id, word)}
        return found, version
