"""Scope: which items of work the clauses of a request ask for, with the figures that belong to each.

Nothing is dropped silently and nothing is added that no words ask for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from server.domain.drafting.adding import counts_last, tells_how_many
from server.domain.drafting.alternatives import offer_alternatives
from server.domain.drafting.amounts import corrects, tells_right
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.combining import is_subtracted, listed_before
from server.domain.drafting.cues import BARE_CONDITION, IF_CHEAP, NOT_YET, SETTLED_ALONE
from server.domain.drafting.describing import without_what_is_described
from server.domain.drafting.items import (
    Item,
    by_clause,
    described,
    inside,
    leave_to_customer,
    places_of,
    shifted,
    shown,
)
from server.domain.drafting.matching import ROOMS, Word, lemma
from server.domain.drafting.numbers import Token
from server.domain.drafting.parting import mends_one_part, mends_so_many, part_numbers
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import Quantity, Role, find_quantities
from server.domain.drafting.repeating import leave_out, repeats
from server.domain.drafting.sections import Section
from server.domain.drafting.segments import split_request
from server.domain.drafting.splitting import splits_last
from server.domain.drafting.spread import in_rooms
from server.domain.drafting.supplies import (
    read_exclusion,
    read_provided,
    read_supply,
    supplies_some,
    waits_to_be_fitted,
)
from server.domain.drafting.taking_back import puts_off
from server.domain.drafting.telling import HIGH_CEILINGS, MEASURES, PREMISES, SHARED_ROLES, VAGUE
from server.domain.drafting.working import is_shared, read_work
from server.domain.units import Dimension, dimension

#: What has been put right since asks for nothing any more.
_SETTLED = re.compile(
    r"\balready (?:\w+ )?(?:put|fixed|fitted|replaced|repaired|installed|mended|sorted|done|dealt|took|taken)\b",
    re.IGNORECASE,
)
#: "Pipe burst above the garage, plumber already fixed that".
_SETTLED_THAT = re.compile(
    r"\b(?:plumber|electrician|roofer|builder|landlord|guy|man|husband|wife|neighbou?r|he|she|they|we|i)"
    r"(?: ?['’]ve| has| have)? already (?:fixed|replaced|repaired|mended|sorted|done|did) (?:that|it|this|them)"
    r"(?: (?:bit|one|part))?\W*$",
    re.IGNORECASE,
)
#: "Retile with 300x600 porcelain (supplied)".
_BRACKETED = re.compile(
    r"\((?:(?:already|all|tiles?|materials?|owner|client|customer) )?(?:supplied|bought|provided|ours|mine"
    r"|our own|have (?:it|them"
    r"|one)|by (?:us|owner|client|customer)|ofci)\)",
    re.I,
)
#: "Tenant fixed the fan himself": the fault that was told before is none any more.
_FIXED = re.compile(
    r"\b(?:fixed|replaced|repaired|sorted|mended|swapped|changed|did|done)\b.{0,40}\b(?:(?:him|her|them|my|our)sel(?:f|ves)"
    r"|already|since|yesterday|last (?:week|month|year))\b",
    re.IGNORECASE,
)
#: "There is no dishwasher downstairs".
_THERE_IS_NONE = re.compile(r"\b(?:is|are|has|have) (?:no|none|not any)\b", re.IGNORECASE)
#: Items back that may be so.
_TOLD_BACK = 6
#: What only tells a number begins so; sentences back of which it may count what is asked for.
_THERE_ARE_SOME = re.compile(
    r"\W*(?:and |so )?(?:there(?:['’]?s| is| are|['’]re)|(?:we|i)(?:['’]ve| have)? (?:got|have|counted))\b"
    r"(?![^.;\n]*\btotal)",
    re.IGNORECASE,
)
_COUNTED_BEFORE = 2
#: Tokens before a size within which the room stands that is so large.
_NEAR_ROOM = 8
#: An option that names nothing itself: "as an optional extra", "price that separately".
_AS_OPTION = re.compile(
    r"\W*(?:just )?as (?:an? |the )?(?:(?:separate|optional|price|possible|priced) )?"
    r"(?:option(?:al)?|extra|add(?:[- ]on|[- ]?alt\w*)?|alt(?:ernat\w+)?|upgrade)"
    r"(?: extra| option)?(?:\W*$|\W*(?:for|if|please|too|only|so|that|which|to be)\b)",
    re.IGNORECASE,
)
_ONLY_OPTION = re.compile(
    r"\W*(?:as )?(?:an? )?(?:option(?:al)?|alternate|add[- ]?on|extra|(?:as )?a separate (?:price|quote|line)"
    r"|if it['’]?s not too (?:expensive|much|dear)"
    r"|(?:but |and |so )?(?:(?:i|we)['’]d |(?:please )?)(?:call|consider|treat|count|mark|make|show|list|put|price) "
    r"(?:that|it|this|them|those)(?: one)?(?: down)? (?:as )?(?:an? )?(?:option(?:al)?|extra)"
    r"|(?:and |but )?(?:which|that|this|it|they|those|these)(?: one)?(?:['’]s| is| are| would be) (?:an )?option(?:al)?"
    r"(?: for now| too| as well)?)\W*$", re.I,
)  # fmt: skip
#: Of several things: "a thermostat and a humidifier as options".
_AS_OPTIONS = re.compile(
    r"\bas (?:separate |possible |priced |optional )*(?:options|extras|add[- ]?ons|alternates|alternatives|upgrades)\b",
    re.IGNORECASE,
)
#: "The gas pipe is 15 mm, may need upping": says of the thing before, in its sentence, what may turn out.
_MAY_BE_NEEDED = re.compile(
    r"\W*(?:but |and |so )?(?:(?:it|that|which|they|this) )?(?:may|might) (?:also |well |yet )?(?:need|want|require)\b",
    re.IGNORECASE,
)
_OF_BEFORE = re.compile(
    r"^\W*(?:as|for) (?:an? )?(?:\w+ )?(?:option|extra|add|alternate|alternative|upgrade)|^\W*optional(?:ly)?\W*$"
    r"|\b(?:price|quote|do|list|put|show) (?:that|it|this|them|those|these)\b.{0,30}\b(?:separate|option|extra"
    r"|alternat|apart)"
    r"|^\W*if (?:the )?(?:budget|money|possible)|\b(?:i|we)(?:['’]ll| will) (?:then )?decide\W*$"
    r"|^\W*(?:the |those |these )?[a-z]+ (?:is|are) optional\b",
    re.IGNORECASE,
)


class Scope(Progress):
    """One pass over one request, clause by clause."""

    def read(self) -> None:
        """Read every clause in order."""
        for clause, own in zip(self.clauses, by_clause(self.figures, self.clauses), strict=True):
            entry = self.entries.get(clause.start)
            if entry is not None and len(entry.parts) > 1:
                name = shown(self.text[clause.start : clause.end])
                self.assumptions.append(f"{name}: {entry.told}, as the table has it.")
            self._read(clause, own if entry is None else [entry.amount])
        without_what_is_described(self)
        part_numbers(self)
        self._give_pending()
        offer_alternatives(self.text, self.items, self.alternatives)

    def _is_what_is_missing(self, clause: Clause) -> bool:
        """ "No handrail at the basement stairs, install one": left out is what is wanted next."""
        behind = self.behind(clause)
        return (
            clause.tokens[0].text == "no"
            and behind is not None
            and "install" in behind.actions
            and any(token.text in {"one", "some", "ones"} for token in behind.tokens)
        )

    def hear(self, answer: str, before: Item) -> list[Item]:
        """The items that an answer asks for, read as if its words stood behind the text, with the kind and the verb of
        the item ``before``."""
        offset = self.append(answer)
        figures = find_quantities(answer, metric=self.usual_metric)
        clauses = split_request(answer, figures, self.spelling)
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

    def _read(self, clause: Clause, own: list[Quantity]) -> None:
        section = self.sections.labelled(clause.start, clause.end)
        begun = self.sections.at(clause.start) if section < 0 else -1
        if begun >= 0 and clause.start < (behind := self.sections.all[begun].label_end) < clause.end:
            # "Room 1 new lock on door": its name is no part of the work.
            head = tuple(token for token in clause.tokens if token.start < behind)
            rest = tuple(token for token in clause.tokens if token.start >= behind)
            if head and rest:
                self._read_label(replace(clause, tokens=head), [one for one in own if one.span.start < behind], begun)
                clause = replace(clause, tokens=rest)
                own = [one for one in own if one.span.start >= behind]
        if section >= 0 and self._is_place(self.sections.all[section]):
            self._read_label(clause, own, section)
        elif clause.start in self._in_rooms and self._counts_last(clause):
            self.items[-1].figures.append(self._in_rooms[clause.start])
            self.items[-1].end = clause.end
        elif self._tells_again(clause, own) or splits_last(self, clause, own):
            pass
        elif clause.kind is ClauseKind.EXCLUSION:
            leave_out(self, clause)
            measured = places_of(own)
            words = self.index.words(clause.tokens, measured=measured)
            if self.follows_item(clause):
                # "20 x 30, but leave out the 6x10 corner"
                self.items[-1].figures += [one for one in own if one.sides and is_subtracted(one, self.text)]
            if clause.carried and own and not any(self.index.knows(word.lemma) for word in words):
                self.add_detail(replace(clause, kind=ClauseKind.WORK), (), own)
            else:
                read_exclusion(self, clause)
                if (not self.items and not self.topic) or self._is_what_is_missing(clause):
                    # "Does the chimney need rebuilding? No. So just sweep it please."
                    self.speak_of(tuple(word for word in words if self.index.knows(word.lemma) and word.weight == 1.0))
        elif puts_off(self, clause):
            pass
        elif read_provided(self, clause):
            self.add_detail(clause, (), own)
        elif clause.kind is ClauseKind.SUPPLY or waits_to_be_fitted(self, clause):
            if not supplies_some(self, clause, own):
                read_supply(self, clause)
                self.add_detail(clause, (), own)
        elif clause.sentence == self.aside:
            self.add_detail(clause, (), own)
        elif clause.kind is ClauseKind.CONTEXT and corrects(self, clause, own):
            pass
        elif clause.kind is ClauseKind.CONTEXT and tells_how_many(self, clause, own):
            counts_last(self, clause, own[0])
        elif clause.kind is ClauseKind.CONTEXT:
            if _THERE_IS_NONE.search(self.text, clause.start, clause.end):
                leave_out(self, clause)
            measured = places_of(own)
            about = tuple(
                word
                for word in self.index.words(clause.tokens, measured=measured)
                if self.index.knows(word.lemma) and word.lemma not in VAGUE and len(word.lemma) > 2
            )
            if HIGH_CEILINGS.search(self.text, clause.start, clause.end):
                about = tuple(word for word in about if word.lemma != "ceiling")
            things = tuple(word for word in about if word.weight == 1.0 and word.lemma not in PREMISES)
            self.speak_of(things or self.topic or tuple(word for word in about if word.lemma in ROOMS))
            said = self.text[clause.start : clause.end]
            if _FIXED.search(said):
                self.take_back({word.lemma for word in about} - PREMISES, _TOLD_BACK, clause.sentence, told=True)
            elif self.in_sentence(clause) and (
                (SETTLED_ALONE.match(said) and not self._follows_exclusion(clause))
                or (self.items[-1].stated and _SETTLED.search(said) and not self._is_of_another(things))
                or _SETTLED_THAT.search(said)
            ):
                self.drop_last()
            shared = [figure for figure in own if is_shared(self, figure)]
            if clause.made:
                self.pending += shared  # "Flat roof over a shop. Felt, 7 x 4 m, 1990s. Strip it": of what comes
            else:
                self.add_detail(clause, (), shared)
        elif clause.kind is ClauseKind.OPTION and BARE_CONDITION.fullmatch(self.text, clause.start, clause.end):
            pass  # "If the slabs are too dear then gravel"
        elif clause.kind is ClauseKind.OPTION and self.in_sentence(clause) and self._is_option_before(clause):
            self._make_optional(clause)
        elif clause.kind is ClauseKind.OPTION and self.in_sentence(clause) and self._offers_last(clause, own):
            self.items[-1].offer()
            self.add_detail(clause, (), own)
        else:
            before = len(self.items)
            read_work(self, clause, own)
            if len(self.items) > before and _BRACKETED.search(self.text[clause.start : clause.end + 1]):
                leave_to_customer(self.items[-1:])
            elif clause.kind is ClauseKind.WORK and clause.start in self.brought and not clause.ending:
                if len(self.items) > before:
                    self.fit_only(clause, self.items[before:])
                else:
                    read_supply(self, clause)
            if clause.kind is ClauseKind.OPTION and len(self.items) == before and self.in_sentence(clause):
                self._make_optional(clause)
            elif clause.kind is ClauseKind.OPTION and _AS_OPTIONS.search(self.text, clause.start, clause.end):
                self._make_list_optional(clause)

    @cached_property
    def _in_rooms(self) -> Mapping[int, Quantity]:
        return in_rooms(self.text, self.clauses)

    def _counts_last(self, clause: Clause) -> bool:
        """Whether how many a room gets may be of the item before, which is counted."""
        last = self.items[-1].match if self.in_sentence(clause) else None
        return last is not None and any(one.unit == "each" for one in (last.task, *self.index.forms(last.task)))

    def _tells_again(self, clause: Clause, own: list[Quantity]) -> bool:
        """Whether the clause only repeats what is told of another place, or puts an amount right."""
        if clause.kind is ClauseKind.EXCLUSION:
            return tells_right(self, clause, own)
        return clause.kind in {ClauseKind.WORK, ClauseKind.CONTEXT} and repeats(self, clause, own)

    def _is_place(self, section: Section) -> bool:
        """Whether a label is of a place: of entries that are called by names alone where one is no word of the
        trades."""
        return not section.entry or self._entries_are_places

    @cached_property
    def _entries_are_places(self) -> bool:
        names = [one.name for one in self.sections.all if one.entry]
        return any(not self.index.knows(lemma(word)) for name in names for word in re.findall(r"[a-z]+", name.lower()))

    def _read_label(self, clause: Clause, own: list[Quantity], section: int) -> None:
        """ "Hall bath 5x8: …": what follows is of this place, and as large where it tells no size."""
        words = self.index.words(clause.tokens, measured=places_of(own))
        known = tuple(word for word in words if word.lemma in ROOMS)
        self.label, self.topic, self.backdrop = (clause.sentence, known), known, ()
        self.sized[section] = [one for one in own if one.sides]

    def _follows_exclusion(self, clause: Clause) -> bool:
        """ "… (grading by others, done)": said of what is left out."""
        number = self.places.get(clause.start, 0)
        before = self.clauses[number - 1] if number else clause
        return before.kind is ClauseKind.EXCLUSION and before.sentence == clause.sentence

    def _is_of_another(self, things: Sequence[Word]) -> bool:
        """ "300 sq ft of laminate, we already took up the carpet": what was done to another thing."""
        return bool(things) and described(self.items[-1]).isdisjoint(word.lemma for word in things)

    def _is_option_before(self, clause: Clause) -> bool:
        """ "31 doors - as add alternate", "48 m2, as an option for the residents", "… but only if it's cheap": says
        nothing of its own."""
        said = self.text[clause.start : clause.end]
        return _AS_OPTION.match(said) is not None or NOT_YET.match(said) is not None or IF_CHEAP.match(said) is not None

    def _measures_option(self, clause: Clause, own: Sequence[Quantity]) -> bool:
        """ "Stain the deck, 300 sq ft (optional)": at most how much of what was asked for before, and that it is an
        option."""
        if self.labels(clause) or (own and self.text[clause.start : own[0].span.start].strip()):
            return False  # "…, option: 3 ceiling fans" is of what comes
        return _ONLY_OPTION.match(self.text, own[-1].span.end if own else clause.start, clause.end) is not None

    def _offers_last(self, clause: Clause, own: Sequence[Quantity]) -> bool:
        """Whether the clause makes the item before an option, and says at most how much of it there is."""
        return self._may_need_it(clause) or self._measures_option(clause, own)

    def _may_need_it(self, clause: Clause) -> bool:
        """ "The gas pipe is only 15 mm, may need upping": of the thing before, which nothing else asks for."""
        told = self.items[-1].clause.kind is ClauseKind.WORK and not self.items[-1].clause.stated - {""}
        return told and _MAY_BE_NEEDED.match(self.text, clause.start, clause.end) is not None

    def _make_optional(self, clause: Clause) -> None:
        """ "A patio door, price that separately as an option": what was asked for just before is an option."""
        item = self.items[-1]
        said = self.text[clause.start : clause.end]
        of_before = _OF_BEFORE.search(said) or NOT_YET.match(said) or IF_CHEAP.match(said)
        if item.clause.kind is ClauseKind.WORK and of_before:
            item.offer()

    def _make_list_optional(self, clause: Clause) -> None:
        """ "A thermostat and a humidifier as options": so are the things of the sentence that have no verb of their
        own."""
        for item in self.items:
            if item.clause.sentence == clause.sentence and not item.clause.actions:
                item.offer()

    def _give_pending(self) -> None:
        """Figures that came before any item (a room's size, storeys) belong to every item that lacks its own."""
        of_rooms = {id(one): rooms for one in self.pending if (rooms := self._room_of(one))}
        told = set().union(*of_rooms.values())
        sizes = [one for one in self.pending if one.sides]
        sized = sizes[0] if len(sizes) == 1 else None
        for item in self.items:
            have = {figure.role for figure in item.figures}
            if mends_so_many(item) or mends_one_part(item, self.text):
                continue
            pending = self._of_its_rooms(item, of_rooms, told)
            item.figures += [one for one in self.sized.get(item.section, ()) if one.role not in have]
            begun = self._list_begun(item)
            item.figures += [
                figure
                for figure in pending
                if self.sections.at(figure.span.start) in {-1, item.section}
                and figure.role in SHARED_ROLES
                and (
                    figure.role not in have
                    or figure.role is Role.SIZE
                    or _is_side_of_fence(figure, item)
                    or any(one is figure for one in begun)
                )
            ]
            measured = item.match is not None and dimension(item.match.task.unit) is Dimension.AREA
            if measured and sized is not None and any(one is sized for one in item.figures):
                item.figures += self._counts_of(sized)
        self._count_first(self.pending)

    def _list_begun(self, item: Item) -> list[Quantity]:
        """ "The bath is 5 ft along one wall and 30 inches across the end, recaulk it": what was told before the work
        was read, in lists that go on with what its own words tell."""
        own = [one for one in item.figures if one.role in MEASURES and inside(one, item.clause)]
        firsts = {one.role: one for one in reversed(own)}
        return [one for first in firsts.values() for one in listed_before(first, self.pending, self.text, item.lemmas)]

    def _counts_of(self, size: Quantity) -> list[Quantity]:
        """ "4 bedrooms 12x12. New carpet in all of them": how many there are of what is so large."""
        clause = self.clause_of(size)
        told = self.figures_in(clause.start, size.span.start) if clause is not None else ()
        return [one for one in told if one.role is Role.COUNT and one.value > 1]

    def _count_first(self, pending: Sequence[Quantity]) -> None:
        """ "The switches are old. There are five of them. I'd like them replaced": how many of the thing that is asked
        for next, where one number is told so and that work tells none."""
        counts = [one for one in pending if one.role is Role.COUNT and one.noun == "them" and one.value > 1]
        first = next((item for item in self.items if item.clause.kind is ClauseKind.WORK), None)
        if len(counts) != 1 or first is None or first.match is None or first.single or first.match.task.unit != "each":
            return
        told = self.clause_of(counts[0])
        near = told is not None and 0 < first.clause.sentence - told.sentence <= _COUNTED_BEFORE
        near = near and told is not None and _THERE_ARE_SOME.match(self.text, told.start) is not None
        if near and not any(one.role is Role.COUNT for one in first.figures):
            first.figures.append(counts[0])

    def _of_its_rooms(self, item: Item, of_rooms: Mapping[int, set[str]], told: set[str]) -> list[Quantity]:
        """What was told before any item, without the sizes of other rooms than those an item names: "Bedroom 10x12,
        bath 5x8. Tile the floor in the bath"."""
        named = _rooms_in(item.clause.tokens)
        if named.isdisjoint(told):
            return self.pending
        return [one for one in self.pending if of_rooms.get(id(one), named) & named]

    def _room_of(self, figure: Quantity) -> set[str]:
        """The room before a size of one, in its clause."""
        clause = self.clause_of(figure) if figure.role in {Role.SIZE, Role.AREA} else None
        if clause is None:
            return set()
        at = bisect_left(clause.tokens, figure.span.start, key=lambda one: one.start)
        return _rooms_in(clause.tokens[max(0, at - _NEAR_ROOM) : at])


def _is_side_of_fence(figure: Quantity, item: Item) -> bool:
    """ "Wood fence. Left side 82, back 64": one more of the sides that have no unit."""
    fenced = item.match is not None and item.match.task.trade == "fencing"
    return fenced and figure.role is Role.LENGTH and figure.assumed_unit


def _rooms_in(tokens: Sequence[Token]) -> set[str]:
    """What rooms are called by, however they are written: "bath" and "bathrooms" are one, "room" alone is any."""
    named = {token.text.removesuffix("s") for token in tokens} & ROOMS
    return {name.removesuffix("room").removesuffix("way") for name in named} - {""}
