"""Wages and labour factors of US areas, cut to the occupations that the tasks use."""

from __future__ import annotations

import csv
from collections.abc import Collection
from decimal import Decimal
from pathlib import Path

from server.domain.catalogue import WageArea

NATIONAL = "0000000"


def read_titles(path: Path) -> dict[str, str]:
    """Occupation titles by code."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["soc"]: row["soc_title"] for row in csv.DictReader(file)}


def read_wages(path: Path, occupations: Collection[str]) -> list[tuple[str, str, str, str, str]]:
    """``(area, occupation, p25, p50, p75)`` in file order, for rows with all three quantiles."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            (row["area_code"], row["soc"], row["p25"], row["p50"], row["p75"])
            for row in csv.DictReader(file)
            if row["soc"] in occupations and row["p25"] and row["p50"] and row["p75"]
        ]


def read_areas(wages: Path, factors: Path) -> dict[str, WageArea]:
    """Areas by code. The files call nonmetropolitan areas metropolitan; their names tell them apart."""
    with factors.open(encoding="utf-8", newline="") as file:
        factor_of = {row["area_code"]: row["labour_factor"] for row in csv.DictReader(file)}
    areas: dict[str, WageArea] = {}
    with wages.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["area_code"] not in areas:
                areas[row["area_code"]] = area(row["area_code"], row["area_name"], row["area_type"], factor_of)
    return areas


def area(code: str, name: str, kind: str, factor_of: dict[str, str]) -> WageArea:
    """One area; its state part is the list of postal codes after the comma, or the state's name."""
    if "nonmetropolitan" in name:
        kind = "O"
    state = name.rpartition(", ")[2] if ", " in name else (name if kind == "S" else "")
    factor = factor_of.get(code)
    return WageArea(code, name, kind, state, Decimal(factor) if factor else None)
