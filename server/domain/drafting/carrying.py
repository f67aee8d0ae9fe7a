"""Carrying: what the pieces of a sentence are, one after another: what one of them opens holds for those behind it.

"No skips, tree removal or lighting" leaves out three things, "I bought a fan and a chandelier" two, and what somebody
did goes on until something is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from server.domain.drafting.actions import PARTICLES, action_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.cues import IS_NOW, NOT_YET, kind_of, was_done
from server.domain.drafting.numbers import Kind, Token, text_at
from server.domain.drafting.patterns import cues, folded
from server.domain.drafting.pieces import has_number
from server.domain.drafting.requesting import asks_you_to, plainly_wants
from server.domain.drafting.telling import PRONOUNS
from server.domain.drafting.verbs import (
    actions_in,
    asked_by_verb,
    begins_with_thing,
    is_imperative,
    is_verb_alone,
    names_work,
)

_PAIR = 2
#: What a list of what is told goes on with: "it gets …".
_GOES_ON = frozenset({"get", "gets", "got", "are", "is", "comes", "come"})
#: What asks again behind an exclusion, and what is one thing of a list.
_AGAIN = frozenset({"but", "just", "only", "so"})
_ONE = frozenset({"a", "an", "one"})
#: "A buddy of mine is a sparky and is running the circuit": of who was named before.
_IS_DOING = re.compile(r"\W*(?:is|are) (?:also )?([a-z]+ing) (?:the|our|my|all)\b", re.IGNORECASE)
_DOES = frozenset({"running", "doing", "handling", "pulling", "sorting", "bringing", "supplying", "wiring", "plumbing"})
#: "The percolation area was redone two years ago. Soakaway ditto."
_DITTO = re.compile(r"\W*(?:[\w'’-]+ ){1,4}(?:ditto|likewise)\W*", re.IGNORECASE)
#: "One is 3m x 4m and the other 3.5m x 4m": is told as well.
_THE_OTHER_SIZE = re.compile(
    r"\W*the other(?: one)?(?: about| roughly)? [\d.]+ ?(?:[a-z]{1,3}|['\"])? ?(?:x|×|by) ?[\d.]+"
    r" ?(?:[a-z]{1,3}|['\"])?\W*",
    re.IGNORECASE,
)
#: "You did a great job on the deck and the 40 ft of railing": the list goes on with what was done.
_TOLD_ON = cues(
    r"\b(?:already (?:came|went|put|took|got|built)|did|had|have had|figured on|wondered about|thought about"
    r"|already \w+ed|thank you|moved|(?:is"
    r"|are) (?:ours|mine)"
    r"|(?:great|good|lovely"
    r"|fantastic) (?:job"
    r"|work)|in (?:19|20)\d\d)\b",
)
#: "We thought about carpet but are going with laminate": behind what was told.
_DECIDED = re.compile(
    r"\W*(?:but|and) (?:(?:we|i)(?:['’]re|['’]m|['’]ve| are| am| have)? )?(?:are |am |now )*(?:going (?:with|for)"
    r"|decided on"
    r"|settled on)\b",
    re.IGNORECASE,
)
#: "The plumber said we need a new heater but I only want the valve replaced".
_ONLY_WANTS = re.compile(r"\W*but (?:i|we) (?:only|just) (?:want|need)\b", re.IGNORECASE)
_SAID = re.compile(r"\b(?:said|says|told|reckons?|recommend(?:s|ed)|suggest(?:s|ed))\b", re.IGNORECASE)
_OF_IT = re.compile(r"\b(?:it|them|those|these|that|one)\b", re.IGNORECASE)
#: "I bought a fan and a chandelier": what is listed after it was bought too.
_BOUGHT = re.compile(r"\b(?:we|i)(?:['’]ve| have)?(?: already)? (?:bought|got|purchased|ordered)\b", re.IGNORECASE)
#: "… replaced 2 toilets": begins with what was done, in a list of what was done.
_WAS_DONE = re.compile(
    r"^\W*(?:and )?(?:\w+ed|put|took|tore|built|laid|hung|redid|had|reset|cut|set|shut)\b", re.IGNORECASE
)
#: "We already have 2 outlets, add 3 more": what is there is not for this work.
_WANTS_MORE = re.compile(
    r"\W*(?:and |but |so )?(?:please )?(?:(?:i|we)(?:['’]d| would)? )?(?:add|install|put in|need|want|like|run|fit)\b"
    r".{0,30}\b(?:more|another|additional|extra)\b",
    re.IGNORECASE,
)
#: A price is asked, in the clause before "but don't do it yet".
_PRICED = re.compile(r"\b(?:number|price|quote|figure|cost|estimate|ballpark)\b", re.IGNORECASE)
#: "Quote with and without a battery": as an option.
_WITHOUT = re.compile(r"\W*(?:and |or )?without (?:an?|the|any|new|\d+)\b", re.IGNORECASE)
_EXCLUDES = re.compile(r"\W*exclud(?:es|ing)\b", re.IGNORECASE)
#: What is said behind a thing and of nothing else in its list: "insulation none, baseboard 42 ft", "replace the panel
#: if needed, and paint 2 doors".
_OF_ITSELF = re.compile(r"\w\W+(?:none|if (?:needed|necessary|required))\W*$", re.IGNORECASE)
#: "By owner: mirrors, paint", a label of what somebody else does.
_BY_OTHERS = re.compile(
    r"\W*(?:all |work |items? )?(?:done |provided |handled )?by (?:the )?(?:owners?|others|clients?|customers?|tenants?"
    r"|landlord|gc|us|me)\W*",
    re.IGNORECASE,
)
_RELATIVE = frozenset({"which", "that", "who"})
_BROUGHT_BY = re.compile(
    r"\W*(?:the |new )?([a-z]+) (?:is |are )?by (?:the )?(?:owner|customer|client|tenant|landlord|us|homeowner)\W*$",
    re.I,
)
#: "The store delivers and hooks up the range".
_BY_A_SHOP = re.compile(
    r"\W*(?:the |our |my )?(?:\w+ )?(?:store|shop|supplier|dealer|retailer|manufacturer|company)\b", re.IGNORECASE
)
#: What parts the work from what of it is left out.
EXCEPT = frozenset({"except", "excepting", "excluding", "excl", "exc", "without", "bar"})
#: What is left out was named before its cue ("booth NIC", "bath fan by owner", "no structural work"): the list goes on
#: with other things.
ALL_SAID = re.compile(
    r"\w\W+(?:n\.?i\.?c|n/?a|excl(?:uded)?|omit(?:ted)?|by (?:the )?\w+(?: \w+)?|tbd|(?:to )?(?:stays?|remain"
    r"|be retained)"
    r"|not (?:included|needed|required|in scope)|under separate permit)\W*$|^\W*no [\w/ ]{3,30} (?:works?"
    r"|changes?)\W*$",
    re.IGNORECASE,
)


@dataclass
class Sentence:
    """One sentence, as far as it has been read."""

    text: str
    #: Its number in the request, and what the clause before it is.
    number: int
    before: ClauseKind | None
    #: It is about the papers of a permit, about another day for what was agreed, or lists what is done.
    papers: bool
    agreed: bool
    done: bool
    #: It is a line of a list that a verb alone heads.
    headed: bool = False
    clauses: list[Clause] = field(default_factory=list)
    #: The exclusion or option that holds still, whether it heads a list, and whether it only excepts.
    carried: ClauseKind | None = None
    listed: bool = False
    excepted: bool = False
    #: Things are listed that somebody bought; what is told is told on; somebody did something.
    bought: bool = False
    told: bool = False
    did: bool = False

    def add(self, piece: tuple[Token, ...], start: int, end: int) -> None:
        """Take the next piece in, which stands from ``start`` to ``end``."""
        kind, holds = self._by_form(piece, start, end)
        kind, holds = self._as_told(kind, holds, piece, start, end)
        kind, holds = self._as_carried(kind, holds, piece, start, end)
        self._mend_the_one_before(kind, start, end)
        self.clauses.append(Clause(kind, piece, start, end, self.number, holds, self._goes_on(piece)))

    def _by_form(self, piece: tuple[Token, ...], start: int, end: int) -> tuple[ClauseKind, bool]:
        """What a piece is by its own words and those right before it, and whether that holds whatever was learned."""
        words, last = self.text[start:end], self.clauses[-1] if self.clauses else None
        kind = ClauseKind.CONTEXT if self.papers else kind_of(words, piece)
        holds = self.papers or (kind is ClauseKind.CONTEXT and IS_NOW.match(words) is not None)
        if last is None and _BY_OTHERS.fullmatch(words) and self._labels(end):
            kind = ClauseKind.EXCLUSION
        if kind is ClauseKind.EXCLUSION and _is_of_the_same(self.clauses, words):
            kind = ClauseKind.SUPPLY
        if kind is ClauseKind.EXCLUSION and last is not None and self._offers(words, last):
            kind = ClauseKind.OPTION
        doing = _IS_DOING.match(words) if last is not None else None
        if doing is not None and (action_of(doing[1].lower()) or doing[1].lower() in _DOES):
            kind = ClauseKind.EXCLUSION
        if self.agreed or (kind is ClauseKind.WORK and last is not None and self._does_too(last, piece, start)):
            kind = ClauseKind.EXCLUSION
        if self.before in {ClauseKind.CONTEXT, ClauseKind.EXCLUSION} and _DITTO.fullmatch(words):
            kind = self.before
        told = kind is ClauseKind.WORK and last is not None and last.kind is ClauseKind.CONTEXT
        if told and _THE_OTHER_SIZE.fullmatch(words):
            kind, holds = ClauseKind.CONTEXT, True
        if kind is ClauseKind.WORK and self.done:
            kind, holds = ClauseKind.CONTEXT, True
        return kind, holds

    def _offers(self, words: str, last: Clause) -> bool:
        """ "… a number for a new one, but don't do it yet", "with and without a battery"."""
        if NOT_YET.match(words):
            return _PRICED.search(self.text, last.start, last.end) is not None
        return last.tokens[-1].text == "with" and _WITHOUT.match(words) is not None

    def _does_too(self, last: Clause, piece: Sequence[Token], start: int) -> bool:
        """ "The store delivers and hooks up the range": goes on with what somebody else does."""
        joined = self.text[last.end : start].strip().lower() in {"and", "&", "then", "and then"}
        shop = joined and _BY_A_SHOP.match(self.text, last.start, last.end) is not None
        return shop and len(piece) > 1 and text_at(piece, 0).endswith("s") and bool(actions_in(piece[:_PAIR]))

    def _as_told(
        self, kind: ClauseKind, holds: bool, piece: tuple[Token, ...], start: int, end: int
    ) -> tuple[ClauseKind, bool]:
        """The same where the sentence has been telling until now."""
        words = self.text[start:end]
        if kind is ClauseKind.WORK and self.told and (not asked_by_verb(piece) or _WAS_DONE.match(words)):
            # So many things may be asked for all the same, by what was learned.
            kind, holds = ClauseKind.CONTEXT, not has_number(piece[:_PAIR])
        if _DECIDED.match(words):
            kind, holds, self.told, self.did = ClauseKind.WORK, False, False, False
        if kind is ClauseKind.WORK and self.did and _goes_on_telling(words, piece):
            kind, holds = ClauseKind.CONTEXT, True
        # "Three lights, which my husband picked out, and 2 switches" asks for more.
        self.did = kind is ClauseKind.CONTEXT and text_at(piece, 0) not in _RELATIVE and (holds or was_done(words))
        if kind is ClauseKind.WORK and self.told and text_at(piece, 0) in _GOES_ON:
            kind = ClauseKind.CONTEXT
        self.told = kind is ClauseKind.CONTEXT and (self.told or self.did or _TOLD_ON.search(folded(words)) is not None)
        return kind, holds

    def _as_carried(
        self, kind: ClauseKind, holds: bool, piece: tuple[Token, ...], start: int, end: int
    ) -> tuple[ClauseKind, bool]:
        """The same where an exclusion, an option or a list of what was bought goes on or begins."""
        words = self.text[start:end]
        if kind in {ClauseKind.EXCLUSION, ClauseKind.OPTION}:
            # "Not included: skips, tree removal, lighting": all of the list, whatever verbs its things are named by.
            labels, excludes = self._labels(end), kind is ClauseKind.EXCLUSION
            if not labels and _OF_ITSELF.search(words):
                return kind, holds
            self.excepted = excludes and text_at(piece, 0) in EXCEPT
            self.listed = excludes and (labels or _EXCLUDES.match(words) is not None)
            self.carried = None if excludes and not labels and ALL_SAID.search(words) else kind
        elif kind is ClauseKind.SUPPLY and _BOUGHT.search(words):
            self.bought = True
        elif kind is ClauseKind.WORK and self.bought and text_at(piece, 0) in _ONE and not actions_in(piece):
            kind = ClauseKind.SUPPLY
        elif kind is ClauseKind.WORK and self.carried is not None:
            if self._asks_again(piece):
                self.carried = None
            else:
                kind, holds = self.carried, True
        return kind, holds

    def _asks_again(self, piece: tuple[Token, ...]) -> bool:
        """Whether a piece behind an exclusion asks for work of its own."""
        return self.carried is ClauseKind.EXCLUSION and (
            (is_imperative(piece) and len(piece) > 1 and not (self.listed and names_work(piece)))
            or text_at(piece, 0) in _AGAIN
            or (
                not self.listed
                and (bool(actions_in(piece)) or _is_wanted(piece) or asks_you_to(piece) or self._instead(piece))
            )
            or (self.excepted and has_number(piece[:_PAIR]))  # "a new roof excluding tax, 20 squares"
        )

    def _instead(self, piece: Sequence[Token]) -> bool:
        """ "No carpet, laminate 20 m2": how much of another thing, behind one that is not wanted."""
        refused = self.clauses[-1].tokens if self.clauses else ()
        named = bool(piece) and piece[0].kind is Kind.WORD and has_number(piece)
        return named and text_at(refused, 0) in {"no", "not"} and not has_number(refused)

    def _mend_the_one_before(self, kind: ClauseKind, start: int, end: int) -> None:
        """What the clause before is, now that the next is known."""
        if not self.clauses:
            return
        last = self.clauses[-1]
        if last.kind is ClauseKind.SUPPLY and _WANTS_MORE.match(self.text[start:end]):
            last = self.clauses[-1] = replace(last, kind=ClauseKind.CONTEXT)
        if (
            last.kind is ClauseKind.WORK
            and _ONLY_WANTS.match(self.text[start:end])
            and _SAID.search(self.text, last.start, last.end)
        ):
            self.clauses[-1] = replace(last, kind=ClauseKind.CONTEXT, carried=True)
        if kind is ClauseKind.SUPPLY and self._labels(last.end) and _OF_IT.search(self.text, start, end):
            # "Paint: we stock it" names what the note is of.
            last = self.clauses[-1] = replace(last, kind=ClauseKind.CONTEXT, carried=True)
        alone = len(self.clauses) < _PAIR or self.text[self.clauses[-2].end : last.start].strip() != ","
        if kind is ClauseKind.SUPPLY and alone and _is_bought_with(last, self.text[last.end : start]):
            self.clauses[-1] = replace(last, kind=kind)

    def _goes_on(self, piece: tuple[Token, ...]) -> bool:
        """ "Remove drywall 300 sf, carpet 200 sf": the next thing of a list behind a verb, and how much of it."""
        if not begins_with_thing(piece):
            return False
        if not self.clauses:
            return self.headed
        last = self.clauses[-1]
        if self._labels(self.clauses[0].end) and is_verb_alone(self.clauses[0].tokens):
            return True  # "Please remove: carpet, wallpaper"
        told = has_number(last.tokens) or self._labels(last.end)
        return told and any(one.commands for one in self.clauses if not one.listed)

    def _labels(self, end: int) -> bool:
        return self.text[end : end + 2].lstrip().startswith(":")


def _is_wanted(piece: Sequence[Token]) -> bool:
    """ "(We don't want decking,) want a patio", not "I want it done right"."""
    wanted = text_at(piece, 0) in {"want", "need"} or plainly_wants(piece)
    return wanted and PRONOUNS.isdisjoint(token.text for token in piece)


def _is_of_the_same(before: Sequence[Clause], words: str) -> bool:
    """ "Replace toilet, toilet by owner": who brings the very thing that is to be fitted."""
    brought = _BROUGHT_BY.match(words)
    return brought is not None and any(
        token.text.removesuffix("s") == brought[1].lower().removesuffix("s") for one in before for token in one.tokens
    )


def _is_bought_with(before: Clause, between: str) -> bool:
    """ "Slabs and sub-base already delivered", "tile and grout purchased": a thing alone, joined to what was bought."""
    joined = between.strip().lower() in {"and", "&", "+"}
    return joined and before.kind is ClauseKind.WORK and len(before.tokens) == 1 and not before.actions


def _goes_on_telling(words: str, piece: Sequence[Token]) -> bool:
    """ "… ripped the old palings and posts out and carted the lot off": goes on with what somebody did. So many things
    are asked for."""
    if has_number(piece[:_PAIR]):
        return False
    return not asked_by_verb(piece) or _WAS_DONE.match(words) is not None or piece[-1].text in PARTICLES
