"""How something was paid."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_METHODS = (
    ("bank transfer", r"bank transfer|wire(?:d| transfer)?|ach|bacs|chaps|faster payments?|fps|direct deposit|e-?transfer|"
     r"interac|eft|transfer(?:red)?|online banking|fpi|fpo|bgc|bank giro(?: credit)?|bank"),
    ("direct debit", r"direct debit|standing order|dd|gocardless"),
    ("check", r"checks?|cheques?|chq|chk|ck"),
    ("cash", r"cash"),
    ("card", r"(?:credit |debit )?card|visa|mastercard|amex|american express|contactless|cc|discover|card machine|debit"),
    ("paypal", r"paypal"), ("zelle", r"zelle|zelled"), ("venmo", r"venmo(?:'d|ed)?"), ("stripe", r"stripe"),
    ("apple pay", r"apple pay"), ("google pay", r"google pay"), ("cash app", r"cash ?app"), ("money order", r"money order"),
)  # fmt: skip
_TAKEN_FIRST = ("cash app", "money order", "apple pay", "google pay", "direct debit")
_NOT_A_PAYMENT = re.compile(
    r"\b(?:to|please|can you|could you|will|then|i'll|double|let me|going to|not|no|instead of|than) ?$"
)
_NOT_AFTER = re.compile(r"[ \t]*(?:that|if|whether|with|the|it|on|when|bounced|in at|out)\b|-?in\b", re.IGNORECASE)


def methods(page: Page, context: Context) -> Iterator[Candidate]:
    """Ways to pay; a check is one where something is paid by it, or in a payment."""
    order = sorted(_METHODS, key=lambda method: method[0] not in _TAKEN_FIRST)
    for value, pattern in order:
        for found in re.finditer(rf"\b(?:{pattern})\b", page.free, re.IGNORECASE):
            before = page.words_before(found.start())
            if _NOT_A_PAYMENT.search(before) or (value == "check" and not _is_paid(page, found, before, context)):
                continue
            page.take(*found.span())
            yield Candidate(Kind.METHOD, value, *found.span(), 0.6 if found[0].lower() in {"bank", "debit"} else 0.9)


def _is_paid(page: Page, found: re.Match[str], before: str, context: Context) -> bool:
    by = re.search(r"\b(?:by|via|with|a|personal|per|paid|his|her|their)$", before)
    if not by and _NOT_AFTER.match(page.free, found.end()):
        return False
    return bool(context.past or found[0].lower() != "check" or by)
