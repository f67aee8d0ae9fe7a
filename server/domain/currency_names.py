"""What currencies are called: by sign, code and word, in headings of price lists, lines above them and notes."""

from __future__ import annotations

import re

#: Signs and codes → the currency. A bare $ is whoever's dollar the text is from.
SIGNS = {
    "€": "EUR", "EUR": "EUR", "£": "GBP", "GBP": "GBP", "US$": "USD", "USD": "USD", "C$": "CAD", "CA$": "CAD",
    "CAD": "CAD", "A$": "AUD", "AU$": "AUD", "AUD": "AUD", "$": "$",
}  # fmt: skip
_CODES = "|".join(code for code in SIGNS if code.isalpha())
#: Currencies that the service does not have: what is in one is refused, and not taken for the organization's.
_OTHER_CODES = "AED|ARS|BRL|CHF|CLP|CNY|COP|CZK|DKK|HKD|HUF|ILS|INR|JPY|KRW|MXN|NOK|NZD|PLN|RON|SAR|SEK|SGD|THB|ZAR"
#: Whose dollars and pounds.
_DOLLARS = dict.fromkeys(("us", "u.s.", "american"), "USD") | dict.fromkeys(
    ("ca", "can", "cdn", "canadian"), "CAD"
) | dict.fromkeys(("au", "aus", "australian", "aussie"), "AUD")  # fmt: skip
_POUNDS = dict.fromkeys(("british", "english", "uk", "u.k.", "gb"), "GBP")
#: Before "dollars" and "pounds" these do not say whose they are; any other word does.
_NOT_WHOSE = frozenset({"in", "the", "all", "is", "are", "of", "and", "or", "as"})
_NAME = re.compile(
    rf"""(?P<code>\b(?:{_CODES}|(?-i:{_OTHER_CODES}))\b)
    |\b(?P<whose_sign>{"|".join(re.escape(one) for one in _DOLLARS)})\s?\$
    |(?P<sign>[^\W\d_]{{0,3}}\$|[€£¥₹₩₪₺])
    |(?<!per\ )(?<!/)(?:\b(?P<whose>(?!per\b)[^\W\d_]+(?:\.[^\W\d_]\.)?)\ )?
        \b(?P<word>dollars?|pounds?)(?:\ sterling)?\b
    |\b(?P<plain>euros?|sterling)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def currencies_named(words: str) -> tuple[str, ...]:
    """Every currency that is named, once: its code, ``$`` where nothing tells whose dollars it are, and as it is
    written one that the service does not have. "US Dollars ($)" names one, "USD / EUR" two."""
    named = dict.fromkeys(_meant(one) for one in _NAME.finditer(" ".join(words.split())))
    if named.keys() - {"$", "EUR", "GBP"}:
        named.pop("$", None)
    return tuple(named)


def _meant(found: re.Match[str]) -> str:
    if sign := found["code"] or found["sign"]:
        return SIGNS.get(sign.upper(), sign.upper())
    if found["whose_sign"]:
        return _DOLLARS[found["whose_sign"].lower()]
    if found["plain"]:
        return "EUR" if found["plain"].lower().startswith("euro") else "GBP"
    dollars = found["word"].lower().startswith("dollar")
    whose = (found["whose"] or "").lower()
    if not whose or whose in _NOT_WHOSE:
        return "$" if dollars else "GBP"
    return (_DOLLARS if dollars else _POUNDS).get(whose, f"{whose} {found['word']}".upper())
