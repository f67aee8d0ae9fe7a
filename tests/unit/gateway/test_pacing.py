"""Promises of the pacing: a crowd of calls waits in order, and the loop looks at its sockets between them."""

import asyncio
import itertools
import time

from gateway.pacing import SLICE, Pacing


def work():
    """Hold the loop, as a servicer does."""
    time.sleep(2 * SLICE)


async def begin(pacing):
    if not pacing.begins():
        await pacing.turn()


async def test_short_calls_that_come_together_begin_in_one_turn_of_the_loop():
    pacing, turns = Pacing(), 0

    def turn():
        nonlocal turns
        turns += 1
        asyncio.get_running_loop().call_soon(turn)

    turn()
    await asyncio.gather(*(begin(pacing) for _ in range(8)))
    assert turns < 8


async def test_long_calls_begin_one_after_another_with_a_turn_of_the_loop_between():
    pacing, order, looks = Pacing(), [], []

    async def call(number):
        await begin(pacing)
        order.append(number)
        work()

    async def look():
        while len(order) < 6:
            looks.append(len(order))
            await asyncio.sleep(0)

    await asyncio.gather(*(call(number) for number in range(6)), look())
    assert order == list(range(6))
    assert max(later - earlier for earlier, later in itertools.pairwise(looks)) <= 2


async def test_a_call_that_was_given_up_takes_no_turn():
    pacing, begun = Pacing(), []

    async def call(number):
        await begin(pacing)
        begun.append(number)
        work()

    tasks = [asyncio.create_task(call(number)) for number in range(4)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.wait(tasks)
    assert begun == [0, 2, 3]
    await asyncio.wait_for(begin(pacing), 5)
