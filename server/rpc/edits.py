"""What people enter by hand, applied to a draft inside a write."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from server import faults
from server.domain.by_hand import ByHand
from server.domain.draft import Draft
from server.domain.editing import Edit, EditError, Editor, edited
from server.domain.settings import PricingSettings
from server.faults import FieldViolation
from server.store.audit import Act


def applied(draft: Draft, by_hand: ByHand, edit: Edit, pricing: PricingSettings, act: Act) -> tuple[Draft, ByHand]:
    """The draft after the edit, and what is to be remembered of it. Raises 422 with the fields that do not fit it."""
    at = datetime.fromtimestamp(act.at / 1_000_000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    settings = pricing.in_currency(draft.currency)
    try:
        return edited(draft, by_hand, edit, settings, Editor(act.actor, at))
    except EditError as error:
        raise faults.invalid(*(FieldViolation(one.field, one.reason, one.message) for one in error.problems)) from None


def decimal(value: float) -> Decimal:
    """The number as JSON wrote it: the shortest decimal that names the double, without an exponent, and -0.0 as 0."""
    return Decimal(f"{Decimal(repr(value + 0.0)).normalize():f}")
