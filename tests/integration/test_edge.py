"""Promises of the edge: plain HTTP, slow, broken and too many requests get the envelope or a closed door, never a 5xx."""

import asyncio
import json
import shutil
import socket
import time
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from multidict import CIMultiDict

from gateway.tls import ensure_local_certificate
from tests import stack
from tests.stack import Answer, Client, check_envelope, exchange


def raw(running, data, *, tls=True, wait=8.0):
    """What comes back for these bytes until the other side closes or is silent."""
    port = running.https_port if tls else running.http_port
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as plain:
        connection = running.tls().wrap_socket(plain, server_hostname="localhost") if tls else plain
        with connection:
            connection.sendall(data)
            received = b""
            try:
                while chunk := connection.recv(65536):
                    received += chunk
                    if complete(received):
                        break
            except (TimeoutError, ConnectionError):
                pass
            return received


def complete(received):
    """Whether a whole answer has arrived."""
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    return bool(lengths) and len(body) >= int(lengths[0].split(b":")[1])


def parse(received):
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    return Answer(int(lines[0].split()[1]), CIMultiDict(line.split(": ", 1) for line in lines[1:]), body)


def test_plain_http_is_refused_with_the_envelope_and_never_redirected(combined):
    answer = parse(raw(combined, b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\n\r\n", tls=False))
    check_envelope(answer)
    assert (answer.status, answer.json()["error"]["code"]) == (403, "https_required")
    assert "Location" not in answer.headers
    assert "Strict-Transport-Security" not in answer.headers


def test_a_forwarded_header_of_a_stranger_does_not_make_plain_http_secure(combined):
    request = b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n\r\n"
    assert parse(raw(combined, request, tls=False)).status == 403


def test_a_configured_proxy_may_speak_plain_http_for_its_clients(tmp_path):
    with stack.combined(tmp_path, QW_TRUSTED_PROXIES="127.0.0.0/8") as running:
        request = b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n\r\n"
        assert parse(raw(running, request, tls=False)).status == 200
        assert parse(raw(running, request.replace(b"https", b"http"), tls=False)).status == 403


async def test_an_address_that_is_no_text_is_its_proxys_and_the_log_goes_on(tmp_path):
    with stack.combined(tmp_path, QW_TRUSTED_PROXIES="127.0.0.0/8") as running:
        for number, address in enumerate((b"198.51.100.7", b"\xff", b"fe80::1%\xff", b"198.51.100.8:4711")):
            request = (
                b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\nX-Request-Id: from-proxy-%d\r\nX-Forwarded-For: %s\r\n\r\n"
            )
            assert parse(raw(running, request % (number, address))).status == 200
        async with Client(running) as client:
            events = [json.loads(line) for line in (await client.logs()).splitlines() if line.startswith("{")]
    clients = {one.get("request_id"): one.get("client") for one in events if one["event"] == "request"}
    found = [clients[f"from-proxy-{number}"] for number in range(4)]
    assert found == ["198.51.100.7", "127.0.0.1", "127.0.0.1", "198.51.100.8"]


async def test_a_key_over_plain_http_or_in_a_url_is_refused_and_flagged(combined):
    organization = combined.organization("Exposed")
    over_http = raw(
        combined,
        f"GET /api/v1/quotes HTTP/1.1\r\nHost: x\r\nX-API-Key: {organization.live_key}\r\n\r\n".encode(),
        tls=False,
    )
    assert parse(over_http).status == 403
    async with Client(combined) as client:
        answer = await client.request("GET", f"/api/v1/quotes?api_key={organization.test_key}")
        assert (answer.status, answer.reason) == (401, "key_in_query")
        assert organization.test_key not in await client.logs()
    rows = combined.rows(
        "select livemode, detail from audit_row where organization_id = ? and action = 'key:exposed' order by id",
        organization.organization_id,
    )
    assert rows == [(1, "plain_http"), (0, "query")]


async def test_a_key_anywhere_in_a_head_over_plain_http_is_flagged(combined):
    organization = combined.organization("Exposed in a head")
    live, test, bare = organization.live_key, organization.test_key, organization.bare_key
    twice = f"GET /api/v1/quotes HTTP/1.1\r\nHost: x\r\nX-API-Key: qw_live_a\r\nX-API-Key: {live}\r\n\r\n"
    in_url = f"GET /api/v1/config?key={test} HTTP/1.1\r\nHost: x\r\n\r\n"
    elsewhere = f"GET / HTTP/1.1\r\nHost: no host\r\nProxy-Authorization: Bearer {bare}\r\n\r\n"
    for head in (twice, in_url, elsewhere):
        answer = parse(raw(combined, head.encode(), tls=False))
        check_envelope(answer)
        assert (answer.status, answer.reason) == (403, "https_required")
    rows = combined.rows(
        "select livemode, detail from audit_row where organization_id = ? and action = 'key:exposed' order by id",
        organization.organization_id,
    )
    assert rows == [(1, "plain_http"), (0, "plain_http"), (1, "plain_http")]


@pytest.mark.parametrize("path", ["/api/v1/quotes", "/docs", "/sign-in"])
async def test_a_key_that_a_url_writes_in_percent_signs_is_a_key(combined, path):
    organization = combined.organization("Encoded")
    live, test = (
        "".join(f"%{ord(letter):02X}" for letter in key) for key in (organization.live_key, organization.test_key)
    )
    over_http = raw(combined, f"GET /{live} HTTP/1.1\r\nHost: x\r\n\r\n".encode(), tls=False)
    assert (parse(over_http).status, parse(over_http).reason) == (403, "https_required")
    request = f"GET {path}?page=100%25&api_key={test} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert parse(raw(combined, request.encode())).status == 401
    rows = combined.rows(
        "select livemode, detail from audit_row where organization_id = ? and action = 'key:exposed' order by id",
        organization.organization_id,
    )
    assert rows == [(1, "plain_http"), (0, "query")]


@pytest.mark.parametrize(
    "data",
    [
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: no host\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-API-Key: a\r\nX-API-Key: a\r\n\r\n",
    ],
    ids=["no head", "long header", "host", "twice"],
)
def test_a_refusal_asks_to_be_remembered_for_https_over_https_and_nowhere_else(combined, data):
    for tls in (True, False):
        answer = parse(raw(combined, data, tls=tls))
        check_envelope(answer)
        assert ("Strict-Transport-Security" in answer.headers) is tls


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GARBAGE\r\n\r\n", 422),
        (b"GET /api/v1/config HTTP/9.9\r\nHost: x\r\n\r\n", 422),
        (b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", 422),
        (b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\nBroken\r\n\r\n", 422),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: a\r\n" % n for n in range(200)) + b"\r\n", 431),
        (b"GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (b"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    ],
    ids=["garbage", "version", "length", "header", "line", "long header", "many headers", "utf8", "percent", "star"],
)
def test_what_is_no_request_is_answered_by_the_envelope(combined, data, status):
    answer = parse(raw(combined, data))
    check_envelope(answer)
    assert answer.status == status


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from([b"GET", b"POST", b"PUT", b"\x00", b"G ET"]),
    path=st.binary(max_size=30),
    header=st.binary(max_size=40),
    body=st.binary(max_size=60),
)
def test_arbitrary_bytes_never_make_a_5xx_nor_hang(combined, method, path, header, body):
    data = method + b" /api/v1/quotes/generate" + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + header
    received = raw(combined, data + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body, wait=7.0)
    if received:
        answer = parse(received)
        check_envelope(answer)
        assert answer.status < 500


def test_a_head_that_never_ends_is_given_up(tmp_path):
    with stack.combined(tmp_path, QW_HEADER_SECONDS=0.5, QW_IDLE_SECONDS=1) as running:
        began = time.monotonic()
        assert raw(running, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow") == b""
        assert raw(running, b"") == b""
        assert time.monotonic() - began < 4


def test_a_body_that_never_ends_is_a_408(tmp_path):
    with stack.combined(tmp_path, QW_BODY_SECONDS=0.5) as running:
        organization = running.organization()
        head = (
            f"POST /api/v1/sourcing/price HTTP/1.1\r\nHost: x\r\nX-API-Key: {organization.live_key}\r\n"
            "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
        )
        answer = parse(raw(running, head.encode()))
        check_envelope(answer)
        assert answer.status == 408


async def test_the_allowance_is_exact_and_per_organization_and_mode(combined):
    organization = combined.organization("Limited", rate=7)
    async with Client(combined) as client:
        answers = await asyncio.gather(
            *(client.request("GET", "/api/v1/quotes", key=organization.live_key) for _ in range(20))
        )
        assert sorted(answer.status for answer in answers) == [200] * 7 + [429] * 13
        refused = next(answer for answer in answers if answer.status == 429)
        assert refused.headers["X-RateLimit-Limit"] == "7"
        assert refused.headers["X-RateLimit-Remaining"] == "0"
        assert refused.reason == "quota_exceeded"
        assert 0 < int(refused.headers["X-RateLimit-Reset"]) - time.time() <= 61
        assert (await client.request("GET", "/api/v1/quotes", key=organization.test_key)).status == 200
        # A missing scope is said before the allowance is (D21).
        assert (await client.request("GET", "/api/v1/quotes", key=organization.bare_key)).status == 403
        # Refused before the body is looked at (D21).
        assert (
            await client.request("POST", "/api/v1/quotes/generate", key=organization.live_key, data=b"{")
        ).status == 429


def turned_away(running):
    """Whether a further connection gets nothing but its end."""
    try:
        return raw(running, b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\n\r\n", wait=3) == b""
    except OSError:
        return True


async def test_each_request_of_a_connection_comes_from_whom_it_says(combined):
    organization, stranger = (combined.organization(name, rate=100) for name in ("Kept", "Stranger"))
    request = b"POST /api/v1/sourcing/price HTTP/1.1\r\nHost: localhost\r\nContent-Length: 22\r\nX-API-Key: %s\r\n"
    request += b"Content-Type: application/json\r\n\r\n" + b'{"query":"wood fence"}'
    mine, theirs = (one.test_key.encode() for one in (organization, stranger))
    keys = [mine, mine, theirs, mine[:-1] + b"!", mine]
    last = request.replace(b"\r\nHost", b"\r\nConnection: close\r\nHost") % mine
    got = await exchange(combined, b"".join(request % key for key in keys) + last)
    assert got.statuses == [200, 200, 200, 401, 200, 200]
    remaining = [int(answer.headers.get("X-RateLimit-Remaining", -1)) for answer in got.answers]
    assert remaining == [99, 98, 99, -1, 97, 96]


async def test_too_many_connections_of_one_address_are_turned_away(tmp_path):
    with stack.combined(tmp_path, QW_CONNECTIONS_PER_ADDRESS=5) as running:
        open_ones = [
            running.tls().wrap_socket(
                socket.create_connection(("127.0.0.1", running.https_port)), server_hostname="localhost"
            )
            for _ in range(5)
        ]
        try:
            await asyncio.sleep(0.2)
            assert turned_away(running)
        finally:
            for one in open_ones:
                one.close()
        await asyncio.sleep(0.5)
        assert parse(raw(running, b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\n\r\n")).status == 200


def test_a_certificate_of_ones_own_is_presented(tmp_path):
    own = ensure_local_certificate(tmp_path / "own", now=datetime.now(UTC))
    with stack.combined(tmp_path / "data", QW_TLS_CERTIFICATE=own.certificate, QW_TLS_KEY=own.key) as running:
        shutil.copytree(tmp_path / "own", running.data_dir / "tls")
        assert parse(raw(running, b"GET /api/v1/config HTTP/1.1\r\nHost: x\r\n\r\n")).status == 200


async def test_the_log_is_json_lines_without_texts_and_secrets(combined):
    organization = combined.organization("Logged")
    raw(
        combined,
        (
            f"GET /api/v1/quotes/generate?text=my%20hidden%20address HTTP/1.1\r\nHost: x\r\n"
            f"X-API-Key: {organization.live_key}\r\n\r\n"
        ).encode(),
    )
    async with Client(combined) as client:
        lines = (await client.logs()).splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    mine = [one for one in events if one.get("organization_id") == organization.organization_id]
    assert mine and mine[-1]["route"] == "/api/v1/quotes/generate"
    assert not any("hidden" in line or organization.live_key in line for line in lines)
