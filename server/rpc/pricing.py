"""What an organization decides about its prices: settings and regional factors."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from decimal import Decimal
from typing import Any

from quotewright.v1 import pricing_pb2

from process.clock import now_us
from server import faults
from server.domain.catalogue import Catalogue
from server.domain.regional_factors import FactorFile, Problem, read_factors
from server.domain.regions import COUNTRY_OF, Gazetteer
from server.domain.settings import PricingSettings, RegionalFactor
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.acts import act_of
from server.rpc.edits import decimal
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.paging import page_size
from server.rpc.versions import version_of
from server.store import accounts, audit
from server.store.audit import Act
from server.store.database import Store

#: Settings that are amounts of money; the other figures are rates, hours and sizes.
_CHARGES = frozenset({"minimum_charge", "disposal_charge", "access_charge", "equipment_charge"})
_CHARGE_DECIMALS, _RATE_DECIMALS = 2, 6
_PLAIN = frozenset({"currency", "home_location", "validity_days"})
_LISTS = frozenset({"tax_classes", "packs"})
_FIGURES = tuple(
    field.name
    for field in pricing_pb2.PricingSettings.DESCRIPTOR.fields
    if field.name not in _PLAIN and field.name not in _LISTS
)


class PricingService:
    """Reads and changes what an organization decided about its prices."""

    def __init__(
        self, store: Store, organizations: Organizations, threads: Executor, catalogue: Catalogue, gazetteer: Gazetteer
    ) -> None:
        self._store = store
        self._organizations = organizations
        self._threads = threads
        self._catalogue = catalogue
        self._gazetteer = gazetteer

    async def GetPricingSettings(
        self, _request: pricing_pb2.GetPricingSettingsRequest, call: Call
    ) -> pricing_pb2.GetPricingSettingsResponse:
        """The settings in force."""
        organization_id = call.caller.organization_id
        settings = settings_message(await self._store.read(lambda: _stored(organization_id)))
        return pricing_pb2.GetPricingSettingsResponse(settings=settings, version=version_of(settings))

    async def ReplacePricingSettings(
        self, request: pricing_pb2.ReplacePricingSettingsRequest, call: Call
    ) -> pricing_pb2.ReplacePricingSettingsResponse:
        """All settings at once; the next draft goes by them."""
        pricing = self._settings(request.settings)
        act = act_of(call, now_us())

        def replace() -> None:
            if request.version and request.version != version_of(settings_message(_stored(act.organization_id))):
                raise faults.changed_meanwhile("settings")
            accounts.set_pricing(act.organization_id, pricing)
            audit.record(act, "settings:replace", f"organization:{act.organization_id}")

        await self._store.write(replace)
        settings = settings_message(pricing)
        return pricing_pb2.ReplacePricingSettingsResponse(settings=settings, version=version_of(settings))

    async def ListRegionalFactors(
        self, request: pricing_pb2.ListRegionalFactorsRequest, call: Call
    ) -> pricing_pb2.ListRegionalFactorsResponse:
        """A page of the factors, by country and place."""
        organization_id = call.caller.organization_id
        factors = await self._store.read(lambda: [*accounts.regional_factors(organization_id).values()])
        limit = page_size(request)
        page = factors[request.offset : request.offset + limit]
        return pricing_pb2.ListRegionalFactorsResponse(
            data=[_factor_message(one) for one in page],
            limit=limit,
            offset=request.offset,
            total=len(factors),
            has_more=request.offset + len(page) < len(factors),
        )

    async def ImportRegionalFactors(
        self, request: pricing_pb2.ImportRegionalFactorsRequest, call: Call
    ) -> pricing_pb2.ImportRegionalFactorsResponse:
        """All rows of the file or none; without ``apply`` none. A look at a file writes nothing and uses up no
        Idempotency-Key: the one it came with can apply the file."""
        # Some thousand rows are looked up in the gazetteer: too long for the event loop.
        file = await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: read_factors(request.csv, self._gazetteer, self._catalogue.areas.keys())
        )
        if not request.apply:
            return _import_answer(file, file.problems, applied=False)

        def effect(act: Act) -> pricing_pb2.ImportRegionalFactorsResponse:
            if file.problems:
                return _import_answer(file, file.problems, applied=False)
            accounts.put_regional_factors(act.organization_id, file.factors, act.at, replace=request.replace)
            audit.record(act, "regional_factors:import", f"organization:{act.organization_id}")
            return _import_answer(file, (), applied=True)

        try:
            return await write_once(self._store, call, request, effect, pricing_pb2.ImportRegionalFactorsResponse)
        except accounts.TooManyError as error:
            # Nothing was written, the record neither: with fewer factors the same call may be made again.
            return _import_answer(file, [Problem(0, "", str(error))], applied=False)

    def _settings(self, message: pricing_pb2.PricingSettings) -> PricingSettings:
        """The settings that a message says. Raises INVALID_ARGUMENT with everything that is wrong with it."""
        values: dict[str, Any] = {}
        violations = [*self._place_violations(message), *_twice(message)]
        for name, value in ((field.name, value) for field, value in message.ListFields() if field.name in _FIGURES):
            figure = values[name] = decimal(value)
            most = _CHARGE_DECIMALS if name in _CHARGES else _RATE_DECIMALS
            if -int(figure.normalize().as_tuple().exponent) > most:
                violations.append(
                    FieldViolation(f"settings.{name}", "double.decimals", f"must have at most {most} decimals")
                )
        if violations:
            raise faults.invalid(*violations)
        if message.HasField("validity_days"):
            values["validity_days"] = message.validity_days
        return PricingSettings(
            currency=message.currency,
            home_location=message.home_location.strip(),
            tax_classes={one.kind: one.tax_class for one in message.tax_classes},
            packs={one.material: Decimal(repr(one.size)) for one in message.packs},
            **values,
        )

    def _place_violations(self, message: pricing_pb2.PricingSettings) -> list[FieldViolation]:
        location = message.home_location.strip()
        if not location or self._gazetteer.find(location, COUNTRY_OF.get(message.currency, "US")) is not None:
            return []
        return [FieldViolation("settings.home_location", "place.unknown", "names no place that is known")]


def _import_answer(
    file: FactorFile, problems: Sequence[Problem], *, applied: bool
) -> pricing_pb2.ImportRegionalFactorsResponse:
    return pricing_pb2.ImportRegionalFactorsResponse(
        accepted=len(file.factors),
        applied=applied,
        problems=[pricing_pb2.ImportProblem(line=one.line, column=one.column, message=one.message) for one in problems],
    )


def settings_message(pricing: PricingSettings) -> pricing_pb2.PricingSettings:
    """Settings as a message."""
    stored = ((name, getattr(pricing, name)) for name in _FIGURES)
    figures: dict[str, Any] = {name: float(value) for name, value in stored if value is not None}
    return pricing_pb2.PricingSettings(
        currency=pricing.currency,
        home_location=pricing.home_location,
        validity_days=pricing.validity_days,
        tax_classes=[
            pricing_pb2.TaxRule(kind=kind, tax_class=tax_class)
            for kind, tax_class in sorted(pricing.tax_classes.items())
        ],
        packs=[pricing_pb2.PackRule(material=name, size=float(size)) for name, size in sorted(pricing.packs.items())],
        **figures,
    )


def _stored(organization_id: int) -> PricingSettings:
    row = accounts.find_organization(organization_id)
    if row is None:
        raise faults.not_found("organization")
    return row.pricing


def _twice(message: pricing_pb2.PricingSettings) -> list[FieldViolation]:
    found = []
    for name, keys in (
        ("tax_classes", [one.kind for one in message.tax_classes]),
        ("packs", [one.material for one in message.packs]),
    ):
        found += [
            FieldViolation(f"settings.{name}", "repeated.unique", f"names {key} {count} times")
            for key, count in Counter(keys).items()
            if count > 1
        ]
    return found


def _factor_message(factor: RegionalFactor) -> pricing_pb2.RegionalFactor:
    return pricing_pb2.RegionalFactor(
        country=factor.country,
        place=factor.name,
        factor=float(factor.factor),
        source=factor.source,
        as_of=factor.as_of,
    )
