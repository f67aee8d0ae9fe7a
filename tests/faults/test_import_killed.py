"""Promises of imports that do not end: of a killed one nothing is in force, and what it left behind goes away."""

import asyncio
import io
import time

from server.store import price_book
from server.store.database import Store, execute
from tests import stack
from tests.stack import Client

ROWS = 20_000
IMPORTS = "/api/v1/price-book/imports"
ITEMS = "/api/v1/price-book/items"


async def test_a_killed_import_leaves_nothing_in_force_and_can_be_done_again(tmp_path):
    data = "SKU,Name,Unit,Price\n" + "".join(f"K{n},Thing number {n},each,{n + 1}.25\n" for n in range(ROWS))
    with stack.combined(tmp_path) as running:
        organization = running.organization()
        async with Client(running) as client:

            async def get(path):
                return (await client.request("GET", path, key=organization.live_key)).json()

            answer = await client.request(
                "POST",
                f"{IMPORTS}?dry_run=false",
                key=organization.live_key,
                data=io.BytesIO(data.encode()),
                headers={"Content-Type": "text/csv"},
            )
            import_id = answer.json()["import_id"]
            for _ in range(600):
                row = (await get(f"{IMPORTS}/{import_id}"))["price_import"]
                if row["created"]:
                    break
                await asyncio.sleep(0.02)
            assert 0 < row["created"] < ROWS and row["status"] == "running", "killed too early or too late"
            running.processes[0].kill()
        store = Store(tmp_path / "quotewright.db")
        staged = store.read_now(lambda: execute("select count(*) from price_revision").fetchone()[0])
        assert staged > 0, "the import had stored nothing yet: the test proves nothing"
        running.processes[0] = stack.start(running, "serve", name="again")
        async with Client(running) as client:
            listed = await client.request("GET", ITEMS, key=organization.live_key)
            assert listed.json()["data"] == []
            # As the housekeeping does, once the import has been silent for long enough.
            later = time.time_ns() // 1000 + 2 * price_book.SILENT_FOR
            store.write_now(lambda: price_book.give_up_silent(later))
            told = (await client.request("GET", f"{IMPORTS}/{import_id}", key=organization.live_key)).json()
            assert told["price_import"]["status"] == "failed"
            while store.write_now(price_book.sweep):
                pass
            for table in ("price_item", "price_revision", "price_words"):
                assert store.read_now(lambda table=table: execute(f"select count(*) from {table}").fetchone()) == (0,)
        store.close()
