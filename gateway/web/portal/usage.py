"""What the workspace has used of its plan, as charts that the server draws and as tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quotewright.v1 import usage_pb2

from gateway.web.portal.view import Shown, Visit, view

_SPANS = (7, 30, 90)  # days
_HEIGHT = 100


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar, in units of the chart: ``kind`` is its class."""

    kind: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A day, ``x`` days after the first. ``words`` say what it shows."""

    x: int
    words: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars, each one unit wide, under a scale from 0 to ``top``; ``limit`` is a line across them, as their ``y``."""

    title: str
    kinds: tuple[tuple[str, str], ...]
    bars: tuple[Bar, ...]
    top: int
    limit: float | None = None

    @property
    def width(self) -> int:
        """In units, at least one."""
        return max(1, len(self.bars))

    @property
    def height(self) -> int:
        """In units."""
        return _HEIGHT


async def _usage(visit: Visit) -> Shown:
    days = int(visit.query["days"]) if visit.query.get("days") in {str(one) for one in _SPANS} else 30
    usage = await visit.ask("UsageService/GetUsage", usage_pb2.GetUsageRequest(days=days))
    both = ("live", "test")
    charts = [
        _chart("Requests", both, usage.days, [(day.live.requests, day.test.requests) for day in usage.days]),
        _chart(
            "Busiest minute",
            ("live",) if visit.user.livemode else ("test",),
            usage.days,
            [((day.live if visit.user.livemode else day.test).busiest_minute,) for day in usage.days],
            limit=usage.requests_per_minute,
        ),
        _chart("Quotes made", both, usage.days, [(day.live.quotes, day.test.quotes) for day in usage.days]),
    ]
    totals = {
        "requests": [sum(getattr(day, mode).requests for day in usage.days) for mode in both],
        "quotes": [sum(getattr(day, mode).quotes for day in usage.days) for mode in both],
        "refused": [sum(getattr(day, mode).refused for day in usage.days) for mode in both],
    }
    busy = [day for day in reversed(usage.days) if any(_said(one) for one in (day.live, day.test))]
    return visit.page("usage.html", usage=usage, charts=charts, totals=totals, busy=busy, span=days, spans=_SPANS)


def _chart(
    title: str,
    kinds: tuple[str, ...],
    days: Sequence[usage_pb2.UsageDay],
    values: Sequence[tuple[int, ...]],
    limit: int = 0,
) -> Chart:
    most = max((sum(one) for one in values), default=0)
    # An allowance far above what is used would press the bars flat: then it is told in words alone.
    top = _top(max(most, limit) if limit <= 10 * most else most)
    bars = []
    for x, (day, numbers) in enumerate(zip(days, values, strict=True)):
        below, parts = 0.0, []
        for kind, number in zip(kinds, numbers, strict=True):
            height = _HEIGHT * number / top
            below += height
            if number:
                parts.append(Part(kind, round(_HEIGHT - below, 2), round(height, 2)))
        words = ", ".join(f"{number:,} {kind}" for kind, number in zip(kinds, numbers, strict=True))
        bars.append(Bar(x, f"{day.date}: {words}", tuple(parts)))
    line = round(_HEIGHT * (1 - limit / top), 2) if 0 < limit <= top else None
    return Chart(title, tuple((kind, f"{kind} data") for kind in kinds), tuple(bars), top, line)


def _top(most: int) -> int:
    """The end of a scale that holds ``most``: 1, 2 or 5 with noughts."""
    if most <= 1:
        return 1
    power: int = 10 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most)


def _said(figures: usage_pb2.UsageFigures) -> int:
    return figures.requests + figures.quotes


VIEWS = (view("/usage", _usage, menu="Usage"),)
