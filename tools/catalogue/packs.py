"""Reads the table of packs and resolves the claim that states each size."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from server.domain.catalogue import Pack
from tools.catalogue.claims import Claim
from tools.catalogue.sources import CLAIMS


def read_packs(path: Path, claims: Mapping[str, Sequence[Claim]], materials: Collection[str]) -> list[Pack]:
    """All packs. Raises ``ValueError`` for a material that no norm uses or a claim that does not exist."""
    packs = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["pack"]:
        stated = [claim for claim in claims.get(entry["claim"], ()) if claim.country == entry["country"]]
        if not stated or entry["material"] not in materials:
            raise ValueError(f"{path.name}: no claim or no material for {entry}")
        packs.append(
            Pack(
                entry["material"],
                Decimal(entry["size"]),
                entry["unit"],
                entry["name"],
                entry["country"],
                stated[0].date,
                CLAIMS.dataset_id,
                stated[0].reference,
            )
        )
    return packs
