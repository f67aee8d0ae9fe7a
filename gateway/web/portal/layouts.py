"""The layout of PDFs in forms: of the company and of templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quotewright.v1 import settings_pb2

from gateway.web.portal import forms

_TEXTS = ("paper", "accent_colour", "prices")
_TICKS = ("group_by_kind", "show_assumptions", "show_sources", "show_request", "show_signature")
TICKED = "yes"
#: What a layout is where nothing was chosen (its proto says so).
DEFAULT = settings_pb2.Layout(
    accent_colour="#1d4e89", prices="unit_prices", show_assumptions=True, show_request=True, show_signature=True
)


def names(prefix: str) -> list[str]:
    """The form's fields."""
    return [f"{prefix}.{name}" for name in (*_TEXTS, *_TICKS)]


def to_form(layout: settings_pb2.Layout, prefix: str) -> dict[str, str]:
    """A layout as the form has it; every field of it is set in answers."""
    texts = {f"{prefix}.{name}": getattr(layout, name) for name in _TEXTS}
    return texts | {f"{prefix}.{name}": TICKED if getattr(layout, name) else "" for name in _TICKS}


def from_form(typed: Mapping[str, str], prefix: str) -> settings_pb2.Layout:
    """The layout that was chosen."""
    texts: dict[str, Any] = {name: typed[f"{prefix}.{name}"].strip() for name in _TEXTS}
    ticks: dict[str, Any] = {name: bool(typed[f"{prefix}.{name}"]) for name in _TICKS}
    return settings_pb2.Layout(**texts, **ticks)


def choices() -> dict[str, tuple[str, ...]]:
    """What may be chosen, by field."""
    return {name: forms.allowed(settings_pb2.Layout, name) for name in ("paper", "prices")}
