"""Templates of quotes: kinds of quotes that the company makes again and again."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from quotewright.v1 import pricing_pb2, template_pb2

from gateway.envelope import FieldProblem, Problem
from gateway.web.portal import forms, layouts
from gateway.web.portal.view import Shown, Visit, of_this_page, view

_P = "template."
_TEXTS = ("name", "intro", "terms")
_RATES = ("tax_rate", "reduced_tax_rate", "margin")
_KINDS = forms.allowed(pricing_pb2.TaxRule, "kind")
_TAX_CLASSES = forms.allowed(pricing_pb2.TaxRule, "tax_class")
_LINE_KINDS = forms.allowed(template_pb2.TemplateLine, "kind")
_LAYOUT = f"{_P}layout"
_PLAIN = [
    *(f"{_P}{name}" for name in (*_TEXTS, "validity_days", *_RATES)),
    *(f"tax.{kind}" for kind in _KINDS),
    *layouts.names(_LAYOUT),
    "own_layout",
]
_COLUMNS = ("description", "qty", "unit", "price", "kind", "optional")
_LINE = re.compile(r"template\.line_items\[([0-9]{1,3})\]\.([a-z]+)")
_NEW_LINE = dict.fromkeys(_COLUMNS, "") | {"qty": "1", "kind": "service"}
#: Empty lines at the end of a form, and those that are added on request.
_EMPTY, _MORE = 2, 5
_MOST_LINES = 50


async def _templates(visit: Visit) -> Shown:
    request = template_pb2.ListTemplatesRequest(limit=50, offset=visit.offset)
    found = await visit.ask("TemplateService/ListTemplates", request)
    return visit.page("templates.html", templates=found, editable=_may_edit(visit))


async def _new(visit: Visit) -> Shown:
    return await _form(visit, template_pb2.Template(), None)


async def _make(visit: Visit) -> Shown:
    if visit.first("do") == "lines":
        return await _form(visit, template_pb2.Template(), None, more=_MORE)
    try:
        request = template_pb2.CreateTemplateRequest(template=_from_form(visit))
        made = await visit.ask("TemplateService/CreateTemplate", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _form(visit, template_pb2.Template(), of_this_page(problem))
    return Shown(303, location=f"/templates/{made.template.template_id}?saved=1")


async def _template(visit: Visit, problem: Problem | None = None, more: int = _EMPTY) -> Shown:
    request = template_pb2.GetTemplateRequest(template_id=visit.variables["template_id"])
    found = await visit.ask("TemplateService/GetTemplate", request)
    return await _form(visit, found.template, problem, more=more)


async def _save(visit: Visit) -> Shown:
    if visit.first("do") == "lines":
        return await _template(visit, more=_MORE)
    template_id = visit.variables["template_id"]
    try:
        request = template_pb2.UpdateTemplateRequest(template_id=template_id, template=_from_form(visit))
        await visit.ask("TemplateService/UpdateTemplate", request)
    except Problem as problem:
        return await _template(visit, of_this_page(problem))
    return Shown(303, location=f"/templates/{template_id}?saved=1")


async def _delete(visit: Visit) -> Shown:
    request = template_pb2.DeleteTemplateRequest(template_id=visit.variables["template_id"])
    await visit.ask("TemplateService/DeleteTemplate", request)
    return Shown(303, location="/templates")


async def _form(visit: Visit, template: template_pb2.Template, problem: Problem | None, *, more: int = _EMPTY) -> Shown:
    """A template in its form: as it is stored, or as it was typed."""
    pricing = await visit.ask("PricingService/GetPricingSettings", pricing_pb2.GetPricingSettingsRequest())
    conflict = problem is not None and problem.reason == "changed_meanwhile"
    stored = _to_form(template)
    lines = [_line_to_form(one) for one in template.line_items]
    values, shown = (forms.typed(visit, _PLAIN), _lines(visit)) if visit.form else (stored, lines)
    if problem is not None and conflict:
        message = (
            "Somebody else has saved this template meanwhile. What you typed is still here, and beside it what is "
            "stored where it differs. Save again to put yours in its place."
        )
        problem = dataclasses.replace(problem, message=message)
    empty = min(_MOST_LINES - len(shown), more) if _may_edit(visit) else 0
    context: dict[str, Any] = {
        "known": template,
        "version": str(template.version) if conflict or not visit.form else visit.first("version"),
        "values": values,
        "stored": forms.changed_meanwhile(values, stored) if conflict else {},
        "stored_lines": lines if conflict and lines != shown else [],
        "lines": [*shown, *([_NEW_LINE] * empty)],
        "editable": _may_edit(visit),
        "choices": layouts.choices(),
        "kinds": _KINDS,
        "line_kinds": _LINE_KINDS,
        "tax_classes": forms.options(_TAX_CLASSES),
        "currency": pricing.settings.currency,
    }
    if "saved" in visit.query:
        context["notice"] = "Saved."
    return visit.page("template.html", problem, refused=visit.returned, **context)


def _to_form(template: template_pb2.Template) -> dict[str, str]:
    classes = {one.kind: one.tax_class for one in template.tax_classes}
    own = template.HasField("layout")
    return {
        **{f"{_P}{name}": getattr(template, name) for name in _TEXTS},
        f"{_P}validity_days": forms.optional(template, "validity_days"),
        **{f"{_P}{name}": forms.optional(template, name, percent=True) for name in _RATES},
        **{f"tax.{kind}": classes.get(kind, "") for kind in _KINDS},
        **layouts.to_form(template.layout if own else layouts.DEFAULT, _LAYOUT),
        "own_layout": layouts.TICKED if own else "",
    }


def _line_to_form(line: template_pb2.TemplateLine) -> dict[str, str]:
    return {
        "description": line.description,
        "qty": forms.written(line.qty),
        "unit": line.unit,
        "price": forms.written(line.price),
        "kind": line.kind,
        "optional": layouts.TICKED if line.optional else "",
    }


def _lines(visit: Visit) -> list[dict[str, str]]:
    """The lines that were typed, in their order; those without a description and a price are left out."""
    rows: dict[int, dict[str, str]] = {}
    for name, values in visit.form.items():
        found = _LINE.fullmatch(name)
        if found is not None and found[2] in _COLUMNS:
            rows.setdefault(int(found[1]), dict.fromkeys(_COLUMNS, ""))[found[2]] = values[0]
    return [row for _, row in sorted(rows.items()) if row["description"].strip() or row["price"].strip()]


def _from_form(visit: Visit) -> template_pb2.Template:
    """The template that was typed. Raises `Problem` for what are no numbers."""
    typed, problems = forms.typed(visit, _PLAIN), list[FieldProblem]()
    kind = template_pb2.Template
    figures: dict[str, Any] = {
        name: forms.decimal(typed, f"{_P}{name}", kind, problems, percent=True) for name in _RATES
    }
    figures["validity_days"] = forms.whole(typed, f"{_P}validity_days", kind, problems)
    lines = [_line(row, f"{_P}line_items[{number}]", problems) for number, row in enumerate(_lines(visit))]
    version = visit.first("version")
    if problems:
        raise forms.invalid(problems)
    texts: dict[str, Any] = {name: typed[f"{_P}{name}"].strip() for name in _TEXTS}
    return template_pb2.Template(
        **texts,
        tax_classes=[
            pricing_pb2.TaxRule(kind=kind, tax_class=typed[f"tax.{kind}"]) for kind in _KINDS if typed[f"tax.{kind}"]
        ],
        line_items=lines,
        layout=layouts.from_form(typed, _LAYOUT) if typed["own_layout"] else None,
        version=int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else 0,
        **{name: value for name, value in figures.items() if value is not None},
    )


def _line(row: dict[str, str], path: str, problems: list[FieldProblem]) -> template_pb2.TemplateLine:
    typed = {f"{path}.{name}": value for name, value in row.items()}
    kind = template_pb2.TemplateLine
    figures = {name: forms.decimal(typed, f"{path}.{name}", kind, problems) for name in ("qty", "price")}
    problems.extend(
        FieldProblem(f"{path}.{name}", "required", "is missing")
        for name, value in figures.items()
        if value is None and not row[name].strip()
    )
    return template_pb2.TemplateLine(
        description=row["description"].strip(),
        qty=figures["qty"] or 0,
        unit=row["unit"].strip(),
        price=figures["price"] or 0,
        kind=row["kind"],
        optional=bool(row["optional"]),
    )


def _may_edit(visit: Visit) -> bool:
    return visit.user.role in ("editor", "owner")


VIEWS = (
    view("/templates", _templates, _make, feeds="TemplateService/CreateTemplate", menu="Templates"),
    view("/templates/new", _new),
    view("/templates/{template_id}", _template, _save, feeds="TemplateService/UpdateTemplate"),
    view("/templates/{template_id}/delete", take=_delete),
)
