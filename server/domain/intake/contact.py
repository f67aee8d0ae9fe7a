"""E-mail addresses and phone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import phonenumbers
from email_validator import EmailNotValidError, validate_email

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}")
_URL = re.compile(r"(?:https?://|www\.)\S{1,500}", re.IGNORECASE)
#: Slips of the largest mail providers' names, collected by edit distance one from each name; a person confirms.
_PROVIDERS = ("gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "hotmail.co.uk", "yahoo.co.uk")
_SLIPS = {
    "gmial.com": "gmail.com", "gmai.com": "gmail.com", "gamil.com": "gmail.com", "gmail.co": "gmail.com",
    "gmail.con": "gmail.com", "gmail.cm": "gmail.com", "gmal.com": "gmail.com", "gnail.com": "gmail.com",
    "gmaill.com": "gmail.com", "yaho.com": "yahoo.com", "yahooo.com": "yahoo.com", "yahoo.con": "yahoo.com",
    "hotmial.com": "hotmail.com", "hotmal.com": "hotmail.com", "hotmail.con": "hotmail.com",
    "hotmail.co": "hotmail.com", "outlok.com": "outlook.com", "outlook.con": "outlook.com",
    "iclod.com": "icloud.com", "icloud.con": "icloud.com",
}  # fmt: skip


def emails(page: Page, _context: Context) -> Iterator[Candidate]:
    """Addresses in their normal form (RFC 5321 as email-validator reads it); web addresses are only taken."""
    for found in _EMAIL.finditer(page.free):
        start, end = found.span()
        written = found[0].rstrip(".-")
        end = start + len(written)
        if len(written) < 3 or written.endswith("@"):
            continue
        page.take(start, end)
        yield _email(written, start, end)
    for found in _URL.finditer(page.free):
        page.take(*found.span())


def _email(written: str, start: int, end: int) -> Candidate:
    local, _, domain = written.rpartition("@")
    slip = _SLIPS.get(domain.lower())
    if slip is not None:
        return Candidate(
            Kind.EMAIL, f"{local}@{slip}", start, end, 0.6, "email.provider_slip",
            f"Is the address {local}@{slip}? It was written {written}.", (written,),
        )  # fmt: skip
    try:
        value = validate_email(written, check_deliverability=False, allow_smtputf8=True).normalized
    except EmailNotValidError:
        return Candidate(
            Kind.EMAIL, written, start, end, 0.3, question=f"{written} is not an e-mail address as it stands."
        )
    rule = "email.domain_case" if value != written else ""
    return Candidate(Kind.EMAIL, value, start, end, 0.98, rule)


def phones(page: Page, context: Context) -> Iterator[Candidate]:
    """Numbers as E.164; those that cannot be dialled as written come with a question."""
    for found in phonenumbers.PhoneNumberMatcher(
        page.free, context.country, leniency=phonenumbers.Leniency.POSSIBLE, max_tries=200
    ):
        digits = sum(letter.isdigit() for letter in found.raw_string)
        if digits < 7:
            continue
        page.take(found.start, found.end)
        value = phonenumbers.format_number(found.number, phonenumbers.PhoneNumberFormat.E164)
        if found.number.extension:
            value += f";ext={found.number.extension}"
        if phonenumbers.is_valid_number(found.number):
            yield Candidate(Kind.PHONE, value, found.start, found.end, 0.95, "phone.e164")
        else:
            shown = phonenumbers.format_number(found.number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
            yield Candidate(
                Kind.PHONE, value, found.start, found.end, 0.4, "phone.e164",
                f"No network has a number like {shown}. Is it complete?",
            )  # fmt: skip
