"""Promise of a certificate that is renewed while the service is busy: no request fails, and the new one is served."""

import asyncio
import os
import shutil
import signal
import ssl
import time
from datetime import UTC, datetime

import aiohttp
import pytest

from gateway import tls
from tests import stack
from tests.stack import Stack, begin, free_port, stopping


@pytest.mark.long
async def test_a_certificate_is_renewed_without_a_failed_request(tmp_path, measured):
    def put_certificate(name):
        made = tls.ensure_local_certificate(tmp_path / name, now=datetime.now(UTC))
        for source, target in ((made.certificate, "tls.crt"), (made.key, "tls.key")):
            shutil.copy(source, tmp_path / target)

    put_certificate("old")
    running = Stack(tmp_path / "data", free_port(), 0, 0)
    process = begin(
        running, "1", name="serve", program=[*stack.QUOTEWRIGHT, "serve", "--processes"], QW_PRIVATE_PORT=0,
        QW_TLS_CERTIFICATE=tmp_path / "tls.crt", QW_TLS_KEY=tmp_path / "tls.key",
    )  # fmt: skip
    running.processes.append(process)
    with stopping(running):
        process.wait_ready(60)
        organization = running.organization()
        put_certificate("new")
        both = ssl.create_default_context()
        for name in ("old", "new"):
            both.load_verify_locations(tmp_path / name / "ca.pem")
        done, answered = asyncio.Event(), 0

        async def ask(session):
            nonlocal answered
            headers = {"X-API-Key": organization.live_key, "Connection": "close"}
            while not done.is_set():
                async with session.get(f"{running.base}/api/v1/quotes?limit=1", headers=headers) as response:
                    assert response.status == 200
                    await response.read()
                answered += 1

        timeout = aiohttp.ClientTimeout(60)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=both), timeout=timeout) as session:
            asking = [asyncio.create_task(ask(session)) for _ in range(4)]
            await asyncio.sleep(1)
            began = time.monotonic()
            os.kill(process.pid, signal.SIGHUP)
            while not process.events("reloaded"):
                assert time.monotonic() - began < 60
                await asyncio.sleep(0.05)
            measured("renewed", time.monotonic() - began)
            so_far = answered
            while answered < so_far + 20:
                assert time.monotonic() - began < 90
                await asyncio.sleep(0.05)
            done.set()
            await asyncio.gather(*asking)
        address = ("127.0.0.1", running.https_port)
        served = await asyncio.to_thread(ssl.get_server_certificate, address, timeout=10)
    assert served.strip() in (tmp_path / "new" / "localhost.pem").read_text()
