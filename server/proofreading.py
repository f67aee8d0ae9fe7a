"""The proofreader of a process: its word lists, Harper behind the port of grammar engines, and what names them all."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from harper import Dialect, Linter, SuggestionKind

from server.domain.proofreading.context import Pairs
from server.domain.proofreading.grammar import Finding, GrammarEngine, is_loud
from server.domain.proofreading.profiles import REGIONS
from server.domain.proofreading.proofreader import Proofreader
from server.domain.proofreading.spelling import SIGNS, Sureness
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


#: Harper's groups of rules whose kinds are not heard, or that are spelling's.
_UNHEARD = frozenset(
    (
        "Capitalization and Case", "Compounds and Hyphenation", "Initialisms", "Numbers and Units", "Proper Nouns",
        "Regionalisms and Dialect", "Style and Redundancy",
    )
)  # fmt: skip
#: Rules of those groups that are heard.
_HEARD = frozenset(("CapitalizePersonalPronouns", "RepeatedWords"))


class Harper:
    """Harper's rules and dictionary. A linter serves one thread at a time, so each thread has its own."""

    def __init__(self) -> None:
        self.name = f"harper-py-{version('harper-py')}"
        self._local = threading.local()

    def check(self, text: str, region: str) -> Sequence[Finding]:
        """What Harper finds in a sentence, by rule."""
        linter = self._linter(region)
        try:
            # Sorting by rule costs five times as much as finding out that there is nothing to sort.
            found = (
                linter.organized_lints(text, language="plaintext") if linter.lint(text, language="plaintext") else {}
            )
        except BaseException as error:
            # A panic in the engine is no Exception; one sentence is then not checked.
            if type(error).__name__ != "PanicException":
                raise
            self._local = threading.local()
            return ()
        return tuple(
            Finding(
                lint.span.start,
                lint.span.end,
                rule,
                lint.lint_kind,
                lint.message,
                tuple(_replacement(one.kind, one.replacement_text, lint.problem_text) for one in lint.suggestions),
            )
            for rule, lints in sorted(found.items())
            for lint in lints
        )

    def has_word(self, word: str) -> bool:
        """Whether the dictionary has a word, in any dialect."""
        return bool(self._linter("US").is_likely_english(word))

    def _linter(self, region: str) -> Linter:
        linters = self._local.__dict__.setdefault("linters", {})
        if region not in linters:
            linter = Linter(_DIALECTS[region])
            # What is not heard is not asked for: each rule costs time, and SpellCheck, among the loud, milliseconds a
            # word.
            unheard = _rules_of(linter, _UNHEARD)
            rules = linter.get_default_lint_config()
            linter.set_lint_config({rule: on and not (rule in unheard or is_loud(rule)) for rule, on in rules.items()})
            linters[region] = linter
        return linters[region]  # type: ignore[no-any-return]


def _rules_of(linter: Linter, groups: Collection[str]) -> frozenset[str]:
    """The rules of some of Harper's groups, but for those that are heard all the same."""
    found = set()
    for setting in linter.get_structured_lint_config()["settings"]:
        group = setting.get("Group", {"label": ""})
        if group["label"] in groups:
            found |= {rule["Bool"]["name"] for rule in group["child"]["settings"] if "Bool" in rule}
    return frozenset(found - _HEARD)


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


#: Has a word that only Harper's dictionary can tell to be none.
_WARMING = "The panle is loose."


def proofreader_with(trade: Iterable[str], engines: Sequence[GrammarEngine] = ()) -> Proofreader:
    """A proofreader with these words of the trades, and with engines beside Harper."""
    engine = Harper()
    places = (line.partition("\t")[0] for line in (DATA / "places.tsv").read_text("utf-8").splitlines())
    names = {word for place in places for word in place.split() if word.isalpha()}
    pairs = Pairs((WORD_LISTS / "pairs.bin").read_bytes())
    lexicon = Lexicon.of(
        _lines("words.txt"), trade, _lines("text.txt"), _lines("variants.tsv"), names, engine.has_word, pairs
    )
    fitted = json.loads((WORD_LISTS / "sureness.json").read_bytes())
    sureness = Sureness(fitted["bias"], tuple(fitted["weights"][name] for name in SIGNS))
    return Proofreader(lexicon, [engine, *engines], sureness)


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
