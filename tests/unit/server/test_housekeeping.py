"""Promises of the housekeeping: what fails is told and keeps nothing else from being done, and it keeps up with what comes."""

from server.housekeeping import MOST_TURNS, Step, tidy
from server.store import idempotency
from server.store.database import Store, StoreBusyError, execute


class Told:
    def __init__(self):
        self.events = []

    def __call__(self, event, /, **fields):
        self.events.append((event, fields["step"], fields.get("trace", "")))


def step(name, done, outcome=None, most=0):
    async def turn():
        done.append(name)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return Step(name, turn, most)


async def test_a_step_that_fails_is_told_as_a_defect_and_the_others_are_done_this_round_and_the_next():
    done, log = [], Told()
    steps = [step("one", done), step("broken", done, AssertionError("cannot be read back")), step("two", done)]
    for _ in range(2):
        await tidy(steps, log)
    assert done == ["one", "broken", "two"] * 2
    assert [(event, name) for event, name, _ in log.events] == [("defect", "broken")] * 2
    assert "cannot be read back" in log.events[0][2]


async def test_a_busy_store_is_left_alone_until_the_next_round():
    done, log = [], Told()
    await tidy([step("one", done, StoreBusyError("locked")), step("two", done)], log)
    assert done == ["one"]
    assert log.events == [("housekeeping_put_off", "one", "")]


async def test_a_step_that_never_ends_leaves_room_for_the_others():
    done = []
    await tidy([step("endless", done, 5, most=5), step("few", done, 4, most=5)], Told())
    assert done == ["endless"] * MOST_TURNS + ["few"]


async def test_a_round_deletes_more_than_a_busy_organization_leaves_behind_meanwhile(new_database):
    """33 requests a second, for half a minute."""
    store = Store(new_database())
    at = 10 * idempotency.KEPT_FOR

    def fill():
        execute(
            "insert into organization (id, name, plan, address, pricing, created_at) values (1, 'a', 'b', '', '', 0)"
        )
        for number in range(1100):
            execute(
                "insert into idempotency_record (organization_id, livemode, key, request_hash, response, created_at) "
                "values (1, true, ?, ?, ?, 0)",
                (str(number), b"", b""),
            )

    try:
        store.write_now(fill)
        sweep = Step("idempotency", lambda: store.write(lambda: idempotency.sweep(at, 500)), 500)
        await tidy([sweep], Told())
        assert store.read_now(lambda: execute("select count(*) from idempotency_record").fetchone()[0]) == 0
    finally:
        store.close()
