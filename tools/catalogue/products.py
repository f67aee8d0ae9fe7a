"""Reads the hand-written product table: materials of the cost base under names of ours, and claimed material prices."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from server.domain.catalogue import Product
from tools.catalogue.claims import MATERIAL, Claim, groups, merge
from tools.catalogue.norms import MaterialRow
from tools.catalogue.sources import BCCA

#: The table of the file that names claimed items, and the one of materials that nobody asks for by themselves.
CLAIMED, PARTS = "claimed", "parts"


def read_names(path: Path) -> dict[str, str]:
    """English names by material id."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return {"mt-" + row[0]: row[1] for name, rows in table.items() if name != CLAIMED for row in rows}


def read_products(
    path: Path, materials: Mapping[str, MaterialRow], claims: Mapping[str, Sequence[Claim]]
) -> list[Product]:
    """Products of both sources, in order of their ids.

    Raises ``KeyError`` for an id that the base has not, and for a claimed item without a category.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    found = [
        _base_product(category, row, materials["mt-" + row[0]])
        for category, rows in table.items()
        if category not in {CLAIMED, PARTS}
        for row in rows
    ]
    categories = {item: category for category, items in table[CLAIMED].items() for item in items}
    for item, rows in claims.items():
        stated = [claim for claim in rows if claim.kind == MATERIAL]
        for _, group in sorted(groups(stated).items()):
            found.append(_claimed_product(item, categories[item], group))
    return sorted(found, key=lambda product: product.product_id)


def _base_product(category: str, row: Sequence[str], material: MaterialRow) -> Product:
    name, names = row[1], tuple(one.strip() for one in row[2].split(",")) if len(row) > 2 else ()
    return Product(
        material.row,
        name,
        names,
        category,
        material.unit,
        material.price,
        material.price,
        material.price,
        "EUR",
        "ES",
        BCCA.as_of,
        (BCCA.publisher,),
        (material.row,),
        BCCA.dataset_id,
    )


def _claimed_product(item: str, category: str, group: Sequence[Claim]) -> Product:
    merged = merge(group, item, group[0].unit, labour=False)
    slug = re.sub(r"[^a-z0-9]+", "-", item.lower()).strip("-")
    return Product(
        f"claim-{slug}-{merged.country.lower()}",
        item,
        (),
        category,
        merged.unit,
        merged.mid,
        merged.low,
        merged.high,
        merged.currency,
        merged.country,
        merged.as_of,
        merged.publishers,
        merged.rows,
        merged.dataset_id,
    )
