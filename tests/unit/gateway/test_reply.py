"""Promises of an answer on its way out: one well-formed head, a length that is true, compression only as asked for."""

import gzip
import http.client
import io

import pytest
from aiohttp import HttpVersion10, HttpVersion11
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from gateway.reply import GZIP_FROM, Reply, compress, entity_tag, is_known, takes_gzip, validated


class Asked:
    """A request, as far as a reply looks at it."""

    def __init__(self, method="GET", version=HttpVersion11, keep_alive=True, headers=None):
        self.method = method
        self.version = version
        self.keep_alive = keep_alive
        self.headers = CIMultiDict(headers or {})


class _Socket:
    def __init__(self, data):
        self._data = data

    def makefile(self, _mode):
        return io.BytesIO(self._data)


def parsed(data, method="GET"):
    """What the standard library's client makes of it, and its body."""
    answer = http.client.HTTPResponse(_Socket(data), method=method)
    answer.begin()
    return answer, answer.read()


def test_head_and_body_are_read_back_as_they_were():
    answer, body = parsed(Reply(200, {"Content-Type": "text/plain", "X-A": "b"}, b"hello").rest(Asked()))
    assert (answer.status, answer.reason, body) == (200, "OK", b"hello")
    assert answer.headers["X-A"] == "b"
    assert answer.headers["Content-Length"] == "5"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Python" not in answer.headers["Server"]


def test_head_gets_the_length_and_no_body():
    data = Reply(200, {}, b"hello").rest(Asked("HEAD"))
    assert data.endswith(b"\r\n\r\n")
    assert b"Content-Length: 5\r\n" in data


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_that_has_no_body_states_no_length(status):
    assert b"Content-Length" not in Reply(status, {}).rest(Asked())


@pytest.mark.parametrize(
    ("version", "keep_alive", "close", "said", "stays"),
    [
        (HttpVersion11, True, False, None, True),
        (HttpVersion11, True, True, "close", False),
        (HttpVersion11, False, False, "close", False),
        (HttpVersion10, True, False, "keep-alive", True),
        (HttpVersion10, False, False, "close", False),
    ],
)
def test_what_is_said_about_the_connection_is_what_happens_to_it(version, keep_alive, close, said, stays):
    reply = Reply(200, {}, close=close)
    answer, _ = parsed(reply.rest(Asked(version=version, keep_alive=keep_alive)))
    assert answer.headers["Connection"] == said
    assert reply.keep_alive is stays


def test_only_an_answer_over_https_asks_to_be_remembered_for_https():
    assert b"Strict-Transport-Security" in Reply(200, {}).rest(Asked())
    assert b"Strict-Transport-Security" not in Reply(403, {}, secure=False).rest(Asked())


@given(name=st.text("abc-\r\n\0", min_size=1), value=st.text(max_size=30))
def test_no_header_breaks_out_of_its_line(name, value):
    try:
        head = Reply(200, {name: value, "X-Last": "1"}).data()
    except ValueError:
        assert set("\r\n\0") & set(name + value)
    else:
        assert not set("\r\n\0") & set(name + value)
        plain = Reply(200, {"X-Last": "1"}).data()
        assert head.count(b"\r\n") == plain.count(b"\r\n") + 1


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("x-gzip", True),
        ("deflate, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("*", True),
        ("*;q=0", False),
        ("*, gzip;q=0", False),
        ("identity", False),
        ("gzip;q=much", False),
        ("gzipped", False),
    ],
)
def test_gzip_is_sent_to_those_who_take_it(accepted, taken):
    assert takes_gzip([accepted]) is taken


@given(st.text(max_size=60))
def test_any_accept_encoding_has_an_answer(text):
    assert takes_gzip([text]) in (True, False)


@pytest.mark.parametrize(
    ("lines", "taken"), [((), False), (("br", "gzip"), True), (("gzip", "br"), True), (("br", "gzip;q=0"), False)]
)
def test_lines_of_one_header_are_one_list(lines, taken):
    assert takes_gzip(lines) is taken
    headers = {"Content-Type": "application/json"}
    asked = Asked(headers=CIMultiDict(("Accept-Encoding", line) for line in lines))
    compress(asked, headers, b"a" * GZIP_FROM)
    assert ("Content-Encoding" in headers) is taken


def test_a_large_answer_is_compressed_and_says_so():
    headers = {"Content-Type": "application/json"}
    body = b"a" * GZIP_FROM
    shrunk = compress(Asked(headers={"Accept-Encoding": "gzip"}), headers, body)
    assert gzip.decompress(shrunk) == body
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Vary"] == "Accept-Encoding"


def test_a_client_that_does_not_take_gzip_gets_the_same_bytes_and_caches_are_told():
    headers = {"Content-Type": "application/json"}
    assert compress(Asked(), headers, b"a" * GZIP_FROM) == b"a" * GZIP_FROM
    assert headers == {"Content-Type": "application/json", "Vary": "Accept-Encoding"}


@pytest.mark.parametrize(("kind", "size"), [("application/json", GZIP_FROM - 1), ("application/pdf", GZIP_FROM)])
def test_small_and_already_compressed_answers_stay_as_they_are(kind, size):
    headers = {"Content-Type": kind}
    assert compress(Asked(headers={"Accept-Encoding": "gzip"}), headers, b"a" * size) == b"a" * size
    assert headers == {"Content-Type": kind}


@pytest.mark.parametrize("given_tag", ["{tag}", "*", '"other", {tag}', "{strong}"])
def test_a_client_that_has_the_content_is_not_sent_it_again(given_tag):
    tag = entity_tag(b"content")
    known = given_tag.format(tag=tag, strong=tag.removeprefix("W/"))
    reply = validated(
        Asked(headers={"If-None-Match": known}), {"Content-Type": "text/plain", "X-A": "b"}, b"content", tag
    )
    assert (reply.status, reply.body, reply.headers) == (304, b"", {"X-A": "b", "ETag": tag})


@pytest.mark.parametrize("given_tag", ['"other"', "", "W/"])
def test_a_client_that_has_something_else_is_sent_the_content(given_tag):
    tag = entity_tag(b"content")
    assert not is_known(Asked(headers={"If-None-Match": given_tag}), tag)
    assert validated(Asked(), {"Content-Type": "text/plain"}, b"content", tag).body == b"content"
