"""Labour hours and materials per unit of work, out of the Andalusian cost base.

What a row's list price leaves after its itemised materials and its person-hours at the base's own hourly rates is what
it prices without itemising: mortar, concrete, plant, disposal. That rest is carried as one material line, so that the
work does not look cheap.

Rule for outliers: a row is dropped where the rest is below -2 % of the list price (the parts cost more than the whole)
or above 40 % of it (hours and materials do not explain the price: partition demolition at 95.67 €/m² and its like), and
where a material has no price.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from server.domain.catalogue import LabourNorm, MaterialNorm
from tools.catalogue.sources import BCCA

SMALLEST_REST, LARGEST_REST = Decimal("-0.02"), Decimal("0.40")
#: A rest below this share of the list price is rounding.
ROUNDING = Decimal("0.01")
REST_NAME = "Mortar, concrete, plant, disposal: priced by the row, not itemised"
#: Hourly rates of the base in euro, solved from its rows with one labour line and all materials itemised (for example
#: 227 of 257 rows of plumbers and 183 of 193 of electricians give 23.17). They serve to find the rest, never a price.
FIRST_GRADE, SECOND_GRADE, HELPER, PLAIN = Decimal("23.17"), Decimal("22.62"), Decimal("22.38"), Decimal("22.00")
LABOURER = "472061"
#: Materials of the base that are no materials: what takes the rubble away.
DISPOSAL = re.compile(r"mt-(?:contenedor|canon-gestion|canon-vertido|transporte-interior)")
#: A crew line counts one skilled person and one labourer: two person-hours an hour.
CREW = "cuadrilla"
#: Spanish labour id → BLS occupation; the trade's own occupation where the id names only a grade.
OCCUPATIONS: dict[str, str] = {
    "mo-peon-especial": LABOURER,
    "mo-ayudante": LABOURER,
    "mo-ayudante-especialista": LABOURER,
    "mo-cuadrilla-albanileria-formada-por-oficial-1-y-peon-esp": "472021",
    "mo-cuadrilla-albanileria-formada-por-oficial-2-y-peon-esp": "472021",
    "mo-cuadrilla-formada-por-oficial-1-carpinteria-y-ayudante": "472031",
    "mo-of-1-fontanero": "472152",
    "mo-of-1-electricista": "472111",
    "mo-of-1-cerrajero-chapista": "472211",
    "mo-of-1-calefactor-o-mecanico": "499021",
    "mo-of-1-albanileria": "472021",
    "mo-of-1-carpinteria": "472031",
    "mo-of-1-montador-carpinteria": "472031",
    "mo-ayudante-carpinteria": "473012",
    "mo-of-1-solador": "472044",
    "mo-of-1-alicatador": "472044",
    "mo-of-1-ferrallista": "472171",
    "mo-of-1-cristalero": "472121",
    "mo-of-1-impermeabilizador": "472181",
    "mo-of-1-pintor": "472141",
    "mo-of-2-pintor": "472141",
    "mo-of-1-encofrador": "472031",
    "mo-of-1-jardinero": "373011",
    "mo-of-1-yesero": "472161",
    "mo-of-1-escayolista": "472161",
}
UNIT_CODES = {
    "u": "each",
    "m2": "m2",
    "m": "m",
    "ml": "m",
    "m3": "m3",
    "kg": "kg",
    "t": "t",
    "l": "l",
    "h": "h",
    "tm": "t",
    "mu": "each",
}
#: Materials priced by the thousand.
THOUSAND = "mu"


@dataclass(frozen=True, slots=True)
class NormRow:
    """One work item: person-hours by Spanish labour id, materials by id, price date of the row."""

    row: str
    summary: str
    unit: str
    price_date: str
    labour: tuple[tuple[str, Decimal], ...]
    materials: tuple[tuple[str, Decimal], ...]
    #: Euro per unit that the row prices without itemising; 0 where it is rounding.
    rest: Decimal


@dataclass(frozen=True, slots=True)
class MaterialRow:
    """One material with its dated euro price per ``unit``; ``pieces`` of them are one unit of the base."""

    row: str
    summary: str
    unit: str
    price: Decimal
    pieces: Decimal = Decimal(1)


def read_materials(path: Path) -> dict[str, MaterialRow]:
    """Materials by id; a row without a price is left out."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [_material(row) for row in csv.DictReader(file) if row["price_eur"]]
    return {row.row: row for row in rows if row.price > 0}


def _material(row: Mapping[str, str]) -> MaterialRow:
    pieces = Decimal(1000 if row["unit"] == THOUSAND else 1)
    unit = UNIT_CODES.get(row["unit"], row["unit"])
    return MaterialRow(row["id"], row["summary_es"], unit, Decimal(row["price_eur"]) / pieces, pieces)


def base_rate(labour_id: str) -> Decimal:
    """The base's own euro an hour of one labour line; a crew is its two people."""
    second = "oficial-2" in labour_id or "of-2-" in labour_id
    skilled = SECOND_GRADE if second else FIRST_GRADE
    if CREW in labour_id:
        return skilled + (HELPER if "ayudante" in labour_id else PLAIN)
    if "ayudante" in labour_id:
        return HELPER
    return PLAIN if "peon" in labour_id else skilled


def read_norms(path: Path, materials: Mapping[str, MaterialRow]) -> dict[str, NormRow]:
    """Work items by id that pass the rule above."""
    norms = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            labour = tuple((str(one), Decimal(str(hours))) for one, hours in json.loads(row["labour_json"]))
            parts = tuple((str(one), Decimal(str(qty))) for one, qty in json.loads(row["materials_json"]))
            price = Decimal(row["list_price_eur"] or 0)
            if not labour or price <= 0 or any(one not in materials for one, _ in parts):
                continue
            rest = price - sum((base_rate(one) * hours for one, hours in labour), Decimal(0))
            rest -= sum((materials[one].price * materials[one].pieces * qty for one, qty in parts), Decimal(0))
            if SMALLEST_REST * price <= rest <= LARGEST_REST * price:
                unit = UNIT_CODES.get(row["unit"], row["unit"])
                kept = rest.quantize(Decimal("0.01")) if rest > ROUNDING * price else Decimal(0)
                norms[row["id"]] = NormRow(row["id"], row["summary_es"], unit, row["price_date"], labour, parts, kept)
    return norms


def occupation_of(labour_id: str, trade_occupation: str) -> str:
    """The BLS occupation of a labour id; the trade's own where the id names only a grade (foreman, fitter, setter)."""
    return OCCUPATIONS.get(labour_id, trade_occupation)


def labour_norms(
    norm: NormRow, times: Decimal, note: str, trade_occupation: str, titles: Mapping[str, str]
) -> list[LabourNorm]:
    """Person-hours of ``times`` units of a work item, crew lines split into the skilled person and the labourer."""
    lines = []
    for labour_id, hours in norm.labour:
        people = [occupation_of(labour_id, trade_occupation)]
        if CREW in labour_id:
            people.append(LABOURER)
        lines += [
            LabourNorm(one, titles[one], hours * times, BCCA.dataset_id, norm.row + note) for one in people if hours
        ]
    return lines


def material_norms(
    norm: NormRow, times: Decimal, note: str, materials: Mapping[str, MaterialRow], english: Mapping[str, str]
) -> list[MaterialNorm]:
    """Materials of ``times`` units of a work item at their euro price as of the row's price date."""
    date = norm.price_date or BCCA.as_of
    lines = [
        MaterialNorm(
            english.get(one, materials[one].summary.capitalize()),
            qty * materials[one].pieces * times,
            materials[one].unit,
            materials[one].price,
            "EUR",
            date,
            BCCA.dataset_id,
            f"{norm.row}{note} / {one}",
            cost="disposal" if DISPOSAL.match(one) else "material",
        )
        for one, qty in norm.materials
        if qty
    ]
    if norm.rest:
        lines.append(
            MaterialNorm(
                REST_NAME,
                times,
                norm.unit,
                norm.rest,
                "EUR",
                date,
                BCCA.dataset_id,
                f"{norm.row}{note} / rest",
                cost="other",
            )
        )
    return lines
