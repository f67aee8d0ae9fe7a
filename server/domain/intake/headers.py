"""The head of a forwarded letter: its sender fills the form, its other lines only stand in the way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Context, Kind, Page
from server.domain.intake.companies import LEGAL
from server.domain.intake.people import capitalized

_LINE = re.compile(
    r"^[ \t>]*(?P<name>from|to|cc|bcc|sent|date|subject|reply-to)[ \t]*:[ \t]*(?P<value>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_SENDER = re.compile(r"[\"']?(?P<name>[^\W\d_][^<>@\"\n]{1,60}?)[\"']?[ \t]*(?:<|\[|\()[^<>\n]*@")
#: The line that stands above what a letter answers.
_WROTE = re.compile(
    r"^[ \t>]*on\b(?P<when>[^\n]{6,60}?)[,\s]+(?P<name>[^\W\d_][^<>@\n,\d]{1,50})[ \t]*<[^\n>]{3,80}>[ \t]*wrote:",
    re.IGNORECASE | re.MULTILINE,
)
_ONLY_NAME = re.compile(r"[^\W\d_][\w'’.-]*(?:[ \t]+[^\W\d_][\w'’.-]*){1,3}")
#: Lines of one head are no further apart.
_NEAR = 200
_OTHERS = frozenset({"to", "cc", "bcc"})
#: A note of a call: its date and time are the call's.
_MEMO = re.compile(
    r"while you were out|telephone message|phone message|missed call|call log|voicemail from", re.IGNORECASE
)
_CALLED_AT = re.compile(
    r"\A\s*\W{0,2}(?:new |inbound |incoming )?(?:voicemail|voice message|vm|ans(?:wer(?:ing)?)?[ -]?(?:machine|phone)|txt|(?:live )?chat(?: transcript| log)?|(?:emergency|hot|help) ?line|site notes?|whatsapp|fax|missed call|tel(?:ephone)? call|phone call|call(?:ed|s)?(?: log)?|msg|message|text|sms|callback|enquiry|email)\b[\s:,(-]*(?:on |at |from )?"
    r"(?P<value>(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}[ ,]+)?\d{1,2}[/.:]\d[\d/.:]*(?:[ \t]?[ap]m\b)?(?:[ ,]+(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\b)?(?:[ \t,@-]{1,3}(?:at )?\d{1,2}[.:]\d\d(?:[ \t]?[ap]m\b)?)?)",
    re.IGNORECASE,
)
_CALL_FIRST = re.compile(
    r"\A\s*(?P<value>\d{1,2}[:.]\d\d(?:[ \t]?[ap]m)?)[ \t,-]{1,3}(?:call|msg|message|vm|voicemail|phone|tel|caller|rang)\b",
    re.IGNORECASE,
)
_OF_CALL = re.compile(r"\b(?:date|time)[ \t]*:[ \t]*(?P<value>[\d/.:-]+(?:[ \t]?[ap]m)?)", re.IGNORECASE)
_NOT_A_PERSON = re.compile(
    r"\b(?:accounts?|ap|ar|info|sales|office|admin|payments?|noreply|no-reply|team|support|remittance|finance|ltd|llc|inc)\b"
    rf"|\s(?-i:{LEGAL})\s*$",
    re.IGNORECASE,
)


def headers(page: Page, _context: Context) -> Iterator[Candidate]:
    """The sender's name, where two lines of a head follow one another or one names an address."""
    called = _CALLED_AT.match(page.free) or _CALL_FIRST.match(page.free)
    if called is not None:
        page.take(*called.span("value"))
    if _MEMO.search(page.text[:200]):
        for found in _OF_CALL.finditer(page.free):
            page.take(*found.span("value"))
    for wrote in _WROTE.finditer(page.free):
        page.take(*wrote.span("when"))
        page.take(*wrote.span("name"))
        yield Candidate(Kind.PERSON, " ".join(wrote["name"].split()), *wrote.span("name"), 0.9)
    lines = list(_LINE.finditer(page.free))
    for place, line in enumerate(lines):
        around = lines[max(0, place - 1) : place] + lines[place + 1 : place + 2]
        near = any(abs(other.start() - line.start()) < _NEAR for other in around)
        name = line["name"].lower()
        if name == "from" and ("@" in line["value"] or near):
            sender = _SENDER.match(line["value"]) or _ONLY_NAME.fullmatch(line["value"].strip())
            if sender is not None and not _NOT_A_PERSON.search(sender[0].partition("<")[0]):
                written = sender["name"] if "name" in sender.re.groupindex else sender[0]
                start = line.start("value") + line["value"].index(written)
                value = " ".join(written.split())
                turned = re.fullmatch(r"([^\W\d_][\w'’-]+), ([^\W\d_][\w'’. -]+)", value)
                value = f"{turned[2]} {turned[1]}" if turned else value
                value = " ".join(map(capitalized, value.split())) if value.islower() or value.isupper() else value
                page.take(start, start + len(written))
                yield Candidate(
                    Kind.PERSON, value, start, start + len(written), 0.9, "person.capitals" if value != written else ""
                )
        elif name == "sent" or (
            near and (name in _OTHERS or (name == "date" and re.search(r"\d:\d\d", line["value"])))
        ):
            page.take(*line.span("value"))
