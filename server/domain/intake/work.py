"""What is to be done: the sentences that tell of work, without those that tell who, where, when and how to call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from server.domain.intake.candidate import TAKEN, Candidate, Kind, Page

#: Weight, place: what tells of work in a text.
Mentions = Callable[[str], Iterator[tuple[str, float, int, int]]]
_ABBREVIATED = r"(?<!\bMr)(?<!\bDr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bRd)(?<!\bAve)(?<!\bapprox)(?<!\bincl)(?<!\bno)(?<!\bapt)(?<!\bft)(?<!\bsq)"
_BREAK = re.compile(
    rf"\n+|{_ABBREVIATED}[.!?;]+(?=[\s\"')]|$)|[!?;]+|(?<=\s)[–—|-]{{1,2}}(?=\s)|\s/\s|[\"“”]|(?<=:)\s|^>|(?<=[{TAKEN}])[)]",
    re.MULTILINE,
)
#: Where speech that was written down without stops begins something new.
_SPOKEN_BREAK = re.compile(
    r"\s(?=(?:his|her|my|their|the) (?:number|cell|mobile|phone|email|name|address) (?:is|'s)\b|(?:s?he|they)(?:'s|'re| is| are)? (?:home|in|available|free|is called)\b"
    r"|(?:(?:s?he|they|who) )?(?:wants|needs)\b|(?:(?:it'?s|s?he'?s|they'?re) at|(?:address|e-?mail|phone|number|cell)(?:'?s| is))\b"
    r"|(?:gotta|got to|need to|needs to|have to|has to)\b)|(?<=\bsays) |(?<=\bsaid) |(?<=\bsays that) ",
    re.IGNORECASE,
)
_STOPS = re.compile(r"[.,;!?](?:\s|$)|\s[-–—|/]\s")
_PART = re.compile(r"(?:,|:)\s")
_LAST = re.compile(r"(?:,(?!\d)|\()\s?(?:(?!,\s|\().)*$", re.DOTALL)
_MARGIN = " \t\r\n-*•>,–—:|=)"
#: How a message begins before it comes to the point.
_OPENING = re.compile(
    rf"""(?:hi|hiya|hello|hey|dear|alright|good\ (?:morning|afternoon|evening)|morning|afternoon|evening)\b[^,!.\n{TAKEN}]{{0,30}}[,!.{TAKEN}]+\s*
    |(?:hi|hiya|hello|hey|alright)\b(?:\ (?:there|all|guys|mate|folks|team|um|uh))*\s+
    |(?:my\ name(?:\ is|'s)|this\ is|i'?m|i\ am|it'?s|it\ is|its)\s*{TAKEN}+[\s,]*(?:(?:and|here|from|at|calling|uh|um|with|of)\b|[{TAKEN},\s(])*\s*
    |(?:um+|uh+|er+m?|so|ok|okay|well|just|btw|fyi|also)\b[,\s]+""",
    re.IGNORECASE | re.VERBOSE,
)
#: Sentences that are about being reached, about who sent whom, or say goodbye; header lines of letters.
_ASIDE = re.compile(
    r"[\s\W]*(?:thanks?|thank you|many thanks|cheers|thx|ta|ty|(?:kind |best |warm )?regards|best(?: wishes)?|sincerely|yours|sent from my|"
    r"(?:please|pls|can you|could you|plz)?,? ?(?:call|ring|contact|e-?mail|text|phone|let me know|get back to me|give (?:me|us|him|her|them) a (?:call|ring|shout|bell)|"
    r"reply|respond|advise)\b(?! (?:about|re|regarding))|(?:please|pls) (?:have|get) (?:someone|somebody|one of)|"
    r"(?:my|his|her|their|our|best|the)? ?(?:number|phone|no|cell|mobile|tel|email|e-mail|name|address|contact)(?= (?:is|are|on|at)\b|[ ]?[:=-]|[ ]?[\ue000])|(?:my|his|her|their|our) no\b|"
    r"(?:you|u) can (?:reach|call|contact|ring|get)|i can be reached|looking forward|can be reached|reach (?:me|him|her)|"
    r"new lead|lead (?:from|via|id)|"
    r"referral|referred|web ?form|enquiry (?:via|from)|while you were out|vm transcript|voicemail|missed call|msg from|message from|"
    r"(?:new )?customer is|new client is|ask for|asking for|attn|fao|deposit|invoice|inv to|budget|zip|city|location|property type|how soon|timing|"
    r"insurance adj|key (?:with|under|from)|keys? (?:is|are)|gate code|access code|parking(?! lots?)|dog in|no phone|"
    r"(?:name|customer|client|cust|tenant|landlord|owner|contact)(?= (?:is|are|was)\b|[ ]?[:=-]|[ ]?\ue000)|phone|ph|time frame|source|ref|reference|po|wo|assigned|status|priority|urgency|"
    r"(?:lead|meter|unit|serial|model|claim|customer|acct|account) (?:no|id|number|says|is|reads)\b|unit is|gate|pin|access|utility|filter changed|lives (?:off|on|near)|will call (?:us|back)|saw (?:our|your|u)\b|then\b|bring\b|"
    r"(?:s?he|they)(?:'d| would)? (?:like (?:it|this) done|says? no more)|(?:i|we)(?:'d| (?:should|would)) be (?:most |very )?(?:grateful|glad|pleased|happy|obliged)|bids? (?:are|is|must)|must have (?:bids?|quotes?|tenders?)|could you (?:price|quote) (?:it|this)|can (?:you|someone|somebody) come|"
    r"hope (?:you|this)|weekends are|evenings are|any ?day|any ?time|available|availability)\b",
    re.IGNORECASE,
)
#: What is said by those who were asked, in a chat that was pasted.
_ANSWERED = re.compile(r"[ \t>*-]*(?:agent|support|office|operator|assistant|rep|bot|us|admin)[ \t]*:", re.IGNORECASE)
#: How people come to the point: what they ask for stands behind it.
_ASKED_FOR = re.compile(
    r"\b(?:(?:could|can|may) (?:i|we) (?:please )?(?:have|get)|(?:please )?(?:let (?:me|us) have|send (?:me|us))|(?:i|we)(?:'d| would) like|looking for|in need of|am after|are after|is after)\s+"
    r"(?:(?:a|an|your|the|some|someone|somebody|anyone|anybody|quick|rough|written|best|ballpark)\s+){0,3}"
    r"(?:(?:quotation|quote|price|pricing|estimate|proposal|costs?|costings?|figures?|numbers?)\s+(?:for|on|to)|to)\s+",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"[\s>]*(?:from:|to:|cc:|bcc:|subject:|sent:|date:|fwd?:|re: your|on .{0,40} wrote:|begin forwarded|-----|sent from my)",
    re.IGNORECASE,
)
_TELLS_OF_OTHERS = re.compile(
    r"\b(?:gave me your (?:number|name|details)|recommended you|told me about you|found you on|saw your (?:ad|van|website)|got your (?:number|name|details)|"
    r"said you|used you|is the (?:owner|landlord|tenant|agent)|will be (?:home|there|in)|be home|let you in|pays? (?:cash|by)|works? best|is best)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:need(?:s|ed|ing)?|replac\w+|fix(?:ed|ing)?|repair\w*|install\w*|fit(?:ted|ting)?|remov\w+|build\w*|suppl(?:y|ied)|lay(?:ing)?|hang\w*|"
    r"paint\w*|clean\w*|broken?|crack\w*|leak\w*|rotten|rott\w+|loose|stuck|jammed|blocked|damaged?|dead|tripp\w+|overflow\w*|"
    r"quote for|price (?:for|up|to|on|out)|estimate (?:for|on)|cost (?:of|to|for)|looking (?:for|to)|want(?:s|ed)?|would like|i'd like|we'd like|"
    r"service|servic\w+|swap\w*|mount\w*|move|moving|upgrade|convert|measure|survey|inspect\w*|seal\w*|reseal|patch\w*|re-?lay|relay|lift|strip|"
    r"demo|tear|take down|pick ?up|haul|deliver|snake|unblock|winterize|refinish|finish\w*|blown|fallen|fell|came down|"
    r"not working|won't|doesn't|stopped|quit|out of order|shot|gone|faulty|no power|no heat\w*|no water|callout|call-out|call out|treatment|packed (?:in|up)|filling|flood\w*|soak\w*|drip\w*|beep\w*|won'?t|doesn'?t|dont|crumbl\w*|sag\w*|peel\w*|rust\w*|"
    r"smell\w*|nois\w+|squeak\w*|draught\w*|draft\w*|damp|mould\w*|mold\w*|worn|split|snapped|bust\w*|burst|stolen|seized|collapsed|wobbl\w*|"
    r"running|overlay|changeout|tune up|come down|blew|stuck|slipping|slipped|bubbl\w*|sunk|sinking|warped|torn|chipped|faded|outdated|"
    r"add|extend|renovat\w*|refurb\w*|remodel\w*|redo|rebuild|reconfigure|insulat\w*|dig|cut|trim|prune|mow|check|test|price|quote|bid)\b",
    re.IGNORECASE,
)
#: A clause of nothing but these leads to a name, a number, a place, a date or a sum.
_LEADING = frozenset(
    """
    call me on at or text phone mobile cell email my number is name this it its the tel reach can you be to and customer cust
    client contact address addr add site for from by with w in of a an please pls thanks i im am our we us weve were budget around about needed
    due before after until next ring asap urgent anytime any time fine no hurry rush great would whenever tenant owner
    homeowner landlord landlady caller ask quote price estimate est job needs it done start starting schedule scheduled date time
    when enquiry inquiry request req message lead re regarding not want wants he she they his her their him them hers
    book booked visit pref prefer preferred poss possible if morning afternoon evening am pm first thing ish latest early
    late week weekend today tomorrow txt best do day days up max firm ph arrive arrival between onwards later per accepted
    reschedule rescheduled moved same put diary follow calling called spoke spoken rang here cheers ok okay vat plus
    mgr manager property new old info details via emergency priority revised bid residence resident home also go
    put lady lad guy man gent bloke all day days home frm hes shes theyre im ive its until till w
    attend family families appt confirmed wk
    zip city based live lives located area near just off mr mrs ms miss dr dont have last cheap sometime someone
    """.split()  # noqa: SIM905 - a list of words reads better as text
)
_PEOPLE = frozenset({Kind.PERSON, Kind.PHONE, Kind.EMAIL, Kind.COMPANY, Kind.ADDRESS})
_PREPOSITION = re.compile(
    r"\b(?:at|for|on|by|in|to|of|from|before|after|within|with|the|and|near|@)\s*$", re.IGNORECASE
)
#: Signs that something else than work is left in the words: a person confirms them. A name or number within, a beginning
#: that hangs on what was cut off, a strange name.
_NOT_CLEAN = re.compile(
    rf"^(?i:from|in|at|on|with|by|of|w|calling|put)\b|{TAKEN}{{7}}[^{TAKEN}]*[.!?;\n,]|[a-z,] (?!I\b)[A-Z][a-z]+ (?:on|in|for|at|is)\b"
)
#: As many words that nothing explains may belong to the work; fewer where a sentence was cut.
_LEFT_OVER = 3
#: What parts sentences, and the parts of a list or table.
_PARTS = '\n\r.!?:;|/>-–—"“”()'
#: These stand beside words about the work, and do not explain them.
_TOLD_BESIDE = frozenset({Kind.TRADE, Kind.URGENCY, Kind.DATE, Kind.TIME})
_GREETING = re.compile(
    r"[\W_]*(?:good (?:morning|afternoon|evening|day)|hello|hi|hey|hiya|bye(?: bye)?)\b[\w ]{0,12}\W*", re.IGNORECASE
)
_MEASURE = re.compile(r"\d\s?(?:sq|sf|ft|lf|m|m2|sqm|mm|cm|yards?|yds?|x)\b", re.IGNORECASE)
#: Lines that begin with the same mark.
_LIST = re.compile(r"(?:^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+[^\n]+(?:\n|\Z)){2,}", re.MULTILINE)
_COUNT = re.compile(r"(?<![\w/.:-])\d{1,4} [a-z]{3,}")
_BRING = re.compile(r"[\s,(]*(?:please )?bring\b", re.IGNORECASE)
#: Fewer words before what is asked for stay with it.
_LONG_WAY_ROUND = 9
_MOST_CLAUSES = 12
_LONGEST_CLAUSE = 400
_SIGNAL = 1.0
_MERGED = 45
#: A sentence that names no work goes with the one before where it has as many words of its own.
_TELLING = 3
#: Names, places and numbers of more characters part two pieces of work.
_APART = 14
#: Trades named with this weight make a sentence one about work, whatever it begins with.
_CERTAIN = 2.0


@dataclass(frozen=True, slots=True)
class _Segment:
    start: int
    end: int
    words: int
    signal: float
    aside: bool
    #: Words that say something and were cut off.
    left: int = 0


def work(
    page: Page,
    taken: Sequence[tuple[int, int]],
    found: Iterable[Candidate],
    mentions: Mentions,
    within: tuple[int, int] | None = None,
) -> Iterator[Candidate]:
    """The run of sentences that tells most of work, as it stands in the text; nothing where there is none.

    ``taken`` are spans that belong to other labels, ``within`` the part of the text to look at.
    """
    found = list(found)
    kinds = [(one.start, one.end) for one in found if one.kind in _PEOPLE]
    explained = [(one.start, one.end) for one in found if one.kind not in _TOLD_BESIDE]
    mentioned = list(mentions(page.free))
    told = [(weight, start) for _, weight, start, _ in mentioned]
    segments = _listed(page, list(_segments(page, within or (0, len(page.text)), taken, kinds, told)))
    runs: list[list[_Segment]] = [[]]
    for segment in segments:
        if segment.aside:
            if not (runs[-1] and segment.words == 0 and segment.end - runs[-1][-1].end < _MERGED):
                runs.append([])
        elif runs[-1] and page.free.count(TAKEN, runs[-1][-1].end, segment.start) > _APART:
            runs.append([segment] if segment.signal else [])
        elif segment.signal or (runs[-1] and (segment.words >= _TELLING or page.text[segment.end - 1] == "?")):
            runs[-1].append(segment)
    runs = [run for run in runs if run]
    if not runs:
        whole = [segment for segment in segments if segment.words > 1 and not segment.aside]
        if whole:
            longest = max(whole, key=lambda segment: segment.words)
            yield Candidate(Kind.WORK, page.text[longest.start : longest.end], longest.start, longest.end, 0.6)
        return
    weights = [sum(segment.signal + 0.1 * segment.words for segment in run) for run in runs]
    best = max(range(len(runs)), key=lambda index: weights[index])
    start, end = runs[best][0].start, runs[best][-1].end
    signal = sum(segment.signal for segment in runs[best])
    sure = 0.92 if signal >= 3 else 0.85 if signal >= 2 else 0.7
    if any(weight > 0.5 * weights[best] for index, weight in enumerate(weights) if index != best):
        sure = min(sure, 0.78)
    if _NOT_CLEAN.search(page.free[start:end]):
        sure = min(sure, 0.78)
    beside = [one for one in segments if not start <= one.start < end]
    left = max([one.left for one in runs[best]] + [_unexplained(page, one, explained) for one in beside])
    apart = len(runs[best]) <= _MOST_CLAUSES and _trades_differ(runs[best], mentioned)
    if apart or left >= _LEFT_OVER or (_cut_within(page, start, end) and left):
        sure = min(sure, 0.78)
    yield Candidate(Kind.WORK, page.text[start:end], start, end, sure)


def _trades_differ(run: Sequence[_Segment], mentioned: Sequence[tuple[str, float, int, int]]) -> bool:
    """Whether a sentence names other trades than the one before it."""
    trades = [
        {trade for trade, weight, at, _ in mentioned if weight >= _CERTAIN and one.start <= at < one.end} for one in run
    ]
    return any(first and second and not first & second for first, second in pairwise(trades))


def _unexplained(page: Page, segment: _Segment, explained: Sequence[tuple[int, int]]) -> int:
    """How many words of a part beside the description no field holds: they may belong to the work."""
    words = page.free[segment.start : segment.end].rstrip()
    held = any(start < segment.end and segment.start < end for start, end in explained)
    return 0 if segment.aside or held or words.endswith(":") or _GREETING.fullmatch(words) else segment.words


def _cut_within(page: Page, start: int, end: int) -> bool:
    """Whether the words begin or end within a sentence."""
    before, after = page.text[:start].rstrip(" \t"), page.text[end:].lstrip(" \t")
    begins = not before or before[-1] in _PARTS
    return not begins or not (not after or after[0] in _PARTS or page.text[end - 1] in _PARTS)


def _listed(page: Page, segments: list[_Segment]) -> list[_Segment]:
    """The segments, where all items of a list count that has an item which tells of work."""
    for found in _LIST.finditer(page.text):
        items = [place for place, one in enumerate(segments) if found.start() <= one.start < found.end()]
        told = any(
            segments[place].signal or _VERB.search(page.free[segments[place].start : segments[place].end])
            for place in items
        )
        for place in items:
            if told and not segments[place].aside:
                segments[place] = replace(segments[place], signal=max(_SIGNAL, segments[place].signal))
    return segments


def _segments(
    page: Page,
    within: tuple[int, int],
    taken: Sequence[tuple[int, int]],
    people: Sequence[tuple[int, int]],
    told: Sequence[tuple[float, int]],
) -> Iterator[_Segment]:
    position = within[0]
    breaks = list(_BREAK.finditer(page.free, *within))
    if not _STOPS.search(page.free):
        breaks = sorted([*breaks, *_SPOKEN_BREAK.finditer(page.free, *within)], key=lambda found: found.start())
    for found in [*breaks, None]:
        first, stop = position, (found.end() if found else within[1])
        position = stop
        start, end = _inside(page, first, stop)
        if start >= end:
            continue
        labelled = any(begin <= start < last or start <= begin < end for begin, last in taken)
        begin = _after_opening(page, start, end)
        whole = page.free[begin:end]
        telling = sum(weight for weight, at in told if start <= at < end) >= _CERTAIN
        line = page.free.rfind("\n", 0, start) + 1
        if (
            labelled
            or _HEADER.match(whole)
            or _ANSWERED.match(page.free, line)
            or _BRING.match(whole)
            or (not telling and _ASIDE.match(whole))
        ):
            yield _Segment(start, end, _content(whole), 0.0, aside=True)
            continue
        start, end = _to_the_point(page, start, end, people, told)
        free = page.free[start:end]
        words = _content(free)
        signal = sum(weight for weight, at in told if start <= at < end) + 0.8 * min(len(_VERB.findall(free)), 3)
        named = any(begin < end and start < last for begin, last in people)
        tells = _TELLS_OF_OTHERS.search(free) is not None and signal < 2
        aside = words == 0 or tells or (signal < _SIGNAL and named) or start >= end
        left = _content(page.free[end:stop])
        yield _Segment(start, end, words, signal if signal >= _SIGNAL else 0.0, aside, left)


def _after_opening(page: Page, start: int, end: int) -> int:
    start, end = _inside(page, start, end)
    while (opening := _OPENING.match(page.free, start, end)) is not None and opening.end() > start:
        start, end = _inside(page, opening.end(), end)
    return start


def _to_the_point(
    page: Page, start: int, end: int, people: Sequence[tuple[int, int]], told: Sequence[tuple[float, int]]
) -> tuple[int, int]:
    """The sentence without its opening, and without clauses at either end that only tell who, where or when."""
    start, end = _inside(page, _after_opening(page, start, end), end)
    whole = start, end

    def idle(first: int, stop: int) -> bool:
        """A clause that tells nothing of work: leading words alone, or somebody's name or number beside none."""
        free = page.free[first:stop]
        telling = any(first <= at < stop for _, at in told)
        named = any(begin < stop and first < last for begin, last in people)
        return (
            (_content(free) == 0 and not _MEASURE.search(free))
            or _BRING.match(free) is not None
            or (
                not telling
                and (
                    (named and _content(free) < _TELLING and not _MEASURE.search(free) and not _COUNT.search(free))
                    or _ASIDE.match(free.lstrip(" ,(")) is not None
                )
            )
        )

    for _ in range(_MOST_CLAUSES):
        last = _LAST.search(page.free, max(start, end - _LONGEST_CLAUSE), end)
        if last is None or not idle(last.start(), end):
            break
        end = last.start()
    for _ in range(_MOST_CLAUSES):
        part = _PART.search(page.free, start, min(end, start + _LONGEST_CLAUSE))
        if part is None or not idle(start, part.start()):
            break
        start = part.end()
    lead = start
    for found in re.finditer(rf"[^\W\d_]+(?:['’][^\W\d_]+)*|[{TAKEN}]+", page.free[start:end]):
        if found[0][0] == TAKEN:
            lead = start + found.end()
        elif _content(found[0]):
            break
    if lead > start and _content(page.free[lead:end]) >= 1:
        start = lead
    asked = _ASKED_FOR.search(page.free, start, min(end, start + _LONGEST_CLAUSE))
    if (
        asked
        and len(page.free[start : asked.end()].split()) >= _LONG_WAY_ROUND
        and _content(page.free[asked.end() : end]) > 1
    ):
        start = asked.end()
    about = re.match(
        rf"(?:[^\W\d_]++[\s,]++|[{TAKEN}]++[\s,]*+){{0,8}}?(?:re|regarding|about|concerning)[:\s]+",
        page.free[start:end],
        re.IGNORECASE,
    )
    if about and _content(about[0]) == 0:
        start += about.end()
    end = start + _telling_end(page.free[start:end])
    start, end = _inside(page, start, end)
    joined = re.match(r"(?:and|but|so|also)\s+", page.free[start:end], re.IGNORECASE)
    start += joined.end() if joined else 0
    return (start, end) if start < end else whole


def _telling_end(free: str) -> int:
    """Where the words end that say something of their own, if a name, place or date stands behind them."""
    last = 0
    for found in re.finditer(r"[^\W\d_][\w'’]*|\d[\w./x'\"]*", free):
        if found[0][0].isdigit() or (len(found[0]) > 1 and _content(found[0])):
            last = found.end()
    tail = free[last:]
    kept = re.match(r"[)\"'?!]*", tail)
    return last + (kept.end() if kept else 0) if last and TAKEN in tail else len(free)


def _inside(page: Page, start: int, end: int) -> tuple[int, int]:
    while start < end and (page.text[start] in _MARGIN or page.text[start] in '"“”.!?'):
        start += 1
    while end > start and (page.text[end - 1].isspace() or page.text[end - 1] in '"“”|-–—,('):
        end -= 1
    return start, end


def _content(free: str) -> int:
    """How many words say something of their own."""
    return sum(
        word not in _LEADING for word in re.findall(r"[a-z]{2,}", free.lower().replace("'", "").replace("’", ""))
    )
