"""Promises of pages of lists: how many there are and what is on the page is read of one moment, whatever is committed
meanwhile."""

import importlib
import inspect
import pkgutil

import pytest

import server.store
from server import administration
from server.store import quotes
from server.store.database import Store, execute
from tests.unit.server.store.test_records import NEW

#: Pages that tell whether there are more, and not how many.
UNCOUNTED = ["price_book.list_items"]


def counted():
    """Every function of the store that returns a count and a page."""
    for module in pkgutil.iter_modules(server.store.__path__, "server.store."):
        for name, function in inspect.getmembers(importlib.import_module(module.name), inspect.isfunction):
            signature = inspect.signature(function)
            is_page = (
                str(signature.return_annotation).startswith("tuple[int, tuple[") and "limit" in signature.parameters
            )
            if function.__module__ == module.name and is_page:
                yield f"{module.name.removeprefix('server.store.')}.{name}"


LISTS = [*counted(), *UNCOUNTED]


@pytest.fixture(scope="module")
def store(new_database):
    store = Store(new_database())
    yield store
    store.close()


@pytest.fixture(scope="module")
def known(store):
    """What the functions ask for by these names."""
    organization = administration.create_organization(store, "Test", "Starter")
    quote_id = store.write_now(lambda: quotes.create(organization, True, NEW)).quote_id
    return {
        "organization_id": organization,
        "livemode": True,
        "quote_id": quote_id,
        "import_id": 1,
        "book_id": 1,
        "on": "2026-11-30",
        "at": 9,
        "ended": True,
        "action": "",
        "query": "",
        "stage": "",
        "limit": 5,
        "offset": 0,
    }


def test_every_list_is_looked_at():
    assert len(LISTS) >= 14


@pytest.mark.parametrize("name", LISTS)
def test_the_count_and_the_page_of_a_list_are_of_one_moment(store, known, monkeypatch, name):
    module = importlib.import_module(f"server.store.{name.partition('.')[0]}")
    function = getattr(module, name.partition(".")[2])
    seen = []

    def marks():
        return execute("select count(*) from usage_report").fetchone()[0]

    def mark():
        execute("insert into usage_report (id, at) values (?, 9)", (f"{name} {len(seen)}",))

    def execute_and_be_overtaken(sql, parameters=()):
        # What was committed behind this reader's first statement is seen by none of its others.
        answer = execute(sql, parameters)
        seen.append(marks())
        store.write_now(mark)
        return answer

    monkeypatch.setattr(module, "execute", execute_and_be_overtaken)
    wanted = inspect.signature(function).parameters
    arguments = [known[one] for one, kind in wanted.items() if kind.kind is kind.POSITIONAL_OR_KEYWORD]
    named = {
        one: known[one]
        for one, kind in wanted.items()
        if kind.kind is kind.KEYWORD_ONLY and (kind.default is kind.empty or one == "quote_id")
    }
    store.read_now(lambda: function(*arguments, **named))
    assert len(seen) > 1
    assert set(seen) == {seen[0]}
