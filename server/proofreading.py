"""The proofreader of a process: its word lists, Harper behind the port of grammar engines, and what names them all."""

from __future__ import annotations

import json
import threading
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path

from harper import Dialect, Linter, SuggestionKind

from server.domain.proofreading.context import Pairs
from server.domain.proofreading.grammar import Finding, GrammarEngine
from server.domain.proofreading.profiles import REGIONS
from server.domain.proofreading.proofreader import Proofreader
from server.domain.proofreading.spelling import SIGNS, Likelihood, Sureness
from server.domain.proofreading.words import Lexicon
from server.embedded import DATA, data_version
from server.languagetool import LanguageTool, language_tool_name

WORD_LISTS = DATA / "proofreading"
RULES = Path(__file__).parent / "domain" / "proofreading"
_DIALECTS = {
    "AU": Dialect.AUSTRALIAN,
    "CA": Dialect.CANADIAN,
    "GB": Dialect.BRITISH,
    "US": Dialect.AMERICAN,
}

#: Parts sentences that are checked together, and ends the last: none is another's neighbour, nor alone.
_PARTED = "\n\n"


class Harper:
    """Harper's rules, those of `harper_rules.txt`, and its dictionary."""

    def __init__(self) -> None:
        self.name = f"harper-py-{version('harper-py')}"
        self._rules = frozenset(rule for line in _lines("harper_rules.txt") for rule in line.partition("#")[0].split())
        # A linter serves one thread at a time: each is in one of these or in use. Building one takes 50 ms.
        self._idle: defaultdict[str, list[Linter]] = defaultdict(list)

    def check(self, sentences: Sequence[str], region: str) -> Sequence[Sequence[Finding]]:
        """What Harper finds in each sentence, by rule. Together they cost two thirds of what they cost one by one."""
        try:
            return self._check(sentences, region)
        except BaseException as error:
            # A panic in the engine is no Exception; the sentence that it is about is then not checked.
            if type(error).__name__ != "PanicException":
                raise
            if len(sentences) == 1:
                return [()]
            middle = len(sentences) // 2
            return [*self.check(sentences[:middle], region), *self.check(sentences[middle:], region)]

    def _check(self, sentences: Sequence[str], region: str) -> Sequence[Sequence[Finding]]:
        starts = list(accumulate((len(sentence) + len(_PARTED) for sentence in sentences), initial=0))
        with self._linter(region) as linter:
            found = linter.organized_lints("".join(f"{one}{_PARTED}" for one in sentences), language="plaintext")
        findings: list[list[Finding]] = [[] for _ in sentences]
        for rule, lints in sorted(found.items()):
            for lint in lints:
                index = bisect_right(starts, lint.span.start) - 1
                start, end = lint.span.start - starts[index], lint.span.end - starts[index]
                if end <= len(sentences[index]):
                    replacements = (
                        _replacement(one.kind, one.replacement_text, lint.problem_text) for one in lint.suggestions
                    )
                    findings[index].append(Finding(start, end, rule, lint.lint_kind, lint.message, tuple(replacements)))
        return findings

    def has_word(self, word: str) -> bool:
        """Whether the dictionary has a word, in any dialect."""
        with self._linter("US") as linter:
            return bool(linter.is_likely_english(word))

    @contextmanager
    def _linter(self, region: str) -> Iterator[Linter]:
        idle = self._idle[region]
        try:
            linter = idle.pop()
        except IndexError:
            linter = Linter(_DIALECTS[region])
            # What is not heard is not asked for: each rule costs time, and Harper's speller milliseconds a word.
            linter.set_lint_config({rule: rule in self._rules for rule in linter.get_default_lint_config()})
        yield linter
        # One that panicked is not used again.
        idle.append(linter)


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
_WARMING = " ".join(f"The panle that hangs beside door number {'i' * number} is loose." for number in range(1, 12))


def proofreader_with(trade: Iterable[str], engines: Sequence[GrammarEngine] = ()) -> Proofreader:
    """A proofreader with these words of the trades, and with engines beside Harper."""
    engine = Harper()
    lexicon = _lexicon_with(trade, engine)
    likelihood = Likelihood.of(json.loads((WORD_LISTS / "slips.json").read_bytes()))
    fitted = json.loads((WORD_LISTS / "sureness.json").read_bytes())
    sureness = Sureness(fitted["bias"], tuple(fitted["weights"][name] for name in SIGNS))
    return Proofreader(lexicon, [engine, *engines], likelihood, sureness)


def load_lexicon() -> Lexicon:
    """The words that are known."""
    return _lexicon_with(_lines("trade.txt"), Harper())


def _lexicon_with(trade: Iterable[str], engine: Harper) -> Lexicon:
    places = (line.partition("\t")[0] for line in (DATA / "places.tsv").read_text("utf-8").splitlines())
    given = (DATA / "intake" / "given_names.txt").read_text("utf-8").lower().split()
    names = {word for place in places for word in place.lower().split() if word.isalpha()}.union(given)
    return Lexicon.of(
        _lines("words.txt"), trade, _lines("text.txt"), _lines("variants.tsv"), frozenset(names), engine.has_word,
        Pairs((WORD_LISTS / "pairs.bin").read_bytes()),
    )  # fmt: skip


def proofreader_version(language_tool: bool = False) -> str:
    """Engines, rules and dictionaries, the latter two by hash of their files."""
    rules = data_version({path.name: path.read_bytes() for path in sorted(RULES.glob("*.py"))})
    lists = data_version(
        {path.name: path.read_bytes() for path in sorted(WORD_LISTS.iterdir()) if path.suffix != ".md"}
    )
    engines = f"harper-py-{version('harper-py')}"
    if language_tool:
        engines += f" {language_tool_name()}"
    return f"proofreading {engines} rules-{rules} words-{lists}"


def _lines(name: str) -> list[str]:
    return (WORD_LISTS / name).read_text("utf-8").splitlines()


def _replacement(kind: SuggestionKind, replacement: str, problem: str) -> str:
    if kind == SuggestionKind.INSERT_AFTER:
        return problem + replacement
    return "" if kind == SuggestionKind.REMOVE else replacement
