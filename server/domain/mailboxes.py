"""E-mail addresses as people write them. Pure: nothing is asked of the DNS."""

from __future__ import annotations

from email_validator import EmailNotValidError, validate_email


def mailbox(text: str) -> str:
    """The address, normalized; it may be internationalized (RFC 6531). Raises `ValueError` with the reason in words."""
    try:
        return validate_email(text.strip(), check_deliverability=False, allow_smtputf8=True).normalized
    except EmailNotValidError as error:
        raise ValueError(str(error)) from None


def wire_form(address: str) -> str:
    """A `mailbox` as it is sent to: the domain in ASCII (RFC 5891), so that most servers can take it."""
    if address.isascii():
        return address
    found = validate_email(address, check_deliverability=False, allow_smtputf8=True)
    return f"{found.local_part}@{found.ascii_domain}"


def is_mailbox(text: str) -> bool:
    """Whether `mailbox` takes it."""
    try:
        mailbox(text)
    except ValueError:
        return False
    return True
