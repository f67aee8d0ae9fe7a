"""Dates and times of day, relative to the caller's own today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sept sep", "october oct", "november nov", "december dec"), 1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        ("monday mon", "tuesday tues tue", "wednesday weds wed", "thursday thurs thur thu", "friday fri",
         "saturday sat", "sunday sun")
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY = "|".join(sorted(_WEEKDAYS, key=len, reverse=True))
_NUMBERS = {word: number for number, word in enumerate([
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
], 1)}  # fmt: skip
_NUMBERS |= {"a": 1, "an": 1, "couple of": 2}
_COUNT = r"\d{1,3}|couple of|" + "|".join(_NUMBERS)
_DAY_NAME = rf"(?:(?P<weekday>{_WEEKDAY})\.?,?\s+(?:the\s+)?)?"
_ISO = re.compile(r"(?<![\d/.-])(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?![\d/.-]*\d)")
_NUMERIC = re.compile(
    rf"(?<![\w/.,-]){_DAY_NAME}(?P<a>\d{{1,2}})(?P<mark>[/.-])(?P<b>\d{{1,2}})(?:(?P=mark)(?P<year>\d{{4}}|\d{{2}}))?(?![\w/-]|[.,]\d)",
    re.IGNORECASE,
)
_DAY_MONTH = re.compile(
    rf"(?<![\w.,/-]){_DAY_NAME}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+(?P<year>\d{{4}})\b)?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"\b{_DAY_NAME}(?P<month>{_MONTH})\b\.?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d|\s?[ap]m)(?:,?\s+(?P<year>\d{{4}})\b)?",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"""\b(?:(?P<day>today|tonight|this(?=\ (?:morning|afternoon|evening)\b)|tomorrow|tmrw|yesterday
    |day\ after\ tomorrow|day\ before\ yesterday)
    |(?P<which>next|this|last|on|by|this\ coming|coming|every)?\s*\b(?P<weekday>{_WEEKDAY})\b(?P<week>\s+week\b)?
    |in\s+(?:a\s+)?(?P<ahead>{_COUNT})\s+(?P<unit>days?|weeks?|months?)(?P<time>\s?time)?
    |(?P<ago>{_COUNT})\s+(?P<agounit>days?|weeks?)\s+ago
    |(?P<span>next|this|last)\s+(?P<spanunit>week|weekend|month)
    |(?:the\s+)?end\s+of\s+(?:the|this)\s+(?P<endof>week|month))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_DATE_CUE = re.compile(r"\b(?:on|by|due|date|dated|before|after|from|until|paid|start|starting|for|:)(?: the)? ?:?$")
_ABBREVIATED = {"sat", "sun", "mon", "wed", "fri", "thu", "tue", "mar", "may", "jan", "dec", "sep"}


def dates(page: Page, context: Context) -> Iterator[Candidate]:
    """Days as ISO dates; a week or a weekend as an ISO 8601 interval, with a question for the day."""
    for pattern, read in (
        (_ISO, _iso),
        (_DAY_MONTH, _named),
        (_MONTH_DAY, _named),
        (_NUMERIC, _numeric),
        (_RELATIVE, _relative),
    ):
        for found in pattern.finditer(page.free):
            candidate = read(found, page, context)
            if candidate is None:
                continue
            page.take(candidate.start, candidate.end)
            if context.past or candidate.question or candidate.value >= context.today.isoformat():
                yield candidate
            elif pattern is not _RELATIVE:
                yield replace(candidate, confidence=0.4, question=f"{found[0]} is past. Is it right?")


def _iso(found: re.Match[str], _page: Page, context: Context) -> Candidate:
    return _day(found, int(found["year"]), int(found["month"]), int(found["day"]), context, 0.98, "")


def _named(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    month = _MONTHS[found["month"].lower()]
    if found["month"] == "may" and not _DATE_CUE.search(page.words_before(found.start())) and not found["year"]:
        return None
    year = int(found["year"]) if found["year"] else None
    return _day(found, year, month, int(found["day"]), context, 0.96, "date.words")


def _numeric(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    first, second = int(found["a"]), int(found["b"])
    if found["year"] is None and not (
        found["mark"] == "/" and (found["weekday"] or _DATE_CUE.search(page.words_before(found.start())))
    ):
        return None
    if found["year"] is None and not (1 <= first <= 31 and 1 <= second <= 31):
        return None
    year = None if found["year"] is None else int(found["year"]) + (2000 if len(found["year"]) == 2 else 0)
    by_month, by_day = (first, second), (second, first)
    order = [by_month, by_day] if context.month_first and found["mark"] != "." else [by_day, by_month]
    possible = [pair for pair in order if pair[0] <= 12]
    if not possible:
        possible = [order[0]]
    if found["weekday"] and len(possible) > 1:
        wanted = _WEEKDAYS[found["weekday"].lower()]
        fitting = [pair for pair in possible if (day := _date(year, *pair, context)) and day.weekday() == wanted]
        possible = fitting if len(fitting) == 1 else possible
    candidate = _day(found, year, *possible[0], context, 0.95, "date.numeric")
    if len(possible) < 2 or first == second or candidate.question:
        return candidate
    other = _date(year, *possible[1], context)
    if other is None:
        return candidate
    return Candidate(
        Kind.DATE, candidate.value, candidate.start, candidate.end, 0.5, candidate.rule,
        f"Is {found[0]} {_spoken(date.fromisoformat(candidate.value))} or {_spoken(other)}?", (other.isoformat(),),
    )  # fmt: skip


def _day(
    found: re.Match[str], year: int | None, month: int, day: int, context: Context, sure: float, rule: str
) -> Candidate:
    start, end = found.span()
    value = _date(year, month, day, context)
    if value is None:
        return Candidate(Kind.DATE, "", start, end, 0.1, rule, f"There is no such day as {found[0]}.")
    if year is None:
        rule, sure = "date.year_assumed", min(sure, 0.88)
    weekday = found.groupdict().get("weekday")
    if weekday and _WEEKDAYS[weekday.lower()] != value.weekday():
        return Candidate(
            Kind.DATE, value.isoformat(), start, end, 0.4, rule,
            f"{_spoken(value)} is no {weekday}. Which day is meant?",
        )  # fmt: skip
    return Candidate(Kind.DATE, value.isoformat(), start, end, sure, rule)


def _date(year: int | None, month: int, day: int, context: Context) -> date | None:
    """The day; without a year the next one to come, or the last one that was."""
    years = [year] if year is not None else range(context.today.year - 1, context.today.year + 2)
    days = []
    for one in years:
        try:
            days.append(date(one, month, day))
        except ValueError:
            continue
    if year is not None:
        return days[0] if days else None
    if context.past:
        return max((one for one in days if one <= context.today), default=None)
    return min((one for one in days if one >= context.today), default=None)


def _relative(found: re.Match[str], _page: Page, context: Context) -> Candidate | None:
    today = context.today
    start, end = found.span()
    if found["day"]:
        offset = {"yesterday": -1, "tomorrow": 1, "tmrw": 1, "day after tomorrow": 2, "day before yesterday": -2}
        value = today + timedelta(days=offset.get(found["day"].lower(), 0))
        return Candidate(Kind.DATE, value.isoformat(), start, end, 0.95, "date.relative")
    if found["weekday"]:
        return _weekday(found, context)
    if found["ahead"]:
        return _counted(found, today, found["ahead"], found["unit"], 1)
    if found["ago"]:
        return _counted(found, today, found["ago"], found["agounit"], -1)
    first, last = _stretch(found, today)
    return Candidate(
        Kind.DATE, f"{first.isoformat()}/{last.isoformat()}", start, end, 0.5, "date.relative",
        f"Which day is meant by {found[0]!r}?",
    )  # fmt: skip


def _weekday(found: re.Match[str], context: Context) -> Candidate | None:
    written, which = found["weekday"], (found["which"] or "").lower()
    if which == "every" or (written.lower() in _ABBREVIATED and not (which or written[0].isupper())):
        return None
    start = found.start("which") if which else found.start("weekday")
    today, wanted = context.today, _WEEKDAYS[written.lower()]
    ahead = (wanted - today.weekday()) % 7 or 7
    if which == "last" or (context.past and which in ("", "on")):
        value = today - timedelta(days=7 - ahead % 7 if ahead % 7 else 7)
        return Candidate(Kind.DATE, value.isoformat(), start, found.end(), 0.88, "date.relative")
    coming = today + timedelta(days=ahead + (7 if found["week"] else 0))
    this_week = today.weekday() + ahead < 7
    if which == "next" and this_week:
        later = coming + timedelta(days=7)
        return Candidate(
            Kind.DATE, later.isoformat(), start, found.end(), 0.5, "date.relative",
            f"Is {found[0]!r} {_spoken(coming)} or {_spoken(later)}?", (coming.isoformat(),),
        )  # fmt: skip
    return Candidate(Kind.DATE, coming.isoformat(), start, found.end(), 0.9, "date.relative")


def _counted(found: re.Match[str], today: date, count: str, unit: str, sign: int) -> Candidate:
    number = _NUMBERS.get(count.lower()) or int(count)
    days = number * {"d": 1, "w": 7, "m": 30}[unit[0].lower()]
    value = today + timedelta(days=sign * days)
    if unit[0].lower() == "d":
        return Candidate(Kind.DATE, value.isoformat(), *found.span(), 0.93, "date.relative")
    return Candidate(
        Kind.DATE, value.isoformat(), *found.span(), 0.6, "date.relative", f"Is {found[0]!r} {_spoken(value)}?"
    )


def _stretch(found: re.Match[str], today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    if found["endof"]:
        if found["endof"].lower() == "week":
            return monday + timedelta(days=3), monday + timedelta(days=6)
        end = _next_month(today) - timedelta(days=1)
        return end - timedelta(days=6), end
    shift = {"next": 1, "this": 0, "last": -1}[found["span"].lower()]
    unit = found["spanunit"].lower()
    if unit == "month":
        first = today.replace(day=1)
        if shift == 1:
            first = _next_month(today)
        elif shift == -1:
            first = (first - timedelta(days=1)).replace(day=1)
        return first, _next_month(first) - timedelta(days=1)
    monday += timedelta(weeks=shift)
    return (monday + timedelta(days=5 if unit == "weekend" else 0)), monday + timedelta(days=6)


def _next_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def _spoken(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


_MERIDIEM = r"(?P<{0}>[ap])\.?m\b\.?"
_CLOCK = re.compile(
    rf"(?<![\w:.,/$£€-])(?P<h>\d{{1,2}})(?:[:.](?P<m>\d{{2}}))?\s?(?:{_MERIDIEM.format('p')})?"
    rf"(?:\s?(?:-|–|to|and|until|till)\s?(?P<h2>\d{{1,2}})(?:[:.](?P<m2>\d{{2}}))?\s?(?:{_MERIDIEM.format('p2')})?)?(?![\w:/-]|[.,]\d)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\b(?P<part>noon|midday|midnight|morning|afternoon|evening|first thing|lunchtime)\b", re.IGNORECASE
)
_AT = re.compile(r"\b(?:at|from|between|around|about|@|by|before|after|time|:)(?: at| about| around)? ?:?$")
_NAMED_TIMES = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}


def times(page: Page, _context: Context) -> Iterator[Candidate]:
    """Times of day as HH:MM, a stretch as HH:MM/HH:MM, a part of the day as its name."""
    for found in _CLOCK.finditer(page.free):
        candidate = _clock(found, page)
        if candidate is not None:
            page.take(candidate.start, candidate.end)
            yield candidate
    for found in _PARTS.finditer(page.free):
        part = found["part"].lower()
        if re.search(r"\bgood ?$", page.words_before(found.start())):
            continue
        page.take(*found.span())
        if part in _NAMED_TIMES:
            yield Candidate(Kind.TIME, _NAMED_TIMES[part], *found.span(), 0.95, "time.named")
        else:
            yield Candidate(Kind.TIME, "morning" if part == "first thing" else part, *found.span(), 0.8)


def _clock(found: re.Match[str], page: Page) -> Candidate | None:
    said = bool(found["p"] or found["p2"] or (found["m"] and ":" in found[0]))
    if not said and not _AT.search(page.words_before(found.start())):
        return None
    if not said and (found["m"] is not None or re.match(r"\s?[A-Za-z%]", page.free[found.end() :]) is not None):
        return None
    half = (found["p"] or found["p2"] or "").lower()
    first = _time(found["h"], found["m"], half)
    second = _time(found["h2"], found["m2"], (found["p2"] or "").lower() or half) if found["h2"] else ""
    if first is None or second is None:
        return None
    if second and not found["p"] and found["p2"] and first > second:
        first = _time(found["h"], found["m"], "a") or first
    value = f"{first}/{second}" if second else first
    text = found[0].rstrip()
    span = (found.start(), found.start() + len(text))
    if not half and int(found["h"]) <= 12 and (found["m"] is None or int(found["h"]) < 7):
        other = _time(found["h"], found["m"], "p")
        if other and other != first:
            return Candidate(
                Kind.TIME, value, *span, 0.5, "time.normal_form", f"Is {text!r} in the morning or later?", (other,)
            )
    return Candidate(Kind.TIME, value, *span, 0.95, "time.normal_form")


def _time(hours: str, minutes: str | None, half: str) -> str | None:
    hour, minute = int(hours), int(minutes or 0)
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None
