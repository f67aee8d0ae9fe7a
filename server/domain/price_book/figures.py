"""Prices as price lists write them: signs, thousands and decimal marks. The mark is decided for the column as a whole,
for "1.234" alone says nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from server.domain.currency_names import SIGNS

_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True)), re.IGNORECASE)
#: What groups thousands beside the two marks: spaces of all kinds and the apostrophes of Switzerland.
_NEUTRAL = "' \N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
_DIGITS = re.compile(rf"\d[\d.,{_NEUTRAL}]*|[.,]\d+")


class FigureError(ValueError):
    """A text that is no price. ``reason`` is for programs, the message for people."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class _Parts:
    digits: str
    negative: bool
    currency: str


@dataclass(slots=True)
class DecimalMark:
    """Which mark sets off decimals in a column, by what its cells show. Feed it every cell, then read `mark`."""

    points: int = 0
    commas: int = 0

    def see(self, text: str) -> None:
        """Take one cell into account."""
        try:
            mark = _shown_mark(_parts(text).digits)
        except FigureError:
            return
        self.points += mark == "."
        self.commas += mark == ","

    @property
    def mark(self) -> str:
        """ "." or ",", or an empty string where no cell shows it or cells contradict each other."""
        if bool(self.points) == bool(self.commas):
            return ""
        return "." if self.points else ","


def read_price(text: str, mark: str = "") -> tuple[Decimal, str]:
    """The price and its currency ("$" for a bare dollar sign, empty where none is written).

    ``mark`` is the column's decimal mark; empty: only what is unmistakable by itself is read. Raises `FigureError`.
    """
    parts = _parts(text)
    digits = parts.digits
    decimal = mark or _shown_mark(digits)
    if not decimal and re.search("[.,]", digits):
        raise FigureError(
            "price_ambiguous", f"“{text}” may be a thousand or a fraction: say which decimal mark the prices have."
        )
    decimal = decimal or "."
    whole, _, fraction = digits.partition(decimal)
    if not (fraction.isdigit() or not fraction) or (digits.endswith((".", ",")) and len(digits) > 1):
        raise FigureError("price_malformed", f"“{text}” is no price with “{decimal}” before its decimals.")
    if whole and not re.fullmatch(rf"\d+|\d{{1,3}}(?:([.,{_NEUTRAL}])\d{{3}})(?:\1\d{{3}})*", whole):
        raise FigureError("price_malformed", f"“{text}” is no price with “{decimal}” before its decimals.")
    number = re.sub(r"\D", "", whole) or "0"
    value = Decimal(f"{number}.{fraction}" if fraction else number)
    return (-value if parts.negative else value), parts.currency


def _parts(text: str) -> _Parts:
    rest = text.strip(f" \t{_NEUTRAL}")
    if not rest:
        raise FigureError("price_missing", "The price is missing.")
    if len(rest) > 60:
        raise FigureError("price_malformed", "The price is no number.")
    signs = _SIGN.findall(rest)
    if len(signs) > 1:
        raise FigureError("price_malformed", f"“{text}” names more than one currency.")
    rest = _SIGN.sub("", rest).strip(f" {_NEUTRAL}")
    negative = False
    if rest.startswith("(") and rest.endswith(")"):
        negative, rest = True, rest[1:-1].strip()
    for minus in ("-", "\N{MINUS SIGN}"):
        if rest.startswith(minus) or rest.endswith(minus):
            if negative:
                raise FigureError("price_malformed", f"“{text}” is no number.")
            negative, rest = True, rest.removeprefix(minus).removesuffix(minus).strip()
    if not rest.isascii() and any(letter.isdigit() and not letter.isascii() for letter in rest):
        raise FigureError("price_malformed", f"“{text}” is no number.")
    if not _DIGITS.fullmatch(rest):
        raise FigureError("price_malformed", f"“{text}” is no number.")
    return _Parts(rest, negative, SIGNS[signs[0].upper()] if signs else "")


def _shown_mark(digits: str) -> str:
    """The decimal mark that a figure shows by itself; empty where it shows none."""
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        last = max(digits.rfind("."), digits.rfind(","))
        return digits[last] if digits.count(digits[last]) == 1 else ""
    if not points and not commas:
        return ""
    mark, other = (".", ",") if points else (",", ".")
    if points + commas > 1:
        return other
    before, _, after = digits.partition(mark)
    if len(after) == 3 and before and len(re.sub(r"\D", "", before)) <= 3 and before.isdigit() and before[0] != "0":
        return ""
    return mark
