"""What the extractors find, and what they know of the caller."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Kind(StrEnum):
    """What a value is. A profile has at most one field of each kind."""

    PERSON = "person"
    COMPANY = "company"
    EMAIL = "email"
    PHONE = "phone"
    ADDRESS = "address"
    DATE = "date"
    TIME = "time"
    MONEY = "money"
    CURRENCY = "currency"
    TRADE = "trade"
    URGENCY = "urgency"
    METHOD = "method"
    REFERENCE = "reference"
    WORK = "work"


@dataclass(frozen=True, slots=True)
class Context:
    """The caller's world. ``country`` is ISO 3166 alpha-2, ``currency`` ISO 4217, ``today`` the date in the caller's
    time zone; ``past`` says that dates without a year lie behind us (payments) and not ahead;
    ``by_customer`` that who signs a note is rather the customer than a colleague."""

    country: str
    currency: str
    today: date
    past: bool = False
    by_customer: bool = True
    #: The currency that the text tells of all its sums, in its own words; empty where it tells none.
    stated_currency: str = ""

    @property
    def month_first(self) -> bool:
        """Whether 3/11 is read as March the 11th."""
        return self.country == "US"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible value of one kind. ``value`` is the normal form, ``start`` and ``end`` code points of the input.

    ``question`` is set where a person must confirm; ``alternatives`` are other readings of the same words, in normal
    form. ``rule`` names what changed the words on the way to the value.
    """

    kind: Kind
    value: str
    start: int
    end: int
    confidence: float
    rule: str = ""
    question: str = ""
    alternatives: tuple[str, ...] = ()


#: Stands for a character that an earlier extractor has taken; no pattern matches it.
TAKEN = "\ue000"
#: How far back words are looked for.
_NEAR = 60
_WORD_OR_MARK = re.compile(r"[\w$£€'#-]+|[:,@]")


#: Letters that a pattern without regard to case takes for i, s and I, but that are not in the tables it was made of.
_STRANGE = str.maketrans({"ı": "i", "ſ": "s", "İ": "I"})
_HAS_STRANGE = re.compile(r"[^\W\d_]*[ıſİ][^\W\d_]*")


def plain(text: str) -> str:
    """The text with a Turkish ı and İ and a long ſ as i, I and s, each in its place: ``frıday`` → ``friday``."""
    return text.translate(_STRANGE)


def as_written(value: str, written: str) -> str:
    """A value that was cut from a plain text, with the letters that were written: ``Ali Yildiz`` → ``Ali Yıldız``.
    A letter whose case has changed stays plain: the small İ is an i."""
    for word in _HAS_STRANGE.findall(written):
        value = re.sub(
            rf"(?<![^\W\d_]){re.escape(plain(word))}(?![^\W\d_])",
            lambda found, word=word: "".join(  # type: ignore[misc]
                letter if plain(letter) == now else now for letter, now in zip(word, found[0], strict=True)
            ),
            value,
            flags=re.IGNORECASE,
        )
    return value


class Page:
    """The input, and what of it is still free, in `plain` letters. Positions are the same in both."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.free = plain(text)
        #: Nothing is told by capitals.
        self.caseless = not any(map(str.isupper, text))

    def take(self, start: int, end: int) -> None:
        """Hide a span from the extractors that follow."""
        self.free = self.free[:start] + TAKEN * (end - start) + self.free[end:]

    def words_before(self, position: int, most: int = 4) -> str:
        """The last few words before a position, lower case, back to the line's beginning or to what was taken."""
        near = self.free[max(0, position - _NEAR) : position]
        line = near[max(near.rfind("\n"), near.rfind(TAKEN)) + 1 :]
        return " ".join(_WORD_OR_MARK.findall(line)[-most:]).lower()
