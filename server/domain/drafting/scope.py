"""Scope: which items of work the clauses of a request ask for, with the figures that belong to each.

Nothing is dropped silently and nothing is added that no words ask for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from server.domain.catalogue import Place
from server.domain.drafting.actions import IMPLIED, TWO_WORDS, action_of
from server.domain.drafting.items import ROOMS, WALL_WORK, Item, by_clause, described, shifted, shown, verbs_of
from server.domain.drafting.matching import GENERAL_ACTIONS, STAND_INS, Match, TaskIndex, Word, lemma, lemmas_of
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role, find_quantities
from server.domain.drafting.segments import Clause, ClauseKind, split_request
from server.domain.takeoff import Span
from server.domain.units import UNITS, Dimension, dimension

#: Below this a match rests on one common word or only on words of place.
_WEAKEST_SCORE = 1.2
#: Where people live and work: without a verb these say where, or nothing ("we love the house"), never what to do.
_PREMISES = ROOMS | frozenset(
    ["house", "home", "apartment", "flat", "garage", "property", "building", "yard", "garden"]
)
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
_PARTICLES = frozenset({"down", "out", "up", "off", "away", "through", "back"})
_VAGUE = frozenset(
    ["few", "some", "several", "various", "multiple", "many", "number", "throughout", "needed", "necessary"]
)
_NOT_WORK = frozenset(
    [
        "quote", "price", "estimate", "visit", "look", "come", "call", "contact", "advise", "note", "email", "send",
        "know", "let", "confirm", "book", "arrange",
    ]
)  # fmt: skip


class PlaceFinder(Protocol):
    """Finds the place in free text."""

    def find_in_request(self, text: str, /) -> tuple[Place, Span] | None:
        """The place that a request names, with where it does."""


class Scope:
    """One pass over one request, clause by clause."""

    def __init__(self, text: str, industry: str, index: TaskIndex, gazetteer: PlaceFinder | None) -> None:
        #: The request, and behind it the answers that were read as words of work.
        self.text = text
        self.length = len(text)
        self.industry = industry
        self.index = index
        self.figures = find_quantities(text)
        located = gazetteer.find_in_request(text) if gazetteer is not None else None
        self.place_span = located[1] if located else None
        self.repairs: dict[str, str] = {}
        self.clauses = split_request(text, self.figures, self._spelling)
        self.items: list[Item] = []
        #: The last item of each task, so that a second mention is found without a search.
        self.latest: dict[tuple[str, ClauseKind], Item] = {}
        #: Actions of a line that heads a list ("Please paint:"); its entries without a verb inherit them.
        self.heading: tuple[str, ...] = ()
        self.pending: list[Quantity] = []
        self.exclusions: list[str] = []
        self.assumptions: list[str] = []
        self.unread: list[str] = []
        self.metric = any(figure.unit in {"m", "m2", "mm", "cm", "m3"} for figure in self.figures) or "£" in text

    @property
    def location(self) -> str:
        """The words that name the place, empty where none do."""
        return self.text[self.place_span.start : self.place_span.end] if self.place_span else ""

    def read(self) -> None:
        """Read every clause in order."""
        for clause, own in zip(self.clauses, by_clause(self.figures, self.clauses), strict=True):
            self._read(clause, own)
        self._give_pending()

    def hear(self, answer: str, before: Item) -> list[Item]:
        """The items that an answer asks for, read as if its words stood behind the text, with the kind and the verb of
        the item ``before``."""
        offset = self.append(answer)
        figures = find_quantities(answer)
        clauses = split_request(answer, figures, self._spelling)
        kept, self.items, self.latest = self.items, [], {}
        self.heading = (before.verb,) if before.verb else ()
        for clause, own in zip(clauses, by_clause(figures, clauses), strict=True):
            tokens = tuple(replace(one, start=one.start + offset, end=one.end + offset) for one in clause.tokens)
            kind = before.clause.kind if clause.kind is ClauseKind.WORK else clause.kind
            moved = replace(
                clause, kind=kind, tokens=tokens, start=clause.start + offset, end=clause.end + offset,
                sentence=before.clause.sentence + 2 + clause.sentence,
            )  # fmt: skip
            self._read(moved, shifted(own, offset))
        found, self.items = self.items, kept
        return found

    def append(self, answer: str) -> int:
        """Put an answer behind the text; where it starts there."""
        offset = len(self.text) + 1
        self.text = f"{self.text}\n{answer}"
        return offset

    def _spelling(self, word: str) -> str:
        if word not in self.repairs:
            self.repairs[word] = self.index.repaired(word)
        return self.repairs[word]

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
                self.unread.append(shown(self.text[clause.start : clause.end]))
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
            things = {word.lemma for word in words if word.weight == 1.0} - ROOMS - _NO_THINGS
            if nouns & things - self.items[-1].lemmas:
                return True
        if self._lacks_figures(clause):
            return False
        measured = any(figure.role in {Role.LENGTH, Role.AREA, Role.VOLUME} and figure.noun for figure in own)
        return measured and any(
            word.weight == 1.0 and len(word.lemma) > 3 and word.lemma not in ROOMS | WALL_WORK | _VAGUE
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
            item = Item(clause, words, part.verb, part, others[:3], list(own), end=clause.end)
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
                or action in verbs_of(first.task)
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
                self.items.append(Item(clause, words, action, second, (), list(own), end=clause.end))  # fmt: skip

    @staticmethod
    def _remove_and_install(named: Sequence[Match]) -> list[Match]:
        """Where the catalogue has no replacement of a thing, its removal and its installation are two lines."""
        best = named[0]
        removal = next(
            (match for match in named if match.task is not best.task and "remove" in verbs_of(match.task)
             and match.words & best.words and dimension(match.task.unit) is dimension(best.task.unit)), None,
        )  # fmt: skip
        return [best] if removal is None or "install" not in verbs_of(best.task) else [removal, best]

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
        item = Item(clause, words, actions[0] if actions else "", None, tuple(named[:3]), list(own), end=clause.end)
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
        related = [item for item in self.items if things & described(item)]
        if things and not related and not everything and not lemmas and self.items:
            self.assumptions.append(f"The customer provides, and nothing is charged for: “{said}”.")
            return
        targets = self.items if everything else related or self.items[-1:]
        if not targets:
            targets = self._supplied_clause(clause)
        for item in targets:
            item.materials_by_customer = item.verb != "remove"
        self.assumptions.append(f"The customer supplies materials (“{said}”): labour only is charged for those lines.")

    def _supplied_clause(self, clause: Clause) -> list[Item]:
        """The supply note itself holds the work ("labour only to tile a floor")."""
        self._work(
            replace(clause, kind=ClauseKind.WORK),
            [f for f in self.figures if clause.start <= f.span.start < clause.end],
        )
        return self.items[-1:]


def _particle_verbs(clause: Clause) -> frozenset[int]:
    """Where the first words of verbs like "cut down" stand: alone they would mean something else ("cut" the grass)."""
    pairs = zip(clause.tokens, clause.tokens[1:], strict=False)
    return frozenset(one.start for one, two in pairs if two.text in _PARTICLES and (one.text, two.text) in TWO_WORDS)


def _refers_back(clause: Clause, words: Sequence[Word], index: TaskIndex) -> bool:
    """A clause with an action whose only object is a pronoun."""
    pronoun = any(token.text in {"it", "them", "one", "ones"} for token in clause.tokens)
    things = {word.lemma for word in words if word.weight == 1.0 and not action_of(word.lemma)} - {"one", "it", "them"}
    return pronoun and bool(clause.actions) and not any(index.knows(thing) for thing in things)


def _dimension_of(figures: Sequence[Quantity]) -> Dimension | None:
    for figure in figures:
        if (
            figure.role in {Role.AREA, Role.LENGTH, Role.VOLUME, Role.MASS}
            and not figure.sides
            and figure.unit in UNITS
        ):
            return dimension(figure.unit)
    return None
