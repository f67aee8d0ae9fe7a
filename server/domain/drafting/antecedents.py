"""Antecedents: what "it" and "them" stand for in a clause that asks ("I picked up a toilet. … Swap it please"), by what
the clauses before were learned to mean."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting import asking
from server.domain.drafting.actions import action_of
from server.domain.drafting.adding import add_work
from server.domain.drafting.choosing import NONE
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.counting import NO_COUNT
from server.domain.drafting.items import inside, leave_to_customer
from server.domain.drafting.matching import Match, Word, lemma
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import WORK_ROLES, Quantity
from server.domain.drafting.telling import PREMISES, VAGUE

_ASKING = frozenset({ClauseKind.WORK, ClauseKind.OPTION})
#: Words for a thing that was named before.
_FOR_IT = frozenset({"it", "them", "em", "those", "these", "ones"})
#: From this chance on a clause surely asks.
_ASKS = 0.7
#: What brings a thing to its place.
_FITS = frozenset({"install", "replace"})
_NEW_ONE = re.compile(r"\b(?:a|another) (?:brand )?(?:new|replacement) one\b", re.IGNORECASE)
#: From this chance of supply on a thing that is there is the customer's.
_BROUGHT = 0.1
_WITH_IT = re.compile(r"\bwith (?:it|them|those|these)\b", re.IGNORECASE)
#: Known words that are not the thing itself: who does it, what goes out, where it goes.
_NOT_IT = frozenset(
    ["old", "new", "one", "price", "electrician", "plumber", "tiler", "roofer", "painter", "carpenter", "joiner",
     "handyman", "gardener", "fitter", "installer", "builder", "contractor", "cost", "charge", "wall", "front"]
)  # fmt: skip
#: Clauses back, and from which chance on they mean a thing.
_BACK, _MEANT = 4, 0.5


def read_antecedent(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """Take a clause that asks to fit "it" for the work on what was told of right before, with how much was told of
    that; False where it names a thing of its own, or nothing was told."""
    if so_far.meant is None or clause.kind not in _ASKING or _FITS.isdisjoint(clause.actions):
        return False
    asks = so_far.chances.get(clause.start, 1.0)
    if asks < asking.CLAUSE_TELLS:
        return False
    words = so_far.index.words(clause.tokens)
    new = asks >= _ASKS and _NEW_ONE.search(so_far.text, clause.start, clause.end) is not None
    if not (new or any(token.text in _FOR_IT for token in clause.tokens)) or _names_a_thing(so_far, clause, words):
        return False
    found = _antecedent(so_far, clause)
    if found is None:
        return False
    before, match = found
    told = [
        one
        for one in so_far.figures
        if inside(one, before) and one.role in WORK_ROLES and lemma(one.noun) not in NO_COUNT  # "6 panel doors"
    ]
    so_far.pending = [one for one in so_far.pending if all(one is not other for other in told)]
    if not any(one.role in WORK_ROLES for one in own):
        own = [*told, *own]
    kept = len(so_far.items)
    add_work(so_far, clause, (*so_far.index.words(before.tokens), *words), clause.actions, [match], own, False)
    for item in so_far.items[kept:]:
        item.refers = True
    if before.kind is ClauseKind.SUPPLY:
        leave_to_customer(so_far.items[kept:])
    elif _is_there(so_far, clause) and so_far.supplying[before.start] >= _BROUGHT:
        # Who asks to have it installed has it: it is no longer asked whether the words surely tell so.
        so_far.fit_only(before, so_far.items[kept:])
    return True


def _is_there(so_far: Progress, clause: Clause) -> bool:
    """ "Install it", "replace the old one with it": what is meant need not be bought."""
    return set(clause.actions) == {"install"} or _WITH_IT.search(so_far.text, clause.start, clause.end) is not None


def _names_a_thing(so_far: Progress, clause: Clause, words: Sequence[Word]) -> bool:
    return any(
        word.weight == 1.0
        and so_far.index.knows(word.lemma)
        and not (action_of(word.lemma) or word.lemma in PREMISES | VAGUE | _NOT_IT | _FOR_IT)
        for word in words
        if word.start >= clause.start
    )


def _antecedent(so_far: Progress, clause: Clause) -> tuple[Clause, Match] | None:
    """The clause before that told of a thing and asked for nothing, and the work on it."""
    assert so_far.meant is not None
    number = so_far.places.get(clause.start, 0)
    asking_for = {item.clause.start for item in so_far.items[-_BACK:]}
    best: tuple[float, Clause, Match] | None = None
    for at in range(number - 1, max(-1, number - 1 - _BACK), -1):
        before = so_far.clauses[at]
        told = before.kind in {ClauseKind.SUPPLY, ClauseKind.CONTEXT} or (
            so_far.chances.get(before.start, 1.0) < asking.CLAUSE_TELLS
        )
        if before.start in asking_for or not told:
            break
        task_id, chance = so_far.meant.likeliest(at)
        if task_id == NONE or chance < _MEANT or (best is not None and chance <= best[0]):
            continue
        lemmas = frozenset(word.lemma for word in so_far.index.words(before.tokens))
        speak = lemmas & so_far.index.described(so_far.index.catalogue.tasks[task_id])
        match = so_far.index.chosen(task_id, speak, clause.actions, stated=True, sure=False, measured=None)
        if match is not None and speak and match.verb in clause.actions:
            best = chance, before, match
    return None if best is None else best[1:]
