"""Antecedents: what "it" and "them" stand for in a clause that asks ("I picked up a toilet. … Swap it please"), by what
the clauses before were learned to mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from server.domain.drafting import asking
from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.adding import add_work
from server.domain.drafting.choosing import NONE, trade_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.counting import NO_COUNT
from server.domain.drafting.items import inside, leave_to_customer, places_of
from server.domain.drafting.matching import ROOMS, STRUCTURES, Match, Word, lemma
from server.domain.drafting.numbers import Kind
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role
from server.domain.drafting.telling import PREMISES, VAGUE
from server.domain.takeoff import Span

_ASKING = frozenset({ClauseKind.WORK, ClauseKind.OPTION})
#: Words for a thing that was named before.
_FOR_IT = frozenset({"it", "them", "em", "those", "these", "ones"})
#: What may stand beside a verb without saying what it is done to.
_SPOKEN_TO = frozenset({"please", "pls", "plz", "can", "could", "you", "u"})
_POLITE = _SPOKEN_TO | {"just", "asap", "thanks", "then", "and", "so"}
#: From this chance on a clause surely asks.
_ASKS = 0.7
#: What somebody wants who has an old one.
NEW_ONE = re.compile(r"\b(?:a|another) (?:brand )?(?:new|replacement) one\b", re.IGNORECASE)
#: From this chance of supply on a thing that is there is the customer's.
_BROUGHT = 0.1
_WITH_IT = re.compile(r"\bwith (?:it|them|those|these)\b", re.IGNORECASE)
#: Known words that are not the thing itself: who does it, what goes out, where it goes.
_NOT_IT = frozenset(
    ["old", "new", "one", "price", "electrician", "plumber", "tiler", "roofer", "painter", "carpenter", "joiner",
     "handyman", "gardener", "fitter", "installer", "builder", "contractor", "cost", "charge", "wall", "front"]
)  # fmt: skip
#: What is told of all that was just counted: "both gotta come down", "all three are to be felled", "they must go", "I
#: need them gone".
_GOES = re.compile(
    r"\W*(?:and |so )?(?:(?:they|both|these|those|all)(?: of (?:them|these|those))?"
    r"(?: (?:two|three|four|five|six|seven|eight|\d{1,2}))?(?: of them)?"
    r"(?: (?:are )?(?:both |all )?to|(?: both| all)? (?:must|gotta|(?:need|have|has|got|want)s?(?: got)? to|should"
    r"|will have to))"
    r" (?:come (?:down|out)|go|be (?:(?:taken|pulled|grubbed|dug|ripped|torn) (?:down|out|up|away)|cut down|felled"
    r"|removed))"
    r"|(?:i|we)(?:['’]d)? (?:need|want|like) (?:them|both|these|those)(?: both| all)?"
    r" (?:gone|down|out|felled|removed))\b(?! (?:to (?:\d|about|the)|a (?:bit|little)|by|slightly)\b)",
    re.IGNORECASE,
)
#: The chance from which a clause before tells of the same trade; from which such a clause means work of a trade; what
#: takes things out; sentences before that tell of them.
_MAY_TELL = 0.08
_LIKELY_GOES, _OUT, _SENTENCES_BACK = 0.3, frozenset({"remove", "fell"}), 2
#: What one thing of several begins with that are told one by one.
_ONE_OF_SEVERAL = re.compile(
    r"\W*(?:(?:and|plus|also|then|there(?:['’]?s| is)|(?:we|i)(?:['’]ve| have)(?: got)?|got) ){0,3}"
    r"(?:an?|one|another) ",
    re.IGNORECASE,
)
_SEVERAL = 2
#: Clauses back, and from which chance on they mean a thing.
_BACK, _MEANT = 4, 0.5
#: The same of things that were counted and are all to go.
_COUNTED_BACK = 6
#: From this chance on a clause surely means a task.
_SURELY_MEANT = 0.8
#: Below this chance of asking a clause that came to no item only told.
_TOLD = 0.3


def read_antecedent(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """Take a clause that asks to fit "it" for the work on what was told of right before, with how much was told of
    that; False where it names a thing of its own, or nothing was told."""
    if so_far.meant is None or clause.kind not in _ASKING or PUTS_IN.isdisjoint(clause.actions):
        return False
    asks = so_far.chances.get(clause.start, 1.0)
    if asks < asking.CLAUSE_TELLS:
        return False
    words = so_far.index.words(clause.tokens)
    new = asks >= _ASKS and NEW_ONE.search(so_far.text, clause.start, clause.end) is not None
    refers = new or any(token.text in _FOR_IT for token in clause.tokens) or _is_verb_alone(so_far, clause)
    if not refers or _names_a_thing(so_far, clause, words):
        return False
    # Who wants a new one put in wants the old one replaced.
    found = _antecedent(so_far, clause, (*clause.actions, "replace") if new else clause.actions)
    if found is None:
        return False
    _take(so_far, clause, own, *found)
    return True


def read_as_meant(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """Take a clause that asks for something to be done to "it", and whose words name no such work, for what it surely
    means where that was told of right before: "My faucet drips. Please replace it"; False for any other."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None or clause.kind not in _ASKING:
        return False
    task_id, chance = so_far.meant.likeliest(number)
    if task_id == NONE or chance < _SURELY_MEANT or so_far.chances.get(clause.start, 1.0) < _ASKS:
        return False
    if so_far.items and so_far.items[-1].match is not None and so_far.items[-1].match.task.task_id == task_id:
        return False
    described = so_far.index.described(so_far.index.catalogue.tasks[task_id])
    puts_in = not PUTS_IN.isdisjoint(clause.actions)
    for before in reversed(so_far.clauses[max(0, number - _BACK) : number]):
        speak = described.intersection(word.lemma for word in _words_of(so_far, before))
        match = speak and so_far.index.chosen(
            task_id, frozenset(speak), clause.actions, stated=True, sure=not puts_in, measured=None
        )
        if match and before.kind is not ClauseKind.EXCLUSION:
            _take(so_far, clause, own, before, match)
            return True
    return _is_of_the_last(so_far, clause, own, task_id)


def _is_of_the_last(so_far: Progress, clause: Clause, own: list[Quantity], task_id: str) -> bool:
    """ "Fencing, 14 bays … Existing is panels on timber posts, take down": what takes out is of what goes in there, as
    its sentence only tells of what is there."""
    last, before = so_far.items[-1] if so_far.items else None, so_far.before_in_sentence(clause)
    if last is None or before is None or before.kind is not ClauseKind.CONTEXT or clause.actions != ("remove",):
        return False
    alike = last.match is not None and last.match.task.trade == trade_of(task_id)
    if not alike or last.clause.sentence != clause.sentence - 1:
        return False
    speak = so_far.index.described(so_far.index.catalogue.tasks[task_id]) & {word.lemma for word in last.words}
    match = so_far.index.chosen(task_id, frozenset(speak), ("remove",), stated=True, sure=True, measured=None)
    if match is None or not speak:
        return False
    _take(so_far, clause, own, before, match)
    return True


def _take(so_far: Progress, clause: Clause, own: list[Quantity], before: Clause, match: Match) -> None:
    """Take a clause for the work on what the one before told of."""
    words = so_far.index.words(clause.tokens)
    told = [one for one in _told_in(so_far, [before]) if one.role in WORK_ROLES]
    so_far.use(told)
    if not any(one.role in WORK_ROLES for one in own):
        own = [*told, *own]
    kept = len(so_far.items)
    add_work(so_far, clause, (*_words_of(so_far, before), *words), clause.actions, [match], own, False)
    for item in so_far.items[kept:]:
        item.refers = True
    if before.kind is ClauseKind.SUPPLY:
        leave_to_customer(so_far.items[kept:])
    elif _is_there(so_far, clause) and so_far.supplying[before.start] >= _BROUGHT:
        # Who asks to have it installed has it: it is no longer asked whether the words surely tell so.
        so_far.fit_only(before, so_far.items[kept:])


def read_goes(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """ "Two maples … Both have to come down", "I need them gone": take what was told of right before out, as many as it
    told, whatever was made of it; False where the clause is no such, or nothing of its trade was told."""
    if so_far.meant is None or clause.kind not in _ASKING or not _GOES.match(so_far.text, clause.start, clause.end):
        return False
    found = _gone_by_name(so_far, clause) or _gone_by_trade(so_far, clause)
    if found is None:
        return False
    task_id, near = found
    told = _told_in(so_far, near)
    several = [one for one in own if one.role is Role.COUNT and one.value > 1]
    told_several = [one for one in told if _counts_things(one)]
    counts = [*told_several, *(one for one in several if _counts_things(one))] or several
    counts = counts or _one_by_one(so_far, near)
    if not counts:
        return False
    so_far.drop_all_of(near)
    so_far.use(told)
    words = tuple(word for before in near for word in _words_of(so_far, before))
    lemmas = frozenset(word.lemma for word in words) & so_far.index.described(so_far.index.catalogue.tasks[task_id])
    match = so_far.index.chosen(task_id, lemmas, clause.actions or ("remove",), stated=True, sure=True, measured=None)
    if match is None:
        return False
    sizes = [one for one in told if one.role is not Role.COUNT]
    add_work(so_far, clause, words, clause.actions or ("remove",), [match], [counts[0], *sizes], False)
    so_far.chances[clause.start] = max(so_far.chances.get(clause.start, 1.0), asking.PLAINLY_ASKED)
    if so_far.items and so_far.items[-1].clause is clause:
        so_far.items[-1].refers = so_far.items[-1].goes = True
    return True


def _gone_by_trade(so_far: Progress, clause: Clause) -> tuple[str, list[Clause]] | None:
    """The task that a clause of all that was counted means by what was learned, and the clauses before it that tell of
    its trade."""
    assert so_far.meant is not None
    number = so_far.places.get(clause.start)
    if number is None:
        return None  # of what an answer says nothing was learned
    # Which of several sizes is meant is told elsewhere: what counts is that something of a trade is to go.
    going = [(one, chance) for one, chance in so_far.meant.of(number) if so_far.index.does(one, _OUT)]
    if not going:
        return None
    trade = trade_of(going[0][0])
    if sum(chance for one, chance in going if trade_of(one) == trade) < _LIKELY_GOES:
        return None
    near = [
        so_far.clauses[at]
        for at in range(max(0, number - _BACK), number)
        if so_far.clauses[at].sentence >= clause.sentence - _SENTENCES_BACK
        and any(chance >= _MAY_TELL and trade_of(one) == trade for one, chance in so_far.meant.of(at))
    ]
    if not (any(_counts_things(one) for one in _told_in(so_far, near)) or _one_by_one(so_far, near)):
        return None
    return _likeliest_to_go(so_far, going, [so_far.places[before.start] for before in near], trade), near


def _gone_by_name(so_far: Progress, clause: Clause) -> tuple[str, list[Clause]] | None:
    """The same by the name of what was counted last: "Two maples out front. Both have to come down"."""
    number = so_far.places.get(clause.start, 0)
    for at in range(number - 1, max(-1, number - 1 - _COUNTED_BACK), -1):
        before = so_far.clauses[at]
        if before.sentence < clause.sentence - _SENTENCES_BACK or before.kind is ClauseKind.EXCLUSION:
            return None
        if any(_counts_things(one) for one in _told_in(so_far, [before])):
            words = _words_of(so_far, before)
            things = frozenset(word.lemma for word in words if word.weight == 1.0) - ROOMS - PREMISES
            called = so_far.index.match(words, ("remove",), resting_on=things)
            named = next((one for one in called if one.verb_fits and one.verb in _OUT), None)
            near = [one for one in so_far.clauses[at:number] if one.kind is not ClauseKind.EXCLUSION]
            return None if named is None else (named.task.task_id, near)
    return None


def _counts_things(figure: Quantity) -> bool:
    """ "A hemlock, call it 50" counts nothing."""
    return figure.role is Role.COUNT and figure.value > 1 and figure.noun not in {"", "them"}


def _likeliest_to_go(so_far: Progress, going: Sequence[tuple[str, float]], near: Sequence[int], trade: str) -> str:
    """The work of a trade that takes out what the clauses ``near`` and the one that says that it goes mean together:
    "two conifers … both have to go" is of the trees, and not of their stumps."""
    assert so_far.meant is not None
    chances: defaultdict[str, float] = defaultdict(float)
    for task_id, chance in (*going, *(one for at in near for one in so_far.meant.of(at))):
        if trade_of(task_id) == trade and so_far.index.does(task_id, _OUT):
            chances[task_id] += chance
    return max(chances, key=lambda task_id: chances[task_id])


def _one_by_one(so_far: Progress, clauses: Sequence[Clause]) -> list[Quantity]:
    """ "There's a dead ash by the creek and a hemlock with a split trunk": as many as are told one by one."""
    begun = [one for one in clauses if _ONE_OF_SEVERAL.match(so_far.text, one.start, one.end)]
    if len(begun) < _SEVERAL:
        return []
    number, first = Decimal(len(begun)), begun[-1].tokens[0]
    return [Quantity(number, "each", Role.COUNT, Span(first.start, first.end), number, number, noun="them")]


def _is_verb_alone(so_far: Progress, clause: Clause) -> bool:
    """ "Pls replace", "…, you hang": says what is to be done, and to nothing, in a sentence of its own or to one."""
    spoken_to = any(token.text in _SPOKEN_TO for token in clause.tokens)
    return (spoken_to or (clause.start, clause.end) == so_far.sentence_of(clause)) and all(
        action_of(token.text) or token.text in _POLITE for token in clause.tokens if token.kind is Kind.WORD
    )


def _told_in(so_far: Progress, clauses: Sequence[Clause]) -> list[Quantity]:
    """The figures of some clauses, but for what counts nothing ("6 panel doors")."""
    return [
        one
        for one in so_far.figures
        if any(inside(one, clause) for clause in clauses) and lemma(one.noun) not in NO_COUNT
    ]


def _words_of(so_far: Progress, clause: Clause) -> tuple[Word, ...]:
    """The words of a clause without how many it tells: of "4 interior doors" none is a 4 panel door."""
    counts = (one for one in so_far.figures_in(clause.start, clause.end) if one.role is Role.COUNT)
    return so_far.index.words(clause.tokens, measured=places_of(counts))


def _is_there(so_far: Progress, clause: Clause) -> bool:
    """ "Install it", "replace the old one with it": what is meant need not be bought."""
    return set(clause.actions) == {"install"} or _WITH_IT.search(so_far.text, clause.start, clause.end) is not None


def _names_a_thing(so_far: Progress, clause: Clause, words: Sequence[Word]) -> bool:
    return any(
        word.weight == 1.0
        and so_far.index.knows(word.lemma)
        and not (action_of(word.lemma) or word.lemma in ROOMS | PREMISES | VAGUE | _NOT_IT | _FOR_IT)
        for word in words
        if word.start >= clause.start
    )


def _antecedent(so_far: Progress, clause: Clause, asked: Sequence[str]) -> tuple[Clause, Match] | None:
    """The clause before that told of a thing and asked for nothing, and the work on it: by what was learned of that
    clause, else by the name of the thing."""
    assert so_far.meant is not None
    number = so_far.places.get(clause.start, 0)
    asking_for = {item.clause.start for item in so_far.items[-_BACK:]}
    best: tuple[float, Clause, Match] | None = None
    named: tuple[Clause, Match] | None = None
    for at in range(number - 1, max(-1, number - 1 - _BACK), -1):
        before = so_far.clauses[at]
        told = before.kind in {ClauseKind.SUPPLY, ClauseKind.CONTEXT} or (so_far.chances.get(before.start, 1.0) < _TOLD)
        if before.start in asking_for or not told or before.kind is ClauseKind.EXCLUSION:
            break
        words = _words_of(so_far, before)
        if named is None:
            things = frozenset(word.lemma for word in words if word.weight == 1.0) - ROOMS - PREMISES - STRUCTURES
            called = so_far.index.match(words, asked, resting_on=things)[:1]
            named = next(((before, one) for one in called if one.exact and one.verb in asked), None)
        task_id, chance = so_far.meant.likeliest(at)
        if task_id == NONE or chance < _MEANT or (best is not None and chance <= best[0]):
            continue
        lemmas = frozenset(word.lemma for word in words)
        speak = lemmas & so_far.index.described(so_far.index.catalogue.tasks[task_id])
        match = so_far.index.chosen(task_id, speak, asked, stated=True, sure=False, measured=None)
        if match is not None and speak and match.verb in asked:
            best = chance, before, match
    return named if best is None else best[1:]
