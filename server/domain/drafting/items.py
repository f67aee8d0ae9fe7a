"""Items of work while a request is read, and what several steps of the reading ask of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache

from server.domain.catalogue import Task
from server.domain.drafting.actions import TO_WHAT_IS_THERE, action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.matching import Match, Word, lemmas_of
from server.domain.drafting.quantities import Quantity
from server.domain.takeoff import Span

WALL_WORK = frozenset(
    ["paint", "wall", "plaster", "drywall", "wallpaper", "plasterboard", "interior", "decorate", "skim"]
)
#: The highest fence, in metres: a shorter length told of one is its height.
HIGHEST_FENCE = Decimal("2.5")

#: Work that takes no material of its own, whatever is told of what it is done to.
_TAKING_NONE = frozenset({"remove", "clean", "inspect", "service", "move", "rent", "print", "design", "empty"})
#: What is painted on: a note of the thing that is painted tells of no material.
_COATINGS = frozenset({"paint", "primer", "stain", "varnish", "emulsion", "gloss", "undercoat", "sealer", "material"})


@dataclass(slots=True)
class Item:
    """An item while it is being read. ``match`` is None where no task answers the words."""

    clause: Clause
    words: tuple[Word, ...]
    verb: str
    match: Match | None
    others: tuple[Match, ...] = ()
    figures: list[Quantity] = field(default_factory=list)
    #: Words of details that followed, which can qualify but not name.
    detail: list[Word] = field(default_factory=list)
    end: int = 0
    materials_by_customer: bool = False
    #: The request says that the company supplies it.
    provided: bool = False
    reasons: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    inherited: bool = False
    #: Its verb stands above the list: "To be replaced: …".
    headed: bool = False
    #: One of it is meant, whatever is counted around it.
    single: bool = False
    #: It names no verb of its own, at most that something is new or broken.
    stated: bool = False
    #: The verb that a list goes on with; empty where none was written.
    asked: tuple[str, ...] = ()
    #: Its words go on about the thing named before ("… and seal it").
    refers: bool = False
    #: It is what was counted right before, all of which is to go: "both have to come down".
    goes: bool = False
    #: The item of which it is a part: of another kind ("20 outlets, 5 of those GFCI"), or what the customer has of it.
    of: Item | None = None
    #: It is what was asked for before, in another place ("… and the same in the hall").
    again: bool = False
    #: What questions about the item are about: its passage and the task first taken, whatever was answered since.
    about: str = ""
    #: Where the request asks for it, for an item that an answer brought; None where only the answer does.
    asked_at: Span | None = None
    answers: list[str] = field(default_factory=list)
    #: The part of the request that asks for it, where that tells of one place among several; -1 elsewhere.
    section: int = -1

    @property
    def lemmas(self) -> frozenset[str]:
        """Of its own words and of the details that followed."""
        return frozenset([word.lemma for word in (*self.words, *self.detail)])

    def offer(self) -> None:
        """Make an option of it, which is priced and in no sum."""
        self.clause = replace(self.clause, kind=ClauseKind.OPTION)


@dataclass(frozen=True, slots=True)
class Measured:
    """The quantity an item came to. ``value`` None where nothing gives it; ``high`` > ``low`` for a range."""

    value: Decimal | None
    unit: str
    confidence: Decimal = Decimal(1)
    assumption: str = ""
    reason: str = ""


def inside(figure: Quantity, clause: Clause) -> bool:
    """Whether the figure starts in the clause."""
    return clause.start <= figure.span.start < clause.end


def places_of(figures: Iterable[Quantity]) -> frozenset[int]:
    """Every place of the text that the figures cover."""
    return frozenset(at for figure in figures for at in range(figure.span.start, figure.span.end))


def by_clause(figures: Sequence[Quantity], clauses: Sequence[Clause]) -> list[list[Quantity]]:
    """The figures that start inside each clause. Both sequences are in order of the text."""
    shared: list[list[Quantity]] = [[] for _ in clauses]
    ordered = sorted(figures, key=lambda figure: figure.span.start)
    position = 0
    for number, clause in enumerate(clauses):
        while position < len(ordered) and ordered[position].span.start < clause.start:
            position += 1
        while position < len(ordered) and ordered[position].span.start < clause.end:
            shared[number].append(ordered[position])
            position += 1
    return shared


def shifted(figures: Sequence[Quantity], by: int) -> list[Quantity]:
    """The figures of an answer at their places behind the text."""
    return [replace(one, span=Span(one.span.start + by, one.span.end + by)) for one in figures]


def described(item: Item) -> set[str]:
    """Every lemma that an item's words, its task and the task's materials are known by."""
    task = item.match.task if item.match else None
    words = {*item.lemmas, item.verb}
    if task is not None:
        words |= _lemmas_of_all((*task.names, task.name, task.trade, *(material.name for material in task.materials)))
    return words


def head_of(item: Item) -> str:
    """ "Door" of "install a storm door": the last word of its name."""
    named = [word.lemma for word in item.words if item.match is not None and word.lemma in item.match.words]
    return named[-1] if named else ""


def lemmas_of_names(task: Task) -> frozenset[str]:
    """Every lemma of the names that a task has."""
    return _lemmas_of_all((*task.names, task.name))


@lru_cache(maxsize=1024)
def _lemmas_of_all(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(lemma for name in names for lemma in lemmas_of(name))


def leave_to_customer(items: Sequence[Item], things: Collection[str] = ()) -> list[Item]:
    """Charge labour only for those of the items whose material may be what a note tells of, by the lemmas of its
    things; gives them."""
    left = [item for item in items if not item.provided and _takes(item, things)]
    for item in left:
        item.materials_by_customer = True
    return left


def _takes(item: Item, things: Collection[str]) -> bool:
    """Whether the work takes what is supplied: not where that is what it is done to ("We have 10 doors. Paint 6")."""
    if item.verb == "remove" or (item.match is not None and _TAKING_NONE.issuperset(_fitting(item.match.task))):
        return False
    if item.lemmas.isdisjoint(things):
        return True
    return not _COATINGS.isdisjoint(things) if item.verb == "paint" else item.verb not in TO_WHAT_IS_THERE


def _fitting(task: Task) -> Iterable[str]:
    """Its verbs but that it may be supplied."""
    return (verb for verb in task.verbs if verb != "supply")


def alike(first: Match, second: Match) -> bool:
    """Whether two matches rest on the same words about as well, so that a customer may mean either."""
    return bool(first.words & second.words) and first.score - second.score < 1.0 and first.task.unit == second.task.unit


def verbs_of(task: Task) -> frozenset[str]:
    """The task's actions."""
    return frozenset(action_of(verb) or verb for verb in task.verbs)


def plain(value: Decimal) -> str:
    """A figure without trailing zeros or exponent."""
    return f"{value.normalize():f}"


def shown(words: str) -> str:
    """Words of the request on one line, cut to what a reason can hold."""
    return " ".join(words.split()).strip(" .,-:;")[:120]
