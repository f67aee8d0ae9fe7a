"""Figures as people read them, alike on the pages of the gateway and on the papers of the server."""

from __future__ import annotations

from decimal import Decimal


def unit_price(price: Decimal | float) -> str:
    """A unit price, with two decimals, or as many as it has up to four: ``12.50``, ``0.05``, ``0.0425`` (D3)."""
    whole, _, decimals = f"{price:,.4f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"
