"""The two workloads: what is asked, and the one answer that every contender gives.

"price" is POST /api/v1/sourcing/price, 116 B in and about 1 kB out; "quote" is POST /api/v1/quotes/generate, 3.6 kB
in and about 3.9 kB out. The answers are messages of this project's protos, so that each contender has the real
fields to decode and encode; no engine runs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from quotewright.v1 import quote_pb2, sourcing_pb2


@dataclass(frozen=True, slots=True)
class Workload:
    """One kind of request. ``answer`` is the JSON value that a right answer decodes to."""

    name: str
    path: str
    body: bytes
    answer: dict[str, Any]


def _source(kind: str, row: str, name: str) -> quote_pb2.PriceSource:
    component = quote_pb2.PriceComponent(
        kind="labour",
        description="Painter, hourly wage with on-costs",
        quantity=0.021,
        unit="h",
        rate=41.35,
        amount=0.86835,
        dataset="wages-2025",
        row="47-2141/34980",
        as_of="2025-05",
    )
    return quote_pb2.PriceSource(
        kind=kind,
        row=row,
        name=name,
        supplier="Open cost norms",
        place="Nashville-Davidson, TN",
        coverage="measured",
        region_factor=0.94,
        as_of="2026-06",
        licence="CC-BY-4.0",
        components=[component],
    )


def _line(number: int, description: str) -> quote_pb2.LineItem:
    return quote_pb2.LineItem(
        description=description,
        qty=120.5,
        price=1.42,
        unit="sqft",
        amount=171.11,
        kind="service",
        priced=True,
        confidence=0.82,
        needs_review=True,
        review_reasons=["The area was read as wall area, not as floor area."],
        source=_source("norm", f"PAINT-{number}", "Interior painting, per square foot"),
        span=quote_pb2.TextSpan(start=12 * number, end=12 * number + 40),
        amount_low=140.25,
        amount_high=205.5,
        labour_hours=2.53,
    )


PRICES = sourcing_pb2.FindPricesResponse(
    options=[
        sourcing_pb2.PriceOption(
            product_name="Interior wall painting, two coats",
            price=1.42,
            currency="USD",
            unit="sqft",
            supplier="Open cost norms",
            location="Nashville, TN",
            category="painting",
            confidence=0.82,
            as_of="2026-06",
            source=_source("norm", "PAINT-7", "Interior painting, per square foot, walls in sound condition"),
            price_low=1.1,
            price_high=1.9,
        ),
        sourcing_pb2.PriceOption(
            product_name="Interior wall painting, one coat",
            price=0.89,
            currency="USD",
            unit="sqft",
            supplier="Price book",
            location="Nashville, TN",
            category="painting",
            confidence=0.61,
            as_of="2026-02",
        ),
    ],
    product_name="Interior wall painting, two coats",
    price=1.42,
)

_TEXT = "Please repaint the living room and the hallway, about 120.5 square feet of walls in each, two coats, and "
QUOTE = quote_pb2.Quote(
    quote_id=42,
    quote_number="Q-2026-000042",
    total=560.85,
    pdf_url="https://localhost:8443/api/v1/quotes/42/pdf",
    line_items=[
        _line(1, "Paint interior walls of the living room, two coats"),
        _line(2, "Paint interior walls of the hallway, two coats"),
        _line(3, "Paint the trim and both doors, one coat of primer and two of enamel"),
    ],
    status="draft",
    livemode=True,
    currency="USD",
    subtotal=513.33,
    tax=47.52,
    total_low=420.75,
    total_high=616.5,
    text=_TEXT * 6,
    industry="painting",
    location="Nashville, TN",
    assumptions=["The walls are sound and need light filling only.", "The work is done in one visit."],
    exclusions=["Paint is supplied by the customer."],
    questions=[quote_pb2.Question(field="line_items[1].qty", text="How high are the hallway walls?", swing=85.5)],
    confidence=0.78,
    needs_review=True,
    review_reasons=["A quantity was read from a range."],
    valid_until="2026-12-21",
    engine_version="2026.11",
    created_at=Timestamp(seconds=1795000000),
    updated_at=Timestamp(seconds=1795000000),
)
DRAFT = quote_pb2.GenerateQuoteResponse(quote=QUOTE)


def as_json(message: Message) -> dict[str, Any]:
    """The JSON value of ``message`` as the API shows it: names in snake_case, every field present."""
    value: dict[str, Any] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return value


WORKLOADS = (
    Workload(
        name="price",
        path="/api/v1/sourcing/price",
        body=json.dumps(
            {
                "query": "repaint interior walls with two coats.",
                "industry": "residential painting",
                "location": "Nashville, TN",
            }
        ).encode(),
        answer=as_json(PRICES),
    ),
    Workload(
        name="quote",
        path="/api/v1/quotes/generate",
        body=json.dumps({"text": (_TEXT * 40)[:3550], "industry": "residential painting"}).encode(),
        answer=as_json(QUOTE),
    ),
)
