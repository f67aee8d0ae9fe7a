"""Promises of forms: their fields and files come out as they went in, and what is no form is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.envelope import Problem
from gateway.web.portal.protection import MOST_FIELDS, Upload, read_form

KIND = "multipart/form-data; boundary=b0undary"


def parts(*listed):
    lines = [b"--b0undary\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + body for head, body in listed]
    return b"\r\n".join([*lines, b"--b0undary--\r\n"])


@given(st.binary(max_size=3000))
def test_a_file_arrives_byte_for_byte(content):
    body = parts(
        (b'name="csrf"', b"x"), (b'name="file"; filename="bill.pdf"\r\nContent-Type: application/pdf', content)
    )
    if b"--b0undary" in content:
        return
    assert read_form(KIND, body) == ({"csrf": ["x"]}, {"file": Upload("bill.pdf", "application/pdf", content)})


def test_a_large_file_is_kept_in_memory_and_arrives():
    content = bytes(range(256)) * 20_000
    fields, files = read_form(KIND, parts((b'name="file"; filename="a"', content)))
    assert (fields, files["file"].content) == ({}, content)


def test_a_field_whose_file_was_not_chosen_is_no_file():
    assert read_form(KIND, parts((b'name="file"; filename=""', b""))) == ({}, {})


def test_lines_end_with_one_character_and_nul_goes():
    assert read_form(KIND, parts((b'name="text"', b"a\r\nb\0"))) == ({"text": ["a\nb"]}, {})
    assert read_form("application/x-www-form-urlencoded", b"text=a%0D%0Ab%00") == ({"text": ["a\nb"]}, {})


@pytest.mark.parametrize(
    "body",
    [b"", b"--b0undary", b"--b0undary\r\nContent-Disposition", b"--other--\r\n", parts((b'name="a"', b"\xff\xfe"))],
)
def test_what_cannot_be_read_is_refused_or_empty(body):
    try:
        assert read_form(KIND, body) == ({}, {})
    except Problem as problem:
        assert problem.reason == "invalid_request"


def test_more_fields_than_any_form_has_are_refused():
    with pytest.raises(Problem):
        read_form(KIND, parts(*[(b'name="a"', b"1")] * (MOST_FIELDS + 1)))


def test_a_form_without_a_boundary_is_refused():
    with pytest.raises(Problem):
        read_form("multipart/form-data", parts((b'name="a"', b"1")))
