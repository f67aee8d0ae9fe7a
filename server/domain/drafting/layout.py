"""Lines and sentences of a request, without greeting, header, bullets and signature."""

from __future__ import annotations

import re

from server.domain.drafting.actions import action_of
from server.domain.drafting.verbs import begins_with_verb

#: A full stop after one of these ends no sentence.
_ABBREVIATIONS = frozenset(
    [
        "sq", "ft", "approx", "appx", "no", "nos", "qty", "st", "e", "g", "i", "etc", "ext", "int", "max", "min",
        "in", "lin", "s", "l", "f", "w", "r", "inc", "dept", "dr", "mr", "mrs", "ms", "vs", "dia", "ht", "c", "cu",
        "yd", "d",
        "u", "incl", "inc", "excl", "exc", "req", "misc", "alt", "opt", "reqd", "exist", "ref", "ver", "est", "hist",
    ]
)  # fmt: skip
#: Units written with a point: a capitalised word after one begins a sentence all the same.
_UNIT_POINTS = frozenset({"ft", "in", "m", "sqm", "etc", "ext", "yd", "yds", "f", "max", "min"})
_GREETING = re.compile(
    r"^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|to whom it may concern|morning"
    r"|afternoon)\b[^\n.!?:]{0,60}?"
    r"(?:[,!.:]|(?=\n|$)|\s[-–—]\s)", re.IGNORECASE,
)  # fmt: skip
#: Behind a greeting these begin what is said, and no name ("hello i was wondering …").
_SAYS = re.compile(
    r"\b(?:i|we|my|our|you|can|could|would|need|want|looking|after|how|do|is|are|please|for|price|quote|the|a|an|some)\b",
    re.IGNORECASE,
)
#: "Hey it's Kevin on Maple Ct,": who writes.
_WHO = re.compile(r"^\s*\w+(?: there)?[\s,]*(?:it['’]?s|this is|my name is)\b", re.IGNORECASE)
_GREETING_WORD = re.compile(
    r"^\s*(?:good )?\w+(?: (?:there|all|guys|team|folks|again|everyone))?\b[\s,]*", re.IGNORECASE
)
#: "Mrs Jones called about …", "tenant says …", "Bob rang, …": who asks, as the office writes it down.
_REPORT = re.compile(
    r"[ \t]*(?:(?:the |our |a )?(?:tenant|resident|owner|landlord|landlady|homeowner|customer|client|caller|lady"
    r"|gentleman|lessee|occupier)|(?:mr|mrs|ms|miss)\.? [\w'’-]+)"
    r"(?: (?:at|in|from|of) (?:no\.? |number |unit |flat |apt\.? )?\d+"
    r"(?: (?!(?:says?|said|has|rang|called)\b)\w+){0,2})?,?(?: has| just)* "
    r"(?:(?:says?|said|states?|stated|reports?|reported|advises?|advised|complains?|complained|requests?|requested)"
    r"(?! (?:no|not|he|she|they|it|we|so|to|by)\b)"
    r"|(?:rang|called|phoned|texted|emailed|wrote)(?: (?:in|us|back|again|today|earlier))?"
    r"(?=[,:;–-]|\s[–-]\s| (?:about|re|regarding|asking|wanting|to (?:say|ask|request)|because|for)\b))"
    r"[\s,:;–-]*(?:(?:that|about|re|regarding|asking(?: for| about| if)?|wanting|to say|to ask(?: for| about)?"
    r"|to request|because|of|for|wants|needs)\b[\s:]*)?",
    re.IGNORECASE,
)
#: What the readers are not told: that, and that something is planned, which they take for the planning office.
_UNREAD = re.compile(
    rf"^(?:[ \t]*[-*•])?{_REPORT.pattern}|\bplanning (?=to\b|on [a-z]+ing\b)", re.IGNORECASE | re.MULTILINE
)
_SIGN_OFF = re.compile(
    r"^\s*(?:many thanks|thanks(?: (?:in advance|again|so much|very much|a lot))?|thank you(?: (?:very much"
    r"|so much|in advance))?"
    r"|kind regards|best regards|warm regards|regards|best wishes|best|cheers|sincerely|yours (?:sincerely"
    r"|faithfully|truly)"
    r"|sent from my|--|all the best|cordially)\s*(?:[,.!–—-]|$|\b(?:iphone|ipad|phone|android)|[A-Z][a-z]+\s*$)",
    re.IGNORECASE,
)  # fmt: skip
#: "… in March. Thanks, Paula & Jim Greer": who writes, at the end of a line.
_SIGNED = re.compile(
    r"(?<=[.!?)])\s+(?:[Mm]any [Tt]hanks|[Tt]hanks(?: so much| again| a lot)?|[Tt]hx|[Tt]hank you|[Cc]heers"
    r"|[Kk]ind [Rr]egards"
    r"|[Bb]est [Rr]egards|[Rr]egards|[Bb]est|[Ss]incerely|[Yy]ours \w+|[Tt]a)[,.!]?\s+"
    r"(?:[A-Z][\w'’-]*[.,]?\s*(?:&\s*|and\s+)?){1,4}(?:,\s*[a-z ]{3,30})?$"
)
_LONGEST_SIGNATURE = 60
_HEADER = re.compile(
    r"^\s*(?:customer|client|contact|caller|(?:site |job |property )?address|from|to|cc|bcc|date|sent"
    r"|reply-to|tel|phone|mobile|email|e-mail|(?:full |your )?name|best time to call"
    r"|preferred (?:date|time|contact)|how did you (?:hear|find)[^:\n]{0,30}|zip(?: code)?|postcode)\s*\??:",
    re.IGNORECASE,
)
#: What was entered for a header, where the line goes on: "Zip code: 60614. Install 2 fans", "Name: Bo Phone: 555-0142
#: Message: install 2 fans".
_ANSWER = re.compile(
    r"[^:\n]{1,50}:[^\n.!?]{0,120}(?:(?<!\b[Mm]r)(?<!\b[Mm]rs)(?<!\b[Mm]s)(?<!: [Dd]r)[.!?]\s+"
    r"(?=[A-Z][a-z]*(?:['’]\w+)? [\w'’]+ \w)"
    r"|[\s,;|](?=(?:[Mm]essage|[Cc]omments?|[Rr]equest|[Dd]etails|[Dd]escription)\s*:))"
)
_SUBJECT = re.compile(r"^\s*(?:subject|re|fwd?)\s*:\s*", re.IGNORECASE)
#: A subject that is longer is no heading of the words after it, but has them in itself.
_LONGEST_SUBJECT = 100
#: What a form asks, before what the customer answers.
_PROMPT = re.compile(
    r"^\s*(?:what can we help[^:\n]{0,30}|how can we help[^:\n]{0,30}|tell us about[^:\n]{0,40}|message|comments?"
    r"|(?:project |job |work )?(?:details|description)|describe[^:\n]{0,40}|(?:service|work) (?:needed|requested"
    r"|required))"
    r"\s*\??\s*:\s*",
    re.IGNORECASE,
)
_BULLET = re.compile(
    r"^\s*(?:[-–—*•·▪◦>‣●○■□☐✓✔»]+|o(?=[ \t]+[A-Z\d])|\(?\d{1,2}\s*[.)](?:\))?(?!\d)|\(?[a-hA-H][.)](?=\s)"
    r"|\(?(?:i{1,3}|iv|vi{0,3}|ix|x)[.)](?=\s))\s*"
)
#: "(6) exit signs": how many, unless such lines are numbered from 1 on.
_BRACKETED = re.compile(r"[ \t]*\((\d{1,3})\)")


#: "1 - replace the toilet": numbering, where such lines are numbered from 1 on; else counts ("2 - ceiling fans").
_DASHED = re.compile(r"[ \t]*(\d{1,2})[ \t]+[-–—][ \t]+(?=[A-Za-z])")
#: "2.1 Double-tapped breaker": the sections of a report, where such numbers go up; else so many ("2.1 m of skirting").
_SECTIONED = re.compile(
    r"[ \t]*(\d{1,2})\.(\d{1,2})(?:\.\d{1,2})?[.):]?[ \t]+"
    r"(?!(?:x|by|m|mm|cm|km|metres?|meters?|ft|feet|foot|in|inch(?:es)?|yards?|yds?|miles?|lin|linear|lf|lm|sq|sqm|sqft"
    r"|sf|square|cu|cubic|tons?|tonnes?|kg|kw|hp|hours?|hrs?|days?|acres?|million)\b)(?=[A-Za-z(\"'])",
    re.IGNORECASE,
)
_PAIR = 2
#: Of a list that goes on from another.
_LAST_NUMBER = 30


def lines_of(text: str) -> list[tuple[int, int]]:
    """The ranges of the lines that may say something: no greeting, header, signature, bullet or numbering."""
    kept: list[tuple[int, int, bool]] = []
    position = 0
    said_something = False
    rows = text.split("\n")
    bracketed = [int(one[1]) for one in map(_BRACKETED.match, rows) if one]
    counted = bracketed != list(range(1, len(bracketed) + 1))
    dashed = [one[1] for one in map(_DASHED.match, rows) if one]
    numbered = len(dashed) >= _PAIR and _are_numbers(dashed)
    sections = [(int(one[1]), int(one[2])) for one in map(_SECTIONED.match, rows) if one]
    sectioned = len(sections) >= _PAIR and sections == sorted(set(sections))
    for line in text.splitlines(keepends=True):
        start, end = position, position + len(line.rstrip("\r\n"))
        position += len(line)
        body = text[start:end]
        if _HEADER.match(body):
            answer = _ANSWER.match(body)
            if answer is None:
                continue
            start += answer.end()
            body = text[start:end]
        subject = _SUBJECT.match(body)
        if subject and len(body) <= _LONGEST_SUBJECT:
            continue
        label = subject or _PROMPT.match(body)
        if label:
            start += label.end()
            body = text[start:end]
        if said_something and _SIGN_OFF.match(body):
            break
        start += _greeting_length(body)
        signed = _SIGNED.search(text, start, end) if said_something or end - start > _LONGEST_SIGNATURE else None
        if signed:
            end = signed.start()
        bullet = _BULLET.match(text[start:end]) or (_DASHED.match(text[start:end]) if numbered else None)
        if counted and _BRACKETED.match(text[start:end]):
            bullet = None
        if sectioned:
            bullet = bullet or _SECTIONED.match(text[start:end])
        if bullet:
            start += bullet.end()
        report = _REPORT.match(text, start, end)
        if report:
            start = report.end()
        if text[start:end].strip():
            kept.append((start, end, bullet is not None))
            said_something = True
    return _rejoined(text, kept)


def for_readers(text: str) -> str:
    """The text with who asks, as the office writes it down, and "planning" blanked out: what is asked stands where it
    stood."""
    return _UNREAD.sub(lambda unread: " " * len(unread[0]), text)


def _are_numbers(written: list[str]) -> bool:
    """Whether what lines begin with numbers them: 1, 2, 3, or "03 - sawcut", "06 - none", "26 - by owner", of a
    specification's divisions, which go up and have two digits."""
    numbers = [int(one) for one in written]
    divisions = numbers == sorted(set(numbers)) and any(one.startswith("0") for one in written)
    return divisions or numbers == list(range(1, len(numbers) + 1))


def _greeting_length(line: str) -> int:
    """Characters of the greeting that a line begins with; what is asked behind it without a stop is none of it."""
    greeting = _GREETING.match(line)
    if greeting is None:
        return 0
    if _SAYS.search(greeting.group()) is None or _WHO.match(line):
        return greeting.end()
    word = _GREETING_WORD.match(line)
    return word.end() if word else 0


def _rejoined(text: str, lines: list[tuple[int, int, bool]]) -> list[tuple[int, int]]:
    """Join a line that was wrapped (it goes on in lower case) with the one before it."""
    joined: list[tuple[int, int]] = []
    wrapped = _wrapped(text, lines)
    for start, end, bulleted in lines:
        if joined and not bulleted and text[start].islower() and "\n" in text[joined[-1][1] : start]:
            previous = text[joined[-1][0] : joined[-1][1]].rstrip()
            if len(previous) > 40 and start in wrapped and text[joined[-1][1] : start].count("\n") == 1:
                joined[-1] = (joined[-1][0], end)
                continue
        joined.append((start, end))
    return joined


#: What a line ends or begins with that surely goes on.
_GOES_ON = re.compile(
    r"(?:a|an|the|and|or|of|to|in|on|at|for|with|from|by|my|our|your|is|are|it|that|which|we|i|you|can|could|would|new"
    r"|old|about|than|as|into|under|over|but|if|so|have|has|been|be|not)",
    re.IGNORECASE,
)


def _wrapped(text: str, lines: list[tuple[int, int, bool]]) -> frozenset[int]:
    """Where lines start that go on with the one before, without a sign at its end: as what was wrapped at a width does,
    where the next word found no place, and no list of things a line each, which are as long as they happen to be."""
    found: set[int] = set()
    block: list[tuple[int, int, bool]] = []
    for number, line in enumerate(lines):
        block.append(line)
        following = lines[number + 1] if number + 1 < len(lines) else None
        if following is None or text.count("\n", line[1], following[0]) != 1:
            found |= _wrapped_in(text, block)
            block = []
    return frozenset(found)


def _wrapped_in(text: str, block: list[tuple[int, int, bool]]) -> set[int]:
    """The same of lines with none that is empty between them."""
    begins = [text.rfind("\n", 0, start) + 1 for start, _, _ in block]
    lengths = [end - begin for begin, (_, end, _) in zip(begins, block, strict=True)]
    surely, maybe, listed = set[int](), set[int](), False
    for length, (first, last, _), (start, end, bulleted) in zip(lengths[:-1], block[:-1], block[1:], strict=True):
        before, words = text[first:last].split(), text[start:end].split(maxsplit=1)
        if bulleted or not text[start].islower() or before[-1][-1] in ".!?;:":
            continue
        if _GOES_ON.fullmatch(before[-1]) or before[-1][-1] in ",-&/" or _GOES_ON.fullmatch(words[0]):
            surely.add(start)
        else:
            maybe.add(start)
            listed |= length + 1 + len(words[0]) <= max(lengths)
    return surely if listed else surely | maybe


def sentences_of(text: str, start: int, end: int, inside: frozenset[int]) -> list[tuple[int, int]]:
    """The ranges of the sentences of a line; ``inside`` are the positions within figures, where none ends."""
    if text.find(")", start, end) < 0:
        marks = _dotted(text, start, end)
        ends = [mark.start() for mark in marks] + [end]
        begins = [start] + [mark.end() for mark in marks]
        return [
            one for begin, stop in zip(begins, ends, strict=True) for one in _plain_sentences(text, begin, stop, inside)
        ]
    # "(2) toilets" are two.
    marks = [
        one for one in _ENUMERATED.finditer(text, start, end) if not one[1] or begins_with_verb(one[3].lower().split())
    ]
    numbers = [int(mark.group(2)) for mark in marks]
    if not marks and (marks := list(_LETTERED.finditer(text, start, end))):
        # "(a) 100 lf of fence (b) one gate"
        numbers = [ord(mark.group(1).lower()) - ord("a") + 1 for mark in marks]
    if not marks and (marks := list(_ROMAN.finditer(text, start, end))):
        numbers = [_ROMANS.index(mark.group(1).lower()) + 1 for mark in marks]
    # The first may have been taken for the bullet of the line.
    first = 2 if text[max(0, start - 4) : start].rstrip().lower().endswith(("1)", "a)", "(i)")) else 1
    if len(numbers) >= _PAIR and 1 < numbers[0] <= _LAST_NUMBER:
        first = numbers[0]  # "8) loose toilet 9) loose toilet seat 10) porch light"
    if len(marks) >= 3 - first and numbers == list(range(first, first + len(marks))):
        # "1) a faucet 2) a toilet": each a sentence of its own.
        ends = [mark.start() for mark in marks[1:]] + [end]
        parts = [(mark.end(), stop) for mark, stop in zip(marks, ends, strict=True)]
        return [
            one
            for begin, stop in [(start, marks[0].start()), *parts]
            for one in _plain_sentences(text, begin, stop, inside)
        ]
    return _plain_sentences(text, start, end, inside)


def _dotted(text: str, start: int, end: int) -> list[re.Match[str]]:
    """ "1. grind 5 stumps 2. sweep the chimney 3. haul off the brush": the numbers of three things or more that are
    told in one line, of which the first may have been taken for its bullet."""
    if text.find("3.", start, end) < 0:
        return []
    marks = list(_DOTTED.finditer(text, start, end))
    first = 2 if text[max(0, start - 4) : start].rstrip().endswith("1.") else 1
    numbers = [int(mark[1]) for mark in marks]
    return marks if len(marks) > _PAIR - first + 1 and numbers == list(range(first, first + len(marks))) else []


_DOTTED = re.compile(r"(?:(?<=\s)|^)(\d{1,2})\.\s+(?=[A-Za-z])")
#: A number that a list of a sentence begins its parts with, and the words behind it.
_ENUMERATED = re.compile(r"(?:(?<=\s)|^)(?<!\bor )(\(?)(\d{1,2})\)\s+(?=([A-Za-z]+(?: [A-Za-z]+){0,3}))", re.IGNORECASE)
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi")
_ROMAN = re.compile(r"(?:(?<=\s)|^)(?<!\bor )\((i{1,3}|iv|vi?)\)\s+(?=\w)", re.IGNORECASE)
_LETTERED = re.compile(r"(?:(?<=\s)|^)(?<!\bor )\(?([a-h])\)\s+(?=\w)", re.IGNORECASE)


#: What a sentence may end with; a slash between the lines of what was written as one ("LR 14 x 20 / DR 12 x 14 / …").
_STOP = re.compile(r"[.!?;]")
_SLASH = re.compile(r" / (?<=(?:\w\W|\S\w) / )(?=[\w(])")
_TELLS = re.compile(r"[\d:]")
_LINES = 3


def _plain_sentences(text: str, start: int, end: int, inside: frozenset[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    first = start
    parts = _SLASH.split(text[start:end])
    told = sum(_TELLS.search(part) is not None for part in parts)
    if len(parts) >= _LINES and told > 1 and all(len(part.split()) > 1 for part in parts):
        for part in parts:
            found += _plain_sentences(text, first, first + len(part), inside)
            first += len(part) + len(" / ")
        return found
    for stop in _STOP.finditer(text, start, end):
        position = stop.start()
        if position not in inside and (
            _ends_sentence(text, first, position, end) or _ends_measure(text, first, position, inside)
        ):
            found.append((first, position))
            first = position + 1
    found.append((first, end))
    return [(a, b) for a, b in found if text[a:b].strip()]


def _ends_sentence(text: str, first: int, position: int, end: int) -> bool:
    if text[position] != ".":
        return True
    before = text[max(first, position - _LOOKED_BACK) : position]
    word = re.split(r"[^A-Za-z0-9]", before)[-1].lower()
    if _TALKS_ON.match(text, position + 1):
        return True
    decade = word.endswith("0s") and _begins_sentence(text, position + 1)
    if decade or (before.endswith("..") and text[position + 1 : position + 2].isalpha()):
        return True
    if before[-3:].lower() == "r&r" and _begins_sentence(text, position + 1):
        return True
    if _ADDRESS_OR_DAY.search(before) and _begins_sentence(text, position + 1):
        return True
    word = word.lstrip("0123456789") or word
    after = text[position + 1 : position + 2]
    if word in _UNIT_POINTS and _begins_sentence(text, position + 1):
        return True
    if (word == "no" or _NO_ABBREVIATION.search(before)) and _begins_sentence(text, position + 1):
        return True  # "Dining chairs no. Hall has a wood floor", and no number
    if word == "sq" and _begins_sentence(text, position + 1) and not _OF_SQUARE.match(text, position + 1):
        return True  # "reroof 24 sq. Gutters are …"
    # "ca. 900 sq ft", and no state: "San Jose, CA. 900 sq ft".
    if word in _ABBREVIATIONS or before.endswith(" ca") or (after.isdigit() and before[-1:].isdigit()):
        return False
    return (
        after == ""
        or after.isspace()
        or position + 1 >= end
        or (after.isalpha() and len(word) > 3)
        or after in "*-)\"'"
    )


#: Behind the point of a measure, what does not go on with it ("300 SQFT. ON FRONT ELEVATION"); words between a thing
#: and its measure, words that a measure stands behind as part of its thing.
_STARTS_ANEW = re.compile(
    r"\s+(?!(?:on|and|or|of|only|for|to|at|with|in|by|per|from|x|high|long|wide|tall|deep|thick|total|each)\b)"
    r"(?:[a-z]{2,}|[rd] ?[&/] ?r\b|n\.i\.c\b"
    r"|\d{1,3} (?!(?:inch(?:es)?|feet|foot|yards?|high|long|wide|deep|thick|coats?)\b)[a-z]{3,}\b)",
    re.IGNORECASE,
)
_ROUGHLY = frozenset({"approx", "approximately", "about", "appx", "total", "of", "roughly", "max", "area"})
_BEFORE_THING = frozenset(
    {"new", "existing", "exist", "e", "a", "an", "the", "and", "or", "with", "w", "for", "by", "x"}
)
_WITHIN = 60


def _ends_measure(text: str, first: int, position: int, inside: frozenset[int]) -> bool:
    """Whether the point behind a unit ends a sentence: "REBUILD PARAPET 20 SQ FT. REPLACE TWO LINTELS", where the
    measure stands behind its thing, not "NEW 6 FT. METAL GATE"."""
    if position - 1 not in inside or not _STARTS_ANEW.match(text, position + 1):
        return False
    start = position - 1
    while start > first and start - 1 in inside:
        start -= 1
    before = re.findall(r"[a-z]+|[\d.,;:()-]", text[max(first, start - _WITHIN) : start].lower())
    while before and (before[-1] in _ROUGHLY or before[-1] in ".:-"):
        before.pop()
    if not before or before[-1].isdigit():
        return False
    return before[-1] not in _BEFORE_THING and not action_of(before[-1])


#: "412 Maple St. Replace …", "we move in on June 1st. Build …"; not "412 St. Johns Rd.".
_ADDRESS_OR_DAY = re.compile(
    r"\b\d{1,5}[a-z]? (?:[nsew]\.? )?(?:(?!(?:for|with|by|of|at|the|to|and|in|on)\b)[a-z0-9'’-]{2,15} ){1,2}(?:st|dr)$"
    r"|\b\d?(?:1st|2nd|3rd|\dth)$",
    re.IGNORECASE,
)
#: "The board said no. New pump …", "it just got PM'd. The pad …", "it is my neighbor's. Paint …": letters that stand
#: for no longer word.
_NO_ABBREVIATION = re.compile(r"\w['’]s$|[A-Z]['’]d$")
#: Characters before a stop that tell whether it ends a sentence.
_LOOKED_BACK = 40
_OF_SQUARE = re.compile(r"\s*(?:ft|feet|foot|m|met|yd|yards?|in)\b", re.IGNORECASE)
#: "10 min. can u …", "3 ft. our cat …": begins a sentence whatever stands before the stop.
_TALKS_ON = re.compile(
    r"\s+(?:we|i|our|my|can|could|please|pls|also|there|they|you|it['’]s|its|thanks|thx|do|would|what|how|not|no|don['’]?t"
    r"|skip|leave|just|nothing|then)\b",
    re.IGNORECASE,
)


def _begins_sentence(text: str, position: int) -> bool:
    following = text[position : position + 12].lstrip()
    return text[position : position + 1].isspace() and following[:1].isupper() and following[1:2].islower()
