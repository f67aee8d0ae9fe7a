"""Builds the embedded data: ``python -m tools.catalogue.build --shared ../shared/data``.

Runs again with the same bytes as a result; every figure written carries its data set and row.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from pathlib import Path

from server.domain.catalogue import Dataset, LabourBurden, ObservedPrice, Task
from server.embedded import load_embedded
from tools.catalogue import ageing, calibration, comparison, shares, sources, tiers
from tools.catalogue.amounts import read_amounts
from tools.catalogue.claims import Claim, read_claims
from tools.catalogue.exchange import read_rates
from tools.catalogue.norms import OCCUPATIONS, read_materials, read_norms
from tools.catalogue.packs import read_packs
from tools.catalogue.places import read_places
from tools.catalogue.postcodes import read_postcodes
from tools.catalogue.products import read_names, read_products
from tools.catalogue.trades import Facts, read_tasks
from tools.catalogue.wages import read_areas, read_titles, read_wages

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "server" / "data"
REPORT = HERE.parents[1] / "docs" / "price-comparison.md"
CLAIM_FILES = ("published_claims_us.csv", "published_claims_uk_other.csv", "published_claims_sample.csv")
OBSERVED_UNITS = {"EA": "each", "LF": "ft", "SF": "sqft", "kW": "kW"}
CHICAGO_AREA = "0016980"
#: Wages and salaries 30.39 USD, total compensation 43.56 USD per hour worked, construction, June 2022.
ECEC_WAGES, ECEC_TOTAL = Decimal("30.39"), Decimal("43.56")
ECEC_PAGE = (
    "https://www.epi.org/chart/ic-comment-2022-table-1-summary-of-range-of-costs-to-workers-of-independent-contractor-"
    "status-by-representative-occupations-2021-dollars/"
)


def plain(value: object) -> object:
    """A value as JSON: decimals as strings, dataclasses as objects without fields at their default."""
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if is_dataclass(value) and not isinstance(value, type):
        return {
            one.name: plain(getattr(value, one.name))
            for one in fields(value)
            if getattr(value, one.name) != one.default
        }
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value


def lines(records: Iterable[object]) -> str:
    """A JSON list with one record a line, so that a change of one fact is a change of one line."""
    rows = (json.dumps(plain(record), ensure_ascii=False, sort_keys=True, separators=(",", ":")) for record in records)
    return "[\n" + ",\n".join(rows) + "\n]\n"


def read_observed(path: Path) -> dict[str, ObservedPrice]:
    """Observed prices by item."""
    with path.open(encoding="utf-8", newline="") as file:
        return {
            row["item"]: ObservedPrice(
                row["item"],
                OBSERVED_UNITS[row["unit"]],
                "USD",
                int(row["n"]),
                Decimal(row["p25"]),
                Decimal(row["median"]),
                Decimal(row["p75"]),
                CHICAGO_AREA,
                row["last_year"],
                sources.CHICAGO.dataset_id,
                f"{row['item']}: n {row['n']}, {row['first_year']} to {row['last_year']}",
            )
            for row in csv.DictReader(file)
        }


def by_item(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Claims by item, items in order of first appearance."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.item, []).append(claim)
    return found


def burden() -> LabourBurden:
    """Total compensation by wages and salaries, less one: what employing somebody costs on top of the wage."""
    rate = (ECEC_TOTAL / ECEC_WAGES - 1).quantize(Decimal("0.0001"))
    row = (
        f"Construction industry, June 2022: total compensation {ECEC_TOTAL} USD, wages and salaries {ECEC_WAGES} USD "
        f"per hour worked; read at {ECEC_PAGE}"
    )
    return LabourBurden(rate, sources.ECEC.as_of, sources.ECEC.dataset_id, row)


def attribution(datasets: Iterable[Dataset]) -> str:
    """The attribution file."""
    text = [
        "# Sources of the embedded data",
        "",
        "Made by `tools/catalogue`; every figure carries its data set and row.",
        "",
    ]
    for one in datasets:
        text += [
            f"## {one.title}",
            "",
            f"- Id: `{one.dataset_id}`",
            f"- Publisher: {one.publisher}",
            f"- As of: {one.as_of or 'not stated by the source'}",
        ]
        text += [f"- Licence: {one.licence}", *([f"- <{one.url}>"] if one.url else []), ""]
    return "\n".join(text).rstrip() + "\n"


def occupations_of(tasks: Iterable[Task], mapped: Mapping[str, str]) -> set[str]:
    """Occupations whose wages are needed."""
    return {norm.occupation for task in tasks for norm in task.labour} | set(mapped.values())


def build(shared: Path, target: Path, report: Path) -> None:
    """Read the shared files, write `target` and the report on the sources.

    Raises ``OSError`` for a missing file, ``ValueError`` for a wrong reference.
    """
    materials = read_materials(shared / "bcca_materials_es.csv")
    # The last file is ours: what was looked up for work that lacked publishers, read in November 2026.
    stated = read_claims([*(shared / name for name in CLAIM_FILES), HERE / "claims.csv"])
    aged = ageing.fitted(stated)
    print(f"prices stated: {aged.rows} rows, × {aged.yearly} a year up to {aged.year}, × {aged.undated} without a date")
    claims = by_item(aged.brought(stated))
    oews = shared / "oews_trades_2025.csv"
    facts = Facts(
        read_norms(shared / "bcca_norms_es.csv", materials),
        materials,
        read_names(HERE / "products.toml"),
        read_titles(oews),
        claims,
        read_observed(shared / "chicago_observed_prices.csv"),
    )
    tasks = read_tasks(HERE / "trades", facts)
    stepped = tiers.read_tiers(HERE / "tiers.csv")
    scale, without = tiers.fitted(stepped), tiers.left_out(stepped)
    print(
        f"price of a unit: × amount ^ {scale.exponent}, as {scale.publishers} publishers state it; "
        f"{min(without)} to {max(without)} without any one of them"
    )
    areas = read_areas(oews, shared / "labour_factors_2025.csv")
    wages = read_wages(oews, occupations_of(tasks, OCCUPATIONS))
    products = read_products(HERE / "products.toml", materials, claims)
    packs = read_packs(HERE / "packs.toml", claims, {one.name for task in tasks for one in task.materials})
    places = read_places(areas)
    target.mkdir(parents=True, exist_ok=True)
    texts = {
        "tasks.json": lines(tasks),
        "products.json": lines(products),
        "areas.json": lines(areas.values()),
        "rates.json": lines([*read_rates()]),
        "burden.json": lines([burden()]),
        "calibration.json": lines([]),
        "labour_shares.json": lines([]),
        "scale.json": lines([scale]),
        "amounts.json": lines(read_amounts(HERE / "amounts.csv", tasks)),
        "packs.json": lines(packs),
        "datasets.json": lines(sources.ALL),
        "wages.csv": "".join(",".join(row) + "\n" for row in wages),
        "places.tsv": "".join(row.line() + "\n" for row in places),
        "postcodes.tsv": "".join(line + "\n" for line in read_postcodes(places)),
        "ATTRIBUTION.md": attribution(sources.ALL),
    }
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8", newline="\n")
    # What observations make of a task is known only now; claims that they contradict are dropped.
    others = comparison.observed_prices(load_embedded(target).catalogue)
    tasks = read_tasks(HERE / "trades", facts, others)
    (target / "tasks.json").write_text(lines(tasks), encoding="utf-8", newline="\n")
    # And how norms compare with what is left of the claims.
    fitted = calibration.fitted(load_embedded(target).catalogue)
    (target / "calibration.json").write_text(lines([fitted]), encoding="utf-8", newline="\n")
    split = shares.splits(tasks)
    (target / "labour_shares.json").write_text(lines(shares.fitted(split)), encoding="utf-8", newline="\n")
    report.write_text(comparison.report(load_embedded(target).catalogue), encoding="utf-8", newline="\n")
    print(f"{len(tasks)} tasks, {len(products)} products, {len(wages)} wages, {len(areas)} areas → {target.name}")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="folder of the shared fact files")
    parser.add_argument("--target", type=Path, default=DATA, help="folder to write (default: server/data)")
    parser.add_argument("--report", type=Path, default=REPORT, help="page to write (default: docs/price-comparison.md)")
    arguments = parser.parse_args()
    build(arguments.shared, arguments.target, arguments.report)


if __name__ == "__main__":
    main()
