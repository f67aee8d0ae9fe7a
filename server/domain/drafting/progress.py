"""What has been read of a request so far: items, the topic, labels and headings, figures that wait for their work."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from server.domain.catalogue import Place
from server.domain.drafting import asking, supplying
from server.domain.drafting.alike import with_rooms_alike
from server.domain.drafting.alternatives import alternatives_in, without_labels
from server.domain.drafting.asides import without_asides
from server.domain.drafting.choosing import NONE
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.conditions import with_told_around, without_conditions
from server.domain.drafting.cues import only_tells
from server.domain.drafting.ending import with_verbs_of_endings
from server.domain.drafting.items import Item, by_clause, inside, leave_to_customer, shown
from server.domain.drafting.joining import plainly_joined
from server.domain.drafting.layout import for_readers
from server.domain.drafting.letters import asks_for_no_work
from server.domain.drafting.matching import ROOMS, Match, TaskIndex, Word
from server.domain.drafting.numbers import tokenize
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role, find_quantities
from server.domain.drafting.sections import Sections
from server.domain.drafting.segments import split_request
from server.domain.drafting.some import without_what_is_only_told
from server.domain.drafting.tables import Entry, tables_of, with_tables
from server.domain.takeoff import Span

#: A permit is a line where somebody is to get it, not where a text is one.
_PERMIT_ASKED = re.compile(
    r"\b(?:pull|get|obtain|arrange|apply|file|handle|need|includ|secur|sort|take care|price|quote|want|provid"
    r"|plus)\w*\b.{0,40}\bpermits?\b"
    r"|(?<!parking )(?<!parking: )\bpermits?\W{1,3}(?:fees?|included|pulled|needed|required|please)\b"
    r"|\bpermits?\W{1,4}yes\b"
    r"|\bpermits? for (?:it|this|that|these|an?|the|our|my)\b",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
#: "There are 4 toilets in the building": what is there already.
_THERE_ARE = re.compile(r"\W*there (?:is|are)\b", re.IGNORECASE)
#: The same of one thing, which needs something: "there's a patch by the radiator, some 12 sq ft".
_THERE_IS = re.compile(r"\W*there(?: is|['’]s) an?\b", re.IGNORECASE)
#: A sitting room is where, and nothing that sits there.
_SITTING_ROOM = re.compile(r"\W*(?:the |our |my )?sitting[ -]room\b", re.IGNORECASE)
#: Items back of which later words may tell how large they are.
_NAMED = 4
#: Words that stand behind what is spoken of.
_BACKDROP = 6
#: Characters of the longest request whose reading a few words beside the work sway.
_SWAYED = 200
#: Characters back within which an open bracket holds a clause.
_BRACKET_REACH = 120
#: From this chance on (`Progress.heard`) a clause is work, whatever the rules make of its form.
HEARD = 0.35
#: From this chance on a clause tells of something that the customer supplies.
BROUGHT = 0.6
#: The same of a clause that asks for the work, too.
BROUGHT_AND_ASKED = 0.85


#: "I've got a Hive thermostat here": something that the customer has; and what says of it that it is to be fitted.
_OWNED = re.compile(
    r"\W*(?:and |also |so |but )*(?:(?:i|we)(?:['’]ve| have| already| also| just){0,3} (?:got|have|own)"
    r"|(?:i|we)['’]ve"
    r"|(?:(?:i|we)(?:['’]ve| have| already| also| just){0,3} )?(?:bought|ordered|purchased|picked up|grabbed))"
    r" (?:an?|the|some|our|my|two|three|four|five|six|\d+)\b",
    re.IGNORECASE,
)
_TO_BE_FITTED = re.compile(
    r"\b(?:to be|can|could|to|would|will|you['’]?d|ye['’]?d|you|please|just|['’]d like)\b[^.;\n]{0,30}"
    r"\b(?:go(?:es|ing)? (?:in|up|on)\b"
    r"|put(?: \w+){0,2} (?:in|on|up)\b|install|fit(?:ted|ting)?\b|h[au]ng\b|hook(?: \w+){0,2} up\b|hooking|mount"
    r"|connect|laid\b|lay\b)"
    r"|\b(?:needs?|wants?) (?:to be )?(?:just )?(?:spread|lay|hang|fitt?|mount|hung|laid|put(?:ting)? (?:in|up|on)"
    r"|install(?:ed|ing))(?:ing|ed)?\b"
    r"|\bwants? (?:it|them|(?:all|both)(?: (?:of them|\w+))?) (?:up|in|hung|fitted|mounted|installed)\b",
    re.IGNORECASE,
)
#: "Corridor gets 8 of the same panel": a place that more of what was asked for is for.
_GETS_THE_SAME = re.compile(r"\bgets? (?:[\w-]+ ){1,3}of the same\b", re.IGNORECASE)
#: Characters behind a clause that tell what is to be done with what it tells of.
_RIGHT_BEHIND = 80
_YOU = frozenset({"you", "u", "ye"})


class PlaceFinder(Protocol):
    """Finds the place in free text."""

    def find_in_request(self, text: str, /) -> tuple[Place, Span] | None:
        """The place that a request names, with where it does."""


def _is_of_another_room(named: set[str], item: Item) -> bool:
    """ "Paint the kitchen ceiling, not the dining room ceiling"."""
    told, own = (words & ROOMS - {"room"} for words in (named, item.lemmas))
    return bool(told) and bool(own) and told.isdisjoint(own)


class Progress:
    """One pass over one request, clause by clause: what later clauses need to know of earlier ones."""

    def __init__(
        self, text: str, industry: str, index: TaskIndex, gazetteer: PlaceFinder | None, *, metric: bool = False
    ) -> None:
        #: The request, and behind it the answers that were read as words of work.
        self.text = text
        self.length = len(text)
        self.industry = industry
        self.index = index
        #: Whether sides without a unit are told in metres where the work is.
        self.usual_metric = metric
        #: Where alternatives are told, of which the customer will choose one.
        self.alternatives = alternatives_in(text)
        joined = without_labels(plainly_joined(text), self.alternatives.labels)
        asked = without_conditions(joined)
        tokens = tokenize(asked)
        figures = find_quantities(asked, metric=metric, tokens=tokens)
        if asked != joined:
            figures = with_told_around(figures, asked, find_quantities(joined, metric=metric))
        located = gazetteer.find_in_request(text) if gazetteer is not None else None
        self.place_span = located[1] if located else None
        if (place := self.place_span) is not None:
            # "A water heater, 50 gal (78704)"
            figures = tuple(one for one in figures if not place.start <= one.span.start < place.end)
        self.figures: Sequence[Quantity] = without_what_is_only_told(text, with_rooms_alike(text, figures))
        self.repairs: dict[str, str] = {}
        told = without_asides(asked, figures)
        said = tokens if told == asked else tokenize(told)
        # A few words sway whoever reads a short request, and change little of a long one.
        read = told if asked == joined or len(text) <= _SWAYED else without_asides(joined, figures)
        self.clauses: Sequence[Clause] = split_request(told, self.figures, self.spelling, tokens=said)
        #: The rows or columns of pasted tables, by where the clauses of their names start.
        self.entries: dict[int, Entry] = {}
        if tables := tables_of(joined):
            self.clauses, self.figures, self.entries = with_tables(self.clauses, self.figures, tables, tokens)
        #: What each clause means by what was learned, by its number; None of a request that is too long.
        ranges = [(clause.start, clause.end) for clause in self.clauses]
        self.meant = index.meant(for_readers(read), ranges) if len(ranges) <= asking.MOST_CLAUSES else None
        #: How likely a clause asks for work, by where it starts.
        self.chances = asking.chances(read, self.clauses, index, self.meant)
        #: Where clauses start that are told like context, and are work all the same by what was learned.
        self.overruled = frozenset(
            clause.start
            for clause in self.clauses
            if clause.kind is ClauseKind.CONTEXT
            and self.heard(clause) >= HEARD
            and not (clause.carried or only_tells(text[clause.start : clause.end]))
        )
        #: How likely a clause tells of something that the customer supplies by what was learned, by where it starts.
        self.supplying = dict(zip((clause.start for clause in self.clauses), self._supplying(), strict=True))
        #: Where clauses start that surely do.
        self.brought = frozenset(
            clause.start
            for clause in self.clauses
            if (chance := self.supplying[clause.start]) >= BROUGHT
            and (chance >= BROUGHT_AND_ASKED or self.heard(clause) < HEARD)
            and not _THERE_ARE.match(text, clause.start)
            and not _SITTING_ROOM.match(text, clause.start)
            and clause.tokens[0].text not in _YOU  # "you pick the brand"
            and not _GETS_THE_SAME.search(text, clause.start, clause.end)
            and not text.startswith(":", clause.end)
        )
        self._asks_nothing = asks_for_no_work(text)
        self.clauses = [
            clause if (kind := self._kind(clause)) is clause.kind else replace(clause, kind=kind)
            for clause in self.clauses
        ]
        self.clauses = with_verbs_of_endings(self.clauses, text)
        self.items: list[Item] = []
        #: Sentences that tell coats, which only paint has.
        self.coated = {
            clause.sentence
            for clause, own in zip(self.clauses, by_clause(self.figures, self.clauses), strict=True)
            if any(figure.role is Role.COATS for figure in own)
        }
        #: The last item of each task in each section, so that a second mention is found without a search.
        self.latest: dict[tuple[str, ClauseKind, int], Item] = {}
        #: The parts of the request that tell of one place each, and the figures of their labels ("Hall 5x8: …").
        self.sections = Sections(text, self.figures)
        self.sized: dict[int, list[Quantity]] = {}
        self._section_of: dict[int, int] = {}
        #: Actions of a line that heads a list ("Please paint:"); its entries without a verb inherit them.
        self.heading: tuple[str, ...] = ()
        #: The sentence of the last verb alone before a colon ("Please fix: toilet, dishwasher"), and its actions.
        self.said_of_line: tuple[int, tuple[str, ...]] = (-1, ())
        #: What the words before were about, which a clause without a thing of its own goes on about.
        self.topic: tuple[Word, ...] = ()
        #: The same with what was spoken of before that.
        self.backdrop: tuple[Word, ...] = ()
        self.topic_sentence = -9
        #: The sentence of the last clause that named a thing and asked for nothing ("Somebody hit our mailbox. We need
        #: a new one"), and its words.
        self.told_of: tuple[int, tuple[Word, ...]] = (-1, ())
        #: The last clause that told of a thing no task names, with its words.
        self.untaken: tuple[Clause, tuple[Word, ...]] | None = None
        #: The sentence up to behind which a supply note holds that came before any item, and its words.
        self.supplied: tuple[int, frozenset[str]] = (-9, frozenset())
        #: The sentence of the last note of supply, and the items that it was of.
        self.noted: tuple[int, list[Item]] = (-1, [])
        #: A sentence whose label says that all it lists is supplied.
        self.all_supplied = -1
        #: A note before any work says that the customer supplies all that it needs.
        self.everything_supplied = False
        #: The sentence of the last label before a colon, and its words.
        self.label: tuple[int, tuple[Word, ...]] = (-1, ())
        #: A sentence that says which kind is meant, after a label such as "ROOF COVERING:".
        self.kind_of = -1
        #: A sentence that only says where, after a label such as "LOCATION:".
        self.aside = -1
        #: Sentence, actions and figures of a verb whose thing is still to come ("patch and paint (650 sf of wall)").
        self.forward: tuple[int, tuple[str, ...], list[Quantity]] = (-1, (), [])
        self.pending: list[Quantity] = []
        self.permit_asked = "permit" in text.lower() and _PERMIT_ASKED.search(text[:20_000]) is not None
        self.exclusions: list[str] = []
        #: Works that were asked for, and that a later sentence left out.
        self.put_off: list[Item] = []
        self.assumptions: list[str] = []
        self.unread: list[str] = []
        self.metric = (
            metric or any(figure.unit in {"m", "m2", "mm", "cm", "m3"} for figure in self.figures) or "£" in text
        )

    @cached_property
    def acting(self) -> frozenset[int]:
        """The sentences of the request that have a verb."""
        return frozenset(clause.sentence for clause in self.clauses if clause.actions)

    @property
    def location(self) -> str:
        """The words that name the place, empty where none do."""
        return self.text[self.place_span.start : self.place_span.end] if self.place_span else ""

    @cached_property
    def places(self) -> dict[int, int]:
        """The number of each clause by where it starts."""
        return {clause.start: number for number, clause in enumerate(self.clauses)}

    def section_of(self, clause: Clause) -> int:
        """The section that the clause stands in, or the one that it names; -1 of none."""
        number = self._section_of.get(clause.start)
        if number is None:
            number = self.sections.at(clause.start)
            if number < 0 and self.sections.all and clause.start < self.length:
                number = self.sections.named_in(self.text[slice(*self.sentence_of(clause))])
            self._section_of[clause.start] = number
        return number

    def sentence_of(self, clause: Clause) -> tuple[int, int]:
        """Where the sentence of a clause starts and ends; of an answer, the clause."""
        return self._sentences.get(clause.sentence, (clause.start, clause.end))

    def figures_in(self, start: int, end: int) -> Sequence[Quantity]:
        """The figures that begin between two places of the text."""
        first, behind = (bisect_left(self.figures, at, key=lambda one: one.span.start) for at in (start, end))
        return self.figures[first:behind]

    def clause_of(self, figure: Quantity) -> Clause | None:
        """The clause of the request that a figure starts in, None where that stands between two."""
        behind = bisect_right(self.clauses, figure.span.start, key=lambda one: one.start)
        clause = self.clauses[behind - 1] if behind else None
        return clause if clause is not None and inside(figure, clause) else None

    @cached_property
    def _sentences(self) -> dict[int, tuple[int, int]]:
        """Where the sentences start and end."""
        found: dict[int, tuple[int, int]] = {}
        for clause in self.clauses:
            found[clause.sentence] = (found.get(clause.sentence, (clause.start, 0))[0], clause.end)
        return found

    def last_of(self, match: Match, clause: Clause) -> Item | None:
        """The last item of the task, as this kind of clause, in this section."""
        return self.latest.get((match.task.task_id, clause.kind, self.section_of(clause)))

    def add(self, item: Item) -> None:
        """Take an item of a task in, with the section that it is of."""
        item.section = self.section_of(item.clause)
        self.items.append(item)
        if item.match is not None:
            self.latest[item.match.task.task_id, item.clause.kind, item.section] = item

    def figure_at(self, start: int) -> Quantity | None:
        """The largest figure that starts there: of "9 m x 5 m" the surface."""
        return max((one for one in self.figures if one.span.start == start), key=lambda one: one.span.end, default=None)

    def speak_of(self, topic: tuple[Word, ...]) -> None:
        """The words that are spoken of now; those before stand behind them."""
        self.topic = topic
        self.backdrop = (*topic, *(word for word in self.backdrop if word not in topic))[:_BACKDROP]

    def spelling(self, word: str) -> str:
        """The word, repaired where no trade knows it; every repair is kept."""
        right = self.repairs.get(word)
        if right is None:
            right = self.repairs[word] = self.index.repaired(word)
        return right

    def heard(self, clause: Clause) -> float:
        """How likely it is by what was learned that the clause asks for the work that it likeliest means."""
        number = self.places.get(clause.start)
        if self.meant is None or number is None:
            return 0.0
        task_id, chance = self.meant.likeliest(number)
        return 0.0 if task_id == NONE else chance * self.chances[clause.start]

    def _supplying(self) -> list[float]:
        return [0.0] * len(self.clauses) if self.meant is None else supplying.chances(self.meant)

    def _kind(self, clause: Clause) -> ClauseKind:
        """What a clause is for, by its form and, where that says little, by what was learned; of a letter that asks for
        no work nothing is more than told."""
        if self._asks_nothing:
            return ClauseKind.CONTEXT
        if clause.kind not in {ClauseKind.WORK, ClauseKind.CONTEXT}:
            return clause.kind
        if clause.start in self.overruled:
            return ClauseKind.WORK
        if clause.start in self.brought and self.heard(clause) < HEARD:
            return ClauseKind.SUPPLY
        return ClauseKind.SUPPLY if self.brings_to_be_fitted(clause) else clause.kind

    def brings_to_be_fitted(self, clause: Clause) -> bool:
        """ "I've got a Hive thermostat here which can go in the same day"."""
        return _OWNED.match(self.text, clause.start, clause.end) is not None and self.is_to_be_fitted(clause)

    def is_to_be_fitted(self, clause: Clause) -> bool:
        """Whether what the clause tells of is to be fitted, as it or the words right behind it say."""
        return _TO_BE_FITTED.search(self.text, clause.start, clause.end + _RIGHT_BEHIND) is not None

    def in_brackets(self, clause: Clause) -> bool:
        """The clause stands in brackets behind the words that it says more of."""
        # "(6) exit signs" begins with a bracket and stands in none.
        before = self.text[max(0, clause.start - _BRACKET_REACH) : clause.start]
        return before.count("(") > before.count(")")

    def labels(self, clause: Clause) -> bool:
        """A colon stands right behind the clause."""
        return self.text[clause.end : clause.end + 2].lstrip().startswith(":")

    def in_sentence(self, clause: Clause) -> bool:
        """An item stands before in the same sentence."""
        return bool(self.items) and self.items[-1].clause.sentence == clause.sentence

    def follows_item(self, clause: Clause) -> bool:
        """Whether the clause can say more of the item before it: they stand in one sentence, or in two in a row."""
        near = bool(self.items) and self.items[-1].clause.sentence >= clause.sentence - 1
        return near and self.is_there(self.items[-1], clause)

    def is_there(self, item: Item, clause: Clause) -> bool:
        """Whether the clause tells of the same place as the item."""
        return item.section == self.section_of(clause)

    def lacks_figures(self, clause: Clause, back: int = 0) -> bool:
        """The item before, in the same sentence or up to ``back`` sentences before, still waits for its quantity."""
        before = self.items[-1] if self.items else None
        return (
            before is not None
            and before.match is not None
            and before.clause.sentence >= clause.sentence - back
            and self.is_there(before, clause)
            and not any(figure.role in WORK_ROLES for figure in before.figures)
        )

    def use(self, figures: Sequence[Quantity]) -> None:
        """Take figures for an item: they wait for none any longer."""
        self.pending = [one for one in self.pending if all(one is not other for other in figures)]

    def drop(self, item: Item) -> None:
        """Take back an item that only told of what is asked for later."""
        self.items = [one for one in self.items if one is not item]
        self.latest = {key: other for key, other in self.latest.items() if other is not item}

    def drop_last(self) -> Item:
        """Take back the last item, which later words ask not to be done."""
        item = self.items.pop()
        self.latest = {key: other for key, other in self.latest.items() if other is not item}
        return item

    def drop_all_of(self, clauses: Sequence[Clause]) -> None:
        """Take back all that some clauses ask for."""
        starts = {clause.start for clause in clauses}
        self.items = [item for item in self.items if item.clause.start not in starts]
        self.latest = {key: item for key, item in self.latest.items() if item.clause.start not in starts}

    def known_in(self, clause: Clause) -> set[str]:
        """The lemmas of the clause that the trades know."""
        return {word.lemma for word in self.index.words(clause.tokens) if self.index.knows(word.lemma)}

    def fit_only(self, clause: Clause, items: Sequence[Item]) -> None:
        """The clause tells that the customer supplies what the items are of."""
        if leave_to_customer(items, self.known_in(clause)):
            said = shown(self.text[clause.start : clause.end])
            self.assumptions.append(f"The customer supplies materials (“{said}”): labour only is charged for it.")

    def take_back(self, named: set[str], reach: int, sentence: int, *, told: bool = False) -> None:
        """Take back those of the last ``reach`` items that the words name: by their task, in the sentence itself by any
        of their words. ``told``: only those that name no verb of their own."""
        taken = [
            item
            for item in self.items[-reach:]
            if item.match is not None
            and (item.stated or not told)
            and named
            and not _is_of_another_room(named, item)
            and (named & item.lemmas >= named - ROOMS or item.match.words <= named)
            and named & (item.lemmas if item.clause.sentence == sentence else item.match.words)
        ]
        self.items = [item for item in self.items if all(item is not one for one in taken)]
        self.latest = {key: item for key, item in self.latest.items() if all(item is not one for one in taken)}

    def behind(self, clause: Clause) -> Clause | None:
        """The next clause of the same sentence; None at its end, and in an answer."""
        number = self.places.get(clause.start)
        after = self.clauses[number + 1 : number + 2] if number is not None else ()
        return after[0] if after and after[0].sentence == clause.sentence else None

    def before_in_sentence(self, clause: Clause) -> Clause | None:
        """The clause of its sentence that stands right before."""
        number = self.places.get(clause.start, 0)
        before = self.clauses[number - 1] if number else None
        return before if before is not None and before.sentence == clause.sentence else None

    def add_detail(self, clause: Clause, words: Sequence[Word], own: list[Quantity]) -> None:
        """A clause that only says more: its figures go to the item before it, or wait for the one after."""
        counts_others = bool(own) and all(one.noun == "them" for one in own)
        before = self.before_in_sentence(clause) if counts_others else None
        # "Two are upstairs and two are downstairs" goes on with the same.
        goes_on = before is not None and any(one.noun == "them" for one in self.figures_in(before.start, before.end))
        counts_others = before is not None and not goes_on
        if counts_others and self.items and self.items[-1].clause.sentence != clause.sentence:
            return  # "Spring snapped, replace the pair. Rollers are loud too, 10 of them"
        if own and self._is_of_what_is_there(clause):
            self.pending += own
        elif self.follows_item(clause):
            item = self._named_by(clause) if own else self.items[-1]
            item.figures += own
            item.detail += words
            if item.clause.sentence == clause.sentence and clause.kind is ClauseKind.WORK:
                item.end = clause.end
        else:
            self.pending += own

    def _is_of_what_is_there(self, clause: Clause) -> bool:
        """ "Sand the floors. There's a patch by the radiator, some 12 sq ft": how large that is, which waits for its
        work, and no item of the sentence before."""
        begins, _ = self.sentence_of(clause)
        told = not self.in_sentence(clause) and clause.start != begins and _THERE_IS.match(self.text, begins)
        return bool(told)

    def _named_by(self, clause: Clause) -> Item:
        """ "Wash the patio and the driveway. The patio is 12 x 15": of the items of the sentence before the one that a
        clause names, by its room where the last is of another; the last one where it names none, or that. Walls are of
        any work in a room."""
        last, named = self.items[-1], self.known_in(clause) - {"wall"}
        named = named if last.lemmas & ROOMS else named - ROOMS
        if not named or named & last.lemmas or last.clause.sentence == clause.sentence:
            return last
        told = (one for one in reversed(self.items[-_NAMED:]) if one.clause.sentence == last.clause.sentence)
        return next((one for one in told if one.match is not None and named & one.lemmas), last)
