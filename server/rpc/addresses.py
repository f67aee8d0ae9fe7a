"""E-mail addresses that requests bring: one rule for all fields, whether they make something or change it."""

from __future__ import annotations

from server import faults
from server.domain.mailboxes import mailbox
from server.faults import FieldViolation


def email_of(text: str) -> str:
    """The `mailbox` of a request's field ``email``, or nothing where it is empty. Raises INVALID_ARGUMENT."""
    try:
        return mailbox(text) if text else ""
    except ValueError as error:
        raise faults.invalid(FieldViolation("email", "string.email", str(error))) from None
