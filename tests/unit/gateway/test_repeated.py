"""Promises of heads that come again: what is taken for one without being parsed, the parser takes for the same."""

import asyncio

import pytest
from aiohttp.base_protocol import BaseProtocol
from aiohttp.http import HttpRequestParser
from aiohttp.http_exceptions import HttpProcessingError
from hypothesis import given
from hypothesis import strategies as st

from gateway.repeated import RepeatedHead, bytes_of_head

GET = b"GET /api/v1/config HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/v1/sourcing/price HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nX-API-Key: k\r\n\r\n%s"


@pytest.fixture(scope="module")
def loop():
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


def parsed(loop, data):
    """What the parser makes of a connection that begins with ``data``: messages with their whole bodies, or None."""
    parser = HttpRequestParser(BaseProtocol(loop), loop, 2**16)
    try:
        messages, switched, _ = parser.feed_data(data)
    except HttpProcessingError:
        return None
    if switched or not all(content.is_eof() for _, content in messages):
        return None
    return [(message, content.read_nowait()) for message, content in messages]


def repeated(loop, data):
    found = parsed(loop, data)
    assert found is not None
    (message, body), *others = found
    assert not others
    size = bytes_of_head(message, data)
    assert size == len(data) - len(body)
    return RepeatedHead.of(message, data[:size])


def test_a_head_without_a_length_comes_again_as_it_was(loop):
    head = repeated(loop, GET)
    assert head.body_of(GET) == b""
    assert head.body_of(GET + b"G") is None
    assert head.body_of(GET[:-1]) is None
    assert head.body_of(GET.replace(b"config", b"confih")) is None


def test_a_head_comes_again_with_another_length(loop):
    head = repeated(loop, POST % (5, b"12345"))
    assert head.body_of(POST % (5, b"abcde")) == b"abcde"
    assert head.body_of(POST % (12, b"abcdeabcdeab")) == b"abcdeabcdeab"
    assert head.body_of(POST % (0, b"")) == b""


@pytest.mark.parametrize(
    "data",
    [
        POST % (5, b"1234"),
        POST % (5, b"123456"),
        POST % (5, b"12345" + GET),
        POST.replace(b"%d", b"+%d") % (5, b"12345"),
        POST.replace(b"%d", b"") % b"12345",
        POST.replace(b"%d", b"%d, 5") % (5, b"12345"),
        POST.replace(b"X-API-Key: k", b"X-API-Key: l") % (5, b"12345"),
        POST.replace(b"X-API-Key: k", b"X-API-Key: k\r\nA: b") % (5, b"12345"),
    ],
)
def test_what_is_not_the_same_is_parsed(loop, data):
    assert repeated(loop, POST % (5, b"12345")).body_of(data) is None


@pytest.mark.parametrize(
    "line", [b"Connection: close", b"Expect: 100-continue", b"Content-Length: 5\r\nConnection: close"]
)
def test_what_ends_the_connection_or_waits_is_never_repeated(loop, line):
    data = b"POST /x HTTP/1.1\r\nHost: localhost\r\n" + line + b"\r\n\r\n" + b"12345" * (b"Length" in line)
    (message, _), *_ = parsed(loop, data)
    assert RepeatedHead.of(message, data[: bytes_of_head(message, data)]) is None


def test_what_is_not_told_by_its_length_has_no_head_that_is_known(loop):
    data = b"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    (message, _), *_ = parsed(loop, data)
    assert bytes_of_head(message, data) == 0


LENGTH = b"%length%"
lines = st.sampled_from(
    [
        b"X-API-Key: k",
        b"X: Content-Length: 4",
        b"Connection: keep-alive",
        b"Connection: close",
        b"Expect: 100-continue",
        b"Transfer-Encoding: chunked",
        b"Upgrade: websocket",
    ]
)
length_lines = st.sampled_from(
    [b"", b"Content-Length: ", b"content-length:", b"Content-Length:  ", b"Content-Length:\t"]
)
heads = st.builds(
    lambda method, before, line, after, end: (
        b"\r\n".join([method + b" /x?a=b HTTP/1.1", b"Host: localhost", *before, *[line + LENGTH] * bool(line), *after])
        + end
    ),
    st.sampled_from([b"GET", b"POST", b"HEAD", b"CONNECT"]),
    st.lists(lines, max_size=2),
    length_lines,
    st.lists(lines, max_size=2),
    st.sampled_from([b"\r\n\r\n", b"\r\n\r\n", b"\n\n"]),
)
bodies = st.one_of(st.binary(max_size=12), st.sampled_from([b"", b"0\r\n\r\n", b"a\r\n\r\nd", GET]))
lengths = st.one_of(
    st.none(), st.integers(0, 12).map(lambda length: b"%d" % length), st.sampled_from([b"", b"-1", b"007"])
)


@given(head=heads, other=heads, body=bodies, other_body=bodies, length=lengths, place=st.integers(0, 200))
def test_a_head_that_is_known_again_means_what_the_parser_would_make_of_it(
    loop, head, other, body, other_body, length, place
):
    first = head.replace(LENGTH, b"%d" % len(body)) + body
    found = parsed(loop, first)
    if not found or len(found) != 1:
        return
    (message, content), *_ = found
    size = bytes_of_head(message, first)
    if not size or size + int(message.headers.get("Content-Length", 0)) != len(first):
        return
    known = RepeatedHead.of(message, first[:size])
    if known is None:
        return
    assert known.body_of(first) == content
    length = b"%d" % len(other_body) if length is None else length
    at = place % size
    changed = first[:at] + bytes([first[at] ^ 1]) + first[at + 1 :]
    for data in (*(again.replace(LENGTH, length) + other_body for again in (head, other)), changed):
        taken = known.body_of(data)
        if taken is None:
            continue
        followed = parsed(loop, data + GET)
        assert followed is not None
        assert len(followed) == 2
        (same, its_body), _ = followed
        assert its_body == taken
        for name in ("method", "path", "version", "should_close", "upgrade", "chunked", "compression", "url"):
            assert getattr(same, name) == getattr(message, name)
        for one, was in zip(same.raw_headers, message.raw_headers, strict=True):
            assert one == was or one[0].lower() == was[0].lower() == b"content-length"
