"""How figures, days and web addresses are written on pages: filters of their templates."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

from google.protobuf.timestamp_pb2 import Timestamp
from markupsafe import Markup, escape

from gateway.web.customer import day, figure, percent
from process.figures import unit_price

#: A web address in a text, without what ends its sentence.
_ADDRESS = re.compile(r"(https?://[^\s<>\"';]*[^\s<>\"';,.)])")
_LINK = Markup('<a href="{0}" rel="noopener noreferrer nofollow">{0}</a>')
#: Decimals of a figure that a page shows.
_DECIMALS = 6


def money(amount: float) -> str:
    """``1,250.50``: every currency that quotes are in has two decimals."""
    return f"{amount:,.2f}"


def short(value: str) -> str:
    """A decimal of many digits, to six places: ``≈ 3.280840``, without the sign where that is all of it."""
    if len(value.partition(".")[2]) <= _DECIMALS:
        return value
    rounded = f"{Decimal(value):.{_DECIMALS}f}"
    return rounded.rstrip("0").rstrip(".") if Decimal(rounded) == Decimal(value) else f"≈ {rounded}"


def linked(text: str) -> Markup:
    """A text whose web addresses are links."""
    parts = _ADDRESS.split(text)
    return Markup("").join(_LINK.format(one) if place % 2 else escape(one) for place, one in enumerate(parts))


def age(at: Timestamp) -> str:
    """How long ago it was, in whole days: ``today``, ``3 days``."""
    days = (datetime.now(UTC) - at.ToDatetime(UTC)).days
    return "today" if days < 1 else "1 day" if days == 1 else f"{days} days"


FILTERS = {
    "age": age,
    "day": day,
    "figure": figure,
    "linked": linked,
    "money": money,
    "percent": percent,
    "short": short,
    "unit_price": unit_price,
}
