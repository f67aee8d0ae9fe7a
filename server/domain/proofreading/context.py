"""Which words stand beside each other: pairs of words with how common each pair is."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Mapping

#: Bytes of a pair's hash, and of how many pairs there are.
_HASH = 8
#: The most that a level says.
HIGHEST = 15


class Pairs:
    """Levels of pairs of words: 0 for a pair that is not listed, up to `HIGHEST`, each twice as common as the one
    before. Kept as sorted hashes: 9 bytes a pair."""

    def __init__(self, packed: bytes) -> None:
        count = len(packed) // (_HASH + 1)
        self._hashes = array("Q", packed[: count * _HASH])
        self._levels = packed[count * _HASH :]

    def level(self, first: str, second: str) -> int:
        """How common it is that ``second`` follows ``first``; both folded."""
        wanted = _hash(first, second)
        index = bisect_left(self._hashes, wanted)
        found = index < len(self._hashes) and self._hashes[index] == wanted
        return self._levels[index] if found else 0


def pack(levels: Mapping[tuple[str, str], int]) -> bytes:
    """Pairs as bytes, in the machine's byte order: little-endian on every machine that this runs on."""
    rows = sorted((_hash(*pair), level) for pair, level in levels.items())
    return array("Q", [one for one, _ in rows]).tobytes() + bytes(level for _, level in rows)


def _hash(first: str, second: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{first} {second}".encode(), digest_size=_HASH).digest(), "little")
