"""The one exchange rate in use: euro to dollar (and pound) at the date of the norm edition, from the ECB's history."""

from __future__ import annotations

import csv
import importlib.resources
import io
import zipfile
from decimal import Decimal

from server.domain.catalogue import ExchangeRate
from tools.catalogue.sources import ECB

#: The last banking day of the month that the cost base's edition carries.
DAY = "2024-01-31"


def read_rates(targets: tuple[str, ...] = ("USD", "GBP")) -> list[ExchangeRate]:
    """Rates of one euro on ``DAY``. Raises ``LookupError`` where the history lacks the day."""
    packed = importlib.resources.files("currency_converter").joinpath("eurofxref-hist.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        text = archive.read(archive.namelist()[0]).decode("utf-8")
    for row in csv.DictReader(io.StringIO(text)):
        if row["Date"] == DAY:
            return [_rate(target, row[target]) for target in targets]
    raise LookupError(f"no reference rate on {DAY}")


def _rate(target: str, rate: str) -> ExchangeRate:
    return ExchangeRate("EUR", target, Decimal(rate), DAY, ECB.dataset_id, f"eurofxref-hist {DAY} {target}")
