"""Clauses: the pieces of a note between marks, small words and what other fields took, each with signs of its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from server.domain.intake.candidate import TAKEN, Candidate, Kind, Page

#: Trade, weight and place of what tells of work in a text.
Mentions = Callable[[str], Iterator[tuple[str, float, int, int]]]
#: Clauses of one note that are looked at.
MOST_CLAUSES = 300
_ABBREVIATED = "".join(
    rf"(?<!\b{word})" for word in ("Mr", "Dr", "Ms", "Mrs", "St", "Rd", "Ave", "approx", "incl", "no", "No", "apt", "ft", "sq", "w")
)  # fmt: skip
#: Where a clause ends; the name of the group says how. Blanks are counted: runs of thousands would take minutes.
_CUT = re.compile(
    rf"""(?P<line>[ \t]{{0,4}}\n[ \t>]{{0,4}})
    |(?P<stop>{_ABBREVIATED}[.!?;]+["')”]*(?:[ \t]{{1,4}}|$))
    |(?P<dash>[ \t]{{1,4}}(?:[-–—]{{1,2}}|[|/]|>>+|[*•])[ \t]{{1,4}})
    |(?P<colon>:[ \t]{{1,4}})
    |(?P<comma>,[ \t]{{1,4}})
    |(?P<open>[ \t]{{0,4}}[("“\[][ \t]{{0,4}})
    |(?P<close>[)"”\]][ \t]{{0,4}})
    |(?P<soft>[ \t]{{1,4}}(?=(?:and|but|so|because|cos|then|also|who|which|plus|wants?|wanted|needs?|wanting|needing|we|he|she|they
        |i|i'm|i'd|i've|we're|we've|we'd|he's|she's|it's|its|they're|there's|theres|can|could|please|pls|is|are|before|after
        |until|while|if|when|re|about|regarding|says?|said|must|has|have|will|call|ring|thanks|ta|cheers
        |(?:her|his|my|their|our)[ ](?:number|cell|mobile|phone|e-?mail|name|address))\b))
    |(?P<asked>(?<=\bto)[ \t]{{1,4}}|(?<=\bfor)[ \t]{{1,4}}|(?<=\bthat)[ \t]{{1,4}}|(?<=\bre)[ \t]{{1,4}}|(?<=\babout)[ \t]{{1,4}}|(?<=\bsays)[ \t]{{1,4}}
        |(?<=\bsaid)[ \t]{{1,4}})
    |(?P<prep>[ \t]{{1,4}}(?=(?:for|at|on|by|from|with|in|to|of|the|@|w/)[ \t]{{1,4}}(?:the[ \t]{{1,4}})?{TAKEN}))
    |(?P<into>[ \t]{{0,4}}(?=(?<!{TAKEN}){TAKEN}))
    |(?P<outof>(?<={TAKEN})(?!{TAKEN})[ \t.]*)""",
    re.VERBOSE | re.IGNORECASE,
)
#: After these cuts something new begins.
_OPENS_SENTENCE = frozenset({"line", "stop", "dash", "colon"})
#: These say less of a cut than the marks beside them.
_WEAK = frozenset({"into", "outof", "soft", "asked", "prep", "label"})
_WORD = re.compile(rf"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\w./x'\"-]*|{TAKEN}+|[$£€?!+&@#]")
_MEASURE = re.compile(r"\d\s?(?:sq|sf|ft|lf|m|m2|sqm|mm|cm|yards?|yds?|x|in|inch)\b|\d[\"']", re.IGNORECASE)
#: Signs of what other fields took.
_SIGNS = {
    Kind.PERSON: "P", Kind.PHONE: "N", Kind.EMAIL: "M", Kind.ADDRESS: "A", Kind.DATE: "D", Kind.TIME: "T",
    Kind.MONEY: "$", Kind.COMPANY: "C", Kind.REFERENCE: "R", Kind.METHOD: "Y",
}  # fmt: skip
#: From this weight on a word names a thing of a trade by itself.
_THING = 1.5
#: Words that lead to a name, a number, a place, a date or a sum, and say nothing of work.
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


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a note. ``[start, end)`` are code points.

    ``opens`` and ``closes`` name the cuts at its ends; ``signs`` are its words, with those of trades, numbers and of
    other fields folded; ``weight`` is what its words weigh as work, ``words`` how many say something of their own.
    ``sentence`` numbers sentences from 0. ``label`` is "work" behind a label of the description, "other" behind one of
    another field, else "".
    """

    start: int
    end: int
    opens: str
    closes: str
    signs: tuple[str, ...]
    weight: float
    words: int
    measured: bool
    sentence: int
    label: str

    @property
    def idle(self) -> bool:
        """Whether it says nothing of its own: a name, a number, words that lead to one."""
        return not (self.words or self.weight or self.measured or "#" in self.signs)


def clauses(
    page: Page, found: Iterable[Candidate], mentions: Mentions, labelled: Sequence[tuple[bool, int, int]]
) -> list[Clause]:
    """The clauses of a note in order. ``labelled``: where values of labels stand, and whether they are the work's."""
    signed = sorted((one.start, one.end, _SIGNS[one.kind]) for one in found if one.kind in _SIGNS)
    mentioned = list(mentions(page.free))
    things = {start: (weight, end) for _, weight, start, end in mentioned}
    made: list[Clause] = []
    sentence = 0
    for start, end, opens, closes in _pieces(page, labelled)[:MOST_CLAUSES]:
        sentence += bool(made) and opens in _OPENS_SENTENCE
        label = next((("other", "work")[own] for own, first, last in labelled if first <= start < last), "")
        free = page.free[start:end]
        made.append(
            Clause(
                start,
                end,
                opens,
                closes,
                tuple(_folded(page.free, start, end, things, signed)),
                sum(weight for at, (weight, _) in things.items() if start <= at < end),
                _telling(free),
                _MEASURE.search(free) is not None,
                sentence,
                label,
            )
        )
    return made


def _pieces(page: Page, labelled: Sequence[tuple[bool, int, int]]) -> list[tuple[int, int, str, str]]:
    """Start, end and the cuts at both."""
    cuts = [(found.start(), found.end(), found.lastgroup or "") for found in _CUT.finditer(page.free)]
    cuts += [(edge, edge, "label") for _, start, end in labelled for edge in (start, end)]
    cuts.append((len(page.free), len(page.free), "end"))
    pieces: list[tuple[int, int, str, str]] = []
    position, opens = 0, "start"
    for start, end, kind in sorted(cuts):
        if start > position and page.free[position:start].strip():
            pieces.append((position, start, opens, kind))
            opens = kind
        elif kind not in _WEAK:
            opens = kind if opens not in {"line", "start"} else opens
            if pieces and pieces[-1][3] != "line":
                pieces[-1] = (*pieces[-1][:3], kind)
        position = max(position, end)
    return pieces


def _folded(
    free: str, start: int, end: int, things: dict[int, tuple[float, int]], signed: Sequence[tuple[int, int, str]]
) -> Iterator[str]:
    """The words as signs: ``Ann wants 2 taps`` → ``<P> wants # THING``."""
    over = start
    for found in _WORD.finditer(free, start, end):
        word = found[0]
        if found.start() < over:
            continue
        if word[0] == TAKEN:
            kinds = {kind for first, last, kind in signed if first < found.end() and found.start() < last}
            yield f"<{''.join(sorted(kinds)) or '_'}>"
        elif found.start() in things:
            weight, over = things[found.start()]
            yield "THING" if weight >= _THING else "thing"
        else:
            yield "#" if word[0].isdigit() else word.lower().replace("’", "'")


def _telling(free: str) -> int:
    """How many words say something of their own."""
    words = re.findall(r"[a-z]{2,}", free.lower().replace("'", "").replace("’", ""))
    return sum(word not in _LEADING for word in words)
