"""Dates, relative to the caller's own today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import MAXYEAR, MINYEAR, date, timedelta

from server.domain.intake.candidate import TAKEN, Candidate, Context, Kind, Page

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
_COUNT = r"\d{1,3}|" + "|".join(map(re.escape, _NUMBERS))
_DAY_NAME = rf"(?:(?P<weekday>{_WEEKDAY})\b\.?,?[ \t]+(?:the[ \t]+)?)?"
_ISO = re.compile(r"(?<![\d/.-])(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?![\d/.-]*\d)")
#: As banks write them: 19NOV26, 19-Nov-2026.
_BANK = re.compile(
    rf"(?<![\w/.-])(?P<day>\d{{1,2}})[-/]?(?P<month>{_MONTH})[-/]?(?P<year>20\d\d|\d\d)(?![\w/:-])", re.IGNORECASE
)
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
#: The year behind a day and a month: ``4 Dec 27``, ``December 4, '27``, but no hour and no number of something.
_YEAR_BEHIND = re.compile(
    r",?[ \t]+(?P<year>\d{4}|(?P<mark>['’])?\d{2})(?![\w:/%-]|[.,]\d|[ \t]?(?:[ap]\.?m|o['’]?clock)\b|[ \t]?[-–][ \t]?\d)",
    re.IGNORECASE,
)
#: Two figures are rather a year where nothing that can be counted follows.
_AFTER_A_YEAR = re.compile(
    r"[ \t]*(?:[^\w\s]|\n|$)|[ \t]+(?:by|via|for|at|in|on|to|from|and|or|if|with|via|please|pls|thanks|cash|card|cheque|check|cc|bacs|bank|wire|transfer|"
    r"morning|afternoon|evening|any|between|before|after|ref|inv|invoice)\b",
    re.IGNORECASE,
)
#: How far a year in two figures may lie from today's.
_YEARS_AROUND = 6
_AND_DAY = r"[ \t]*(?:-|–|—|/|&|\+|\b(?:to|or|and|till|until|thru|through)\b)[ \t]*(?:the[ \t]+)?"
#: Several days of a month: ``Dec 4-6``, ``5 & 6 Dec``, ``4th or 5th of December``.
_SEVERAL_DAYS = re.compile(
    rf"(?<![\w.,/:£$€-])(?P<first>\d{{1,2}})(?:st|nd|rd|th)?(?P<and>{_AND_DAY})(?P<last>\d{{1,2}})(?:st|nd|rd|th)?[ \t]+(?:of[ \t]+)?(?P<month>{_MONTH})\b\.?"
    r"(?![ \t]+\d{1,2}\b(?![ \t]?(?:[ap]\.?m\b|[:.-])))(?:,?[ \t]+(?P<year>\d{4})\b)?",
    re.IGNORECASE,
)
_MONTH_SEVERAL_DAYS = re.compile(
    rf"\b(?P<month>{_MONTH})\b\.?[ \t]+(?:the[ \t]+)?(?P<first>\d{{1,2}})(?:st|nd|rd|th)?(?P<and>{_AND_DAY})(?P<last>\d{{1,2}})(?:(?:st|nd|rd|th)\b|(?=[ \t]*(?:[.,;!?)\n]|$))|(?<=[-–/&]\d)|(?<=[-–/&]\d\d)"
    r"|(?=[ \t]+(?:at|in|if|please|pls|both|works?|would|is|are|for|from|between|any|morning|afternoon|whichever|or|and|best|suits?|20\d\d)\b))"
    r"(?![:\d/-]|[.,]\d|[ \t]?(?:[ap]\.?m\b|[ap]\b|o['’]?clock))(?:,?[ \t]+(?P<year>\d{4})\b)?",
    re.IGNORECASE,
)
#: What goes on with another day of the month: ``the 4th or 5th``.
_OR_ANOTHER = re.compile(
    rf"{_AND_DAY}\d{{1,2}}(?:st|nd|rd|th)\b(?![ \t]+(?:of|floor|storey|st|street|ave|avenue|{_MONTH})\b)", re.IGNORECASE
)
#: ``first Monday in January``, ``a Monday in March``, ``last Friday of the month``.
_NTH_WEEKDAY = re.compile(
    rf"\b(?:(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th|last)[ \t]+)?(?P<weekday>{_WEEKDAY})s?[ \t]+(?:in|of)[ \t]+"
    rf"(?:(?P<month>{_MONTH})\b(?:,?[ \t]+(?P<year>\d{{4}})\b)?|(?P<which>the|this|next|each|every|any)[ \t]+(?:following[ \t]+)?month\b)",
    re.IGNORECASE,
)
_NTHS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
#: Days that are told by weeks from another: ``a week from Friday``, ``week today``, ``tomorrow week``, ``Monday fortnight``.
_WEEKS_FROM = re.compile(
    rf"\b(?:in[ \t]+)?(?:(?:(?P<count>{_COUNT})[ \t]+|(?<!this )(?<!next )(?<!last )(?<!all )(?<!the )(?<!that )(?<!every )(?<!each )(?<!per )(?<!other )(?<!of ))"
    rf"(?:weeks?|wks?)|(?P<fortnight>(?:a[ \t]+)?fortnight))[ \t]+(?:(?P<link>from|on|after)[ \t]+)?(?:(?P<which>this|next|coming)[ \t]+)?(?P<anchor>today|tomorrow|now|{_WEEKDAY})\b"
    rf"|\b(?P<day>today|tomorrow|{_WEEKDAY})[ \t]+(?P<behind>week|fortnight)\b",
    re.IGNORECASE,
)
#: Where a week is how long or how often and not how far: ``takes a week from Friday``, ``twice a week on Monday``.
_HOW_LONG = re.compile(
    r"\b(?:takes?|took|taking|lasts?|for|needs?|about|within|once|twice|times|days?|nights?|visits?|hours?|hrs?|off)$|\d[\d,.]*$"
)
#: ``Friday next week``, ``next week on Friday``.
_OF_NEXT_WEEK = re.compile(
    rf"\b(?:on[ \t]+)?(?P<weekday>{_WEEKDAY})[ \t]+(?:of[ \t]+|in[ \t]+)?(?P<next>next|following|the[ \t]+(?:following|next))[ \t]+(?:week|wk)\b"
    rf"|\b(?P<next2>next|following)[ \t]+(?:week|wk),?[ \t]+(?:on[ \t]+|for[ \t]+)?(?P<weekday2>{_WEEKDAY})\b",
    re.IGNORECASE,
)
#: A day that is told from another one, before or after which it lies: ``two weeks from``, ``the day after``.
_FROM_ANOTHER_DAY = re.compile(
    r"\b(?:(?:weeks?|wks?|fortnight|days?|months?)(?: or (?:so|two))? (?:from|after|before)|(?:weeks?|fortnight) on|(?:week|fortnight)"
    r"|(?:week|fortnight) (?:ago|last|past)|(?:first|1st|second|2nd|third|3rd|fourth|4th|following))(?: the)?$"
)
#: Behind a weekday: another one than the coming. ``Friday after next``, ``Monday next``.
_ANOTHER_ONE = re.compile(
    r"[ \t]+(?:after[ \t]+next\b|next\b(?![ \t]+(?:to|door|week|wk|month|year|please)\b)|after(?=[ \t]*(?:[.,;!?)\n]|$)))",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"""\b(?:(?P<day>today|tonight|this(?=\ (?:morning|afternoon|evening)\b)|this\ (?:a\.?m\b\.?|morn\b)|2day|last\ (?:night|nite)|tomorrow|tmrw|tmw|tomoz|2moro|2morrow|tomo|yesterday|yest(?=[\ ,.;)]|$)
    |just\ now|day\ after\ tomorrow|day\ before\ yesterday)
    |(?P<which>next|this|last|on|by|this\ coming|coming|every\ other|every|except|not|but|apart\ from|excluding|scratch|forget)?\s*\b(?P<weekday>{_WEEKDAY})\b(?P<week>\s+week\b)?
    |in\s+(?:a\s+)?(?P<ahead>{_COUNT})\s+(?P<unit>days?|weeks?|months?)(?P<time>\s?time)?
    |(?P<ago>{_COUNT})\s+(?P<agounit>days?|weeks?)\s+ago
    |(?P<span>next|this|last)\s+(?P<spanunit>week|wk|weekend|month)
    |(?:the\s+)?end\s+of\s+(?:(?:the|this)\s+)?(?P<endof>week|month)|(?P<monthend>month[- ]end))\b""",
    re.IGNORECASE | re.VERBOSE,
)
#: Feasts that people set a day by, by the names that `_feast` gives them. Thanksgiving is that of the United States.
_FEASTS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "halloween": (10, 31),
    "new year": (1, 1), "new year day": (1, 1), "new year eve": (12, 31),
}  # fmt: skip
_FEAST = re.compile(
    r"\b(?:by|on|for)[ \t]+(?P<feast>thanksgiving|(?:christmas|xmas|new[ \t]+year['’]?s?)(?:[ \t]+(?:eve|day))?|halloween)\b"
    r"(?![ \t]+(?:lights?|tree|decorations?|party|parties|dinner|market))",
    re.IGNORECASE,
)
_FROM_DAY = re.compile(r"\b(?:commencing|beginning|starting|w c|wc)(?: the)?$")
#: A week that is named by its first day: ``the week of January 11``.
_WEEK_OF = re.compile(r"\b(?:week|wk) (?:of|commencing|beginning|starting)(?: the)?$|\bw c$|\bwc$")
_ORDINALS = {word: number for number, word in enumerate(
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
     "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"], 1,
)}  # fmt: skip
_ORDINALS |= {f"twenty {word}": 20 + _ORDINALS[word] for word in list(_ORDINALS)[:9]} | {
    "thirtieth": 30,
    "thirty first": 31,
}
#: As it is said: ``the twenty-first of December``.
_ORDINAL = re.compile(
    rf"\b(?P<day>{'|'.join(sorted((word.replace(' ', '[ -]') for word in _ORDINALS), key=len, reverse=True))})"
    rf"[ \t]+of[ \t]+(?P<month>{_MONTH})\b",
    re.IGNORECASE,
)
#: A day of the month alone: ``Mon 30th``, ``on the 16th``.
_DAY_ONLY = re.compile(
    rf"\b(?:(?P<weekday>{_WEEKDAY})\b\.?,?[ \t]+(?:the[ \t]+)?|(?:on|by|before|from|until|for|is)[ \t]+the[ \t]+)(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b(?![ \t]+(?:of|street|st|ave|floor|{_MONTH})\b)",
    re.IGNORECASE,
)
_PART_OF_MONTH = re.compile(
    rf"\b(?:(?P<first>first|1st|second|2nd|third|3rd|last)[ \t]+week[ \t]+(?:of|in)[ \t]+|(?P<part>early|mid|late|end[ \t]+of|beginning[ \t]+of|start[ \t]+of)[ \t-]+)(?P<month>{_MONTH})\b",
    re.IGNORECASE,
)
_WEEKDAY_AFTER = re.compile(rf"[ \t]*\(?(?P<weekday>{_WEEKDAY})\b\)?\.?", re.IGNORECASE)
_SLOPE = re.compile(r"[ \t-]*(?:pitch|slope|roof)\b", re.IGNORECASE)
_FRACTIONS = frozenset(
    {(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 8), (3, 8), (5, 8), (7, 8), (1, 16), (3, 16), (2, 1), (1, 1), (2, 2)}
)
#: What the writer did that day, which is no day for the work.
_REPORTED = re.compile(
    r"\b(?:called|rang|phoned|spoke|spoken|call(?![ -]?out)|met|saw|emailed|e-mailed|came|since|started|happened|fell|broke|done|surveyed|survey|"
    r"visited|received|sent|snapped|burst|blew|stolen|died|stopped|packed up|leaked|flooded|measured|walked|following up|message from|msg from|voicemail from|left|last night|noticed|missed|quoted|went|heard|referred|checked|looked|walk[- ]?in|chat(?:ted)?|following our|conversation|meets|meeting is)\b"
)
_OFFERS_DUE = re.compile(r"\b(?:bids?|tenders?|quotes?|offers?) (?:is |are )?due(?: by| on)? $")
_EXCLUDED = frozenset({"except", "not", "but", "apart from", "excluding", "scratch", "forget"})
#: A day that is refused, before it and behind it: ``we can not do Friday``, ``not on the 4th``, ``Friday won't suit``.
_REFUSED = re.compile(
    r"\b(?:(?:not|except|excluding|apart from|other than|avoid|scratch|forget|(?:any|every) ?(?:day|time|thing) but|any other day (?:but|than))"
    r"|(?:not|isn'?t|aren'?t|n'?t be) (?:free|available|around|here|at home|home|possible|there|working|open|in)|unavailable|(?<!miles )away|busy"
    r"|(?:can ?not|can(?:'| )?t|could(?: not|n'?t)|won(?:'| )?t|unable to|not able to)(?: (?:really|possibly))? "
    r"(?:do|make|manage|have|host|see|meet|come|attend|take|be (?:there|in|home|here))(?: (?:you|it|us|him|her|them|anything))?)"
    r"(?: (?:on|for|the|this|next|either))*$"
)
_NOT_THEN = re.compile(
    r"(?:[ \t]+(?:morning|afternoon|evening|night))?[ \t]*(?:(?:'s|’s| is| are) (?:full|booked|out|bad|taken|impossible|no good|not)\b|(?:is|are)(?: no|n['’]?t) (?:a |an )?(?:good|possible|option|great|ideal|convenient|free|available)\b"
    r"|(?:does|do|will|would|wo|wou?ld)(?: not|n['’]?t) (?:really )?(?:suit|work|do|fit|be (?:possible|good|convenient))\b|cannot work\b|can['’]?t work\b"
    r"|not (?:good|possible|convenient|available)\b|no good\b|(?:I|we)(?: can ?not| can['’]?t|['’]m away| am away|['’]re away| are away)(?: (?:do|make)(?: it)?)?[ \t]*(?:[.,;!?)\n]|$))",
    re.IGNORECASE,
)
#: The day of something else; and what is said of the day that is asked for.
_ELSE = re.compile(
    r"\b(?:meets|meeting(?: is)?|delivered|delivery(?: is)?|dropped|arrives?|goes up|opens|reopens|party|visit|inspection)(?: on)?$"
)
_ASKED = re.compile(
    r"\b(?:due|return(?:ed)?|deadline|needed|required|submitted|no later than)(?: is)?(?: by| on)? ?:?$"
)
_SURER, _LESS_SURE = 0.02, 0.5
#: A day without a year that lies further ahead was rather meant as the last one.
_FAR_AHEAD = timedelta(days=300)
#: The day of an invoice is not the one on which it was paid.
_ISSUED = re.compile(r"\b(?:dtd|dated|issued|invoice date|inv date|due|due date)(?: on)? ?:?$")
_OF_THE_DOCUMENT = 0.5
#: Where a day was that has been moved.
_WAS = re.compile(r"\b(?:was|originally|instead of|rather than)(?: on)?$")
_DATE_CUE = re.compile(
    r"(?:^|\b(?:on|by|than|due|date|dated|before|after|from|to|until|paid|pd|rec'?d|recd|rcvd|received|banked|deposited|start|starting|for|up|"
    r"scheduled|booked|when|book|in)(?: the)? ?:?|[:,]) ?$"
)
_ABBREVIATED = {"sat", "sun", "mon", "wed", "mar", "may", "jan", "dec", "sep"}


def dates(page: Page, context: Context) -> Iterator[Candidate]:
    """Days as ISO dates; a week or a weekend as an ISO 8601 interval, with a question for the day."""
    for pattern, read in (
        (_ISO, _iso),
        (_BANK, _banks),
        (_NTH_WEEKDAY, _nth_weekday),
        (_SEVERAL_DAYS, _several_days),
        (_DAY_MONTH, _named),
        (_MONTH_SEVERAL_DAYS, _several_days),
        (_MONTH_DAY, _named),
        (_ORDINAL, _ordinal),
        (_PART_OF_MONTH, _part_of_month),
        (_NUMERIC, _numeric),
        (_FEAST, _feast),
        (_DAY_ONLY, _day_only),
        (_OF_NEXT_WEEK, _of_next_week),
        (_WEEKS_FROM, _weeks_from),
        (_RELATIVE, _relative),
    ):
        for found in pattern.finditer(page.free):
            try:
                candidate = read(found, page, context)
                if candidate is None:
                    continue
                refused = not context.past and _is_refused(page, candidate)
                candidate = _from_another(candidate, page)
                page.take(candidate.start, candidate.end)
                candidate = _week_of(candidate, page)
            except OverflowError:  # a day beyond the calendar is none
                continue
            if refused or candidate.confidence == 0:
                continue
            if not context.past and _is_reported(page, candidate, pattern is _RELATIVE, context.by_customer):
                continue
            if context.past and _ISSUED.search(page.words_before(candidate.start)):
                candidate = replace(candidate, confidence=min(candidate.confidence, _OF_THE_DOCUMENT))
            if not context.past and _WAS.search(page.words_before(candidate.start)):
                continue
            if not context.past:
                candidate = _of_the_work(candidate, page, context)
            if not context.past and "/" in candidate.value and candidate.value[11:] < context.today.isoformat():
                continue
            if candidate.question or candidate.value[:10] == "":
                yield candidate
            elif context.past and candidate.value > context.today.isoformat():
                yield replace(candidate, confidence=0.4, question=f"{found[0]} is still to come. Is it right?")
            elif context.past or candidate.value >= context.today.isoformat():
                yield candidate
            elif pattern is not _RELATIVE:
                yield replace(candidate, confidence=0.4, question=f"{found[0]} is past. Is it right?")


def _of_the_work(candidate: Candidate, page: Page, context: Context) -> Candidate:
    """A day that is another thing's is less sure, one that is asked for surer; one almost a year ahead is asked about."""
    before = page.words_before(candidate.start)
    assumed = candidate.rule == "date.year_assumed" and not candidate.question
    if assumed and date.fromisoformat(candidate.value) - context.today > _FAR_AHEAD:
        words = page.text[candidate.start : candidate.end]
        return replace(candidate, confidence=0.4, question=f"Is {words} {candidate.value}?")
    if _ELSE.search(before):
        return replace(candidate, confidence=min(candidate.confidence, _LESS_SURE))
    if _ASKED.search(before) and not candidate.question:
        return replace(candidate, confidence=min(0.99, candidate.confidence + _SURER))
    return candidate


def _week_of(candidate: Candidate, page: Page) -> Candidate:
    """The seven days from a day that a week is named by; where it is said to begin then, the day with a question."""
    if len(candidate.value) != len("2026-11-21") or not _WEEK_OF.search(page.words_before(candidate.start)):
        return candidate
    last = date.fromisoformat(candidate.value) + timedelta(days=6)
    words = page.text[candidate.start : candidate.end]
    whole = "" if _FROM_DAY.search(page.words_before(candidate.start)) else f"/{last.isoformat()}"
    return replace(
        candidate, value=f"{candidate.value}{whole}", confidence=0.5,
        question=f"Which day of the week of {words}?",
    )  # fmt: skip


def _is_reported(page: Page, candidate: Candidate, relative: bool, by_customer: bool) -> bool:
    """Whether the day tells when something was said or happened, ``spoke with Dan this morning``, or when a customer
    wants offers."""
    before = re.split(r"[\n.;!?]", page.text[max(0, candidate.start - 60) : candidate.start])[-1].lower()
    if by_customer and _OFFERS_DUE.search(before):
        return True
    return bool(relative and _REPORTED.search(before)) or bool(
        re.search(
            r"\b(?:(?<!svc )(?<!service )call|survey done|visited|survey|surveyed|quoted|called|rang|msg|message|spoke)(?: on)? $",
            before,
        )
    )


def _iso(found: re.Match[str], _page: Page, context: Context) -> Candidate:
    return _day(found, int(found["year"]), int(found["month"]), int(found["day"]), context, 0.98, "")


def _banks(found: re.Match[str], _page: Page, context: Context) -> Candidate:
    year = int(found["year"]) % 100 + 2000
    return _day(found, year, _MONTHS[found["month"].lower()], int(found["day"]), context, 0.95, "date.words")


def _named(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    month = _MONTHS[found["month"].lower()]
    if found["month"] == "may" and not _DATE_CUE.search(page.words_before(found.start())) and not found["year"]:
        return None
    return _named_day(found, page, month, int(found["day"]), context, 0.96)


def _ordinal(found: re.Match[str], page: Page, context: Context) -> Candidate:
    day = _ORDINALS[found["day"].lower().replace("-", " ")]
    return _named_day(found, page, _MONTHS[found["month"].lower()], day, context, 0.9)


def _named_day(found: re.Match[str], page: Page, month: int, day: int, context: Context, sure: float) -> Candidate:
    """A day of a month, with the year behind it; two figures that may be something else are asked about."""
    if found.groupdict().get("year"):
        return _day(found, int(found["year"]), month, day, context, sure, "date.words")
    behind = _YEAR_BEHIND.match(page.free, found.end())
    year = int(behind["year"].lstrip("'’")) if behind else 0
    short = behind is not None and year < 100
    year += 2000 if short else 0
    if behind is None or abs(year - context.today.year) > (_YEARS_AROUND if short else MAXYEAR):
        return _day(found, None, month, day, context, sure, "date.words")
    candidate = replace(_day(found, year, month, day, context, sure, "date.words"), end=behind.end())
    if not short or behind["mark"] or _AFTER_A_YEAR.match(page.free, behind.end()) or candidate.question:
        return candidate
    return _asked(candidate, page)


def _asked(candidate: Candidate, page: Page, *others: date) -> Candidate:
    """The same day with a question, where it has none yet."""
    if candidate.question or not candidate.confidence or not candidate.value:
        return candidate
    words = page.text[candidate.start : candidate.end]
    value = candidate.value if "/" in candidate.value else _spoken(date.fromisoformat(candidate.value))
    choice = " or ".join([value, *map(_spoken, others)])
    question = f"Is {words!r} {choice}?" if others else f"Which day is meant by {words!r}?"
    return replace(
        candidate, confidence=min(candidate.confidence, _LESS_SURE), question=question,
        alternatives=(*candidate.alternatives, *(one.isoformat() for one in others)),
    )  # fmt: skip


def _is_refused(page: Page, candidate: Candidate) -> bool:
    """Whether the day is named as one that does not suit."""
    return bool(_REFUSED.search(_sentence_before(page, candidate.start)) or _NOT_THEN.match(page.free, candidate.end))


def _sentence_before(page: Page, position: int) -> str:
    """What its part of a sentence says before a place, lower case."""
    near = page.free[max(0, position - 60) : position]
    return " ".join(re.split(rf"[\n.,;:!?{TAKEN}]", near)[-1].lower().replace("’", "'").split())


def _from_another(candidate: Candidate, page: Page) -> Candidate:
    """With a question where the day only tells from where another is counted, or where another one follows."""
    if _OR_ANOTHER.match(page.free, candidate.end) or _FROM_ANOTHER_DAY.search(_sentence_before(page, candidate.start)):
        return _asked(candidate, page)
    return candidate


def _several_days(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    """Several days of a month are asked about; from one to another they are an interval."""
    month = _MONTHS[found["month"].lower()]
    year = int(found["year"]) if found["year"] else None
    first, last = (_date(year, month, int(found[name]), context) for name in ("first", "last"))
    if first is None or last is None:
        return None
    candidate = Candidate(Kind.DATE, first.isoformat(), *found.span(), _LESS_SURE, "date.words")
    if re.search(r"[-–—]|to|till|until|thr", found["and"], re.IGNORECASE) and first < last:
        return _asked(replace(candidate, value=f"{first.isoformat()}/{last.isoformat()}"), page)
    return _asked(candidate, page, last)


def _nth_weekday(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    """``first Monday in January`` is that day; ``a Monday in January`` and a month without a name are asked about."""
    wanted, today, which = _WEEKDAYS[found["weekday"].lower()], context.today, (found["which"] or "").lower()
    nth = (found["nth"] or "").lower()
    if which in {"each", "every", "any"}:
        return Candidate(Kind.DATE, "", *found.span(), 0.0)
    if found["month"]:
        years = [int(found["year"])] if found["year"] else range(today.year - 1, today.year + 2)
        months = [(year, _MONTHS[found["month"].lower()]) for year in years if MINYEAR <= year <= MAXYEAR]
    else:
        months = [(day.year, day.month) for day in ([] if which == "next" else [today]) + [_next_month(today)]]
    days = [day for year, month in months if (day := _weekday_of(year, month, wanted, nth)) is not None]
    if found["year"]:
        value = days[0] if days else None
    elif context.past:
        value = max((day for day in days if day <= today), default=None)
    else:
        value = min((day for day in days if day >= today), default=None)
    if value is None:
        return Candidate(Kind.DATE, "", *found.span(), 0.3, "", f"Which day is {found[0]!r}?")
    candidate = Candidate(Kind.DATE, value.isoformat(), *found.span(), 0.88, "date.relative")
    return candidate if nth and found["month"] else _asked(candidate, page)


def _weekday_of(year: int, month: int, weekday: int, nth: str) -> date | None:
    """The nth such day of a month, the first where nobody says which."""
    first = date(year, month, 1)
    first += timedelta(days=(weekday - first.weekday()) % 7)
    every = [first + timedelta(weeks=week) for week in range(5)]
    every = [day for day in every if day.month == month]
    place = len(every) if nth == "last" else _NTHS.get(nth, 1)
    return every[place - 1] if place <= len(every) else None


def _of_next_week(found: re.Match[str], page: Page, context: Context) -> Candidate:
    """A weekday of next week. On a Sunday, and of a Sunday, a week begins for some that day and for others the next."""
    wanted = _WEEKDAYS[(found["weekday"] or found["weekday2"]).lower()]
    today, sunday = context.today, 6
    value = today + timedelta(days=7 - today.weekday() + wanted)
    candidate = Candidate(Kind.DATE, value.isoformat(), *found.span(), 0.9, "date.relative")
    if "following" in (found["next"] or found["next2"]).lower():
        return _asked(candidate, page)
    if today.weekday() == sunday or wanted == sunday:
        other = value + timedelta(days=7 if today.weekday() == sunday and wanted != sunday else -7)
        return _asked(candidate, page, other)
    return candidate


def _weeks_from(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    """Weeks from a day. ``A week from Friday`` is clear, and so is ``tomorrow week``; ``Monday fortnight``, ``two weeks on
    Monday`` and weeks that may be how long something takes are asked about."""
    named = (found["day"] or found["anchor"]).lower()
    if found["behind"] and found["behind"].lower() == "week" and named in _WEEKDAYS:
        return None  # as `_weekday` reads it
    if not found["behind"] and named in _WEEKDAYS and not (found["count"] or found["fortnight"] or found["link"]):
        return None
    if not (found["behind"] or found["count"] or found["fortnight"]) and re.match(r"(?:weeks|wks)\b", found[0], re.I):
        return None  # nobody says how many
    today = context.today
    ahead = (
        0 if named in {"today", "now"} else 1 if named == "tomorrow" else (_WEEKDAYS[named] - today.weekday()) % 7 or 7
    )
    near = today + timedelta(days=ahead)
    count = _NUMBERS.get((found["count"] or "a").lower()) or int(found["count"])
    count = 2 if found["fortnight"] or (found["behind"] or "").lower() == "fortnight" else count
    value = near + timedelta(weeks=count)
    candidate = Candidate(Kind.DATE, value.isoformat(), *found.span(), 0.9, "date.relative")
    link = (found["link"] or "").lower()
    of_weekday = named in _WEEKDAYS
    unclear = (
        (of_weekday and (found["behind"] or not link or (link == "on" and count > 1) or ahead == 7))
        or link == "after"
        or (found["which"] or "").lower() == "next"
        or (found["count"] or "").lower().startswith("couple")
        or _HOW_LONG.search(page.words_before(found.start()))
    )
    return _asked(candidate, page, near) if unclear else candidate


def _feast(found: re.Match[str], _page: Page, context: Context) -> Candidate | None:
    name = _feast_name(found["feast"])
    if name == "thanksgiving":
        near = range(max(context.today.year - 1, MINYEAR), min(context.today.year + 1, MAXYEAR) + 1)
        years = (_fourth_thursday(year) for year in near)
        ahead = [day for day in years if (day <= context.today if context.past else day >= context.today)]
        if not ahead:
            return None
        value = ahead[-1 if context.past else 0]
    else:
        fixed = _date(None, *_FEASTS[name], context)
        if fixed is None:
            return None
        value = fixed
    return Candidate(Kind.DATE, value.isoformat(), *found.span("feast"), 0.85, "date.relative")


def _feast_name(written: str) -> str:
    """One name for a feast however it is written: ``Xmas Eve`` → ``christmas eve``, ``New Year’s`` → ``new year``."""
    plain = " ".join(re.sub(r"['’]", "", written.lower()).split())
    return re.sub(r"\byears\b", "year", plain.replace("xmas", "christmas"))


def _fourth_thursday(year: int) -> date:
    first = date(year, 11, 1)
    return first + timedelta(days=(3 - first.weekday()) % 7 + 21)


def _numeric(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    first, second = int(found["a"]), int(found["b"])
    after = _WEEKDAY_AFTER.match(page.free, found.end())
    weekday = found["weekday"] or (after["weekday"] if after else None)
    if found["year"] is None:
        cued = weekday or _DATE_CUE.search(page.words_before(found.start()))
        alone = (
            context.past
            or cued
            or re.match(r"[ \t]*(?:[,;|)\n]|$|at\b|@|\d{1,2}(?::\d\d)?[ \t]?[ap])", page.free[found.end() :])
        )
        if _SLOPE.match(page.free, found.end()):
            return None
        if found["mark"] != "/" or not alone or not (1 <= first <= 31 and 1 <= second <= 31):
            return None
        if not weekday and ((first, second) in _FRACTIONS or re.match(r"[ \t]?[\"'”]", page.free[found.end() :])):
            return None
        if not weekday and not context.past and re.match(r"[ \t]+[a-z]", page.free[found.end() :]) and not cued:
            return None
    year = None if found["year"] is None else int(found["year"]) + (2000 if len(found["year"]) == 2 else 0)
    by_month, by_day = (first, second), (second, first)
    order = [by_month, by_day] if context.month_first and found["mark"] != "." else [by_day, by_month]
    possible = [pair for pair in order if pair[0] <= 12] or [order[0]]
    if weekday and len(possible) > 1:
        wanted = _WEEKDAYS[weekday.lower()]
        fitting = [pair for pair in possible if (day := _date(year, *pair, context)) and day.weekday() == wanted]
        possible = fitting if len(fitting) == 1 else possible
    if context.past and year is not None and len(possible) > 1:
        # What was paid was not paid in the future.
        been = [pair for pair in possible if (day := _date(year, *pair, context)) and day <= context.today]
        possible = been if len(been) == 1 and been[0] == possible[0] else possible
    elif not context.past and year is not None and len(possible) > 1:
        # What is still to be done is not done in the past.
        ahead = [pair for pair in possible if (day := _date(year, *pair, context)) and day >= context.today]
        possible = ahead if len(ahead) == 1 and ahead[0] == possible[0] else possible
    candidate = _day(found, year, *possible[0], context, 0.95, "date.numeric", weekday)
    if after and not found["weekday"]:
        page.take(found.end(), after.end())
    if len(possible) < 2 or first == second or candidate.question:
        return candidate
    other = _date(year, *possible[1], context)
    if other is None:
        return candidate
    return Candidate(
        Kind.DATE, candidate.value, candidate.start, candidate.end, 0.5, candidate.rule,
        f"Is {found[0]} {_spoken(date.fromisoformat(candidate.value))} or {_spoken(other)}?", (other.isoformat(),),
    )  # fmt: skip


def _day_only(found: re.Match[str], _page: Page, context: Context) -> Candidate | None:
    """The next such day of a month, or the last one; a weekday must fit."""
    wanted = int(found["day"])
    weekday = _WEEKDAYS[found["weekday"].lower()] if found["weekday"] else None
    if not 1 <= wanted <= 31:
        return None
    step = timedelta(days=-1 if context.past else 1)
    day = context.today
    for _ in range(62):
        if day.day == wanted and weekday in (None, day.weekday()):
            return Candidate(Kind.DATE, day.isoformat(), *found.span(), 0.86, "date.relative")
        day += step
    return Candidate(Kind.DATE, "", *found.span(), 0.3, "", f"Which day is {found[0]!r}?")


def _part_of_month(found: re.Match[str], _page: Page, context: Context) -> Candidate | None:
    first = _date(None, _MONTHS[found["month"].lower()], 1, context)
    if first is None:
        return None
    last = _next_month(first) - timedelta(days=1)
    part = re.sub(r"\s+", " ", (found["first"] or found["part"]).lower())
    begin, end = {
        "first": (1, 7), "1st": (1, 7), "second": (8, 14), "2nd": (8, 14), "third": (15, 21), "3rd": (15, 21),
        "last": (last.day - 6, last.day), "early": (1, 10), "mid": (11, 20), "late": (21, last.day),
        "end of": (21, last.day), "beginning of": (1, 10), "start of": (1, 10),
    }[part]  # fmt: skip
    value = f"{first.replace(day=begin).isoformat()}/{first.replace(day=end).isoformat()}"
    return Candidate(Kind.DATE, value, *found.span(), 0.5, "date.relative", f"Which day is meant by {found[0]!r}?")


def _day(
    found: re.Match[str],
    year: int | None,
    month: int,
    day: int,
    context: Context,
    sure: float,
    rule: str,
    weekday: str | None = None,
) -> Candidate:
    start, end = found.span()
    value = _date(year, month, day, context)
    if value is None:
        return Candidate(Kind.DATE, "", start, end, 0.1, rule, f"There is no such day as {found[0]}.")
    if year is None:
        rule, sure = "date.year_assumed", min(sure, 0.88)
    weekday = weekday or found.groupdict().get("weekday")
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


def _relative(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    today = context.today
    start, end = found.span()
    if found["day"]:
        if found["day"].lower() == "just now" and not context.past:
            return None
        if _NOT_THEN.match(page.free, found.end()):
            return Candidate(Kind.DATE, "", start, end, 0.0)
        offset = {
            "yesterday": -1,
            "yest": -1,
            "tomorrow": 1,
            "tmrw": 1,
            "tmw": 1,
            "tomoz": 1,
            "2moro": 1,
            "2morrow": 1,
            "tomo": 1,
            "last night": -1,
            "last nite": -1,
            "day after tomorrow": 2,
            "day before yesterday": -2,
        }
        value = today + timedelta(days=offset.get(found["day"].lower(), 0))
        return Candidate(Kind.DATE, value.isoformat(), start, end, 0.95, "date.relative")
    if found["weekday"]:
        return _weekday(found, page, context)
    if found["ahead"]:
        return _counted(found, today, found["ahead"], found["unit"], 1)
    if found["ago"]:
        return _counted(found, today, found["ago"], found["agounit"], -1)
    first, last = _stretch(found, today)
    return Candidate(
        Kind.DATE, f"{first.isoformat()}/{last.isoformat()}", start, end, 0.5, "date.relative",
        f"Which day is meant by {found[0]!r}?",
    )  # fmt: skip


def _weekday(found: re.Match[str], page: Page, context: Context) -> Candidate | None:
    written, which = found["weekday"], (found["which"] or "").lower()
    if which in _EXCLUDED or _NOT_THEN.match(page.free, found.end()):
        return Candidate(Kind.DATE, "", *found.span(), 0.0)
    if which.startswith("every") or (written.lower() in _ABBREVIATED and not (which or written[0].isupper())):
        return None
    start = found.start("which") if which else found.start("weekday")
    today, wanted = context.today, _WEEKDAYS[written.lower()]
    ahead = (wanted - today.weekday()) % 7 or 7
    if which == "last" or (context.past and which in ("", "on")):
        value = today - timedelta(days=7 - ahead % 7 if ahead % 7 else 7)
        return Candidate(Kind.DATE, value.isoformat(), start, found.end(), 0.88, "date.relative")
    coming = today + timedelta(days=ahead)
    if not context.past and (another := _ANOTHER_ONE.match(page.free, found.end())):
        later = coming + timedelta(days=7)
        candidate = Candidate(Kind.DATE, later.isoformat(), start, another.end(), _LESS_SURE, "date.relative")
        return _asked(
            candidate, page, later + timedelta(days=7) if "next" in another[0] and "after" in another[0] else coming
        )
    if found["week"]:
        later = coming + timedelta(days=7)
        return Candidate(
            Kind.DATE, later.isoformat(), start, found.end(), 0.5, "date.relative",
            f"Is {found[0]!r} {_spoken(later)} or {_spoken(coming)}?", (coming.isoformat(),),
        )  # fmt: skip
    this_week = today.weekday() + ahead < 7
    if which == "next":
        # On a Saturday "next Thursday" is the coming one for some and the one after it for others.
        later = coming + timedelta(days=7)
        coming, later = (coming, later) if this_week else (later, coming)
        return Candidate(
            Kind.DATE, later.isoformat(), start, found.end(), 0.5, "date.relative",
            f"Is {found[0]!r} {_spoken(coming)} or {_spoken(later)}?", (coming.isoformat(),),
        )  # fmt: skip
    return Candidate(Kind.DATE, coming.isoformat(), start, found.end(), 0.9, "date.relative")


def _counted(found: re.Match[str], today: date, count: str, unit: str, sign: int) -> Candidate:
    number = _NUMBERS.get(count.lower()) or int(count)
    days = number * {"d": 1, "w": 7, "m": 30}[unit[0].lower()]
    value = today + timedelta(days=sign * days)
    if unit[0].lower() == "d" and not count.lower().startswith("couple"):
        return Candidate(Kind.DATE, value.isoformat(), *found.span(), 0.93, "date.relative")
    return Candidate(
        Kind.DATE, value.isoformat(), *found.span(), 0.6, "date.relative", f"Is {found[0]!r} {_spoken(value)}?"
    )


def _stretch(found: re.Match[str], today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    if found["endof"] or found["monthend"]:
        if not found["monthend"] and found["endof"].lower() == "week":
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
