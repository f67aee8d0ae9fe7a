"""Promises of events: one is there exactly where its change is; its JSON is what the API description says."""

import asyncio
import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker
from quotewright.v1 import customer_pb2, event_pb2, lead_pb2, quote_pb2

from server import administration, events
from server.domain.lifecycle import Trigger
from server.expiry import Expiry
from server.faults import Fault
from server.rpc.quote_messages import quote_message
from server.rpc.workflow import move_quote
from server.store import customers, quotes
from server.store.audit import Act
from server.store.customers import Details
from server.store.database import execute
from tests.unit.server.store.test_records import NEW

DOCUMENT = json.loads((Path(__file__).parents[3] / "generated" / "openapi.json").read_bytes())
ACT = Act(7, True, "operator", "", 1_760_000_000_123_456)


def test_every_kind_of_the_specification_has_a_message():
    assert set(events.EVENTS) == {
        "quote.created", "quote.updated", "quote.approved", "quote.sent", "quote.accepted", "quote.declined",
        "customer.created", "lead.created", "ping",
    }  # fmt: skip
    for kind, message in events.EVENTS.items():
        names = [field.name for field in message.DESCRIPTOR.fields]
        assert names == ["id", "type", "timestamp", "api_version", "livemode", "organization_id", "data"], kind
        assert [field.name for field in message.DESCRIPTOR.fields_by_name["data"].message_type.fields] == ["object"]


@pytest.mark.parametrize("kind", events.EVENTS)
def test_the_body_of_an_event_is_as_described(store, kind):
    resource = resource_of(store, kind)
    body = json.loads(events.body_of(events.envelope(ACT, "evt_0123", kind, resource)))
    operation = DOCUMENT["webhooks"][kind]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    described = Draft202012Validator(
        {**schema, "components": DOCUMENT["components"]}, format_checker=FormatChecker(["date-time"])
    )
    described.validate(body)
    assert body["type"] == kind
    assert body["timestamp"] == "2025-10-09T08:53:20.123456Z"
    assert (body["api_version"], body["livemode"], body["organization_id"]) == ("v1", True, 7)
    assert not described.is_valid({**body, "type": "something.else"})
    assert not described.is_valid({name: value for name, value in body.items() if name != "data"})


def resource_of(store, kind):
    if kind.startswith("quote."):
        organization = administration.create_organization(store, "Test", "Starter")
        return quote_message(store.write_now(lambda: quotes.create(organization, True, NEW)), "https://localhost")
    kinds = {"customer.created": customer_pb2.Customer, "lead.created": lead_pb2.Lead, "ping": event_pb2.Ping}
    return kinds[kind]()


async def test_every_move_of_a_quote_has_its_event_in_the_same_transaction(store):
    organization = administration.create_organization(store, "Test", "Starter")
    act = Act(organization, True, "user:1", "", 5)
    way = ("submitted", "approved", "sent")
    for last, kind in (("accepted", "quote.accepted"), ("declined", "quote.declined")):
        quote_id = store.write_now(lambda: quotes.create(organization, True, NEW)).quote_id
        for move in (*way, last):
            store.write_now(lambda move=move, one=quote_id: move_quote(act, one, Trigger(move), "", "https://x"))
        told = kinds_of(store, organization)
        assert told[-4:] == ["quote.updated", "quote.approved", "quote.sent", kind]
        with pytest.raises(Fault):
            store.write_now(lambda one=quote_id: move_quote(act, one, Trigger.SEND, "", "https://x"))
        assert kinds_of(store, organization) == told
    sent = store.write_now(lambda: quotes.create(organization, True, NEW)).quote_id
    for move in way:
        store.write_now(lambda move=move: move_quote(act, sent, Trigger(move), "", "https://x"))
    assert await Expiry(store, "https://x", print).turn(date(2099, 1, 1), 9, 100) == 1
    assert kinds_of(store, organization)[-1] == "quote.updated"


def kinds_of(store, organization):
    return rows(store, "select type from event where organization_id = ?", organization)


def test_an_event_of_another_resource_or_kind_is_a_mistake():
    with pytest.raises(TypeError):
        events.envelope(ACT, "evt_0", "quote.created", lead_pb2.Lead())
    with pytest.raises(KeyError):
        events.envelope(ACT, "evt_0", "quote.erased", quote_pb2.Quote())


CHANGES = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from(["commits", "fails before", "fails between", "fails after"])),
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CHANGES)
def test_there_is_no_event_without_its_change_and_no_change_without_its_event(store, changes):
    organization = administration.create_organization(store, "Test", "Starter")
    act = Act(organization, True, "operator", "", 1)

    def change(number, fate):
        for _ in range(number):
            fail_if(fate == "fails before")
            made = customers.create(
                organization, True, Details(name=fate), lead_id=0, quote_id=0, created_by="operator", at=1
            )
            fail_if(fate == "fails between")
            events.record(act, "customer.created", customer_pb2.Customer(customer_id=made.customer_id))
            fail_if(fate == "fails after")

    async def all_at_once():
        return await asyncio.gather(
            *(store.write(lambda one=one: change(*one)) for one in changes), return_exceptions=True
        )

    outcomes = asyncio.run(all_at_once())
    assert [isinstance(one, LookupError) for one in outcomes] == [fate != "commits" for _, fate in changes]
    made = rows(store, "select id from customer where organization_id = ?", organization)
    told = rows(store, "select payload from event where organization_id = ?", organization)
    ids = [event_pb2.CustomerCreatedEvent.FromString(one).data.object.customer_id for one in told]
    assert ids == made
    assert len(made) == sum(number for number, fate in changes if fate == "commits")


def fail_if(condition):
    if condition:
        raise LookupError


def rows(store, sql, *parameters):
    return [row[0] for row in store.read_now(lambda: execute(sql + " order by id", parameters).fetchall())]
