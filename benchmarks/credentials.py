"""Whether the time of a refusal tells what was nearly right: `python -m benchmarks.credentials`.

Refusals are timed in turns, so that what else the machine does falls on all alike, and compared by Welch's t, after
the slowest tenth of each is left out, as "Dude, is my code constant time?" (Reparaz, Balasch, Verbauwhede 2017) does:
|t| below 4.5 is no difference that shows. The first rows are credentials, looked up and compared in process; the last
is a resource of somebody else beside one that does not exist.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path
from statistics import fmean, median, variance

from server import administration
from server.authentication import Authenticator
from server.domain import credentials
from server.domain.credentials import ALPHABET, CHECKSUM_LENGTH, CredentialKind
from server.faults import Fault
from server.links import Signer
from server.store import members
from server.store.database import Store

SAMPLES = 20_000
KEPT = 0.9
LEAK = 4.5

Ask = Callable[[], Awaitable[object]]


def other(text: str, at: int) -> str:
    """The credential with another letter at a place of its body, and its right checksum."""
    body = text[:-CHECKSUM_LENGTH]
    letter = ALPHABET[(ALPHABET.index(body[at]) + 1 + secrets.randbelow(len(ALPHABET) - 1)) % len(ALPHABET)]
    body = body[:at] + letter + body[at + 1 :]
    return body + credentials._checksum(body)


async def times(asks: tuple[Callable[[], Ask], Callable[[], Ask]]) -> tuple[list[float], list[float]]:
    """Microseconds of both, in turns of chance."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(SAMPLES):
        for which in (0, 1) if secrets.randbelow(2) else (1, 0):
            ask = asks[which]()
            began = time.perf_counter_ns()
            with contextlib.suppress(Fault):
                await ask()
            found[which].append((time.perf_counter_ns() - began) / 1000)
    return found


def cropped(values: list[float]) -> list[float]:
    """Without the slowest tenth, which is the machine's."""
    return sorted(values)[: int(len(values) * KEPT)]


def welch(one: list[float], two: list[float]) -> float:
    """Welch's t of two samples."""
    return (fmean(one) - fmean(two)) / math.sqrt(variance(one) / len(one) + variance(two) / len(two))


async def measure(store: Store, key: str, theirs: int, organization: int) -> None:
    """Print a row a pair."""
    authenticator = Authenticator(store, b"secret", Signer(b"secret"), lambda: time.time_ns() // 1000)
    first = key[:-CHECKSUM_LENGTH].rindex("_") + 1
    places = {"first letter of the secret": first, "last letter of the secret": len(key) - CHECKSUM_LENGTH - 1}
    places["public id"] = first - 2

    def asks(place: str) -> Callable[[], Ask]:
        def make() -> Ask:
            text = other(key, places[place])
            return lambda: authenticator.api_key(text)

        return make

    def reads(invitation_id: int) -> Callable[[], Ask]:
        return lambda: lambda: store.read(lambda: members.find_invitation(organization, invitation_id))

    pairs: list[tuple[str, str, Callable[[], Ask], Callable[[], Ask]]] = [
        (f"wrong {one}", f"wrong {two}", asks(one), asks(two))
        for one, two in product(places, places)
        if list(places).index(one) < list(places).index(two)
    ]
    pairs.append(("somebody else's invitation", "no invitation", reads(theirs), reads(theirs + 1_000_000)))
    for one, two, ask_one, ask_two in pairs:
        left, right = map(cropped, await times((ask_one, ask_two)))
        t = welch(left, right)
        shows = "shows" if abs(t) > LEAK else "no"
        print(f"| {one} | {two} | {median(left):.2f} | {median(right):.2f} | {t:+.1f} | {shows} |")


def main() -> None:
    """Print a table."""
    print(f"{SAMPLES} refusals each, the slowest {1 - KEPT:.0%} left out")
    print("| refused for | and for | median, µs | median, µs | t | difference |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "quotewright.db")
        try:
            mine, others = (administration.create_organization(store, name, "Starter") for name in ("Mine", "Theirs"))
            key = administration.create_key(store, mine, livemode=True, name="timed", scopes=()).secret
            invited = credentials.parse(credentials.make(CredentialKind.INVITATION, secrets.randbelow))
            assert invited is not None
            theirs = store.write_now(
                lambda: members.create_invitation(
                    others, "a@b.example", "viewer", invited, created_by="operator", at=0, expires_at=2**50
                )
            )
            asyncio.run(measure(store, key, theirs.invitation_id, mine))
        finally:
            store.close()


if __name__ == "__main__":
    main()
