"""What an organization has used of its plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from quotewright.v1 import usage_pb2

from server.interceptors import Call
from server.rpc.organizations import Organizations
from server.store import usage
from server.store.database import Store
from server.store.usage import StoredUse

DAYS_DEFAULT = 30
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class UsageService:
    """Reads what was counted. ``clock`` gives the time, UTC."""

    def __init__(self, store: Store, organizations: Organizations, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._organizations = organizations
        self._clock = clock

    async def GetUsage(self, request: usage_pb2.GetUsageRequest, call: Call) -> usage_pb2.GetUsageResponse:
        """Days without gaps, and operations."""
        organization_id = call.caller.organization_id
        today = (self._clock() - _EPOCH).days
        first = today + 1 - (request.days if request.HasField("days") else DAYS_DEFAULT)

        def work() -> tuple[tuple[StoredUse, ...], dict[tuple[int, bool], int]]:
            return usage.read(organization_id, first), usage.quotes_by_day(organization_id, first)

        counts, quotes = await self._store.browse(work)
        organization = await self._organizations.find(organization_id)
        return usage_pb2.GetUsageResponse(
            plan=organization.plan,
            requests_per_minute=organization.requests_per_minute,
            days=_days(first, today, counts, quotes),
            operations=_operations(counts),
        )


def _days(
    first: int, today: int, counts: tuple[StoredUse, ...], quotes: dict[tuple[int, bool], int]
) -> list[usage_pb2.UsageDay]:
    days = {
        day: usage_pb2.UsageDay(date=(_EPOCH + timedelta(day)).date().isoformat()) for day in range(first, today + 1)
    }
    for day, message in days.items():
        message.live.quotes = quotes.get((day, True), 0)
        message.test.quotes = quotes.get((day, False), 0)
    for one in counts:
        if one.use.day in days:  # a gateway's clock may be ahead
            message = days[one.use.day]
            figures = message.live if one.use.livemode else message.test
            figures.requests += one.figures.requests
            figures.refused += one.figures.refused
            figures.failed += one.figures.failed
            figures.busiest_minute = max(figures.busiest_minute, one.figures.busiest_minute)
    return list(days.values())


def _operations(counts: tuple[StoredUse, ...]) -> list[usage_pb2.UsageOperation]:
    found: defaultdict[str, usage_pb2.UsageOperation] = defaultdict(usage_pb2.UsageOperation)
    for one in counts:
        message = found[one.use.operation]
        message.operation = one.use.operation
        if one.use.livemode:
            message.live_requests += one.figures.requests
        else:
            message.test_requests += one.figures.requests
        message.refused += one.figures.refused
        message.failed += one.figures.failed
    return sorted(found.values(), key=lambda one: (-one.live_requests - one.test_requests, one.operation))
