"""How likely a line is right, by how its words were read and what stands around them.

Trees that were boosted (Friedman 2001) on labelled requests say it (`tools.drafting.judging` fits them, docs/adr/
0032-lines-are-judged-by-trees.md). What they are told says nothing of the trade, so that what is learned of a fence
holds for a boiler.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path

import numpy as np
import onnxruntime

from server.domain.drafting.actions import BY_PLACE, IMPLIED, PUTS_IN, TAKES_AWAY, action_of
from server.domain.drafting.asking import PLAINLY_ASKED, WHY_MEANING
from server.domain.drafting.choosing import NONE, trade_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.combining import PLACES
from server.domain.drafting.cues import BARE_CONDITION, WHAT_IT_COSTS
from server.domain.drafting.items import Item, Measured, inside
from server.domain.drafting.lists import says_also
from server.domain.drafting.matching import GENERAL_ACTIONS, ROOMS, Match, Word, lemma
from server.domain.drafting.naming import BY_CHANCE, orders_by_name
from server.domain.drafting.numbers import NUMBER_WORDS, Kind, Token
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import WORK_ROLES, Role
from server.domain.drafting.requesting import plainly_asks, plainly_wants
from server.domain.drafting.telling import FAULT, MEASURES, PREMISES, SIZES, TROUBLE, VAGUE, is_in_trouble
from server.domain.drafting.verbs import is_imperative
from server.domain.units import dimension

TREES = Path(__file__).with_name("judging.onnx")
#: Below this chance a line is none: the draft names its words instead.
NO_LINE = 0.47
#: The same for work that no task answers.
NO_UNKNOWN = 0.4
#: Below this a line charges nothing: it is shown as an option.
NO_CHARGE = 0.6
#: The same for what is asked for in so many words and by its name.
NO_PLAIN_CHARGE = 0.5
#: The chance from which a command surely means its task.
LIKELY_MEANT = 0.6
#: The chance from which a command alone may mean its task.
MAY_MEAN = 0.2
#: What a thing behind a label is asked for with at least.
LISTED_ASKS = 0.25
#: From this chance on a clause surely asks, and surely means no trade's work.
_SURELY = 0.7
#: From this chance on a clause asks that does so in so many words.
_RATHER = 0.6
#: Words before a command.
_LEADS = frozenset({"and", "also", "plus", "then", "please"})
#: What the next thing of a list stands behind.
_JOINTS = frozenset({",", "and", ", and", "&", "+", "plus"})
#: What a thing of a list begins with, beside figures.
_BEGINS_THING = NUMBER_WORDS | {"an", "the", "new", "both"}
#: What joins the next thing of an order.
_AND_THE = re.compile(r",? ?(?:and|&|plus)(?: also)? (?:the|my|our|both|an?) |/(?=[a-z])", re.IGNORECASE)
#: "3 windows - replace": what stands before the verb of a row that ends with it.
_BEFORE_LAST_VERB = re.compile(r"\s[-–—]\s+[a-z]+\W*\Z|:\s+[a-z]+\W*\Z", re.IGNORECASE)
#: What joins what comes with a thing to it.
_WITH = re.compile(r"\s*(?:with|w/)\s*(?:an? |new )*", re.IGNORECASE)
#: "Needs someone to put it up".
_WANTS_SOMEBODY = re.compile(r"\b(?:needs?|wants?|looking for) (?:someone|somebody) to\b", re.IGNORECASE)
#: "The one in the bathroom won't shut off".
_ANOTHER_ONE = re.compile(r"(?:and )?(?:(?:the|my|our) )?(?:other )?one (?:in|at|on|by|upstairs|downstairs|out)\b")
#: What is asked for both that were told of, and characters within which it stands.
_FIX_BOTH = re.compile(
    r"\b(?:fix|repair|sort|mend) both\b|\bboth (?:of (?:them|these) )?need (?:to be )?(?:fix|repair|sort|look)",
    re.IGNORECASE,
)
_RIGHT_BEHIND = 80
#: What somebody says who wants something.
_WANTING = frozenset(
    ["want", "wants", "wanted", "need", "needs", "needed", "like", "please", "quote", "price", "looking", "after",
     "pls", "plz", "request", "would", "can", "could", "should", "must", "gotta", "gonna", "hoping", "add", "replace",
     "install", "fit", "remove", "clean", "paint", "repair", "fix"]
)  # fmt: skip
#: What speaks of a new thing, of one that is there, of how old it is, of how it is, and of what became of it.
_NEW = frozenset({"new", "another", "additional", "extra", "fresh", "replacement", "proper"})
_OLD = frozenset(
    ["old", "existing", "current", "original", "previous", "present", "currently", "still", "already", "now"]
)  # fmt: skip
_AGES = frozenset({"years", "yrs", "year", "yr", "old", "ago", "since", "1980s", "1970s", "1990s", "last"})
_STATES = frozenset(
    ["is", "are", "was", "were", "has", "have", "had", "'s", "s", "'re", "sits", "runs", "stands", "got", "theres",
     "there", "its"]
)  # fmt: skip
_PAST = frozenset(
    ["broke", "broken", "cracked", "failed", "died", "dead", "leaking", "leaks", "rotted", "rotten", "rusted", "loose",
     "stained", "worn", "installed", "replaced", "built", "done", "painted", "fixed"]
)  # fmt: skip
_YEAR = re.compile(r"(?:19[4-9]|20[0-3])\d")
#: "Do you guys do toilet replacement", "replaced this week".
_WHO_AND_WHEN = frozenset({"guy", "day", "week", "year"})
#: Tokens that are said, and no signs.
_SAID = frozenset({Kind.WORD, Kind.NUMBER})
#: What may stand before a thing.
_DETERMINERS = frozenset(
    ["a", "an", "the", "our", "my", "your", "new", "this", "that", "these", "those", "existing", "old", "both", "all",
     "number"]
)  # fmt: skip
#: Things listed behind what asks for them.
_LISTED = 8
#: "We'd like prices for:", "work needed:", "please quote:".
_WANTS_ALL = re.compile(
    r"\b(?:need(?:s|ed)?|want(?:s|ed)?|like|require[sd]?|prices?|pricing|quotes?|estimates?|looking for|how much)\b",
    re.IGNORECASE,
)
#: "Budget number for owner:", "rough price for:": of what is told in a few words, before there are plans.
_PRICED = re.compile(
    r"\b(?:budget|ballpark|rough)(?: \w+)? (?:number|figure|price|pricing|quote|estimate|cost)s?\b", re.IGNORECASE
)
#: Clauses of a list below what heads it.
_LONGEST_LIST = 24
#: Items before and after that are looked at.
_NEAR = 3
#: How far a match is before the next where there is no other.
_NO_OTHER = 9.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """How likely the work of a line is asked for, and that its quantity is right as well; 0–1."""

    work: float
    line: float

    @property
    def confidence(self) -> Decimal:
        """The chance of the line, two decimals."""
        return Decimal(str(round(min(self.work, self.line), 2)))


class Judge:
    """Judges the items of one request that was read in full."""

    def __init__(self, so_far: Progress, items: Sequence[Item]) -> None:
        self._read = so_far
        self._items = items
        self._numbers = so_far.places
        #: The first item of each clause, by where that starts.
        self._first_of = {item.clause.start: item for item in reversed(items)}
        self._asks = np.array([so_far.chances.get(clause.start, 1.0) for clause in so_far.clauses])
        #: How likely its clauses ask on average; a request without any has no items.
        self._mean = float(self._asks.mean()) if so_far.clauses else 0.0
        #: Which clauses want something in so many words, and of each sentence how many do.
        self._wants = [clause.commands or _wants_something(clause.tokens) for clause in so_far.clauses]
        self._wanting = Counter(
            clause.sentence for clause, wants in zip(so_far.clauses, self._wants, strict=True) if wants
        )

    def judged(self, amounts: Sequence[Measured]) -> list[Judgement]:
        """How likely each item is right, with what it came to. What an answer asks for or tells of is asked for: only
        how it was measured is less sure."""
        rows = [self.features(place, measured) for place, measured in enumerate(amounts)]
        return [
            self._judged(item, measured, one)
            for item, measured, one in zip(self._items, amounts, trees().chances(rows), strict=True)
        ]

    def _judged(self, item: Item, measured: Measured, chances: Mapping[str, float]) -> Judgement:
        if self._is_answered(item):
            return Judgement(1.0, float(measured.confidence))
        if item.match is None:
            return Judgement(chances["unknown"], chances["unknown"])
        return Judgement(chances["work"], chances["line"])

    def is_none(self, place: int, judgement: Judgement) -> bool:
        """Whether the item is too doubtful for a line. The only work that was read is not, nor what a command asks for
        by its name and number or that no task answers, nor what the command right before is for, nor what was asked
        about and answered, nor anything where the catalogue has too few words to tell; of the rest, what is only named
        before its fault is."""
        item = self._items[place]
        tokens = _told(item.clause)
        first = tokens[0].text if tokens else ""
        asked = (first in {"need", "needs"} and item.clause.actions == ("move",)) or (
            tuple(token.text for token in tokens[:2]) in TAKES_AWAY and item.clause.actions == ("remove",)
        )
        commanded = is_imperative(tokens) and not first.endswith("tion")  # "Inspection response"
        if item.match is None and tokens and (first in BY_PLACE or commanded or asked):
            return False
        if self._is_sure(item) or (item.match is not None and len(self._items) == 1) or self._heads_request(item):
            return False
        if self._is_only_named(place):
            return True
        if self._tells_why(item) or self._is_priced_by_label(item):
            return False
        option = item.match is not None and item.clause.kind is ClauseKind.OPTION
        if option and (_is_named_alone(item) or (item.refers and item.clause.plainly_asks)):
            return False  # "Alternate: metal roof"; "can you quote a second one as an optional extra?"
        if option and (self._is_priced_instead(item) or self._is_behind_condition(item)):
            return False
        if item.clause.commands:
            # What a request begins with and tells how much of ("Repaint the front, 60 m2 … Also …"), and what a command
            # surely means, is an option at least.
            measured = place == 0 and any(one.role in WORK_ROLES for one in item.figures)
            if measured or self._means(item) >= LIKELY_MEANT:
                return False
        return judgement.work < (NO_LINE if item.match is not None else NO_UNKNOWN)

    def _is_priced_by_label(self, item: Item) -> bool:
        """ "Budget number for owner: kitchen cabinets + LVP on the main level + paint": a work by its name, behind a
        label that asks for the price of what it lists."""
        clause, match = item.clause, item.match
        if match is None or not match.exact or clause.kind is not ClauseKind.WORK:
            return False
        label = self._label_of(clause)
        if label is None or label.stated - {""}:
            return False
        return (
            self._asking(clause) >= LISTED_ASKS and _PRICED.search(self._read.text, label.start, label.end) is not None
        )

    def _tells_why(self, item: Item) -> bool:
        """ "The gutters are full": a trouble that can but be told to have it seen to (`asking`), whatever else is asked
        for."""
        number, match = self._numbers.get(item.clause.start), item.match
        if number is None or match is None or self._read.meant is None or item.clause.actions or item.verb in PUTS_IN:
            return False
        likeliest, _ = self._read.meant.likeliest(number)
        meant = trade_of(likeliest) == match.task.trade
        meant = meant and self._means_trade(item.clause, match.task.trade, WHY_MEANING)
        if not meant or self._asks[number] < PLAINLY_ASKED:
            return False
        return TROUBLE.search(self._read.text[item.clause.start : item.clause.end].lower()) is not None

    def _is_priced_instead(self, item: Item) -> bool:
        """ "What would metal come to instead?": the price of another way of the work before, by its name."""
        clause, match = item.clause, item.match
        if match is None or not match.exact or match.remark == BY_CHANCE or item is self._items[0]:
            return False
        said = self._read.text[clause.start : clause.end]
        return WHAT_IT_COSTS.match(said) is not None and any(token.text == "instead" for token in clause.tokens)

    def _is_behind_condition(self, item: Item) -> bool:
        """ "If the slabs are too dear then gravel": what is wanted in that case, by its name."""
        clause, number = item.clause, self._numbers.get(item.clause.start)
        before = self._read.clauses[number - 1] if number else clause
        if item.match is None or not item.match.exact or before.sentence != clause.sentence:
            return False
        return BARE_CONDITION.fullmatch(self._read.text, before.start, before.end) is not None

    def only_line(self, judged: Sequence[Judgement]) -> int:
        """The place of the likeliest repair, which stays as an option of a request whose works are all too doubtful for
        a line, where a fault is told ("no hot water, the pilot won't stay lit"); else -1."""
        mended = [place for place, item in enumerate(self._items) if item.match is not None and self._is_fault(item)]
        return max(mended, key=lambda place: judged[place].work, default=-1)

    def _is_fault(self, item: Item) -> bool:
        clause = item.clause
        return (
            self._asking(clause) >= NO_PLAIN_CHARGE
            and item.verb == "repair"
            and FAULT.search(self._read.text[clause.start : clause.end].lower()) is not None
        )

    def is_doubtful(self, place: int, judgement: Judgement) -> bool:
        """Whether the item is a line that nothing should be charged for before somebody has looked at it."""
        item = self._items[place]
        if item.match is None or judgement.work >= NO_CHARGE or self._is_sure(item):
            return False
        behind = (one for one in self._read.clauses if one.start >= item.clause.start and one.kind is ClauseKind.WORK)
        if len(self._items) == 1 and item.refers and any(map(_asks_for_it, behind)):
            return False  # "I bought a toilet, please install it", "the panel stopped working. Can you replace it?"
        return judgement.work < NO_PLAIN_CHARGE or not self._is_plain(item)

    def asks_for_another(self, item: Item) -> bool:
        """Whether the clause of an item that is none asks in so many words for work that was learned to be no trade's
        of the catalogue: "we need our grease trap pumped"."""
        number = self._numbers.get(item.clause.start)
        if number is None or self._read.meant is None or item.clause.kind is not ClauseKind.WORK:
            return False
        asks = self._asks[number] >= _RATHER and item.clause.plainly_asks and not item.clause.commands
        return bool(asks) and self._read.meant.chance(number, NONE) >= _SURELY

    def _is_answered(self, item: Item) -> bool:
        """Whether an answer of the customer asks for the item, or tells of it: its words may be none of the request,
        of whose clauses alone something was learned."""
        return bool(item.answers or item.asked_at) or item.clause.start >= self._read.length

    def _asking(self, clause: Clause) -> float:
        """How likely a clause asks for work; what an answer says always does."""
        return self._read.chances.get(clause.start, 1.0)

    def _is_sure(self, item: Item) -> bool:
        """Whether the item is beyond doubt, or nothing can be said of it."""
        if self._is_answered(item):
            return True
        # "New boiler needed. I've got a thermostat here which can go in the same day".
        brought = item is not self._items[0] and item.materials_by_customer
        # "I have a sign being made …, needs someone to put it up".
        to_fit = item.refers and _WANTS_SOMEBODY.search(self._read.text, item.clause.start, item.clause.end) is not None
        brought = brought and (to_fit or self._read.brings_to_be_fitted(item.clause))
        noted = _is_noted(item) or self._is_of_both(item)
        noted = noted or self._is_asked_again(item) or self._is_one_more(item)
        noted = noted or self._is_second(item) or self._is_headed(item) or self._is_counted_on(item)
        noted = noted or self._is_joined_below(item)
        ordered = _is_ordered(item) or self._is_commanded(item) or self._is_ordered_by_name(item)
        ordered = ordered or self._goes_on_with_order(item) or self._is_row_with_verb(item)
        ordered = ordered or self._is_all_that_is_asked(item)
        ordered = ordered or self._is_named_next(item) or self._is_new_with(item)
        ordered = ordered or self._is_listed_by_name(item) or item.goes
        return brought or noted or not self._read.chances or ordered

    def _is_only_named(self, place: int) -> bool:
        """ "Title: tap in the bathroom. Description: hot tap won't turn off": a thing without a verb or a figure, right
        before what is wrong with it is told."""
        item, after = self._items[place], self._items[place + 1 : place + 2]
        if item.match is None or not after or after[0].match is None or item.clause.actions:
            return False
        if item.clause.plainly_asks:
            return False  # "Pool needs to be opened this month. Pump is shot"
        if after[0].match.task is item.match.task or after[0].match.task.trade != item.match.task.trade:
            return False
        number, behind = self._numbers.get(item.clause.start), self._numbers.get(after[0].clause.start)
        near = number is not None and behind == number + 1
        same = not (item.match.words & after[0].match.words).issubset(ROOMS)
        counted = any(one.role in WORK_ROLES for one in item.figures)
        return near and same and not counted and after[0].verb == "repair" and item.verb != "repair"

    def _heads_request(self, item: Item) -> bool:
        """ "End of tenancy clean, Leeds LS6, 5 bed student house. Checkout is …": the name alone of what is to be done,
        with its own verb, at the very beginning."""
        match, clause = item.match, item.clause
        if match is None or not match.exact or clause is not self._read.clauses[0] or match.verb in GENERAL_ACTIONS:
            return False
        if not match.things - ROOMS:
            return False  # "Painting. 5 interior doors …"
        here = {word.lemma for word in item.words if word.start >= clause.start and word.weight == 1.0}
        known = {one for one in here if self._read.index.knows(one) and not action_of(one)} - VAGUE - PREMISES
        told_on = any(
            one is not item
            and one.match is not None
            and one.match.task.trade == match.task.trade
            and (one.clause.sentence == clause.sentence or not one.match.words.isdisjoint(match.things))
            and self._read.chances.get(one.clause.start, 1.0) >= NO_PLAIN_CHARGE
            for one in self._items
        )
        return match.verb in clause.actions and not clause.commands and known <= match.words and not told_on

    def _is_of_both(self, item: Item) -> bool:
        """ "The toilet runs and the shower head drips. Fix both please"."""
        match = item.match
        if match is None or not match.exact or match.verb != "repair" or item.clause.kind is not ClauseKind.WORK:
            return False
        return _FIX_BOTH.search(self._read.text, item.clause.end, item.clause.end + _RIGHT_BEHIND) is not None

    def _is_one_more(self, item: Item) -> bool:
        """ "The kitchen faucet drips and the one in the bathroom won't shut off": another of the things that the words
        right before tell a trouble with, and its own."""
        clause, match, number = item.clause, item.match, self._numbers.get(item.clause.start)
        if match is None or match.verb != "repair" or clause.kind is not ClauseKind.WORK or not number:
            return False
        before = self._first_of.get(self._read.clauses[number - 1].start)
        if before is None or before.match is None or before.match.task is not match.task:
            return False
        said = self._read.text[clause.start : clause.end].lower()
        together = before.clause.sentence == clause.sentence and self._asks[number - 1] >= LISTED_ASKS
        return bool(together) and _ANOTHER_ONE.match(said) is not None and is_in_trouble(said)

    def _is_asked_again(self, item: Item) -> bool:
        """ "… And the same in the hall, 4x10": what the words before it ask for, which are not asked for in vain."""
        return item.again and self._asking(item.clause) >= LISTED_ASKS

    def _is_headed(self, item: Item) -> bool:
        """ "Decorating: living room 14x18, 8 doors": so much of a thing by its name, behind a label that tells the
        verb, or the trade."""
        clause, match = item.clause, item.match
        if match is None or not match.exact or clause.actions or match.verb != item.verb:
            return False
        if not any(one.role in WORK_ROLES and inside(one, clause) for one in item.figures):
            return False
        if self._read.chances.get(clause.start, 1.0) < LISTED_ASKS:
            return False
        label = self._label_of(clause)
        if label is None:
            return False
        # "Landscape: 12 yds mulch, 30 shrubs"
        return item.verb in label.actions or self._means_trade(label, match.task.trade)

    def _label_of(self, clause: Clause) -> Clause | None:
        """The label before a colon that the sentence of a clause begins with, None of the label itself."""
        number = self._numbers.get(self._read.sentence_of(clause)[0])
        first = clause if number is None else self._read.clauses[number]
        return first if first is not clause and self._read.labels(first) else None

    def _is_counted_on(self, item: Item) -> bool:
        """ "Remove 3 oaks and 2 maples", "install a fan and 2 lights": so many of a thing by its name, which the list
        of a command goes on with."""
        clause, match, number = item.clause, item.match, self._numbers.get(item.clause.start)
        if match is None or not match.exact or match.remark == BY_CHANCE or not item.inherited:
            return False
        count = next((one for one in item.figures if one.role is Role.COUNT and inside(one, clause)), None)
        if count is None or count.span.start > clause.start or lemma(count.noun) not in match.words:
            return False
        while number and self._read.clauses[number - 1].sentence == clause.sentence:
            before = self._read.clauses[number - 1]
            joint = self._read.text[before.end : self._read.clauses[number].start].strip().lower()
            counted = any(one.role is Role.COUNT for one in self._read.figures_in(before.start, before.end))
            if joint not in _JOINTS or (joint == "," and not counted):
                return False  # "add a patio cover, 4 posts on piers"
            if before.actions:
                return before.commands and match.verb in before.actions
            number -= 1
        return False

    def _means_trade(self, clause: Clause, trade: str, least: float = _SURELY) -> bool:
        """Whether a clause surely means work of a trade, whichever."""
        number, meant = self._numbers.get(clause.start), self._read.meant
        return number is not None and meant is not None and meant.chance_of_trade(number, trade) >= least

    def _is_second(self, item: Item) -> bool:
        """ "Strip the wallpaper and repaint", "remove wallpaper, 400 sf, repaint": the second of two particular verbs
        that are commanded, whatever the words were learned to mean."""
        clause = item.clause
        if item.match is None or item.match.verb != item.verb or item.verb in GENERAL_ACTIONS or not clause.commands:
            return False
        first = self._first_of.get(clause.start, item)
        alone = item.refers and len(_told(clause)) == 1 and self._means(item) >= MAY_MEAN
        alone = alone and self._read.text[clause.end : clause.end + 1] != ":"
        return (alone or first is not item) and item.verb in clause.actions and item.verb in clause.stated

    def _means(self, item: Item) -> float:
        """How likely the clause of an item means its task."""
        number = self._numbers.get(item.clause.start)
        if item.match is None or number is None or self._read.meant is None:
            return 0.0
        return self._read.meant.chance(number, item.match.task.work)

    def _is_plain(self, item: Item) -> bool:
        """ "Please replace the toilet and the bathroom sink", "mice under the deck, please treat": asked for by its
        name and in so many words, of its own or of what it is listed behind; "two toilets to replace and one faucet":
        counted behind what surely asks."""
        match = item.match
        if match is None or not (match.exact or item.refers or match.words <= ROOMS | {match.verb}):
            return False
        clauses = self._read.clauses
        number = own = self._numbers.get(item.clause.start, -1)
        if own < 0:
            return True  # what an answer asks for
        begins = _begins_thing(clauses[own].tokens)
        for _ in range(_LISTED):
            one = clauses[number]
            if (
                one.plainly_asks
                or plainly_wants(one.tokens)
                or (begins and number < own and self._asks[number] >= NO_CHARGE)
            ):
                return True
            noted = one.kind is ClauseKind.SUPPLY
            verb = one.actions and not (begins and number == own) and not noted
            if verb or not number or clauses[number - 1].sentence != one.sentence:
                break
            number -= 1
        return self._asked_behind(own)

    def _asked_behind(self, number: int) -> bool:
        """Whether the clause right behind asks in so many words, and for nothing of its own."""
        clauses = self._read.clauses
        if number + 1 >= len(clauses) or clauses[number + 1].sentence != clauses[number].sentence:
            return False
        behind = clauses[number + 1]
        return behind.plainly_asks and all(one.clause is not behind for one in self._items)

    def _is_ordered_by_name(self, item: Item) -> bool:
        """ "Repair the fence", "could you service the furnace": an order with its own verb and its name alone, whatever
        else the request has."""
        match, clause = item.match, item.clause
        return match is not None and clause.kind is ClauseKind.WORK and orders_by_name(clause, match, self._read.index)

    def _is_all_that_is_asked(self, item: Item) -> bool:
        """ "Would you mind replacing our toilet", "do you do toilet replacement? How much?": the only work of a request
        that asks for it in so many words, with its own verb and its name alone, whatever it was learned to mean."""
        match, clause = item.match, item.clause
        if match is None or len(self._items) > 1 or clause.kind is not ClauseKind.WORK or not match.exact:
            return False
        asked = self._asking(clause) >= PLAINLY_ASKED
        own_verb = match.verb_fits and not match.remark and match.verb in clause.actions
        return asked and own_verb and self._says_only_its_name(item, match, placed=True)

    def _goes_on_with_order(self, item: Item) -> bool:
        """ "Stain the deck and the fence", "replace the disposal/thermostat", "clean the gutters. Plus the windows, 12
        of them": the name of another thing that the verb of the order before is done to; behind a stop one of a
        particular verb, or where nothing else is said ("The toilet too please")."""
        match, clause, number = item.match, item.clause, self._numbers.get(item.clause.start)
        if match is None or not match.exact or not (item.inherited or clause.ending):
            return False
        if match.verb not in item.asked and match.words.isdisjoint(item.asked):
            return False  # "tile the backsplash and the kitchen floor" cleans none
        if match.remark and not says_also(self._read, clause):
            return False
        if clause.ending or (item.headed and self._is_of_list(clause)):
            # "I'd like the shed and the deck removed", "remove: / - shed / - deck".
            first = self._places_of.get(_kind(item), [0])[0]
            return self._items[first] is item and self._says_only_its_name(item, match, placed=True)
        begins, _ = self._read.sentence_of(clause)
        anew, also = begins == clause.start, says_also(self._read, clause)
        if anew and match.verb in GENERAL_ACTIONS and not also:
            return False
        if not anew and not (number and _AND_THE.match(self._read.text, self._read.clauses[number - 1].end)):
            return False
        if not self._says_only_its_name(item, match, placed=also or not anew):
            return False
        behind = clause.sentence - anew
        before = (one for one in self._items if one.clause.sentence == behind and one.clause.start < clause.start)
        return any(_asks_for_it(one.clause) and not set(one.asked).isdisjoint(item.asked) for one in before)

    def _is_row_with_verb(self, item: Item) -> bool:
        """ "3 windows - replace": so many of a thing by its name, and behind a dash the verb alone."""
        match, clause = item.match, item.clause
        if match is None or not match.exact or clause.kind is not ClauseKind.WORK or match.verb not in clause.actions:
            return False
        dashed = _BEFORE_LAST_VERB.search(self._read.text[clause.start : clause.end]) is not None
        verb = dashed and action_of(clause.tokens[-1].text) == match.verb
        counted = any(one.role in WORK_ROLES and inside(one, clause) for one in item.figures)
        begins = clause.tokens[0].kind is Kind.NUMBER and counted
        return verb and begins and self._says_only_its_name(item, match)

    def _is_named_next(self, item: Item) -> bool:
        """ "Replace faucet. Toilet": a sentence that is but the name of a thing, right behind a command for
        another thing by its name alone."""
        match, clause = item.match, item.clause
        place = self._places_of.get(_kind(item), [0])[0]
        if match is None or not match.exact or match.remark or clause.actions or item.figures or not place:
            return False
        before, begins = self._items[place - 1], self._read.sentence_of(clause)
        ordered = before.clause.commands and self._read.sentence_of(before.clause) == (
            before.clause.start,
            before.clause.end,
        )
        near = before.clause.sentence == clause.sentence - 1 and begins == (clause.start, clause.end)
        if not near or not ordered or before.match is None or not {before.verb, item.verb} <= PUTS_IN:
            return False
        if match.task.unit != "each" or before.match.task.unit != "each" or not match.words.isdisjoint(before.lemmas):
            return False
        named = self._says_only_its_name(item, match) and self._says_only_its_name(before, before.match)
        return named and min(self._means(item), self._means(before)) >= LIKELY_MEANT

    def _is_joined_below(self, item: Item) -> bool:
        """ "Please quote painting: hall 4x20, …, walls and trim": joined to the thing before, behind a label that tells
        its verb, and surely asked for."""
        match, clause = item.match, item.clause
        before, label = self._read.before_in_sentence(clause), self._label_of(clause)
        if match is None or before is None or label is None or before is label or clause.actions:
            return False
        joined = self._read.text[before.end : clause.start].strip().lower() in {"and", "&"}
        fits = (
            item.verb == match.verb in label.actions
            and match.verb not in GENERAL_ACTIONS
            and match.words > {match.verb}
            and any(
                one.match is not None and one.match.task.trade == match.task.trade
                for one in self._items
                if one.clause.sentence == clause.sentence and one.clause.start < clause.start
            )
        )
        return fits and joined and self._asking(clause) >= _SURELY

    def _is_new_with(self, item: Item) -> bool:
        """ "New furnace with humidifier": a new thing by its name alone, and what it is to come with."""
        match, clause = item.match, item.clause
        behind = self._read.behind(clause)
        if match is None or behind is None or not match.exact or match.remark or clause.tokens[0].text != "new":
            return False
        joined = _WITH.fullmatch(self._read.text, clause.end, behind.start) is not None
        return (
            joined
            and self._asking(clause) >= NO_CHARGE
            and match.verb in PUTS_IN
            and self._says_only_its_name(item, match)
        )

    def _is_of_list(self, clause: Clause) -> bool:
        """Whether a clause is a line, or stands on one behind the verb of all it lists ("Please fix: toilet, sink")."""
        begins = self._read.text.rfind("\n", 0, clause.start) + 1
        alone = not any(one.isalnum() for one in self._read.text[begins : clause.start])
        return alone or self._read.said_of_line[0] == clause.sentence

    def _says_only_its_name(
        self, item: Item, match: Match, *, placed: bool = False, rooms: frozenset[str] = ROOMS
    ) -> bool:
        """Whether the known words of an item's clause, but for verbs, are those of the name of its task, which is not
        only of ``rooms``, and perhaps tell where that is ``placed``."""
        here = {word.lemma for word in item.words if word.start >= item.clause.start and word.weight == 1.0}
        known = {one for one in here if self._read.index.knows(one) and not action_of(one)} - VAGUE - _WHO_AND_WHEN
        # "Stain" is a thing elsewhere.
        named = {one for one in match.words if not action_of(one)}.difference(item.asked)
        more = PLACES | self._read.index.described(match.task) if placed else frozenset[str]()
        return bool(named - rooms) and named <= known <= named | more

    def _is_listed_by_name(self, item: Item) -> bool:
        """ "We need 4 outlets and a deck, 200 sq ft", "we'd like prices for: / - a new boiler": its name alone, in a
        list behind what asks for all of it."""
        match, clause = item.match, item.clause
        if match is None or not match.exact or clause.kind is not ClauseKind.WORK:
            return False
        if match.verb == "repair" or match.remark not in {"", BY_CHANCE}:
            return False  # "3 hinges each"
        first = clause.tokens[0]
        another = first.kind is Kind.NUMBER or first.text in {"a", "an", "new"}
        if clause.stated - {""} or not another:
            return False
        # "A new bath" in a list is the tub.
        if not self._says_only_its_name(item, match, rooms=ROOMS - {"bath"}):
            return False
        number = self._numbers.get(clause.start)
        if number is None:
            return False
        # "Bathroom refit: new bath, toilet and basin"
        label = self._label_of(clause)
        below = (label is not None and bool(label.actions)) or any(self._wants_all(one) for one in self._ahead(number))
        if self._asks[number] >= _SURELY and below:
            return True
        return self._asks[number] >= LISTED_ASKS and self._is_below_wants(number)

    def _ahead(self, number: int) -> Iterator[Clause]:
        """The clauses before one in its sentence, up to the first that has a verb."""
        clauses = self._read.clauses
        while number and clauses[number - 1].sentence == clauses[number].sentence:
            number -= 1
            yield clauses[number]
            if clauses[number].stated - {""}:
                break

    def _wants_all(self, clause: Clause) -> bool:
        """ "We need 4 new outlets", "how much for a toilet": wants what it has without a verb of its own."""
        said = _WANTS_ALL.search(self._read.text, clause.start, clause.end)
        return said is not None and not clause.stated - {""}

    def _is_below_wants(self, number: int) -> bool:
        """ "We'd like prices for:", on a line of its own above the lines of a list."""
        clauses, text = self._read.clauses, self._read.text
        for at in range(number - 1, max(-1, number - _LONGEST_LIST), -1):
            between = text[clauses[at].end : clauses[at + 1].start]
            if between.count("\n") > 1:
                return False
            if between.lstrip().startswith(":"):
                return "\n" in between and self._wants_all(clauses[at])
        return False

    def _is_commanded(self, item: Item) -> bool:
        """ "Repaint a 12x14 ft bedroom, walls and ceiling": says what of the thing the command right before is for."""
        number = self._numbers.get(item.clause.start)
        if not number or not item.inherited:
            return False
        before = self._read.clauses[number - 1]
        return (
            before.sentence == item.clause.sentence
            and is_imperative(_told(before))
            and all(one.clause is not before for one in self._items)
        )

    def features(self, place: int, measured: Measured) -> dict[str, float]:
        """What is weighed of the item at ``place``, by its name; 0 for what is not named."""
        item = self._items[place]
        words = [
            word
            for word in item.words
            if word.start >= item.clause.start
            and word.weight == 1.0
            and not action_of(word.lemma)
            and word.lemma not in VAGUE
            and len(word.lemma) > 2
            and not word.lemma.isdigit()
        ]
        found = {**_of_clause(self._read, item, words), **self._of_neighbours(item, place)}
        found |= _of_figures(item, measured) | _of_what_is_there(item, words) | self._of_wants(item)
        if item.match is not None:
            found |= _of_match(self._read, item, item.match, words)
            found |= self._of_meaning(item, item.match)
        return found

    def _of_meaning(self, item: Item, match: Match) -> dict[str, float]:
        """What the clause of an item was learned to mean, and how likely those around, and any other, ask for the same
        work: then one of them only tells of it."""
        number = self._numbers.get(item.clause.start)
        meant = self._read.meant
        if meant is None or number is None:
            return {}
        tasks = {match.task.work}
        # "The small tree": of sizes the plain name may be the likelier.
        if item.clause.actions:
            tasks.update(f"{match.task.work}-{size}" for size in SIZES)
        plain_name = match.task.work.rpartition("-")[0]
        if plain_name in self._read.index.catalogue.tasks:
            tasks.add(plain_name)
        fitting = self._read.index.catalogue.fitted_only(match.task)
        if fitting is not None and item.materials_by_customer:
            tasks.add(fitting.task_id)
        likeliest, _ = meant.likeliest(number)
        means = max(meant.chance(number, one) for one in tasks)
        asked = (meant.chances_of(match.task.work) * self._asks).tolist()
        own, asked[number] = asked[number], 0.0
        return {
            "means it": means,
            "means it most": likeliest in tasks,
            "asks for it": float(self._asks[number]) * means,
            "before asks for it": asked[number - 1] if number else 0.0,
            "after asks for it": asked[number + 1] if number + 1 < len(asked) else 0.0,
            "elsewhere asks for it": max(asked),
            "elsewhere asks more": max(asked) > own,
        }

    def _of_wants(self, item: Item) -> dict[str, float]:
        """Whether the clause, its sentence, and those around, want something in so many words, and whether another
        clause that does means a work of the same trade: then this one may tell what there is."""
        clause, number = item.clause, self._numbers.get(item.clause.start)
        if number is None:
            return {}
        own = self._wants[number]
        found: dict[str, float] = {
            "wants": own,
            "sentence wants": self._wanting[clause.sentence] - own,
            "sentence before wants": self._wanting[clause.sentence - 1],
            "sentence behind wants": self._wanting[clause.sentence + 1],
            "request wants": self._wanting.total() / max(1, len(self._wants)),
        }
        if item.match is not None:
            wanted = self._trades_wanted[item.match.task.trade]
            found["trade wanted elsewhere"] = max((wanted[at] for at in wanted if at != number), default=0.0)
        return found

    @cached_property
    def _trades_wanted(self) -> Mapping[str, Mapping[int, float]]:
        """By the trade of their likeliest task the clauses that want something, with the chance of that task."""
        found: defaultdict[str, dict[int, float]] = defaultdict(dict)
        if self._read.meant is not None:
            for number, wants in enumerate(self._wants):
                task_id, chance = self._read.meant.likeliest(number)
                if wants:
                    found[trade_of(task_id)][number] = chance
        return found

    @cached_property
    def _places_of(self) -> dict[tuple[str, int], list[int]]:
        """Where each task is asked for, in each place of the request: in another it is asked for once more."""
        found: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for place, item in enumerate(self._items):
            if item.match is not None:
                found[_kind(item)].append(place)
        return dict(found)

    def _of_neighbours(self, item: Item, place: int) -> dict[str, float]:
        clause, clauses = item.clause, self._read.clauses
        number = self._numbers.get(clause.start)
        found: dict[str, float] = {}
        if number is not None:
            for name, at in (("before", number - 1), ("after", number + 1)):
                if 0 <= at < len(clauses):
                    found[f"{name} asks"] = float(self._asks[at])
                    if clauses[at].sentence == clause.sentence:
                        found[f"{name} {clauses[at].kind.value}"] = 1
        near = [*self._items[max(0, place - _NEAR) : place], *self._items[place + 1 : place + 1 + _NEAR]]
        own = item.match.task if item.match is not None else None
        alike = self._places_of.get(_kind(item), [])
        before = bisect_left(alike, place)
        return found | {
            "items": len(self._items),
            "place": place,
            "requests": self._mean,
            "trade around": own is not None and any(one.match and one.match.task.trade == own.trade for one in near),
            "same before": before,
            "same after": max(0, len(alike) - before - 1),
            "shares its clause": any(one.clause is clause for one in near),
        }


def _kind(item: Item) -> tuple[str, int]:
    return (item.match.task.task_id if item.match is not None else "", item.section)


def _told(clause: Clause) -> list[Token]:
    """The words of a clause without those before a command."""
    return [one for one in clause.tokens if one.kind is Kind.WORD and one.text not in _LEADS]


def _begins_thing(tokens: Sequence[Token]) -> bool:
    """ "12 windows cleaned", "a humidifier", "and both sinks"."""
    first = next((one for one in tokens if one.text not in _LEADS), None)
    return first is not None and (first.kind is Kind.NUMBER or first.text in _BEGINS_THING)


def _asks_for_it(clause: Clause) -> bool:
    """A command, or a request in so many words."""
    told = _told(clause)
    return clause.orders or is_imperative(told) or plainly_asks(told) or plainly_wants(told)


def _is_ordered(item: Item) -> bool:
    """A command asks for so many of a thing by its name: "fit 3 ceiling fans", whatever else the request has."""
    counted = any(one.role in WORK_ROLES and inside(one, item.clause) for one in item.figures)
    return item.match is not None and item.match.exact and counted and is_imperative(_told(item.clause))


def _is_named_alone(item: Item) -> bool:
    """Whether nothing but the name of the task stands in the clause."""
    match = item.match
    words = {word.lemma for word in item.words if word.start >= item.clause.start and word.weight == 1.0}
    return match is not None and match.exact and not match.remark and len(words) > 1 and words == match.words


def _is_noted(item: Item) -> bool:
    """So many of a thing by its name, and who buys them: "9 cans - owner", "2 storm doors (you supply)", "worktop 5 m
    which you supply"."""
    if not (item.materials_by_customer or item.provided) or item.match is None or not item.match.exact:
        return False
    if item.provided and any(one.role in MEASURES and inside(one, item.clause) for one in item.figures):
        return True
    counts = [one for one in item.figures if one.role is Role.COUNT and inside(one, item.clause)]
    begins = item.clause.tokens[0].kind is Kind.NUMBER  # "we have 10 doors" tells
    return begins and not item.clause.actions and any(lemma(one.noun) in item.match.words - ROOMS for one in counts)


def _of_clause(so_far: Progress, item: Item, words: Sequence[Word]) -> dict[str, float]:
    clause = item.clause
    said = so_far.text[clause.start : clause.end][:400]
    behind = so_far.text[clause.end : clause.end + 2].strip()[:1]
    found: dict[str, float] = {
        "asks": so_far.chances.get(clause.start, 1.0),
        "option": clause.kind is ClauseKind.OPTION,
        "length": len(clause.tokens),
        f"end {'a' if behind.isalnum() else behind}": 1,
        "starts at": clause.start / max(1, so_far.length),
        "unknown": sum(not so_far.index.knows(word.lemma) for word in words),
        "commands": clause.commands,
        "no verb": not clause.actions,
        "implied": all(not action_of(token.text) or token.text in IMPLIED for token in clause.tokens),
        "fault": FAULT.search(said) is not None,
        "inherited": item.inherited,
        "refers": item.refers,
        "brackets": so_far.in_brackets(clause),
        "labour": item.materials_by_customer,
        "sentence": clause.sentence,
        "overruled": clause.start in so_far.overruled,
        "reasons": len(item.reasons),
    }
    number = so_far.places.get(clause.start)
    if so_far.meant is not None and number is not None:
        likeliest, most = so_far.meant.likeliest(number)
        found |= {"means a task": most, "means none": likeliest == NONE}
    return found


def _wants_something(tokens: Sequence[Token]) -> bool:
    """ "We'd like", "please", "looking for a price", "needs to go"."""
    return any(token.text in _WANTING for token in tokens)


def _of_what_is_there(item: Item, words: Sequence[Word]) -> dict[str, float]:
    """What tells of things that are there already: that they are the customer's, how old they are, that they are or
    have something; and what speaks of a new one."""
    tokens = item.clause.tokens
    texts = {token.text for token in tokens}
    found: dict[str, float] = {
        "new": bool(texts & _NEW),
        "old": bool(texts & _OLD),
        "year": any(token.kind is Kind.NUMBER and _YEAR.fullmatch(token.text) is not None for token in tokens),
        "age": bool(texts & _AGES),
        "states": bool(texts & _STATES),
        "ours": bool(texts & {"our", "my"}),
        "pronoun": bool(texts & {"it", "them", "that", "they", "those", "these"}),
        "past": any(token.text in _PAST for token in tokens),
    }
    if words:
        ahead = [token.text for token in tokens if token.start < words[0].start and token.kind in _SAID]
        before = ahead[-1] if ahead else ""
        kind = "number" if before[:1].isdigit() or before in NUMBER_WORDS else before
        found[f"behind {kind if kind in _DETERMINERS else 'other' if before else 'nothing'}"] = 1
    return found


def _of_figures(item: Item, measured: Measured) -> dict[str, float]:
    own = [one for one in item.figures if one.role in WORK_ROLES]
    inner = any(inside(one, item.clause) for one in own)
    return {
        "figures": len(own),
        "own figures": inner,
        "figures of others": bool(own) and not inner,
        "measured": -1.0 if measured.value is None else float(measured.confidence),
    }


def _of_match(so_far: Progress, item: Item, match: Match, words: Sequence[Word]) -> dict[str, float]:
    index = so_far.index
    described = index.described(match.task) | match.words | {item.verb}
    covered = [word for word in words if word.lemma in described]
    missed = [word for word in words if word.lemma not in described and index.knows(word.lemma)]
    here = {word.lemma for word in item.words if word.start >= item.clause.start}
    found: dict[str, float] = {
        "score": match.score,
        "name": len(match.words),
        "covers": len(covered) / len(words) if words else 0.0,
        "passes over": len(missed),
        "margin": match.score - item.others[0].score if item.others else _NO_OTHER,
        "others": len(item.others),
        f"unit {dimension(match.task.unit).value}": 1,
        "exact": match.exact,
        "qualifies": match.qualifies,
        "remark": bool(match.remark),
        "default": match.task.default,
        "verb asked": match.verb in item.clause.actions,
        "verb named": match.verb in match.words,
        "only verbs": all(map(action_of, match.words)),
        "only rooms": match.words <= ROOMS,
        "words of the topic": not match.words <= here,
        "says where": bool(words) and not match.words & {word.lemma for word in words},
    }
    found.update(
        (name, 1) for name in _beside(so_far, item, [one for one in words if one.lemma in match.words], described)
    )
    return found


def _beside(so_far: Progress, item: Item, named: Sequence[Word], described: Iterable[str]) -> Iterator[str]:
    """Whether another thing stands right before or behind the words that name the task ("screen panel")."""
    if not named:
        return
    tokens = [token for token in item.clause.tokens if token.kind is Kind.WORD]
    places = {token.start: at for at, token in enumerate(tokens)}
    for name, word, step in (("behind", named[-1], 1), ("ahead", named[0], -1)):
        at = places.get(word.start, -9) + step
        if not 0 <= at < len(tokens) or abs(tokens[at].start - word.start) > len(word.lemma) + len(tokens[at].text) + 2:
            continue
        other = lemma(tokens[at].text)
        if len(other) > 2 and not action_of(other) and other not in described and other not in VAGUE:
            yield f"{name} {'known' if so_far.index.knows(other) else 'unknown'}"


class Trees:
    """The trees of one version. Read-only: one instance serves every thread."""

    def __init__(self, model: bytes | Path) -> None:
        options = onnxruntime.SessionOptions()
        # A request's lines are too few to share: helping threads would only wait, and keep processors busy.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        told = self._session.get_modelmeta().custom_metadata_map
        #: What is weighed, in the order of the model's columns, and what its chances are of.
        self.names = told["features"].split("\n")
        self._in_order, self._nothing = itemgetter(*self.names), dict.fromkeys(self.names, 0.0)
        self._of = told["chances"].split("\n")

    def chances(self, rows: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
        """For each line how likely its ``work`` is asked for, that the whole ``line`` is right, and, where no task
        answers it, that ``unknown`` work is asked for; 0–1."""
        if not rows:
            return []
        weighed = np.array([self._in_order({**self._nothing, **row}) for row in rows], np.float32)
        (chances,) = self._session.run(None, {"features": weighed})
        return [dict(zip(self._of, of_line, strict=True)) for of_line in chances.tolist()]


@cache
def trees() -> Trees:
    """The trees of this version, read once."""
    return Trees(TREES)
