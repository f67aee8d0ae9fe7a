"""From a text to edits: protect, spell, check, merge; what is not sure enough is not said."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.domain.proofreading.confusions import confusions
from server.domain.proofreading.edit import Edit, apply
from server.domain.proofreading.grammar import Grammar, GrammarEngine
from server.domain.proofreading.profiles import FRAGMENTS, PROTECTED, REGIONS
from server.domain.proofreading.protected import harmless, mask
from server.domain.proofreading.spelling import Likelihood, Speller, Sureness
from server.domain.proofreading.words import SHORTEST, Lexicon, Word, words

#: Edits below this are not proposed.
THRESHOLD = 0.6
#: A suggestion below this, or one that touches a number, a name or a negation, is for a person to look at (D26).
SURE = 0.9
#: A text of at least so many words of which so many are unknown is in another language.
_ENOUGH_WORDS, _FOREIGN = 8, 0.4
_NEGATIONS = frozenset(("no", "not", "never", "none", "nor", "neither", "nothing", "nobody", "cannot", "without"))
_NUMBERS = frozenset(
    (
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty",
        "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "half", "third", "quarter", "dozen",
        "first", "second", "once", "twice",
    )
)  # fmt: skip
_WORDS = re.compile(r"[\w'’]+")


@dataclass(frozen=True, slots=True)
class Proofread:
    """The result. Applying ``edits`` to the text gives ``suggested_text``; ``skip_reason`` is empty where it was read:
    ``protected_field_kind``, ``unsupported_locale`` or ``other_language``."""

    suggested_text: str
    edits: tuple[Edit, ...] = ()
    needs_review: bool = False
    skip_reason: str = ""


class OwnWords(Protocol):
    """Words that an organization accepts."""

    def __call__(self, words: Collection[str], unknown: Collection[str]) -> frozenset[str]:
        """Those of the folded words of a text that are accepted; ``unknown``: those that no word list has. A possessive
        is among them with its ending and without."""
        ...


def no_words(words: Collection[str], unknown: Collection[str]) -> frozenset[str]:  # noqa: ARG001 - a port
    """`OwnWords` of somebody who has none."""
    return frozenset()


class Proofreader:
    """Proofreads texts. Pure: the same text, kind, locale and own words give the same result."""

    def __init__(
        self, lexicon: Lexicon, engines: Iterable[GrammarEngine], likelihood: Likelihood, sureness: Sureness
    ) -> None:
        self._lexicon = lexicon
        self._grammars = [Grammar(engine, lexicon) for engine in engines]
        self._spellers = {region: Speller(lexicon, region, likelihood, sureness) for region in REGIONS.values()}

    def speller(self, region: str) -> Speller:
        """The speller of a region."""
        return self._spellers[region]

    def read(self, text: str, field_kind: str, locale: str, own: OwnWords = no_words) -> Proofread:
        """What to change in a text. ``own`` is asked once."""
        reason = skip_reason(field_kind, locale)
        if reason:
            return Proofread(text, skip_reason=reason)
        region = REGIONS[locale]
        speller = self._spellers[region]
        protected = mask(text)
        free = [word for word in words(text) if protected.find(1, word.start, word.end) < 0]
        strange = [word for word in free if not speller.knows(word)]
        terms = own(_forms(free), _forms(strange))
        unknown = {word.start for word in strange if not word.is_among(terms)}
        if _is_foreign(free, unknown):
            return Proofread(text, skip_reason="other_language")
        proposed = [*speller.check(free, unknown, terms, text), *confusions(text)]
        names = {(word.start, word.end) for word in free if word.is_name}
        for grammar in self._grammars:
            found = grammar.check(text, region, field_kind in FRAGMENTS)
            proposed += (edit for edit in found if (edit.start, edit.end) not in names)
        accepted = {(word.start, word.end) for word in free if word.is_among(terms)}
        edits = harmless(text, merge(text, (edit for edit in proposed if (edit.start, edit.end) not in accepted)))
        return Proofread(apply(text, edits), edits, any(_needs_review(text, edit, self._lexicon) for edit in edits))


def skip_reason(field_kind: str, locale: str) -> str:
    """Why no text of this kind and locale is proofread; empty where it is."""
    if field_kind in PROTECTED:
        return "protected_field_kind"
    return "" if locale in REGIONS else "unsupported_locale"


def _forms(words: Iterable[Word]) -> set[str]:
    """What the organization may have the words as: each as it stands, and a possessive without its ending too."""
    return {form for word in words for form in (word.stem, word.folded)}


def _is_foreign(free: Sequence[Word], unknown: Collection[int]) -> bool:
    counted = [word for word in free if len(word.folded) >= SHORTEST and not word.is_name]
    if len(counted) < _ENOUGH_WORDS:
        return False
    return sum(not word.folded.isascii() or word.start in unknown for word in counted) > _FOREIGN * len(counted)


def merge(text: str, proposed: Iterable[Edit]) -> tuple[Edit, ...]:
    """The surest edits that do not meet, in order of the text."""
    kept: list[Edit] = []
    taken = bytearray(len(text) + 1)
    for edit in sorted(proposed, key=lambda one: (-one.confidence, one.start, one.end, one.rule, one.after)):
        span = slice(edit.start, max(edit.end, edit.start + 1))
        if edit.confidence >= THRESHOLD and text[edit.start : edit.end] != edit.after and not any(taken[span]):
            taken[span] = b"\1" * len(taken[span])
            kept.append(edit)
    return tuple(sorted(kept, key=lambda one: one.start))


def _needs_review(text: str, edit: Edit, lexicon: Lexicon) -> bool:
    if edit.confidence < SURE:
        return True
    before = text[edit.start : edit.end]
    touched = {word.replace("’", "'").lower() for word in _WORDS.findall(f"{before} {edit.after}")}
    if touched & (_NEGATIONS | _NUMBERS) or any(word.endswith("n't") for word in touched):
        return True
    if not before[:1].isupper():
        return False
    # No word goes across a space: those before it need not be cut out again.
    begin = text.rfind(" ", 0, edit.start) + 1
    inside = (word for word in words(text, begin, edit.end) if word.end > edit.start)
    return any(word.is_name or lexicon.knows_name(word.folded) for word in inside)
