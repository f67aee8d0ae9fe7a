"""What organizations have used, by day. Each function runs inside `Store.write` or `Store.read`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from process.usage import Figures, Use
from server.store.database import execute, execute_many

#: Days that counts are kept.
KEPT_DAYS = 400
#: How long a report is known, in µs: it is not sent again later than this.
REPORTS_KEPT = 3600 * 1_000_000
_DAY = 24 * 3600 * 1_000_000  # µs


@dataclass(frozen=True, slots=True)
class StoredUse:
    """What a day's requests of one mode to one operation came to."""

    use: Use
    figures: Figures


_ADD = """
insert into usage_count (organization_id, day, livemode, operation, requests, refused, failed, busiest_minute)
select id, ?, ?, ?, ?, ?, ?, ? from organization where id = ?
on conflict (organization_id, day, livemode, operation) do update set
    requests = usage_count.requests + excluded.requests,
    refused = usage_count.refused + excluded.refused,
    failed = usage_count.failed + excluded.failed,
    busiest_minute = case when excluded.busiest_minute > usage_count.busiest_minute
        then excluded.busiest_minute else usage_count.busiest_minute end
"""


def add(counts: Mapping[Use, Figures]) -> None:
    """Add to what was counted before; organizations that are gone are left out."""
    rows = [
        (
            use.day,
            use.livemode,
            use.operation,
            figures.requests,
            figures.refused,
            figures.failed,
            figures.busiest_minute,
            use.organization_id,
        )
        # In one order whoever writes, so that two writers never wait for each other.
        for use, figures in ((use, counts[use]) for use in sorted(counts))
    ]
    execute_many(_ADD, rows)


def note_report(report_id: str, at: int) -> bool:
    """Whether a report is new; from now on it is not."""
    cursor = execute("insert into usage_report (id, at) values (?, ?) on conflict (id) do nothing", (report_id, at))
    return bool(cursor.rowcount == 1)


def read(organization_id: int, since_day: int) -> tuple[StoredUse, ...]:
    """The counts of an organization from a day on."""
    rows = execute(
        "select livemode, day, operation, requests, refused, failed, busiest_minute from usage_count "
        "where organization_id = ? and day >= ? order by day",
        (organization_id, since_day),
    ).fetchall()
    return tuple(StoredUse(Use(organization_id, bool(row[0]), row[1], row[2]), Figures(*row[3:])) for row in rows)


def quotes_by_day(organization_id: int, since_day: int) -> dict[tuple[int, bool], int]:
    """How many quotes were made, by day and mode, from a day on."""
    found: dict[tuple[int, bool], int] = {}
    for livemode in (True, False):
        rows = execute(
            "select created_at / ?, count(*) from quote "
            "where organization_id = ? and livemode = ? and created_at >= ? group by 1",
            (_DAY, organization_id, livemode, since_day * _DAY),
        ).fetchall()
        found |= {(int(day), livemode): count for day, count in rows}
    return found


def sweep(at: int) -> None:
    """Delete what has outlived its use."""
    execute("delete from usage_report where at < ?", (at - REPORTS_KEPT,))
    execute("delete from usage_count where day < ?", (at // _DAY - KEPT_DAYS,))
