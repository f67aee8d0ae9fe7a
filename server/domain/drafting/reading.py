"""Reading a request: clauses, figures and task matches become a takeoff.

A missing quantity is derived only by a rule that the draft discloses as an assumption; where no rule applies the item
keeps no quantity and a question asks for it. Nothing is dropped silently and nothing is added that no words ask for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Protocol

from server.domain.catalogue import Place, Task
from server.domain.drafting.actions import IMPLIED, TWO_WORDS, action_of
from server.domain.drafting.answers import Answers, figures_of, leaves_it_open, question_id, shifted
from server.domain.drafting.matching import GENERAL_ACTIONS, STAND_INS, Match, TaskIndex, Word, lemma, lemmas_of
from server.domain.drafting.numbers import tokenize
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role, find_quantities
from server.domain.drafting.segments import Clause, ClauseKind, split_request
from server.domain.takeoff import Answer, Question, Span, Takeoff, TakeoffItem, UnreadableAnswerError
from server.domain.units import UNITS, Dimension, dimension, factor

MAX_QUESTIONS = 3
NO_QUANTITY = "Quantity missing: the request gives none in a unit that prices this."
#: Passages named as read for no work; more would bury the first.
MAX_UNREAD = 5
#: Below this a match rests on one common word or only on words of place.
_WEAKEST_SCORE = 1.2
_CEILING_HEIGHT = {"ft": Decimal(8), "m": Decimal("2.4")}
_AREA_UNIT = {"ft": "sqft", "m": "m2", "yd": "sqyd"}
_DEPTH_VOLUME = {"sqft": ("ft", "cuft"), "m2": ("m", "m3"), "sqyd": ("yd", "cuyd"), "square": ("ft", "cuft")}
_ROOMS = frozenset(
    [
        "room", "bedroom", "bathroom", "kitchen", "lounge", "hallway", "hall", "living", "dining", "office", "study",
        "bed", "bath", "ensuite",
    ]
)  # fmt: skip
#: Where people live and work: without a verb these say where, or nothing ("we love the house"), never what to do.
_PREMISES = _ROOMS | frozenset(
    ["house", "home", "apartment", "flat", "garage", "property", "building", "yard", "garden"]
)
_WALL_WORK = frozenset(
    ["paint", "wall", "plaster", "drywall", "wallpaper", "plasterboard", "interior", "decorate", "skim"]
)
_EDGE_WORK = frozenset(["skirting", "baseboard", "cornice", "coving", "crown", "molding", "architrave", "trim"])
_MATERIALS = frozenset(
    [
        "paint", "tile", "floor", "laminate", "carpet", "wallpaper", "fixture", "light", "tap", "faucet", "brick",
        "turf", "slab", "door", "vanity", "toilet", "sink", "fan", "board", "wood", "fence", "window", "shingle",
        "plasterboard", "drywall", "unit", "cabinet", "gravel", "mulch", "stone",
    ]
)  # fmt: skip
#: Roles that a remark outside the work's own sentence can still settle.
_SHARED_ROLES = frozenset({Role.SIZE, Role.AREA, Role.STOREYS, Role.COATS, Role.LENGTH})
#: Words of a supply note that name no material.
_SUPPLY_WORDS = frozenset(
    [
        "customer", "client", "owner", "landlord", "homeowner", "tenant", "already", "bought", "buy", "purchase",
        "purchased", "order", "ordered", "install", "supply", "provide", "own", "will", "can", "it", "them",
        "everything", "stuff", "ourselves", "myself", "site", "labor", "labour", "material", "only", "hand", "i'll",
        "i've", "we'll", "we've", "ll", "ve", "got", "happy", "am", "are", "been", "had",
    ]
)  # fmt: skip
_CEILING_AS_HEIGHT = re.compile(
    r"\d(?:[\d.]{0,5})\s?(?:ft|foot|feet|m|'|\")?[\s-]?(?:high|tall)?\s?ceilings?", re.IGNORECASE
)
#: How a line begins for each action; the others begin with the action itself.
_BEGINNINGS = {"replace": "Remove and replace", "install": "Supply and fit", "fell": "Fell", "wire": "Wire"}
#: The asking before the work, left out of a line's words.
_ASKING = re.compile(
    r"^(?:(?:and|also|with|then|plus|so|please|hi|could you|can you|would you|we need|i need|need|we want"
    r"|we'd like|i'd like|give us"
    r"|give me|a price (?:to|for)|(?:a )?quote (?:to|for)|to)\b[\s,]*){1,8}",
    re.IGNORECASE,
)
#: Something that does not work is to be mended or serviced, never bought anew unasked.
_FAULT = re.compile(
    r"\b(?:is ?n['’]?t|not|does ?n['’]?t|wo ?n['’]?t|will not|stopped|keeps?|no longer) (?:\w+ )?(?:work|cool"
    r"|heat|flush|clos|open|start"
    r"|turn|drain|fir|runn?|tripp?|leak|drip|com|light)(?:s|es|ing)?\b",
    re.IGNORECASE,
)
#: What a count beside an item describes and does not ask for.
_NO_THINGS = frozenset(
    {"visit", "time", "them", "each", "car", "unit", "floor", "person", "people", "side", "story", "apartment", "flat",
     "space", "gang", "pole", "coat"}
)  # fmt: skip
#: Characters after a count within which its noun stands ("6 new white internal doors").
_NOUN_PHRASE = 30
#: Characters between a noun and the count in brackets after it ("doors (23)").
_BRACKET = 2
_PARTICLES = frozenset({"down", "out", "up", "off", "away", "through", "back"})
#: More of one thing than a usual job has.
_MANY = 200
_RUSH = re.compile(
    r"\b(?:asap|urgent(?:ly)?|emergency|as soon as possible|rush|immediately|tomorrow|today|this week(?:end)?)\b", re.I
)
_ACCESS = re.compile(
    r"\b(?:no (?:parking|lift|elevator|vehicle access)|(?:tight|limited|difficult|restricted|narrow|poor) access"
    r"|steep (?:roof|slope)"
    r"|scaffold(?:ing)?|upstairs|(?:3rd|4th|5th|third|fourth|fifth|top)[ -]floor|occupied|out of hours"
    r"|weekend(?:s)? only)\b", re.I,
)  # fmt: skip
_VAGUE = frozenset(
    ["few", "some", "several", "various", "multiple", "many", "number", "throughout", "needed", "necessary"]
)
_NOT_WORK = frozenset(
    [
        "quote", "price", "estimate", "visit", "look", "come", "call", "contact", "advise", "note", "email", "send",
        "know", "let", "confirm", "book", "arrange",
    ]
)  # fmt: skip
_ASKED_FOR_NOTHING = "What work would you like priced, and how much of it (for example metres, square feet or a count)?"
_UNIT_WORDS = {
    Dimension.LENGTH: "metres or feet", Dimension.AREA: "square metres or square feet",
    Dimension.VOLUME: "cubic metres or cubic yards",
    Dimension.MASS: "tonnes or tons", Dimension.TIME: "hours", Dimension.POWER: "kilowatts",
}  # fmt: skip


class PlaceFinder(Protocol):
    """Finds the place in free text."""

    def find_in_request(self, text: str, /) -> tuple[Place, Span] | None:
        """The place that a request names, with where it does."""


@dataclass(slots=True)
class _Item:
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
    reasons: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    inherited: bool = False
    #: What questions about the item are about: its passage and the task first taken, whatever was answered since.
    about: str = ""
    #: Where the request asks for it, for an item that an answer brought; None where only the answer does.
    asked_at: Span | None = None
    answers: list[str] = field(default_factory=list)

    @property
    def lemmas(self) -> frozenset[str]:
        return frozenset(word.lemma for word in (*self.words, *self.detail))


@dataclass(frozen=True, slots=True)
class _Measured:
    """The quantity an item came to. ``value`` None where nothing gives it; ``high`` > ``low`` for a range."""

    value: Decimal | None
    unit: str
    confidence: Decimal = Decimal(1)
    assumption: str = ""
    reason: str = ""


def read_request(
    text: str, *, industry: str, index: TaskIndex, gazetteer: PlaceFinder | None, answers: Sequence[Answer] = ()
) -> Takeoff:
    """The takeoff of a request. Never raises for any text; no words that ask for work give no items and one
    question. Raises `UnreadableAnswerError` for an answer that decides nothing."""
    return _Reading(text, industry, index, gazetteer, answers).takeoff()


class _Reading:
    """One pass over one request."""

    def __init__(
        self, text: str, industry: str, index: TaskIndex, gazetteer: PlaceFinder | None, answers: Sequence[Answer]
    ) -> None:
        #: The request, and behind it the answers that were read as words of work.
        self.text = text
        self.length = len(text)
        self.answers = Answers(answers)
        self.industry = industry
        self.index = index
        self.figures = find_quantities(text)
        located = gazetteer.find_in_request(text) if gazetteer is not None else None
        self.place_span = located[1] if located else None
        self.repairs: dict[str, str] = {}
        self.clauses = split_request(text, self.figures, self._spelling)
        self.items: list[_Item] = []
        #: The last item of each task, so that a second mention is found without a search.
        self.latest: dict[tuple[str, ClauseKind], _Item] = {}
        self.named_tasks: frozenset[str] = frozenset()
        self.removes = False
        #: Actions of a line that heads a list ("Please paint:"); its entries without a verb inherit them.
        self.heading: tuple[str, ...] = ()
        self.pending: list[Quantity] = []
        self.exclusions: list[str] = []
        self.assumptions: list[str] = []
        self.unread: list[str] = []
        self.metric = any(figure.unit in {"m", "m2", "mm", "cm", "m3"} for figure in self.figures) or "£" in text

    def takeoff(self) -> Takeoff:
        """Read every clause in order, then settle quantities, storeys, coats and questions."""
        figures = _by_clause(self.figures, self.clauses)
        for clause, own in zip(self.clauses, figures, strict=True):
            self._read(clause, own)
        self._give_pending()
        self._apply_answers()
        items, questions = self._settled()
        if not items:
            questions = [Question("text", _ASKED_FOR_NOTHING, question_id=question_id("text", ""))]
        self.answers.check_all_taken()
        location = self.text[self.place_span.start : self.place_span.end] if self.place_span else ""
        self._conditions()
        self.assumptions += [
            f"“{wrong}” is read as “{right}”." for wrong, right in self.repairs.items() if wrong != right
        ][:5]
        assumptions = tuple(
            dict.fromkeys(self.assumptions + [line for item in self.items for line in item.assumptions])
        )
        return Takeoff(
            tuple(items),
            location,
            assumptions,
            tuple(dict.fromkeys(self.exclusions)),
            tuple(questions),
            tuple(said for said in dict.fromkeys(self.unread) if len(said.split()) > 2)[:MAX_UNREAD],
        )

    def _spelling(self, word: str) -> str:
        if word not in self.repairs:
            self.repairs[word] = self.index.repaired(word)
        return self.repairs[word]

    # --- clauses ---------------------------------------------------------------------------------------------------

    def _read(self, clause: Clause, own: list[Quantity]) -> None:
        if clause.kind is ClauseKind.EXCLUSION:
            self._exclude(clause)
        elif clause.kind is ClauseKind.SUPPLY:
            self._supply(clause)
            self._detail(clause, (), own)
        elif clause.kind is ClauseKind.CONTEXT:
            self._detail(
                clause, (), [figure for figure in own if figure.role in _SHARED_ROLES or figure.noun == "them"]
            )
        else:
            self._work(clause, own)

    def _work(self, clause: Clause, own: list[Quantity]) -> None:
        measured = self._place_tokens(clause).union(
            _particle_verbs(clause),
            *(range(figure.span.start, figure.span.end) for figure in own if figure.role is not Role.RATING),
        )
        words = self.index.words(clause.tokens, measured=measured)
        actions = clause.actions
        if not actions and _FAULT.search(self.text[clause.start : clause.end][:400]):
            actions = ("repair", "service")
        inherited = not actions
        if inherited and self.items and self.items[-1].clause.sentence == clause.sentence:
            actions = (self.items[-1].verb,)
        elif inherited and self.heading:
            actions = self.heading
        if _refers_back(clause, words, self.index):
            words, actions = self._referred(words, actions)
        specific = tuple(
            action for action in actions if action not in {"install", "replace", "remove", "repair", "service"}
        )
        known = words + tuple(Word(action, clause.start, clause.start) for action in specific if inherited)
        matches = self.index.match(
            known, self._asked(actions, clause), industry=self.industry, measured=_dimension_of(own)
        )
        named = [
            match
            for match in matches
            if self._names(match, known, inherited) and (actions or not match.words <= _PREMISES)
        ]
        if named and named[0].verb_fits:
            self._add(clause, words, actions, named, own, inherited)
        elif self._heads_list(clause):
            self.heading = tuple(action for action in actions if action not in {"install", "repair"}) or actions
        elif self._asks(clause, words) or self._measures_a_thing(clause, words, own):
            self._add_unpriced(clause, words, actions, named, own)
        else:
            if not own and not (self.items and self.items[-1].clause.sentence == clause.sentence):
                self.unread.append(_shown(self.text[clause.start : clause.end]))
            self._detail(clause, words, own)

    def _referred(self, words: tuple[Word, ...], actions: tuple[str, ...]) -> tuple[tuple[Word, ...], tuple[str, ...]]:
        """ "Rip out the old deck and build a new one": "one" is what the item before names, and both actions are
        meant."""
        if not self.items:
            return words, actions
        before = self.items[-1]
        if before.match is None and before.verb == "remove":
            self.items.pop()
            actions = ("remove", *actions)
        return before.words + words, actions

    def _heads_list(self, clause: Clause) -> bool:
        """A line that ends in a colon announces the lines after it."""
        return re.match(r"\s*:\s*\n", self.text[clause.end : clause.end + 20]) is not None

    def _place_tokens(self, clause: Clause) -> frozenset[int]:
        span = self.place_span
        if span is None or span.end <= clause.start or span.start >= clause.end:
            return frozenset()
        return frozenset(token.start for token in clause.tokens if span.start <= token.start < span.end)

    @staticmethod
    def _asked(actions: Sequence[str], clause: Clause) -> tuple[str, ...]:
        """The actions as asked of the task: remove and install together are a replacement; a fault or "new" yields
        to a verb."""
        stated = [
            action
            for action in actions
            if any(action_of(token.text) == action and token.text not in IMPLIED for token in clause.tokens)
        ] or list(actions)
        wanted = list(dict.fromkeys(stated))
        if {"remove", "install"} <= set(wanted) or {"remove", "replace"} <= set(wanted):
            wanted = ["replace", *wanted]
        if "remove" in wanted and wanted[0] == "replace":
            wanted.remove("remove")
        return tuple(wanted)

    @staticmethod
    def _names(match: Match, words: Sequence[Word], inherited: bool) -> bool:
        """A match must rest on a word that says what, not only on words that say where or on the action alone."""
        weight = max((word.weight for word in words if word.lemma in match.words), default=0.0)
        if match.score < _WEAKEST_SCORE or weight < 1.0:
            return False
        only_action = all(action_of(word) == word or word == "paint" for word in match.words)
        return not (inherited and only_action)

    @staticmethod
    def _asks(clause: Clause, words: Sequence[Word]) -> bool:
        """Whether a clause without a known task still asks for work: a stated verb and a thing it is done to."""
        implied = {action_of(token.text) for token in clause.tokens if token.text in IMPLIED}
        stated = [action for action in clause.actions if action not in implied]
        things = [
            word
            for word in words
            if word.weight == 1.0
            and not action_of(word.lemma)
            and len(word.lemma) > 2
            and word.lemma not in _VAGUE
            and word.lemma not in _NOT_WORK
        ]
        return bool(stated) and bool(things)  # fmt: skip

    def _lacks_figures(self, clause: Clause) -> bool:
        """The item before, in the same sentence, still waits for its quantity."""
        before = self.items[-1] if self.items else None
        return (
            before is not None
            and before.match is not None
            and before.clause.sentence == clause.sentence
            and not any(figure.role in WORK_ROLES for figure in before.figures)
        )

    def _absorbs(self, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
        """ "Re-roof, 24 squares architectural shingles": a measured, narrower kind says what the item before it was."""
        before = self.items[-1].match if self.items else None
        if before is None or not own or not self._lacks_figures(clause) or before.task.trade != best.task.trade:
            return False
        named = {word for name in before.task.names for word in lemmas_of(name)}
        return bool(named & best.words) and dimension(before.task.unit) is dimension(best.task.unit)

    def _measures_a_thing(self, clause: Clause, words: Sequence[Word], own: Sequence[Quantity]) -> bool:
        """Without a verb, a measured thing ("120 ft of ironwork") is still asked for, even where no task answers it;
        so is a counted one in a list ("a new panel, 4 meters")."""
        if self.items and self.items[-1].clause.sentence == clause.sentence:
            nouns = {lemma(figure.noun) for figure in own if figure.role is Role.COUNT}
            things = {word.lemma for word in words if word.weight == 1.0} - _ROOMS - _NO_THINGS
            if nouns & things - self.items[-1].lemmas:
                return True
        if self._lacks_figures(clause):
            return False
        measured = any(figure.role in {Role.LENGTH, Role.AREA, Role.VOLUME} and figure.noun for figure in own)
        return measured and any(
            word.weight == 1.0 and len(word.lemma) > 3 and word.lemma not in _ROOMS | _WALL_WORK | _VAGUE
            for word in words
        )

    def _add(
        self, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], named: list[Match], own: list[Quantity],
        inherited: bool,
    ) -> None:  # fmt: skip
        best = named[0]
        if self._repeated(best, actions if not inherited else (), own, clause):
            return
        if inherited and self._absorbs(best, clause, own):
            item = self.items[-1]
            item.match, item.figures, item.end = best, item.figures + own, clause.end
            item.detail += words
            return
        asked = self._asked(actions, clause)
        parts = self._remove_and_install(named) if asked[:1] == ("replace",) and best.verb != "replace" else [best]
        for part in parts:
            others = tuple(match for match in named if match.task is not part.task and match.verb_fits)
            item = _Item(clause, words, part.verb, part, others[:3], list(own), end=clause.end)
            item.inherited = inherited
            if part.remark and len(parts) == 1:
                item.reasons.append(f"Check the scope: {part.remark}.")
            self.items.append(item)
            self.latest[part.task.task_id, clause.kind] = item
        self._add_second_actions(clause, words, asked, parts, own)

    def _add_second_actions(
        self, clause: Clause, words: tuple[Word, ...], asked: Sequence[str], parts: Sequence[Match], own: list[Quantity]
    ) -> None:
        """ "Clean and seal the drive": each particular action is a line of its own, or is said to be missing."""
        first = parts[-1]
        for action in asked:
            if (
                action in GENERAL_ACTIONS
                or action == first.verb
                or action in _verbs(first.task)
                or action in first.words
                or any(other == first.verb for other, _ in STAND_INS.get(action, ()))
            ):
                continue
            second = next(
                (
                    match
                    for match in self.index.match(words, (action,), industry=self.industry)
                    if match.verb_fits
                    and match.verb == action
                    and match.task is not first.task
                    and match.words & first.words - set(asked)
                ),
                None,
            )
            if second is None:
                self.items[-1].reasons.append(
                    f"Also asked to {action}: no task of the catalogue does that here; it is not in the price."
                )
            else:
                self.items.append(_Item(clause, words, action, second, (), list(own), end=clause.end))  # fmt: skip

    @staticmethod
    def _remove_and_install(named: Sequence[Match]) -> list[Match]:
        """Where the catalogue has no replacement of a thing, its removal and its installation are two lines."""
        best = named[0]
        removal = next(
            (match for match in named if match.task is not best.task and "remove" in _verbs(match.task)
             and match.words & best.words and dimension(match.task.unit) is dimension(best.task.unit)), None,
        )  # fmt: skip
        return [best] if removal is None or "install" not in _verbs(best.task) else [removal, best]

    def _repeated(self, match: Match, actions: Sequence[str], own: list[Quantity], clause: Clause) -> bool:
        """A second mention of a task adds its figures to the first; one that brings a verb and figures is another
        line."""
        item = self.latest.get((match.task.task_id, clause.kind))
        if item is None or item.match is None or item.match.task is not match.task:
            return False
        if own and actions and any(figure.role in WORK_ROLES for figure in item.figures):
            return False
        item.figures += own
        item.detail += self.index.words(clause.tokens)
        item.end = max(item.end, clause.end) if item.clause.sentence == clause.sentence else item.end
        return True

    def _add_unpriced(
        self, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], named: list[Match], own: list[Quantity]
    ) -> None:
        item = _Item(clause, words, actions[0] if actions else "", None, tuple(named[:3]), list(own), end=clause.end)
        if named:
            item.reasons.append(
                f"The catalogue has {named[0].task.name}, but not to {item.verb} it; nothing was priced."
            )
        else:
            item.reasons.append("No task of the catalogue answers these words; nothing was priced.")
        self.items.append(item)

    def _detail(self, clause: Clause, words: Sequence[Word], own: list[Quantity]) -> None:
        """A clause that only says more: its figures go to the item before it, or wait for the one after."""
        if self._follows_item(clause):
            item = self.items[-1]
            item.figures += own
            item.detail += words
            if item.clause.sentence == clause.sentence and clause.kind is ClauseKind.WORK:
                item.end = clause.end
        else:
            self.pending += own

    def _follows_item(self, clause: Clause) -> bool:
        """Whether the clause can say more of the item before it: they stand in one sentence, or in two in a row."""
        return bool(self.items) and self.items[-1].clause.sentence >= clause.sentence - 1

    def _give_pending(self) -> None:
        """Figures that came before any item (a room's size, storeys) belong to every item that lacks its own."""
        for item in self.items:
            have = {figure.role for figure in item.figures}
            item.figures += [
                figure
                for figure in self.pending
                if figure.role in _SHARED_ROLES and (figure.role not in have or figure.role is Role.SIZE)
            ]

    def _exclude(self, clause: Clause) -> None:
        words = " ".join(self.text[clause.start : clause.end].split()).strip(" .,-")
        if words:
            self.exclusions.append(words[:200])

    def _supply(self, clause: Clause) -> None:
        """Mark the items whose materials the customer brings: by the material's name, else the item before, else
        all."""
        lemmas = {word.lemma for word in self.index.words(clause.tokens)} & _MATERIALS
        said = " ".join(self.text[clause.start : clause.end].split())[:120]
        everything = re.search(r"labou?r|materials?", said, re.I) is not None and not lemmas
        things = {word.lemma for word in self.index.words(clause.tokens)} - _SUPPLY_WORDS
        related = [item for item in self.items if things & _described(item)]
        if things and not related and not everything and not lemmas and self.items:
            self.assumptions.append(f"The customer provides, and nothing is charged for: “{said}”.")
            return
        targets = self.items if everything else related or self.items[-1:]
        if not targets:
            targets = self._supplied_clause(clause)
        for item in targets:
            item.materials_by_customer = item.verb != "remove"
        self.assumptions.append(f"The customer supplies materials (“{said}”): labour only is charged for those lines.")

    def _supplied_clause(self, clause: Clause) -> list[_Item]:
        """The supply note itself holds the work ("labour only to tile a floor")."""
        self._work(
            replace(clause, kind=ClauseKind.WORK),
            [f for f in self.figures if clause.start <= f.span.start < clause.end],
        )
        return self.items[-1:]

    # --- answers ---------------------------------------------------------------------------------------------------

    def _apply_answers(self) -> None:
        """Put in what the customer answered: work where none was read, a task where none was known, another kind, a
        quantity."""
        for item in self.items:
            item.about = f"{item.clause.start}-{item.clause.end} {item.match.task.task_id if item.match else ''}"
        if not self.items:
            name = question_id("text", "")
            answer = self.answers.take(name)
            if answer is not None:
                self.items = self._asked_by(answer, name, None)
                self._note(_ASKED_FOR_NOTHING, answer)
        self.items = [known for item in self.items for known in self._made_known(item)]
        for item in self.items:
            self._choose_kind(item)
            self._take_quantity(item)

    def _note(self, asked: str, answer: str, read_as: str = "") -> None:
        self.assumptions.append(f"You answered: “{_shown(answer)}”{read_as} ({asked})")

    def _asked_by(self, answer: str, name: str, before: _Item | None) -> list[_Item]:
        """The items that an answer asks for, in place of the item ``before`` that nobody could tell."""
        offset = len(self.text) + 1
        self.text = f"{self.text}\n{answer}"
        figures = find_quantities(answer)
        clauses = split_request(answer, figures, self._spelling)
        kept, self.items, self.latest = self.items, [], {}
        self.heading = (before.verb,) if before is not None and before.verb else ()
        for clause, own in zip(clauses, _by_clause(figures, clauses), strict=True):
            tokens = tuple(replace(one, start=one.start + offset, end=one.end + offset) for one in clause.tokens)
            kind = before.clause.kind if before is not None else clause.kind
            moved = replace(
                clause, kind=kind, tokens=tokens, start=clause.start + offset, end=clause.end + offset,
                sentence=self.clauses[-1].sentence + 2 + clause.sentence if self.clauses else clause.sentence,
            )  # fmt: skip
            self._read(moved, shifted(own, offset))
        found, self.items = self.items, kept
        if not any(item.match for item in found):
            raise UnreadableAnswerError(name, f"“{_shown(answer)}” names no work that the catalogue knows.")
        for number, item in enumerate(found):
            about = before.about if before is not None else ""
            item.about = f"{about} {number} {item.match.task.task_id if item.match else ''}"
            item.answers.append(answer)
            if before is not None:
                item.asked_at = Span(before.clause.start, max(before.end, before.clause.end))
                item.figures = item.figures or list(before.figures)
                item.materials_by_customer = before.materials_by_customer
        return found

    def _made_known(self, item: _Item) -> list[_Item]:
        """The item itself, or what the answer to "what exactly is wanted?" asks for."""
        if item.match is not None:
            return [item]
        name = question_id("task", item.about)
        answer = self.answers.take(name)
        if answer is None:
            return [item]
        self._note(self._task_question(item), answer)
        return self._asked_by(answer, name, item)

    def _choose_kind(self, item: _Item) -> None:
        if item.match is None:
            return
        name = question_id("kind", item.about)
        answer = self.answers.take(name)
        if answer is None:
            return
        if not leaves_it_open(answer):
            item.match = self._kind_named(item, item.match, answer, name)
        item.others = ()
        item.answers.append(answer)
        self._note("Which is wanted?", answer)

    def _kind_named(self, item: _Item, taken: Match, answer: str, name: str) -> Match:
        """The kind that an answer names: by its full name, else the best one that has a word of the answer."""
        known = (taken, *item.others)
        for match in known:
            if answer.casefold() in {match.task.name.casefold(), match.task.task_id}:
                return match
        said = self.index.words(tokenize(answer))
        new = {word.lemma for word in said} - taken.words
        found = self.index.match((*item.words, *said), (item.verb,), industry=self.industry)
        for match in found:
            if match.verb_fits and (match.words & new or self.index.described(match.task) & new):
                return match
        kinds = " or ".join(match.task.name for match in known)
        raise UnreadableAnswerError(name, f"“{_shown(answer)}” is none of the kinds known here, such as {kinds}.")

    def _take_quantity(self, item: _Item) -> None:
        name = question_id("qty", item.about)
        answer = self.answers.take(name)
        if answer is None:
            return
        task = item.match.task if item.match else None
        figures = figures_of(answer, task, metric=self.metric)
        offset = len(self.text) + 1
        self.text = f"{self.text}\n{answer}"
        item.figures = [one for one in item.figures if one.role not in WORK_ROLES] + shifted(figures, offset)
        asked = self._quantity_question(item)
        measured = self._measure(item)
        if measured.value is None or not any(one.span.start >= offset for one in item.figures if one.value > 0):
            raise UnreadableAnswerError(name, f"“{_shown(answer)}” gives no quantity. {asked}")
        item.answers.append(answer)
        assumed = any(one.assumed_unit and not one.sides for one in figures)
        self._note(asked, answer, f", read as {_plain(measured.value)} {measured.unit}" if assumed else "")

    # --- settling --------------------------------------------------------------------------------------------------

    def _settled(self) -> tuple[list[TakeoffItem], list[Question]]:
        storeys = max((int(figure.value) for figure in self.figures if figure.role is Role.STOREYS), default=1)
        self.named_tasks = frozenset(item.match.task.name for item in self.items if item.match is not None)
        self.removes = any(item.verb == "remove" for item in self.items)
        settled: list[TakeoffItem] = []
        questions: list[Question] = []
        for item in self.items:
            measured = self._measure(item)
            if measured.value is None:
                measured = self._as_its_counterpart(item) or measured
            position = len(settled)
            settled.append(self._item(item, measured, max(1, min(storeys, 100))))
            questions += self._questions(item, measured, position)
        return settled, questions

    def _as_its_counterpart(self, item: _Item) -> _Measured | None:
        """What is taken out is as much as what the same request puts in its place, and the other way round."""
        if item.match is None or item.verb not in {"remove", "install", "replace"}:
            return None
        for other in self.items:
            new = other.match
            if (
                new is None
                or (other.verb == "remove") == (item.verb == "remove")
                or new.task.trade != item.match.task.trade
            ):
                continue
            found = self._measure(other)
            if found.value is not None and dimension(found.unit) is dimension(item.match.task.unit):
                amount = f"{_plain(found.value)} {found.unit}"
                text = f"{item.match.task.name}: taken to be as much as {new.task.name}, {amount}."
                return _Measured(found.value, found.unit, Decimal("0.8"), text, "Quantity taken from another line.")
        return None

    def _item(self, item: _Item, measured: _Measured, storeys: int) -> TakeoffItem:
        task = item.match.task if item.match else None
        high_work = storeys if task is not None and task.outdoor_height else 1
        reasons = list(item.reasons)
        if measured.reason:
            reasons.append(measured.reason)
        if measured.assumption:
            item.assumptions.append(measured.assumption)
        if task is not None:
            item.assumptions += self._task_assumptions(item, task)
        span = self._span(item)
        return TakeoffItem(
            task_id=task.task_id if task else "",
            description=describe(task, item.verb)
            if task
            else _sentence_case(self.text[item.clause.start : item.clause.end]),
            verb=item.verb,
            qty=measured.value,
            unit=measured.unit,
            span=span,
            confidence=(_match_confidence(item) * measured.confidence).quantize(Decimal("0.01")),
            materials_by_customer=item.materials_by_customer,
            optional=item.clause.kind is ClauseKind.OPTION,
            storeys=high_work,
            repeats=_coats(item),
            review_reasons=tuple(dict.fromkeys(reasons)),
            candidates=tuple(match.task.task_id for match in item.others),
            said=" ".join((self.text[span.start : span.end] if span else "", *item.answers)).strip(),
        )

    def _span(self, item: _Item) -> Span | None:
        """Where the request itself asks for the item."""
        if item.clause.start >= self.length:
            return item.asked_at
        return Span(item.clause.start, min(max(item.end, item.clause.end), self.length))

    def _task_assumptions(self, item: _Item, task: Task) -> Iterable[str]:
        match = item.match
        unnamed = lemmas_of(task.name) and set(lemmas_of(task.name)) - item.lemmas - {item.verb}
        if match is not None and item.others and unnamed and task.default:
            yield f"{task.name}: taken because the request names no other kind."
        removal = self._separate_removal(item, task)
        if removal is not None:
            yield f"{describe(task, item.verb)}: taking out the old one is no line of its own (see “{removal.name}”)."
        companions = [
            self.index.catalogue.tasks[name].name for name in task.companions if name in self.index.catalogue.tasks
        ]
        left = [name for name in companions if name not in self.named_tasks]
        if left:
            yield f"{task.name}: not included unless listed: {', '.join(left)}."
        frequency = next((figure for figure in item.figures if figure.role is Role.FREQUENCY), None)
        if frequency is not None:
            asked = self.text[frequency.span.start : frequency.span.end].lower()
            yield f"{task.name}: priced per occasion; asked for {asked}."

    def _separate_removal(self, item: _Item, task: Task) -> Task | None:
        """For a replacement: the catalogue's task for taking the same thing out, where it has one."""
        if item.verb != "replace" or item.match is None or self.removes:
            return None
        removals = self.index.match(item.words, ("remove",), industry=self.industry)
        found = next((match for match in removals if match.verb == "remove" and match.task.trade == task.trade), None)
        return found.task if found is not None and found.task is not task and found.words & item.match.words else None

    def _questions(self, item: _Item, measured: _Measured, position: int) -> Iterable[Question]:
        span = Span(item.clause.start, item.clause.end) if item.clause.end <= self.length else item.asked_at
        if measured.value is None and item.match is not None:
            yield Question(
                f"line_items[{position}].qty", self._quantity_question(item), span,
                question_id=question_id("qty", item.about),
            )  # fmt: skip
        elif item.match is None:
            yield Question(
                f"line_items[{position}].task", self._task_question(item), span,
                question_id=question_id("task", item.about),
            )  # fmt: skip
        elif item.others and item.match.task.default and _alike(item.match, item.others[0]):
            names = " or ".join([item.match.task.name, *(match.task.name for match in item.others[:2])])
            yield Question(
                f"line_items[{position}].task_id", f"Which is wanted: {names}?", span,
                question_id=question_id("kind", item.about),
            )  # fmt: skip

    @staticmethod
    def _quantity_question(item: _Item) -> str:
        if item.match is None:
            return "How many?"
        kind = dimension(item.match.task.unit)
        asked = f"How many {_UNIT_WORDS[kind]}" if kind in _UNIT_WORDS else "How many"
        return f"{asked} for “{item.match.task.name}”?"

    def _task_question(self, item: _Item) -> str:
        words = " ".join(self.text[item.clause.start : item.clause.end].split())[:80]
        return f"What exactly is wanted by “{words}”?"

    def _conditions(self) -> None:
        rush, access = _RUSH.search(self.text), _ACCESS.search(self.text)
        if rush and self.items:
            self.assumptions.append(f"Asked for “{rush.group()}”: no rush surcharge is included.")
        if access and self.items:
            self.assumptions.append(f"Access noted (“{access.group()}”): no extra is included for it.")
        budget = next((figure for figure in self.figures if figure.role is Role.BUDGET), None)
        if budget and self.items:
            self.assumptions.append(
                f"The customer names {self.text[budget.span.start : budget.span.end]}; it did not change any price."
            )

    # --- quantities of items ---------------------------------------------------------------------------------------

    def _measure(self, item: _Item) -> _Measured:
        if item.match is None:
            figure = next(
                (figure for figure in item.figures if figure.role in WORK_ROLES and figure.unit in UNITS), None
            )
            return _Measured(figure.value, figure.unit) if figure and figure.value > 0 else _Measured(None, "job")
        task = item.match.task
        figures = [figure for figure in item.figures if figure.value > 0]
        rule = _RULES.get(dimension(task.unit))
        found = rule(self, item, task, figures) if rule else None
        if found is not None and found.value is not None and found.value > 0:
            return replace(found, value=found.value.quantize(Decimal("0.001")).normalize() + 0)
        return _Measured(
            None,
            task.unit,
            Decimal("0.5"),
            reason=NO_QUANTITY,
        )

    def _area(self, item: _Item, task: Task, figures: Sequence[Quantity]) -> _Measured | None:
        areas = [figure for figure in figures if figure.role is Role.AREA]
        stated = [figure for figure in areas if not figure.sides]
        if stated:
            return _sum_or_first(stated, item, self.text)
        if areas:
            return self._from_sides(item, areas[0], figures)
        length = next((figure for figure in figures if figure.role is Role.LENGTH and figure.unit in _AREA_UNIT), None)
        height = next(
            (figure for figure in figures if figure.role is Role.SIZE and figure.axis in {"height", "width"}), None
        )
        if length is not None and height is not None and height.unit in UNITS:
            across = height.value * factor(height.unit, length.unit)
            return _Measured(
                length.value * across, _AREA_UNIT[length.unit], Decimal("0.9"),
                f"{task.name}: area taken as {_plain(length.value)} {length.unit} by {_plain(across)} {length.unit}.",
            )  # fmt: skip
        return None

    def _from_sides(self, item: _Item, area: Quantity, figures: Sequence[Quantity]) -> _Measured:
        """A floor plan: its own area for floors and ceilings; walls are the perimeter times a stated or assumed
        height."""
        unit = area.side_unit
        note = f" Sizes without a unit are read as {unit}." if area.assumed_unit else ""
        lemmas = item.lemmas
        if (
            not self._is_room(item, area)
            or not lemmas & _WALL_WORK
            or (lemmas & {"floor", "deck", "exterior", "fence"})
        ):
            sides = " × ".join(_plain(side) for side in area.sides[:2])
            text = f"Area of {sides} {unit} = {_plain(area.value)} {area.unit}.{note}"
            return _Measured(area.value, area.unit, Decimal("0.85") if note else Decimal("0.95"), text)
        ceiling = "ceiling" in lemmas and self._means_ceiling(item)
        walls = "wall" in lemmas or not ceiling
        height, stated = _height(area, figures, unit)
        perimeter = 2 * (area.sides[0] + area.sides[1])
        total = walls * perimeter * height + ceiling * area.value
        surfaces = " and ".join(name for name, wanted in (("walls", walls), ("ceiling", ceiling)) if wanted)
        said = "stated" if stated else "assumed"
        text = (
            f"{item.match.task.name if item.match else 'Area'}: {surfaces} of a {_plain(area.sides[0])} ×"
            f" {_plain(area.sides[1])} {unit}"
            f" room, {said} ceiling height {_plain(height)} {unit}, openings not deducted = {_plain(total)}"
            f" {area.unit}.{note}"
        )
        return _Measured(
            total, area.unit, Decimal("0.85") if stated else Decimal("0.75"), text, "Area derived from the room's size."
        )

    def _means_ceiling(self, item: _Item) -> bool:
        """The ceiling is work, not only the height of the room ("9 ft high ceilings")."""
        said = _CEILING_AS_HEIGHT.sub(" ", self.text[item.clause.start : item.end + 40])
        return "ceiling" in said.lower()

    def _is_room(self, item: _Item, area: Quantity) -> bool:
        """The sides are a room's: a room is named, or walls or ceilings are, and none of the sides is a height."""
        following = self.text[area.span.end : area.span.end + 12].lower()
        if re.match(r"\W*(?:wall|ceiling)", following):
            return False
        if any(
            figure.axis == "height" and area.span.start <= figure.span.start < area.span.end for figure in item.figures
        ):
            return len(area.sides) == 3
        return bool(item.lemmas & (_ROOMS | {"wall", "ceiling"})) or bool(
            re.search(r"\b(?:bed)?rooms?\b", self.text, re.I)
        )

    def _length(self, item: _Item, task: Task, figures: Sequence[Quantity]) -> _Measured | None:
        lengths = [figure for figure in figures if figure.role is Role.LENGTH]
        panel_height = {"ft": Decimal(8), "m": Decimal("2.4")}
        if task.names and item.lemmas & {"fence", "hedge", "wall", "railing"} and len(lengths) == 1:
            only = lengths[0]
            if only.noun and only.value <= panel_height.get(only.unit, Decimal(0)) and only.noun != "of":
                return None
        if lengths:
            return _sum_or_first(lengths, item, self.text)
        along = [
            figure
            for figure in figures
            if figure.role is Role.SIZE and figure.axis == "length" and figure.unit in UNITS
        ]
        if along:
            return _Measured(along[0].value, along[0].unit)
        surface = next((figure for figure in figures if figure.role is Role.AREA and figure.sides), None)
        if surface is None:
            return None
        if item.lemmas & _EDGE_WORK:
            total = 2 * (surface.sides[0] + surface.sides[1])
            sides = " × ".join(_plain(side) for side in surface.sides[:2])
            text = f"{task.name}: perimeter of {sides} {surface.side_unit}, doors not deducted."
            return _Measured(total, surface.side_unit, Decimal("0.8"), text, "Length derived from the room's size.")
        if item.lemmas & {"fence", "hedge", "wall", "railing"}:
            longest = max(surface.sides)
            return _Measured(
                longest,
                surface.side_unit,
                Decimal("0.8"),
                f"{task.name}: the longer side, {_plain(longest)} {surface.side_unit}.",
            )
        return None

    def _volume(self, item: _Item, task: Task, figures: Sequence[Quantity]) -> _Measured | None:
        stated = next((figure for figure in figures if figure.role is Role.VOLUME), None)
        if stated is not None:
            return _sum_or_first([stated], item, self.text)
        area = next((figure for figure in figures if figure.role is Role.AREA and figure.unit in _DEPTH_VOLUME), None)
        depth = next(
            (
                figure
                for figure in figures
                if figure.role is Role.SIZE
                and figure.unit in UNITS
                and not (area and area.span.start <= figure.span.start < area.span.end)
            ),
            None,
        )
        if area is None or depth is None:
            return None
        unit, cubic = _DEPTH_VOLUME[area.unit]
        size = area.value * factor(area.unit, _AREA_UNIT[unit]) * depth.value * factor(depth.unit, unit)
        text = f"{task.name}: {_plain(area.value)} {area.unit} at {_plain(depth.value)} {depth.unit} deep."
        return _Measured(size, cubic, Decimal("0.85"), text)  # fmt: skip

    def _count(self, item: _Item, task: Task, figures: Sequence[Quantity]) -> _Measured | None:
        counts = [figure for figure in figures if figure.role is Role.COUNT]
        named = [figure for figure in counts if self._counts_this(figure, item)]
        rooms = [figure for figure in counts if lemma(figure.noun) in _ROOMS and _inside(figure, item.clause)]
        loose = [figure for figure in counts if figure.noun in {"", "them"}]
        if named or loose:
            figure = (named or loose)[0]
            value = figure.value * (UNITS[figure.unit].size if figure.unit in UNITS else 1)
            found = _range_note(replace(figure, value=value), "each", task.name)
            if value >= _MANY:
                return replace(
                    found, confidence=Decimal("0.5"), reason=f"{_plain(value)} is an unusual count: check it."
                )
            return found
        if rooms:
            return _Measured(
                rooms[0].value, "each", Decimal("0.8"),
                f"{task.name}: one for each of {_plain(rooms[0].value)} {rooms[0].noun}.",
            )  # fmt: skip
        return None if self._is_plural(item) else _Measured(Decimal(1), "each", Decimal("0.95"))

    @staticmethod
    def _counts_this(figure: Quantity, item: _Item) -> bool:
        """The count's own noun phrase names the item: "40 circuits" after "200 amp service" counts no services."""
        words = item.match.words if item.match else frozenset()
        beside = (
            word.lemma
            for word in (*item.words, *item.detail)
            if 0 <= word.start - figure.span.end <= _NOUN_PHRASE or 0 <= figure.span.start - word.end <= _BRACKET
        )
        return lemma(figure.noun) in words or any(word in words for word in beside)

    @staticmethod
    def _is_plural(item: _Item) -> bool:
        words = item.match.words if item.match else frozenset()
        named = [word for word in item.words if word.lemma in words and word.weight == 1.0]
        return bool(named) and named[-1].plural

    def _lump(self, _item: _Item, task: Task, figures: Sequence[Quantity]) -> _Measured | None:
        visits = next(
            (figure for figure in figures if figure.role is Role.COUNT and lemma(figure.noun) in {"visit", "time"}),
            None,
        )
        return _Measured(visits.value if visits else Decimal(1), task.unit)

    def _other(self, item: _Item, task: Task, figures: Sequence[Quantity]) -> _Measured | None:
        wanted = dimension(task.unit)
        found = [
            figure
            for figure in figures
            # Weeks and months say how long a contract runs, not how many hours are worked.
            if figure.unit in UNITS and dimension(figure.unit) is wanted and figure.unit not in {"week", "month"}
        ]
        return _sum_or_first(found[:1], item, self.text) if found else None


_RULES = {
    Dimension.AREA: _Reading._area,
    Dimension.LENGTH: _Reading._length,
    Dimension.VOLUME: _Reading._volume,
    Dimension.COUNT: _Reading._count,
    Dimension.LUMP: _Reading._lump,
    Dimension.MASS: _Reading._other,
    Dimension.TIME: _Reading._other,
    Dimension.POWER: _Reading._other,
}


def _inside(figure: Quantity, clause: Clause) -> bool:
    return clause.start <= figure.span.start < clause.end


def _particle_verbs(clause: Clause) -> frozenset[int]:
    """Where the first words of verbs like "cut down" stand: alone they would mean something else ("cut" the grass)."""
    pairs = zip(clause.tokens, clause.tokens[1:], strict=False)
    return frozenset(one.start for one, two in pairs if two.text in _PARTICLES and (one.text, two.text) in TWO_WORDS)


def _refers_back(clause: Clause, words: Sequence[Word], index: TaskIndex) -> bool:
    """A clause with an action whose only object is a pronoun."""
    pronoun = any(token.text in {"it", "them", "one", "ones"} for token in clause.tokens)
    things = {word.lemma for word in words if word.weight == 1.0 and not action_of(word.lemma)} - {"one", "it", "them"}
    return pronoun and bool(clause.actions) and not any(index.knows(thing) for thing in things)


def describe(task: Task, verb: str) -> str:
    """A line's words: "Aluminum gutter, install" asked for as a replacement reads "Remove and replace aluminum gutter".

    Names that begin with an action already, or end in none, stay as the catalogue has them.
    """
    thing, _, ending = task.name.rpartition(", ")
    if not thing or not _ends_in_action(ending):
        return task.name
    beginning = _BEGINNINGS.get(verb, verb.capitalize())
    acronym = thing.split(" ")[0].isupper()
    return f"{beginning} {thing if acronym else thing[:1].lower() + thing[1:]}"


def _ends_in_action(ending: str) -> bool:
    words = ending.split(" ")
    return len(words) <= 3 and bool(
        action_of(words[0]) or TWO_WORDS.get((words[0], words[1] if len(words) > 1 else ""))
    )


def _by_clause(figures: Sequence[Quantity], clauses: Sequence[Clause]) -> list[list[Quantity]]:
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


def _dimension_of(figures: Sequence[Quantity]) -> Dimension | None:
    for figure in figures:
        if (
            figure.role in {Role.AREA, Role.LENGTH, Role.VOLUME, Role.MASS}
            and not figure.sides
            and figure.unit in UNITS
        ):
            return dimension(figure.unit)
    return None


def _sum_or_first(figures: Sequence[Quantity], item: _Item, text: str) -> _Measured:
    """The figure of the item's own clause, else the first; more than one is said, not added up."""
    own = [figure for figure in figures if item.clause.start <= figure.span.start < item.clause.end] or list(figures)
    chosen = own[0]
    found = _range_note(chosen, chosen.unit, item.match.task.name if item.match else "")
    if len(own) > 1:
        others = ", ".join(text[figure.span.start : figure.span.end] for figure in own[1:4])
        return replace(
            found, confidence=Decimal("0.7"), reason=f"The request also gives {others} here; check which applies."
        )
    return found


def _range_note(figure: Quantity, unit: str, name: str) -> _Measured:
    if figure.low < figure.high:
        text = f"{name}: {_plain(figure.low)}–{_plain(figure.high)} {unit} given; the higher is priced."
        return _Measured(figure.value, unit, Decimal("0.8"), text, "The request gives a range.")
    if figure.approximate:
        return _Measured(
            figure.value, unit, Decimal("0.9"), f"{name}: quantity is the customer's estimate, to be measured on site."
        )
    return _Measured(figure.value, unit)


def _height(area: Quantity, figures: Sequence[Quantity], unit: str) -> tuple[Decimal, bool]:
    if len(area.sides) == 3:
        return area.sides[2], True
    for figure in figures:
        inside = area.span.start <= figure.span.start < area.span.end
        if figure.role is Role.SIZE and not inside and figure.unit in {"ft", "m"} and figure.axis in {"", "height"}:
            return figure.value * factor(figure.unit, unit), True
    return _CEILING_HEIGHT.get(unit, Decimal(8)), False


def _coats(item: _Item) -> int:
    coats = next((figure for figure in item.figures if figure.role is Role.COATS), None)
    return int(coats.value) if coats is not None and 1 <= coats.value <= 10 else 1


def _described(item: _Item) -> set[str]:
    task = item.match.task if item.match else None
    words = set(item.lemmas) | {item.verb}
    if task is not None:
        for name in (*task.names[:6], task.name, task.trade, *(material.name for material in task.materials)):
            words |= set(lemmas_of(name))
    return words


def _match_confidence(item: _Item) -> Decimal:
    if item.match is None:
        return Decimal("0.2")
    value = Decimal("0.97") if item.match.exact else Decimal("0.9")
    if item.match.remark:
        value -= Decimal("0.15")
    if not item.clause.actions:
        value -= Decimal("0.05")
    if item.others and _alike(item.match, item.others[0]) and not item.match.task.default:
        value -= Decimal("0.15")
    return value


def _alike(first: Match, second: Match) -> bool:
    return bool(first.words & second.words) and first.score - second.score < 1.0 and first.task.unit == second.task.unit


def _verbs(task: Task) -> frozenset[str]:
    return frozenset(action_of(verb) or verb for verb in task.verbs)


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _sentence_case(words: str) -> str:
    joined = _ASKING.sub("", " ".join(words.split())[:200]).strip(" .,;:-")[:160]
    return joined[:1].upper() + joined[1:]


def _shown(words: str) -> str:
    """Words of the request on one line, cut to what a reason can hold."""
    return " ".join(words.split()).strip(" .,-:;")[:120]
