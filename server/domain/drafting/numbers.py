"""Tokens and written numbers: the lowest layer of the quantity grammar.

Every pattern here is linear in the text: alternatives start with different characters and repeats are bounded or
cannot overlap. A number of more than `MAX_DIGITS` digits is an identifier, not a figure, and has no value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum

from server.domain.records import record

#: Nothing on a building site is counted in trillions; longer runs of digits are account and permit numbers.
MAX_DIGITS = 12
#: Words of one written number: "two thousand three hundred and forty five and a half".
MAX_NUMBER_WORDS = 12


class Kind(StrEnum):
    """What a token is made of."""

    NUMBER = "number"
    FRACTION = "fraction"
    WORD = "word"
    SYMBOL = "symbol"


@record(frozen=True, slots=True)
class Token:
    """``text`` is lower case, ``[start, end)`` are code points of the original."""

    kind: Kind
    text: str
    start: int
    end: int


@record(frozen=True, slots=True)
class Number:
    """A written number, or a range of two (``low`` < ``high``; ``value`` is then the higher end, so nothing is
    short)."""

    value: Decimal
    low: Decimal
    high: Decimal
    #: Index of the token after the number.
    end: int


#: "12,5 m2", "24,50 m²", "3,5 x 4,2 m": decimals behind a comma, as who measures in metres may write them.
_METRES = (
    r"(?:[mM](?:[²³23]|[eE][tT](?:[rR][eE]|[eE][rR])[sS]?)?|[cCmMkK][mM]|[sS][qQ]\.?\s?[mM]|[kK][gG])(?![0-9A-Za-z])"
)
_DECIMAL_COMMA = rf"(?<![0-9.,])[0-9]+,[0-9]{{1,2}}(?=\s?{_METRES}|\s?[xX×]\s?[0-9]+,[0-9]{{1,2}}\s?{_METRES})"
#: "1 200 m2": thousands that a space sets apart, a narrow one before any unit. "3 600 mm vanities" are three.
_SPACED = (
    r"(?<![0-9.,])[0-9]{1,3}(?:[\u00a0\u202f][0-9]{3})+(?![0-9])"
    r"|(?<![0-9.,])[1-9][0-9]{0,2}(?: [0-9]{3})+(?=\s?(?:[mM][²2]|[sS][qQ]\.?\s?[mM])(?![0-9A-Za-z]))"
)
DECIMAL_COMMA = re.compile(_DECIMAL_COMMA)
#: Cases are spelled out: a pattern that folds them itself takes half as long again. What stands most often comes first.
_TOKEN = re.compile(
    r"(?P<fraction>[½¼¾⅓⅔⅛⅜⅝⅞])"
    r"|(?P<word>(?:[fF][tT]|[cCmM]?[mM]|[iI][nN])(?=[xX][0-9])|(?:[mM]|[fF][tT]|[yY][dD])[23](?![0-9a-zA-Z])"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*)"
    rf"|(?P<comma>{_DECIMAL_COMMA})|(?P<spaced>{_SPACED})"
    r"|(?P<number>[0-9]{1,3}(?:,[0-9]{3}){1,3}(?![0-9,])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
    r"|(?<![a-zA-Z0-9])\.[0-9]+)"
    r"|(?P<symbol>''|’’|\S)"
)
_FRACTION_SIGNS = {
    "½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75"), "⅓": Decimal("0.333"), "⅔": Decimal("0.667"),
    "⅛": Decimal("0.125"), "⅜": Decimal("0.375"), "⅝": Decimal("0.625"), "⅞": Decimal("0.875"),
}  # fmt: skip
_SMALL_WORDS = {
    word: Decimal(value)
    for value, word in enumerate(
        [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
    )
}  # fmt: skip
_TENS_WORDS = {
    word: Decimal(10 * value)
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_SCALE_WORDS = {"hundred": Decimal(100), "thousand": Decimal(1000), "dozen": Decimal(12), "dozens": Decimal(12)}
_PART_WORDS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
#: How many half a dozen and a couple of dozen are, and how many of "-", "a" and "of" stand before "dozen".
_DOZENS = {"half": Decimal(6), "couple": Decimal(24)}
_JOINTS_OF_DOZEN = 3
#: Every word that a written number can begin with ("a dozen", "half an hour", "twenty").
NUMBER_WORDS = frozenset({"a", *_SMALL_WORDS, *_TENS_WORDS, *_PART_WORDS})
_BEGINS_NUMBER = NUMBER_WORDS | _DOZENS.keys() | {"dozen"}
#: Denominators that carpenters and cooks write; any other slash is a rating (12/2 cable) or a date.
_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 8, 16, 32, 64})
#: How rooms of a large house are numbered; no year.
ROOM_NUMBER = re.compile(r"(?!(?:19|20)\d\d)[1-9]\d{2,3}")
#: "Thirty some feet", "forty-odd metres".
_AND_SOME, _SOME_FROM = frozenset({"some", "odd"}), 20
#: What says behind a number that it is not exact: "4 or so doors", "600 +/- sf", "10 ish".
_OR_SO = (
    ("or", "so"),
    ("+", "/", "-"),
    ("±",),
    ("-", "ish"),
    ("ish",),
    ("plus", "or", "minus"),
    ("give", "or", "take"),
)
_OR_SO_BEGINS = frozenset(said[0] for said in _OR_SO)
_RANGE_SIGNS = frozenset({"-", "–", "—", "to", "or"})


_KINDS: dict[str | None, Kind] = {
    **{kind.value: kind for kind in Kind}, "comma": Kind.NUMBER, "spaced": Kind.NUMBER,
}  # fmt: skip
_APART = re.compile(r"\s")


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut a text into numbers, fractions, words and single symbols."""
    return tuple(
        [Token(_KINDS[match.lastgroup], _written(match), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    )


def _written(match: re.Match[str]) -> str:
    """The text of a token, a number as it is written in English."""
    if match.lastgroup == "comma":
        return match[0].replace(",", ".")
    return _APART.sub("", match[0]) if match.lastgroup == "spaced" else match[0].lower()


def decimal(token: Token) -> Decimal | None:
    """The value of a number token, None for an identifier's worth of digits."""
    if token.kind is not Kind.NUMBER or len(token.text) > MAX_DIGITS:
        return None
    return Decimal(token.text.replace(",", ""))


def touching(tokens: Sequence[Token], index: int) -> bool:
    """True where token ``index`` follows the one before it without a space."""
    return 0 < index < len(tokens) and tokens[index - 1].end == tokens[index].start


def text_at(tokens: Sequence[Token], index: int) -> str:
    """The token's text, empty beyond either end."""
    return tokens[index].text if 0 <= index < len(tokens) else ""


def number_at(tokens: Sequence[Token], index: int) -> Number | None:
    """The number or range that starts at ``index``: digits, fractions, words, ``10-12``, ``10 to 12``."""
    first = _single_at(tokens, index)
    if first is None:
        return None
    value, end = first
    some = end + (text_at(tokens, end) == "-")
    if text_at(tokens, some) in _AND_SOME and value >= _SOME_FROM and value % 10 == 0:
        return Number(value, value, value, some + 1)
    if text_at(tokens, end) in _RANGE_SIGNS:
        second = _single_at(tokens, end + 1)
        if second is not None and value < second[0] <= 20 * value and text_at(tokens, second[1]) not in {"-", "way"}:
            return Number(second[0], value, second[0], _past_or_so(tokens, second[1]))
    return Number(value, value, value, _past_or_so(tokens, end))


def _past_or_so(tokens: Sequence[Token], end: int) -> int:
    """The index behind what says that a number is not exact, and no tolerance: "120 +/- 3 ft"."""
    if text_at(tokens, end) not in _OR_SO_BEGINS:
        return end
    for said in _OR_SO:
        behind = end + len(said)
        if tuple(text_at(tokens, at) for at in range(end, behind)) == said and _single_at(tokens, behind) is None:
            return behind
    return end


def _single_at(tokens: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.kind is Kind.FRACTION:
        return _FRACTION_SIGNS[token.text], index + 1
    if token.kind is Kind.NUMBER:
        value = decimal(token)
        return None if value is None else _with_fraction(tokens, index, value)
    return _words_at(tokens, index) if token.kind is Kind.WORD else None


def _with_fraction(tokens: Sequence[Token], index: int, whole: Decimal) -> tuple[Decimal, int]:
    """``1/2``, ``1 1/2``, ``1-1/2``, ``1½``, ``2 and a half``, ``5 thousand``, ``2 dozen`` from a whole number on."""
    alone = _slash_fraction(tokens, index)
    if alone is not None:
        return alone
    end = index + 1
    if end < len(tokens) and tokens[end].kind is Kind.FRACTION:
        return whole + _FRACTION_SIGNS[tokens[end].text], end + 1
    after_hyphen = end + 1 if text_at(tokens, end) == "-" else end
    tail = _slash_fraction(tokens, after_hyphen)
    if tail is not None and whole == whole.to_integral_value():
        return whole + tail[0], tail[1]
    value, end = _with_half(tokens, end, whole)
    while text_at(tokens, end) in _SCALE_WORDS and end <= index + 4:
        value, end = value * _SCALE_WORDS[tokens[end].text], end + 1
    return value, end


def _slash_fraction(tokens: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    """``1/2`` written with digits: numerator below a carpenter's denominator, no further slash (a date)."""
    if text_at(tokens, index + 1) != "/" or index + 2 >= len(tokens) or text_at(tokens, index + 3) == "/":
        return None
    top, bottom = decimal(tokens[index]), decimal(tokens[index + 2])
    if top is None or bottom is None or int(bottom) not in _DENOMINATORS or bottom % 1 or not 0 < top < bottom:
        return None
    return (top / bottom).quantize(Decimal("0.00001")).normalize(), index + 3


def _with_half(tokens: Sequence[Token], end: int, value: Decimal) -> tuple[Decimal, int]:
    if text_at(tokens, end) == "and" and text_at(tokens, end + 1) == "a" and text_at(tokens, end + 2) in _PART_WORDS:
        return value + _PART_WORDS[tokens[end + 2].text], end + 3
    return value, end


def _words_at(tokens: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    """A number in words: "twenty-five", "two and a half dozen", "half a dozen", "a dozen", "three hundred and ten"."""
    word = tokens[index].text
    if word not in _BEGINS_NUMBER:
        return None
    if word in _PART_WORDS and text_at(tokens, index + 1) in {"a", "an"}:
        scale = _SCALE_WORDS.get(text_at(tokens, index + 2))
        return (_PART_WORDS[word] * scale, index + 3) if scale else (_PART_WORDS[word], index + 2)
    if word in _PART_WORDS and text_at(tokens, index + 1) in {"acre", "ton", "tonne", "mile"}:
        return _PART_WORDS[word], index + 1  # "half acre lot"
    dozen = _dozen_at(tokens, index)
    if dozen is not None:
        return dozen
    total, current, end, used = Decimal(0), Decimal(0), index, 0
    if word == "a" and text_at(tokens, index + 1) in _SCALE_WORDS:
        current, end, used = Decimal(1), index + 1, 1  # "a hundred and twenty"
    while end < len(tokens) and end - index < MAX_NUMBER_WORDS:
        word = tokens[end].text
        previous = text_at(tokens, end - 1) if used else ""
        if word in _SMALL_WORDS and previous not in _SMALL_WORDS:
            current += _SMALL_WORDS[word]
        elif word in _TENS_WORDS and previous not in _SMALL_WORDS and previous not in _TENS_WORDS:
            current += _TENS_WORDS[word]
        elif word in _SCALE_WORDS and used:
            current *= _SCALE_WORDS[word]
            if word == "thousand":
                total, current = total + current, Decimal(0)
        elif (used and word == "-" and previous in _TENS_WORDS and text_at(tokens, end + 1) in _SMALL_WORDS) or (
            used and word == "and" and previous in _SCALE_WORDS and _is_number_word(text_at(tokens, end + 1))
        ):
            pass
        else:
            break
        used += 1
        end += 1
    if not used:
        return None
    half = _with_half(tokens, end, Decimal(0))
    if half[0] and text_at(tokens, end - 1) == "dozen":
        return total + current + half[0] * _SCALE_WORDS["dozen"], half[1]  # "a dozen and a half"
    value, after = total + current + half[0], half[1]
    if after > end and text_at(tokens, after) in _SCALE_WORDS:
        return value * _SCALE_WORDS[tokens[after].text], after + 1
    return value, after


def _dozen_at(tokens: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    """ "Half dozen", "a half-dozen", "half-a-dozen", "a couple dozen", "a couple of dozen", "the dozen"."""
    end = index + (tokens[index].text == "a")
    part = _DOZENS.get(text_at(tokens, end))
    end += part is not None
    for _ in range(_JOINTS_OF_DOZEN):
        end += part is not None and text_at(tokens, end) in {"-", "a", "of"}
    if text_at(tokens, end) != "dozen" or (part is None and (end > index or text_at(tokens, index - 1) == "per")):
        return None
    return part or _SCALE_WORDS["dozen"], end + 1


def _is_number_word(word: str) -> bool:
    return word in _SMALL_WORDS or word in _TENS_WORDS
