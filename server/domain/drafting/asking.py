"""Whether a clause asks for work or only tells: a second opinion beside the rules of `segments`.

A logistic model over the words that say how a thing is spoken of: the trade's own words are folded onto one sign each
(a thing of the catalogue, a verb by its form, a number), so that what is learned of "we had the deck built in May"
holds for a boiler too. The weights are a table that `tools.drafting.asking` fits on labelled and marked requests.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from server.domain.drafting.actions import IMPLIED, action_of
from server.domain.drafting.choosing import NONE, Meaning, trade_of
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.cues import only_tells
from server.domain.drafting.matching import TaskIndex, lemma
from server.domain.drafting.numbers import Kind, Token
from server.domain.drafting.patterns import cues, folded
from server.domain.drafting.pieces import has_number
from server.domain.drafting.requesting import asks_for_price_of, gives_price_of, plainly_troubled
from server.domain.drafting.telling import is_in_trouble

#: A weight a line: of texts or clauses, the feature, the weight.
WEIGHTS = Path(__file__).with_name("asking_weights.tsv")
#: Words that are never a trade's: they say who speaks of whom.
_PERSONS = frozenset({"we", "i", "you", "my", "our", "your", "it", "they", "he", "she", "us", "me", "them"})
#: How it is said in Ireland and elsewhere.
_YOU = frozenset({"ye", "yous", "youse", "yiz"})
#: Clauses of one request that are weighed; longer ones are bills, which ask throughout.
MOST_CLAUSES = 400
#: Below these chances a whole text, and a clause, is taken to tell and not to ask; a clause of which no task is known
#: must be likelier.
TEXT_TELLS = 0.55
CLAUSE_TELLS = 0.15
UNKNOWN_TELLS = 0.5
#: What a clause has at least that asks in so many words, where it means a task with at least this chance.
PLAINLY_ASKED, PLAIN_MEANING = 0.75, 0.7
#: The same where it is all that is said.
ALONE_MEANING = 0.3
#: The chance of a task from which a trouble told in a few words asks for it.
TROUBLE_MEANING = 0.3
#: The same of one that is told among other things; from which chance another clause asks for work of its trade.
WHY_MEANING, OTHER_ASKS = 0.6, 0.3
_MAY_ASK = frozenset({ClauseKind.WORK, ClauseKind.CONTEXT})
#: It is seen to already, or by somebody else.
_SEEN_TO = re.compile(r"\b(?:myself|ourselves|himself|herself|already|done|finished|fixed|sorted|skip|diy)\b")
#: What such a trouble does not begin with: it goes on about what was told before.
_NO_SUBJECTS = frozenset(
    {"it", "its", "it's", "that", "this", "they", "which", "but", "some", "so", "because", "if", "when"}
)
#: The chance from which a measured thing that a request begins with is surely a task.
SURE_MEANING = 0.95
#: The same of a clause that asks for something to be done to "it".
OF_IT_MEANING = 0.5
_THINGS = frozenset({"it", "them", "one"})
#: "Carpet these rooms:", and in the next line "- Bed 1 12x12".
_HEADS_ROOMS = re.compile(
    r"\s*:\s*\n\W*(?:[a-z]+ ){0,2}(?:bed(?:room)?|br|bath(?:room)?|room|hall(?:way)?|kitchen|lounge|den|office|study"
    r"|living|dining|landing|family)\b[^\n,;]{0,20}?\d+ ?(?:'|ft|m)? ?(?:x|by) ?\d[\d.]* ?(?:'|ft|m)?\W*?(?:\n|$)",
    re.IGNORECASE,
)
#: Tokens of the name of a work.
_LONGEST_TITLE = 5
#: "Scaffold - yes, please include", "Haul the old one away? Yes please": what stands before it is wanted.
_SAID_YES = re.compile(
    r"\s*(?:[-–—:,?]|\.{3})\s*(?:yes|yep|yeah)\b[\s,.]{0,3}(?:please|pls|include|add|price|quote|do (?:it|that|include)"
    r"|(?:i|we)(?: do want|['’]d like))|\s*[-–—]\s*yes[ .!]*(?:\n|$)",
    re.IGNORECASE,
)
#: Below this a line says that its words may only tell.
DOUBTFUL = 0.35
#: Asks whether somebody does it, or for less: "do you do driveways? 50 m2", "quoted £700, can you beat that", "not a
#: new boiler, just a service".
_BARGAINS = cues(
    r"^\W*(?:it['’]?s )?not (?:a|an|the|all)\b[^.;\n]{2,40},\s*(?:just|only)\b|\bgoing (?:with|for) \w"
    r"|\b(?:buy|get|supply|purchase|provide)\b[^.;\n]{2,40}[,;] (?:and )?(?:then )?you (?:just |can )?"
    r"(?:install|fit|set|hang|hook|put|lay|mount)\b|"
    r"\b(?:can|could) (?:you|u|anyone) (?:beat|match|better|improve on|do (?:it|that|this|better) for)\b"
    r"|\bare you (?:guys )?(?:able|available|free) to\b"
    r"|\bdo (?:you|u) (?:guys )?(?:do|fit|lay|install|offer)\b[^?\n]{0,60}\?[^?]{0,60}\d"
    r"|\b(?:electrician|plumber|decorator|painter|plasterer|roofer|carpenter|joiner|tiler|builder|handyman) (?:needed"
    r"|wanted|required)\b[^.?\n]{0,20}\d"
    r"|\b(?:quote|quoted|paid)\b[^?\n]{0,80}\b(?:i|we)? ?(?:now )?need (?:another )?\d",
)
#: What somebody else wants for it, and what asks right behind for less.
_QUOTED = re.compile(r"\b(?:quoted?|quotation|priced?|estimate|bid)\b", re.IGNORECASE)
_BEATEN = re.compile(
    r"\W*(?:(?:so|and|but|please) )?(?:can|could) (?:you|u|anyone)(?: guys)?"
    r" (?:beat|match|better|improve on|do (?:it|that|this|better) for)\b",
    re.IGNORECASE,
)
#: Who asks for a price asks for work, whatever else is told.
_PRICE_ASKED = cues(
    r"\bhow much (?:to|for|would|will|is it|do you|does it|you charge|you would|you['’]d)\b"
    r"|\bwhat you(?:['’]d| would| might)? charge (?:me |us )?(?:for|to)\b|\b(?:please|to) (?:quote|price|bid)\b"
    r"|\b(?:need|want|get|have|like|looking for|give (?:me|us)|send (?:me|us)|after|request) (?:a |an |your |another )?"
    r"(?:\w+ )?(?:quote|quotation|price|pricing|ballpark|estimate|bid)\b(?! (?:you|that|which|on|from))"
    r"|\b(?:need|want|get|like|looking for|give (?:me|us)|after) (?:a |an )?(?:number|figure) (?:on|for)\b"
    r"|\b(?:budget|ballpark) (?:number|figure|price|cost|quote|estimate)s? (?:on|for|to)\b"
    r"|\blet (?:me|us) (?:know|have) (?:your|the|a) (?:best |rough )?(?:price|quote|cost|rate|figure)s?\b"
    r"|\bwhat (?:do|would|will) (?:you|it|that|this|one|a (?:new|replacement))\b.{0,40}\b(?:charge|cost|run)\b",
)
#: Asks for the price of what has been told, and of nothing else: "can you quote?", "please give us a price for it".
_PRICE_OF_IT = cues(
    r"\b(?:(?:can|could|would|will) (?:you|u|ye)(?: guys)?(?: please)? (?:quote|price|bid|estimate)(?: (?:me|us))?"
    r"|(?:please|pls) (?:quote|price|bid)(?: (?:me|us))?"
    r"|(?:need|want|get|have|like|give (?:me|us)|send (?:me|us)) (?:a |an |your )?(?:\w+ )?"
    r"(?:quote|quotation|price|estimate|bid|ballpark))"
    r"(?: (?:for (?:it|this|that|these|them|all)|on (?:it|this|that)|it|this|that|please|pls|thanks|asap))*"
    r"\s*(?:[.?!\n]|$)"
    r"|(?:^|[.?!,;\n] *)(?:and )?(?:(?:what|how much)(?:['’]s| is| would be)? (?:do|would|does|will|your|the|it|that)\b"
    r"[\w ]{0,12}\b(?:charge|cost|price|rate)s?|how much|(?:rough |any )?(?:price|cost|ballpark|quote)s?"
    r"|(?:i|we)?(?: would|['’]d)? ?(?:need|want|like) (?:one|it|this|that|them|mine|ours) (?:\w+ed|done)\b[\w ]{0,20})"
    r"(?: (?:is it|please|pls|for (?:it|this|that|these)))?\s*(?:[.?!\n]|$)"
    r"|(?:^|[.?!\n] *)(?:ours|mine)(?: ?['’]s| is| are| has| have| was)\b",
)
#: "We are planning to replace our fence", "I'm redoing the bath", "do you do gutters": beside such a question nobody
#: tells it for news.
_PLANS = re.compile(
    r"\W*(?:(?:hi|hello|hey|so)\b\W*)*(?:(?:we|i) ?(?:are|am|['’]re|['’]m)"
    r"(?: (?:currently|now|also|looking|planning|hoping|going|thinking|about|of|to|at|on)){0,4} (?P<verb>[a-z]+)\b"
    r"|(?:do|can) (?:you|u|ye)(?: guys| also)? (?:do|offer|provide)\b|considering\b"
    r"|(?:our|my|the) [\w ]{2,30} (?:is|are) (?:being|getting) (?P<to_be>[a-z]+)"
    r"|do (?:you|u|ye)(?: guys| also)? (?P<do>[a-z]+)\b)",
    re.IGNORECASE,
)
#: "Requesting estimate: …", "Quote needed - …": what stands behind is what the price is asked of.
_PRICE_ASKED_OF = re.compile(
    r"\W{0,20}(?:(?:re|subject|subj) ?: ?)?"
    r"(?=[^:\n]{0,80}\b(?:price|pricing|quote|quotation|estimate|bid|rfq|proposal)\b)"
    r"(?:(?:please|requesting|request(?:ed)?|need(?:ed)?|required?|wanted|want|looking|for|an?|your|free|rough|quick|job"
    r"|new|work|price|pricing|quote|quotation|estimate|bid|rfq|proposal)\b ?)+(?::|[-–—] )",
    re.IGNORECASE,
)
#: "Moving from a 2 bed flat in Bath to a house in Leeds", and what says that movers are spoken to.
_MOVES_HOME = re.compile(r"\bmoving\b(?=[^.?!\n]{0,60}\bfrom\b[^.?!]{0,100}\bto\b)", re.IGNORECASE)
_MOVERS = re.compile(
    r"\b(?:pack(?:ing)?|box(?:es|ed)|movers?|removals?|truck|van|piano|(?:un)?load(?:ing)?|lift|elevator|walk-?up)\b",
    re.IGNORECASE,
)
#: "Upright piano is going too", "there's a piano that comes with us".
_MOVES_TOO = re.compile(
    r"\b(?:piano|organ|safe|pool table|hot tub|harp|aquarium)\b[\w ,']{0,30}\b(?:going|goes|comes?|coming|to go)\b",
    re.IGNORECASE,
)
#: What says that no price is asked of it.
_BY_US = re.compile(r"\b(?:myself|ourselves|already|done|finished|not|n['’]t|ourself|diy)\b", re.IGNORECASE)
#: Who asks for somebody to come has work for them.
_HELP_ASKED = cues(
    r"\b(?:can|could|please|will)(?: you)?(?: please)? (?:send|get) (?:someone|somebody|anyone|an? \w+)\b"
    r"|\b(?:can|could) (?:you|someone|somebody|anyone)(?: please)?"
    r" (?:please )?come (?:out|over|round|by|look|today|tomorrow|tonight|now|asap|soon|quickly"
    r"|this (?:week|morning|afternoon)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|and (?:look|see|fix))\b"
    r"|\bneed (?:someone|somebody)(?: out| over| round)? (?:asap|today|tomorrow|urgently|to come)\b",
)
#: What is said of work that was done for them; that somebody is spoken to; clauses of a request in few words.
_OF_OUR_WORK = cues(
    r"\b(?:warranty|guarantee|refund|invoice|bill(?:ed)?|receipt|deposit"
    r"|(?:your|the) (?:guys?|crew|m[ae]n|team|lads?))\b",
)
#: Who says what is not wanted wants the rest: "Stucco patch on the west wall, 15 sq ft. Scaffold not needed".
_LEAVES_OUT = cues(
    r"\bnot (?:needed|included|required|wanted|in scope|part of)\b|\bno need (?:to|for)\b"
    r"|\b(?:do ?n['’]?t|do not) (?:need|include|want|price|quote|bother|worry)\b"
    r"|\bexclud(?:es?|ing)\b|\bby others\b|\bi['’]?ll \w+ (?:it|that|them|those) myself\b"
)
_OF_YOU = re.compile(r"\b(?:you|your|yours|thanks?|appointment)\b")
_FEW_CLAUSES = 4
#: Clauses before and after that are weighed with one.
_NEAR = 8
_PER_LENGTH = 10
_LONGEST = 5


def signs(tokens: Iterable[Token], index: TaskIndex) -> list[str]:
    """The tokens with the trade's words folded: ``"Your crew replaced our heater"`` → ``your crew Ved our THING``."""
    return [_sign(token, index) for token in tokens]


def _sign(token: Token, index: TaskIndex) -> str:
    word = "you" if token.text in _YOU else token.text
    if token.kind is Kind.NUMBER:
        return "#"
    if token.kind is not Kind.WORD or word in _PERSONS:
        return word
    if action_of(word):
        return word if word in IMPLIED else f"V{_form(word)}"
    return "THING" if index.knows(lemma(word)) else word


def _form(word: str) -> str:
    if word.endswith("ed") or word in {"laid", "hung", "built", "put", "torn", "took", "taken", "done"}:
        return "ed"
    return "ing" if word.endswith("ing") else "s" if word.endswith("s") else ""


def text_features(sentences: Iterable[Sequence[str]], *, asks: bool) -> frozenset[str]:
    """What the model weighs of a whole request: words and pairs anywhere, how its sentences begin, how long it is,
    whether it has a question mark (``asks``)."""
    found = {"BIAS", "?" if asks else "no ?"}
    length = 0
    for words in sentences:
        found.update(words)
        found.update(_pairs(words))
        found.add(f"S {' '.join(words[:3])}")
        length += len(words)
    found.add(f"L {min(length // _PER_LENGTH, _LONGEST)}")
    return frozenset(found)


def clause_features(sentence: Sequence[Sequence[str]], place: int, end: str) -> frozenset[str]:
    """What the model weighs of a clause of a sentence: its own words and pairs, how the sentence begins and ends, and
    the words that stand before and after."""
    own = sentence[place]
    before = [f"P {sign}" for words in sentence[max(0, place - _NEAR) : place] for sign in words]
    after = [f"Q {sign}" for words in sentence[place + 1 : place + 1 + _NEAR] for sign in words]
    start = [sign for words in sentence[:3] for sign in words[:3]]
    starts = [f"S {' '.join(start[:length])}" for length in (1, 2, 3)]
    return frozenset(["BIAS", *own, *_pairs(own), *before, *after, *starts, f"E {end}"])


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{first} {second}" for first, second in pairwise(["^", *words, "$"])]


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature of a text, and of a clause, says for asking (above 0) or telling."""

    text: dict[str, float]
    clause: dict[str, float]


@cache
def weights() -> Weights:
    """The weights of this version, read once."""
    tables: dict[str, dict[str, float]] = {"text": {}, "clause": {}}
    for line in WEIGHTS.read_text("utf-8").splitlines():
        table, feature, weight = line.split("\t")
        tables[table][feature] = float(weight)
    return Weights(**tables)


@dataclass(frozen=True, slots=True)
class Features:
    """What is weighed of a request, and of each of its clauses."""

    text: frozenset[str]
    clauses: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, text: str, clauses: Sequence[Clause], index: TaskIndex) -> Features:
        """The features of a request that was cut into ``clauses``, which are in order."""
        told = [signs(clause.tokens, index) for clause in clauses]
        sentences: defaultdict[int, list[int]] = defaultdict(list)
        for number, clause in enumerate(clauses):
            sentences[clause.sentence].append(number)
        found: list[frozenset[str]] = []
        for numbers in sentences.values():
            end = clauses[numbers[-1]].end
            sentence = [told[number] for number in numbers]
            found += [clause_features(sentence, place, text[end : end + 1].strip()) for place in range(len(numbers))]
        whole = ([sign for number in numbers for sign in told[number]] for numbers in sentences.values())
        return cls(text_features(whole, asks="?" in text), tuple(found))


def chances(text: str, clauses: Sequence[Clause], index: TaskIndex, meaning: Meaning | None) -> dict[int, float]:
    """How likely each clause asks for work, by where it starts: the mean of these weights and of who read the request
    whole. Nothing where nothing was learned of it."""
    if meaning is None:
        return {}
    features = Features.of(text, clauses, index)
    asks = meaning.asks.tolist()
    most = max((one for one in asks if not math.isnan(one)), default=0.0)
    of_text = (chance(features.text, weights().text) + most) / 2
    low = folded(text)
    calls = _HELP_ASKED.search(low) is not None and not _OF_OUR_WORK.search(low)
    troubled = len(clauses) <= _FEW_CLAUSES and not _OF_OUR_WORK.search(low) and not _OF_YOU.search(low)
    planned = _planned(text, clauses)
    tells = of_text < TEXT_TELLS and not (planned or _PRICE_ASKED.search(low) or _BARGAINS.search(low) or calls)
    tells = tells and (_LEAVES_OUT.search(low) is None or _OF_OUR_WORK.search(low) is not None)
    table = weights().clause
    found = {}
    for number, (clause, of, other) in enumerate(zip(clauses, features.clauses, asks, strict=True)):
        # "Can you paint two bedrooms?" was too short, and too plain, to be much learned from.
        alone = len(clauses) == 1 or (clause.start in planned and len(clauses) <= _FEW_CLAUSES)
        means_work = _means(meaning, number, ALONE_MEANING if alone else _least_meaning(clause)) or (
            alone and _names_work(clause, index)
        )
        trouble = troubled and plainly_troubled(clause.tokens) and _means(meaning, number, TROUBLE_MEANING)
        trouble = trouble and not _is_replaced(clauses, number)
        trouble = trouble or (not tells and _tells_why(clauses, number, low, meaning))
        asked = clause.start in planned or _asks_by_itself(clauses, number) or _is_to_be_beaten(text, clause)
        plain = (means_work and asked) or trouble
        # "Concrete driveway 20x40. Tear-out is being handled by …": begins with how much of what.
        heads = (
            number == 0
            and not clause.actions
            and has_number(clause.tokens[1:])
            and _means(meaning, number, SURE_MEANING)
        )
        # A command that says how much asks, whatever stands around it.
        if tells and not plain and not heads and not (clause.commands and has_number(clause.tokens)):
            found[clause.start] = 0.0
            continue
        own = chance(of, table)
        own = own if math.isnan(other) else (own + other) / 2
        plain = plain or (
            means_work and any(one.match(text, clause.end) is not None for one in (_HEADS_ROOMS, _SAID_YES))
        )
        if number == 0 and not plain and _means(meaning, number, PLAIN_MEANING):
            plain = _is_title(clauses, index) and not text.startswith("?", clause.end)
        found[clause.start] = max(own, PLAINLY_ASKED) if plain else own
    return found


def _is_replaced(clauses: Sequence[Clause], number: int) -> bool:
    """ "Our garage door is broken. It's 16 by 7. Please replace it": what is wrong is told of what another is asked
    for, and nothing else is told between."""
    for clause in clauses[number + 1 :]:
        words = {token.text for token in clause.tokens}
        if "replace" in clause.actions and words & _THINGS and clause.plainly_asks:
            return True
        if clause.tokens[0].text not in _NO_SUBJECTS:
            return False
    return False


def _is_to_be_beaten(text: str, clause: Clause) -> bool:
    """ "Had a quote of £3000 for a new combi. Can you beat it?": what somebody else has priced is asked for."""
    return _QUOTED.search(text, clause.start, clause.end) is not None and _BEATEN.match(text, clause.end) is not None


def _tells_why(clauses: Sequence[Clause], number: int, low: str, meaning: Meaning) -> bool:
    """ "The gutters are full", "pool pump has been screaming since Sunday": something is wrong with a thing of a trade
    of which nothing else is asked, so that it can but be told to have it seen to."""
    clause = clauses[number]
    if clause.kind not in _MAY_ASK or clause.tokens[0].text in _NO_SUBJECTS:
        return False
    said = low[clause.start : clause.end]
    if low.startswith(":", clause.end):
        return False  # "Bed bugs: treat the bedrooms"
    if number + 1 < len(clauses) and clauses[number + 1].kind is ClauseKind.EXCLUSION:
        return False  # "Two of the steps are cracked. My brother will fix those."
    if not is_in_trouble(said) or not _means_trade(meaning, number, WHY_MEANING):
        return False
    if only_tells(said) or _SEEN_TO.search(said) or _OF_OUR_WORK.search(low):
        return False
    trade = trade_of(meaning.likeliest(number)[0])
    others = (at for at in range(len(clauses)) if at != number)
    return all(_asks_of(meaning, at, trade) < OTHER_ASKS for at in others)


def _asks_of(meaning: Meaning, number: int, trade: str) -> float:
    """How likely a clause asks for work of a trade."""
    task_id, most = meaning.likeliest(number)
    asks = float(meaning.asks[number])
    return 0.0 if trade_of(task_id) != trade or math.isnan(asks) else most * asks


def _planned(text: str, clauses: Sequence[Clause]) -> set[int]:
    """Where the clauses of what somebody is about to have done start, in a text that asks for the price of that."""
    headed = _PRICE_ASKED_OF.match(text)
    if headed is not None:
        first = [clause.sentence for clause in clauses if clause.end > headed.end()][:1]
        return {clause.start for clause in clauses if [clause.sentence] == first and clause.start >= headed.end()}
    moves = _MOVES_HOME.search(text) if _MOVERS.search(text) else None
    if moves is not None:
        return {
            clause.start
            for clause in clauses
            if clause.start <= moves.start() < clause.end or _MOVES_TOO.search(text, clause.start, clause.end)
        }
    if _PRICE_OF_IT.search(folded(text)) is None:
        return set()
    found, of = set[int](), -1
    for clause in clauses:
        plans = _PLANS.match(text, clause.start, clause.end)
        verb = plans and (plans["verb"] or plans["to_be"] or plans["do"])
        if (
            plans is not None
            and (not verb or action_of(verb.lower()))
            and not _BY_US.search(text, clause.start, clause.end)
        ):
            of = clause.sentence
        if of == clause.sentence and (plans is not None or not clause.actions):
            found.add(clause.start)
    return found


def _asks_by_itself(clauses: Sequence[Clause], number: int) -> bool:
    """Whether a clause asks in so many words."""
    clause = clauses[number]
    return clause.plainly_asks or _is_the_rest(clauses, number) or _heads_nothing(clauses, clause)


def _heads_nothing(clauses: Sequence[Clause], clause: Clause) -> bool:
    """ "Can I get a quote for plastering our lounge?", unless figures of it are told behind."""
    others = (one for one in clauses if one.sentence != clause.sentence)
    return asks_for_price_of(clause.tokens) and not any(has_number(one.tokens) for one in others)


def _is_the_rest(clauses: Sequence[Clause], number: int) -> bool:
    """ "Not the whole fence, just 2 posts"."""
    first = [one.tokens[0].text for one in clauses[max(0, number - 1) : number + 1]]
    return first in (["not", "just"], ["not", "only"])


def _means(meaning: Meaning, number: int, least: float) -> bool:
    """Whether a clause means a task with at least that chance."""
    likeliest, most = meaning.likeliest(number)
    return likeliest != NONE and most >= least


def _means_trade(meaning: Meaning, number: int, least: float) -> bool:
    """Whether a clause means work of the trade of its likeliest task with at least that chance: "the faucet has not
    worked since spring" is a repair or a new one."""
    task_id, _ = meaning.likeliest(number)
    return task_id != NONE and meaning.chance_of_trade(number, trade_of(task_id)) >= least


def _is_title(clauses: Sequence[Clause], index: TaskIndex) -> bool:
    """ "Furnace tune-up. Lennox, 11 years, …": a request begins with a sentence that is the name of a work and nothing
    else."""
    first = clauses[0]
    alone = len(clauses) > 1 and clauses[1].sentence != first.sentence and not first.commands
    if not alone or len(first.tokens) > _LONGEST_TITLE or not first.actions or first.implied - {""}:
        return False
    words = index.words(first.tokens)
    named = next((one for one in index.match(words, first.actions) if one.verb_fits and one.exact), None)
    if named is None:
        return False
    called = {word for name in (named.task.name, *named.task.names) for word in re.findall(r"[a-z]+", name.lower())}
    return {word.lemma for word in words} <= named.words | index.described(named.task) | called


def _names_work(clause: Clause, index: TaskIndex) -> bool:
    """Whether a clause has the name of a task beside a verb of it, whatever its other words make it mean."""
    named = index.match(index.words(clause.tokens), clause.actions) if clause.actions else ()
    return any(match.verb_fits for match in named)


def _least_meaning(clause: Clause) -> float:
    """The chance of a task from which a clause that asks for something in so many words asks for that."""
    # "I bought a toilet, can you install it?": what is asked for stands elsewhere.
    of_it = clause.actions and any(token.text in _THINGS for token in clause.tokens)
    # What a price is asked of in so many words is some work: "give me a number for a patio door".
    return OF_IT_MEANING if of_it or gives_price_of(clause.tokens) else PLAIN_MEANING


def chance(of: Iterable[str], weights: Mapping[str, float]) -> float:
    """How likely words with these features ask for work, 0–1."""
    # fsum: the same whatever the order, which in a set of words differs from process to process.
    return logistic(math.fsum(filter(None, map(weights.get, of))))


def logistic(score: float) -> float:
    """The chance of a score; by the hyperbolic tangent, as the exponential of thousands of words may be too large."""
    return (1 + math.tanh(score / 2)) / 2
