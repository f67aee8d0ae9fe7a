"""Money. An amount is never guessed: one unclear character, and a person is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_SIGNS = {"£": "GBP", "€": "EUR", "us$": "USD", "c$": "CAD", "ca$": "CAD", "a$": "AUD", "au$": "AUD"}
_WORDS = {
    "dollars": "$", "dollar": "$", "bucks": "$", "usd": "USD", "pounds": "GBP", "pound": "GBP", "quid": "GBP",
    "gbp": "GBP", "euros": "EUR", "euro": "EUR", "eur": "EUR", "cad": "CAD", "aud": "AUD",
}  # fmt: skip
_SIGN = r"US\$|CA?\$|AU?\$|[$£€]|\b(?:USD|GBP|EUR|CAD|AUD)\b"
_NUMBER = r"\d[\dOolI]{0,11}(?:[.,'\u00a0 ][\dOolI]{3}(?![\dOolI])){0,3}(?:[.,][\dOolI]{1,2}(?![\dOolI]))?"
_AMOUNT = re.compile(
    rf"""(?<![\w.,/-])(?P<minus>[-−–]\s?|\()?(?P<sign>{_SIGN})?\s?(?P<minus2>[-−])?(?P<number>{_NUMBER})
    (?P<unclear>[?*_]+[\d?]*)?\s?(?P<scale>k\b|grand\b)?
    (?:\s?(?P<word>{_SIGN}|(?:dollars?|bucks|pounds?|quid|euros?|usd|gbp|eur|cad|aud)\b))?(?P<close>\))?""",
    re.IGNORECASE | re.VERBOSE,
)
_RATE = re.compile(
    r"\s?(?:/|per\b|an?\b|p/)\s?(?:h|hr|hour|day|week|month|year|visit|sq|m2|m²|ft|foot|m|metre|meter|yard|each|unit)\b",
    re.IGNORECASE,
)
#: Words right before a number that make it an amount even without a currency, and how sure they make the reader.
_CUES = (
    (
        re.compile(
            r"\b(?:paid|(?:payment|transfer|check|cheque) of|received|receipt of|paying|transferred|deposited)"
            r"(?: me| us| you)?(?: of)? ?$"
        ),
        0.95,
    ),
    (
        re.compile(r"\b(?:amount|sum|deposit|installment|instalment|payment|budget)(?: of| is| was| paid| :|:)? ?$"),
        0.93,
    ),
    (re.compile(r"\btotal(?: of| is| was|:)? ?$"), 0.82),
    (re.compile(r"\b(?:spend|afford|up to|no more than|max|under)(?: about| around)? ?$"), 0.85),
    (re.compile(r"\b(?:price|cost|fee|quoted|quote|charge|charged|for)(?: of| at| is| was|:)? ?$"), 0.8),
    (re.compile(r"\b(?:balance|remaining|outstanding|owed|owes|due|out of|of|left)(?: of| is| was|:)? ?$"), 0.6),
)
_DAY = re.compile(
    r"[/.-]\d|\s?(?:st|nd|rd|th)\b|\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE
)
_TO = re.compile(rf"\s?(?:-|–|to|and|or)\s?(?:{_SIGN})?\s?(?P<number>{_NUMBER})(?P<scale>k\b)?(?![\w/])", re.IGNORECASE)
_PAID_SO = re.compile(r"\s?(?:in )?(?:cash|by check|by cheque|check|cheque)\b", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:about|around|approx|approximately|roughly|circa|some|nearly|almost|~) ?$")
_LOOKALIKES = str.maketrans("OoIl", "0011")
_NEEDS_CURRENCY = 0.85


def amounts(page: Page, context: Context) -> Iterator[Candidate]:
    """Amounts with two decimals, without their currency; `currency_of` reads that from the same words."""
    for found in _AMOUNT.finditer(page.free):
        sign, word = found["sign"] or "", found["word"] or ""
        before = page.words_before(found.start())
        about = _ABOUT.search(before)
        cue = _cue(before[: about.start()].rstrip() if about else before)
        if not cue and _PAID_SO.match(page.free, found.end()):
            cue = 0.9
        has_currency = bool(sign or word)
        if not has_currency and cue < _NEEDS_CURRENCY and not (cue and found["scale"]):
            continue
        if not has_currency and _DAY.match(page.free, found.start() + len(found[0].rstrip())):
            continue
        if _RATE.match(page.free, found.end()) or page.free[found.end() : found.end() + 1] == "%":
            page.take(*found.span())
            continue
        if not has_currency and cue < 0.9 and re.match(r"\s?[A-Za-z]{2,}", page.free[found.end() :]):
            continue
        page.take(*found.span())
        yield _candidate(found, page, context, cue, about is not None)


def currency_of(words: str, context: Context) -> tuple[str, bool]:
    """The currency in which the words state an amount, and whether they say so themselves."""
    lowered = words.lower()
    for sign, currency in _SIGNS.items():
        if sign in lowered:
            return currency, True
    named = {_WORDS[word] for word in re.findall(r"[a-z]+", lowered) if word in _WORDS}
    if named - {"$"}:
        return min(named - {"$"}), True
    if "$" in lowered or named:
        return (context.currency if context.currency in {"USD", "CAD", "AUD"} else "USD"), True
    return context.currency, False


def _cue(before: str) -> float:
    return next((sure for pattern, sure in _CUES if pattern.search(before)), 0.0)


def _candidate(found: re.Match[str], page: Page, context: Context, cue: float, about: bool) -> Candidate:
    start, end = found.span()
    start += len(found[0]) - len(found[0].lstrip())
    end -= len(found[0]) - len(found[0].rstrip())
    words = page.text[start:end]
    currency, _ = currency_of(words, context)
    clear = found["number"].translate(_LOOKALIKES)
    readings = _readings(clear, currency)
    scale = Decimal(1000) if found["scale"] else Decimal(1)
    values = tuple(f"{value * scale:.2f}" for value in readings)
    question = ""
    if clear != found["number"] or found["unclear"]:
        question = f"How much is {words!r}? It cannot be read for certain."
    elif found["minus"] or found["minus2"]:
        question = f"Is {words!r} money that goes back?"
        values = (*values, *(f"-{value}" for value in values))
    elif len(values) > 1:
        question = f"Is {words!r} {values[0]} or {values[1]}?"
    elif (top := _TO.match(page.free, found.end())) and (
        found["sign"] or "$" in top[0] or found["scale"] or top["scale"]
    ):
        most = _readings(top["number"].translate(_LOOKALIKES), currency)[0] * (1000 if top["scale"] else 1)
        values = (*values, f"{most:.2f}")
        question = f"Is it {values[0]} or {values[-1]}?"
    elif found["scale"] and (context.past or "." in clear or "," in clear):
        question = f"Is {words!r} exactly {values[0]}?"
    elif about and context.past:
        question = f"Is the amount exactly {values[0]}?"
    sure = (cue or 0.82) if (found["sign"] or found["word"]) else cue - 0.05
    return Candidate(
        Kind.MONEY,
        values[0],
        start,
        end,
        min(sure, 0.5) if question else sure,
        "money.normal_form",
        question,
        values[1:],
    )


def _readings(number: str, currency: str) -> list[Decimal]:
    """What the digits can mean, the likelier first."""
    plain = re.sub(r"['\u00a0 ]", "", number)
    last = max(plain.rfind("."), plain.rfind(","))
    if last < 0:
        return [Decimal(plain)]
    separator, other = plain[last], "," if plain[last] == "." else "."
    decimals = len(plain) - last - 1
    as_decimal = Decimal(plain.replace(other, "").replace(separator, ".", 1)) if plain.count(separator) == 1 else None
    as_thousands = Decimal(re.sub(r"[.,]", "", plain)) if decimals == 3 else None
    if as_thousands is None:
        return [as_decimal] if as_decimal is not None else [Decimal(re.sub(r"[.,]", "", plain))]
    if plain.count(separator) > 1 or (separator == "," and currency != "EUR"):
        return [as_thousands]
    if other in plain and as_decimal is not None:
        return [as_decimal]
    return [as_thousands] if as_decimal is None else [as_thousands, as_decimal]
