"""Layouts of PDFs as messages of the contract and back."""

from __future__ import annotations

from quotewright.v1 import settings_pb2

from server.domain.offer import Layout, Paper, PriceDetail
from server.faults import FieldViolation

#: Large text and lines can be read from this contrast on (WCAG 2.2, success criteria 1.4.3 and 1.4.11).
LEAST_CONTRAST = 3.0


def layout_from(message: settings_pb2.Layout, field: str, problems: list[FieldViolation]) -> Layout:
    """The layout that a message says; ``field`` names it where a problem is added."""
    default = Layout()
    colour = message.accent_colour.lower() or default.accent_colour
    if contrast_on_white(colour) < LEAST_CONTRAST:
        problems.append(
            FieldViolation(f"{field}.accent_colour", "colour.contrast", "is too light to be read on white paper")
        )
    shown = {
        name: getattr(message, name)
        for name in ("show_assumptions", "show_request", "show_signature")
        if message.HasField(name)
    }
    return Layout(
        paper=Paper(message.paper) if message.paper else None,
        accent_colour=colour,
        prices=PriceDetail(message.prices) if message.prices else default.prices,
        group_by_kind=message.group_by_kind,
        show_sources=message.show_sources,
        **shown,
    )


def layout_message(layout: Layout) -> settings_pb2.Layout:
    """A layout as answers hold it."""
    return settings_pb2.Layout(
        paper=layout.paper or "",
        accent_colour=layout.accent_colour,
        prices=layout.prices,
        group_by_kind=layout.group_by_kind,
        show_assumptions=layout.show_assumptions,
        show_sources=layout.show_sources,
        show_request=layout.show_request,
        show_signature=layout.show_signature,
    )


def contrast_on_white(colour: str) -> float:
    """Contrast of ``#rrggbb`` on white, 1 to 21 (WCAG 2.2, relative luminance and contrast ratio)."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 1.05 / (luminance + 0.05)
