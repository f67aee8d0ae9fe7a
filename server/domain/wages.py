"""What labour costs at a place: the trade's own wage there, else one scaled, else a wider one, else none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from server.domain.catalogue import Catalogue, Place, Wage, WageArea
from server.domain.draft import Coverage
from server.domain.regions import US_STATES, place_keys
from server.domain.settings import RegionalFactor

NATIONAL = "0000000"
#: The data set of `WageArea.labour_factor`.
FACTORS = "labour-factors-2025"
Factors = Mapping[tuple[str, str], RegionalFactor]


@dataclass(frozen=True, slots=True)
class LocalWage:
    """A stored wage, and the factor that brings it to the place: an area's own, an imported one, or none."""

    wage: Wage
    coverage: Coverage
    area: WageArea | None = None
    imported: RegionalFactor | None = None

    @property
    def factor(self) -> Decimal | None:
        """The factor on the stored wage; None where it holds as it is."""
        if self.imported is not None:
            return self.imported.factor
        return self.area.labour_factor if self.area is not None else None

    @property
    def scaled(self) -> Wage:
        """The wage at the place; its row tells the factor."""
        times = self.factor
        if times is None:
            return self.wage
        wage, area = self.wage, self.area
        note = (
            f"labour factor {times} of {area.name} ({area.area_code})"
            if area is not None
            else f"regional factor {times} of {self.imported.name if self.imported else ''}"
        )
        return replace(
            wage,
            area_code=area.area_code if area is not None else wage.area_code,
            p25=wage.p25 * times,
            p50=wage.p50 * times,
            p75=wage.p75 * times,
            row=f"{wage.row} × {note}",
        )


def imported_factor(place: Place | None, factors: Factors) -> RegionalFactor | None:
    """The organization's own factor for a place, the nearest of town, postcode, wage area, state and country."""
    if place is None or not factors:
        return None
    keys = place_keys(place)
    return next((factors[place.country, key] for key in keys if (place.country, key) in factors), None)


def local_wage(
    catalogue: Catalogue, place: Place | None, occupation: str, factors: Factors | None = None
) -> LocalWage | None:
    """The hourly wage of an occupation at a place.

    An imported factor on the national wage → the trade's own wage in the area (``measured`` where the area is named
    after the place) → the national wage × the area's labour factor → the state's wage → the national one, all
    ``interpolated``. None outside the US, where no wages are stored. Without a place the national wage stands in.
    """
    if place is not None and place.country != "US":
        return None
    national = catalogue.wages.get((NATIONAL, occupation))
    imported = imported_factor(place, factors or {})
    if imported is not None and national is not None:
        return LocalWage(national, Coverage.INTERPOLATED, imported=imported)
    area_code = place.wage_area if place is not None else NATIONAL
    own = catalogue.wages.get((area_code, occupation))
    if own is not None:
        measured = place is not None and place.wage_basis == "principal"
        return LocalWage(own, Coverage.MEASURED if measured else Coverage.INTERPOLATED)
    area = catalogue.areas.get(area_code)
    if national is not None and area is not None and area.labour_factor is not None:
        return LocalWage(national, Coverage.INTERPOLATED, area=area)
    state = catalogue.wages.get((_state_area(catalogue, place), occupation)) if place is not None else None
    found = state or national
    return LocalWage(found, Coverage.INTERPOLATED) if found is not None else None


def factor_area(catalogue: Catalogue, area_code: str) -> WageArea | None:
    """The wage area whose labour factor holds in an area: itself, else its state; None where neither has one."""
    area = catalogue.areas.get(area_code)
    if area is None or area.labour_factor is not None:
        return area
    name = US_STATES.get(area.state.split("-")[0], area.state)
    state = next((one for one in catalogue.areas.values() if one.kind == "S" and one.name == name), None)
    return state if state is not None and state.labour_factor is not None else None


def _state_area(catalogue: Catalogue, place: Place) -> str:
    state = US_STATES.get(place.admin, "")
    return next((one.area_code for one in catalogue.areas.values() if one.kind == "S" and one.name == state), "")
