"""Units of work: one table of unit codes with their dimension and exact size, and conversion between them.

Sizes of US customary units follow the international yard and pound agreement of 1959 (1 in = 25.4 mm exactly);
one roofing square is 100 square feet.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Dimension(StrEnum):
    """What a unit measures. Two quantities compare, convert and price only within one dimension."""

    LENGTH = "length"
    AREA = "area"
    VOLUME = "volume"
    MASS = "mass"
    TIME = "time"
    POWER = "power"
    COUNT = "count"
    #: One visit, call-out or job; never multiplied by a count of things.
    LUMP = "lump"


@dataclass(frozen=True, slots=True)
class Unit:
    """``code`` as written in answers; ``size`` in the dimension's first unit below."""

    code: str
    dimension: Dimension
    size: Decimal


def _unit(code: str, dimension: Dimension, size: str) -> Unit:
    return Unit(code, dimension, Decimal(size))


#: Without a quantity only these are priced, as one: a thing, a visit, a job.
ONE_IS_MEANT = frozenset({Dimension.COUNT, Dimension.LUMP})

UNITS: dict[str, Unit] = {
    unit.code: unit
    for unit in (
        _unit("m", Dimension.LENGTH, "1"),
        _unit("ft", Dimension.LENGTH, "0.3048"),
        _unit("in", Dimension.LENGTH, "0.0254"),
        _unit("yd", Dimension.LENGTH, "0.9144"),
        _unit("mm", Dimension.LENGTH, "0.001"),
        _unit("cm", Dimension.LENGTH, "0.01"),
        _unit("mi", Dimension.LENGTH, "1609.344"),
        _unit("km", Dimension.LENGTH, "1000"),
        _unit("m2", Dimension.AREA, "1"),
        _unit("sqft", Dimension.AREA, "0.09290304"),
        _unit("sqyd", Dimension.AREA, "0.83612736"),
        _unit("square", Dimension.AREA, "9.290304"),
        _unit("acre", Dimension.AREA, "4046.8564224"),
        _unit("ha", Dimension.AREA, "10000"),
        _unit("m3", Dimension.VOLUME, "1"),
        _unit("cuft", Dimension.VOLUME, "0.028316846592"),
        _unit("cuyd", Dimension.VOLUME, "0.764554857984"),
        _unit("l", Dimension.VOLUME, "0.001"),
        _unit("gal", Dimension.VOLUME, "0.003785411784"),
        _unit("kg", Dimension.MASS, "1"),
        _unit("lb", Dimension.MASS, "0.45359237"),
        _unit("t", Dimension.MASS, "1000"),
        _unit("ton", Dimension.MASS, "907.18474"),
        _unit("h", Dimension.TIME, "1"),
        _unit("day", Dimension.TIME, "8"),
        _unit("week", Dimension.TIME, "40"),
        _unit("month", Dimension.TIME, "160"),
        _unit("kW", Dimension.POWER, "1"),
        _unit("W", Dimension.POWER, "0.001"),
        _unit("each", Dimension.COUNT, "1"),
        _unit("pair", Dimension.COUNT, "2"),
        _unit("dozen", Dimension.COUNT, "12"),
        _unit("visit", Dimension.LUMP, "1"),
        _unit("job", Dimension.LUMP, "1"),
    )
}


def dimension(code: str) -> Dimension:
    """The dimension of a unit code. Raises ``KeyError`` for a code that is not in the table."""
    return UNITS[code].dimension


def factor(source: str, target: str) -> Decimal:
    """How many ``target`` units one ``source`` unit is. Raises ``ValueError`` across dimensions: an area never prices
    a length."""
    from_unit, to_unit = UNITS[source], UNITS[target]
    if from_unit.dimension is not to_unit.dimension:
        raise ValueError(f"{source} measures {from_unit.dimension}, {target} measures {to_unit.dimension}")
    return from_unit.size / to_unit.size
