"""The port of grammar engines, which of their rules are heard, and how far each is trusted.

Confidences are fixed by kind of rule, from reading what they say of trade text; they are not fitted to data.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from cachetools import LRUCache

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

    def check(self, sentences: Sequence[str], region: str) -> Sequence[Sequence[Finding]]:
        """What is wrong with each of some sentences, spelling apart. Positions are code points of the sentence; what is
        found in one does not depend on the others."""
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
#: Rules of LanguageTool that are wrong too often on the texts of the trades, or a matter of taste.
_LOUD = frozenset(
    (
        "COMMA_COMPOUND_SENTENCE_2", "UPPERCASE_SENTENCE_START", "CD_NN", "EN_ELLIPSIS", "HELL", "PRE_YEAR_HYPHEN",
        "TO_TOO", "UNDER_COMPOUNDS", "MISSING_HYPHEN", "EN_COMPOUNDS", "SENTENCE_FRAGMENT", "MISSING_ARTICLE",
    )
)  # fmt: skip
#: Of a fragment, which is no sentence, only these kinds tell anything.
_OF_FRAGMENTS = frozenset(("BoundaryError", "Eggcorn", "Repetition", "Typo"))
_CATEGORY = {
    "Capitalization": "capitalization", "Punctuation": "punctuation", "Repetition": "repetition", "Typo": "typo",
}  # fmt: skip


#: Sentences are checked in batches of at most so many characters; those of a text with more than `_ALONE` new ones in
#: two or more, by the caller and a thread beside it: engines let go of the GIL.
_BATCH, _ALONE = 2_000, 500
_REMEMBERED = 4096


class Grammar:
    """The findings of an engine that are heard, as edits. Sentences are remembered: typing costs the changed one."""

    def __init__(self, engine: GrammarEngine, lexicon: Lexicon) -> None:
        self.name = engine.name
        self._engine = engine
        self._lexicon = lexicon
        self._checked: LRUCache[tuple[str, str], Sequence[Finding]] = LRUCache(_REMEMBERED)
        self._lock = threading.Lock()
        self._beside = ThreadPoolExecutor(1, "grammar")

    def check(self, text: str, region: str, fragment: bool) -> Iterator[Edit]:
        """The edits of a text in order of its sentences."""
        found = sentences(text)
        findings_of = self._findings(dict.fromkeys(sentence for _, sentence in found), region)
        for start, sentence in found:
            for finding in findings_of[sentence]:
                confidence = _confidence(finding, fragment)
                if confidence and finding.replacements and not self._doubtful(sentence, finding):
                    yield Edit(
                        start + finding.start, start + finding.end, _replacement(finding),
                        _CATEGORY.get(finding.kind, "grammar"), f"grammar.{finding.rule}", finding.message, confidence,
                        finding.replacements[1:4],
                    )  # fmt: skip

    def _findings(self, wanted: Iterable[str], region: str) -> dict[str, Sequence[Finding]]:
        known: dict[str, Sequence[Finding]] = {}
        new: list[str] = []
        with self._lock:
            for sentence in wanted:
                findings = self._checked.get((region, sentence))
                if findings is None:
                    new.append(sentence)
                else:
                    known[sentence] = findings
        if not new:
            return known
        checked = dict(zip(new, self._check(new, region), strict=True))
        with self._lock:
            self._checked.update(((region, sentence), findings) for sentence, findings in checked.items())
        return known | checked

    def _check(self, new: Sequence[str], region: str) -> list[Sequence[Finding]]:
        first, *others = _batches(new)
        beside = [self._beside.submit(self._engine.check, batch, region) for batch in others]
        findings = [self._engine.check(first, region)]
        # What the thread beside has not begun the caller does, from the end.
        own = [
            self._engine.check(batch, region)
            for batch, waiting in zip(reversed(others), reversed(beside), strict=True)
            if waiting.cancel()
        ]
        findings += [waiting.result() for waiting in beside if not waiting.cancelled()]
        return [one for batch in (*findings, *reversed(own)) for one in batch]

    def _doubtful(self, sentence: str, finding: Finding) -> bool:
        before, about, after = sentence[: finding.start], sentence[finding.start : finding.end], sentence[finding.end :]
        if finding.rule == "AnA":
            # "an LED", "a 8 A fuse", "Type 3A unit": how a sign is spoken is not told by its first letter.
            following = re.match(r"\s+([a-z]{3,})\b", after)
            return following is None or following[1] not in self._lexicon.ranks
        doubt = _DOUBTS.get(finding.rule)
        return doubt is not None and doubt.search(f"{before}⟨{about}⟩{after}") is not None


#: After these words "there" is the place, and before those.
_GO_THERE = (
    "get|gets|got|be|been|is|are|was|were|go|goes|going|went|gone|live|lives|stay|stays|park|parks|parked|meet|works?|"
    "sits?|stands?|put|leave|leaves|left|store|stored|come|comes|from|over|up|down|out|in|back|right|almost|not|since|"
    "until|near|around|somewhere|anything|everything|anyone|someone|nobody"
)
_THERE_THEN = (
    "by|today|tonight|tomorrow|yesterday|now|then|while|once|since|early|late|first|next|last|again|soon|instead|anyway|"
    "please|most|half|plus|per|all|both|alone|together|mornings?|afternoons?|evenings?|nights?|weekdays?|weekends?|noon|"
    "[a-z]+day|like|because|though|than|one|two|three|some|any|who|which"
)
#: Before these words "it's" calls for no thing that is its own.
_IT_IS = (
    "and|but|or|so|if|as|that|than|when|where|while|because|since|though|think|know|says?|said|hope|guess|sure|believe|"
    "like|now|unless|whether|until|plus|then|maybe|yes|no|feel|assume|means?"
)
#: By rule in which sentences its finding, between angle brackets, is not to be heard.
_DOUBTS = {
    rule: re.compile(pattern, re.IGNORECASE)
    for rule, pattern in {
        # "need a part from the supplier, apart from the valve".
        "APart": r"⟨a\s+part\b",
        # "i joist", "class i".
        "CapitalizePersonalPronouns": r"⟩['’]?[\s-]*(?:beam|joist|section)|⟩(?!['’ ])|\b(?:class|type|phase|unit)\s⟨",
        # "so it's gas".
        "ItsPossessive": rf"(?:^|[^\w\s]\s*|\b(?:{_IT_IS})\s+)⟨",
        # "the people next to it are gone".
        "PronounInflectionBe": r"\w\s+(?:it|her)\s+(?:\w+\s+)?⟨",
        # "show you examples", a pronoun that is no subject; "he past the gate".
        "PronounVerbAgreement": r"\b(?:you|it|her)\s+⟨|⟨past⟩",
        # "five five one", "all that that entails", "Walla Walla".
        "RepeatedWords": (
            r"⟨(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|that|had|bye|very|no|yes|knock|so|many|long|"
            r"really|please|thanks)\s|⟨(?-i:[A-Z]\w*\s+[A-Z])"
        ),
        # "we'd lay", "bit by bit", "saw marks"; not "have saw the".
        "SimplePastToPastParticiple": (
            r"⟨(?:lay|bit|rose)⟩|⟨saw⟩(?!\s+(?:the|an?|it|them|this|that|these|your|our|his|her|their|my|some|no|any)\b)"
        ),
        # "get there by noon", "we park there evenings".
        "ThereToTheir": rf"\b(?:{_GO_THERE})\s+⟨|⟩\s+(?:{_THERE_THEN})\b",
        # "where you are is fine".
        "WereWhere": r"⟨where⟩\s+you\b",
    }.items()
}


def _replacement(finding: Finding) -> str:
    # "A" is a capital at the beginning of a sentence, not one of capitals throughout.
    return "An" if finding.rule == "AnA" and finding.replacements[0] == "AN" else finding.replacements[0]


def _batches(new: Sequence[str]) -> list[list[str]]:
    """The sentences in order, in batches of like length; one that may be empty where there is little to do."""
    length = sum(map(len, new))
    most = length if length <= _ALONE else min(_BATCH, length / 2)
    batches: list[list[str]] = [[]]
    room = most
    for sentence in new:
        if room <= 0:
            batches.append([])
            room = most
        batches[-1].append(sentence)
        room -= len(sentence)
    return batches


def _confidence(finding: Finding, fragment: bool) -> float:
    if finding.rule in _LOUD or (fragment and finding.kind not in _OF_FRAGMENTS):
        return 0.0
    return _RULES.get(finding.rule, _KINDS.get(finding.kind, 0.0))
