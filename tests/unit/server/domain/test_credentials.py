"""Promises of keys: a mistyped one is refused by its shape, the secret is long enough, the hash is all that is kept."""

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from server.domain import credentials
from server.domain.credentials import ALPHABET, CredentialKind


@given(st.sampled_from(CredentialKind), st.integers(0, 2**32))
def test_what_is_made_is_parsed(kind, seed):
    text = credentials.make(kind, random.Random(seed).randrange)
    credential = credentials.parse(text)
    assert credential is not None
    assert credential.kind is kind
    assert text.startswith(f"qw_{kind}_{credential.public_id}_")
    assert credential.secret_hash == credentials.hash_of(text)


@given(st.integers(0, 2**32), st.integers(0, 59), st.sampled_from(ALPHABET))
def test_one_wrong_character_is_refused(seed, position, letter):
    text = credentials.make(CredentialKind.LIVE, random.Random(seed).randrange)
    wrong = text[:position] + letter + text[position + 1 :]
    assert wrong == text or credentials.parse(wrong) is None


@given(st.text(max_size=80))
def test_anything_else_is_no_credential(text):
    assert credentials.parse(text) is None


def test_the_secret_has_at_least_190_bits():
    assert credentials.SECRET_LENGTH * math.log2(len(ALPHABET)) >= 190
