"""Plain requests: ``python -m tools.evaluation.plain`` prints those that are drafted otherwise than anybody would.

`plain_requests.tsv` has one for each task of the catalogue and some hundred for several; in `plain_amounts.tsv` the
work is plain and the amount is to be worked out ("two upstairs and one down"); in `plain_left_out.tsv` the customer
leaves something out or supplies it; in `plain_places.tsv` the work is told place by place. All tell country, text, the
lines that every estimator would put down (``task/or.task quantity unit``, ``-`` where the text tells none, ``labour``
behind it where only the work may be charged), and ``wrong`` where it is not read rightly yet. A fit of what is learned
moves single drafts; these must not get worse by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from server.domain.draft import DraftLine, LineKind
from server.domain.drafting.engine import INCLUDED, Drafter
from server.domain.regions import CURRENCY_OF
from server.domain.settings import PricingSettings
from server.domain.units import UNITS
from server.embedded import load_embedded
from tools.evaluation.drafting import Form, Label, charges_material, is_added

FILES = tuple(Path(__file__).with_name(f"plain_{name}.tsv") for name in ("requests", "amounts", "left_out", "places"))
#: Where the customers live, by country.
PLACES = {"US": "Columbus, OH", "GB": "Leeds", "CA": "Toronto, ON", "IE": "Dublin", "AU": "Sydney NSW"}
#: Units of what is counted.
_COUNTED = frozenset({"each", "visit", "job"})
_LABOUR = " labour"
_WRONG = "wrong"


def _wanted(text: str) -> Label:
    """A line from ``"a.task/b.task 30 m2"``. Raises `ValueError` for a unit that is none."""
    labour_only = text.endswith(_LABOUR)
    named, qty, *unit = text.removesuffix(_LABOUR).split(" ")
    if unit and unit[0] not in UNITS:
        raise ValueError(f"no unit: {text}")
    much = None if qty == "-" else Decimal(qty)
    form = Form(tuple(named.split("/")), much, much, unit[0] if unit else "")
    return Label(text, (form,), optional=False, labour_only=labour_only)


def _is_met(wanted: Label, line: DraftLine) -> bool:
    """Whether the line says as much, charges it, and leaves to the customer just what he supplies."""
    (form,) = wanted.forms
    included = any(reason.endswith(INCLUDED) for reason in line.review_reasons)
    if (line.optional and not included) or not form.accepts(line):
        return False
    if charges_material(line) if wanted.labour_only else _leaves_material(line):
        return False
    if {form.unit, line.unit} <= _COUNTED:
        return line.qty == form.low
    return form.low is None or form.measures(line)


@cache
def _taking_material() -> frozenset[str]:
    """Tasks whose price has the thing in it, unless the customer supplies it."""
    return frozenset(
        one.task_id
        for one in load_embedded().catalogue.tasks.values()
        if not one.labour_only
        # Where there is a norm it says whether material is taken: "service prices" of cleaning and cutting take none.
        and (one.materials if one.labour else one.observed or any(claim.includes_materials for claim in one.claims))
    )


def _leaves_material(line: DraftLine) -> bool:
    """Whether a line of work that takes material leaves it to the customer."""
    return line.kind is LineKind.LABOUR and line.task_id in _taking_material()


@dataclass(frozen=True, slots=True)
class Plain:
    """A request with its lines. ``known_wrong``: not read rightly yet."""

    country: str
    text: str
    lines: tuple[Label, ...]
    known_wrong: bool

    @classmethod
    def of(cls, row: str) -> Plain:
        """From a row of one of `FILES`."""
        country, text, lines, *mark = row.split("\t")
        wanted = tuple(_wanted(one) for one in lines.split("; ") if one)
        return cls(country, text.replace("\\n", "\n"), wanted, mark == [_WRONG])

    def is_read_rightly(self, lines: Iterable[DraftLine]) -> bool:
        """Whether a draft has these lines and no other, but for what an estimator adds of himself."""
        left = list(lines)
        for wanted in self.lines:
            met = next((line for line in left if _is_met(wanted, line)), None)
            if met is None:
                return False
            left.remove(met)
        return all(map(is_added, left))


def read_plain() -> list[Plain]:
    """The lists."""
    return [Plain.of(row) for file in FILES for row in file.read_text("utf-8").splitlines()]


def read_wrongly(drafter: Drafter, requests: Iterable[Plain]) -> Iterator[tuple[Plain, tuple[DraftLine, ...]]]:
    """The requests that are drafted otherwise, with the lines that they got."""
    for one in requests:
        settings = PricingSettings(currency=CURRENCY_OF[one.country], home_location=PLACES[one.country])
        lines = tuple(drafter.draft(one.text, settings=settings).lines)
        if not one.is_read_rightly(lines):
            yield one, lines


def main() -> None:
    """Print what is read wrongly, and how much of all."""
    embedded = load_embedded()
    requests = read_plain()
    wrong = list(read_wrongly(Drafter(embedded.catalogue, embedded.gazetteer), requests))
    for one, lines in wrong:
        print(f"{one.country}\t{one.text}{'' if one.known_wrong else '   (was read rightly)'}")
        for line in lines:
            said = "".join((f" ({line.kind.value})", " (option)" * line.optional))
            print(f"    {line.task_id} {line.qty} {line.unit}{said}")
    print(f"{len(requests) - len(wrong)} of {len(requests)} are read rightly")


if __name__ == "__main__":
    main()
