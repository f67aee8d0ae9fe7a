"""Promises of statements that are sent together: in order, at once, with the values that were meant, parsed once where they
come often; an error of any of them is the error of its write."""

import asyncio

import peewee
import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.store.database import Store, StoreBusyError, execute
from server.store.scripts import MOST_PARAMETERS, MOST_PREPARED, MOST_WAITING, PREPARED_AFTER, Script


@pytest.fixture(scope="module")
def connection(postgres):
    with psycopg.connect(postgres.create(), autocommit=True) as connection:
        connection.execute("create table thing (name text unique, data bytea)")
        yield connection


@pytest.fixture
def script(connection):
    connection.execute("truncate thing")
    return Script(connection)


def things(connection):
    return [name for (name,) in connection.execute("select name from thing order by name")]


def test_a_statement_waits_until_a_later_ones_result_is_asked_for(connection, script):
    script.add("insert into thing (name) values (%s)", ("a",))
    script.add("insert into thing (name) values (%s)", ("b",))
    found = script.add("select count(*) from thing", ())
    waiting = script.add("insert into thing (name) values ('c')", None)
    assert things(connection) == []
    assert found.fetchone() == (2,)
    assert things(connection) == ["a", "b"]
    assert waiting.rowcount == 1
    assert things(connection) == ["a", "b", "c"]


def test_all_are_sent_where_the_write_ends_and_where_they_are_too_many(connection, script):
    script.add("insert into thing (name) values ('a')", None)
    script.flush()
    assert things(connection) == ["a"]
    script.add("insert into thing (name, data) values ('b', %s)", (bytes(MOST_WAITING),))
    assert things(connection) == ["a", "b"]


def test_texts_and_rows_larger_than_any_buffer_go_through(script):
    large = "ä" * 8_000_000
    assert script.add("select %s, length(%s)", (large, large)).fetchall() == [(large, len(large))]


def test_what_is_forgotten_is_never_sent(connection, script):
    script.add("insert into thing (name) values ('a')", None)
    assert script.forget() is False
    script.flush()
    assert things(connection) == []
    assert script.add("select 1", ()).fetchall() == [(1,)]
    assert script.forget() is True


def test_results_are_there_in_any_order(script):
    first, made, second = (
        script.add("select 1", ()),
        script.add("insert into thing values ('a')", ()),
        script.add("select 2", ()),
    )
    assert second.fetchone() == (2,)
    assert first.fetchone() == (1,)
    assert made.rowcount == 1


@settings(deadline=None)
@given(
    st.tuples(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
        st.binary(),
        st.booleans(),
        st.integers(-(2**62), 2**62),
        st.none() | st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9),
        st.floats(allow_nan=False),
    )
)
def test_every_value_comes_back_as_it_went(connection, values):
    sql = "select %s::text, %s::bytea, %s::boolean, %s::bigint, %s::numeric, %s::float8, '%%', '100%%'"
    assert Script(connection).add(sql, values).fetchall() == [(*values, "%", "100%")]


@pytest.mark.parametrize("text", ["'; drop table thing; --", "\\'; drop table thing; --", "$$", '"', "%s", "a\nb;c"])
def test_no_text_becomes_a_statement(connection, script, text):
    script.add("insert into thing (name) values (%s)", (text,))
    assert script.add("select name from thing where name = %s", (text,)).fetchall() == [(text,)]
    assert things(connection) == [text]


def test_rows_tell_their_columns_and_are_read_once(script):
    found = script.add("select 1 as one, 'x' as name union all select 2, 'y' order by 1", ())
    assert [name for (name,) in found.description] == ["one", "name"]
    assert found.fetchone() == (1, "x")
    assert list(found) == [(2, "y")]
    assert found.fetchone() is None


def test_errors_are_those_of_a_single_statement(script):
    script.add("insert into thing (name) values ('a')", None)
    script.add("insert into thing (name) values ('a')", None)
    with pytest.raises(peewee.IntegrityError, match="thing_name_key"):
        script.flush()
    with pytest.raises(peewee.ProgrammingError):
        script.add("selec 1", ()).fetchone()
    with pytest.raises(peewee.DataError):
        script.add("select %s", ("\0",))


def test_a_lost_connection_is_an_operational_error(postgres):
    url = postgres.create()
    with psycopg.connect(url, autocommit=True) as lost, psycopg.connect(url, autocommit=True) as other:
        other.execute("select pg_terminate_backend(%s)", (lost.info.backend_pid,))
        for _ in range(2):
            with pytest.raises(peewee.OperationalError):
                Script(lost).add("select 1", ()).fetchone()


@pytest.fixture
def alone(postgres):
    """A connection that has prepared nothing yet."""
    with psycopg.connect(postgres.create(), autocommit=True, prepare_threshold=None) as connection:
        connection.execute("create table thing (name text unique, number numeric, data bytea)")
        yield connection


def written(connection, sql, rows):
    """Each in a write of its own."""
    for row in rows:
        script = Script(connection)
        script.add(sql, row)
        script.flush()
        script.end()


def prepared(connection):
    return [text for (text,) in connection.execute("select statement from pg_prepared_statements order by statement")]


def test_a_statement_that_comes_often_is_prepared_and_goes_on_meaning_the_same(alone):
    rows = [(f"{number} 100% 'of'", None if number % 3 else number / 4, bytes([number])) for number in range(12)]
    written(alone, "insert into thing (name, number, data) values (%s || '%%', %s, %s)", rows)
    (statement,) = prepared(alone)
    assert "values ($1 || '%', $2, $3)" in statement
    kept = alone.execute("select name, number::float8, data from thing order by data").fetchall()
    assert kept == [(f"{name}%", number, data) for name, number, data in rows]


def test_what_cannot_be_prepared_goes_on_with_its_values(alone):
    mixed = "insert into thing (number) select -%s"
    written(alone, mixed, [(number,) for number in range(PREPARED_AFTER + 2)])
    long = f"insert into thing (number) values {', '.join(['(%s)'] * (MOST_PARAMETERS + 1))}"
    written(alone, long, [range(MOST_PARAMETERS + 1)] * (PREPARED_AFTER + 1))
    assert prepared(alone) == []
    (count,) = alone.execute("select count(*) from thing").fetchone()
    assert count == PREPARED_AFTER + 2 + (PREPARED_AFTER + 1) * (MOST_PARAMETERS + 1)


def test_statements_of_any_number_leave_few_prepared(alone):
    for number in range(MOST_PREPARED + 20):
        written(alone, f"insert into thing (number) values (%s + {number})", [(1,)] * PREPARED_AFTER)
    assert len(prepared(alone)) == MOST_PREPARED


def test_what_was_prepared_outlives_a_write_that_failed(alone):
    sql = "insert into thing (name) values (%s)"
    written(alone, sql, [(str(number),) for number in range(PREPARED_AFTER)])
    for _ in range(2):
        script = Script(alone)
        script.add("begin", None)
        script.add(sql, ("0",))
        with pytest.raises(peewee.IntegrityError):
            script.flush()
        alone.execute("rollback")
    written(alone, sql, [("after",)])
    assert prepared(alone)
    assert alone.execute("select 1 from thing where name = 'after'").fetchone()


def test_behind_a_pooler_nothing_is_prepared(alone, monkeypatch):
    """The server process is not the one that the connection was made to."""
    monkeypatch.setattr(psycopg.ConnectionInfo, "backend_pid", 0)
    written(alone, "insert into thing (name) values (%s)", [(str(number),) for number in range(PREPARED_AFTER + 2)])
    assert prepared(alone) == []


async def test_an_error_that_shows_when_a_write_ends_is_that_writes_alone(postgres):
    store = Store(postgres.create())

    def insert(row_id):
        execute("insert into revocation (id, credential_id, at) values (?, ?, 0)", (row_id, f"credential {row_id}"))

    try:
        await store.write(lambda: insert(1))
        outcomes = await asyncio.gather(
            *(store.write(lambda row_id=row_id: insert(row_id)) for row_id in (2, 1, 3)), return_exceptions=True
        )
        assert [type(one) for one in outcomes] == [type(None), peewee.IntegrityError, type(None)]
        found = await store.read(lambda: execute("select id from revocation order by id").fetchall())
        assert found == [(1,), (2,), (3,)]
        with pytest.raises(StoreBusyError):
            await store.write(
                lambda: (insert(4), execute("set local statement_timeout = 1"), execute("select pg_sleep(1)"))
            )
        assert await store.read(lambda: execute("select count(*) from revocation").fetchone()) == (3,)
    finally:
        store.close()
