"""Loads the data embedded in `server/data/`: the catalogue and the gazetteer, versioned by the hash of their files."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from server.domain.catalogue import (
    AmountScale,
    Catalogue,
    Dataset,
    ExchangeRate,
    LabourBurden,
    LabourNorm,
    LabourOfTrade,
    MaterialNorm,
    NormCalibration,
    ObservedPrice,
    OrdinaryAmount,
    Pack,
    Product,
    PublishedClaim,
    Task,
    Wage,
    WageArea,
    charge_out_rates,
)
from server.domain.regions import Gazetteer

DATA = Path(__file__).parent / "data"
FILES = (
    "amounts.json",
    "areas.json",
    "burden.json",
    "calibration.json",
    "datasets.json",
    "labour_shares.json",
    "packs.json",
    "places.tsv",
    "postcodes.tsv",
    "products.json",
    "proofreading/words.txt",
    "rates.json",
    "scale.json",
    "tasks.json",
    "wages.csv",
)
#: How many of the most frequent words are never taken for a slip of another, and letters of the shortest that is.
EVERYDAY_WORDS, SHORTEST_SLIP = 40_000, 5
#: The data set of the wage table, whose rows carry only area, occupation and quantiles.
WAGE_DATASET = "bls-oews-2025-05"
_DECIMALS = {
    "hours_per_unit",
    "qty_per_unit",
    "unit_cost",
    "waste",
    "p25",
    "median",
    "p75",
    "low",
    "mid",
    "high",
    "price",
    "labour_factor",
    "share",
    "rate",
    "size",
    "labour_times",
    "setup_hours",
    "exponent",
    "amount",
    "most",
}
_PARTS: dict[str, type[Any]] = {
    "labour": LabourNorm,
    "materials": MaterialNorm,
    "observed": ObservedPrice,
    "claims": PublishedClaim,
}


@dataclass(frozen=True, slots=True)
class Embedded:
    """What `load_embedded` gives. ``version`` is the first 16 hex digits of the SHA-256 over all data files."""

    catalogue: Catalogue
    gazetteer: Gazetteer
    version: str


def load_embedded(folder: Path = DATA) -> Embedded:
    """Load catalogue and gazetteer. ``OSError`` for a missing file, ``ValueError`` or ``KeyError`` for a broken one."""
    texts = {name: (folder / name).read_bytes() for name in FILES}
    version = data_version(texts)
    wages, dates = {}, {row["dataset_id"]: row["as_of"] for row in json.loads(texts["datasets.json"])}
    for area, occupation, p25, p50, p75 in csv.reader(texts["wages.csv"].decode().splitlines()):
        wages[area, occupation] = Wage(
            area,
            occupation,
            Decimal(p25),
            Decimal(p50),
            Decimal(p75),
            "USD",
            dates[WAGE_DATASET],
            WAGE_DATASET,
            f"{area}/{occupation}",
        )
    rates = _records(ExchangeRate, texts["rates.json"])
    tasks: list[Task] = _records(Task, texts["tasks.json"])
    catalogue = Catalogue(
        version,
        {one.dataset_id: one for one in _records(Dataset, texts["datasets.json"])},
        {one.task_id: one for one in tasks},
        {one.area_code: one for one in _records(WageArea, texts["areas.json"])},
        wages,
        {(one.source, one.target): one for one in rates},
        {one.product_id: one for one in _records(Product, texts["products.json"])},
        _records(LabourBurden, texts["burden.json"])[0],
        next(iter(_records(NormCalibration, texts["calibration.json"])), None),
        {one.trade: one for one in _records(LabourOfTrade, texts["labour_shares.json"])},
        next(iter(_records(AmountScale, texts["scale.json"])), None),
        {(one.task_id, one.country): one for one in _records(OrdinaryAmount, texts["amounts.json"])},
        {(one.material, one.country): one for one in _records(Pack, texts["packs.json"])},
        charge_out_rates(tasks),
        frozenset(
            word
            for word in texts["proofreading/words.txt"].decode().splitlines()[:EVERYDAY_WORDS]
            if len(word) >= SHORTEST_SLIP
        ),
    )
    gazetteer = Gazetteer(texts["places.tsv"].decode().splitlines(), texts["postcodes.tsv"].decode())
    return Embedded(catalogue, gazetteer, version)


def data_version(texts: Mapping[str, bytes]) -> str:
    """The version of a set of data files by name: names and bytes count, order does not."""
    digest = hashlib.sha256()
    for name in sorted(texts):
        digest.update(name.encode() + b"\0" + hashlib.sha256(texts[name]).digest())
    return digest.hexdigest()[:16]


def _records(kind: type[Any], text: bytes) -> list[Any]:
    return [_record(kind, row) for row in json.loads(text)]


def _record(kind: type[Any], row: Mapping[str, Any]) -> Any:
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name in _PARTS and kind is Task:
            values[name] = tuple(_record(_PARTS[name], one) for one in value)
        elif name in _DECIMALS:
            values[name] = Decimal(value) if value is not None else None
        elif isinstance(value, list):
            values[name] = tuple(value)
        else:
            values[name] = value
    return kind(**values)
