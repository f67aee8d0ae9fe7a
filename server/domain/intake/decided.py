"""What a person has decided: taken as it is, unless it cannot be a value of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date

from server.domain.intake.candidate import Kind
from server.domain.mailboxes import is_mailbox
from server.domain.money import CURRENCIES

_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_TIMES = re.compile(f"{_TIME}(?:/{_TIME})?")
_AMOUNT = re.compile(r"\d{1,12}(?:\.\d{1,2})?")
_PHONE = re.compile(r"\+?\d{3,18}")


def why_not(kind: Kind, text: str) -> str:
    """What to ask where ``text`` cannot be a value of the kind, else nothing.

    Days are ISO 8601 (2026-11-23), times HH:MM or HH:MM/HH:MM, amounts figures with a point, currencies ISO 4217.
    """
    if kind not in _FITS:
        return ""
    fits, question = _FITS[kind]
    return "" if fits(text) else question


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


_FITS: Mapping[Kind, tuple[Callable[[str], bool], str]] = {
    Kind.DATE: (_is_day, "Which day is it, as 2026-11-23?"),
    Kind.TIME: (lambda text: _TIMES.fullmatch(text) is not None, "At what time, as 09:30 or 09:00/12:00?"),
    Kind.MONEY: (lambda text: _AMOUNT.fullmatch(text) is not None, "How much is it, in figures, as 1250.00?"),
    Kind.CURRENCY: (lambda text: text in CURRENCIES, "Which currency is it, as USD?"),
    Kind.EMAIL: (is_mailbox, "Which e-mail address is it? This is none."),
    Kind.PHONE: (
        lambda text: _PHONE.fullmatch(re.sub(r"[\s().-]", "", text)) is not None,
        "Which phone number is it? This is none.",
    ),
}
