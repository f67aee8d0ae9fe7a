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
#: A sign behind a number is of that number, unless it touches the next: in ``unit 4 $500`` it is of the 500.
_SIGN_BEHIND = r"(?:US\$|CA?\$|AU?\$|[$£€])(?!\d)|\b(?:USD|GBP|EUR|CAD|AUD)\b"
_NUMBER = r"\d[\dOolI]{0,11}(?:[.,'\u00a0 ][\dOolI]{3}(?![\dOolI])){0,3}(?:[.,][\dOolI]{1,2}(?![\dOolI]))?"
_AMOUNT = re.compile(
    rf"""(?<![\w.,/-])(?P<minus>(?<![\w)][ ])[-−–]|\()?(?P<sign>{_SIGN})?\s?(?P<minus2>[-−])?(?P<number>{_NUMBER})
    (?P<unclear>[?*_]+[\d?]*)?\s?(?P<scale>k\b|grand\b)?(?:\s?ish\b)?
    (?:\s?(?P<word>{_SIGN_BEHIND}|(?:dollars?|bucks|pounds?|quid|euros?|usd|gbp|eur|cad|aud)\b))?(?P<close>\))?""",
    re.IGNORECASE | re.VERBOSE,
)
#: ``unit 4 USD 500`` and ``4 $ 500``: the currency may be of either number.
_BETWEEN = re.compile(r"\d\s+(?:US\$|CA?\$|AU?\$|[$£€]|USD|GBP|EUR|CAD|AUD)\s*$", re.IGNORECASE)
_NEXT_NUMBER = re.compile(rf"\s?(?:[$£€]\s?)?(?P<number>{_NUMBER})(?![:\d])")
_RATE = re.compile(
    r"\s?(?:/|per\b|an?\b|p/)\s?(?:h|hr|hour|day|week|month|year|visit|sq|m2|m²|ft|foot|m|metre|meter|yard|each|unit)\b",
    re.IGNORECASE,
)
#: Words right before a number that make it an amount even without a currency, and how sure they make the reader.
_CUES = (
    (
        re.compile(
            r"\b(?:discount|fee|fees|minus|less|still|towards?|held|retainage|invoice total|invoiced|quoted|commission|retention|tip) ?(?:of|is|was|:|owe[sd]?)? ?$"
        ),
        0.5,
    ),
    (re.compile(r"\b(?:vat|tax|net(?: of \w+)?|subtotal|sub-total)(?: of| is| was|:)? ?:?$"), 0.5),
    (re.compile(r"\b(?:gross|total paid|grand total)(?: of| is| was|:)? ?:?$"), 0.97),
    (
        re.compile(
            r"\b(?:paid in full|part[- ]payment|part[- ]paid|cash|amt|sum of|gave me|brought in|dropped off|pd|paid|payout|payment amount|amount paid|so)[ :]*$"
        ),
        0.95,
    ),
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
    (re.compile(r"\bgot[ :]*$"), 0.84),  # what has a thousand behind it is money, "got 2 bathrooms" is not
    (re.compile(r"\b(?:total|sum)(?: of| is| was| paid)? ?:? ?$"), 0.94),
    (re.compile(r"\b(?:spend|afford|up to|no more than|max|under)(?: about| around)? ?$"), 0.85),
    (re.compile(r"\b(?:price|cost|fee|quoted|quote|charge|charged|for)(?: of| at| is| was|:)? ?$"), 0.8),
    (re.compile(r"\b(?:balance|remaining|outstanding|owed|owes|due|out of|of|left)(?: of| is| was|:)? ?$"), 0.6),
)
_NOT_THE_SUM = re.compile(
    r"\s?(?:discount|off(?=[ .,;]*(?:$|the\b|for\b|total\b))|fee\b|(?:is |are )?(?:still )?(?:owing|owed|outstanding|due|to pay|remaining|left|balance|short)|to go|vat\b|tax\b|tip\b|"
    r"retention|credit|quoted|invoice total|callout)",
    re.IGNORECASE,
)
_TOTAL = 0.94
_PART_PAID = re.compile(r"\b(?:part|partial(?:ly)?|deposit|instal\w+|towards?|on account|half)\b|\d ?%", re.IGNORECASE)
_TAX_APART = re.compile(
    r"\s?(?:\+|plus|and|excl?(?:uding|\.)?|ex|before|net of|w/o|without)\s?(?:the\s)?(?:vat|tax|gst|hst|sales tax)\b",
    re.IGNORECASE,
)
_GOES_BACK = re.compile(
    r"\b(?:refund(?:ed|ing)?|charge ?back|bounced|returned|reversed|credit(?:ed)? back|credit note|overpaid)\b",
    re.IGNORECASE,
)
_SUMMED = re.compile(r"[^.\n$£€]{0,25}(?:\+|\band\b|&|plus)\s?[$£€]\s?\d")
#: In a payment nothing else is written like this.
_TO_THE_CENT = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)\.\d\d")
_DAY = re.compile(
    r"[/.-]\d|\s?(?:st|nd|rd|th)\b|\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE
)
_TO = re.compile(
    rf"\s?(?:-|–|to|and|or)\s?(?:{_SIGN})?\s?(?P<number>{_NUMBER})(?P<scale>k\b)?(?![\w/])(?![ \t]+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
    re.IGNORECASE,
)
_PAID_SO = re.compile(r"\s?(?:in )?(?:cash|by check|by cheque|check|cheque)\b", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:about|around|approx|approximately|roughly|circa|some|nearly|almost|~) ?$")
#: Without a currency, less than this may count something else; so may a number before a noun.
_SMALL_CHANGE = 10
_COUNTED = re.compile(
    r"\s?(?:hundreds?|fift(?:y|ies)|twent(?:y|ies)|tens|fivers?|tenners?|notes?|bills?|cheques|checks|payments?|instal\w+|times|of them)\b",
    re.IGNORECASE,
)
#: In both cases, as the patterns are asked for without regard to it.
_LOOKALIKES = str.maketrans("OoIiLlıİ", "00111111")
_NEEDS_CURRENCY = 0.85


def amounts(page: Page, context: Context) -> Iterator[Candidate]:
    """Amounts with two decimals, without their currency; `currency_of` reads that from the same words."""
    read_to = 0
    for found in _AMOUNT.finditer(page.free):
        if found.start() < read_to:
            continue
        sign, word = found["sign"] or "", found["word"] or ""
        before = page.words_before(found.start())
        about = _ABOUT.search(before) or re.search(r"ish$", found[0].rstrip())
        cue = _cue(re.sub(_ABOUT, "", before).rstrip() if about else before)
        if not cue and _PAID_SO.match(page.free, found.end()):
            cue = 0.9
        has_currency = bool(sign or word)
        if not has_currency and re.match(r":\d", page.free[found.end() :]):
            continue
        if not cue and context.past and _TO_THE_CENT.fullmatch(found["number"]):
            cue = 0.9
        if cue == _TOTAL and _PART_PAID.search(page.text):
            cue = 0.6
        ranged = _TO.match(page.free, found.end())
        if (
            not has_currency
            and cue < _NEEDS_CURRENCY
            and not (cue and (found["scale"] or (ranged and ranged["scale"])))
        ):
            continue
        scaled = ranged and ranged["scale"]
        if not has_currency and not scaled and _DAY.match(page.free, found.start() + len(found[0].rstrip())):
            continue
        if _RATE.match(page.free, found.end()) or page.free[found.end() : found.end() + 1] == "%":
            page.take(*found.span())
            continue
        if (
            not has_currency
            and cue < 0.9
            and not found["scale"]
            and re.match(r"\s?[A-Za-z]{2,}", page.free[found.end() :])
        ):
            continue
        page.take(*found.span())
        candidate = _candidate(found, page, context, cue, about is not None)
        if ranged and len(candidate.alternatives) and f"or {candidate.alternatives[-1]}" in candidate.question:
            page.take(*ranged.span())
            read_to = ranged.end()
        yield candidate


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
    if found["scale"] is None and not found["word"] and (top := _TO.match(page.free, found.end())) and top["scale"]:
        values = tuple(f"{value * 1000:.2f}" for value in readings)
    if clear != found["number"] or found["unclear"]:
        question = f"How much is {words!r}? It cannot be read for certain."
    elif (found["minus"] and (found["minus"] != "(" or found["close"])) or found["minus2"]:
        question = f"Is {words!r} money that goes back?"
        values = (*values, *(f"-{value}" for value in values))
    elif len(values) > 1:
        question = f"Is {words!r} {values[0]} or {values[1]}?"
    elif _BETWEEN.search(words) and (other := _next_number(page, found.end())):
        values = (*values, other)
        question = f"Is it {values[0]} or {values[1]}?"
    elif (
        (top := _TO.match(page.free, found.end()))
        and (found["sign"] or "$" in top[0] or found["scale"] or top["scale"])
        and not _dashed(top)
    ):
        most = _readings(top["number"].translate(_LOOKALIKES), currency)[0] * (1000 if top["scale"] else 1)
        values = (*values, f"{most:.2f}")
        question = f"Is it {values[0]} or {values[-1]}?"
    elif found["scale"] and (context.past or "." in clear or "," in clear):
        question = f"Is {words!r} exactly {values[0]}?"
    elif (
        context.past
        and not (found["sign"] or found["word"])
        and (Decimal(values[0]) < _SMALL_CHANGE or _COUNTED.match(page.free, found.end()))
    ):
        question = f"Is {words!r} the amount?"
    elif about and context.past:
        question = f"Is the amount exactly {values[0]}?"
    elif context.past and _TAX_APART.match(page.free, found.end()):
        question = f"Is {words!r} what was paid, or does tax come on top?"
    elif context.past and _GOES_BACK.search(page.text[max(0, start - 40) : end + 50]):
        question = f"Is {words!r} money that was paid, or that goes back?"
    elif context.past and _SUMMED.match(page.free, found.end()) and not _NOT_THE_SUM.match(page.free, found.end()):
        question = f"Is it {values[0]} alone, or with what is added?"
    if _NOT_THE_SUM.match(page.free, found.end()) or cue == 0.5:
        cue, question = 0.5, ""
        return Candidate(Kind.MONEY, values[0], start, end, cue, "money.normal_form", question, values[1:])
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


def _next_number(page: Page, position: int) -> str:
    """The amount of a number right behind a currency that could be its own, "" where it is a day's."""
    found = _NEXT_NUMBER.match(page.free, position)
    if found is None or _DAY.match(page.free, found.end()):
        return ""
    return f"{_readings(found['number'].translate(_LOOKALIKES), '')[0]:.2f}"


def _dashed(top: re.Match[str]) -> bool:
    """A dash with a blank before it parts two statements, unless money follows on both sides."""
    return top[0].startswith((" -", " –")) and not re.search(rf"{_SIGN}", top[0])


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


_UNITS = {word: number for number, word in enumerate(
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
)} | {word: 10 * number for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)}  # fmt: skip
_CURRENCY_WORD = re.compile(r"dollars|pounds|quid|bucks|euros", re.IGNORECASE)
_IN_WORDS = re.compile(
    rf"\b(?P<number>(?:(?:{'|'.join(_UNITS)}|hundred|thousand|a)\b(?:[ -]|[ ]and[ ])?){{1,10}}?)\s?(?P<word>dollars|pounds|quid|bucks|euros)\b",
    re.IGNORECASE,
)


#: In a payment hundreds in words are the sum, though nobody said of what.
_BARE_WORDS = re.compile(
    rf"\b(?:for|of|paid|me|us)[ ]+(?:the[ ]+)?(?P<number>(?:(?:{'|'.join(_UNITS)}|a)[ -])?(?:hundred|thousand)(?:[ -](?:and[ ])?(?:{'|'.join(_UNITS)}))*)\b(?! dollar)",
    re.IGNORECASE,
)


def amounts_in_words(page: Page, context: Context) -> Iterator[Candidate]:
    """``three hundred and twenty pounds``; in a payment ``eighteen hundred``, with a question."""
    bare = [*_BARE_WORDS.finditer(page.free)] if context.past else []
    named = [*_IN_WORDS.finditer(page.free)] if _CURRENCY_WORD.search(page.free) else []
    for found in named or bare:
        total = part = 0
        for word in re.findall(r"[a-z]+", found["number"].lower()):
            if word == "hundred":
                part = (part or 1) * 100
            elif word == "thousand":
                total, part = total + (part or 1) * 1000, 0
            elif word not in {"and", "a"}:
                part += _UNITS[word]
        if total + part:
            page.take(*found.span())
            yield Candidate(
                Kind.MONEY,
                f"{Decimal(total + part):.2f}",
                *found.span("number"),
                0.9 if context.past else 0.85,
                "money.in_words",
                "" if named else f"Is {found['number']} the amount?",
            )


_ALONE = re.compile(r"(?<![\w.,/#:-])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d\d)?|\d{2,5}(?:\.\d\d)?)(?![\w%:/-]|[.,]\d)")


def amount_alone(page: Page, context: Context) -> Iterator[Candidate]:
    """In a payment the only number that nothing else explains; a person confirms it."""
    left = list(_ALONE.finditer(page.free)) if context.past else []
    if len(left) == 1:
        value = f"{Decimal(left[0]['number'].replace(',', '')):.2f}"
        yield Candidate(Kind.MONEY, value, *left[0].span(), 0.7, "money.normal_form", f"Is {left[0][0]} the amount?")
