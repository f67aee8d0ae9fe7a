"""The reader of notes with its word lists, and the version that names code and lists."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from server.domain.intake.lexicon import Lexicon
from server.domain.intake.reading import IntakeReader
from server.domain.intake.trades import Trades
from server.embedded import DATA, Embedded, data_version

RULES = Path(__file__).parent / "domain" / "intake"
GIVEN_NAMES = DATA / "intake" / "given_names.txt"
#: The most frequent English words: a word beyond them that has a capital is rather a name.
COMMON_WORDS = 15_000
FREQUENT_WORDS = 4_000


def intake_reader(embedded: Embedded) -> IntakeReader:
    """Made once a process, in some 20 ms. ``OSError`` where a list is missing."""
    with (DATA / "proofreading" / "words.txt").open(encoding="utf-8") as words:
        ranked = [word.rstrip("\n") for word in islice(words, COMMON_WORDS)]
    given = frozenset(GIVEN_NAMES.read_text("utf-8").split())
    return IntakeReader(
        Lexicon(given, frozenset(ranked), frozenset(ranked[:FREQUENT_WORDS]), embedded.gazetteer),
        Trades.of(embedded.catalogue),
    )


def intake_version(embedded: Embedded) -> str:
    """What reads a note: rules and lists by hash, catalogue and gazetteer by theirs."""
    rules = data_version({path.name: path.read_bytes() for path in sorted(RULES.glob("*.py"))})
    names = data_version({GIVEN_NAMES.name: GIVEN_NAMES.read_bytes()})
    return f"intake rules-{rules} names-{names} data-{embedded.version}"
