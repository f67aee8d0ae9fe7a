"""What the company says of itself, its logo, its quotes' defaults, and what it decided about prices."""

from __future__ import annotations

import dataclasses
from typing import Any

from google.api import httpbody_pb2
from quotewright.v1 import pricing_pb2, settings_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.web.portal import forms, layouts
from gateway.web.portal.view import Shown, Visit, new_key, of_this_page, view

_TEXTS = (
    "name",
    "legal_name",
    "address",
    "phone",
    "email",
    "website",
    "registration_number",
    "tax_number",
    "locale",
    "time_zone",
    "terms",
    "payment_details",
)
_LAYOUT = "layout"
_COMPANY = [*_TEXTS, *layouts.names(_LAYOUT)]

_P = "settings."
_RATES = (
    "labour_burden",
    "labour_markup",
    "material_markup",
    "equipment_markup",
    "other_markup",
    "margin",
    "material_waste",
    "tax_rate",
    "reduced_tax_rate",
)
_NUMBERS = (
    "minimum_charge",
    "small_job_factor",
    "small_job_hours",
    "disposal_charge",
    "access_charge",
    "equipment_charge",
)
_KINDS = forms.allowed(pricing_pb2.TaxRule, "kind")
_TAX_CLASSES = forms.allowed(pricing_pb2.TaxRule, "tax_class")
_STANDARD = "standard"
_CURRENCIES = forms.allowed(pricing_pb2.PricingSettings, "currency")
_PACKS = f"{_P}packs"
_PRICES = [
    *(f"{_P}{name}" for name in ("currency", "home_location", "validity_days", *_RATES, *_NUMBERS)),
    *(f"tax.{kind}" for kind in _KINDS),
    _PACKS,
]
#: Characters of an imported file that are shown again for another look.
_FILE_SHOWN = 60_000


async def _company(visit: Visit, problem: Problem | None = None) -> Shown:
    found = await visit.ask("SettingsService/GetSettings", settings_pb2.GetSettingsRequest())
    settings = found.settings
    stored = {name: getattr(settings, name) for name in _TEXTS} | layouts.to_form(settings.layout, _LAYOUT)
    sent = "name" in visit.form
    values = forms.typed(visit, _COMPANY) if sent else stored
    return visit.page(
        "settings.html",
        _kindly(problem),
        settings=settings,
        version=visit.first("version") if sent and not _is_conflict(problem) else settings.version,
        logo=settings.logo if settings.HasField("logo") else None,
        values=values,
        stored=forms.changed_meanwhile(values, stored) if _is_conflict(problem) else {},
        choices=layouts.choices(),
        **_saved(visit),
    )


async def _save_company(visit: Visit) -> Shown:
    typed = forms.typed(visit, _COMPANY)
    texts = {name: typed[name].strip() for name in _TEXTS}
    layout = layouts.from_form(typed, _LAYOUT)
    request = settings_pb2.UpdateSettingsRequest(**texts, layout=layout, version=visit.first("version"))
    try:
        await visit.ask("SettingsService/UpdateSettings", request, new_key())
    except Problem as problem:
        return await _company(visit, of_this_page(problem))
    return Shown(303, location="/settings?saved=1")


async def _logo(visit: Visit) -> Shown:
    found = await visit.ask("SettingsService/GetLogo", settings_pb2.GetLogoRequest())
    picture = found.picture
    return Shown(content=picture.data, content_type=picture.content_type)


async def _put_logo(visit: Visit) -> Shown:
    upload = visit.files.get("picture")
    try:
        if upload is None:
            raise forms.invalid([FieldProblem("picture", "required", "choose a picture, PNG or JPEG")])
        picture = httpbody_pb2.HttpBody(content_type=upload.content_type, data=upload.content)
        await visit.ask("SettingsService/PutLogo", settings_pb2.PutLogoRequest(picture=picture))
    except Problem as problem:
        return await _company(visit, of_this_page(problem))
    return Shown(303, location="/settings?saved=1")


async def _remove_logo(visit: Visit) -> Shown:
    await visit.ask("SettingsService/DeleteLogo", settings_pb2.DeleteLogoRequest())
    return Shown(303, location="/settings?saved=1")


async def _prices(visit: Visit, problem: Problem | None = None) -> Shown:
    found = await visit.ask("PricingService/GetPricingSettings", pricing_pb2.GetPricingSettingsRequest())
    stored = _to_form(found.settings)
    values = forms.typed(visit, _PRICES) if visit.form else stored
    return visit.page(
        "settings_prices.html",
        _kindly(problem),
        version=visit.first("version") if visit.form and not _is_conflict(problem) else found.version,
        currency=values[f"{_P}currency"],
        values=values,
        stored=forms.changed_meanwhile(values, stored) if _is_conflict(problem) else {},
        currencies=forms.options(_CURRENCIES),
        kinds=_KINDS,
        tax_classes=forms.options(_TAX_CLASSES),
        **_saved(visit),
    )


async def _save_prices(visit: Visit) -> Shown:
    try:
        settings = _from_form(visit)
        request = pricing_pb2.ReplacePricingSettingsRequest(settings=settings, version=visit.first("version"))
        await visit.ask("PricingService/ReplacePricingSettings", request)
    except Problem as problem:
        return await _prices(visit, forms.renamed(of_this_page(problem), _PACKS, _PACKS))
    return Shown(303, location="/settings/prices?saved=1")


async def _factors(visit: Visit, problem: Problem | None = None, **more: Any) -> Shown:
    request = pricing_pb2.ListRegionalFactorsRequest(limit=50, offset=visit.offset)
    found = await visit.ask("PricingService/ListRegionalFactors", request)
    return visit.page("settings_factors.html", problem, **({"factors": found, "answer": None, "csv": ""} | more))


async def _import_factors(visit: Visit) -> Shown:
    upload = visit.files.get("file")
    text = visit.first("csv")
    try:
        if upload is not None:
            text = upload.content.decode("utf-8-sig")
        request = pricing_pb2.ImportRegionalFactorsRequest(
            csv=text, apply=visit.first("do") == "import", replace=bool(visit.first("replace"))
        )
        answer = await visit.ask("PricingService/ImportRegionalFactors", request, new_key())
    except UnicodeDecodeError:
        problem = forms.invalid([FieldProblem("csv", "encoding", "must be a text file in UTF-8")])
        return await _factors(visit, problem, csv=text[:_FILE_SHOWN])
    except Problem as problem:
        return await _factors(visit, of_this_page(problem), csv=text[:_FILE_SHOWN])
    again = "" if answer.applied or len(text) > _FILE_SHOWN else text
    return await _factors(visit, answer=answer, csv=again, refused=not answer.applied)


def _to_form(settings: pricing_pb2.PricingSettings) -> dict[str, str]:
    classes = {one.kind: one.tax_class for one in settings.tax_classes}
    return {
        f"{_P}currency": settings.currency,
        f"{_P}home_location": settings.home_location,
        f"{_P}validity_days": forms.optional(settings, "validity_days"),
        **{f"{_P}{name}": forms.optional(settings, name, percent=True) for name in _RATES},
        **{f"{_P}{name}": forms.optional(settings, name) for name in _NUMBERS},
        **{f"tax.{kind}": classes.get(kind, _STANDARD) for kind in _KINDS},
        _PACKS: "\n".join(f"{one.material} = {forms.written(one.size)}" for one in settings.packs),
    }


def _from_form(visit: Visit) -> pricing_pb2.PricingSettings:
    """The settings that were typed. Raises `Problem` for what are no numbers."""
    typed, problems = forms.typed(visit, _PRICES), list[FieldProblem]()
    kind = pricing_pb2.PricingSettings
    figures: dict[str, Any] = {
        name: forms.decimal(typed, f"{_P}{name}", kind, problems, percent=True) for name in _RATES
    }
    figures |= {name: forms.decimal(typed, f"{_P}{name}", kind, problems) for name in _NUMBERS}
    figures["validity_days"] = forms.whole(typed, f"{_P}validity_days", kind, problems)
    packs = _packs(typed[_PACKS], problems)
    if problems:
        raise forms.invalid(problems)
    return pricing_pb2.PricingSettings(
        currency=typed[f"{_P}currency"],
        home_location=typed[f"{_P}home_location"].strip(),
        tax_classes=[
            pricing_pb2.TaxRule(kind=kind, tax_class=typed[f"tax.{kind}"])
            for kind in _KINDS
            if typed[f"tax.{kind}"] != _STANDARD
        ],
        packs=packs,
        **{name: value for name, value in figures.items() if value is not None},
    )


def _packs(text: str, problems: list[FieldProblem]) -> list[pricing_pb2.PackRule]:
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        material, sign, size = (part.strip() for part in line.rpartition("="))
        if not line.strip():
            continue
        read = list[FieldProblem]()
        value = forms.decimal({"size": size}, "size", pricing_pb2.PackRule, read)
        if not material or not sign or value is None or read:
            problems.append(
                FieldProblem(_PACKS, "malformed", f"line {number} must be a material, = and a size, as in the example")
            )
            continue
        found.append(pricing_pb2.PackRule(material=material, size=value))
    return found


def _is_conflict(problem: Problem | None) -> bool:
    return problem is not None and problem.reason == "changed_meanwhile"


def _kindly(problem: Problem | None) -> Problem | None:
    if problem is None or not _is_conflict(problem):
        return problem
    message = (
        "Somebody else has saved these settings meanwhile. What you typed is still here, and beside it what is stored "
        "where it differs. Save again to put yours in its place."
    )
    return dataclasses.replace(problem, message=message)


def _saved(visit: Visit) -> dict[str, Any]:
    return {"editable": visit.user.role == "owner"} | ({"notice": "Saved."} if "saved" in visit.query else {})


VIEWS = (
    view("/settings", _company, _save_company, feeds="SettingsService/UpdateSettings", menu="Settings"),
    view("/settings/logo", _logo, _put_logo, feeds="SettingsService/PutLogo"),
    view("/settings/logo/remove", take=_remove_logo),
    view("/settings/prices", _prices, _save_prices, feeds="PricingService/ReplacePricingSettings"),
    view(
        "/settings/regional-factors",
        _factors,
        _import_factors,
        feeds="PricingService/ImportRegionalFactors",
    ),
)
