"""How credentials are compared, by construction: always once, hash with hash, in constant time, and a refusal says
nothing of what was nearly right. What that comes to is measured by `python -m benchmarks.credentials`."""

import hmac
import time

import pytest

from server import administration, authentication
from server.authentication import Authenticator
from server.domain import credentials
from server.domain.credentials import ALPHABET, CredentialKind
from server.faults import Fault
from server.links import Signer
from server.store.database import Store


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("credentials") / "quotewright.db")
    yield store
    store.close()


@pytest.fixture(scope="module")
def made(store):
    """A key, one that was revoked, and a session."""
    number = administration.create_organization(store, "Credentials", "Starter")
    administration.create_user(store, number, "owner@quotewright.example", "a password of decent length", role="owner")
    key, ended = (
        administration.create_key(store, number, livemode=True, name=name, scopes=()) for name in ("open", "ended")
    )
    administration.revoke_key(store, ended.public_id)
    session = administration.create_session(store, "owner@quotewright.example", number)
    return {"key": key.secret, "ended": ended.secret, "session": session.secret}


@pytest.fixture
def authenticator(store):
    return Authenticator(store, b"secret", Signer(b"secret"), lambda: time.time_ns() // 1000)


@pytest.fixture
def compared(monkeypatch):
    """What `hmac.compare_digest` was asked in the server's own look at a credential."""
    calls = []

    class Watched:
        digest = staticmethod(hmac.digest)

        @staticmethod
        def compare_digest(one, other):
            calls.append((one, other))
            return hmac.compare_digest(one, other)

    monkeypatch.setattr(authentication, "hmac", Watched)
    return calls


def signed(body):
    """The credential with the checksum that belongs to it."""
    return body + credentials._checksum(body)


def forged(text, place):
    """Another letter at a place of the id or the secret, with its right checksum."""
    body = text[: -credentials.CHECKSUM_LENGTH]
    at = {"id": body.rindex("_") - 1, "first": body.rindex("_") + 1, "last": len(body) - 1}[place]
    return signed(body[:at] + ALPHABET[(ALPHABET.index(body[at]) + 1) % len(ALPHABET)] + body[at + 1 :])


async def outcome(authenticator, kind, text):
    look = authenticator.session if kind == "session" else authenticator.api_key
    try:
        return (await look(text)).credential_id
    except Fault as fault:
        return fault.reason, fault.message


@pytest.mark.parametrize("kind", ["key", "session"])
@pytest.mark.parametrize("place", ["id", "first", "last", ""])
async def test_hashes_are_compared_once_whatever_is_wrong(authenticator, made, compared, kind, place):
    text = forged(made[kind], place) if place else made[kind]
    said = await outcome(authenticator, kind, text)
    ((kept, given),) = compared
    assert (len(kept), given) == (32, credentials.hash_of(text))
    if place:
        assert said[0] == f"{'SESSION' if kind == 'session' else 'API_KEY'}_UNKNOWN"
    else:
        assert said == text.split("_")[2]


async def test_that_a_key_has_ended_is_told_to_who_has_its_secret_only(authenticator, made):
    unknown = await outcome(authenticator, "key", forged(made["key"], "id"))
    assert await outcome(authenticator, "key", forged(made["ended"], "last")) == unknown
    assert await outcome(authenticator, "key", forged(made["key"], "first")) == unknown
    assert (await outcome(authenticator, "key", made["ended"]))[0] == "API_KEY_ENDED"


async def test_a_mistyped_key_is_refused_without_a_look_into_the_store(made, compared):
    blind = Authenticator(None, b"secret", Signer(b"secret"), lambda: 0)
    mistyped = made["key"][:-1] + ("0" if made["key"][-1] != "0" else "1")
    assert (await outcome(blind, "key", mistyped))[0] == "API_KEY_MALFORMED"
    assert not compared


async def test_a_key_of_one_kind_is_none_of_another(authenticator, made):
    """The kind is hashed with the rest."""
    body = made["key"][: -credentials.CHECKSUM_LENGTH]
    for kind in CredentialKind:
        if kind is not CredentialKind.LIVE:
            said = await outcome(authenticator, "key", signed(body.replace("qw_live_", f"qw_{kind}_")))
            assert said[0] in ("API_KEY_UNKNOWN", "API_KEY_MALFORMED")
