"""Promise of numbers: unique and without gaps per organization and mode, with 64 writers on several processes."""

import asyncio
import contextlib

import pytest

from tests import stack
from tests.faults.books import Books, check_store, ready_again
from tests.stack import Client, Stack, free_port, stopping

PROCESSES, WRITERS = 3, 64
#: What every one of them says of quotes.
SAME = {"QW_PUBLIC_URL": "https://quotewright.example"}


@pytest.mark.long
async def test_numbers_have_no_gaps_with_64_writers_on_several_processes_one_of_which_dies(tmp_path, database_url):
    with contextlib.ExitStack() as open_:
        processes = []
        for number in range(PROCESSES):
            one = Stack(tmp_path, free_port(), 0, free_port(), database_url)
            one.processes.append(await asyncio.to_thread(stack.start, one, "serve", name=f"serve{number}", **SAME))
            open_.enter_context(stopping(one))
            processes.append(one)
        everybody = [Books(processes[0].organization(name)) for name in ("One", "Other")]
        async with contextlib.AsyncExitStack() as writing:
            clients = [await writing.enter_async_context(Client(one)) for one in processes]
            for books in everybody:
                for client in clients:
                    await writing.enter_async_context(books.written(client, -(-WRITERS // (2 * PROCESSES))))
            for books in everybody:
                await books.wait_for(60)
            processes[-1].processes[0].kill()
            processes[-1].processes[0] = stack.begin(processes[-1], "serve", name="again", **SAME)
            await ready_again(clients[-1], everybody[0].organization.live_key)
            for books in everybody:
                await books.wait_for(60)
        async with Client(processes[0]) as client:
            for books in everybody:
                await books.check(client, processes[0])
        given = processes[0].rows("select organization_id, livemode, count(*) from quote group by 1, 2")
        assert len(given) == 4, "two organizations, two modes"
        check_store(processes[0])
