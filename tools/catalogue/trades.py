"""Reads the hand-written trade tables and resolves their references to rows of the fact files.

A table is one TOML file a trade (`trades/plumbing.toml`)::

    trade = "plumbing"
    occupation = "472152"          # BLS occupation where a norm names only a grade

    [task.faucet]
    name = "Faucet, replace"
    verbs = "replace install"
    names = "faucet, tap, mixer tap"
    unit = "each"
    claims = ["Faucet replacement"]
    norms = ["equipo-griferia-lavabo-monomando-primera-calidad"]
    observed = ["…"]

A norm is a row id without its ``wi-``; ``row * 1.68 | one door of 0.80 × 2.10 m`` takes a multiple, with the reason
that becomes part of the row reference. Several norms add up (take out + put in).

Work that has prices in another unit too is one more entry, with ``of = "patch"`` for the key of the first and, by the
piece, ``pieces = "hole, dent"`` for what is counted; its verbs and names are those of the first. Work that is other
work where there is more of it says from how much on, and which: ``beyond = "32 install"``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from server.domain.catalogue import LabourNorm, MaterialNorm, ObservedPrice, PublishedClaim, Task
from server.domain.units import factor
from tools.catalogue.claims import MATERIAL, Claim, comparable, groups, merge
from tools.catalogue.norms import MaterialRow, NormRow, labour_norms, material_norms

FIELDS = {
    "name",
    "verbs",
    "names",
    "unit",
    "claims",
    "norms",
    "observed",
    "height",
    "default",
    "labour_only",
    "covers",
    "companions",
    "hour_of",
    "parts",
    "includes",
    "fitted",
    "of",
    "pieces",
    "beyond",
}
#: What a work has that is priced in another unit too, in whatever unit.
SHARED = ("verbs", "names", "companions", "height", "covers")


@dataclass(frozen=True, slots=True)
class Facts:
    """All fact files, read."""

    norms: Mapping[str, NormRow]
    materials: Mapping[str, MaterialRow]
    english: Mapping[str, str]
    titles: Mapping[str, str]
    claims: Mapping[str, Sequence[Claim]]
    observed: Mapping[str, ObservedPrice]


#: What other kinds of source give for a unit of a task, by task id, country and whether it is labour only.
OtherPrices = Mapping[tuple[str, str, bool], Sequence[Decimal]]


def read_tasks(folder: Path, facts: Facts, others: OtherPrices | None = None) -> list[Task]:
    """All tasks, by file name and order in the file; claims are held against ``others``.

    Raises ``KeyError`` or ``ValueError`` naming a wrong reference.
    """
    tasks = []
    for path in sorted(folder.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for key, entry in table["task"].items():
            try:
                whole = _with_shared(entry, table["task"])
                tasks.append(_task(table["trade"], table.get("occupation", ""), key, whole, facts, others or {}))
            except (KeyError, ValueError) as error:
                raise ValueError(f"{path.name}: task {key}: {error!r}") from error
    return tasks


def _with_shared(entry: Mapping[str, Any], entries: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """A form of another entry's work with what it shares with it."""
    if "of" not in entry:
        return entry
    first = entries[entry["of"]]
    return {**{name: first[name] for name in SHARED if name in first}, **entry}


def _task(trade: str, occupation: str, key: str, entry: Mapping[str, Any], facts: Facts, others: OtherPrices) -> Task:
    unknown = set(entry) - FIELDS
    if unknown:
        raise ValueError(f"unknown fields {sorted(unknown)}")
    unit = entry["unit"]
    labour, materials = _norms(entry.get("norms", ()), unit, occupation, facts)
    task_id = f"{_prefix(trade)}.{key}"
    most, _, beyond = entry.get("beyond", "").partition(" ")
    return Task(
        task_id,
        trade,
        entry["name"],
        tuple(entry["verbs"].split()),
        _listed(entry["names"]),
        unit,
        labour,
        materials,
        tuple(_observed(facts.observed[item], unit) for item in entry.get("observed", ())),
        _claims(task_id, entry.get("claims", ()), unit, facts, others),
        outdoor_height=entry.get("height", False),
        default=entry.get("default", False),
        coats_covered=entry.get("covers", 1),
        labour_only=entry.get("labour_only", False),
        companions=tuple(entry.get("companions", ())),
        hour_of=tuple(entry.get("hour_of", ())),
        parts=tuple(entry.get("parts", ())),
        includes=tuple(entry.get("includes", ())),
        fitted=f"{_prefix(trade)}.{entry['fitted']}" if "fitted" in entry else "",
        of=f"{_prefix(trade)}.{entry['of']}" if "of" in entry else "",
        pieces=_listed(entry.get("pieces", "")),
        most=Decimal(most or 0),
        beyond=f"{_prefix(trade)}.{beyond}" if beyond else "",
    )


def _prefix(trade: str) -> str:
    return re.sub(r"[^a-z]+", "-", trade)


def _listed(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in words.split(",") if name.strip()))


def _norms(
    references: Sequence[str], unit: str, occupation: str, facts: Facts
) -> tuple[tuple[LabourNorm, ...], tuple[MaterialNorm, ...]]:
    labour: list[LabourNorm] = []
    materials: list[MaterialNorm] = []
    for reference in references:
        row, _, rest = reference.partition(" * ")
        stated, _, reason = rest.partition(" | ")
        norm = facts.norms["wi-" + row.strip()]
        times = Decimal(stated) if stated else factor(unit, norm.unit)
        note = f" × {stated} ({reason.strip()})" if stated else ""
        labour += labour_norms(norm, times, note, occupation, facts.titles)
        materials += material_norms(norm, times, note, facts.materials, facts.english)
    return _summed(labour), tuple(materials)


def _summed(lines: Sequence[LabourNorm]) -> tuple[LabourNorm, ...]:
    """One line an occupation and row; the same pair twice adds its hours."""
    hours: dict[tuple[str, str], Decimal] = {}
    first: dict[tuple[str, str], LabourNorm] = {}
    for line in lines:
        pair = (line.occupation, line.row)
        hours[pair] = hours.get(pair, Decimal(0)) + line.hours_per_unit
        first.setdefault(pair, line)
    return tuple(
        LabourNorm(line.occupation, line.occupation_name, hours[pair], line.dataset_id, line.row)
        for pair, line in first.items()
    )


def _observed(price: ObservedPrice, unit: str) -> ObservedPrice:
    times = factor(unit, price.unit)
    return ObservedPrice(
        price.item,
        unit,
        price.currency,
        price.n,
        price.p25 * times,
        price.median * times,
        price.p75 * times,
        price.area_code,
        price.as_of,
        price.dataset_id,
        price.row,
    )


def _claims(
    task_id: str, items: Sequence[str], unit: str, facts: Facts, others: OtherPrices
) -> tuple[PublishedClaim, ...]:
    """Ranges of the named items; rows in another dimension (per room, per visit) belong to other tasks."""
    rows = [
        claim
        for item in items
        for claim in facts.claims[item]
        if claim.kind != MATERIAL and comparable(claim.unit, unit)
    ]
    if items and not rows:
        raise ValueError(f"no figure of {items} is a work price per {unit}")
    return tuple(
        merge(
            group,
            group[0].item,
            unit,
            labour=labour,
            others=others.get((task_id, country, labour), ()),
        )
        for (country, _, labour), group in sorted(groups(rows).items())
    )
