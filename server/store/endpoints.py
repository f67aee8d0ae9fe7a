"""Webhook endpoints. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from dataclasses import dataclass

from server.store.database import execute

#: Most endpoints of an organization, both modes together.
MOST = 20


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """An endpoint to add. ``secret`` is sealed; no ``event_types`` means all."""

    url: str
    description: str
    event_types: tuple[str, ...]
    livemode: bool
    secret: bytes
    at: int


@dataclass(frozen=True, slots=True)
class StoredEndpoint:
    """An endpoint as stored. Instants in µs; secrets are sealed."""

    endpoint_id: int
    organization_id: int
    livemode: bool
    url: str
    description: str
    event_types: tuple[str, ...]
    status: str
    disabled_reason: str
    secret: bytes
    previous_secret: bytes | None
    previous_secret_ends_at: int | None
    created_at: int
    verified_at: int | None
    failing_since: int | None


_COLUMNS = (
    "id, organization_id, livemode, url, description, event_types, status, disabled_reason, secret, previous_secret, "
    "previous_secret_ends_at, created_at, verified_at, failing_since"
)


def create(organization_id: int, new: NewEndpoint) -> StoredEndpoint:
    """A new endpoint: of the live mode unverified, of the test mode enabled."""
    row = execute(
        "insert into webhook_endpoint (organization_id, livemode, url, description, event_types, status, "
        "disabled_reason, secret, created_at) values (?, ?, ?, ?, ?, ?, '', ?, ?) returning id",
        (
            organization_id,
            new.livemode,
            new.url,
            new.description,
            " ".join(new.event_types),
            "unverified" if new.livemode else "enabled",
            new.secret,
            new.at,
        ),
    ).fetchone()
    found = find(organization_id, row[0])
    assert found is not None
    return found


def find(organization_id: int, endpoint_id: int) -> StoredEndpoint | None:
    """The endpoint, or None where this organization has none of that id."""
    row = execute(
        f"select {_COLUMNS} from webhook_endpoint "  # noqa: S608 - a constant
        "where organization_id = ? and id = ? and status <> 'deleted'",
        (organization_id, endpoint_id),
    ).fetchone()
    return None if row is None else _stored(row)


def list_all(organization_id: int) -> tuple[StoredEndpoint, ...]:
    """The organization's endpoints of both modes, oldest first."""
    rows = execute(
        f"select {_COLUMNS} from webhook_endpoint "  # noqa: S608 - a constant
        "where organization_id = ? and status <> 'deleted' order by id",
        (organization_id,),
    ).fetchall()
    return tuple(_stored(row) for row in rows)


def describe(endpoint_id: int, description: str, event_types: tuple[str, ...]) -> None:
    """Change what an endpoint is for and which events it gets from now on."""
    execute(
        "update webhook_endpoint set description = ?, event_types = ? where id = ?",
        (description, " ".join(event_types), endpoint_id),
    )


def verify(endpoint_id: int, at: int) -> None:
    """Note that the endpoint was proved to be the organization's; one that waited for it is enabled."""
    execute(
        "update webhook_endpoint set verified_at = ?, "
        "status = case status when 'unverified' then 'enabled' else status end where id = ?",
        (at, endpoint_id),
    )


def pause(endpoint_id: int) -> None:
    """Let events wait."""
    execute("update webhook_endpoint set status = 'paused' where id = ?", (endpoint_id,))


def resume(endpoint_id: int) -> None:
    """Deliver again; the count of failures begins anew."""
    execute(
        "update webhook_endpoint set status = 'enabled', disabled_reason = '', failing_since = null where id = ?",
        (endpoint_id,),
    )


def disable(endpoint_id: int, reason: str, at: int) -> int:
    """End deliveries to an endpoint; the number of those that were given up."""
    execute("update webhook_endpoint set status = 'disabled', disabled_reason = ? where id = ?", (reason, endpoint_id))
    return _give_up(endpoint_id, at)


def delete(endpoint_id: int, at: int) -> int:
    """Delete an endpoint and forget its secrets; the number of deliveries that were given up. Its log stays."""
    execute(
        "update webhook_endpoint set status = 'deleted', secret = ?, previous_secret = null where id = ?",
        (b"", endpoint_id),
    )
    return _give_up(endpoint_id, at)


def rotate(endpoint_id: int, secret: bytes, overlap_ends_at: int | None) -> None:
    """Put a new secret in the place of the present one, which signs beside it until the overlap ends."""
    execute(
        "update webhook_endpoint set previous_secret = case when cast(? as bigint) is null then null else secret end, "
        "previous_secret_ends_at = ?, secret = ? where id = ?",
        (overlap_ends_at, overlap_ends_at, secret, endpoint_id),
    )


def _give_up(endpoint_id: int, at: int) -> int:
    return int(
        execute(
            "update webhook_delivery set status = 'dead', lease = '', finished_at = ? "
            "where endpoint_id = ? and status = 'pending'",
            (at, endpoint_id),
        ).rowcount
    )


def _stored(row: tuple[object, ...]) -> StoredEndpoint:
    values = list(row)
    values[2] = bool(values[2])
    values[5] = tuple(str(values[5]).split())
    return StoredEndpoint(*values)  # type: ignore[arg-type]  # columns have no types
