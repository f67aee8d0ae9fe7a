"""Promises towards requests that are framed wrongly, strangely or to deceive: one reading of them, or none.

Each case is followed by a further request over the same connection. After a request whose end is in doubt that one
must not be looked at (RFC 9112 section 11.2, request smuggling): one answer, and the connection is closed.
"""

import asyncio
import contextlib
import random
import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests import stack
from tests.stack import EFFORT, Client, exchange, let_go

CONFIG = b"GET /api/v1/config HTTP/1.1\r\nHost: localhost\r\n"
BODY = b'{"query":"wood fence"}'
FURTHER = CONFIG + b"Connection: close\r\n\r\n"


def get(*lines, line=b"GET /api/v1/config HTTP/1.1"):
    return b"\r\n".join([line, b"Host: localhost", *lines]) + b"\r\n\r\n"


def post(*lines, body=BODY):
    """KEY is replaced by a real key."""
    head = [b"POST /api/v1/sourcing/price HTTP/1.1", b"Host: localhost", b"X-API-Key: KEY"]
    return b"\r\n".join([*head, b"Content-Type: application/json", *lines]) + b"\r\n\r\n" + body


def sized(*lines, body=BODY):
    return post(*lines, b"Content-Length: %d" % len(body), body=body)


def chunked(body):
    return post(b"Transfer-Encoding: chunked", body=body)


IN_DOUBT = {
    # where the body ends
    "length and chunked": post(b"Content-Length: 4", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
    "chunked and length": post(b"Transfer-Encoding: chunked", b"Content-Length: 4", body=b"0\r\n\r\n"),
    "two lengths": post(b"Content-Length: 5", b"Content-Length: 22"),
    "the same length twice": post(b"Content-Length: 22", b"Content-Length: 22"),
    "list of lengths": post(b"Content-Length: 22, 22"),
    "length with sign": post(b"Content-Length: +22"),
    "negative length": post(b"Content-Length: -22"),
    "hexadecimal length": post(b"Content-Length: 0x16"),
    "length with underscore": post(b"Content-Length: 2_2"),
    "length in other digits": post("Content-Length: ٢٢".encode()),
    "length beyond 64 bits": post(b"Content-Length: 99999999999999999999999"),
    "empty length": post(b"Content-Length:"),
    "space before the colon": post(b"Content-Length : 22"),
    "two codings": post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", body=b"0\r\n\r\n"),
    "coding after chunked": post(b"Transfer-Encoding: chunked, gzip", body=b"0\r\n\r\n"),
    "coding before chunked": post(b"Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n"),
    "chunked twice": post(b"Transfer-Encoding: chunked, chunked", body=b"0\r\n\r\n"),
    "unknown coding": post(b"Transfer-Encoding: xchunked", body=b"0\r\n\r\n"),
    "identity coding": post(b"Transfer-Encoding: identity", b"Content-Length: 22"),
    "coding with a vertical tab": post(b"Transfer-Encoding: \x0bchunked", body=b"0\r\n\r\n"),
    "coding in HTTP/1.0": chunked(b"0\r\n\r\n").replace(b"HTTP/1.1", b"HTTP/1.0"),
    "chunk size with sign": chunked(b"-16\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "chunk size beyond 64 bits": chunked(b"fffffffffffffffff\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "chunk size with prefix": chunked(b"0x16\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "chunk without size": chunked(b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "chunk longer than said": chunked(b"16\r\n" + BODY + b"XX\r\n0\r\n\r\n"),
    "chunk ended by a bare line feed": chunked(b"16\n" + BODY + b"\n0\n\n"),
    "huge chunk extension": chunked(b"16;" + b"a=b;" * 20_000 + b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "chunk extension with a bare line feed": chunked(b"16;a\nb\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "trailer that is no header": chunked(b"16\r\n" + BODY + b"\r\n0\r\nnonsense\r\n\r\n"),
    # where the head ends
    "bare line feeds": sized().replace(b"\r\n", b"\n"),
    "bare carriage return": get(b"X-A: a\rX-B: b"),
    "carriage returns alone": get().replace(b"\r\n", b"\r"),
    "folded header": get(b"X-A: a", b" folded"),
    "folded first header": b"GET /api/v1/config HTTP/1.1\r\n Host: localhost\r\n\r\n",
    "NUL in a value": get(b"X-A: a\0b"),
    "NUL in a name": get(b"X\0A: b"),
    "name with a space": get(b"X A: b"),
    "name outside ASCII": get("é: b".encode()),
    "empty name": get(b": b"),
    "no colon": get(b"Broken"),
    "control character in a value": get(b"X-A: \x01"),
    # whom it is for, and what is asked
    "no host": b"GET /api/v1/config HTTP/1.1\r\n\r\n",
    "two hosts": get(b"Host: other"),
    "host with a path": b"GET /api/v1/config HTTP/1.1\r\nHost: a/b\r\n\r\n",
    "host with a user": b"GET /api/v1/config HTTP/1.1\r\nHost: a@b\r\n\r\n",
    "host with a space": b"GET /api/v1/config HTTP/1.1\r\nHost: a b\r\n\r\n",
    "two content types": sized(b"Content-Type: text/plain"),
    "two keys": get(b"X-API-Key: KEY", b"X-API-Key: other"),
    "the same key twice": get(b"X-API-Key: KEY", b"x-api-key: KEY"),
    "two bearers": get(b"Authorization: Bearer KEY", b"Authorization: Bearer other"),
    "two idempotency keys": sized(b"Idempotency-Key: a", b"Idempotency-Key: b"),
    "HTTP/0.9 with headers": get(b"Connection: keep-alive", line=b"GET /api/v1/config HTTP/0.9"),
    "HTTP/0.9": b"GET /api/v1/config\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
    "HTTP/1.2": get(line=b"GET /api/v1/config HTTP/1.2"),
    "version in small letters": get(line=b"GET /api/v1/config http/1.1"),
    "method in small letters": get(line=b"get /api/v1/config HTTP/1.1"),
    "no target": get(line=b"GET  HTTP/1.1"),
    "tabs": get(line=b"GET\t/api/v1/config\tHTTP/1.1"),
    "asterisk without OPTIONS": get(line=b"GET * HTTP/1.1"),
    "target without a slash": get(line=b"GET api/v1/config HTTP/1.1"),
    "target with a broken address": get(line=b"GET http://[::1/api HTTP/1.1"),
    "target with an impossible port": get(line=b"GET http://a:99999/api/v1/config HTTP/1.1"),
    "NUL in the target": get(line=b"GET /api/v1/\0 HTTP/1.1"),
    "bytes above 127 in the path": get(line=b"GET /api/v1/\xff\xfe HTTP/1.1"),
    "bytes above 127 in the query": get(line="GET /api/v1/config?status=é HTTP/1.1".encode()),
    "a TLS handshake inside TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}

# What asks for another protocol is answered as if it did not; what follows may not be HTTP.
OTHER_PROTOCOLS = {
    "CONNECT": (get(line=b"CONNECT localhost:443 HTTP/1.1"), 404),
    "CONNECT with a body": (get(b"Content-Length: 3", line=b"CONNECT localhost:443 HTTP/1.1") + b"abc", 404),
    "WebSocket": (get(b"Connection: Upgrade", b"Upgrade: websocket"), 200),
    "WebSocket with a body": (sized(b"Connection: Upgrade", b"Upgrade: websocket"), 200),
    "HTTP/2": (get(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk"), 200),
    "HTTP/2 with a body": (sized(b"Connection: Upgrade", b"Upgrade: h2c"), 200),
}

# What is strange and sound: the first answer's status, then the further request is answered.
SOUND = {
    "empty lines before": (b"\r\n\r\n" + get(), 200),
    "absolute form": (get(line=b"GET https://elsewhere.example/api/v1/config HTTP/1.1"), 200),
    "OPTIONS for the server": (get(line=b"OPTIONS * HTTP/1.1"), 404),
    "TRACE": (get(line=b"TRACE /api/v1/config HTTP/1.1"), 405),
    "expectation": (sized(b"Expect: 100-continue"), 200),
    "unknown expectation": (sized(b"Expect: 999-unknown"), 200),
    "bytes above 127 in a value": (get(b"X-A: \xff\xfe\x80"), 200),
    "bytes above 127 in a key": (get(b"X-API-Key: \xff\xfe", line=b"GET /api/v1/quotes HTTP/1.1"), 401),
    "bytes above 127 in a bearer": (get(b"Authorization: Bearer \xff", line=b"GET /api/v1/quotes HTTP/1.1"), 401),
    "bytes above 127 in a request id": (get(b"X-Request-Id: \xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8"), 200),
    "bytes above 127 in an idempotency key": (sized(b"Idempotency-Key: \xff"), 422),
    "empty idempotency key": (sized(b"Idempotency-Key:"), 422),
    "bytes above 127 in a media type": (sized().replace(b"/json", b"/json; charset=\xff"), 415),
    "second content coding": (sized(b"Content-Encoding: identity", b"Content-Encoding: gzip"), 415),
    "overlong UTF-8": (sized(body=b'{"query":"\xc0\xaf"}'), 422),
    "surrogate in UTF-8": (sized(body=b'{"query":"\xed\xa0\x80"}'), 422),
    "half a surrogate pair": (sized(body=b'{"query":"\\ud800"}'), 422),
    "byte order mark": (sized(body=b"\xef\xbb\xbf" + BODY), 422),
    "UTF-16": (sized(body=BODY.decode().encode("utf-16")), 422),
    "deep arrays": (sized(body=b"[" * 100_000), 422),
    "deep objects": (sized(body=b'{"query":' * 20_000), 422),
    "a number of many digits": (sized(body=b'{"query":' + b"9" * 100_000 + b"}"), 422),
    "two documents": (sized(body=BODY + BODY), 422),
    "deep parameter": (get(line=b"GET /api/v1/config?" + b"a." * 3000 + b"a=1 HTTP/1.1"), 422),
    "brackets in parameters": (get(line=b"GET /api/v1/config?limit[]=1&a[b][c]=1 HTTP/1.1"), 422),
    "many empty parameters": (get(line=b"GET /api/v1/config?" + b"&" * 8000 + b" HTTP/1.1"), 200),
    "the same parameter often": (get(line=b"GET /api/v1/config?" + b"limit=1&" * 1000 + b" HTTP/1.1"), 422),
    "broken percent-encoding in the query": (get(line=b"GET /api/v1/config?limit=%zz HTTP/1.1"), 422),
    "broken percent-encoding in the path": (get(line=b"GET /api/v1/%zz HTTP/1.1"), 404),
    "overlong slash in the path": (get(line=b"GET /api/v1%c0%afconfig HTTP/1.1"), 404),
    "encoded slash": (get(line=b"GET /api/v1%2fconfig HTTP/1.1"), 404),
    "encoded NUL in the path": (get(line=b"GET /api/v1/quotes/%00 HTTP/1.1"), 401),
    "dots are not resolved": (get(line=b"GET /api/v1/../v1/config HTTP/1.1"), 404),
    "encoded dots": (get(line=b"GET /api/v1/%2e%2e/v1/config HTTP/1.1"), 404),
    "two slashes": (get(line=b"GET //elsewhere.example/api/v1/config HTTP/1.1"), 404),
    "backslash": (get(line=b"GET /api\\v1\\config HTTP/1.1"), 404),
    "percent-encoded letters are themselves": (get(line=b"GET /api/v1/c%6fnfig HTTP/1.1"), 200),
}  # fmt: skip

# Bodies that are told by chunks, with trailers or without (RFC 9112 section 7.1).
CHUNKS = {
    "no trailers": chunked(b"8\r\n" + BODY[:8] + b"\r\ne;ext=1\r\n" + BODY[8:] + b"\r\n0\r\n\r\n"),
    "trailers": chunked(b"16\r\n" + BODY + b"\r\n0\r\nX-T: 1\r\nX-API-Key: other\r\n\r\n"),
    "a trailer that ends like a body": chunked(b"16\r\n" + BODY + b"\r\n0\r\nX-API-Key: 0\r\n\r\n"),
    "last chunk with an extension": chunked(b"16\r\n" + BODY + b"\r\n0;a=b\r\n\r\n"),
}


@pytest.fixture(scope="module")
def key(combined):
    return combined.organization("Framing").test_key.encode()


@pytest.fixture(params=[None, -5, 100], ids=["whole", "in pieces", "early pieces"])
def pause_at(request):
    """How the case arrives: at once, but for its last bytes, or but for its first."""
    return request.param


async def sent(running, key, data, pause_at):
    data = data.replace(b"KEY", key)
    if pause_at is not None:
        pause_at = max(1, len(data) + pause_at) if pause_at < 0 else min(pause_at, len(data) - 1)
    return await exchange(running, data + FURTHER, pause_at=pause_at)


@pytest.mark.parametrize("data", IN_DOUBT.values(), ids=IN_DOUBT)
async def test_after_a_request_in_doubt_nothing_more_is_read(combined, key, data, pause_at):
    got = await sent(combined, key, data, pause_at)
    assert (got.statuses, got.closed) == ([422], True)
    assert got.answers[0].reason == "malformed_request"
    assert got.answers[0].headers["Connection"] == "close"


@pytest.mark.parametrize(("data", "status"), OTHER_PROTOCOLS.values(), ids=OTHER_PROTOCOLS)
async def test_no_other_protocol_is_spoken_and_what_follows_is_not_read(combined, key, data, status, pause_at):
    got = await sent(combined, key, data, pause_at)
    assert (got.statuses, got.closed) == ([status], True)
    assert got.answers[0].headers["Connection"] == "close"


@pytest.mark.parametrize(("data", "status"), SOUND.values(), ids=SOUND)
async def test_what_is_strange_and_sound_is_answered_and_the_connection_goes_on(combined, key, data, status, pause_at):
    got = await sent(combined, key, data, pause_at)
    assert (got.statuses, got.closed) == ([status, 200], True)


@pytest.mark.parametrize("data", CHUNKS.values(), ids=CHUNKS)
async def test_a_body_told_by_chunks_is_read_and_its_trailers_are_nobodys_headers(combined, key, data, pause_at):
    """aiohttp's parser has given the last trailer to the next request: who could reach a proxy's connection with it
    spoke for the next one there. What follows at once, or behind trailers, is not answered."""
    got = await sent(combined, key, data, pause_at)
    assert (got.statuses, got.closed) == ([200], True)
    assert got.answers[0].headers["Connection"] == "close"


@pytest.mark.parametrize("pieces", [1, 2, 7, 40])
async def test_behind_a_body_told_by_chunks_without_trailers_a_connection_goes_on(combined, key, pieces):
    """However its bytes come."""
    data = CHUNKS["no trailers"].replace(b"KEY", key)
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", combined.https_port, ssl=combined.tls(), server_hostname="localhost"
    )
    async with asyncio.timeout(30):
        for _ in range(3):
            for start in range(0, len(data), size := -(-len(data) // pieces)):
                writer.write(data[start : start + size])
                await asyncio.sleep(0.002)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 ")
            await reader.readexactly(stack.read_length(head))
    await let_go(writer)


@pytest.mark.parametrize("data", IN_DOUBT.values(), ids=IN_DOUBT)
@pytest.mark.parametrize("known", [get(), sized()], ids=["GET", "POST"])
async def test_a_request_in_doubt_is_none_the_less_so_behind_a_head_that_came_again(combined, key, data, known):
    data, known = data.replace(b"KEY", key), known.replace(b"KEY", key)
    got = await exchange(combined, data + FURTHER, pause_at=len(data), before=[known] * 3)
    assert (got.statuses, got.closed) == ([422], True)


@pytest.mark.parametrize(("data", "status"), SOUND.values(), ids=SOUND)
async def test_a_request_that_comes_again_is_answered_as_the_first_time(combined, key, data, status):
    data = data.replace(b"KEY", key)
    got = await exchange(combined, data + FURTHER, pause_at=len(data), before=[data] * 3)
    assert (got.statuses, got.closed) == ([status, 200], True)


async def test_a_head_that_comes_again_has_the_body_and_the_target_that_it_brings(combined, key):
    """Over one connection, whole or with the body's end a moment later; other targets and heads between them."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", combined.https_port, ssl=combined.tls(), server_hostname="localhost"
    )

    async def answer_to(*pieces):
        for piece in pieces:
            writer.write(piece.replace(b"KEY", key))
            await asyncio.sleep(0.01 * (len(pieces) > 1))
        head = await reader.readuntil(b"\r\n\r\n")
        (answer,) = stack.read_answers(head + await reader.readexactly(stack.read_length(head)))
        return answer

    async with asyncio.timeout(60):
        for number in [*range(9), *range(98, 103)]:
            data = sized(body=b'{"query":"%b","member_%d":1}' % (b"x" * (number % 5), number))
            unknown = (f"member_{number}", "unknown_field")
            assert unknown in (await answer_to(data)).fields()
            assert unknown in (await answer_to(data[:-5], data[-5:]) if number == 4 else await answer_to(data)).fields()
            if number % 3 == 0:
                assert [(await answer_to(get())).status for _ in range(2)] == [200, 200]
                assert (await answer_to(get(line=b"GET /nowhere HTTP/1.1"))).status == 404
            if number % 5 == 0:
                assert (await answer_to(sized(b"X-A: %d" % number))).status == 200
                assert (await answer_to(sized().replace(b"KEY", b"qw_test_no"))).status == 401
    await let_go(writer)


async def test_pipelined_requests_are_answered_in_order(combined):
    asked = [200, 404, 200, 405, 200] * 30
    lines = {200: b"GET /api/v1/config", 404: b"GET /nowhere", 405: b"PUT /api/v1/config"}
    got = await exchange(combined, b"".join(get(line=lines[status] + b" HTTP/1.1") for status in asked) + FURTHER)
    assert (got.statuses, got.closed) == ([*asked, 200], True)


async def test_head_is_answered_without_a_body_and_the_connection_goes_on(combined):
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", combined.https_port, ssl=combined.tls(), server_hostname="localhost"
    )
    writer.write(get(line=b"HEAD /api/v1/nowhere HTTP/1.1"))
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 ")
    writer.write(FURTHER)
    assert (await reader.read()).startswith(b"HTTP/1.1 200 ")
    await let_go(writer)


VALID = [
    get(),
    get(line=b"GET /api/v1/config?limit=5&offset=0&status=draft HTTP/1.1"),
    get(b"X-API-Key: KEY", line=b"GET /api/v1/quotes?limit=2 HTTP/1.1"),
    get(b"Authorization: Bearer KEY", line=b"GET /api/v1/quotes/17 HTTP/1.1"),
    get(line=b"OPTIONS /api/v1/config HTTP/1.1"),
    sized(),
    sized(b"Expect: 100-continue", b"Idempotency-Key: abc", b"X-Request-Id: abcdefgh"),
    sized(body='{"query":"Zaun \\u00e9 ü","location":"Chicago","industry":null}'.encode()),
    chunked(b"8\r\n" + BODY[:8] + b"\r\ne;ext=1\r\n" + BODY[8:] + b"\r\n0\r\nX-T: 1\r\n\r\n"),
    sized(body=b'{"text":"Paint 60 m2"}').replace(b"sourcing/price", b"quotes/generate"),
]  # fmt: skip
PIECES = [
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b";", b",", b"/", b"%", b"%00", b"%ff", b"\xff", b"\xc0\xaf",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", b"0", b"-1", b"ffffffff", b"18446744073709551616", b"{", b"[" * 40, b'"', b"\\",
    b"\\ud800", b"\\u0000", b"null", b"1e999", b"NaN", b"HTTP/1.0", b"HTTP/2.0", b"Content-Length: 3\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip\r\n", b"Connection: close\r\n",
    b"Connection: Upgrade\r\nUpgrade: h2c\r\n", b"Expect: 100-continue\r\n", b"Content-Encoding: gzip\r\n",
    b"Host: a\r\n", b"X-API-Key: b\r\n", b"0\r\n\r\n", b"\r\n\r\n", b"a=b&" * 20, b"a." * 40, b"X" * 9000,
]  # fmt: skip


@st.composite
def mutated(draw):
    """A valid request, or two, with up to four things wrong."""
    data = b"".join(draw(st.lists(st.sampled_from(VALID), min_size=1, max_size=2)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        until = min(len(data), at + draw(st.integers(0, 24)))
        match draw(st.sampled_from(["insert", "replace", "delete", "double", "cut", "flip", "lines"])):
            case "insert":
                data = data[:at] + draw(st.sampled_from(PIECES)) + data[at:]
            case "replace":
                data = data[:at] + draw(st.binary(max_size=4)) + data[until:]
            case "delete":
                data = data[:at] + data[until:]
            case "double":
                data = data[:until] + data[at:]
            case "cut":
                data = data[: max(1, at)]
            case "flip" if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :]
            case "lines":
                lines = data.split(b"\r\n")
                random.Random(at).shuffle(lines)
                data = b"\r\n".join(lines)
    return data


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    """A service that soon gives up on whatever is not complete, on both ports; its memory is measured. A head has longer,
    as that is the time of forty TLS handshakes at once, too."""
    short = {"QW_HEADER_SECONDS": 2.5, "QW_BODY_SECONDS": 0.4, "QW_IDLE_SECONDS": 0.4}
    folder = tmp_path_factory.mktemp("impatient")
    with stack.combined(folder, QW_TRUSTED_PROXIES="127.0.0.0/8", fresh=True, **short) as running:
        yield running


async def test_no_bytes_make_a_5xx_a_hang_or_growth_and_others_are_served(impatient):
    organization = impatient.organization()
    (process,) = impatient.processes
    done = asyncio.Event()
    latencies = []

    async def others():
        async with Client(impatient) as client:
            while not done.is_set():
                began = time.monotonic()
                assert (await client.request("GET", "/api/v1/quotes", key=organization.live_key)).status == 200
                latencies.append(time.monotonic() - began)
                await asyncio.sleep(0.02)

    async def one(data, tls, pause_at):
        if not tls:
            data = data.replace(b"\r\n", b"\r\nX-Forwarded-Proto: https\r\n", 1)
        got = await exchange(
            impatient, data.replace(b"KEY", organization.test_key.encode()), tls=tls, pause_at=pause_at, wait=15
        )
        assert got.closed, "the connection stays open"
        assert all(status < 500 for status in got.statuses), (data, got.answers)

    async def batch(examples):
        await asyncio.gather(
            *(one(data, number % 2, number * 7 if number % 4 < 2 else None) for number, data in enumerate(examples))
        )

    loop = asyncio.get_running_loop()

    # A batch at once, as each connection takes as long as the service waits for the rest of what was sent.
    @settings(
        max_examples=6 * EFFORT,
        deadline=None,
        derandomize=EFFORT == 1,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(mutated(), min_size=40, max_size=40))
    def search(examples):
        asyncio.run_coroutine_threadsafe(batch(examples), loop).result(60)

    serving = asyncio.create_task(others())
    try:
        await batch(VALID * 4)
        before = await process.settled_memory()
        await asyncio.to_thread(search)
    finally:
        done.set()
        with contextlib.suppress(asyncio.CancelledError):
            await serving
    assert process.alive
    assert process.memory() - before < 16 * 2**20
    assert len(latencies) > 50 and max(latencies) < 5
