"""Money. An amount is never guessed: one unclear character, and a person is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from server.domain.currency_names import SIGNS, currencies_named
from server.domain.intake.candidate import Candidate, Context, Kind, Page, plain
from server.domain.money import CURRENCIES

_SIGNS = {sign.lower(): code for sign, code in SIGNS.items() if not sign.isalpha() and sign != "$"}
_WORDS = {
    "dollars": "$", "dollar": "$", "bucks": "$", "usd": "USD", "pounds": "GBP", "pound": "GBP", "quid": "GBP",
    "gbp": "GBP", "euros": "EUR", "euro": "EUR", "eur": "EUR", "cad": "CAD", "aud": "AUD",
}  # fmt: skip
_SIGN = r"US\$|CA?\$|AU?\$|[$£€]|\b(?:USD|GBP|EUR|CAD|AUD)\b"
#: A sign behind a number is of that number, unless it touches the next: in ``unit 4 $500`` it is of the 500.
_SIGN_BEHIND = r"(?:US\$|CA?\$|AU?\$|[$£€])(?!\d)|\b(?:USD|GBP|EUR|CAD|AUD)\b"
#: ``m`` and ``bn`` scale what has a sign before it; elsewhere they are metres.
_SCALE = r"k\b|grand\b|hundred\b|thousand\b|million\b|billion\b|(?(sign)(?:mn?|mil|bn)\b|(?!))"
_SCALES = {"hundred": 100, "k": 1000, "grand": 1000, "thousand": 1000, "billion": 10**9, "bn": 10**9} | dict.fromkeys(
    ("m", "mn", "mil", "million"), 10**6
)
_NUMBER = r"\d[\dOolI]{0,11}(?:[.,'\u00a0 ][\dOolI]{3}(?![\dOolI])){0,3}(?:[.,][\dOolI]{1,2}(?![\dOolI]))?"
_AMOUNT = re.compile(
    rf"""(?<![\w.,/-])(?P<minus>(?<![\w)][ ])[-−–]|\()?(?P<sign>{_SIGN})?\s?(?P<minus2>[-−])?(?P<number>{_NUMBER})
    (?P<unclear>[?*_]+[\d?]*)?\s?(?P<scale>{_SCALE})?(?:\s?ish\b)?
    (?:\s?(?P<word>{_SIGN_BEHIND}|(?:dollars?|bucks|pounds?|quid|euros?|usd|gbp|eur|cad|aud)\b))?(?P<close>\))?""",
    re.IGNORECASE | re.VERBOSE,
)
#: ``unit 4 USD 500`` and ``4 $ 500``: the currency may be of either number.
_BETWEEN = re.compile(r"\d\s+(?:US\$|CA?\$|AU?\$|[$£€]|USD|GBP|EUR|CAD|AUD)\s*$", re.IGNORECASE)
_NEXT_NUMBER = re.compile(rf"\s?(?:[$£€]\s?)?(?P<number>{_NUMBER})(?![:\d])")
#: Signs of currencies (Unicode category Sc) but for those of the service's own.
_OTHER_SIGN = "[¢¤¥֏؋৲৳৻૱௹฿៛₠-₫₭-⃀﷼﹩＄￠￡￥￦]"
#: ISO 4217 but for the service's own; those that are words or names, too, count in capitals and without a sign alone.
_OTHER_CODE = (
    "AED|AFN|AOA|AWG|AZN|BBD|BDT|BGN|BHD|BIF|BMD|BND|BRL|BSD|BTN|BWP|BYN|BZD|CDF|CHF|CLP|CNY|CRC|CVE|CZK|DJF|"
    "DKK|DOP|DZD|EGP|ERN|ETB|FJD|FKP|GEL|GHS|GIP|GMD|GNF|GTQ|GYD|HKD|HNL|HTG|HUF|IDR|ILS|INR|IQD|IRR|ISK|JMD|"
    "JOD|JPY|KES|KGS|KHR|KMF|KPW|KRW|KWD|KYD|KZT|LBP|LKR|LRD|LSL|LYD|MDL|MGA|MKD|MMK|MNT|MRU|MUR|MVR|MWK|MXN|"
    "MYR|MZN|NGN|NIO|NOK|NPR|NZD|OMR|PAB|PGK|PHP|PKR|PLN|PYG|QAR|RMB|RSD|RWF|SAR|SBD|SCR|SDG|SEK|SGD|SHP|SLE|"
    "SRD|SSP|STN|SYP|SZL|THB|TJS|TMT|TND|TTD|TWD|TZS|UAH|UGX|UYU|UZS|VES|VND|VUV|WST|XAF|XCD|XOF|XPF|YER|ZAR|"
    "ZMW|ZWG"
)
_CODE_OR_WORD = "ALL|AMD|ANG|ARS|BAM|BOB|COP|CUP|LAK|MAD|MOP|NAD|PEN|RON|RUB|SOS|TOP|TRY"
_OTHER_WORD = (
    r"cdn|canadian|aussie|australian|american|kiwi|mexican|pesos?|rupees?|rs|kr|kroner?|kronor|zł|zl|złotych|francs?|yen|"
    r"yuan"
)
_OWN_CODE = "USD|GBP|EUR|CAD|AUD"
#: What tells the currency right before a sum: ``HK$``, ``AU $``, ``CHF``, ``₹``; and right behind it: ``$500 Cdn``.
_STATED_BEFORE = re.compile(
    rf"(?:(?<![^\W_])(?:[a-z]{{1,3}}\$|(?:{_OTHER_CODE}|{_OWN_CODE}|{_OTHER_WORD})\.?|"
    rf"(?-i:{_CODE_OR_WORD})(?=\s?$)|(?-i:US|AU|CA|NZ|HK|SG|MX)(?=\s$))|{_OTHER_SIGN})\s?$",
    re.IGNORECASE,
)
_STATED_BEHIND = re.compile(
    rf"\s?(?:{_OTHER_SIGN}|(?:(?:{_OTHER_CODE}|{_OWN_CODE}|{_OTHER_WORD})\b|(?-i:{_CODE_OR_WORD}|US|AU|NZ|HK)\b(?!\$))"
    r"(?:\s(?:dollars?|pounds?|pesos?|francs?)\b)?)",
    re.IGNORECASE,
)
_STATED = re.compile(
    rf"(?<![^\W_])(?P<letters>(?![km]\s?\$)[a-z]{{1,3}})\s?\$|{_OTHER_SIGN}|"
    rf"(?<![^\W\d_])(?:{_OTHER_CODE}|{_OTHER_WORD}|(?-i:{_CODE_OR_WORD}|US|AU|NZ|HK))(?![^\W_])",
    re.IGNORECASE,
)
#: A line or part of its own that tells the currency of the sums around it.
_CURRENCY_LABEL = re.compile(
    r"(?:^|[\n;|/]|[,.!)]\s)[ \t*•>-]{0,6}(?:currency|ccy)(?: code)?[ \t]*[:=][ \t]*(?P<words>[^\s;|,/].{0,39}?)[ \t]*"
    r"(?:$|[\n;|,]|/(?=[^\n/]*[:=])|(?<![ .]\w)\.\s|\s[-–—]\s)",
    re.IGNORECASE,
)
#: "Currency: not USD" tells none.
_DENIED = re.compile(r"\b(?:not|non|no)\b", re.IGNORECASE)
_AMOUNTS_IN = re.compile(
    r"\b(?:amounts|prices|sums|figures)(?: are)?(?: all)? in (?P<words>"
    rf"(?:{_OTHER_CODE}|{_OWN_CODE})\b|{_OTHER_SIGN}|[£€]|euros\b|pounds\b|[a-z]+ dollars\b)",
    re.IGNORECASE,
)
_DOLLARS = frozenset({"USD", "CAD", "AUD"})
#: What is meant by words and letters beside a sum; those of the second are asked about.
_SURELY = {"us": "USD", "american": "USD"} | {code.lower(): code for code in _OWN_CODE.split("|")}
_RATHER = dict.fromkeys(("c", "ca", "cdn", "canadian"), "CAD") | dict.fromkeys(
    ("a", "au", "aussie", "australian"), "AUD"
)
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
#: What goes on right behind the digits was cut off by the pattern: ``$12,5000``, a number too long for any sum.
_GOES_ON = re.compile(r"(?:[.,'\u00a0]?\d)+")
_MOST_DIGITS = 12
#: ``$500.00-`` and ``$500.00 CR``, as statements write what goes the other way.
_TURNED = re.compile(r"[-−–](?![\w$£€])|\s?(?-i:CR|cr)\b")
_TIMES_BEFORE = re.compile(r"\d\s?(?:[x×*@]|times)\s?$", re.IGNORECASE)
_TIMES_BEHIND = re.compile(r"\s?(?:[x×*]\s?[$£€]?\d|each\b|apiece\b)", re.IGNORECASE)
_HOUR = re.compile(r"\s?[ap]\.?m\b", re.IGNORECASE)
_CENTS = re.compile(r"\s?(?:cents?|pence)\b|p\b|\s?¢", re.IGNORECASE)
_AND_CENTS = re.compile(
    r"\s?(?:(?:and|&)\s)?(?P<cents>\d{1,2}|[a-z]+(?:[ -][a-z]+)?)(?:\s?(?:cents?|pence)\b|p\b|\s?¢)", re.IGNORECASE
)
#: A payment that was not made, or is still to be made; unless it went through in the end.
_NOT_MADE = re.compile(
    r"\b(?:failed|declined|void(?:ed)?|unpaid|nsf|cancell?ed|will be paid|to be paid)\b|"
    r"(?:\bnot|n['’]t|\b(?:has|have|is|was|did)nt)(?: yet)?(?: been)? (?:pay|paid|received|cleared|go(?:ne)? through)\b",
    re.IGNORECASE,
)
#: How far from a sum its currency is looked for.
_BESIDE = 12
_TO_BE_PAID = re.compile(r"(?:\b(?:will|shall|to)|['’]ll) (?:be paying|pay)[a-z ]{0,12}$", re.IGNORECASE)
_MADE_AFTER_ALL = re.compile(r"\b(?:went|gone) (?:thru|through)\b|\bcleared\b", re.IGNORECASE)
#: No sentence is looked at further than this to either side of its sum.
_SENTENCE = 200
_END_OF_SENTENCE = re.compile(r"[.!?](?=\s)|\n\s*\n")
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
        stated = _stated_at(page, *found.span(), sign)
        before = page.words_before(stated[0])
        about = _ABOUT.search(before) or re.search(r"ish$", found[0].rstrip())
        cue = _cue(re.sub(_ABOUT, "", before).rstrip() if about else before)
        if not cue and _PAID_SO.match(page.free, found.end()):
            cue = 0.9
        has_currency = bool(sign or word or re.search(rf"\$|{_OTHER_SIGN}", page.free[slice(*stated)]))
        thousands = _plain(found["scale"] or "") in {"k", "grand"}
        if not has_currency and re.match(r":\d|\s?[x×*]\s?[$£€]", page.free[found.end() :], re.IGNORECASE):
            continue  # an hour, or how often a sum is paid
        if not cue and context.past and _TO_THE_CENT.fullmatch(found["number"]):
            cue = 0.9
        if cue == _TOTAL and _PART_PAID.search(page.text):
            cue = 0.6
        ranged = _TO.match(page.free, found.end())
        if not has_currency and cue < _NEEDS_CURRENCY and not (cue and (thousands or (ranged and ranged["scale"]))):
            continue
        scaled = ranged and ranged["scale"]
        if not has_currency and not scaled and _DAY.match(page.free, found.start() + len(found[0].rstrip())):
            continue
        if _RATE.match(page.free, found.end()) or page.free[found.end() : found.end() + 1] == "%":
            page.take(*found.span())
            continue
        if not has_currency and cue < 0.9 and not thousands and re.match(r"\s?[A-Za-z]{2,}", page.free[found.end() :]):
            continue
        page.take(*stated)
        page.take(*found.span())
        read = _candidate(found, page, context, cue, has_currency, about is not None)
        candidate = _with_currency(read, stated, page, context)
        if ranged and len(candidate.alternatives) and f"or {candidate.alternatives[-1]}" in candidate.question:
            page.take(*ranged.span())
            read_to = ranged.end()
        yield candidate


def stated_currency(text: str) -> str:
    """What a text says of the currency of all its sums: of ``Currency: NZD`` and ``all amounts in NZD`` the ``NZD``."""
    found = _CURRENCY_LABEL.search(text) or _AMOUNTS_IN.search(text)
    return found["words"].strip() if found else ""


def currency_of(words: str, context: Context) -> tuple[str, bool, str]:
    """The currency in which the words state an amount, whether they or the text say so, and what to ask.

    It is none where they name one that the service does not know: ``500 NZD`` is no 500 of the workspace's.
    """
    currency, said, question = _named_currency(words, context)
    # Whose dollars "$500" are it does not say itself.
    whose = {*re.findall("[a-z]+", _plain(words))} & {*_SURELY, *_RATHER}
    if not context.stated_currency or (said and (currency not in _DOLLARS or whose)):
        return currency, said, question
    named = currencies_named(context.stated_currency)
    stated = _own_dollar(context) if named == ("$",) else named[0] if len(named) == 1 else ""
    if stated not in CURRENCIES or _DENIED.search(context.stated_currency):
        return "", True, f"Which currency is {words!r} in? The text says {context.stated_currency!r}."
    if said and stated not in _DOLLARS:
        return currency, True, f"Is {words!r} in {currency}? The text says {context.stated_currency!r}."
    return stated, True, ""


def _named_currency(words: str, context: Context) -> tuple[str, bool, str]:
    """The currency that the words themselves name, else the workspace's."""
    lowered = _plain(words)
    for sign, currency in _SIGNS.items():
        if re.search(rf"(?<![a-z]){re.escape(sign)}", lowered):
            return currency, True, ""
    if other := _STATED.search(words):
        said = _plain(other["letters"] or other[0]).strip()
        spaced = " " in other[0].strip() and said not in {"us", *_SURELY}
        if said in _SURELY and not spaced:
            return _SURELY[said], True, ""
        meant = _RATHER.get(said, "")
        return meant, True, f"Is {words!r} in {meant}?" if meant else f"Which currency is {words!r} in?"
    named = {_WORDS[word] for word in re.findall(r"[a-z]+", lowered) if word in _WORDS}
    if named - {"$"}:
        return min(named - {"$"}), True, ""
    if "$" in lowered or named:
        return _own_dollar(context), True, ""
    return context.currency, False, ""


def _own_dollar(context: Context) -> str:
    """Whose dollars are meant where nothing says it."""
    return context.currency if context.currency in _DOLLARS else "USD"


def _stated_at(page: Page, start: int, end: int, sign: str) -> tuple[int, int]:
    """Where a sum stands with what tells its currency: ``AU $500``, ``500 NZD``, ``$500 Canadian``."""
    start += len(page.text[start:end]) - len(page.text[start:end].lstrip())
    end -= len(page.text[start:end]) - len(page.text[start:end].rstrip())
    near = max(0, start - _BESIDE)
    before = _STATED_BEFORE.search(page.free[near:start])
    behind = _STATED_BEHIND.match(page.free, end)
    if before and sign and re.fullmatch(_CODE_OR_WORD, before[0].strip()):
        before = None
    if behind and sign and re.fullmatch(_CODE_OR_WORD, behind[0].strip()):
        behind = None
    if before and not sign and re.fullmatch("US|AU|CA|NZ|HK|SG|MX", before[0].strip()):
        before = None
    return near + before.start() if before else start, behind.end() if behind else end


def _with_currency(one: Candidate, stated: tuple[int, int], page: Page, context: Context) -> Candidate:
    """The sum with the words that tell its currency. A budget in another than the workspace's is asked about."""
    start, end = min(one.start, stated[0]), max(one.end, stated[1])
    words = page.text[start:end]
    currency, said, _ = currency_of(words, context)
    question, sure = one.question, one.confidence
    if not context.past and said and currency != context.currency:
        question, sure = question or f"How much is {words!r} in {context.currency}?", min(sure, 0.5)
    return replace(one, start=start, end=end, question=question, confidence=sure)


def _plain(words: str) -> str:
    """In small letters of ASCII what a pattern found without regard to case: it takes ``ſix`` for ``six``."""
    return plain(words).lower()


def _cue(before: str) -> float:
    return next((sure for pattern, sure in _CUES if pattern.search(before)), 0.0)


def _candidate(
    found: re.Match[str], page: Page, context: Context, cue: float, has_currency: bool, about: bool
) -> Candidate:
    start, end = found.span()
    start += len(found[0]) - len(found[0].lstrip())
    end -= len(found[0]) - len(found[0].rstrip())
    words = page.text[start:end]
    currency, *_ = currency_of(words, context)
    clear = found["number"].translate(_LOOKALIKES)
    readings = _readings(clear, currency)
    scale = Decimal(_SCALES[_plain(found["scale"])] if found["scale"] else 1)
    values = tuple(f"{value * scale:.2f}" for value in readings)
    rest = _GOES_ON.match(page.free, end) if end == found.end("number") else None
    question = ""
    if found["scale"] is None and not found["word"] and (top := _TO.match(page.free, found.end())) and top["scale"]:
        values = tuple(f"{value * 1000:.2f}" for value in readings)
    if clear != found["number"] or found["unclear"]:
        question = f"How much is {words!r}? It cannot be read for certain."
    elif rest:
        end = rest.end()
        page.take(start, end)
        digits = re.sub(r"\D", "", clear + rest[0])
        values = (f"{int(digits)}.00" if len(digits) <= _MOST_DIGITS else "",)
        question = f"How much is {page.text[start:end]!r}? It cannot be read for certain."
    elif (found["minus"] and (found["minus"] != "(" or found["close"])) or found["minus2"]:
        question = f"Is {words!r} money that goes back?"
        values = (*values, *(f"-{value}" for value in values))
    elif len(values) > 1:
        question = f"Is {words!r} {values[0]} or {values[1]}?"
    elif _BETWEEN.search(words) and (other := _next_number(page, found.end())):
        values = (*values, other)
        question = f"Is it {values[0]} or {values[1]}?"
    elif counted := _in_parts(page, start, end, values[0]):
        values, question = counted
    elif (
        (top := _TO.match(page.free, found.end()))
        and (found["sign"] or "$" in top[0] or found["scale"] or top["scale"])
        and not _dashed(top)
    ):
        most = _readings(top["number"].translate(_LOOKALIKES), currency)[0] * (1000 if top["scale"] else 1)
        values = (*values, f"{most:.2f}")
        question = f"Is it {values[0]} or {values[-1]}?"
    elif context.past and end == found.end("number") and (other := _next_number(page, found.end())):
        if "." not in clear and len(other) == len("50.00"):
            values = (*values, f"{values[0][:-2]}{other[:2]}")
        question = f"Is {words!r} the amount, or does what follows belong to it?"
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
    elif context.past and (back := _not_paid(page, start, end)):
        question = back
    elif context.past and _SUMMED.match(page.free, found.end()) and not _NOT_THE_SUM.match(page.free, found.end()):
        question = f"Is it {values[0]} alone, or with what is added?"
    if not rest and (_NOT_THE_SUM.match(page.free, found.end()) or cue == 0.5):
        cue, question = 0.5, ""
        return Candidate(Kind.MONEY, values[0], start, end, cue, "money.normal_form", question, values[1:])
    sure = (cue or 0.82) if has_currency else cue - 0.05
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


def _in_parts(page: Page, start: int, end: int, value: str) -> tuple[tuple[str, ...], str] | None:
    """Readings and question for a number that is a part of a sum: ``3 x $500``, ``500 dollars and 50 cents``."""
    words = page.text[start:end]
    if _TIMES_BEFORE.search(page.text, max(0, start - 12), start) or _TIMES_BEHIND.match(page.text, end):
        return (value,), f"Is {words!r} the whole amount, or is it paid several times?"
    if _CENTS.match(page.text, end):
        return (f"{Decimal(value) / 100:.2f}", value), f"Is it {Decimal(value) / 100:.2f} or {value}?"
    found = _AND_CENTS.match(page.text, end)
    cents = _cents(found["cents"]) if found else None
    if cents is None:
        return None
    both = f"{Decimal(value) + cents:.2f}"
    return (both, value), f"Is it {both} or {value}?"


def _cents(written: str) -> Decimal | None:
    """``50`` and ``twenty-five`` as parts of a whole, nothing where the words are no number below a hundred."""
    if written.isdecimal():
        return Decimal(written) / 100
    words = re.findall(r"[a-z]+", _plain(written))
    total, clear = _number_in_words(words) if all(word in _UNITS for word in words) else (0, False)
    return Decimal(total) / 100 if clear else None


def _not_paid(page: Page, start: int, end: int) -> str:
    """What to ask of a sum in a payment whose words say that it goes back, or was not paid."""
    words = page.text[start:end]
    if _GOES_BACK.search(page.text[max(0, start - 40) : end + 50]) or _TURNED.match(page.text, end):
        return f"Is {words!r} money that was paid, or that goes back?"
    ahead, behind = page.text[max(0, start - _SENTENCE) : start], page.text[start : end + _SENTENCE]
    sentence = _END_OF_SENTENCE.split(ahead)[-1] + _END_OF_SENTENCE.split(behind, maxsplit=1)[0]
    not_made = [found.end() for found in _NOT_MADE.finditer(sentence)]
    made = not not_made or _MADE_AFTER_ALL.search(sentence, not_made[-1])
    if not made or _TO_BE_PAID.search(page.text, max(0, start - 30), start):
        return f"Was {words!r} paid? The note says that it was not, or not yet."
    return ""


def _next_number(page: Page, position: int) -> str:
    """The amount of the number that follows, "" where it is a day's or an hour's."""
    found = _NEXT_NUMBER.match(page.free, position)
    if found is None or _DAY.match(page.free, found.end()) or _HOUR.match(page.free, found.end()):
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
    rf"\b(?P<number>(?:(?:{'|'.join(_UNITS)}|hundred|thousand|million|a)\b(?:[ -]|[ ]and[ ])?){{1,10}}?)\s?(?P<word>(?:(?:canadian|cdn|australian|aussie|american|us)\s)?(?:dollars|pounds|quid|bucks|euros))\b",
    re.IGNORECASE,
)


#: ``one and a half thousand``, ``a few hundred``: the words before a sum in words belong to it.
_MORE_BEFORE = re.compile(
    rf"(?:\d|\b(?:{'|'.join(_UNITS)}|hundred|thousand|million|billion|half|quarter|third|few|couple|couple of|several|dozen))"
    r"(?:[ -]| and | of )?$",
    re.IGNORECASE,
)
#: ``five hundred pounds fifty`` and ``… dollars and 50/100``.
_MORE_BEHIND = re.compile(rf"\s?(?:(?:and|&)\s)?(?:(?:{'|'.join(_UNITS)})\b|\d\d?/100|a half\b)", re.IGNORECASE)
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
        total, clear = _number_in_words(re.findall(r"[a-z]+", _plain(found["number"])))
        before, written = page.free[max(0, found.start() - 20) : found.start()], page.text[slice(*found.span())]
        if re.search(r"\d\s?$", before) and found["number"].strip().lower() in _SCALES:
            continue  # ``2 thousand dollars`` is read with its figure
        if not total:
            continue
        start, end = found.span() if named else found.span("number")
        value, question = f"{Decimal(total):.2f}", "" if named else f"Is {found['number']} the amount?"
        cents = _AND_CENTS.match(page.free, found.end()) if named else None
        more = _cents(cents["cents"]) if cents else None
        if not clear or _MORE_BEFORE.search(before):
            value, question = "", f"How much is {written!r}? It cannot be read for certain."
        elif cents and more is not None:
            value, end = f"{total + more:.2f}", cents.end()
        elif named and _MORE_BEHIND.match(page.free, found.end()):
            question = f"Is {written!r} the amount, or does what follows belong to it?"
        elif context.past and _ABOUT.search(before.lower()):
            question = f"Is the amount exactly {value}?"
        elif context.past and named:
            question = _not_paid(page, *found.span())
        page.take(found.start(), max(found.end(), end))
        sure = 0.9 if context.past else 0.85
        sure = min(sure, 0.5) if question and named else sure
        one = Candidate(Kind.MONEY, value, start, end, sure, "money.in_words", question)
        stated = _stated_at(page, start, end, "")
        page.take(*stated)
        yield _with_currency(one, stated, page, context)


def _number_in_words(words: list[str]) -> tuple[int, bool]:
    """The number, and whether the words can be nothing else: ``five fifty`` may be 550 or 5.50."""
    total = part = 0
    clear = True
    for word in words:
        if word == "hundred":
            clear = clear and part < 100
            part = (part or 1) * 100
        elif word == "thousand":
            total, part = total + (part or 1) * 1000, 0
        elif word == "million":
            total, part = (total + part or 1) * 1_000_000, 0
        elif word not in {"and", "a"}:
            room = 100 if part % 100 == 0 else 10 if part % 100 >= 20 and part % 10 == 0 else 0
            clear = clear and _UNITS[word] < room
            part += _UNITS[word]
    return total + part, clear


_ALONE = re.compile(r"(?<![\w.,/#:-])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d\d)?|\d{2,5}(?:\.\d\d)?)(?![\w%:/-]|[.,]\d)")


def amount_alone(page: Page, context: Context) -> Iterator[Candidate]:
    """In a payment the only number that nothing else explains; a person confirms it."""
    left = list(_ALONE.finditer(page.free)) if context.past else []
    if len(left) == 1:
        value = f"{Decimal(left[0]['number'].replace(',', '')):.2f}"
        stated = _stated_at(page, *left[0].span(), "")
        yield Candidate(Kind.MONEY, value, *stated, 0.7, "money.normal_form", f"Is {left[0][0]} the amount?")
