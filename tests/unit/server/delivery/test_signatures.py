"""Promises of signatures: the public `standardwebhooks` package takes ours, and ours refuse what was touched."""

import base64
import json
import time

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

from server.delivery import signatures
from server.delivery.signatures import SignatureError
from server.delivery.vault import SealError, Vault

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
SECRETS = st.binary(min_size=24, max_size=64)
BODIES = st.dictionaries(st.text(), st.text()).map(lambda one: json.dumps(one, ensure_ascii=False).encode())


@given(SECRETS, BODIES)
def test_the_public_package_verifies_what_we_sign(secret, body):
    headers = signatures.sign("evt_1", int(time.time()), body, secrets=[secret], key=KEY)
    assert Webhook(signatures.secret_text(secret)).verify(body, headers) == json.loads(body)


@given(SECRETS, SECRETS, BODIES)
def test_during_a_rotation_either_secret_verifies_and_a_third_does_not(old, new, body):
    headers = signatures.sign("evt_1", int(time.time()), body, secrets=[new, old], key=KEY)
    for secret in (old, new):
        Webhook(signatures.secret_text(secret)).verify(body, headers)
        signatures.verify(headers, body, now=time.time(), secret=secret)
    with pytest.raises(WebhookVerificationError):
        Webhook(signatures.secret_text(b"x" * 24 + old)[:80]).verify(body, headers)


def test_the_public_key_as_published_verifies_v1a():
    body = b'{"a": 1}'
    headers = signatures.sign("evt_1", 1000, body, secrets=[], key=KEY)
    published = signatures.public_key_text(KEY.public_key())
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(published.removeprefix("whpk_")))
    version, _, signature = headers["webhook-signature"].partition(",")
    public.verify(base64.b64decode(signature), b"evt_1.1000." + body)
    assert version == "v1a"
    signatures.verify(headers, body, now=1000, key=public)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("webhook-id", "evt_2"),
        ("webhook-timestamp", "1001"),
        ("webhook-timestamp", "²"),
        ("webhook-timestamp", ""),
        ("webhook-signature", "v1,bm8="),
        ("webhook-signature", "v1a,###"),
        ("webhook-signature", ""),
    ],
)
def test_what_was_touched_is_refused(name, value):
    secret = b"s" * 32
    headers = {**signatures.sign("evt_1", 1000, b"{}", secrets=[secret], key=KEY), name: value}
    for how in ({"secret": secret}, {"key": KEY.public_key()}):
        with pytest.raises(SignatureError):
            signatures.verify(headers, b"{}", now=1000, **how)


def test_a_missing_header_another_body_and_an_old_recording_are_refused():
    secret = b"s" * 32
    headers = signatures.sign("evt_1", 1000, b"{}", secrets=[secret], key=KEY)
    signatures.verify(headers, b"{}", now=1300, secret=secret)
    for given_headers, body, now in ((headers, b"{ }", 1000), (headers, b"{}", 1301), ({}, b"{}", 1000)):
        with pytest.raises(SignatureError):
            signatures.verify(given_headers, body, now=now, secret=secret)


@pytest.mark.parametrize("text", ["whsec_", "whsec_!!!!", "whsec_" + base64.b64encode(b"short").decode(), ""])
def test_what_is_no_secret_is_said(text):
    with pytest.raises(SignatureError):
        signatures.secret_bytes(text)


@given(SECRETS)
def test_a_sealed_secret_opens_for_its_organization_and_master_alone(secret):
    vault = Vault(b"master")
    sealed = vault.seal(7, secret)
    assert secret not in sealed
    assert vault.seal(7, secret) != sealed
    assert vault.open(7, sealed) == secret
    for other, organization_id, stored in (
        (vault, 8, sealed),
        (Vault(b"another"), 7, sealed),
        (vault, 7, sealed[:-1]),
        (vault, 7, b""),
    ):
        with pytest.raises(SealError):
            other.open(organization_id, stored)


def test_every_process_with_the_master_secret_has_the_same_key():
    assert Vault(b"m").key_id == Vault(b"m").key_id != Vault(b"n").key_id
