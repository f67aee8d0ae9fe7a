"""Gathering: work that several places of a request ask for is one line, which says what each of them has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from server.domain.drafting.items import Item, plain
from server.domain.drafting.sections import Sections
from server.domain.takeoff import TakeoffItem
from server.domain.units import Dimension, dimension, factor


class Gathered:
    """The lines of one request whose places are told of."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        #: What each line was put together of, by its place among the lines: the place's name, and how much.
        self._parts: dict[int, list[tuple[str, Decimal]]] = {}
        self._lines: dict[tuple[object, ...], int] = {}
        self._of_place: Counter[tuple[int, str]] = Counter()

    def adds(self, settled: list[TakeoffItem], line: TakeoffItem, item: Item) -> bool:
        """Add the line to that of another place for the same work, where there is one."""
        if item.section < 0 or item.match is None:
            return False
        unit = line.unit or item.match.task.unit
        much = Decimal(1) if line.qty is None and dimension(unit) is Dimension.COUNT else line.qty
        if much is None:
            return False
        # The second of a kind in one place is added to the second in another: "base cabs 14 LF, upper cabs 11 LF".
        self._of_place[item.section, line.task_id] += 1
        number = self._of_place[item.section, line.task_id]
        priced = (line.materials_by_customer, line.optional, line.storeys, line.coats)
        place = self._lines.setdefault((line.task_id, number, dimension(unit), *priced), len(settled))
        parts = self._parts.setdefault(place, [])
        name = self._sections.all[item.section].name
        if place == len(settled):
            parts.append((name, much))
            return False
        before = settled[place]
        parts.append((name, much if unit == before.unit or not before.unit else much * factor(unit, before.unit)))
        settled[place] = replace(
            before,
            qty=sum((part for _, part in parts), Decimal(0)),
            unit=before.unit or unit,
            confidence=min(before.confidence, line.confidence),
            review_reasons=tuple(dict.fromkeys((*before.review_reasons, *line.review_reasons))),
        )
        return True

    def told(self, settled: Sequence[TakeoffItem]) -> Iterable[str]:
        """What was added up."""
        for place, parts in self._parts.items():
            if len(parts) > 1:
                line = settled[place]
                added = " + ".join(f"{plain(much)} ({name})" for name, much in parts)
                yield f"{line.description}: {added} = {plain(line.qty or Decimal(0))} {line.unit}."
