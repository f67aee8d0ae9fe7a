"""Numbers of documents with what they number: ``invoice 1042``, ``quote Q-2026-000042``, ``purchase order 7781``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_REFERENCE = re.compile(
    r"""\b(?P<what>invoices?|invs?|bills?|quotes?|quotation|estimates?|est|jobs?(?:\ sheet|\ ticket|\ card)?|works?\ orders?|wo|w/o|
    purchase\ orders?|pos?|p\.o\.|order|receipt|rcpt|sales\ order|
    contract|ref|reference|case|ticket)\b\.?[ \t]*(?P<mark>(?:nos?\b\.?|number|num\b\.?|nr\b\.?|ref\b|id\b|\#|:|-|=)*[ \t]*\#?[ \t]*)
    (?P<number>[A-Z]{0,6}[-/]?\d[A-Z0-9]*(?:[-/][A-Z0-9]+)*)(?![\w]|[.,]\d)""",
    re.IGNORECASE | re.VERBOSE,
)
#: A document number that carries its kind within: INV-0093, PO-7781, WO55120.
_BARE = re.compile(
    r"(?<![\w-])(?P<what>inv|po|wo|est|qu?|job)[-/]?(?P<number>\d{3,}(?:-\d+)*)(?![\w-]|[.,]\d)", re.IGNORECASE
)
_ANOTHER = re.compile(
    r"[ \t]*(?:,|and|&|\+)[ \t]*#?(?P<number>\d{3,10})(?![\w]|[.,]\d|[ \t]+(?-i:[A-Z]))", re.IGNORECASE
)
_OUR_QUOTE = re.compile(r"\bQ-\d{4}-\d{6}\b", re.IGNORECASE)
_NAMED = {
    "inv": "invoice", "invs": "invoice", "quotation": "quote", "est": "estimate", "wo": "work order", "works order": "work order", "works orders": "work order", "work orders": "work order", "w/o": "work order",
    "bill": "invoice", "bills": "invoice", "job sheet": "job", "job ticket": "job", "job card": "job",
    "po": "purchase order", "pos": "purchase order", "purchase orders": "purchase order", "p.o.": "purchase order", "reference": "ref", "rcpt": "receipt", "q": "quote", "qu": "quote",
}  # fmt: skip
#: A reference that names its own kind: ``ref INV-4471``.
_OWN_KIND = re.compile(r"(?P<what>INV|PO|WO|EST|JOB)[-/]?\d")
#: In a payment "RE 40117" is the invoice that it is about; letters alone are a reference only where they are announced.
_ABOUT = re.compile(r"\bRE\b[ \t]*[:#]?[ \t]*(?P<number>\d{3,8}(?:-[A-Z0-9]{1,4})?)(?![\w/:]|[.,]\d)")
_LETTERS = re.compile(
    r"\b(?:(?:ref|reference|memo ref)\b\.?(?:[ \t]+is\b)?|(?:enquiry|tender|file)\b)[ \t]*[:#]?[ \t]*(?P<number>[A-Z]{2,8}(?:[/-][A-Z0-9]{1,8}){1,4})(?![\w])",
    re.IGNORECASE,
)
#: ``611b``: the letter stays as it is.
_LETTERED = re.compile(r"\d+[a-z]")
_DAY = re.compile(r"\d{1,2}[/-]\d{1,2}[/-](?:\d{2}|\d{4})")
_COUNTS = re.compile(
    r"[ \t]*(?:%|(?:dollars|pounds|euros|hours?|hrs?|days?|weeks?|of|x|m2?|ft|feet|k)\b)|[$£€]", re.IGNORECASE
)
#: Numbers that are nobody's reference, amount or phone number; they only stand in the way.
_NOISE = re.compile(
    r"(?i:\b(?:(?:check|cheque|chq|ck)[ \t]*(?:no\.?|number|num|\#)[ \t]*:?[ \t]*\#?|(?:ck|chq)[ \t]+|(?:web form )?submission[ \t]*\#?[ \t]*|"
    r"acct\.?[ \t]*(?:no\.?|ending(?: in)?|\#)?[ \t]*|account[ \t]*(?:no\.?|number|ending(?: in)?|\#)[ \t]*|sort code[ \t]*|"
    r"gate code[ \t]*(?:is[ \t]*)?:?[ \t]*\#?|\(?gate[ \t]+\#?|pin[ \t]+|lead id[ \t]*:?[ \t]*|lockbox[ \t]*(?:code)?[ \t]*(?!\d{1,2}/)|code[ \t]*:?|ending(?: in)?[ \t]+|confirmation[ \t]*(?:no\.?|number|code|\#)?[ \t]*:?[ \t]*\#?|"
    r"trace[ \t]*(?:no\.?|\#)?[ \t]*|transaction[ \t]*(?:id|no\.?|\#)?[ \t]*:?[ \t]*)"
    r"(?P<number>[A-Z]{0,4}\d[\d-]{1,18})(?![\w]|[.,]\d))|(?P<zip>\blead[ \t]+\$\d+(?:\.\d\d)?|\bzip(?: code)?[ \t]*:?[ \t]*\d{5}\b)",
)


def noise(page: Page, _context: Context) -> Iterator[Candidate]:
    """Takes numbers of checks, accounts, gates and transactions, which fill no field."""
    for found in _NOISE.finditer(page.free):
        page.take(*found.span("number" if found["number"] else "zip"))
    yield from ()


def references(page: Page, context: Context) -> Iterator[Candidate]:
    """References in their normal form: what is numbered in full, the number in capitals."""
    for found in _OUR_QUOTE.finditer(page.free):
        before = re.search(
            r"\b(?:quote|quotation|estimate)\s*(?:no\.?|number|#|:)?\s*$",
            page.free[: found.start()][-40:],
            re.IGNORECASE,
        )
        start = found.start() - len(before[0]) if before else found.start()
        page.take(start, found.end())
        yield Candidate(Kind.REFERENCE, f"quote {found[0].upper()}", start, found.end(), 0.97, "reference.normal_form")
    for found in _REFERENCE.finditer(page.free):
        if _DAY.fullmatch(found["number"]):
            continue
        number = found["number"] if _LETTERED.fullmatch(found["number"]) else found["number"].upper()
        digits = sum(letter.isdigit() for letter in number)
        marked = bool(found["mark"].strip())
        if _COUNTS.match(page.free, found.end()) or (not marked and digits < 3) or (number[0] == "0" and digits > 8):
            continue
        what = _NAMED.get(found["what"].lower(), found["what"].lower().removesuffix("s"))
        if found["mark"] == "-" and re.match(r"20\d\d-\d", number):
            number = (
                f"{found['what'].upper()}-{number}"  # the year is part of the number, and so is what stands before it
            )
        if what == "job" and "ref" in found["mark"].lower():
            what = "ref"
        own = _OWN_KIND.match(number) if what in {"ref", "reference"} else None
        what = _NAMED.get(own["what"].lower(), own["what"].lower()) if own else what
        sure = 0.95 if marked or digits >= 3 else 0.7
        sure -= 0.14 * (what in {"ref", "order", "case", "ticket", "receipt"})
        if re.search(r"\d[A-Z]{2,}$", number):
            sure = min(sure, 0.6)
        spans = [(number, *found.span())]
        while (more := _ANOTHER.match(page.free, spans[-1][2])) is not None:
            spans.append((more["number"].upper(), *more.span()))
        for one, start, end in spans:
            page.take(start, end)
            yield Candidate(Kind.REFERENCE, f"{what} {one}", start, end, sure, "reference.normal_form")
    for pattern, what in ((_ABOUT, "invoice"), (_LETTERS, "ref")):
        for found in pattern.finditer(page.free):
            if (pattern is _ABOUT and not context.past) or (pattern is _LETTERS and found["number"].islower()):
                continue
            page.take(*found.span())
            sure = 0.7 if pattern is _ABOUT else 0.85
            yield Candidate(
                Kind.REFERENCE, f"{what} {found['number'].upper()}", *found.span(), sure, "reference.normal_form"
            )
    for found in _BARE.finditer(page.free):
        what = _NAMED.get(found["what"].lower(), found["what"].lower())
        page.take(*found.span())
        yield Candidate(Kind.REFERENCE, f"{what} {found['number']}", *found.span(), 0.93, "reference.normal_form")
