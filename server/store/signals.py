"""What a write tells every process once it is committed: which memories to drop, which tables to look at.

Signals are hints. On PostgreSQL they travel by NOTIFY, within the write's transaction (its manual, "NOTIFY"), so they
are heard if and only if the write was committed; nobody relies on them alone, as a connection may be gone just then.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple


class Topic(StrEnum):
    """What a signal is about."""

    #: A credential ended.
    REVOCATION = "revocation"
    #: What an organization says of itself or decided about prices has changed; its id.
    ORGANIZATION = "organization"
    #: An organization's first price book is in force; its id.
    BOOK = "book"
    #: A webhook delivery is due.
    DELIVERY = "delivery"
    #: A mail is due.
    MAIL = "mail"


class Signal(NamedTuple):
    """``key``: the id of what has changed; 0: any may have."""

    topic: Topic
    key: int


_thread = threading.local()


def tell(topic: Topic, key: int = 0) -> None:
    """Tell every process when the write is committed; inside `Store.write`."""
    told: set[Signal] | None = getattr(_thread, "told", None)
    if told is not None:
        told.add(Signal(topic, key))


@contextmanager
def collected() -> Iterator[set[Signal]]:
    """The signals that are told on this thread meanwhile."""
    told: set[Signal] = set()
    _thread.told = told
    try:
        yield told
    finally:
        _thread.told = None


class Listeners:
    """Who wants to hear of what, in one process."""

    def __init__(self) -> None:
        self._by_topic: defaultdict[Topic, list[Callable[[int], None]]] = defaultdict(list)

    def add(self, topic: Topic, listener: Callable[[int], None]) -> None:
        """Have ``listener`` called with the key of each signal."""
        self._by_topic[topic].append(listener)

    def hear(self, signals: Iterable[Signal]) -> None:
        """Tell those who listen."""
        for topic, key in signals:
            for listener in self._by_topic[topic]:
                listener(key)


#: What is heard where signals may have been missed.
EVERYTHING = tuple(Signal(topic, 0) for topic in Topic)
