"""Secrets stay where they belong: every way in which one enters is taken, then every place that the service writes to is
searched for it: logs, metrics, traces, error bodies, the audit log, the database, its files, command lines.

Mails in the outbox hold links and invitations, which is what they are for; they are left out.
"""

import asyncio
import base64
import contextlib
import email
import email.policy
import re
import secrets
import subprocess
import time

import grpc
import pytest
from quotewright.v1 import quote_pb2, quote_pb2_grpc

from gateway.redis_quota import RedisQuota
from process.settings import SettingsError
from server.config import ServerConfig
from server.outgoing import mail_transport
from server.store.database import Store
from server.store.models import MODELS
from tests import stack
from tests.contract.test_accounts import email_of
from tests.contract.test_sending import token_in
from tests.contract.test_watching import Collector
from tests.contract.test_webhooks import DELIVERIES, ENDPOINTS
from tests.doubles import receivers
from tests.doubles.receivers import receiver
from tests.stack import PASSWORD, Client

#: Columns that hold, sealed or not, what is meant to leave with them.
ASIDE = {("mail", "content")}
#: The event that a quote was sent has a link to its PDF, which the organization's receivers are to open (docs/sending.md).
MEANT = {("event.payload", "PDF link")}
CALLS = ("quotes", "account/session", "keys")


def chance(kind="secret"):
    return f"{kind}{secrets.token_hex(16)}"


class Sinks:
    """Everything that was answered with an error, and every secret by what it is."""

    def __init__(self):
        self.secrets = {}
        self.refusals = []

    def add(self, what, text):
        """A secret; of a credential with public id only what is behind it."""
        found = re.fullmatch(r"qw_[a-z]+_[0-9A-Za-z]{12}_([0-9A-Za-z]{39})", text)
        self.secrets[f"{what} {len(self.secrets)}"] = found[1] if found else text
        return text

    def heard(self, answer):
        if answer.status >= 400:
            self.refusals.append(answer.body)
        return answer

    def in_any(self, name, *contents):
        """Which secrets are in the contents, as they are or in a usual encoding."""
        whole = b"\n".join(one if isinstance(one, bytes) else str(one).encode() for one in contents)
        return [(name, what) for what, text in self.secrets.items() for form in forms(text) if form in whole]


def forms(text):
    raw = text.encode()
    return {raw, raw.hex().encode(), base64.b64encode(raw).rstrip(b"=")[:-2], raw.replace(b"/", b"%2F")}


@pytest.fixture(scope="module")
def settings():
    """Settings that are secret, each of them for something that does not answer."""
    of_chance = {name: chance(name) for name in ("gateway", "webhook", "redis", "smtp", "model", "collector")}
    dead = stack.free_port()
    return of_chance, {
        "QW_GATEWAY_SECRET": of_chance["gateway"],
        "QW_WEBHOOK_SECRET": of_chance["webhook"],
        "QW_REDIS_URL": f"redis://limits:{of_chance['redis']}@127.0.0.1:{dead}/0",
        "QW_SMTP_URL": f"smtp://sender:{of_chance['smtp']}@127.0.0.1:{dead}",
        "QW_LLM_BASE_URL": f"http://127.0.0.1:{dead}/v1",
        "QW_LLM_MODEL": "none",
        "QW_LLM_API_KEY": of_chance["model"],
        "QW_WEBHOOK_ALLOWED_NETWORKS": "127.0.0.0/8",
        "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer%20{of_chance['collector']}",
    }


async def use_key(client, running, sinks, name, key):
    """Everywhere that a key can be put, right and wrong."""
    sinks.add(name, key)
    wrong = sinks.add(f"{name}, changed", key[:-1] + ("0" if key[-1] != "0" else "1"))
    for one in (key, wrong):
        for call in CALLS:
            sinks.heard(await client.request("GET", f"/api/v1/{call}", key=one))
            sinks.heard(await client.request("GET", f"/api/v1/{call}", session=one))
        sinks.heard(await client.request("GET", f"/api/v1/quotes/{one}", key=key))
        sinks.heard(await client.request("GET", f"/{one}"))
        sinks.heard(await client.request("GET", "/api/v1/quotes", headers={"Authorization": f"Basic {one}"}))
        sinks.heard(await client.request("GET", "/api/v1/quotes", key=key, headers={"X-Request-Id": one}))
        sinks.heard(await client.request("GET", "/api/v1/quotes", key=key, headers={"traceparent": one, "tracestate": f"a={one}"}))  # fmt: skip
        sinks.heard(await client.request("POST", "/api/v1/quotes/generate", key=one, data=f'{{"text": "{one}', headers={"Content-Type": "application/json"}))  # fmt: skip
        async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
            for metadata in ((("x-api-key", one),), (("authorization", f"Bearer {one}"),)):
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await quote_pb2_grpc.QuoteServiceStub(channel).ListQuotes(
                        quote_pb2.ListQuotesRequest(), metadata=metadata, timeout=10
                    )
    # These end it.
    sinks.heard(await client.request("GET", f"/api/v1/quotes?api_key={key}"))
    sinks.heard(await client.request("GET", f"/docs?{key}"))
    plain = f"http://localhost:{running.http_port}/api/v1/quotes"
    sinks.heard(await client.request("GET", plain, key=key))


async def use_sessions_and_passwords(client, running, sinks, organization):
    """Signing in, rightly and wrongly, by the API and by the pages."""
    address = email_of(organization)
    new, wrong = sinks.add("password", chance("new password")), sinks.add("password", chance("wrong"))
    sinks.add("password", PASSWORD)
    for body in (
        {"email": address, "password": wrong},
        {"email": address, "password": wrong * 20},
        {"email": address, "password": [wrong]},
        {"email": address, "pass": wrong, wrong: 1},
        {"email": wrong, "password": wrong},
    ):
        answer = await client.request("POST", "/api/v1/account/sign-in", json=body)
        # The name of a field that does not exist is told to whoever sent it.
        sinks.heard(answer) if wrong not in body else None
    answer = await client.request("POST", "/api/v1/account/sign-in", json={"email": address, "password": PASSWORD})
    session = sinks.add("session", answer.json()["session_token"])
    for call in CALLS:
        assert sinks.heard(await client.request("GET", f"/api/v1/{call}", session=session)).status == 200
        sinks.heard(await client.request("GET", f"/api/v1/{call}", key=session))
        sinks.heard(await client.request("GET", f"/api/v1/{call}?session={session}", session=session))
    for password in (wrong, PASSWORD):
        sinks.heard(await client.request("POST", "/api/v1/account/reauthenticate", session=session, json={"password": password}))  # fmt: skip
        body = {"password": password, "new_password": new}
        sinks.heard(await client.request("POST", "/api/v1/account/password", session=session, json=body))
    await client.page("GET", "/keys", headers={"Cookie": f"__Host-qw_session={session}"})
    await client.page("GET", f"/keys?{session}", headers={"Cookie": f"__Host-qw_session={session}x"})
    form = {"email": address, "password": wrong, "csrf": wrong}
    await client.page("POST", "/sign-in", data=form, headers={"Cookie": f"__Host-qw_visitor={wrong}"})
    return session


async def use_new_keys_and_invitations(client, sinks, session):
    """What is shown once, with an idempotency key, so that the first answer is kept."""
    once = {"headers": {"Idempotency-Key": "once"}, "session": session}
    made = (await client.request("POST", "/api/v1/keys", json={"name": "made"}, **once)).json()
    sinks.add("made key", made["secret"])
    again = {"headers": {"Idempotency-Key": "again"}, "session": session}
    rotated = await client.request("POST", f"/api/v1/keys/{made['key']['key_id']}/rotate", json={}, **again)
    sinks.add("rotated key", rotated.json()["secret"])
    more = {"headers": {"Idempotency-Key": "invited"}, "session": session}
    body = {"email": f"{chance('guest')}@customer.example.com", "role": "editor"}
    invited = (await client.request("POST", "/api/v1/workspace/invitations", json=body, **more)).json()
    token = sinks.add("invitation", invited["url"].rpartition("/")[2])
    wrong = sinks.add("invitation, changed", token[:-1] + ("0" if token[-1] != "0" else "1"))
    for one in (token, wrong):
        await client.page("GET", f"/invitations/{one}")
        sinks.heard(await client.request("POST", "/api/v1/account/invitation", json={"token": one}))
        sinks.heard(await client.request("GET", f"/api/v1/account/invitation/{one}"))
        body = {"token": one, "password": sinks.add("password", chance("password")), "name": "Guest"}
        sinks.heard(await client.request("POST", "/api/v1/account/invitation/accept", json=body))


async def use_webhooks(client, sinks, session):
    """A receiver that takes, and one that is not there; secrets rotated."""
    async with receiver(receivers.challenged) as one:
        for url in (one.url, "http://127.0.0.1:9/"):
            more = {"headers": {"Idempotency-Key": url}, "session": session}
            body = {"url": url, "livemode": False}
            made = (await client.request("POST", ENDPOINTS, json=body, **more)).json()
            path = f"{ENDPOINTS}/{made['endpoint']['endpoint_id']}"
            again = {"headers": {"Idempotency-Key": f"rotate {url}"}, "session": session}
            rotated = (await client.request("POST", f"{path}/rotate-secret", json={"overlap_hours": 1}, **again)).json()
            for secret in (made["secret"], rotated["secret"]):
                sinks.add("webhook secret", secret.removeprefix("whsec_"))
            sinks.heard(await client.request("POST", f"{path}/verify", session=session, json={}))
            sinks.heard(await client.request("POST", f"{path}/ping", session=session, json={}))
        for _ in range(100):
            log = (await client.request("GET", DELIVERIES, session=session)).json()["data"]
            if all(one["attempts"] for one in log):
                break
            await asyncio.sleep(0.05)


async def use_links(client, running, sinks, session, key):
    """A sent quote, its page and its PDF."""
    quote = (await client.generate(key, "Replace 12 m of guttering in Nashville")).json()
    submission = {"quote_id": quote["quote_id"]}
    workflow = await client.request("POST", "/api/v1/workflows/submit", key=key, json=submission)
    await client.request(
        "POST", f"/api/v1/workflows/{workflow.json()['workflow_id']}/approve", session=session, json={}
    )
    body = {"to": ["ann@customer.example.com"]}
    sent = await client.request("POST", f"/api/v1/quotes/{quote['quote_id']}/send", session=session, json=body)
    assert sent.status == 200, sent.body
    ((content,),) = running.rows("select content from mail where about = ?", f"quote:{quote['quote_id']}")
    mail = email.message_from_bytes(bytes(content), policy=email.policy.default)
    token = sinks.add("link", token_in(mail))
    wrong = sinks.add("link, changed", token[:20] + ("a" if token[20] != "a" else "b") + token[21:])
    for one in (token, wrong):
        await client.page("GET", f"/q/{one}")
        answer = sinks.heard(await client.request("GET", f"/api/v1/shared-quotes/{one}"))
        if answer.status == 200:
            pdf = sinks.add("PDF link", answer.json()["pdf_url"].rpartition("=")[2])
            sinks.heard(await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}/pdf?token={pdf}"))
            sinks.heard(await client.request("GET", f"/api/v1/quotes/{quote['quote_id']}/pdf?token={pdf}x"))
        sinks.heard(await client.request("POST", f"/api/v1/shared-quotes/{one}/accept", json={"name": "Ann", "x": 1}))


def kept(running):
    """What each column of the database has."""
    for model in MODELS:
        table = model._meta.table_name
        names = [field.column_name for field in model._meta.sorted_fields if (table, field.column_name) not in ASIDE]
        columns = ", ".join(f'"{name}"' for name in names)
        for row in running.rows(f'select {columns} from "{table}"'):
            for name, value in zip(names, row, strict=True):
                yield f"{table}.{name}", bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


def said(arguments, data_dir, **given):
    """All that a command says."""
    environment = stack.environment(data_dir, **given)
    done = subprocess.run(
        [*stack.QUOTEWRIGHT, *arguments], env=environment, capture_output=True, check=False, timeout=60
    )
    return done.stdout + done.stderr


PASSWORDS = ["{}", "{}/x", "{}%zz", "{}@x", "x/{}@x", "{}?x", "{}#x"]


@pytest.mark.parametrize("password", PASSWORDS)
@pytest.mark.parametrize(
    ("use", "url"),
    [
        (Store, "postgresql://quotewright:{}@127.0.0.1:1/quotewright"),
        (Store, "postgresql://quotewright:{}@127.0.0.1:none/quotewright"),
        (Store, "postgresql://127.0.0.1:1/quotewright?user=quotewright&password={}"),
        (lambda url: mail_transport(ServerConfig(smtp_url=url)), "smtp://sender:{}@localhost:none"),
        (lambda url: mail_transport(ServerConfig(smtp_url=url)), "smtp://sender:{}@localhost/path"),
        (lambda url: mail_transport(ServerConfig(smtp_url=url)), "http://sender:{}@localhost"),
        (lambda url: RedisQuota(url, "q", 0.1, print, time.monotonic), "redis://limits:{}@localhost:none/0"),
        (lambda url: RedisQuota(url, "q", 0.1, print, time.monotonic), "http://limits:{}@localhost/0"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_without_its_password(use, url, password):
    """Whether or not the password is encoded, as it should be."""
    secret = chance("Secret")
    with pytest.raises((OSError, SettingsError)) as refused:
        use(url.format(password.format(secret)))
    assert secret not in str(refused.value)


async def test_no_secret_is_written_anywhere_but_where_it_belongs(tmp_path, settings):
    of_chance, given = settings
    sinks = Sinks()
    for name, text in of_chance.items():
        sinks.add(name, text)
    found = []
    with (
        Collector() as collector,
        stack.split(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=collector.address, fresh=True, **given) as running,
    ):
        organization, spent = running.organization("Secrets"), running.organization("Spent")
        async with Client(running) as client:
            session = await use_sessions_and_passwords(client, running, sinks, organization)
            await use_new_keys_and_invitations(client, sinks, session)
            await use_webhooks(client, sinks, session)
            await use_links(client, running, sinks, session, sinks.add("key", organization.live_key))
            await use_key(client, running, sinks, "live key", spent.live_key)
            await use_key(client, running, sinks, "test key", spent.test_key)
            audit = (await client.request("GET", "/api/v1/workspace/audit?limit=100", session=session)).body
            for process in running.processes:
                for path in ("/metrics", "/readyz"):
                    found += sinks.in_any(path, (await client.request("GET", process.private + path)).body)
        for process in running.processes:
            found += sinks.in_any("command line", process.command_line())
        columns = {}
        for name, value in kept(running):
            columns.setdefault(name, []).append(value)
        printed = said(["--print-config"], tmp_path, **given)
        assert printed.count(b"(redacted)") == 5
        running.stop()
        for process in running.processes:
            log = process.log.read_bytes()
            assert log.count(b'"event"') > 3
            found += sinks.in_any(process.log.name, log)
    assert len(sinks.secrets) > 25 and len(sinks.refusals) > 40 and len(collector.spans) > 50
    found += sinks.in_any("settings", printed)
    found += sinks.in_any("error bodies", *sinks.refusals)
    found += sinks.in_any("traces", *collector.spans)
    found += sinks.in_any("audit", audit)
    for name, values in columns.items():
        found += sinks.in_any(name, *values)
    assert not {(where, what) for where, what in found if (where, what.rstrip(" 0123456789")) not in MEANT}
