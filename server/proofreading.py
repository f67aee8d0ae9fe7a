"""The proofreader of a process: its word lists, its grammar engines, and what names them all."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from server.domain.proofreading.context import Pairs
from server.domain.proofreading.grammar import GrammarEngine
from server.domain.proofreading.profiles import REGIONS
from server.domain.proofreading.proofreader import Proofreader
from server.domain.proofreading.spelling import SIGNS, Likelihood, Sureness
from server.domain.proofreading.words import Lexicon
from server.embedded import DATA, data_version
from server.harper import Harper
from server.languagetool import LanguageTool, language_tool_name

WORD_LISTS = DATA / "proofreading"
RULES = Path(__file__).parent / "domain" / "proofreading"
ENGINE = Path(__file__).parent / "harper.py"

_LOADING = threading.Lock()


def shared_proofreader(language_tool: bool = False) -> Proofreader:
    """The proofreader of the process, loaded by whoever asks first; the others wait for it."""
    with _LOADING:
        return load_proofreader(language_tool)


@cache
def load_proofreader(language_tool: bool = False) -> Proofreader:
    """The proofreader, warm; it takes about a second, most of it Harper's dictionary. Raises
    `LanguageToolMissingError` where that is asked for and not installed."""
    proofreader = proofreader_with(_lines("trade.txt"), [LanguageTool()] if language_tool else [])
    for locale in REGIONS:
        proofreader.read(_WARMING, "notes", locale)
    return proofreader


#: Has a word that only Harper's dictionary can tell to be none, and sentences enough for two linters.
_WARMING = " ".join(f"The panle that hangs beside an door number {'i' * number} is loose." for number in range(1, 50))


def proofreader_with(trade: Iterable[str], engines: Sequence[GrammarEngine] = ()) -> Proofreader:
    """A proofreader with these words of the trades, and with engines beside Harper."""
    engine = Harper()
    lexicon = _lexicon_with(trade, _lines("known.txt"), engine)
    likelihood = Likelihood.of(json.loads((WORD_LISTS / "slips.json").read_bytes()))
    fitted = json.loads((WORD_LISTS / "sureness.json").read_bytes())
    sureness = Sureness(fitted["bias"], tuple(fitted["weights"][name] for name in SIGNS))
    return Proofreader(lexicon, [engine, *engines], likelihood, sureness)


def lexicon_without(words: Collection[str]) -> Lexicon:
    """The words that are known, but for some of those of the trades and of names."""
    trade, known = ([word for word in _lines(name) if word not in words] for name in ("trade.txt", "known.txt"))
    return _lexicon_with(trade, known, Harper())


def _lexicon_with(trade: Iterable[str], known: Iterable[str], engine: Harper) -> Lexicon:
    places = (line.partition("\t")[0] for line in (DATA / "places.tsv").read_text("utf-8").splitlines())
    given = (DATA / "intake" / "given_names.txt").read_text("utf-8").lower().split()
    names = {word for place in places for word in place.lower().split() if word.isalpha()}.union(given)
    return Lexicon.of(
        _lines("words.txt"), trade, _lines("text.txt"), known, _lines("rare.txt"),
        _lines("variants.tsv"), frozenset(names), engine.has_word, Pairs((WORD_LISTS / "pairs.bin").read_bytes()),
    )  # fmt: skip


def proofreader_version(language_tool: bool = False) -> str:
    """Engines, rules and dictionaries, the latter two by hash of their files."""
    rules = data_version({path.name: path.read_bytes() for path in (*sorted(RULES.glob("*.py")), ENGINE)})
    lists = data_version(
        {path.name: path.read_bytes() for path in sorted(WORD_LISTS.iterdir()) if path.suffix != ".md"}
    )
    engines = f"harper-py-{version('harper-py')}"
    if language_tool:
        engines += f" {language_tool_name()}"
    return f"proofreading {engines} rules-{rules} words-{lists}"


def _lines(name: str) -> list[str]:
    return (WORD_LISTS / name).read_text("utf-8").splitlines()
