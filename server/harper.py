"""Harper (harper-py, Apache License 2.0) behind the port of grammar engines.

Reading a sentence costs it time, and each rule that is on some more, whether it can find something there or not. No
rule finds anything without certain words ("all ready"): a rule is asked of the sentences that have them, and of most
sentences none is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import accumulate, pairwise

from harper import Dialect, Linter, SuggestionKind, get_default_lint_config

from server.domain.proofreading.grammar import Finding
from server.domain.proofreading.words import folded_words
from server.embedded import DATA

RULES_FILE = DATA / "proofreading" / "harper_rules.txt"
_DIALECTS = {
    "AU": Dialect.AUSTRALIAN,
    "CA": Dialect.CANADIAN,
    "GB": Dialect.BRITISH,
    "US": Dialect.AMERICAN,
}
#: Parts sentences that are checked together, and ends the last: none is another's neighbour, nor alone.
_PARTED = "\n\n"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and the words without which it finds nothing (empty: it needs none), and what must match besides."""

    name: str
    words: tuple[str, ...]
    pattern: re.Pattern[str] | None

    @classmethod
    def of(cls, line: str) -> Rule:
        """From a line of `RULES_FILE`, which says how they are written."""
        words, _, pattern = line.partition(" / ")
        name, *needed = words.split()
        written = pattern.replace(" ", r"\s+").replace("'", "['’]")
        return cls(name, tuple(needed), re.compile(written, re.IGNORECASE) if pattern else None)


class Rules:
    """Which rules are asked of a sentence: those whose words it has."""

    def __init__(self, lines: Iterable[str]) -> None:
        rules = [Rule.of(line) for line in lines if line and not line.startswith("#")]
        self.names = frozenset(rule.name for rule in rules)
        self._anywhere = [rule for rule in rules if not rule.words]
        # By one of its words, the others beside which it calls for a rule; two in a row are one, joined by a space.
        self._calling: defaultdict[str, list[tuple[frozenset[str], Rule]]] = defaultdict(list)
        for rule in rules:
            for words in rule.words:
                first, *others = words.replace("_", " ").split("+")
                self._calling[first].append((frozenset(others), rule))

    def of(self, sentence: str) -> frozenset[str]:
        """The names of the rules that are asked of a sentence."""
        words = folded_words(sentence)
        here = {*words, *(f"{one} {other}" for one, other in pairwise(words))}
        called = {rule for one in here & self._calling.keys() for others, rule in self._calling[one] if others <= here}
        called.update(self._anywhere)
        return frozenset(
            rule.name for rule in called if rule.pattern is None or rule.pattern.search(sentence) is not None
        )


class Harper:
    """Harper's rules, those of `RULES_FILE`, and its dictionary."""

    def __init__(self) -> None:
        self.name = f"harper-py-{version('harper-py')}"
        self._rules = Rules(RULES_FILE.read_text("utf-8").splitlines())
        # What a configuration does not name is on, Harper's speller, say, which takes milliseconds a word.
        self._off: dict[str, bool | None] = dict.fromkeys(get_default_lint_config(), False)
        # A linter serves one thread at a time: each is in one of these or in use. Building one takes 50 ms.
        self._idle: defaultdict[str, list[Linter]] = defaultdict(list)

    def check(self, sentences: Sequence[str], region: str) -> Sequence[Sequence[Finding]]:
        """What Harper finds in each sentence, by rule; together they cost less than one by one."""
        findings: list[Sequence[Finding]] = [()] * len(sentences)
        asked = [self._rules.of(sentence) for sentence in sentences]
        places = [place for place, rules in enumerate(asked) if rules]
        if places:
            rules = frozenset[str]().union(*asked)
            found = self._check_all([sentences[place] for place in places], region, rules)
            for place, one in zip(places, found, strict=True):
                # The rules of the others would find nothing here either; so that it never depends on them.
                findings[place] = [finding for finding in one if finding.rule in asked[place]]
        return findings

    def _check_all(self, sentences: Sequence[str], region: str, rules: frozenset[str]) -> Sequence[Sequence[Finding]]:
        try:
            return self._check(sentences, region, rules)
        except BaseException as error:
            # A panic in the engine is no Exception; the sentence that it is about is then not checked.
            if type(error).__name__ != "PanicException":
                raise
            if len(sentences) == 1:
                return [()]
            middle = len(sentences) // 2
            halves = sentences[:middle], sentences[middle:]
            return [finding for half in halves for finding in self._check_all(half, region, rules)]

    def _check(self, sentences: Sequence[str], region: str, rules: frozenset[str]) -> Sequence[Sequence[Finding]]:
        starts = list(accumulate((len(sentence) + len(_PARTED) for sentence in sentences), initial=0))
        text = "".join(f"{one}{_PARTED}" for one in sentences)
        with self._linter(region) as linter:
            linter.set_lint_config(self._off | dict.fromkeys(rules, True))
            found = linter.organized_lints(text, language="plaintext", dedup=False)
        findings: list[list[Finding]] = [[] for _ in sentences]
        for rule in sorted(rules):
            for lint in found[rule]:
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
        yield linter
        # One that panicked is not used again.
        idle.append(linter)


def _replacement(kind: SuggestionKind, replacement: str, problem: str) -> str:
    if kind == SuggestionKind.INSERT_AFTER:
        return problem + replacement
    return "" if kind == SuggestionKind.REMOVE else replacement
