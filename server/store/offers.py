"""Offers, templates and profiles of companies as JSON text, as their columns hold them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import orjson

from server.domain.draft import LineKind
from server.domain.offer import CompanyProfile, Layout, Offer, Paper, PriceDetail, Template, TemplateLine


def to_json(value: Offer | Template | CompanyProfile) -> str:
    """The text to store."""
    return orjson.dumps(value, default=str).decode()


def offer_from_json(text: str | None) -> Offer:
    """The offer of a quote; None, of one that was stored before quotes had any, is an empty one."""
    if text is None:
        return Offer()
    values = orjson.loads(text)
    template = values["template"]
    return Offer(
        **{
            **values,
            "template": None if template is None else _template(template),
            "layout": _layout(values["layout"]),
        }
    )


def template_from_json(text: str) -> Template:
    """A template."""
    return _template(orjson.loads(text))


def profile_from_json(text: str | None) -> CompanyProfile:
    """What an organization says of itself; None is nothing."""
    if text is None:
        return CompanyProfile()
    values = orjson.loads(text)
    return CompanyProfile(**{**values, "layout": _layout(values["layout"])})


def _template(values: Mapping[str, Any]) -> Template:
    layout = values["layout"]
    return Template(
        **{
            **values,
            **{name: _decimal(values[name]) for name in ("tax_rate", "reduced_tax_rate", "margin")},
            "lines": tuple(_line(one) for one in values["lines"]),
            "layout": None if layout is None else _layout(layout),
        }
    )


def _line(values: Mapping[str, Any]) -> TemplateLine:
    figures = {name: Decimal(values[name]) for name in ("qty", "price")}
    return TemplateLine(**{**values, **figures, "kind": LineKind(values["kind"])})


def _layout(values: Mapping[str, Any]) -> Layout:
    paper = values["paper"]
    return Layout(
        **{**values, "paper": None if paper is None else Paper(paper), "prices": PriceDetail(values["prices"])}
    )


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
