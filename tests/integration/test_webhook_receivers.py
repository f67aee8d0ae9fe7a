"""Promises of what helps receivers: the one in the manual works as printed, `webhooks listen` and the commands too."""

import asyncio
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cli.main import main
from gateway.tls import ensure_local_certificate, server_context
from server import administration, webhooks
from server.delivery import signatures
from server.delivery.egress import Egress
from server.delivery.sender import Sender
from server.delivery.vault import Vault
from server.store import deliveries
from server.store.audit import Act
from server.store.database import Store
from tests import stack
from tests.doubles import receivers
from tests.doubles.receivers import receiver

MANUAL = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
SECRET = b"s" * 32
KEY = Ed25519PrivateKey.generate()
EVENT = {"id": "evt_1", "type": "ping", "data": {"object": {"endpoint_id": 1, "challenge": "who are you?"}}}


def block(language):
    return re.search(rf"```{language}\n(.*?)```", MANUAL, re.DOTALL)[1]


def manual_receiver(port):
    environment = {**os.environ, "PORT": str(port), "WEBHOOK_SECRET": signatures.secret_text(SECRET)}
    return subprocess.Popen(
        [sys.executable, "-c", block("python")], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def listener(port):
    listening = subprocess.Popen(
        [*stack.QUOTEWRIGHT, "webhooks", "listen", "--port", str(port)],
        env=stack.environment(Path("var")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    listening.stdin.write(signatures.secret_text(SECRET).encode() + b"\n")
    listening.stdin.close()
    listening.stdin = None  # or communicate() would close it again
    return listening


async def post(sender, port, body, secret, within=15.0):
    """One delivery, once the receiver listens."""
    headers = signatures.sign("evt_1", int(time.time()), body, secrets=[secret], key=KEY)
    deadline = time.monotonic() + within
    while True:
        answer = await sender.post(f"http://127.0.0.1:{port}/", body, headers)
        if answer.error != "connection" or time.monotonic() > deadline:
            return answer
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("begin", [manual_receiver, listener])
async def test_a_receiver_verifies_prints_and_answers_its_challenge(begin):
    port = stack.free_port()
    process = begin(port)
    sender = Sender(Egress.allowing(["127.0.0.0/8"]), 5.0)
    try:
        body = json.dumps(EVENT).encode()
        answer = await post(sender, port, body, SECRET)
        assert (answer.error, json.loads(answer.content)) == ("", {"challenge": "who are you?"})
        forged = await post(sender, port, body, b"x" * 32, within=0)
        assert forged.error != ""
    finally:
        await sender.close()
        process.terminate()
        printed = process.communicate(timeout=10)[0].decode()
    assert printed.count("evt_1 ping") == 1


async def test_deliveries_go_over_tls_to_certificates_that_are_trusted_and_no_others(tmp_path):
    good, bad = (ensure_local_certificate(tmp_path / name, now=datetime.now(UTC)) for name in ("trusted", "unknown"))
    allowed = {
        "QW_WEBHOOK_ALLOWED_NETWORKS": "127.0.0.0/8",
        "QW_WEBHOOK_SECRET": "master",
        "SSL_CERT_FILE": tmp_path / "trusted" / "ca.pem",
        "QW_PRIVATE_PORT": stack.free_port(),
    }
    async with (
        receiver(tls=server_context(good.certificate, good.key)) as trusted,
        receiver(tls=server_context(bad.certificate, bad.key)) as unknown,
    ):
        store = Store(tmp_path / "quotewright.db")
        organization = administration.create_organization(store, "Test", "Starter")
        urls = [f"https://localhost:{one.port}/" for one in (trusted, unknown)]
        pinged = [store.write_now(lambda url=url: ping(organization, url)) for url in urls]
        store.close()
        # Whom aiohttp trusts it reads when it is imported.
        worker = await asyncio.to_thread(stack.start, stack.Stack(tmp_path, 0, 0, 0), "worker", fresh=True, **allowed)
        await trusted.wait_for(1)
        await asyncio.sleep(0.3)
        async with (
            aiohttp.ClientSession() as client,
            client.get(f"http://127.0.0.1:{allowed['QW_PRIVATE_PORT']}/metrics") as answer,
        ):
            metrics = await answer.text()
        await asyncio.to_thread(worker.stop)
    store = Store(tmp_path / "quotewright.db")
    errors = [store.read_now(lambda one=one: deliveries.attempts(one))[0].error for one in pinged]
    store.close()
    assert len(trusted.received) == 1
    assert unknown.received == []
    assert errors == ["", "tls"]
    for error in ("none", "tls"):
        assert f'quotewright_webhook_tries_total{{error="{error}"}} 1.0' in metrics


def ping(organization, url):
    """A ping to a new endpoint; the delivery's id."""
    act = Act(organization, False, "operator", "", time.time_ns() // 1000)
    made = webhooks.create(
        act, Vault(b"master"), url=url, description="", event_types=(), livemode=False, secret=SECRET
    )
    return webhooks.ping(act, made.endpoint_id)[1]


def test_the_receiver_in_the_manual_takes_ten_lines():
    lines = [line for line in block("python").splitlines() if line and not line.startswith(("import", "from"))]
    assert len(lines) <= 10


def test_networks_that_are_none_are_refused_at_start(tmp_path):
    done = subprocess.run(
        [*stack.QUOTEWRIGHT, "worker"],
        env=stack.environment(tmp_path, QW_WEBHOOK_ALLOWED_NETWORKS="everywhere"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "QW_WEBHOOK_ALLOWED_NETWORKS" in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr


def test_what_is_no_secret_is_said(tmp_path):
    done = subprocess.run(
        [*stack.QUOTEWRIGHT, "webhooks", "listen"],
        env=stack.environment(tmp_path),
        input="whsec_non-sense\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "quotewright: that is not a webhook secret\n")


async def test_an_operator_does_it_all_from_the_command_line(combined, monkeypatch):
    organization = combined.organization()
    monkeypatch.setenv("QW_DATA_DIR", str(combined.data_dir))
    monkeypatch.setenv("QW_WEBHOOK_ALLOWED_NETWORKS", "127.0.0.0/8")

    def run(arguments):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert main(["webhooks", *map(str, arguments)]) == 0
        return json.loads(printed.getvalue())

    async def command(action, *arguments):
        # In this process, for a new one takes a second each time; in a thread, as it has a loop of its own.
        chosen = ["--organization", organization.organization_id, "--json"]
        return await asyncio.to_thread(run, [action, *chosen, *arguments])

    async with receiver(receivers.challenged) as one:
        made = await command("create", "--mode", "live", "--url", one.url, "--event", "quote.created")
        number = made["endpoint_id"]
        assert made["secret"].startswith("whsec_")
        assert (await command("verify", number))["verified"] is True
        ping = await command("ping", number)
        await one.wait_for(2)
        for _ in range(50):
            delivery = await command("delivery", ping["delivery_id"])
            if delivery["status"] == "delivered":
                break
        assert json.loads(delivery["payload"])["id"] == ping["event_id"] == one.received[-1].id
        assert (await command("replay", ping["delivery_id"]))["status"] == "pending"
        await one.wait_for(3)
        assert one.received[-1].id == ping["event_id"]
    assert (await command("rotate-secret", number, "--overlap-hours", 1))["secret"] != made["secret"]
    assert (await command("pause", number))["status"] == "paused"
    assert (await command("resume", number))["status"] == "enabled"
    assert [one["endpoint_id"] for one in (await command("list"))["data"]] == [number]
    assert await command("replay-failed", number, "--since", "2026-01-01T00:00:00+00:00") == {"replayed": 0}
    assert (await command("deliveries", "--endpoint", number))["total"] == 1
    await command("delete", number)
    assert (await command("list"))["data"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("create", "--organization", "1", "--mode", "live", "--url", "http://10.0.0.1/"),
            "url 10.0.0.1 is not public",
        ),
        (("pause", "--organization", "1", "99"), "There is no such webhook endpoint."),
        (("list", "--organization", "99"), "there is no organization 99"),
    ],
)
def test_what_an_operator_cannot_do_is_said(tmp_path, arguments, said):
    stack.run("admin", "create-organization", "--name", "Test", data_dir=tmp_path)
    done = subprocess.run(
        [*stack.QUOTEWRIGHT, "webhooks", *arguments],
        env=stack.environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"quotewright: {said}")
