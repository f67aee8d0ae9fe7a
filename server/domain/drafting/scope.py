"""Scope: which items of work the clauses of a request ask for, with the figures that belong to each.

Nothing is dropped silently and nothing is added that no words ask for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Protocol

from server.domain.catalogue import Place, Task
from server.domain.drafting import asking
from server.domain.drafting.actions import IMPLIED, PARTICLES, action_of, phrasal_action
from server.domain.drafting.items import WALL_WORK, Item, by_clause, described, shifted, shown, verbs_of
from server.domain.drafting.matching import GENERAL_ACTIONS, ROOMS, STAND_INS, Match, TaskIndex, Word, lemma, lemmas_of
from server.domain.drafting.numbers import Kind
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role, find_quantities
from server.domain.drafting.segments import Clause, ClauseKind, is_imperative, split_request
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
#: "A chandelier", listed among what the customer bought.
_BOUGHT_THING = re.compile(r"^\W*(?:a|an|one) [\w\s-]{3,40}$", re.IGNORECASE)
#: "I buy the paint": names a material, and no thing to be fitted.
_OWN_MATERIAL = re.compile(
    r"^\W*(?:we|i|owner|customer|client)(?:['’]ll| will| can)? (?:supply|provide|buy|furnish|get)s? (?:all "
    r"|the |our |my |any |own )+\w+"
    r"(?: (?:and|or) \w+)?(?: (?:our|my)sel(?:f|ves))?\W*$", re.IGNORECASE,
)  # fmt: skip
#: Before "paint" or "tile" these make it the thing.
_DETERMINERS = frozenset({"the", "our", "my", "own", "all", "any", "new", "supply", "provide", "have", "buy", "bought"})
#: How much of a material is bought at once: "12 packs" are of what was spoken of.
_PACKS = frozenset({"pack", "packet", "box", "roll", "bag", "tin", "bucket", "pallet", "bundle", "carton"})
#: A permit is a line where somebody is to get it, not where a text is one.
_PERMIT_ASKED = re.compile(
    r"\b(?:pull|get|obtain|arrange|apply|file|handle|need|includ|secur|sort|take care|price|quote|want|provid)\w*\b"
    r".{0,40}\bpermits?\b|\bpermits? (?:fees?|included|pulled|needed|required|please)\b", re.IGNORECASE | re.DOTALL,
)  # fmt: skip
#: Words for whatever the work before needs.
_ANY_PARTS = frozenset({"fixture", "unit", "fitting"})
_FITTING = frozenset(
    [
        "fit",
        "install",
        "hook",
        "connect",
        "hang",
        "lay",
        "mount",
        "replace",
        "paint",
        "tile",
        "swap",
        "change",
        "put",
        "build",
    ]
)
_SUPPLIED_PRONOUN = re.compile(
    r"\b(?:bought|got|purchased|ordered|have|supply|supplying|provide|providing) (?:them|it|these|those|one"
    r"|(?:a|an|our own|my own) \w+ one)\b|\b(?:pick|collect|get|buy) (?:the |some )?(?:new |other )?(?:ones?|it"
    r"|them)\b",
    re.IGNORECASE,
)  # fmt: skip
_SUPPLY_WORDS = frozenset(
    [
        "customer", "client", "owner", "landlord", "homeowner", "tenant", "already", "bought", "buy", "purchase",
        "purchased", "order", "ordered", "install", "supply", "provide", "own", "will", "can", "it", "them",
        "everything", "stuff", "ourselves", "myself", "site", "labor", "labour", "material", "only", "hand", "i'll",
        "i've", "we'll", "we've", "ll", "ve", "got", "happy", "am", "are", "been", "had",
    ]
)  # fmt: skip
#: Something that does not work is to be mended or serviced, never bought anew unasked.
_FAULT_PHRASE = re.compile(
    r"\b(?:packed (?:in|up)|given up|playing up|on the blink|backs? up|backing up|sounds? rough|fell off"
    r"|overflow(?:s|ing)"
    r"|blown (?:down|off|over)|blew (?:down|off|over)|came (?:down|off|loose)|collapsed|rattles|sagging"
    r"|run(?:s|ning) (?:all|constantly|continuously|non[- ]?stop|on and on)|falling (?:off|down"
    r"|apart))\b", re.IGNORECASE,
)  # fmt: skip
#: Something that does not work is to be mended or serviced, never bought anew unasked.
_FAULT = re.compile(
    r"\bstays? (?:cold|stuck|open|shut)\b|\b(?:packed (?:in|up)|given up|playing up|on the blink|backs? up"
    r"|backing up|(?:is|are|['’]s) (?:shot|dead|bust"
    r"|noisy)"
    r"|sounds? rough|run(?:s|ning) (?:all|constantly|continuously|non[- ]?stop|on and on)"
    r"|snapped|seized|slipped|tripped|sticks|quit|died|conked out|gave (?:up|out)|fell off|falling (?:off|down"
    r"|apart)|no hot water|no heat(?:ing)?)\b"
    r"|\b(?:is ?n['’]?t|not|does ?n['’]?t|wo ?n['’]?t|will not|stopped|keeps?|no longer) (?:\w+ )?(?:work|cool"
    r"|heat|flush|clos|open|start"
    r"|turn|drain|fir|runn?|tripp?|leak|drip|com|light)(?:s|es|ing)?\b",
    re.IGNORECASE,
)
#: "The oven is filthy": what is dirty is to be cleaned.
_SOILED = re.compile(
    r"\b(?:is|are|looks?|['’]s) (?:\w+ ){0,2}(?:filthy|dirty|grubby|grimy|disgusting)\b", re.IGNORECASE
)
#: Verbs that add to a list.
_ADDS = frozenset({"add", "include", "including", "adding"})
#: "The carpets as well please": goes on with the verb before.
_AGAIN = re.compile(r"\b(?:as well|too)(?: please)?\W*$", re.IGNORECASE)
#: Says outright that something is wanted ("we want a vapour barrier"), where no verb does.
_WANTED = re.compile(
    r"\b(?:needs?|wants?|would like|['’]d like|require[sd]?) (?:(?:a|an|some|another|new|\d+|one|two|three|four"
    r"|five|six)\s)+"
    r"(?!quote|price|estimate|hand|help|idea|advice|word|look|visit|few|bit|lot|couple|number|date|guy|man|reliable|good"
    r"|someone|somebody|trades|plumber|electrician|builder|painter|roofer|handyman|contractor|company|person|team|crew)\w{3,}",
    re.IGNORECASE,
)
_GUESSED = re.compile(r"\b(?:think|guess|suspect|reckon|believe|probably)\b", re.IGNORECASE)
#: What has been put right since asks for nothing any more.
_SETTLED = re.compile(
    r"\balready (?:\w+ )?(?:put|fixed|fitted|replaced|repaired|installed|mended|sorted|done|dealt|took|taken)\b",
    re.IGNORECASE,
)
#: What a count beside an item describes and does not ask for.
_NO_THINGS = frozenset(
    {"visit", "time", "them", "each", "car", "unit", "floor", "person", "people", "side", "story", "apartment", "flat",
     "space", "gang", "pole", "coat"}
)  # fmt: skip
_NO_THINGS_COUNTED = ROOMS | WALL_WORK | _NO_THINGS
_PRONOUNS = frozenset({"it", "them", "one", "ones", "that", "those", "these", "both"})
#: Words that name no thing.
_SUBSTANCES = frozenset({"oak", "pine", "cedar", "steel", "wood", "concrete", "granite", "stone", "vinyl", "aluminium"})
_VAGUE = frozenset(
    [
        "few", "some", "several", "various", "multiple", "many", "number", "throughout", "needed", "necessary",
        "everything", "anything", "all", "work", "job", "area", "same", "thing", "stuff", "bit", "lot", "site",
        "colour",
        "color", "side", "way", "time", "day", "order", "plan", "scope", "first", "too", "again", "afterward", "after",
        "well", "properly", "fully", "weekly", "monthly", "daily", "fortnightly", "regular", "once", "twice", "season",
        "summer", "winter", "spring", "april", "may", "june", "july", "august", "september", "october", "november",
        "december", "january", "february", "march", "until", "together", "done", "want", "wanted",
    ]
)  # fmt: skip
#: Words beside a figure that name no thing.
_MEASURING = frozenset(
    [
        "tall", "high", "long", "wide", "deep", "thick", "foot", "ft", "inch", "in", "m", "mm", "cm", "metre", "meter",
        "yard", "amp", "a", "v", "volt", "total", "overall", "run", "about", "approx", "roughly", "maybe", "each", "w",
    ]
)  # fmt: skip
#: Items back whose trades make a task of theirs likelier.
_AROUND = 3
#: Words of topics and labels count less than the clause's own.
_TOPIC_WEIGHT = 0.6
_TOPIC_WORDS = 4
_LONGEST_LABEL = 4
_LABEL_END = re.compile(r"\s?:(?!\s*(?:\n|\d+\s*(?:[,;\n]|\.(?!\d)|$)))")
_DASH_END = re.compile(r"\s+[-–—]+\s+[A-Za-z]")
_SHORTEST_THING = 2
#: Characters back within which an open bracket holds a clause.
_BRACKET_REACH = 120
#: Words of a clause that says more than one thing and where.
_LONG_CLAUSE = 9
_MEASURES = frozenset({Role.AREA, Role.LENGTH})
#: "Painters needed: 4 bedrooms": who is asked for says what is to be done.
_WORKERS = {"painter": "paint", "decorator": "paint", "tiler": "tile", "cleaner": "clean", "plasterer": "plaster"}
_KIND_LABELS = frozenset({"covering", "material", "type", "style", "finish"})
_PLACE_LABELS = frozenset({"location", "locations", "license", "licence", "address", "contractor", "elevation"})
_NONE_AFTER = re.compile(r"\s*:\s*0(?!\.?\d)")
#: "Posts to be set in concrete", "Double door": says more of what was asked for.
_TO_BE = re.compile(r"\bto be\b", re.IGNORECASE)
#: "Walls only": narrows what was asked for before.
#: The height of a room, the way up to it, the coats on it: more about the work, and no work.
_DETAIL = re.compile(
    r"^\W*(?:with )?\d[\d.]{0,4}\s?(?:ft|foot|feet|m|'|\")?[\s-]?(?:high|tall)?\s?ceilings?\b(?! (?:light|fan|rose"
    r"|tile))"
    r"|^\W*\d[\d.]{0,4}\s?(?:ft|foot|feet|m|')[\s-]?(?:high|tall)?\s?walls\b|\bflights? of (?:stairs|steps)\b"
    r"|^\W*(?:one|two|three|1|2|3) coats?\b", re.IGNORECASE,
)  # fmt: skip
#: How many layers are torn off is part of the new roof's price.
_LAYERS = re.compile(r"\blayers?\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\W*$", re.IGNORECASE)
#: A count of nought asks for nothing.
_NONE_WANTED = re.compile(r"(?:\bqty\W{0,3}|:\s?)0\b(?![.\d])|^\W*(?:0|zero)\s[a-z]", re.IGNORECASE)
#: "Edging included": part of what was asked for before.
_PART_OF_IT = re.compile(r"(?<!not )\bincluded\W*$", re.IGNORECASE)
#: Names that only say what is wrong: another thing in the words is what it is wrong with.
_WEAK_NAMES = frozenset({"leak", "water", "pipe", "block", "drip"})
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
        #: How likely a clause asks for work, by where it starts.
        self.chances = asking.chances(text, self.clauses, index)
        self.items: list[Item] = []
        #: Sentences that tell coats, which only paint has.
        self.coated = {
            clause.sentence
            for clause, own in zip(self.clauses, by_clause(self.figures, self.clauses), strict=True)
            if any(figure.role is Role.COATS for figure in own)
        }
        #: The last item of each task, so that a second mention is found without a search.
        self.latest: dict[tuple[str, ClauseKind], Item] = {}
        #: Actions of a line that heads a list ("Please paint:"); its entries without a verb inherit them.
        self.heading: tuple[str, ...] = ()
        #: What the words before were about, which a clause without a thing of its own goes on about.
        self.topic: tuple[Word, ...] = ()
        self.topic_sentence = -9
        #: The last clause that told of a thing no task names, with its words.
        self.untaken: tuple[Clause, tuple[Word, ...]] | None = None
        #: Sentence and words of a supply note that came before any item.
        self.supplied: tuple[int, frozenset[str]] = (-9, frozenset())
        #: The sentence of the last label before a colon, and its words.
        self.label: tuple[int, tuple[Word, ...]] = (-1, ())
        #: A sentence that says which kind is meant, after a label such as "ROOF COVERING:".
        self.kind_of = -1
        #: A sentence that only says where, after a label such as "LOCATION:".
        self.aside = -1
        #: Sentence, actions and figures of a verb whose thing is still to come ("patch and paint (650 sf of wall)").
        self.forward: tuple[int, tuple[str, ...], list[Quantity]] = (-1, (), [])
        self.pending: list[Quantity] = []
        self.permit_asked = _PERMIT_ASKED.search(text[:20_000]) is not None
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
            words = self.index.words(clause.tokens)
            if clause.carried and own and not any(self.index.knows(word.lemma) for word in words):
                self._detail(replace(clause, kind=ClauseKind.WORK), (), own)
            else:
                self._exclude(clause)
        elif clause.kind is ClauseKind.SUPPLY:
            self._supply(clause)
            self._detail(clause, (), own)
        elif clause.sentence == self.aside:
            self._detail(clause, (), own)
        elif clause.kind is ClauseKind.CONTEXT:
            about = tuple(word for word in self.index.words(clause.tokens) if self.index.knows(word.lemma))
            self.topic = (
                tuple(word for word in about if word.weight == 1.0 and word.lemma not in _PREMISES) or self.topic
            )
            if (
                self._in_sentence(clause)
                and self.items[-1].stated
                and _SETTLED.search(self.text[clause.start : clause.end])
            ):
                self._drop_last()
            self._detail(clause, (), [figure for figure in own if self._is_shared(figure)])
        else:
            self._work(clause, own)

    def _work(self, clause: Clause, own: list[Quantity]) -> None:
        said = self.text[clause.start : clause.end][:400]
        if _NONE_WANTED.search(said) or _NONE_AFTER.match(self.text[clause.end : clause.end + 8]):
            return
        if _LAYERS.search(said) and not self.index.words(clause.tokens, measured=_layer_words(clause)):
            self._detail(clause, (), [])
            return
        bracketed = self._in_brackets(clause)
        lead = self.text[clause.start : own[0].span.start] if own else ""
        named_first = any(self.index.knows(lemma(word)) for word in re.findall(r"[a-z]+", lead.lower()))
        aside = bracketed and not (named_first and any(one.role in _MEASURES for one in own))
        detail = _DETAIL.search(said) or (aside and not clause.actions)
        if self._in_sentence(clause) and detail and not clause.actions:
            self._detail(clause, self.index.words(clause.tokens), own)
            return
        if self.items and (_PART_OF_IT.search(said) or (_ONLY.search(said) and not clause.actions and not own)):
            self._detail(clause, self.index.words(clause.tokens), own)
            return
        measured = self._place_tokens(clause).union(
            _particle_verbs(clause),
            _fault_words(clause, said),
            *(range(figure.span.start, figure.span.end) for figure in own if figure.role is not Role.RATING),
        )
        words = self.index.words(clause.tokens, measured=measured)
        actions = clause.actions
        if (
            own
            and self._lacks_figures(clause, back=0 if clause.actions else 1)
            and not any(self.index.knows(one.lemma) and one.lemma.isalpha() for one in words)
        ):
            # "Wash and stain the deck, 16x20": a figure without a word measures all that was just asked for.
            for item in self.items[:-1][-2:]:
                item.figures += own if item.clause is self.items[-1].clause else []
            self._detail(clause, (), own)
            return
        if self._announces(clause, words, own):
            return
        if self._says_more(clause, words, own):
            self._detail(clause, words, own)
            return
        implied = {action_of(token.text) for token in clause.tokens if token.text in IMPLIED}
        fault = _FAULT.search(said) is not None and not set(actions) - implied
        if fault:
            actions = ("repair", "service")
        elif _SOILED.search(said) and not set(actions) - implied:
            actions = ("clean",)
        words = self._replacement(clause, words, actions, own) + self._label_words(clause)
        inherited = not actions
        if inherited and self.items and (self._in_sentence(clause) or self._goes_on(clause)):
            actions = self.items[-1].asked
        elif inherited and clause.sentence in self.coated:
            actions = ("paint",)
        elif self._adds_to(clause):
            actions = self.items[-1].asked
        elif inherited and self.forward[0] == clause.sentence:
            actions = self.forward[1]
            own = own + self.forward[2]
        elif inherited and self.heading:
            actions = self.heading
        pronoun = any(token.text in _PRONOUNS for token in clause.tokens)
        refers = _refers_back(clause, words, self.index)
        if refers and not pronoun and self._digs_for(clause, actions):
            self._detail(clause, (), own)
            return
        if refers:
            words, actions = self._referred(words, actions)
        # "Trim" is also a thing of wood, which a list that goes on with the verb does not name.
        specific = tuple(action for action in actions if action not in GENERAL_ACTIONS | {"trim"})
        known = words + tuple(Word(action, clause.start, clause.start) for action in specific if inherited)
        known += self.index.numbers(clause.tokens, own)
        named = self._named(known, self._asked(actions, clause), own, inherited)
        listed = actions
        if inherited and actions and not (named and named[0].verb_fits):
            # A list may go on with things that the verb before does not fit: "paint 2 rooms, 10 outlets".
            shorthand = self._named(known, (), own, inherited)
            if shorthand and shorthand[0].verb_fits and (own or len(shorthand[0].words) > 1):
                named, actions = shorthand, ()
        if not (named and named[0].verb_fits) and not refers and self.topic:
            around = tuple(replace(word, weight=_TOPIC_WEIGHT, start=-1, end=-1) for word in self.topic)
            wider = self._named(known + around, self._asked(actions, clause), own, inherited)
            here = {word.lemma for word in words}
            fitting = next((match for match in wider if match.verb_fits and match.words & here), None)
            if fitting is not None:
                named = [fitting, *(match for match in wider if match is not fitting)]
        if (
            named
            and len(named[0].words) == 1
            and self.topic
            and not refers
            and (self.topic_sentence >= clause.sentence - 1 or not self.items)
        ):
            named = self._in_topic(clause, known, actions, own, inherited, named)
        measured_label = self.label[0] == clause.sentence and any(figure.role in WORK_ROLES for figure in own)
        if measured_label and not (named and named[0].verb_fits):
            # "Extension: 5 m x 4 m": the label itself is the work.
            words = tuple(replace(word, weight=1.0) for word in self.label[1]) + words
            named = self._named(words, self._asked(actions, clause), own, inherited)
            self.label = (-1, ())
        if named and named[0].verb_fits and named[0].words <= _WEAK_NAMES:
            others = [match for match in named if not match.words & named[0].words]
            stronger = next((match for match in others if match.verb_fits), others[0] if others else None)
            if stronger is not None:
                named = [stronger, *(match for match in named if match is not stronger)]
        if named and named[0].verb_fits and named[0].qualifies:
            whole = next((match for match in named if named[0].words < match.words), None)
            if whole is not None and not whole.verb_fits:
                named = [whole, *(match for match in named if match is not whole)]
        if fault and named and named[0].verb_fits:
            # What does not work is mended where a task mends it, before it is only looked after.
            best = named[0].words
            named.sort(key=lambda match: not (match.verb == "repair" and match.words >= best))
        if refers:
            named = [match for match in named if any(not action_of(word) for word in match.words) or not pronoun]
        if named and named[0].verb_fits and refers and not pronoun:
            # Without any object only a task that does this very thing is meant, not one whose verb stands in for it.
            named = [
                match
                for match in named
                if match.verb in actions or not self.index.described(match.task).isdisjoint(actions)
            ]
        if self.kind_of == clause.sentence and self.items and self.items[-1].match and named:
            # After "ROOF COVERING:" only roofs are meant.
            trade = self.items[-1].match.task.trade
            named = [match for match in named if match.task.trade == trade]
        chance = self.chances.get(clause.start, 1.0)
        if is_imperative(clause.tokens) or implied:
            # A verb that commands and a fault ask, however little else the words say.
            chance *= 2
        bare = not clause.actions and not own
        if chance < (asking.BARE_TELLS if bare else asking.CLAUSE_TELLS):
            self.unread.append(shown(self.text[clause.start : clause.end]))
            self._detail(clause, (), [figure for figure in own if self._is_shared(figure)])
        elif named and named[0].verb_fits:
            self._add(clause, words, actions, named, own, inherited)
            if chance < asking.DOUBTFUL and self.items and self.items[-1].clause is clause:
                self.items[-1].reasons.append("The words may only tell of this: check that it is asked for.")
            if self.forward[0] == clause.sentence and not inherited:
                self._add_forward(clause, words, own)
            self.items[-1].refers |= refers
            self.items[-1].asked = self._asked(listed, clause) if inherited else self.items[-1].asked
            fresh = [
                word
                for word in words
                if word.weight == 1.0 and self.index.knows(word.lemma) and word.lemma not in {"leak", "drip", "block"}
            ]
            self.topic_sentence = clause.sentence
            self.topic = (*fresh, *(word for word in self.topic if word not in fresh))[:_TOPIC_WORDS]
        elif refers and pronoun and self.untaken and self.untaken[0].sentence == clause.sentence:
            # "The disposal is jammed, swap it out": what no task names is still what the verb is done to.
            before, about = self.untaken
            self._add_unpriced(replace(clause, start=before.start), about, actions, [], own)
        elif refers and self.items and self.items[-1].verb in actions:
            self._detail(clause, (), own)
        elif refers and pronoun and self._in_sentence(clause) and not set(actions) & GENERAL_ACTIONS:
            self.items[-1].reasons.append(_not_done(actions[0]))
            self._detail(clause, (), own)
        elif refers and not pronoun and not self._in_sentence(clause):
            self.forward = (clause.sentence, actions, own)
        elif self._heads_list(clause):
            self.heading = tuple(action for action in actions if action not in {"install", "repair"}) or actions
        elif chance >= asking.UNKNOWN_TELLS and (
            self._asks(clause, words) or self._measures_a_thing(clause, words, own)
        ):
            self._add_unpriced(clause, words, actions, named, own)
        else:
            if not own and not (self.items and self.items[-1].clause.sentence == clause.sentence):
                self.unread.append(shown(self.text[clause.start : clause.end]))
            if clause.actions or _FAULT.search(said):
                self.untaken = (clause, words)
            elif not self.items and not self.topic:
                self.topic = tuple(
                    one
                    for one in words
                    if one.weight == 1.0 and self.index.knows(one.lemma) and one.lemma not in _PREMISES
                )
            self._detail(clause, words, own)

    def _adds_to(self, clause: Clause) -> bool:
        """ "A deep clean, please add the oven": more of what was just asked for."""
        particular = self.items and set(self.items[-1].asked) - GENERAL_ACTIONS
        return bool(particular) and clause.actions == ("install",) and any(one.text in _ADDS for one in clause.tokens)

    def _digs_for(self, clause: Clause, actions: Sequence[str]) -> bool:
        """ "A new drive including dig out": what is cleared away for the new thing is no removal of it."""
        before = self.items[-1] if self.items else None
        return (
            before is not None
            and set(actions) <= {"remove", "dig"}
            and before.verb in {"install", "pave"}
            and not re.search(r"\b(?:old|existing)\b", self.text[before.clause.start : clause.end], re.IGNORECASE)
        )

    def _is_shared(self, figure: Quantity) -> bool:
        """Whether a figure that was only told may measure the work: "a 45 ft maple" measures none."""
        if figure.role is Role.LENGTH and self.text[max(0, figure.span.start - 3) : figure.span.start].endswith("a "):
            return False
        return figure.role in _SHARED_ROLES or figure.noun == "them"

    def _named(
        self, words: tuple[Word, ...], asked: tuple[str, ...], own: Sequence[Quantity], inherited: bool
    ) -> list[Match]:
        """The tasks that the words name, best first."""
        trade = self.items[-1].match.task.trade if inherited and self.items and self.items[-1].match else ""
        industry = self.industry or trade
        around = frozenset(item.match.task.trade for item in self.items[-_AROUND:] if item.match is not None)
        matches = self.index.match(words, asked, industry=industry, measured=_dimension_of(own), around=around)
        timed = any(figure.role is Role.TIME and figure.unit in {"h", "day"} for figure in own)
        amps = max((figure.value for figure in own if figure.role is Role.RATING and figure.unit == "A"), default=None)
        both = {"wall", "ceiling"} <= {word.lemma for word in words}
        if both and any("wall" in match.words and match.verb_fits for match in matches):
            # Walls and ceiling together are priced as walls, whose derivation from the room's size counts the ceiling.
            matches = tuple(sorted(matches, key=lambda match: "ceiling" in match.words and "wall" not in match.words))
        return [
            match
            for match in matches
            if self._names(match, words, inherited)
            and (asked or not match.words <= _PREMISES)
            and not (match.words <= {"move"} and self.items)
            and ("permit" not in match.words or self.permit_asked)
            # An hour of a trade is priced where hours are asked for, not where the trade is only named.
            and (timed or "hour" in match.words or not _is_hour(match.task))
            # Walls are painted and floors cleaned where somebody asks for that, not where they are only named.
            and (asked or match.verb not in {"paint", "clean", "clear"} or match.verb in match.words)
            and (amps is None or _rated(match.task) in {None, amps})
            and (match.words != {"move"} or not self._moves_a_thing(match, words))
            and (match.words.isdisjoint(_SUBSTANCES) or len(match.words) > 1 or asked or own)
        ]

    def _moves_a_thing(self, match: Match, words: Sequence[Word]) -> bool:
        """ "Relocate the panel" is no removal of a household."""
        described = self.index.described(match.task)
        return any(
            word.weight == 1.0 and self.index.knows(word.lemma) and not action_of(word.lemma)
            and word.lemma not in described | _PREMISES
            for word in words
        )  # fmt: skip

    def _announces(self, clause: Clause, words: tuple[Word, ...], own: Sequence[Quantity]) -> bool:
        """A label before a colon ("Drywall: patch 5 holes", "LOCATION: …") says what the words after it are about."""
        following = self.text[clause.end : clause.end + 12]
        dashed = (
            not clause.actions
            and _DASH_END.match(following)
            and not self._in_sentence(clause)
            and any(one.actions for one in self.clauses if one.sentence == clause.sentence)
        )
        if own or not (dashed or _LABEL_END.match(following)):
            return False
        plain_words = [token for token in clause.tokens if token.kind is Kind.WORD]
        if len(plain_words) > _LONGEST_LABEL:
            return False
        if {token.text for token in plain_words} & _KIND_LABELS and self.items:
            self.kind_of = clause.sentence
            return True
        if {token.text for token in plain_words} & _PLACE_LABELS:
            self.aside = clause.sentence
            return True
        things = tuple(word for word in words if action_of(word.lemma) not in GENERAL_ACTIONS)
        known = tuple(word for word in things if self.index.knows(word.lemma) and len(word.lemma) > _SHORTEST_THING)
        trade = next((_WORKERS[word.lemma] for word in known if word.lemma in _WORKERS), "")
        if trade:
            self.heading = (trade,)
            return True
        if clause.actions:
            if known:
                return False
            self.heading = clause.actions
            return True
        self.label = (clause.sentence, known)
        # "Alternate 1: vinyl": of what was spoken of before.
        self.topic = known or (self.topic if clause.kind is ClauseKind.OPTION else ())
        return True

    def _goes_on(self, clause: Clause) -> bool:
        """ "… painted. And all the doors": a sentence that goes on with the verb before."""
        first = self.text[max(0, clause.start - 6) : clause.start + 5].lower()
        particular = not set(self.items[-1].asked) & GENERAL_ACTIONS
        said = self.text[clause.start : clause.end][:400]
        again = (
            _AGAIN.search(said)
            if particular and not _WANTED.search(said) and len(clause.tokens) < _LONG_CLAUSE
            else None
        )
        return self.items[-1].clause.sentence == clause.sentence - 1 and (
            re.search(r"(?:^|\W)(?:and|plus)\s", first) is not None or again is not None
        )

    def _in_brackets(self, clause: Clause) -> bool:
        """The clause stands in brackets behind the words that it says more of."""
        before = self.text[max(0, clause.start - _BRACKET_REACH) : clause.start + 1]
        return before.count("(") > before.count(")")

    def _in_sentence(self, clause: Clause) -> bool:
        """An item stands before in the same sentence."""
        return bool(self.items) and self.items[-1].clause.sentence == clause.sentence

    def _says_more(self, clause: Clause, words: tuple[Word, ...], own: Sequence[Quantity]) -> bool:
        """A sentence of nouns alone that goes on about the thing before ("Double door, insulated.")."""
        if clause.actions or own or not self.items or self.heading or self.items[-1].clause.sentence >= clause.sentence:
            return False
        if "\n" in self.text[self.items[-1].clause.end : clause.start] or clause.kind is ClauseKind.OPTION:
            return False
        known = {word.lemma for word in words if self.index.knows(word.lemma)}
        said = self.text[clause.start : clause.end]
        return any(known & item.lemmas for item in self.items[-2:]) or _TO_BE.search(said) is not None

    def _add_forward(self, clause: Clause, words: tuple[Word, ...], own: Sequence[Quantity]) -> None:
        """ "22 squares tear off and re-roof": the first verb is done to what the second one names, to as much of
        it."""
        _, actions, figures = self.forward
        self.forward = (-1, (), [])
        item = self.items[-1]
        if not any(figure.role in WORK_ROLES for figure in own):
            item.figures += figures
        found = [match for match in self._named(words, actions, own, inherited=False) if match.verb in actions]
        if found and item.match is not None and found[0].task is not item.match.task:
            first = Item(clause, words, found[0].verb, found[0], (), list(item.figures), end=clause.end)
            self.items.insert(len(self.items) - 1, first)

    def _in_topic(
        self, clause: Clause, known: tuple[Word, ...], actions: Sequence[str], own: Sequence[Quantity], inherited: bool,
        named: list[Match],
    ) -> list[Match]:  # fmt: skip
        """ "The fence is down, 6 new panels": what is spoken of says which panels are meant."""
        around = tuple(replace(word, weight=_TOPIC_WEIGHT, start=-1, end=-1) for word in self.topic)
        wider = self._named(known + around, self._asked(actions, clause), own, inherited)
        best, before = named[0].words, self.items[-1].match if self.items else None
        if not self.items:
            told = {word.lemma for word in self.topic}
            about = [match for match in wider if best < match.words and match.words - best <= told and match.verb_fits]
            return [*about[:1], *named]
        if before is None or named[0].task.trade == before.task.trade or best <= _PREMISES:
            return named
        if named[0].verb in actions and named[0].verb not in GENERAL_ACTIONS:
            return named
        about = [
            match
            for match in wider
            if best < match.words
            and len(match.words) == len(best) + 1
            and match.task.trade == before.task.trade
            and match.words.isdisjoint(_SUBSTANCES)
        ]
        fitting = next((match for match in about if match.verb_fits), None)
        if fitting is not None:
            return [fitting, *named]
        return [about[0], *named] if about and not inherited else named

    def _replacement(
        self, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], own: Sequence[Quantity]
    ) -> tuple[Word, ...]:
        """ "Replace the tank heater with a tankless one": where the words after "with" name a task, that is the
        work."""
        place = next((token.end for token in clause.tokens if token.text in {"with", "for"}), 0)
        if not place or "replace" not in actions:
            return words
        new = tuple(replace(word, weight=1.0) for word in words if word.start >= place)
        found = self._named(new, ("replace",), own, inherited=False) if new else []
        if not found or not found[0].verb_fits or not found[0].exact or found[0].words <= _SUBSTANCES:
            return words
        return new + tuple(replace(word, weight=_TOPIC_WEIGHT) for word in words if word.start < place)

    def _label_words(self, clause: Clause) -> tuple[Word, ...]:
        """The words of the label that the clause stands under."""
        sentence, words = self.label
        if sentence != clause.sentence:
            return ()
        return tuple(replace(word, weight=_TOPIC_WEIGHT, start=-1, end=-1) for word in words)

    def _referred(self, words: tuple[Word, ...], actions: tuple[str, ...]) -> tuple[tuple[Word, ...], tuple[str, ...]]:
        """ "Rip out the old deck and build a new one": "one" is what the item before names, and both actions are
        meant."""
        before = self.items[-1] if self.items else None
        if before is not None and before.match is None and before.verb == "remove":
            self.items.pop()
            return before.words + words, ("remove", *actions)
        return self.topic + words, actions

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
        only_action = all(action_of(word) == word != "trim" or word == "paint" for word in match.words)
        return not (inherited and only_action)

    def _asks(self, clause: Clause, words: Sequence[Word]) -> bool:
        """Whether a clause without a known task still asks for work: a stated verb and a thing it is done to."""
        implied = {action_of(token.text) for token in clause.tokens if token.text in IMPLIED}
        told = {action_of(token.text) for token in clause.tokens if token.text not in IMPLIED}
        stated = [action for action in clause.actions if action not in implied or action in told]
        things = [
            word
            for word in words
            if word.weight == 1.0
            and not action_of(word.lemma)
            and len(word.lemma) > 2
            and word.lemma not in _VAGUE
            and word.lemma not in _NOT_WORK
        ]
        said = self.text[clause.start : clause.end][:400]
        wanted = _WANTED.search(said) is not None and not _GUESSED.search(said)
        return (bool(stated) or wanted) and bool(things)

    def _lacks_figures(self, clause: Clause, back: int = 0) -> bool:
        """The item before, in the same sentence or up to ``back`` sentences before, still waits for its quantity."""
        before = self.items[-1] if self.items else None
        return (
            before is not None
            and before.match is not None
            and before.clause.sentence >= clause.sentence - back
            and not any(figure.role in WORK_ROLES for figure in before.figures)
        )

    def _absorbs(self, best: Match, clause: Clause, own: Sequence[Quantity]) -> bool:
        """ "Re-roof, 24 squares architectural shingles": a measured, narrower kind says what the item before it was."""
        before = self.items[-1].match if self.items else None
        if before is None or before.task.trade != best.task.trade or clause.kind is not self.items[-1].clause.kind:
            return False
        if "exterior" in self.items[-1].lemmas and "exterior" not in best.words:
            return False
        if self.kind_of == clause.sentence and dimension(before.task.unit) is dimension(best.task.unit):
            return True
        if own and not self._lacks_figures(clause):
            return False
        broad = self.items[-1]
        near = broad.clause.sentence == clause.sentence or (
            broad.stated and broad.clause.sentence == clause.sentence - 1
        )
        if not own and not (before.task.default and near and before.words <= self.index.described(best.task)):
            return False
        named = {word for name in before.task.names for word in lemmas_of(name)}
        return bool(named & best.words) and dimension(before.task.unit) is dimension(best.task.unit)

    def _measures_a_thing(self, clause: Clause, words: Sequence[Word], own: Sequence[Quantity]) -> bool:
        """Without a verb, a measured thing ("120 ft of ironwork") is still asked for, even where no task answers it;
        so is a counted one in a list ("a new panel, 4 meters")."""
        if self.items and self.items[-1].clause.sentence == clause.sentence:
            nouns = {lemma(figure.noun) for figure in own if figure.role is Role.COUNT}
            things = {word.lemma for word in words if word.weight == 1.0} - _NO_THINGS_COUNTED - _VAGUE
            if nouns & things - self.items[-1].lemmas:
                return True
        starts = next((token.text for token in clause.tokens if token.kind is Kind.WORD), "")
        new_thing = starts in {"a", "an"} and self._in_sentence(clause) and not self._in_brackets(clause)
        if new_thing and self.items[-1].match is not None and len(clause.tokens) <= _LONGEST_LABEL:
            return any(word.weight == 1.0 and len(word.lemma) > 3 and word.lemma not in _VAGUE for word in words)
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
        if self._supersedes(best, clause, words):
            self._drop_last()
        if self._details_head(best, clause):
            self._drop_last()
        elif self._parts_of_room(best, clause):
            own = self._drop_last().figures + own
        if self._repeated(best, actions if not inherited else (), own, clause):
            return
        if inherited and self.items and self._walls_outside(best, clause):
            self._detail(clause, words, own)
            return
        if inherited and self._absorbs(best, clause, own):
            item = self.items[-1]
            item.match, item.figures, item.end = best, item.figures + own, clause.end
            item.detail += words
            return
        asked = self._asked(actions, clause)
        parts = self._remove_and_install(named) if asked[:1] == ("replace",) and best.verb != "replace" else [best]
        implied = {action_of(token.text) for token in clause.tokens if token.text in IMPLIED}
        for part in parts:
            others = tuple(match for match in named if match.task is not part.task and match.verb_fits)
            item = Item(clause, words, part.verb, part, others[:3], list(own), end=clause.end)
            item.inherited = inherited
            # "We supply the fixtures, you hang them: 4 pendants": the note came first.
            sentence, supplied = self.supplied
            near = sentence >= clause.sentence - 1
            item.materials_by_customer = near and bool(supplied & described(item)) and part.verb != "remove"
            item.asked = asked if actions else ()
            item.stated = not (set(clause.actions) - implied)
            if part.remark and len(parts) == 1:
                item.reasons.append(f"Check the scope: {part.remark}.")
            self.items.append(item)
            self.latest[part.task.task_id, clause.kind] = item
        self._add_second_actions(clause, words, asked, parts, own)

    def _walls_outside(self, best: Match, clause: Clause) -> bool:
        """ "Exterior repaint, 2,400 sq ft of wall": the walls are those outside."""
        before = self.items[-1].match
        outside = before is not None and "exterior" in before.words and self._in_sentence(clause)
        return before is not None and outside and best.words == {"wall"} and before.task.trade == best.task.trade

    def _supersedes(self, best: Match, clause: Clause, words: Sequence[Word]) -> bool:
        """ "The heater is leaking. Replace it": the fault was only told, the replacement is asked for."""
        before = self.items[-1] if self.items else None
        if before is not None and before.match is None:
            same = before.lemmas & {word.lemma for word in words if self.index.knows(word.lemma)}
            return before.stated and bool(same) and before.clause.sentence == clause.sentence and best.verb == "replace"
        return (
            before is not None
            and before.match is not None
            and before.stated
            and before.verb in {"repair", "service"}
            and before.clause.sentence >= clause.sentence - 1
            and (
                best.verb in {"replace", "install"}
                or _FAULT.search(self.text[before.clause.start : before.clause.end]) is not None
            )
            and bool(clause.actions)
            and _refers_back(clause, tuple(word for word in words if word.start >= clause.start), self.index)
        )

    def _parts_of_room(self, best: Match, clause: Clause) -> bool:
        """ "A 12x14 bedroom, walls and ceiling": the room is what its walls and ceiling are."""
        before = self.items[-1] if self.items else None
        return (
            before is not None
            and before.match is not None
            and self._in_sentence(clause)
            and before.match.words <= ROOMS
            and before.match.task.trade == best.task.trade
            and not best.words.isdisjoint({"wall", "ceiling"})
            and not any(figure.role is Role.COUNT and figure.value > 1 for figure in before.figures)
        )

    def _details_head(self, best: Match, clause: Clause) -> bool:
        """ "Paint the hallway (walls 45 m2, ceiling 12 m2)": the brackets say all of what stands before them."""
        before = self.items[-1] if self.items else None
        return (
            before is not None
            and before.match is not None
            and self._in_brackets(clause)
            and not self._in_brackets(before.clause)
            and before.match.task.trade == best.task.trade
            and not any(figure.role in _MEASURES for figure in before.figures)
        )

    def _drop_last(self) -> Item:
        """Take back the last item, which later words ask not to be done."""
        item = self.items.pop()
        self.latest = {key: other for key, other in self.latest.items() if other is not item}
        return item

    def _add_second_actions(
        self, clause: Clause, words: tuple[Word, ...], asked: Sequence[str], parts: Sequence[Match], own: list[Quantity]
    ) -> None:
        """ "Clean and seal the drive": each particular action is a line of its own, or is said to be missing."""
        first = parts[-1]
        # "Power wash and seal the deck": where the first task names only its verb, the thing is in the clause.
        things = set() if any(not action_of(word) for word in first.words - {"power", "pressure"}) else {
            word.lemma for word in words if word.weight == 1.0 and not action_of(word.lemma)
        }  # fmt: skip
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
                    and match.words & (first.words | things) - set(asked)
                ),
                None,
            )
            if second is None:
                self.items[-1].reasons.append(_not_done(action))
            else:
                self.items.append(Item(clause, words, action, second, (), list(own), end=clause.end))
                self.latest[second.task.task_id, clause.kind] = self.items[-1]

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
        measured = any(figure.role in WORK_ROLES for figure in own)
        listed = item.clause.sentence == clause.sentence and not self._in_brackets(clause) and item.clause is not clause
        roles = {figure.role for figure in own} & {figure.role for figure in item.figures} & WORK_ROLES
        if (
            measured
            and (roles if listed and not actions else actions)
            and any(figure.role in WORK_ROLES for figure in item.figures)
        ):
            return False
        for other in self.items[-3:] if listed else ():
            if other.clause is item.clause and not any(figure.role in WORK_ROLES for figure in other.figures):
                other.figures += own if other is not item else []
        item.figures += own
        item.detail += self.index.words(clause.tokens)
        item.end = max(item.end, clause.end) if item.clause.sentence == clause.sentence else item.end
        return True

    def _add_unpriced(
        self, clause: Clause, words: tuple[Word, ...], actions: Sequence[str], named: list[Match], own: list[Quantity]
    ) -> None:
        item = Item(clause, words, actions[0] if actions else "", None, tuple(named[:3]), list(own), end=clause.end)
        item.stated = all(token.text in IMPLIED for token in clause.tokens if action_of(token.text))
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
        start = clause.start
        before = self.items[-1] if self.items else None
        told = before is not None and before.clause.sentence == clause.sentence and (before.inherited or before.stated)
        words_here = self.index.words(clause.tokens)
        if before is not None and told and _refers_back(clause, words_here, self.index, needs_action=False):
            # "The gutters are leaking, leave them": what is left alone was named just before.
            self._drop_last()
            start = before.clause.start
        words = " ".join(self.text[start : clause.end].split()).strip(" .,-")
        if words:
            self.exclusions.append(words[:200])

    def _supply(self, clause: Clause) -> None:
        """Mark the items whose materials the customer brings: by the material's name, else the item before, else
        all."""
        if self._fits_supplied(clause):
            return
        lemmas = {word.lemma for word in self.index.words(clause.tokens)} & _MATERIALS
        said = " ".join(self.text[clause.start : clause.end].split())[:120]
        everything = re.search(r"labou?r|materials?", said, re.I) is not None and not lemmas
        things = {word.lemma for word in self.index.words(clause.tokens)} - _SUPPLY_WORDS
        related = [item for item in self.items if things & described(item)]
        if (_SUPPLIED_PRONOUN.search(said) or self._in_brackets(clause)) and self.items and not related:
            related = self.items[-1:]
        things -= {thing for thing in things if thing.isdigit()}
        if things and things <= _PACKS | _VAGUE and not related:
            related = self.items[-1:]
        told = self.index.words(clause.tokens)
        known = tuple(word for word in told if word.weight == 1.0 and self.index.knows(word.lemma))
        if things and not related and not everything and self._measures(clause) and known:
            # "Tile backsplash 30 sq ft with tile I have": what is theirs is asked to be fitted.
            related = self._supplied_clause(clause)
        if things and not related and not everything and not lemmas and self.items:
            if known and any(one.sentence == clause.sentence and one.start > clause.start for one in self.clauses):
                # "The thermostat is mine, just hook it up."
                self.topic = known
                self.supplied = (clause.sentence, frozenset(word.lemma for word in known))
            self.assumptions.append(f"The customer provides, and nothing is charged for: “{said}”.")
            return
        if lemmas and lemmas <= _ANY_PARTS and not related and self.items:
            related = [item for item in self.items if item.clause.sentence == self.items[-1].clause.sentence]
        targets = self.items if everything else related or self.items[-1:]
        if not self.items and not everything and _OWN_MATERIAL.search(said):
            # The note alone asks for nothing; it holds for what comes after it.
            self.supplied = (clause.sentence, frozenset(things & self.index.vocabulary) or frozenset(lemmas))
            return
        if not self.items:
            self.supplied = (clause.sentence, frozenset(things & self.index.vocabulary) or frozenset(lemmas))
        if not targets or _BOUGHT_THING.search(said):
            targets = self._supplied_clause(clause)
        for item in targets:
            item.materials_by_customer = item.verb != "remove"
        self.assumptions.append(f"The customer supplies materials (“{said}”): labour only is charged for those lines.")

    def _measures(self, clause: Clause) -> bool:
        """Whether the clause says how much."""
        return any(one.role in _MEASURES for one in self.figures if clause.start <= one.span.start < clause.end)

    def _fits_supplied(self, clause: Clause) -> bool:
        """ "Fit the new units supplied by us": work and supply note in one."""
        words = [token.text for token in clause.tokens]
        verbs = {
            word
            for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False)
            if action_of(word) and word not in IMPLIED and before not in _DETERMINERS and after not in {"is", "are"}
        }
        hooked = any(phrasal_action(words, position)[0] == "install" for position in range(len(words)))
        if not verbs & _FITTING and not hooked:
            return False
        before = len(self.items)
        self._work(
            replace(clause, kind=ClauseKind.WORK),
            [figure for figure in self.figures if clause.start <= figure.span.start < clause.end],
        )
        for item in self.items[before:]:
            item.materials_by_customer = item.verb != "remove"
        if len(self.items) > before:
            said = shown(self.text[clause.start : clause.end])
            self.assumptions.append(f"The customer supplies materials (“{said}”): labour only is charged for it.")
        return len(self.items) > before

    def _supplied_clause(self, clause: Clause) -> list[Item]:
        """The supply note itself holds the work ("labour only to tile a floor")."""
        self._work(
            replace(clause, kind=ClauseKind.WORK),
            [f for f in self.figures if clause.start <= f.span.start < clause.end],
        )
        return self.items[-1:]


def _fault_words(clause: Clause, said: str) -> range:
    """Where the words of a fault stand ("packed in", "runs all night"): they name no thing."""
    found = _FAULT_PHRASE.search(said)
    return range(clause.start + found.start(), clause.start + found.end()) if found else range(0)


def _layer_words(clause: Clause) -> frozenset[int]:
    """Where the words of "1 layer tear-off", "tear off 2 layers" stand."""
    said = {"layer", "layers", "tear", "off", "tearoff", "existing", "strip"}
    return frozenset(token.start for token in clause.tokens if token.text in said or token.kind is Kind.NUMBER)


def _not_done(action: str) -> str:
    return f"Also asked to {action}: no task of the catalogue does that here; it is not in the price."


@cache
def _rating_in(name: str) -> Decimal | None:
    found = re.search(r"\b(\d+) A\b", name)
    return Decimal(found.group(1)) if found else None


def _rated(task: Task) -> Decimal | None:
    """The amperes that the task's name states: work of another rating is other work."""
    return _rating_in(task.name)


def _is_hour(task: Task) -> bool:
    """An hour of a trade ("Plumber, per hour"), and not work that is priced by the hour."""
    return task.labour_only and task.unit == "h" and task.name.count(",") == 1


def _particle_verbs(clause: Clause) -> frozenset[int]:
    """Where verbs like "cut … down" and their particles stand: alone they would mean something else ("cut" the
    grass)."""
    words = [token.text for token in clause.tokens]
    found: set[int] = set()
    for position, token in enumerate(clause.tokens):
        particle = phrasal_action(words, position)[1]
        if particle > position and words[particle] in PARTICLES | {"rid", "over"}:
            found |= {token.start, clause.tokens[particle].start}
    return frozenset(found)


def _refers_back(clause: Clause, words: Sequence[Word], index: TaskIndex, *, needs_action: bool = True) -> bool:
    """A clause with an action whose only object is a pronoun, or that names no object at all."""
    if needs_action and not clause.actions:
        return False
    pronoun = any(token.text in _PRONOUNS for token in clause.tokens)
    things = {word.lemma for word in words if word.weight == 1.0 and not action_of(word.lemma)} - _PRONOUNS - _MEASURING
    if not any(token.text == "service" for token in clause.tokens):
        # "Replace with 200 A" says how large; "200 A service" is the thing itself.
        things = {thing for thing in things if not thing[0].isdigit()}
    if pronoun:
        return not any(index.knows(thing) for thing in things)
    stated = any(action_of(token.text) and token.text not in IMPLIED for token in clause.tokens)
    return needs_action and (stated or clause.actions[0] != "install") and things <= _VAGUE


def _dimension_of(figures: Sequence[Quantity]) -> Dimension | None:
    for figure in figures:
        if (
            figure.role in {Role.AREA, Role.LENGTH, Role.VOLUME, Role.MASS}
            and not figure.sides
            and figure.unit in UNITS
        ):
            return dimension(figure.unit)
    return None
