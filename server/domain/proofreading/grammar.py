"""The port of grammar engines, which of their rules are heard, and how far each is trusted.

Confidences are fixed by kind of rule, from reading what they say of trade text; they are not fitted to data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Protocol

from server.domain.proofreading.edit import Edit
from server.domain.proofreading.sentences import sentences
from server.domain.proofreading.words import Lexicon


@dataclass(frozen=True, slots=True)
class Finding:
    """What an engine says of ``text[start:end]``: its rule and kind, and what to put there, best first."""

    start: int
    end: int
    rule: str
    kind: str
    message: str
    replacements: tuple[str, ...]


class GrammarEngine(Protocol):
    """Checks grammar. Deterministic; may be called from several threads."""

    #: Name and version.
    name: str

    def check(self, text: str, region: str) -> Sequence[Finding]:
        """What is wrong with a sentence, spelling apart. Positions are code points of it."""
        ...


#: Kinds of rule that are heard, with the confidence of their edits. Style, formatting, redundancy, readability and
#: regional taste are not.
_KINDS = {
    "Agreement": 0.82, "BoundaryError": 0.86, "Eggcorn": 0.92, "Grammar": 0.8, "Malapropism": 0.85,
    "Nonstandard": 0.82, "Punctuation": 0.86, "Repetition": 0.93, "Typo": 0.9, "Usage": 0.82, "WordChoice": 0.82,
}  # fmt: skip
#: Rules that are heard although their kind is not, or are trusted more than it.
_RULES = {
    "AnA": 0.9, "CapitalizePersonalPronouns": 0.93, "ItsPossessive": 0.88, "ModalOf": 0.96,
    "RepeatedWords": 0.93, "ThenThan": 0.88, "TheirToThere": 0.88,
}  # fmt: skip
#: Rules that are wrong too often on the texts of the trades, or a matter of taste.
_LOUD = frozenset(
    (
        "CommaFixes", "CompoundNouns", "DefiniteArticle", "Dashes", "DisjointPrefixes", "DotInitialisms", "HowTo",
        "InflectedVerbAfterTo", "MassNouns", "MergeWords", "MissingDeterminer", "MissingPreposition", "MissingTo",
        "NeedToNoun", "NoFrenchSpaces", "NounVerbConfusion", "OkToOkay", "OnFloor", "OrthographicConsistency",
        "OxfordComma", "PhrasalVerbAsCompoundNoun", "PluralDecades", "QuoteSpacing", "SentenceCapitalization",
        "SpellCheck", "SplitWords", "ThatThan", "ToDoHyphen", "ToTwoToo", "TransposedSpace", "UnclosedQuotes",
        "WrongNegative", "IntroCueCommaBeforeThanks", "ItsContraction", "IncludingButNotLimitedToPunctuation",
        "DiscourseMarkers",
        # of LanguageTool
        "COMMA_COMPOUND_SENTENCE_2", "UPPERCASE_SENTENCE_START", "CD_NN", "EN_ELLIPSIS", "HELL", "PRE_YEAR_HYPHEN",
        "TO_TOO", "UNDER_COMPOUNDS", "MISSING_HYPHEN", "EN_COMPOUNDS", "SENTENCE_FRAGMENT", "MISSING_ARTICLE",
        "PossessiveYour", "OpenTheLight", "BlacklistWhitelist", "BuiltIn", "OvertimeCompoundNoun", "LongSentences",
        "MakeupCompoundNoun", "ForNoun", "Damages", "ProgressiveNeedsBe",
        "OneOfTheSingular", "RegularIrregulars", "FreePredicate", "LeftRightHand",
    )
)  # fmt: skip
#: Of a fragment, which is no sentence, only these kinds tell anything.
_OF_FRAGMENTS = frozenset(("BoundaryError", "Eggcorn", "Repetition", "Typo"))
_CATEGORY = {
    "Capitalization": "capitalization", "Punctuation": "punctuation", "Repetition": "repetition", "Typo": "typo",
}  # fmt: skip


#: The sentences of a longer text are checked by several threads: engines let go of the GIL.
_ALONE, _THREADS = 2_000, 2


class Grammar:
    """The findings of an engine that are heard, as edits. Sentences are remembered: typing costs the changed one."""

    def __init__(self, engine: GrammarEngine, lexicon: Lexicon) -> None:
        self.name = engine.name
        self._lexicon = lexicon
        self._check = lru_cache(maxsize=4096)(engine.check)
        self._threads = ThreadPoolExecutor(_THREADS, "grammar")

    def check(self, text: str, region: str, fragment: bool) -> Iterator[Edit]:
        """The edits of a text in order of its sentences."""
        found = list(sentences(text))
        check = partial(self._check, region=region)
        several = self._threads.map if len(text) > _ALONE else map
        for (start, sentence), findings in zip(found, several(check, (one for _, one in found)), strict=True):
            for finding in findings:
                confidence = _confidence(finding, fragment)
                if confidence and finding.replacements and not self._doubtful(sentence, finding):
                    yield Edit(
                        start + finding.start, start + finding.end, _replacement(finding),
                        _CATEGORY.get(finding.kind, "grammar"), f"grammar.{finding.rule}", finding.message, confidence,
                        finding.replacements[1:4],
                    )  # fmt: skip

    def _doubtful(self, sentence: str, finding: Finding) -> bool:
        after = sentence[finding.end :]
        if finding.rule == "AnA":
            # "an LED", "a 8 A fuse", "Type 3A unit": how a sign is spoken is not told by its first letter.
            following = re.match(r"\s+([a-z]{3,})\b", after)
            return following is None or following[1] not in self._lexicon.ranks
        if finding.rule == "PronounVerbAgreement":
            # "show you examples": a pronoun that is no subject.
            return re.search(r"\b(?:you|it|her)\s+$", sentence[: finding.start], re.IGNORECASE) is not None
        if finding.rule == "CapitalizePersonalPronouns":
            return re.match(r"['’]?[\s-]*(?:beam|joist|section)", after) is not None or not re.match(r"['’ ]", after)
        return False


def _replacement(finding: Finding) -> str:
    # "A" is a capital at the beginning of a sentence, not one of capitals throughout.
    return "An" if finding.rule == "AnA" and finding.replacements[0] == "AN" else finding.replacements[0]


def is_loud(rule: str) -> bool:
    """Whether a rule is not heard; an engine may leave it out."""
    return rule in _LOUD or rule.startswith("Expand")


def _confidence(finding: Finding, fragment: bool) -> float:
    if is_loud(finding.rule) or (fragment and finding.kind not in _OF_FRAGMENTS):
        return 0.0
    return _RULES.get(finding.rule, _KINDS.get(finding.kind, 0.0))
