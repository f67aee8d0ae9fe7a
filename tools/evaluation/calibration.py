"""Whether confidence says how often an engine is right."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

#: Lower bounds of the bins of confidence.
BINS = tuple(Decimal(bound) for bound in ("0", "0.5", "0.6", "0.7", "0.8", "0.9"))


def calibration_error(confidences: Iterable[tuple[Decimal, bool]]) -> float:
    """Expected calibration error: per bin |mean confidence − share right|, weighted by the bin's share of lines."""
    rows = bins(confidences)
    count = sum(number for _, number, _, _ in rows)
    return sum(number * abs(mean - right) for _, number, mean, right in rows) / count if count else 0.0


def bins(confidences: Iterable[tuple[Decimal, bool]]) -> list[tuple[Decimal, int, float, float]]:
    """Of each bin with lines its lower bound, how many lines, their mean confidence and the share that is right."""
    by_bin: dict[Decimal, list[tuple[Decimal, bool]]] = {}
    for confidence, right in confidences:
        by_bin.setdefault(max(bound for bound in BINS if bound <= confidence), []).append((confidence, right))
    return [
        (
            bound,
            len(rows),
            float(sum(confidence for confidence, _ in rows)) / len(rows),
            sum(right for _, right in rows) / len(rows),
        )
        for bound, rows in sorted(by_bin.items())
    ]
