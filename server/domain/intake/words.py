"""What single words and phrases tell: references, payment methods, urgency, the trade."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from server.domain.catalogue import Catalogue
from server.domain.intake.candidate import Candidate, Context, Kind, Page

_REFERENCE = re.compile(
    r"""\b(?P<what>invoices?|inv|quote|quotation|estimate|est|job|work\ order|wo|
    purchase\ order|po|p\.o\.|order|receipt|
    contract|ref|reference|case|ticket)\b\.?\s*(?P<mark>(?:no\b\.?|number|num\b\.?|nr\b\.?|id|\#|:|-)*\s*\#?\s*)
    (?P<number>[A-Z]{0,4}[-/]?\d[A-Z0-9]*(?:[-/][A-Z0-9]+)*)(?![\w]|[.,]\d)""",
    re.IGNORECASE | re.VERBOSE,
)
_ANOTHER = re.compile(r"\s*(?:,|and|&|\+)\s*#?(?P<number>\d{3,10})(?![\w]|[.,]\d)", re.IGNORECASE)
_OUR_QUOTE = re.compile(r"\bQ-\d{4}-\d{6}\b", re.IGNORECASE)
_NAMED = {
    "inv": "invoice", "quotation": "quote", "est": "estimate", "wo": "work order", "po": "purchase order",
    "p.o.": "purchase order", "reference": "ref",
}  # fmt: skip
_COUNTS = re.compile(
    r"\s*(?:%|[$£€]|(?:dollars|pounds|euros|hours?|hrs?|days?|weeks?|of|x|m2?|ft|feet|k)\b)", re.IGNORECASE
)
_METHODS = (
    ("bank transfer", r"bank transfer|wire(?: transfer)?|ach|bacs|faster payment|direct deposit|e-?transfer|bank"),
    ("direct debit", r"direct debit|standing order"),
    ("check", r"check|cheque|chq"),
    ("cash", r"cash"),
    ("card", r"(?:credit |debit )?card|visa|mastercard|amex|american express|contactless"),
    ("paypal", r"paypal"), ("zelle", r"zelle"), ("venmo", r"venmo"), ("stripe", r"stripe"), ("apple pay", r"apple pay"),
)  # fmt: skip
_NOT_A_METHOD = re.compile(r"\b(?:to|please|can you|could you|and|will|then|i'll|double)? ?check\b", re.IGNORECASE)
_URGENCIES = (
    ("emergency", r"emergency|flooding|flooded|burst|gas leak|no heat|sparking|right away|immediately|straight away"),
    ("urgent", r"urgent(?:ly)?|asap|a\.s\.a\.p\.|as soon as (?:possible|you can)|quickly|rush|at the earliest|soonest"),
    ("flexible", r"no rush|not urgent|no hurry|whenever|flexible|any ?time|when you (?:can|get a chance)"),
)
_TRADES = {
    "plumber": "plumbing", "electrician": "electrical", "roofer": "roofing", "painter": "painting",
    "decorator": "painting", "carpenter": "carpentry", "joiner": "carpentry", "tiler": "tiling",
    "plasterer": "plastering", "landscaper": "landscaping", "gardener": "landscaping", "locksmith": "locksmith",
    "handyman": "handyman", "mason": "masonry", "bricklayer": "masonry", "mover": "moving", "cleaner": "cleaning",
    "hvac": "hvac", "plumbing": "plumbing", "electrical": "electrical", "roofing": "roofing",
    "landscaping": "landscaping", "flooring": "flooring", "drywall": "drywall", "masonry": "masonry",
    "window": "windows", "hot water": "plumbing", "consumer unit": "electrical", "ac": "hvac", "fuse box": "electrical",
    "tree": "tree work", "arborist": "tree work", "tree surgeon": "tree work", "exterminator": "pest control",
    "fencing": "fencing",
}  # fmt: skip


def references(page: Page, _context: Context) -> Iterator[Candidate]:
    """Numbers of documents with what they number: ``invoice 1042``, ``quote Q-2026-000042``."""
    for found in _OUR_QUOTE.finditer(page.free):
        before = re.search(
            r"\b(?:quote|quotation|estimate)\s*(?:no\.?|number|#|:)?\s*$", page.free[: found.start()], re.IGNORECASE
        )
        start = before.start() if before else found.start()
        page.take(start, found.end())
        yield Candidate(Kind.REFERENCE, f"quote {found[0].upper()}", start, found.end(), 0.97, "reference.normal_form")
    for found in _REFERENCE.finditer(page.free):
        number = found["number"].upper()
        digits = sum(letter.isdigit() for letter in number)
        marked = bool(found["mark"].strip())
        if _COUNTS.match(page.free, found.end()) or (not marked and digits < 3):
            continue
        what = _NAMED.get(found["what"].lower(), found["what"].lower().removesuffix("s"))
        sure = 0.95 if marked or digits >= 3 else 0.7
        spans = [(number, *found.span())]
        while (more := _ANOTHER.match(page.free, spans[-1][2])) is not None:
            spans.append((more["number"].upper(), *more.span()))
        for one, start, end in spans:
            page.take(start, end)
            yield Candidate(Kind.REFERENCE, f"{what} {one}", start, end, sure, "reference.normal_form")


def methods(page: Page, _context: Context) -> Iterator[Candidate]:
    """How something was paid."""
    for value, pattern in _METHODS:
        for found in re.finditer(rf"\b(?:{pattern})\b", page.free, re.IGNORECASE):
            if value == "check" and found[0].lower() == "check" and not _paid_by_check(page, found):
                continue
            yield Candidate(Kind.METHOD, value, *found.span(), 0.9)


def _paid_by_check(page: Page, found: re.Match[str]) -> bool:
    before = page.words_before(found.start())
    after = page.free[found.end() : found.end() + 12]
    return bool(
        re.search(r"\b(?:by|via|with|a|personal|per|paid|his|her|their)$", before)
        or re.match(r"\s*(?:#|no|\d|from)", after)
    )


def urgencies(page: Page, _context: Context) -> Iterator[Candidate]:
    """emergency, urgent or flexible; silence says nothing."""
    flexible = [found.span() for found in re.finditer(_URGENCIES[2][1], page.free, re.IGNORECASE)]
    for value, pattern in _URGENCIES:
        for found in re.finditer(rf"\b(?:{pattern})(?!\w)", page.free, re.IGNORECASE):
            start, end = found.span()
            if value != "flexible" and any(first <= start and end <= last for first, last in flexible):
                continue
            if re.search(r"\b(?:not|no|isn't|nothing)(?: an| a| that| very)?$", page.words_before(start)):
                continue
            yield Candidate(Kind.URGENCY, value, start, end, 0.9)


class Trades:
    """The trade of a request: by its name, by who does it, or by work that only one trade does.

    ``work`` maps names of work to the trade that does it.
    """

    def __init__(self, work: Mapping[str, str]) -> None:
        self._names = {name: trade for name, trade in work.items() if len(name) > 3} | _TRADES
        self._longest = max((name.count(" ") + 1 for name in self._names), default=1)

    @classmethod
    def of(cls, catalogue: Catalogue) -> Trades:
        """All that the catalogue's tasks are called, where one trade alone uses the name."""
        trades: dict[str, set[str]] = {}
        for task in catalogue.tasks.values():
            for name in task.names:
                trades.setdefault(name.casefold(), set()).add(task.trade)
        return cls({name: min(found) for name, found in trades.items() if len(found) == 1})

    def __call__(self, page: Page, _context: Context) -> Iterator[Candidate]:
        """One candidate a mention; the longer name is the surer one."""
        words = [(found[0].lower(), *found.span()) for found in re.finditer(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", page.free)]
        index = 0
        while index < len(words):
            for length in range(min(self._longest, len(words) - index), 0, -1):
                name = " ".join(word for word, _, _ in words[index : index + length])
                trade = self._names.get(name) or self._names.get(name.removesuffix("s"))
                if trade is not None:
                    sure = 0.93 if name.removesuffix("s") in _TRADES else min(0.7 + 0.1 * length, 0.9)
                    yield Candidate(Kind.TRADE, trade, words[index][1], words[index + length - 1][2], sure)
                    index += length - 1
                    break
            index += 1
