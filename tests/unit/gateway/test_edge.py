"""Promises of heads that are remembered: only what says the same is not read again."""

import asyncio

import pytest
from aiohttp.base_protocol import BaseProtocol
from aiohttp.http import HttpRequestParser

from gateway.connection import Request
from gateway.edge import Proxies, head_of

LINES = [b"Host: localhost", b"X-API-Key: qw_test_a", b"Content-Length: 2", b"X-Request-Id: request-1"]
PROXIES = Proxies(["127.0.0.0/8"])


class Connected:
    """A connection, as far as a head looks at it."""

    def __init__(self):
        self.memory = None
        self.address = "127.0.0.1"
        self.secure = True
        self.may_be_large = False


@pytest.fixture
async def connection():
    return Connected()


def asked(connection, *lines, body=b"{}", version=b"HTTP/1.1"):
    """A request as the parser reads it."""
    loop = asyncio.get_running_loop()
    parser = HttpRequestParser(BaseProtocol(loop), loop, 2**16)
    data = b"\r\n".join([b"POST /api/v1/sourcing/price " + version, *lines]) + b"\r\n\r\n" + body
    ((message, content),), _, _ = parser.feed_data(data)
    return Request(connection, message, content)


async def test_the_same_lines_are_read_once(connection):
    first = head_of(asked(connection, *LINES), PROXIES)
    first.caller = "somebody"
    assert head_of(asked(connection, *LINES), PROXIES) is first


async def test_a_body_of_another_length_says_the_same(connection):
    first = head_of(asked(connection, *LINES), PROXIES)
    longer = [line.replace(b"Length: 2", b"Length: 13") for line in LINES]
    assert head_of(asked(connection, *longer, body=b'{"query":"a"}'), PROXIES) is first


async def test_a_route_is_known_for_the_same_message_and_no_other(connection):
    """Another target may have the same lines."""
    request = asked(connection, *LINES)
    first = head_of(request, PROXIES)
    first.found = "a route"
    assert head_of(request, PROXIES).found == "a route"
    assert head_of(asked(connection, *LINES), PROXIES) is first
    assert first.found is None


@pytest.mark.parametrize(
    "lines",
    [
        [line.replace(b"qw_test_a", b"qw_test_b") for line in LINES],
        [line.replace(b"request-1", b"request-2") for line in LINES],
        [line.replace(b"X-API-Key", b"X-Api-Key") for line in LINES],
        [*LINES, b"X-Forwarded-For: 10.0.0.1"],
        [LINES[0], LINES[2], LINES[1], LINES[3]],
        [line for line in LINES if b"Key" not in line],
        [line.replace(b"Content-Length: 2", b"X-Length: 2") for line in LINES],
        [line for line in LINES if b"Length" not in line],
    ],
    ids=["key", "id", "case", "more", "order", "fewer", "name", "no length"],
)
async def test_whatever_else_differs_is_read_anew(connection, lines):
    first = head_of(asked(connection, *LINES), PROXIES)
    first.caller = "somebody"
    body = b"{}" if any(b"Content-Length" in line for line in lines) else b""
    assert head_of(asked(connection, *lines, body=body), PROXIES).caller is None


async def test_another_version_is_read_anew(connection):
    first = head_of(asked(connection, *LINES), PROXIES)
    assert head_of(asked(connection, *LINES, version=b"HTTP/1.0"), PROXIES) is not first


async def test_a_head_that_is_refused_is_not_remembered(connection):
    doubled = [*LINES, b"Idempotency-Key: a", b"Idempotency-Key: b"]
    assert head_of(asked(connection, *doubled), PROXIES).problem.reason == "malformed_request"
    assert connection.memory is None


async def test_cookies_are_found_by_their_whole_name(connection):
    request = asked(connection, *LINES, b"Cookie: xa=1; a=2;b = 3; c", b"Cookie: d=4=5")
    assert [request.cookie(name) for name in ("a", "xa", "b", "c", "d", "e")] == ["2", "1", "", "", "4=5", ""]


@pytest.mark.parametrize("network", ["10.0.0.0/8", "::ffff:10.0.0.0/104", "::ffff:10.1.2.3"])
def test_a_proxy_is_trusted_however_its_ipv4_network_is_written(network):
    trusts = Proxies([network]).trusts
    assert trusts("10.1.2.3")
    assert not trusts("11.1.2.3")


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ([b"198.51.100.7"], "198.51.100.7"),
        ([b"203.0.113.9, 198.51.100.7, 127.0.0.2"], "198.51.100.7"),
        ([b"203.0.113.9", b" 2001:db8::1 ,, 127.0.0.2 "], "2001:db8::1"),
        ([b"198.51.100.7:4711, 127.0.0.2:80"], "198.51.100.7"),
        ([b"[2001:db8::1]:4711, [::ffff:198.51.100.7]"], "198.51.100.7"),
        ([b"[2001:db8::1]:4711"], "2001:db8::1"),
        ([b"127.0.0.2, 127.0.0.3"], "127.0.0.1"),
        ([b""], "127.0.0.1"),
        ([b"198.51.100.7, \xff"], "127.0.0.1"),
        ([b"198.51.100.7, fe80::1%\xff"], "127.0.0.1"),
        ([b"198.51.100.7, unknown"], "127.0.0.1"),
        ([b"198.51.100.7, 198.51.100.700"], "127.0.0.1"),
        ([b"198.51.100.7, 198.51.100.8:\xff"], "127.0.0.1"),
        ([b"198.51.100.7, [2001:db8::1"], "127.0.0.1"),
        ([b"198.51.100.7, " + b"1" * 4000], "127.0.0.1"),
    ],
)
async def test_a_proxys_client_is_the_last_address_that_it_tells_or_the_proxy_itself(connection, forwarded, client):
    """What stands before something that is no address is the client's own word."""
    lines = [*LINES, *(b"X-Forwarded-For: " + one for one in forwarded)]
    assert head_of(asked(connection, *lines), PROXIES).client == client


async def test_a_strangers_client_is_itself(connection):
    connection.address = "203.0.113.1"
    assert head_of(asked(connection, *LINES, b"X-Forwarded-For: 198.51.100.7"), PROXIES).client == "203.0.113.1"
