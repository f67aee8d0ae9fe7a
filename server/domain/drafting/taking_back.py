"""Taking back: work that was asked for, and that a later sentence leaves to others or puts off ("Replace the roof and
the siding. We'll do the siding ourselves").

Only what is named whole, and by its name, is taken back. Where the sentence may be of a part of it, of more than one
work or of when the work is done, the line stays and says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import Item, head_of, shown
from server.domain.drafting.matching import ROOMS, lemma
from server.domain.drafting.numbers import Kind, Token, text_at
from server.domain.drafting.progress import Progress
from server.domain.drafting.telling import VAGUE

#: Items back that may be spoken of.
_BACK = 20
_WHEN = r"(?:(?:the )?(?:next|new|following) (?:year|season|spring|summer|fall|autumn|winter|phase|time|budget)"
_WHEN += r"|(?:the |early |late )?(?:spring|summer|fall|autumn|winter)|later(?: on)?|another (?:day|time|year|occasion)"
_WHEN += r"|a later (?:date|stage|time)|(?:the )?future|(?:phase|stage) (?:2|two|ii|3|three|iii)"
_WHEN += r"|(?:the )?time being|the moment|now)"
#: What goes on behind the whole name of a work that is put off or somebody else's: "… is not needed any more".
_GOES_ON = re.compile(
    rf"(?:\W*(?:$|(?:is|are|was|were|will|wo|can|could|may|to|has|have|should|would|gets?|getting|does|do|did|not|no"
    rf"|ourselves|myself|themselves|by|yet|later|separately|alone|out|off|now|next|then|please|thanks|either|too|after"
    rf"|any ?more|on (?:our|my|their) own|this (?:time|year|season|spring|summer|fall|autumn|winter|round|phase)|nic"
    rf"|n\.i\.c|excluded|omitted|instead|for (?:us|me|others|them)|as (?:well|is)"
    rf"|(?:for|until|till|in|at|to) {_WHEN})\b))",
    re.IGNORECASE,
)
_UNTIL = re.compile(rf"\b(?:until|till|for|in|at|to) {_WHEN}", re.IGNORECASE)
#: A part of it, or another place than all of it.
_ELSEWHERE = re.compile(
    r"\b(?:on|in|at|of|under|behind|around|above|over|near|beside|from|along|inside|outside|between) (?:the|our|my|each"
    r"|both|one|that|this) (?!scope|contract|budget|list|price|quote|job\b|time|end\b|moment)|\b(?:up|down)stairs\b"
    r"|\b(?:that|which) (?:is|are|has|have|need)",
    re.IGNORECASE,
)
_PART_OF = re.compile(r"\b(?!care\b)[\w-]+ of\b", re.IGNORECASE)
#: When in the course of the work, which is done all the same.
_MEANWHILE = re.compile(
    r"\b(?:today|tonight|tomorrow|this (?:week|morning|afternoon|weekend|month)|right away|immediately|urgent\w*|first"
    r"|next (?:week|month)|until|till|before|at once|same (?:day|time)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
#: What is there stays, and may be painted or mended all the same.
_STAYS = re.compile(
    r"\b(?:keep(?:s|ing)?|stays?|staying|remain(?:s|ing)?|retain\w*|re-?us\w+|live with|as is|fine|good|ok|okay|sound"
    r"|intact)\b",
    re.IGNORECASE,
)
#: What is there now, what is not to be left out, and who did it once: "no disposal at the moment", "don't skip the
#: toilet", "the ceiling was painted by our painter last year".
_LEFT_TO_BE_DONE = re.compile(
    r"^\W*(?:there(?:['’]s| is) )?no .{1,40}\b(?:now|yet|at (?:the|this) moment|currently|there)\W*$"
    r"|(?:\b(?:not|never|cannot)|n['’]?t)\b(?: \w+){0,3} (?:skip|leave|leaving|omit|exclude|drop|ignore|delay)\b"
    r"|\b(?:was|were|got|been) \w+(?:ed|t|ne|en)\b|\bago\b"
    r"|\blast (?:year|month|week|summer|winter|spring|fall|autumn)\b",
    re.IGNORECASE,
)
#: What a sentence tells of a work that "just" or "only" begins: "just the toilet is urgent right now".
_TELLS = re.compile(r"\b(?:is|are|works?|working|use|uses|using|have|has)\b", re.IGNORECASE)
#: "Faucets by owner": who does it, or who buys it.
_DOES_OR_BUYS = re.compile(
    r"(?<!done )(?<!installed )(?<!handled )(?<!fitted )\bby (?:the )?(?:owners?|us|me|clients?|customers?|homeowner"
    r"|landlord|tenants?)\W*$",
    re.IGNORECASE,
)
#: Before the name of what is left out.
_DETERMINERS = frozenset(
    {"the", "our", "my", "that", "those", "these", "this", "any", "all", "both", "whole", "entire"}
)
_LEAVES = frozenset(
    [
        "do", "doing", "leave", "leaving", "skip", "omit", "exclude", "excluding", "no", "not",
        "minus", "less", "handle", "handling", "drop", "forget", "about", "quote", "price", "include", "including",
        "touch", "ignore", "scratch", "cancel", "tackle", "hold", "and", "but", "actually", "also",
    ]
)  # fmt: skip
#: "The softener is phase 2", "gutters to be quoted later", "pergola next spring": for another time, and no exclusion by
#: its form; the last may only tell when.
_FOR_LATER = re.compile(
    rf"\b(?:(?:is|are|be|for|in|into) (?:for |in )?(?:phase|stage) (?:2|two|ii|3|three|iii)"
    rf"|(?:will|would|is|are|be) (?:be )?(?:an? |for an? )(?:future|later) (?:project|job|phase|date|time|year)"
    rf"|(?:quoted?|priced?|done|decided|bid|ordered|added|tackled|do (?:it|that|this|them))"
    rf" (?:later(?: on)?|at a later (?:date|stage|time)|another time|in (?:the )?future)"
    rf"|(?:waits?|leav(?:e|ing)\b.{{1,40}}) (?:until|till|for) {_WHEN}"
    r"|(?P<when>next (?:year|season|spring|summer|fall|autumn|winter|phase|time)))(?: please| thanks)?\W*$",
    re.IGNORECASE,
)
#: "Just the deck for now", "for now just the deck".
_ONLY_THAT = re.compile(
    r"\W*(?:(?:so|but|actually|ok|okay|please|let['’]?s|we['’]?ll|we['’]?d|we|i['’]?d|i"
    r"|for now|for the moment|this year)\W+)*(?:just|only)"
    r"(?: (?:do|want|need|quote|price|like|to))* (?P<named>[^.;:?!\n]{2,80})",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r",? ?\b(?:for now|for the (?:moment|time being)|at (?:this|the) (?:time|stage|moment)|right now"
    r"|this (?:year|season|spring|summer|fall|autumn|winter|round))\b",
    re.IGNORECASE,
)
#: Characters before "just" within which stands that it is for now.
_NEAR = 24
_CERTAIN, _DOUBTFUL, _OTHER = "certain", "doubtful", "other"


def take_back_named(so_far: Progress, clause: Clause) -> None:
    """Take back the work that an exclusion names whole; where it may be meant otherwise the line says what was read."""
    said = {one: _how(so_far, clause, item) for one, item in enumerate(so_far.items[-_BACK:])}
    found = [(item, said[one]) for one, item in enumerate(so_far.items[-_BACK:]) if said[one] != _OTHER]
    _settle(so_far, clause, found)


def puts_off(so_far: Progress, clause: Clause) -> bool:
    """Whether the clause only says of work that was asked for in an earlier sentence that it is for another time."""
    if clause.kind not in {ClauseKind.WORK, ClauseKind.CONTEXT, ClauseKind.OPTION} or not so_far.items:
        return False
    if _leaves_only(so_far, clause):
        return True
    later = _FOR_LATER.search(so_far.text, clause.start, clause.end)
    if later is None:
        return False
    told = [item for item in (*so_far.items[-_BACK:], *so_far.put_off) if item.clause.sentence < clause.sentence]
    found = [(item, how) for item in told if (how := _how(so_far, clause, item)) != _OTHER]
    if not found or any(item is off for item, _ in found for off in so_far.put_off):
        return bool(found)
    if _settle(so_far, clause, [(item, _DOUBTFUL if later["when"] else how) for item, how in found]):
        so_far.exclusions.append(shown(so_far.text[clause.start : clause.end]))
    return True


def _leaves_only(so_far: Progress, clause: Clause) -> bool:
    """ "Just the deck for now": whether it takes back all the works of earlier sentences but those that it names."""
    only = _ONLY_THAT.match(so_far.text, clause.start, so_far.sentence_of(clause)[1])
    if only is None:
        return False
    if not (_FOR_NOW.search(only[0]) or _FOR_NOW.search(so_far.text, max(0, clause.start - _NEAR), clause.start)):
        return False
    words = _FOR_NOW.split(only["named"])[0].split(",")[0]
    if _TELLS.search(words):
        return False
    named = {lemma(word.strip("()")) for word in words.lower().split()}
    earlier = [item for item in so_far.items if item.clause.sentence < clause.sentence]
    kept = [item for item in earlier if item.match is not None and item.match.words & named]
    other = {one for one in named if so_far.index.knows(one)} - VAGUE - ROOMS
    other -= {one for item in kept for one in (*item.lemmas, item.verb)}
    if not kept or len(kept) == len(earlier) or other:
        return False
    _drop(so_far, [item for item in earlier if all(item is not one for one in kept)])
    so_far.exclusions.append(f"all but {shown(words)}")
    return True


def _settle(so_far: Progress, clause: Clause, found: list[tuple[Item, str]]) -> bool:
    """Whether the work that surely is meant is taken back, beside which another stays; else those that may be meant
    say what was read."""
    sure = [item for item, how in found if how == _CERTAIN]
    one = len(sure) == 1 or not any(lemma(token.text) == head_of(item) for item in sure for token in clause.tokens)
    if sure and one and len(sure) == len(found) < len(so_far.items):
        _drop(so_far, sure)
        return True
    said = shown(so_far.text[clause.start : clause.end])
    for item, _ in found:
        item.reasons.append(f"The request says “{said}”: see what of it is left out.")
    return False


def _drop(so_far: Progress, items: list[Item]) -> None:
    so_far.put_off += items
    for item in items:
        so_far.drop(item)


def _how(so_far: Progress, clause: Clause, item: Item) -> str:
    """Whether the clause is of the whole item, may be, or is of something else."""
    if item.match is None or item.clause.start >= clause.start:
        return _OTHER
    at = next((at for at in range(len(clause.tokens)) if _names(item, clause.tokens, at)), -1)
    if at < 0 or any(one != item.verb and not {one, item.verb} <= PUTS_IN for one in clause.actions):
        return _OTHER
    first, before, some = _name_at(so_far, clause, item, at)
    if not _leaves(before):
        return _OTHER
    rest = so_far.text[clause.tokens[at].end : clause.end]
    if _LEFT_TO_BE_DONE.search(so_far.text[clause.start : clause.end]):
        return _OTHER
    if _GOES_ON.match(rest) is None:
        return _DOUBTFUL if _ELSEWHERE.match(rest.strip()) else _OTHER
    said = so_far.text[clause.start : clause.end]
    if _STAYS.search(said):
        return _DOUBTFUL if item.verb == "replace" else _OTHER
    part = some or _PART_OF.search(so_far.text, clause.start, clause.tokens[first].start) or _ELSEWHERE.search(rest)
    offered = (last := so_far.before_in_sentence(clause)) is not None and last.kind is ClauseKind.OPTION
    if part or offered or _MEANWHILE.search(_UNTIL.sub("", rest)) or _DOES_OR_BUYS.search(rest):
        return _DOUBTFUL
    return _CERTAIN


def _name_at(so_far: Progress, clause: Clause, item: Item, at: int) -> tuple[int, Sequence[Token], bool]:
    """Where the name of the item begins whose last word is a token of the clause, the tokens before it without "the",
    and whether the name is of other than so many as the item has."""
    tokens, first = clause.tokens, at
    while first and tokens[first - 1].kind is Kind.WORD and lemma(tokens[first - 1].text) in item.lemmas:
        first -= 1
    counted = first > 0 and tokens[first - 1].kind is Kind.NUMBER
    first -= counted
    number = so_far.figure_at(tokens[first].start) if counted else None
    some = counted and (number is None or all(one.value != number.value for one in item.figures))
    before = tokens[:first]
    while before and before[-1].text in _DETERMINERS:
        before = before[:-1]
    return first, before, some


def _leaves(before: Sequence[Token]) -> bool:
    """Whether the words before the name of a work may leave it out: "we'll do", "hold off on", none."""
    last, other = text_at(before, len(before) - 1), text_at(before, len(before) - 2)
    if last in {"need", "want"}:
        return any(token.text in {"not", "no"} or token.text.endswith(("n't", "n’t", "dont")) for token in before)
    return not before or last in _LEAVES or bool(action_of(last)) or (other, last) in {("off", "on"), ("care", "of")}


def _names(item: Item, tokens: Sequence[Token], at: int) -> bool:
    """ "Siding" of "replace the vinyl siding", "the painting" of "paint 3 bedrooms"."""
    one = lemma(tokens[at].text)
    if not action_of(tokens[at].text):
        return one == head_of(item)
    called = tokens[at].text.endswith("ing") and any(word.lemma == one for word in item.words)
    return called and (at == 0 or tokens[at - 1].text in _DETERMINERS | {"no"})
