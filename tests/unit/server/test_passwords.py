"""Promises of passwords: the right one matches, nobody's never does, and a flood is turned away."""

import asyncio

import pytest
from argon2 import PasswordHasher

from server.faults import Fault
from server.passwords import MOST_WAITING, Passwords


@pytest.fixture
def passwords():
    kept = Passwords()
    yield kept
    kept.stop()


async def test_only_the_password_itself_matches_its_hash(passwords):
    hashed = await passwords.hash("a password of decent length")
    assert hashed.startswith("$argon2id$")
    assert await passwords.matches(hashed, "a password of decent length")
    assert not await passwords.matches(hashed, "a password of decent Length")
    assert not await passwords.matches("no hash at all", "a password of decent length")


async def test_nobody_has_a_password_and_the_comparison_is_made_all_the_same(passwords, monkeypatch):
    compared = []
    verify = passwords._verify
    monkeypatch.setattr(passwords, "_verify", lambda *given: compared.append(given) or verify(*given))
    assert not await passwords.matches(None, "anything")
    ((against, given),) = compared
    assert (against.split("$")[1:4], given) == (PasswordHasher().hash("x").split("$")[1:4], "anything")


async def test_the_loop_goes_on_while_passwords_are_compared(passwords):
    hashed = await passwords.hash("a password of decent length")
    pending = asyncio.gather(*(passwords.matches(hashed, "another") for _ in range(8)))
    turns = 0
    while not pending.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


async def test_more_than_can_wait_are_turned_away(passwords):
    hashed = await passwords.hash("a password of decent length")
    answers = await asyncio.gather(
        *(passwords.matches(hashed, "another") for _ in range(MOST_WAITING + 5)), return_exceptions=True
    )
    refused = [one for one in answers if isinstance(one, Fault)]
    assert len(refused) == 5
    assert {one.reason for one in refused} == {"UNAVAILABLE"}


def test_a_hash_with_other_parameters_is_outdated(passwords):
    assert passwords.is_outdated(PasswordHasher(time_cost=1, memory_cost=1024).hash("x"))
    assert not passwords.is_outdated(PasswordHasher().hash("x"))
