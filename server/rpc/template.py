"""Templates of quotes: kept, listed, changed, deleted."""

from __future__ import annotations

import secrets
from collections import Counter
from decimal import Decimal
from typing import Any

from quotewright.v1 import pricing_pb2, template_pb2

from server import faults
from server.domain import money
from server.domain.draft import LineKind
from server.domain.offer import Template, TemplateLine
from server.domain.price_book.unit_names import unit_code
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.acts import write
from server.rpc.edits import decimal
from server.rpc.layouts import layout_from, layout_message
from server.rpc.once import write_once
from server.rpc.paging import page_size
from server.store import audit, templates
from server.store.audit import Act
from server.store.database import Store
from server.store.templates import MOST_TEMPLATES, StoredTemplate

_RATES = ("tax_rate", "reduced_tax_rate", "margin")
_RATE_DECIMALS, _QTY_DECIMALS = 6, 3


class TemplateService:
    """Keeps templates."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def CreateTemplate(
        self, request: template_pb2.CreateTemplateRequest, call: Call
    ) -> template_pb2.CreateTemplateResponse:
        """A new template: row, audit row and idempotency record in one transaction."""
        template = _template(request.template)

        def effect(act: Act) -> template_pb2.CreateTemplateResponse:
            try:
                stored = templates.create(
                    act.organization_id, f"tpl_{secrets.token_hex(10)}", template, created_by=act.actor, at=act.at
                )
            except templates.TooManyError:
                raise faults.limit_reached(f"An organization has at most {MOST_TEMPLATES} templates.") from None
            audit.record(act, "template:create", f"template:{stored.template_id}")
            return template_pb2.CreateTemplateResponse(template=template_message(stored))

        return await write_once(self._store, call, request, effect, template_pb2.CreateTemplateResponse)

    async def ListTemplates(
        self, request: template_pb2.ListTemplatesRequest, call: Call
    ) -> template_pb2.ListTemplatesResponse:
        """A page, newest first."""
        organization_id, limit = call.caller.organization_id, page_size(request)
        total, rows = await self._store.browse(
            lambda: templates.list_page(organization_id, limit=limit, offset=request.offset)
        )
        return template_pb2.ListTemplatesResponse(
            data=[template_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetTemplate(
        self, request: template_pb2.GetTemplateRequest, call: Call
    ) -> template_pb2.GetTemplateResponse:
        """One template of the caller's organization."""
        organization_id = call.caller.organization_id
        stored = await self._store.browse(lambda: templates.find(organization_id, request.template_id))
        if stored is None:
            raise faults.not_found("template")
        return template_pb2.GetTemplateResponse(template=template_message(stored))

    async def UpdateTemplate(
        self, request: template_pb2.UpdateTemplateRequest, call: Call
    ) -> template_pb2.UpdateTemplateResponse:
        """The template as a whole; not over a change that the caller has not seen."""
        template = _template(request.template)

        def effect(act: Act) -> StoredTemplate:
            try:
                stored = templates.update(
                    act.organization_id, request.template_id, template, version=request.template.version, at=act.at
                )
            except templates.StaleError:
                raise faults.changed_meanwhile("template") from None
            if stored is None:
                raise faults.not_found("template")
            audit.record(act, "template:update", f"template:{stored.template_id}", f"version {stored.version}")
            return stored

        return template_pb2.UpdateTemplateResponse(template=template_message(await write(self._store, call, effect)))

    async def DeleteTemplate(
        self, request: template_pb2.DeleteTemplateRequest, call: Call
    ) -> template_pb2.DeleteTemplateResponse:
        """Gone; quotes keep what they took of it."""

        def effect(act: Act) -> None:
            if not templates.delete(act.organization_id, request.template_id):
                raise faults.not_found("template")
            audit.record(act, "template:delete", f"template:{request.template_id}")

        await write(self._store, call, effect)
        return template_pb2.DeleteTemplateResponse()


def template_message(stored: StoredTemplate) -> template_pb2.Template:
    """A template as answers hold it."""
    template = stored.template
    message = template_pb2.Template(
        template_id=stored.template_id,
        name=template.name,
        intro=template.intro,
        terms=template.terms,
        validity_days=template.validity_days,
        tax_classes=[
            pricing_pb2.TaxRule(kind=kind, tax_class=tax_class)
            for kind, tax_class in sorted(template.tax_classes.items())
        ],
        line_items=[
            template_pb2.TemplateLine(
                description=one.description,
                qty=float(one.qty),
                unit=one.unit,
                price=float(one.price),
                kind=one.kind,
                optional=one.optional,
            )
            for one in template.lines
        ],
        layout=None if template.layout is None else layout_message(template.layout),
        version=stored.version,
        tax_rate=_float(template.tax_rate),
        reduced_tax_rate=_float(template.reduced_tax_rate),
        margin=_float(template.margin),
    )
    message.created_at.FromMicroseconds(stored.created_at)
    message.updated_at.FromMicroseconds(stored.updated_at)
    return message


def _template(message: template_pb2.Template) -> Template:
    """The template that a message says. Raises INVALID_ARGUMENT with everything that is wrong with it."""
    problems: list[FieldViolation] = []
    name = message.name.strip()
    if not name:
        problems.append(FieldViolation("template.name", "string.blank", "must contain more than white space"))
    rates: dict[str, Any] = {
        field.name: _figure(value, _RATE_DECIMALS, f"template.{field.name}", problems)
        for field, value in message.ListFields()
        if field.name in _RATES
    }
    for kind, count in Counter(one.kind for one in message.tax_classes).items():
        if count > 1:
            problems.append(FieldViolation("template.tax_classes", "repeated.unique", f"names {kind} {count} times"))
    lines = tuple(
        _line(one, f"template.line_items[{number}]", problems) for number, one in enumerate(message.line_items)
    )
    layout = layout_from(message.layout, "template.layout", problems) if message.HasField("layout") else None
    if problems:
        raise faults.invalid(*problems)
    return Template(
        name=name,
        intro=message.intro.strip(),
        terms=message.terms.strip(),
        validity_days=message.validity_days if message.HasField("validity_days") else None,
        tax_classes={one.kind: one.tax_class for one in message.tax_classes},
        lines=lines,
        layout=layout,
        **rates,
    )


def _line(message: template_pb2.TemplateLine, field: str, problems: list[FieldViolation]) -> TemplateLine:
    description, unit = message.description.strip(), unit_code(message.unit) or ""
    if not description:
        problems.append(FieldViolation(f"{field}.description", "string.blank", "must contain more than white space"))
    if not unit:
        problems.append(FieldViolation(f"{field}.unit", "unit_unknown", f"there is no unit {message.unit!r}"))
    price = decimal(message.price)
    if money.unit_price(price) != price:
        problems.append(
            FieldViolation(f"{field}.price", "double.decimals", "must have at most 2 decimals, 4 below ten cents")
        )
    return TemplateLine(
        description=description,
        qty=_figure(message.qty, _QTY_DECIMALS, f"{field}.qty", problems),
        unit=unit,
        price=price,
        kind=LineKind(message.kind) if message.kind else LineKind.SERVICE,
        optional=message.optional,
    )


def _float(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def _figure(value: float, decimals: int, field: str, problems: list[FieldViolation]) -> Decimal:
    figure = decimal(value)
    if -int(figure.normalize().as_tuple().exponent) > decimals:
        problems.append(FieldViolation(field, "double.decimals", f"must have at most {decimals} decimals"))
    return figure
