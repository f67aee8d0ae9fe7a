"""Promises of what servers remember of organizations: another process's change ends it."""

import asyncio
import time

import psycopg
import pytest

from process.log import Log
from server import administration
from server.rpc import books, organizations
from server.store import accounts, price_book
from server.store.database import Store


@pytest.fixture
async def store(postgres):
    store = Store(postgres.create())
    store.listen(Log("test"))
    yield store
    await store.stop_listening()
    store.close()


@pytest.fixture(autouse=True)
def memories_that_last(monkeypatch):
    for module in (organizations, books):
        monkeypatch.setattr(module, "REMEMBERED", 3600.0)


def in_another_process(store, *statements):
    """One transaction, with what a write there tells."""
    with psycopg.connect(store._engine._url) as connection:
        for statement in statements:
            connection.execute(statement)


async def changed(look, before):
    """What ``look`` comes to say."""
    deadline = time.monotonic() + 10
    while (now := await look()) == before:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    return now


async def test_settings_changed_elsewhere_are_in_force_here(store):
    number = await asyncio.to_thread(administration.create_organization, store, "Before", "Pro")
    memory = organizations.Organizations(store)
    assert (await memory.find(number)).name == "Before"
    rename = f"update organization set name = 'After' where id = {number}"
    in_another_process(store, rename, f"notify quotewright, 'other organization {number}'")

    async def name():
        return (await memory.find(number)).name

    assert await changed(name, "Before") == "After"
    await store.write(lambda: accounts.set_profile(number, "Here", "", accounts.CompanyProfile()))
    assert await name() == "Here"


async def test_a_change_while_it_is_read_is_not_forgotten(store):
    number = await asyncio.to_thread(administration.create_organization, store, "Before", "Pro")
    memory = organizations.Organizations(store)
    read = store.read

    async def slow(work):
        result = await read(work)
        await store.write(lambda: accounts.set_profile(number, "After", "", accounts.CompanyProfile()))
        return result

    store.read = slow
    assert (await memory.find(number)).name == "Before"
    store.read = read
    assert (await memory.find(number)).name == "After"


async def test_the_first_price_book_is_looked_into_at_once(store):
    number = await asyncio.to_thread(administration.create_organization, store, "Priced", "Pro")
    memory = books.Books(store)
    caller = books.gate_pb2.Principal(organization_id=number, livemode=True)
    today = books.date(2026, 11, 21)
    assert await memory.find(caller, today) is None

    def apply():
        price_book._bump(price_book._make_book(number, True))

    await store.write(apply)
    assert await memory.find(caller, today) is not None
