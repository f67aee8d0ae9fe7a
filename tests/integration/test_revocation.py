"""Promises of revocation: in force on every gateway within a second, also while the stream that tells of it is down."""

import asyncio
import time

from tests import stack
from tests.stack import Client


async def refused_after(client, key):
    """How long the key went on working: seconds until the last request that was admitted was made."""
    began = time.monotonic()
    worked = 0.0
    while True:
        asked = time.monotonic() - began
        answer = await client.request("GET", "/api/v1/quotes", key=key)
        if answer.status == 401:
            return worked
        assert asked < 10, "the key still works"
        worked = asked
        await asyncio.sleep(0.02)


async def test_a_revoked_key_is_refused_by_two_gateways_within_a_second(split):
    organization = split.organization("Revoked")
    ports = [split.https_port, *split.more_https_ports]
    assert len(ports) == 2
    clients = [Client(split, port=port) for port in ports]
    for client in clients:
        await client.__aenter__()
        # Twice, so that the gateway has the key in its memory.
        for _ in range(2):
            assert (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status == 200
    await asyncio.to_thread(split.run, "admin", "revoke-key", organization.live_key_id)
    took = await asyncio.gather(*(refused_after(client, organization.live_key) for client in clients))
    assert max(took) <= 1.0
    for client in clients:
        assert (await client.request("GET", "/api/v1/quotes", key=organization.test_key)).status == 200
        await client.__aexit__()


async def test_a_rotated_key_without_overlap_ends_and_the_new_one_works(combined):
    organization = combined.organization("Rotated")
    async with Client(combined) as client:
        assert (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status == 200
        new = await asyncio.to_thread(
            combined.run, "admin", "rotate-key", organization.live_key_id, "--overlap-hours", "0"
        )
        assert await refused_after(client, organization.live_key) <= 1.0
        assert (await client.request("GET", "/api/v1/quotes", key=new["key"])).status == 200


async def test_a_gateway_that_lost_its_server_says_503_and_recovers(tmp_path):
    with stack.split(tmp_path) as running:
        organization = running.organization()
        server = running.processes[0]
        async with Client(running) as client:
            assert (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status == 200
            server.kill()
            answer = await client.request("GET", "/api/v1/quotes", key=organization.live_key)
            assert (answer.status, answer.reason) == (503, "unavailable")
            running.processes[0] = stack.start(running, "server", name="server-again")
            deadline = time.monotonic() + 10
            while (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status != 200:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.1)
