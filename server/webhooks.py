"""What an organization does with its webhook endpoints, from a session or the command line.

Each function that takes an `Act` runs inside `Store.write` and leaves an audit row; all raise `Fault`.
"""

from __future__ import annotations

import dataclasses
import secrets
import time
from collections.abc import Callable, Sequence

import orjson

from server import events, faults
from server.delivery import signatures
from server.delivery.egress import Egress, EgressError
from server.delivery.sender import ANSWER_KEPT, Answer, Sender
from server.delivery.vault import SealError, Vault
from server.faults import FieldViolation
from server.store import audit, deliveries, endpoints
from server.store.audit import Act
from server.store.database import Store
from server.store.deliveries import Attempt, StoredDelivery
from server.store.endpoints import NewEndpoint, StoredEndpoint

HOUR = 3600 * 1_000_000
#: Longest overlap of a rotation, in hours.
OVERLAP_LONGEST = 168


def new_secret() -> bytes:
    """A secret for `create` or `rotate`."""
    return secrets.token_bytes(signatures.SECRET_BYTES)


def check_new(egress: Egress, url: str, event_types: Sequence[str]) -> None:
    """Raise INVALID_ARGUMENT where a URL or the types of events will not do; all violations at once."""
    violations = _unknown_types(event_types)
    try:
        egress.check_url(url)
    except EgressError as error:
        violations.insert(0, FieldViolation("url", "url.refused", str(error)))
    if violations:
        raise faults.invalid(*violations)


def check_types(event_types: Sequence[str]) -> None:
    """Raise INVALID_ARGUMENT for types of events that do not exist."""
    violations = _unknown_types(event_types)
    if violations:
        raise faults.invalid(*violations)


def create(
    act: Act,
    vault: Vault,
    *,
    url: str,
    description: str,
    event_types: Sequence[str],
    livemode: bool,
    secret: bytes,
) -> StoredEndpoint:
    """A new endpoint; `check_new` comes before."""
    known = endpoints.list_all(act.organization_id)
    if any(one.url == url and one.livemode is livemode for one in known):
        raise faults.already_exists("ENDPOINT_EXISTS", "There is an endpoint with this URL and mode.")
    if len(known) >= endpoints.MOST:
        raise faults.limit_reached(f"An organization has at most {endpoints.MOST} webhook endpoints.")
    sealed = vault.seal(act.organization_id, secret)
    endpoint = endpoints.create(
        act.organization_id, NewEndpoint(url, description, _chosen(event_types), livemode, sealed, act.at)
    )
    _note(act, endpoint, "webhook:create", endpoint.url)
    return endpoint


def find(organization_id: int, endpoint_id: int) -> StoredEndpoint:
    """The organization's endpoint. Raises NOT_FOUND."""
    endpoint = endpoints.find(organization_id, endpoint_id)
    if endpoint is None:
        raise faults.not_found("webhook endpoint")
    return endpoint


def describe(act: Act, endpoint_id: int, description: str, event_types: Sequence[str]) -> StoredEndpoint:
    """Change what an endpoint is for and which events it gets."""
    endpoint = find(act.organization_id, endpoint_id)
    endpoints.describe(endpoint_id, description, _chosen(event_types))
    _note(act, endpoint, "webhook:update", " ".join(event_types) or "all")
    return find(act.organization_id, endpoint_id)


def pause(act: Act, endpoint_id: int) -> StoredEndpoint:
    """Let events wait; one that is paused stays so."""
    endpoint = find(act.organization_id, endpoint_id)
    if endpoint.status not in ("enabled", "paused"):
        raise faults.invalid_state("webhook endpoint", endpoint.status, "paused")
    if endpoint.status != "paused":
        endpoints.pause(endpoint_id)
        _note(act, endpoint, "webhook:pause")
    return find(act.organization_id, endpoint_id)


def resume(act: Act, endpoint_id: int) -> StoredEndpoint:
    """Deliver again; one that is enabled stays so."""
    endpoint = find(act.organization_id, endpoint_id)
    if endpoint.livemode and endpoint.verified_at is None:
        raise faults.invalid_state("webhook endpoint", endpoint.status, "resumed")
    if endpoint.status != "enabled":
        endpoints.resume(endpoint_id)
        _note(act, endpoint, "webhook:resume")
    return find(act.organization_id, endpoint_id)


def delete(act: Act, endpoint_id: int) -> int:
    """Delete an endpoint; how many deliveries were given up."""
    endpoint = find(act.organization_id, endpoint_id)
    given_up = endpoints.delete(endpoint_id, act.at)
    _note(act, endpoint, "webhook:delete", f"{endpoint.url}, {given_up} given up")
    return given_up


def rotate(act: Act, vault: Vault, endpoint_id: int, secret: bytes, overlap_hours: int) -> StoredEndpoint:
    """Give an endpoint a new secret; the present one signs beside it for the overlap."""
    endpoint = find(act.organization_id, endpoint_id)
    ends_at = act.at + overlap_hours * HOUR if overlap_hours else None
    endpoints.rotate(endpoint_id, vault.seal(act.organization_id, secret), ends_at)
    _note(act, endpoint, "webhook:rotate", f"overlap {overlap_hours} h")
    return find(act.organization_id, endpoint_id)


def ping(act: Act, endpoint_id: int) -> tuple[str, int]:
    """Queue a ping; its event's and its delivery's ids."""
    endpoint = find(act.organization_id, endpoint_id)
    if endpoint.status not in ("unverified", "enabled"):
        raise faults.invalid_state("webhook endpoint", endpoint.status, "pinged")
    return events.record_ping(dataclasses.replace(act, livemode=endpoint.livemode), endpoint_id)


def find_delivery(organization_id: int, delivery_id: int) -> StoredDelivery:
    """The organization's delivery. Raises NOT_FOUND."""
    delivery = deliveries.find(organization_id, delivery_id)
    if delivery is None:
        raise faults.not_found("webhook delivery")
    return delivery


def replay(act: Act, delivery_id: int) -> StoredDelivery:
    """Begin a delivery's tries anew, under the same id; one that is due or under way stays as it is."""
    delivery = find_delivery(act.organization_id, delivery_id)
    endpoint = _not_disabled(find(act.organization_id, delivery.endpoint_id))
    if deliveries.replay(delivery_id, act.at):
        _note(act, endpoint, "webhook:replay", delivery.event_id)
    return find_delivery(act.organization_id, delivery_id)


def replay_failed(act: Act, endpoint_id: int, since: int) -> int:
    """Begin anew what was given up of events since a time (µs); how many."""
    endpoint = _not_disabled(find(act.organization_id, endpoint_id))
    replayed = deliveries.replay_failed(endpoint_id, since, act.at)
    _note(act, endpoint, "webhook:replay", f"{replayed} failed")
    return replayed


async def verify(
    store: Store, vault: Vault, sender: Sender, act: Act, endpoint_id: int, clock: Callable[[], int]
) -> tuple[bool, Attempt, StoredEndpoint]:
    """Ask the endpoint for its challenge, and enable it where it answers that; what was seen."""
    endpoint = await store.read(lambda: find(act.organization_id, endpoint_id))
    act = dataclasses.replace(act, livemode=endpoint.livemode)
    at = clock()
    ping = events.ping(endpoint_id)
    event_id = events.new_id()
    body = events.body_of(events.envelope(dataclasses.replace(act, at=at), event_id, events.PING, ping))
    began = time.monotonic()
    answer = await _ask(vault, sender, endpoint, event_id, body, at)
    verified = answer.error == "" and _challenge(answer.content) == ping.challenge
    attempt = Attempt(
        number=1,
        at=at,
        duration_ms=int((time.monotonic() - began) * 1000),
        http_status=answer.http_status,
        error=answer.error or ("" if verified else "challenge"),
        answer=answer.content[:ANSWER_KEPT],
    )

    def note() -> StoredEndpoint:
        find(act.organization_id, endpoint_id)
        if verified:
            endpoints.verify(endpoint_id, at)
        _note(act, endpoint, "webhook:verify", "verified" if verified else attempt.error)
        return find(act.organization_id, endpoint_id)

    return verified, attempt, await store.write(note)


async def _ask(vault: Vault, sender: Sender, endpoint: StoredEndpoint, event_id: str, body: bytes, at: int) -> Answer:
    try:
        signing = vault.signing_secrets(endpoint, at)
    except SealError as error:
        return Answer("secret", content=str(error).encode())
    headers = signatures.sign(event_id, at // 1_000_000, body, secrets=signing, key=vault.signing_key)
    return await sender.post(endpoint.url, body, headers)


def _challenge(content: bytes) -> str:
    try:
        answered = orjson.loads(content)
    except orjson.JSONDecodeError:
        return ""
    return str(answered.get("challenge", "")) if isinstance(answered, dict) else ""


def _unknown_types(event_types: Sequence[str]) -> list[FieldViolation]:
    return [
        FieldViolation(f"event_types[{index}]", "event_type.unknown", f"must be one of {', '.join(events.TYPES)}")
        for index, kind in enumerate(event_types)
        if kind not in events.TYPES
    ]


def _not_disabled(endpoint: StoredEndpoint) -> StoredEndpoint:
    if endpoint.status == "disabled":
        raise faults.invalid_state("webhook endpoint", endpoint.status, "replayed to")
    return endpoint


def _chosen(event_types: Sequence[str]) -> tuple[str, ...]:
    return tuple(kind for kind in events.TYPES if kind in event_types)


def _note(act: Act, endpoint: StoredEndpoint, action: str, detail: str = "") -> None:
    act = dataclasses.replace(act, livemode=endpoint.livemode)
    audit.record(act, action, f"webhook:{endpoint.endpoint_id}", detail)
