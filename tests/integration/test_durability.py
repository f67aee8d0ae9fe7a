"""Promises of durability: kill -9 during writes loses no acknowledged quote and leaves the books in order."""

import asyncio
import random

import aiohttp
import pytest

from server.store import audit
from server.store.database import Store
from tests import stack
from tests.stack import Client

TEXTS = ["Paint 60 m2 of walls", "Replace 12 m of guttering", "Fit three ceiling fans", "Lay 200 sq ft of laminate"]


@pytest.mark.parametrize("seed", range(2))
async def test_no_acknowledged_quote_is_lost(tmp_path, database_url, seed):
    random_delay = random.Random(seed)
    acknowledged: dict[int, dict] = {}
    with stack.combined(tmp_path, database_url) as running:
        organization = running.organization()
        for round_number in range(3):
            async with Client(running) as client:
                writers = [
                    asyncio.ensure_future(
                        write(client, organization.live_key, acknowledged, f"{round_number}-{number}")
                    )
                    for number in range(8)
                ]
                await asyncio.sleep(0.3 + random_delay.random() * 0.7)
                running.processes[0].kill()
                await asyncio.gather(*writers)
            running.processes[0] = stack.start(running, "serve", name=f"serve{round_number}")
        assert len(acknowledged) > 50, "the rounds wrote too little to prove anything"
        async with Client(running) as client:
            for quote_id, quote in acknowledged.items():
                answer = await client.request("GET", f"/api/v1/quotes/{quote_id}", key=organization.live_key)
                assert answer.status == 200
                assert answer.json() == quote
    if not database_url:
        assert running.rows("pragma integrity_check") == [("ok",)]
    numbers = [row[0] for row in running.rows("select number from quote order by id")]
    assert [int(number.rsplit("-", 1)[1]) for number in numbers] == list(range(1, len(numbers) + 1))
    repeated = running.rows("select count(*) from idempotency_record")[0][0]
    assert repeated == len(numbers), "one effect an idempotency key"
    store = Store(running.database)
    assert store.read_now(lambda: audit.verify(organization.organization_id)) is None
    store.close()


async def write(client, key, acknowledged, name):
    """Generate quotes until the connection breaks."""
    for number in range(10_000):
        try:
            answer = await client.generate(
                key, TEXTS[number % len(TEXTS)], headers={"Idempotency-Key": f"{name}-{number}"}
            )
        except aiohttp.ClientError:
            return
        if answer.status != 200:
            return
        quote = answer.json()
        acknowledged[quote["quote_id"]] = quote
