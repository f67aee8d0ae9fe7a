"""Promises of signed links: a token opens what it was made for until its time is over, and no other text does."""

import string
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotewright.options.v1 import options_pb2

from process.contract import LINK_KINDS
from server import links
from server.links import Link, LinkError, LinkExpiredError, Signer
from server.rpc.revision import LAST_DAY

SIGNER = Signer(b"secret")
NUMBERS = st.integers(0, 2**32 - 1)
LINKS = st.builds(
    Link,
    kind=st.sampled_from(sorted(LINK_KINDS)),
    organization_id=NUMBERS,
    livemode=st.booleans(),
    quote_id=NUMBERS,
    link_id=st.integers(0, 2**64 - 1),
    expires_at=st.integers(1, 2**32 - 1),
)
ONE = Link(options_pb2.CREDENTIAL_KIND_CUSTOMER_LINK, 7, True, 42, 3, 2_000_000_000)


@given(LINKS)
def test_a_token_says_what_it_was_made_of_until_it_expires(link):
    token = SIGNER.token(link)
    assert SIGNER.read(token, link.expires_at - 1) == link
    with pytest.raises(LinkExpiredError):
        SIGNER.read(token, link.expires_at)
    assert len(token) == 72
    assert set(token) <= set(string.ascii_letters + string.digits + "-_"), "it needs no escaping in a URL"


@given(LINKS, st.integers(0, 71), st.characters())
def test_any_changed_character_is_refused(link, place, character):
    token = SIGNER.token(link)
    changed = token[:place] + character + token[place + 1 :]
    if changed != token:
        with pytest.raises(LinkError):
            SIGNER.read(changed, 0)


@given(st.text() | st.text(string.ascii_letters + string.digits + "-_", min_size=72, max_size=72))
def test_no_text_of_chance_is_a_token(text):
    with pytest.raises(LinkError):
        SIGNER.read(text, 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token[:-1],
        lambda token: token + "A",
        lambda token: token + "=",
        lambda token: f" {token}",
        lambda token: token + "\n",
        lambda token: token * 2,
    ],
)
def test_a_token_has_one_form(change):
    with pytest.raises(LinkError):
        SIGNER.read(change(SIGNER.token(ONE)), 0)


def test_the_other_readings_of_base64_are_refused():
    """'+' and '/' stand for the same bits as '-' and '_' in the other alphabet."""
    tokens = (SIGNER.token(Link(ONE.kind, 7, True, 42, number, 2**32 - 1)) for number in range(200))
    for token in (one for one in tokens if set(one) & {"-", "_"}):
        with pytest.raises(LinkError):
            SIGNER.read(token.replace("-", "+").replace("_", "/"), 0)


def test_the_secret_of_another_server_opens_nothing():
    with pytest.raises(LinkError):
        Signer(b"other").read(SIGNER.token(ONE), 0)


def test_a_link_ends_with_the_last_day_of_the_validity():
    assert links.ends_with("2026-12-31") == 1_798_761_600  # 2027-01-01T00:00:00Z
    assert links.ends_with("1970-01-01") == 24 * 3600


@given(st.dates(date(1970, 1, 1)))
def test_a_link_can_be_made_for_every_day_and_never_ends_later_than_it(day):
    link = replace(ONE, expires_at=links.ends_with(day.isoformat()))
    assert SIGNER.read(SIGNER.token(link), link.expires_at - 1) == link
    assert link.expires_at == min((day - date(1970, 1, 1)).days * 86_400 + 86_400, links.LATEST)


def test_every_day_that_a_quote_may_be_given_is_stated_as_it_is():
    assert links.ends_with(LAST_DAY.isoformat()) < links.LATEST
