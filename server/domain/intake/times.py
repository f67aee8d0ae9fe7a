"""Times of day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_MERIDIEM = r"(?P<{0}>[ap])(?:\.?m)?\b\.?"
_CLOCK = re.compile(
    rf"(?<![\w:.,/$£€#-])(?P<h>\d{{1,2}})(?:[:.](?P<m>\d{{2}}))?\s?(?:{_MERIDIEM.format('p')}|(?P<oclock>o'?clock)|(?P<ish>ish)\b)?(?:-?ish\b)?(?:[ ]sharp\b)?"
    rf"(?:\s?(?:-|–|to|and|&|until|till)\s?(?P<h2>\d{{1,2}})(?:[:.](?P<m2>\d{{2}}))?\s?(?:{_MERIDIEM.format('p2')}|(?P<noon>noon|midday)\b)?)?(?![\w/-]|[.,:]\d)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\b(?P<part>noon|midday|midnight|mornings?|afternoons?|evenings?|first thing|lunchtime)\b|(?P<half>(?:(?<=\ue000, )|(?<=\ue000 )|(?<=\ue000))[ap]m\b)|(?<=\ue000 )(?P<short>aft|arvo|morn|eve)\b",
    re.IGNORECASE,
)
#: When somebody called, opens or closes is no time for the work.
_NOT_FOR_WORK = re.compile(
    r"\b(?:call(?:ed)?|rang|phoned|opens?|closes?|open at|close at|msg|message|missed|received|sent|arrives|spoke|finish(?:es)?|starts work|(?:skip|delivery|lorry|truck|van|concrete|scaffold\w*)(?:'s| is) coming|gets? (?:home|in)|shuts?)"
    r"(?: (?:at|on|from|until|till|by|this|around|about))*[ :]*$"
)
#: A line that begins so tells when it was written.
_LOGGED = re.compile(
    r"^\W*(?:missed call|(?:message|msg|call) taken|live chat|chat|voice ?mail|vm|(?:tele)?phone call|tel call|email rec|text from|whatsapp|from:)",
    re.IGNORECASE,
)
#: In a customer's message: when they leave or are at work.
_AWAY = re.compile(r"\b(?:leave|leaving|at work)\b[^.;!?\n]{0,40}$", re.IGNORECASE)
_NUMBERED_UNIT = re.compile(
    r"\b(?:units?|flats?|apts?|apartments?|suites?|ste|rooms?|plots?|lots?|no|type|class|size|[0-9]+[a-z] ,|and)$"
)
_REPORTED = re.compile(
    r"\b(?:called|rang|phoned|spoke|spoken|missed call|tel call|sent|emailed|came by|dropped|since|happened|paid|by card)\b"
)
_AT = re.compile(
    r"(?:\b(?:at|from|between|around|about|by|before|after|time|slot|window|start(?:s|ing)?|arriv(?:e|ing)|(?:there|here) for)|@)"
    r"(?: at| about| around)? ?:?$"
)
#: Times in words: ``half past two``, ``eight thirty``, ``quarter to nine``.
_HOURS = {word: hour for hour, word in enumerate(
    "one two three four five six seven eight nine ten eleven twelve".split(), 1  # noqa: SIM905
)}  # fmt: skip
_HOUR = "|".join(_HOURS)
_IN_WORDS = re.compile(
    rf"\b(?:(?P<past>half past|quarter past|quarter to|half(?=\s+(?:(?:{_HOUR})\b|(?:1[0-2]|[1-9])[ \t]*(?:[.,;\n]|$))))\s+(?P<hour>{_HOUR}|\d{{1,2}})"
    rf"|(?:(?<=at )|(?<=for )|(?<=\ue000 ))(?P<alone>{_HOUR})\s+(?P<minutes>thirty|fifteen|forty[ -]five|o'?clock))\b(?:\s?(?P<half>[ap])\.?m\b\.?)?",
    re.IGNORECASE,
)
_MINUTES = {"half past": 30, "half": 30, "quarter past": 15, "quarter to": -15, "thirty": 30, "fifteen": 15}
#: A stretch of hours right behind a day: ``Sunday 10-2``.
_AFTER_DAY = re.compile(r"(?<=\ue000) ?[),]? ?(?P<h>\d{1,2})\s?(?:-|–|to)\s?(?P<h2>\d{1,2})(?![\w/:-]|\.\d)")
_TO_NOON = re.compile(
    r"\b(?P<h>[6-9]|1[01])(?::00)?\s?(?:am|a\.m\.)?\s?(?:-|–|to|and|until|till)\s?(?:noon|midday)\b", re.IGNORECASE
)
_SHORT = {"aft": "afternoon", "arvo": "afternoon", "morn": "morning", "eve": "evening"}
_AFTER_A_DAY = re.compile(r"\ue000,?[ \t]+$")
_USUAL_MINUTES = frozenset({"00", "15", "30", "45"})
_TILL = re.compile(r"\b(?:till|until)\b", re.IGNORECASE)
_ENDS = re.compile(r"[ \t]*(?:[.,;)\n]|$)")
#: An hour in words right behind a day: ``the first of December at ten``.
_HOUR_AFTER_DAY = re.compile(
    rf"(?<=\ue000 at )(?P<hour>{_HOUR})\b(?![ \t]+(?:past|to|or|minutes|feet|people|per|thousand|hundred)\b)",
    re.IGNORECASE,
)
#: Where figures with a point are a time: ``start 8.30``.
_SHARP = re.compile(r"\b(?:at|start(?:s|ing)?|arriv(?:e|ing)|time|(?:there|here) (?:at|by|for)) ?:?$")
#: ``any time after two``.
_HOUR_AFTER = re.compile(rf"\bafter[ \t]+(?P<hour>{_HOUR})(?=[ \t]*(?:[.,;!)\n]|$))", re.IGNORECASE)
_NAMED_TIMES = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}


def times(page: Page, context: Context) -> Iterator[Candidate]:
    """Times of day as HH:MM, a stretch as HH:MM/HH:MM, a part of the day as its name."""
    for words in _IN_WORDS.finditer(page.free):
        page.take(*words.span())
        yield _in_words(words)
    for hour in [*_HOUR_AFTER_DAY.finditer(page.free), *_HOUR_AFTER.finditer(page.free)]:
        page.take(*hour.span())
        yield Candidate(
            Kind.TIME, f"{(_HOURS[hour['hour'].lower()] + 5) % 12 + 7:02d}:00", *hour.span(), 0.85, "time.in_words"
        )
    for noon in _TO_NOON.finditer(page.free):
        page.take(*noon.span())
        yield Candidate(Kind.TIME, f"{int(noon['h']):02d}:00/12:00", *noon.span(), 0.93, "time.normal_form")
    for stretch in _AFTER_DAY.finditer(page.free):
        first, last = int(stretch["h"]), int(stretch["h2"])
        if 6 <= first <= 12 and 1 <= last <= 12 and first != last:
            page.take(stretch.start("h"), stretch.end())
            value = f"{first:02d}:00/{last + 12 if last < first and last < 12 else last:02d}:00"
            yield Candidate(Kind.TIME, value, stretch.start("h"), stretch.end(), 0.85, "time.normal_form")
    for found in _CLOCK.finditer(page.free):
        candidate = _clock(found, page)
        if candidate is not None:
            page.take(candidate.start, candidate.end)
            line = page.text[page.text.rfind("\n", 0, found.start()) + 1 : found.start()]
            if context.by_customer and _AWAY.search(line[-80:]):
                continue
            if not _NOT_FOR_WORK.search(page.words_before(found.start(), 5)) and not (
                len(line) < 60 and _LOGGED.match(line)
            ):
                yield candidate
    for found in _PARTS.finditer(page.free):
        part = (
            (
                found["part"]
                or _SHORT.get((found["short"] or "").lower())
                or {"a": "morning", "p": "afternoon"}[found["half"][0].lower()]
            )
            .lower()
            .removesuffix("s")
        )
        line = page.text[page.text.rfind("\n", 0, found.start()) + 1 : found.start()].lower()
        if re.search(r"(?:\bgood|^)[ \t]*$", line) or re.match(
            r"[ \t]+(?:all|guys|team|mate)\b", page.free[found.end() :]
        ):
            continue
        if _REPORTED.search(re.split(r"[.;!?]\s", line)[-1]) and not re.search(
            r"\b(?:tomorrow|on|for|come|can|like|wants?)\b[^.]{0,30}$", line
        ):
            continue
        if _NOT_FOR_WORK.search(page.words_before(found.start(), 5)):
            continue
        page.take(*found.span())
        if part in {"noon", "midday"} and page.words_before(found.start()).endswith("before"):
            part = "morning"
        if part in _NAMED_TIMES:
            yield Candidate(Kind.TIME, _NAMED_TIMES[part], *found.span(), 0.95, "time.named")
        else:
            yield Candidate(Kind.TIME, "morning" if part == "first thing" else part, *found.span(), 0.8)


def _in_words(found: re.Match[str]) -> Candidate:
    """Before seven it is the afternoon that people mean, unless they say otherwise."""
    named = (found["hour"] or found["alone"]).lower()
    hour = int(named) if named.isdigit() else _HOURS[named]
    shift = _MINUTES.get(re.sub(r"[ -]+", " ", (found["past"] or found["minutes"]).lower()), 0)
    shift = 45 if (found["minutes"] or "").lower().startswith("forty") else shift
    half = (found["half"] or ("a" if hour >= 7 and hour < 12 else "p")).lower()
    minutes = (hour % 12 + (12 if half == "p" else 0)) * 60 + shift
    value = f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
    return Candidate(Kind.TIME, value, *found.span(), 0.88, "time.in_words")


def _clock(found: re.Match[str], page: Page) -> Candidate | None:
    bare_half = bool(found["p"]) and not re.search(r"[ap]\.?m", found[0], re.IGNORECASE)
    if bare_half and (
        found[0].rstrip()[-2:-1] == " "
        or found[0].rstrip()[-1].isupper()
        or _NUMBERED_UNIT.search(page.words_before(found.start()))
    ):
        return None
    said = bool(
        found["ish"]
        or found["p"]
        or found["p2"]
        or found["oclock"]
        or found["noon"]
        or (found["m"] and ":" in found[0])
        or (
            found["m"]
            and _AFTER_A_DAY.search(page.free[max(0, found.start() - 4) : found.start()])
            and found["m"] in _USUAL_MINUTES
        )
        or (found["h2"] and not found["m"] and _TILL.search(found[0]) and _ENDS.match(page.free, found.end()))
    )
    if not said and not _AT.search(page.words_before(found.start())):
        return None
    if not said and (
        (
            found["m"] is not None
            and not (_SHARP.search(page.words_before(found.start())) and found["m"] in _USUAL_MINUTES)
        )
        or re.match(
            r"[ \t]?(?!(?:is|was|works|suits|if|or|please|pls|to|not|today|tomorrow|then|on)\b)[A-Za-z%]",
            page.free[found.end() :],
        )
        is not None
    ):
        return None
    half = (found["p"] or found["p2"] or "").lower()
    first = _time(found["h"], found["m"], half)
    if found["noon"]:
        first = _time(found["h"], found["m"], half or "a")
        if first is None:
            return None
        return Candidate(Kind.TIME, f"{first}/12:00", *found.span(), 0.93, "time.normal_form")
    second = _time(found["h2"], found["m2"], (found["p2"] or "").lower() or half) if found["h2"] else ""
    if first is None or second is None:
        return None
    if second and not found["p"] and found["p2"] and first > second:
        first = _time(found["h"], found["m"], "a") or first
    if second and not half and second < first:
        second = _time(found["h2"], found["m2"], "p") or second
    if second and not half and int(found["h"]) < 7 and int(found["h2"]) < 8:
        # Nobody comes between one and three at night.
        first, second = _time(found["h"], found["m"], "p") or first, _time(found["h2"], found["m2"], "p") or second
        half = "p"
    value = f"{first}/{second}" if second else first
    text = found[0].rstrip()
    span = (found.start(), found.start() + len(text))
    if (
        not half
        and int(found["h"]) <= 12
        and (found["m"] is None or int(found["h"]) < 7)
        and not (found["oclock"] and int(found["h"]) >= 7)
    ):
        if found["ish"] and 7 <= int(found["h"]) < 12:
            return Candidate(Kind.TIME, value, *span, 0.82, "time.normal_form")
        if not found["h2"] and int(found["h"]) < 7 and (later := _time(found["h"], found["m"], "p")):
            return Candidate(
                Kind.TIME,
                later,
                *span,
                0.5,
                "time.normal_form",
                f"Is {text!r} in the afternoon or in the morning?",
                (value,),
            )
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
