"""Finding rows by words that people type: a column `search` holds what a row is found by, folded, and each word that is
looked for must stand in it, as a word or within one. It is read from end to end: some ms for 10,000 rows."""

from __future__ import annotations

from server.domain.words import fold

#: Words of a search that count.
MOST_WORDS = 8


def searched(*texts: str) -> str:
    """What the column holds."""
    return " ".join(fold(" ".join(texts)).split())


def containing(words: str) -> tuple[str, list[str]]:
    """A condition that each word stands in `search`, and its parameters; one that holds always for no words."""
    wanted = fold(words).split()[:MOST_WORDS]
    condition = " and ".join(["search like ? escape '\\'"] * len(wanted)) or "true"
    return condition, [f"%{_literally(word)}%" for word in wanted]


def _literally(word: str) -> str:
    """A word as a pattern that only it fits."""
    for sign in "\\%_":
        word = word.replace(sign, f"\\{sign}")
    return word
