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
        start += found[0].find("@") - len(found[0][: found[0].find("@")].rpartition("=")[2])  # ``email=jo@x.org``
        written = page.text[start:end].rstrip(".-")
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


_NANP = r"(?:\+?1[-. ]{0,2})?(?:\([2-9]\d{2}\)|[2-9]\d{2})[-. /]{0,3}\d{3}[-. ]{0,3}\d{4}"
_TRUNK = r"(?:\+\d{2}[ -]?\(0\)[ -]?|\(?0)\d(?:[() -]{0,2}\d){7,10}"
_ABROAD = r"(?:\+|00)[1-9](?:[() .-]{0,2}\d){7,13}"
_EXTENSION = r"(?:[ ,]{0,2}(?:ext(?:ension)?|extn|x)\.?[ ]?(?P<extension>\d{1,6}))?"
_NORTH_AMERICAN, _WITH_TRUNK = (
    re.compile(rf"(?<![\w$£€.,/#+-])(?:tel:)?(?P<number>{_ABROAD}|{own}){_EXTENSION}(?![\w%]|[.,/-]\d)", re.IGNORECASE)
    for own in (_NANP, _TRUNK)
)
#: What looks like the beginning of a number; a person completes it.
_CUT_OFF = re.compile(
    r"(?<![\w$£€.,/#+-])(?:\(?\d{3}\)?[-. ]\d{3}[-. ]\d{1,3}|0\d{3,4}[ -]\d{3}[ -]?\d{0,2})(?![\w%]|[.,/-]?\d)"
)
_LOCAL_DIGITS = 7
#: In payments so many digits in a row are rather an account.
_LONGEST_ACCOUNT = 9


_DIGITS = {word: str(digit) for digit, word in enumerate(
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
)} | {"oh": "0", "o": "0", "nought": "0"}  # fmt: skip
_DIGIT = rf"(?:(?:double|triple)[ \t]+)?(?:{'|'.join(_DIGITS)})|\d{{1,4}}"
#: A number as it is spoken, some of it in figures: ``five one eight, 555, 0119``.
_SPOKEN = re.compile(rf"\b(?:{_DIGIT})(?:[ ,.-]{{1,3}}(?:{_DIGIT}))+\b", re.IGNORECASE)
_SPOKEN_WORDS = 3


def _spoken(page: Page, context: Context) -> Iterator[Candidate]:
    """Numbers that were dictated and written down as words."""
    for found in _SPOKEN.finditer(page.free):
        digits, times = "", 1
        words = re.findall(r"[a-z]+|\d+", found[0].lower())
        for word in words:
            times = {"double": 2, "triple": 3}.get(word, 0) or times
            if word not in {"double", "triple"}:
                digits, times = digits + _DIGITS.get(word, word) * times, 1
        number = _parsed(digits, context) if sum(word in _DIGITS for word in words) >= _SPOKEN_WORDS else None
        if number is not None and phonenumbers.is_valid_number(number):
            page.take(*found.span())
            yield _phone(number, None, *found.span())


def full_phones(page: Page, context: Context) -> Iterator[Candidate]:
    """Numbers written in full, area code included, as E.164 with ``;ext=``. They are taken before anything reads them
    as house numbers or amounts."""
    yield from _spoken(page, context)
    own = _NORTH_AMERICAN if phonenumbers.country_code_for_region(context.country) == 1 else _WITH_TRUNK
    for found in own.finditer(page.free):
        if re.fullmatch(r"\d{10,13}", found["number"]) and not re.fullmatch(
            r"0\d{9,10}|1?[2-9]\d{2}[2-9]\d{6}", found["number"]
        ):
            continue
        number = _parsed(found["number"], context)
        if number is None or (found["number"].isdigit() and not phonenumbers.is_valid_number(number)):
            continue
        page.take(*found.span())
        yield _phone(number, found["extension"], *found.span())


def phones(page: Page, context: Context) -> Iterator[Candidate]:
    """What else can be a number; those that cannot be dialled as written come with a question."""
    for found in phonenumbers.PhoneNumberMatcher(
        page.free, context.country, leniency=phonenumbers.Leniency.POSSIBLE, max_tries=200
    ):
        if sum(letter.isdigit() for letter in found.raw_string) < _LOCAL_DIGITS or "\n" in found.raw_string:
            continue
        if context.past and found.raw_string.isdigit() and len(found.raw_string) <= _LONGEST_ACCOUNT:
            continue
        page.take(found.start, found.end)
        yield _phone(found.number, found.number.extension, found.start, found.end)
    for cut in _CUT_OFF.finditer(page.free) if not context.past else ():
        code = phonenumbers.country_code_for_region(context.country)
        digits = re.sub(r"\D", "", cut[0]).removeprefix("0")
        page.take(*cut.span())
        yield Candidate(
            Kind.PHONE,
            f"+{code}{digits}",
            *cut.span(),
            0.3,
            "phone.e164",
            f"{cut[0]} is too short. What is the full number?",
        )


def _parsed(written: str, context: Context) -> phonenumbers.PhoneNumber | None:
    try:
        number = phonenumbers.parse(written, context.country)
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_possible_number(number) else None


def _phone(number: phonenumbers.PhoneNumber, extension: str | None, start: int, end: int) -> Candidate:
    value = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    value += f";ext={extension}" if extension else ""
    if phonenumbers.is_valid_number(number):
        return Candidate(Kind.PHONE, value, start, end, 0.95, "phone.e164")
    shown = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    return Candidate(
        Kind.PHONE, value, start, end, 0.4, "phone.e164", f"No network has a number like {shown}. Is it complete?"
    )
