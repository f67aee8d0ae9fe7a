"""Segmentation: a request cut into clauses, each said to be work, an exclusion, a supply note, an option or context.

Lines, bullets and sentences come first; within a sentence a separator ("and", "plus", a comma) splits only where both
sides stand on their own, so "supply and fit", "walls and ceiling" and every figure stay whole.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace

from server.domain.drafting.actions import action_of
from server.domain.drafting.carrying import EXCEPT, Sentence
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.closing import closed, without_what_stands_there
from server.domain.drafting.layout import lines_of, sentences_of
from server.domain.drafting.measures import unit_at
from server.domain.drafting.numbers import NUMBER_WORDS, Kind, Token, text_at, tokenize
from server.domain.drafting.patterns import cues
from server.domain.drafting.pieces import pieces_of
from server.domain.drafting.quantities import Quantity
from server.domain.drafting.verbs import REQUEST_CUE, begins_with_verb, is_verb_alone

_DASH = re.compile(r"\s-+\s|(?<=\S)--+|^\s*-+(?=\s*[A-Za-z])")
_SLASH = re.compile(r" / (?<=[a-z] / )(?=[a-z])", re.IGNORECASE)
#: "2 - ceiling fans": the dash parts no count from its thing.
_ONLY_COUNT = re.compile(r"\W*(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)", re.IGNORECASE)
#: Characters before the dash behind a count.
_NEAR = 12
_PAIR = 2
#: Words that count; not "a toilet".
_COUNTS = NUMBER_WORDS - {"a"}
#: A change of papers asks for no work.
_PERMIT_PAPER = cues(
    r"\b(?:revision|amendment|reinstatement|renewal) (?:to|of) (?:the )?(?:permit|approved|plans|change"
    r"|contractor|pa\b|#|\d)|\bchange (?:of )?(?:the )?(?:architect|engineer|owner|contractor|plumber|gc|mason"
    r"|electrician|(?:plumbing|electrical|hvac|masonry|general) contractor)s?\b|\bof record\b"
    r"|\balt(?:ernat(?:iv)?e|\.)? code approval\b"
    r"|^\W*original (?:scope|permit|application)\b"
    r"|\b(?:update|extend|renew|correct|revise|reissue) (?:the |this |our )?permit\b|\bcorrection permit\b"
    r"|\breinstate\w* (?:of )?permit|\bchange (?:of|in) (?:[\w&]+ ){0,6}contractor",
)
#: "Can we move Thursday's fan install to Monday?": another day for what was agreed.
_ANOTHER_DAY = cues(
    r"\b(?:move|push|shift|bump|switch|reschedule)\b.{0,40}"
    r"\b(?:install(?:ation)?|appointment|visit|job|booking|start|date|it|us|service|inspection)\b (?:back )?"
    r"(?:to|until|till|for)\b.{0,20}\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:move|push|shift|bump|switch|reschedule) (?:our |my |the )?(?:\w{2,6}day|tomorrow|today|next week)['’]?s\b",
)
#: "Already finished: slab, panel": the list tells what needs no work any more.
_DONE_LABEL = re.compile(
    r"^\W*(?:(?:what(?:['’]s| is| was)|works?|items?|things?) )?(?:already |all |been )*(?:finished|done|completed?"
    r"|fixed"
    r"|background|history|fyi|for reference|existing conditions)(?: so far| already| to date)?\s*:",
)
#: "Existing: open shell, 1,100 sf, sealed floor": the list tells what there is, unless it goes on with an order.
_THERE_LABEL = re.compile(
    r"^\W*(?:existing|currently|(?:currently|already) (?:there|in place)|what(?:['’]s| is) there(?: now| today)?"
    r"|in place(?: now| already)?)\s*:"
)
#: Answers the question right before.
_SAYS_NO = re.compile(
    r"\W*(?:no|nope|nah)(?: thanks| thank you| need)?\s*(?:[,.;:!–—-]|$)"
    r"|\W*not (?:this time|now|today|yet|for now|at the moment)\W*$",
    re.IGNORECASE,
)
#: The same in more words: "Oh and the central air? Dead for years, we leave it be".
_LEAVES_IT = re.compile(
    r"(?:[^.?!\n]{0,40}[,;] )?(?:(?:we|i|please|just|no)(?:['’]ll| will| can)? )?(?:leave|skip|forget|drop|keep)"
    r" (?:it|that|them|those)\b", re.IGNORECASE,
)  # fmt: skip
#: Characters back within which a question stands; a thing alone as one.
_NEAR_QUESTION = 60
_THING_ALONE = re.compile(
    r"(?:^|[.!?\n])\W*(?:(?:oh|and|also)\W+)*(?:(?:[\w'’-]+ ){0,2}[\w'’-]+"
    r"|(?:the|our|my|what about|how about) (?:[\w'’-]+ ){0,5}[\w'’-]+)\?\s*$", re.IGNORECASE,
)  # fmt: skip
_NO_THING = frozenset({"old", "existing", "and", "or", "current"})
_ONLY_THAT = frozenset({"replacement", "replacements", "existing", "repair", "repairs"})
#: Two words behind which stands what is not wanted.
_REFUSES = frozenset({("rather", "than"), ("instead", "of"), ("not", "just"), ("not", "only"), ("in", "lieu")})
_BEHIND_BAR = frozenset({"the", "one", "two", "three", "my", "our"})
#: "Exclusions", alone on its line, and "Not included" above points: what is below is left out.
_LEFT_OUT_BELOW = re.compile(
    r"[^\w\n]{0,9}(?:[a-z]{1,20} )?(?:exclusions[^\w\n]{0,9}(?=\n|$)"
    r"|(?:excluded|not included|out of scope|not in (?:scope|contract))[^\w\n]{0,9}\n\s{0,9}(?:[-*•–—]|\d{1,2}[.)])\s)",
    re.IGNORECASE,
)
_OPTIONS_BELOW = re.compile(
    r"\W{0,9}(?:priced? )?(?:options?|optional(?: (?:items?|extras?|works?))?|extras|add[- ]?ons|(?:add )?alternates?"
    r"|upgrades|nice to have)\W{0,9}", re.IGNORECASE,
)  # fmt: skip
#: "Scope of work", alone on its line: what is below is not what was left out above.
_WORK_BELOW = re.compile(
    r"\W{0,9}(?:(?:our|the|your) )?(?:inclusions?|included|in scope|scope(?: of (?:the )?works?)?|works?(?: items?)?"
    r"|to do)\W{0,9}",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\n\s*\n")
_EXCEPT_BY_TWO = frozenset({("other", "than"), ("apart", "from"), ("but", "not"), ("not", "including")})
#: "Paint the ceiling not the walls", but "this is not the tap".
_NOT_THE = frozenset(("not", word) for word in ("the", "my", "our", "their", "those", "these"))
_SAYS_WHAT_IS = frozenset(
    ["is", "are", "was", "were", "it's", "that's", "do", "does", "did", "would", "should", "will", "can", "could", "if",
     "or"]
)  # fmt: skip


def split_request(
    text: str, quantities: Sequence[Quantity], spelling: Callable[[str], str] = str, *,
    tokens: Sequence[Token] | None = None,
) -> tuple[Clause, ...]:  # fmt: skip
    """The clauses of a request in order.

    ``quantities`` are its figures, inside which nothing is split; ``spelling`` repairs a word before its sense is
    asked; ``tokens`` are those of the text where they are at hand.
    """
    figures = tuple((quantity.span.start, quantity.span.end) for quantity in quantities)
    inside = frozenset(position for start, end in figures for position in range(start, min(end, start + 200)))
    tokens = tokenize(text) if tokens is None else tokens
    starts = [token.start for token in tokens]
    clauses: list[Clause] = []
    sentence = 0
    above: ClauseKind | None = None
    listed_from = 0
    headed = False
    for start, end in lines_of(text):
        parted = clauses and clauses[-1].start >= listed_from and _BLANK.search(text, clauses[-1].end, start)
        if parted and clauses[-1].kind is above:
            above = None
        headed = headed and "\n\n" not in text[clauses[-1].end : start]
        for first, last in sentences_of(text, start, end, inside):
            said = tokens[bisect_left(starts, first) : bisect_left(starts, last)]
            before = clauses[-1].kind if clauses else None
            found = _clauses(text, first, last, sentence, inside, spelling, said, before, headed=headed)
            asked = text[max(0, first - _NEAR_QUESTION) : first]
            said_no = _SAYS_NO.match(text[first:last]) or (
                _LEAVES_IT.match(text, first, last) and _THING_ALONE.search(asked)
            )
            if said_no and asked.rstrip().endswith("?"):
                # "Does the chimney need rebuilding as well? No, it's sound."
                for number in range(len(clauses) - 1, -1, -1):
                    if clauses[number].sentence != sentence - 1:
                        break
                    clauses[number] = replace(clauses[number], kind=ClauseKind.EXCLUSION)
            whole = text[first:last].rstrip()
            headed = is_verb_alone([token for one in found for token in one.tokens]) or (headed and first == start)
            alone = (first, last) == (start, end)
            if whole.endswith(":") or (alone and _LEFT_OUT_BELOW.match(text, first)):
                above, listed_from = _kind_of_list(whole, found, clauses), last
            elif alone and _WORK_BELOW.fullmatch(whole):
                above = None
            elif above is not None and not REQUEST_CUE.search(whole[:600].lower()):
                # "Options:" and points below other work.
                held = above is not ClauseKind.OPTION
                found = [replace(one, kind=above) if held or one.kind is ClauseKind.WORK else one for one in found]
            else:
                above = None
            clauses += found
            sentence += 1
    return tuple(without_what_stands_there(text, clauses))


def _orders(pieces: Sequence[tuple[Token, ...]]) -> bool:
    """Whether one of the pieces begins with a verb, or says that something is wanted."""
    return any(
        begins_with_verb([token.text for token in piece]) or REQUEST_CUE.search(" ".join(one.text for one in piece))
        for piece in pieces
    )


def _kind_of_list(heading: str, found: Sequence[Clause], before: Sequence[Clause]) -> ClauseKind | None:
    """What the lines under a heading are, where it excludes them ("Not included:"), tells that they are done, or makes
    them options beside other work ("Options:")."""
    if _DONE_LABEL.match(heading):
        return ClauseKind.CONTEXT
    if len(found) != 1 or found[0].kind not in {ClauseKind.EXCLUSION, ClauseKind.OPTION}:
        return None
    kind = found[0].kind
    asked = any(one.kind is ClauseKind.WORK and one.actions for one in before)
    return kind if kind is ClauseKind.EXCLUSION or (asked and _OPTIONS_BELOW.fullmatch(heading)) else None


def _clauses(
    text: str, start: int, end: int, sentence: int, inside: frozenset[int], spelling: Callable[[str], str],
    said: Sequence[Token], before: ClauseKind | None, *, headed: bool,
) -> list[Clause]:  # fmt: skip
    """Split one sentence and label its pieces; what an exclusion or option opens holds until another verb. ``before``:
    what the clause before it is; ``headed``: it is a line below a verb alone."""
    tokens = tuple(
        [
            token if token.kind is not Kind.WORD or (right := spelling(token.text)) == token.text
            else replace(token, text=right)
            for token in said
        ]
    )  # fmt: skip
    sentence_text = text[start:end]
    # "New AC unit / new furnace / water heater", "replace the toilet / rekey 5 locks"
    slashes = list(_SLASH.finditer(sentence_text))
    listed = len(slashes) > 1 or any(_parts_orders(sentence_text, one) for one in slashes)
    dashes = frozenset(
        position + start
        for match in itertools.chain(
            _DASH.finditer(sentence_text) if "-" in sentence_text else (), slashes if listed else ()
        )
        for position in range(match.start(), match.end())
        if position + start not in inside
        and not (match.start() < _NEAR and _ONLY_COUNT.fullmatch(text, start, start + match.start()))
    )
    low = text[start : min(end, start + 600)].lower()
    pieces = [*_with_its_verb(_with_its_count(pieces_of(tokens, inside, dashes)))]
    done = _DONE_LABEL.match(low) is not None or (_THERE_LABEL.match(low) is not None and not _orders(pieces))
    read = Sentence(
        text, sentence, before, papers=_PERMIT_PAPER.search(low) is not None,
        agreed=_ANOTHER_DAY.search(low) is not None, done=done, headed=headed,
    )  # fmt: skip
    for piece in pieces:
        for part in _without_exception(piece):
            read.add(_without_refused(part), part[0].start, part[-1].end)
    return closed(text, read.clauses)


def _parts_orders(said: str, slash: re.Match[str]) -> bool:
    """ "Replace the toilet / rekey 5 locks": an order of its own on both sides, not "remove / replace" nor "remove old
    / install new"."""
    before, behind = said[: slash.start()].lower().split(), said[slash.end() :].lower().split()
    whole = len(before) > _PAIR and before[-1] not in _NO_THING and not action_of(before[-1])
    return whole and begins_with_verb(before) and len(behind) > 1 and begins_with_verb(behind)


def _with_its_count(pieces: Sequence[tuple[Token, ...]]) -> Sequence[tuple[Token, ...]]:
    """ "Toilets: 2", "Ceiling fans - 2": a line of a list is one piece."""
    if len(pieces) == _PAIR and len(pieces[1]) == 1 and pieces[1][0].kind is Kind.NUMBER:
        return [pieces[0] + pieces[1]] if pieces[0][-1].text.endswith("s") else pieces
    return pieces


def _with_its_verb(pieces: Sequence[tuple[Token, ...]]) -> Sequence[tuple[Token, ...]]:
    """ "4 sockets - replace", "trees (4): remove", "toilets, 2, replace": what is counted, and behind it the verb alone
    that is done to it, are one piece."""
    if len(pieces) < _PAIR or not is_verb_alone(pieces[-1]):
        return pieces
    named = [token for piece in pieces[:-1] for token in piece]
    numbers = [at for at, token in enumerate(named) if token.kind is Kind.NUMBER or token.text in _COUNTS]
    counted = len(numbers) == 1 and unit_at(named, numbers[0] + 1) is None
    counted = counted and (len(pieces) == _PAIR or (len(pieces) == _PAIR + 1 and len(pieces[1]) == 1))
    if not counted or any(action_of(token.text) for token in named):
        return pieces
    return [(*named, *pieces[-1])]


def _without_exception(piece: tuple[Token, ...]) -> Sequence[tuple[Token, ...]]:
    """ "Replace all 9 windows except the bath one": what is asked for, and what of it is left out."""
    asked = next((at for at, one in enumerate(piece) if one.kind is Kind.NUMBER or action_of(one.text)), len(piece))
    for place in range(max(_PAIR, asked + 1), len(piece) - 1):
        pair = (piece[place].text, piece[place + 1].text)
        excepts = piece[place].text in EXCEPT or pair in _EXCEPT_BY_TWO
        excepts = excepts or (pair in _NOT_THE and piece[place - 1].text not in _SAYS_WHAT_IS)
        # "Bar the two in the extension" excepts, "a bar" is a thing.
        excepts = excepts and (piece[place].text != "bar" or piece[place + 1].text in _BEHIND_BAR)
        if excepts:
            return [piece[:place], piece[place:]]
    return [piece]


def _without_refused(piece: tuple[Token, ...]) -> tuple[Token, ...]:
    """ "Dug out, not just ground", "re-fixed rather than renewed": the words of what is not wanted ask for nothing."""
    for place in range(1, len(piece) - 1):
        if (piece[place].text, piece[place + 1].text) in _REFUSES or piece[place].text == "ilo":
            return piece[:place]
    if piece[-1].text == "only" and text_at(piece, len(piece) - 2) in _ONLY_THAT:
        # "Windows (replacement only)": no more than that, and no fitting only.
        return piece[:-1]
    return piece
