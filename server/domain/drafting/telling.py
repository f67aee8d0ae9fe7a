"""How a clause speaks: of faults, of wishes, of what was named before. Patterns and pure functions of its words."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from server.domain.drafting.actions import IMPLIED, PARTICLES, action_of, phrasal_action
from server.domain.drafting.clauses import Clause
from server.domain.drafting.matching import ROOMS, TaskIndex, Word, lemma
from server.domain.drafting.numbers import NUMBER_WORDS, Kind, Token
from server.domain.drafting.patterns import cues
from server.domain.drafting.quantities import Role
from server.domain.drafting.verbs import DETERMINERS

#: Where people live and work: without a verb these say where, or nothing ("we love the house"), never what to do.
PREMISES = ROOMS | frozenset(["house", "home", "apartment", "flat", "garage", "property", "building", "yard", "garden"])
#: Roles that a remark outside the work's own sentence can still settle.
SHARED_ROLES = frozenset({Role.SIZE, Role.AREA, Role.STOREYS, Role.COATS, Role.LENGTH})
#: Something that does not work is to be mended or serviced, never bought anew unasked.
_FAULT_PHRASE = re.compile(
    r"\b(?:packed (?:in|up)|given up|playing up|on the blink|backs? up|backing up|sounds? rough|fell off"
    r"|overflow(?:s|ing)"
    r"|blown (?:down|off|over)|blew (?:down|off|over)|came (?:down|off|loose)|collapsed|rattles|sagging"
    r"|run(?:s|ning) (?:all|constantly|continuously|non[- ]?stop|on and on)|falling (?:off|down"
    r"|apart))\b", re.IGNORECASE,
)  # fmt: skip
#: Something that does not work is to be mended or serviced, never bought anew unasked. For words in lower case.
FAULT = cues(
    r"\bstays? (?:cold|stuck|open|shut)\b|n['’]?t stay (?:lit|on|closed|shut|latched)\b"
    r"|\bkeeps? going out\b|\b(?:packed (?:in|up)|given up|playing up|on the blink|backs? up"
    r"|backing up|(?:is|are|['’]s) (?:shot|dead(?! (?:level|flat|straight)\b)|bust"
    r"|noisy)"
    r"|sounds? rough|run(?:s|ning) (?:all|constantly|continuously|non[- ]?stop|on and on)"
    r"|snapped|seized|slipped|tripped|sticks|quit|died|conked out|gave (?:up|out)|fell off|falling (?:off|down"
    r"|apart)|no hot water|no heat(?:ing)?)\b"
    r"|\b(?:is ?n['’]?t|not|does ?n['’]?t|wo ?n['’]?t|will not|stopped|keeps?|no longer) (?:\w+ )?(?:work|cool"
    r"|heat|flush|clos|open|start|latch|lock|shut|spin|charg|ignit|fill|freez|dispens"
    r"|turn|drain|fir|runn?|tripp?|leak|drip|com|light)(?:e|s|es|ing)?\b"
    r"|\bblow(?:s|ing) (?:only )?(?:hot|warm|cold) air\b|\bshort[- ]?cycl(?:es|ing)\b"
    r"|\b(?:is|are|has|have) (?:died|packed up|failed|jammed|seized|snapped|split|torn)\b",
)
#: How else people tell that something is wrong, or waits to be done: by how it sounds, what it shows, what has become
#: of it. For words in lower case.
TROUBLE = cues(
    r"\b(?:has|have) ?n['’]?t (?:worked|run|fired|started|come on)\b|\b(?:has|have) not worked\b|\bhasnt worked\b"
    r"|\bnever (?:shuts?|stops?|warms?|gets? (?:warm|hot|cold)|closes?|drains?|fills?|turns? o(?:n|ff)|starts?|fires?"
    r"|comes? on)\b|\bfills? for ?ever\b|\bwould ?n['’]?t (?:fire|start|light|turn on|come on)\b"
    r"|\b(?:sounds? like|scream(?:s|ing)|screech(?:es|ing)|squeal(?:s|ing)|grinding|hums|humming|buzz(?:es|ing)"
    r"|bang(?:s|ing)|creak(?:s|ing)|squeak(?:s|ing)|wobbl(?:es|ing)|beep(?:s|ing)|chirp(?:s|ing)|spark(?:s|ing))\b"
    r"|\b(?:is|are|['’]s|gone|went|turned) (?:all |so |really |completely |badly )?(?:green|full|mush(?:y)?|soggy"
    r"|spongy|crumbl(?:ing|ed)|rotten|rotted|loose|cracked|broken|blown|hanging(?: off)?|bust(?:ed)?|stuck|jammed"
    r"|leaning|sagging|falling (?:over|down|apart)|overgrown|filthy|overdue|due)\b|\boverdue\b"
    r"|\b(?:has|have) (?:let go|gone|failed|died|dropped|come (?:off|loose|away|unhooked)|fallen (?:off|down|over))\b"
    r"|\b(?:went|died|quit|broke|failed|let go) (?:this|last|yesterday|today|again|on \w+day)\b"
    r"|\b(?:shows?|says|reads?|flash(?:es|ing)|throw(?:s|ing)) (?:an? )?(?:err(?:or)?|fault|[ef]\d+|nothing)\b"
    r"|\bis ?n['’]?t (?:very |even )?(?:cold|hot|warm|cooling)\b"
    r"|\b(?:red|warning) light\b|\b(?:misted|fogged|steamed)[ -](?:up|over)\b|\blike porridge\b"
    r"|\b(?:rats|mice|roaches|cockroaches|ants|wasps|hornets|bed ?bugs|squirrels|raccoons|termites|possums|fleas"
    r"|moles)\b|\bthere(?: is|['’]s|s) (?:an? )?(?:damp|mou?ld|leak|stump)\b"
)
#: Says outright that something is wanted ("we want a vapour barrier"), where no verb does.
WANTED = re.compile(
    r"\b(?:needs?|wants?|would like|['’]d like|require[sd]?) (?:(?:a|an|some|another|new|\d+|one|two|three|four"
    r"|five|six)\s)+"
    r"(?!quote|price|estimate|hand|help|idea|advice|word|look|visit|few|bit|lot|couple|number|date|guy|man|reliable|good"
    r"|someone|somebody|trades|plumber|electrician|builder|painter|roofer|handyman|contractor|company|person|team|crew)\w{3,}",
    re.IGNORECASE,
)
#: How high a room is.
HIGH_CEILINGS = re.compile(
    r"\b(?:with|has|have|and|,) (?:a )?(?:\d[\d.]{0,4}|eight|nine|ten) ?(?:ft|foot|feet|'|m)?[ -]?(?:high |tall )?"
    r"ceilings?\b",
    re.IGNORECASE,
)
PRONOUNS = frozenset({"it", "them", "em", "one", "ones", "that", "those", "these", "both"})
VAGUE = frozenset(
    [
        "few", "some", "several", "various", "multiple", "many", "number", "throughout", "needed", "necessary",
        "everything", "anything", "all", "work", "job", "area", "same", "thing", "stuff", "bit", "lot", "site",
        "colour",
        "color", "side", "way", "time", "day", "order", "plan", "scope", "first", "too", "again", "afterward", "after",
        "well", "properly", "fully", "weekly", "monthly", "daily", "fortnightly", "regular", "once", "twice", "season",
        "summer", "winter", "spring", "april", "may", "june", "july", "august", "september", "october", "november",
        "december", "january", "february", "march", "until", "together", "done", "want", "wanted", "across", "around",
        "size", "measure", "total", "kind", "type", "style", "brand", "model", "abt", "old", "year", "yr", "wait",
        "leave", "come", "into", "over", "through", "do", "name", "there", "here", "i'd", "we'd", "i'm", "they've",
        "family", "line",
    ]
)  # fmt: skip
#: Words beside a figure that name no thing.
_MEASURING = frozenset(
    [
        "tall", "high", "long", "wide", "deep", "thick", "foot", "ft", "inch", "in", "m", "mm", "cm", "metre", "meter",
        "yard", "amp", "a", "v", "volt", "total", "overall", "run", "about", "approx", "roughly", "maybe", "each", "w",
    ]
)  # fmt: skip
#: Words of topics and labels count less than the clause's own.
TOPIC_WEIGHT = 0.6
LONGEST_LABEL = 4
_VERB_AND_OBJECT = 2
MEASURES = frozenset({Role.AREA, Role.LENGTH})
#: How tasks are called that are of one size each.
SIZES = ("small", "medium", "large")


def is_in_trouble(said: str) -> bool:
    """Whether words, in lower case, tell that something is wrong with a thing."""
    return TROUBLE.search(said) is not None or FAULT.search(said) is not None


def fault_words(clause: Clause, said: str) -> range:
    """Where the words of a fault stand ("packed in", "runs all night"): they name no thing."""
    found = _FAULT_PHRASE.search(said)
    return range(clause.start + found.start(), clause.start + found.end()) if found else range(0)


def layer_words(clause: Clause) -> frozenset[int]:
    """Where the words of "1 layer tear-off", "tear off 2 layers" stand."""
    said = {"layer", "layers", "tear", "off", "tearoff", "existing", "strip", "with", "both", "to", "come", "coming"}
    numbers = (token for token in clause.tokens if token.kind is Kind.NUMBER or token.text in NUMBER_WORDS)
    return frozenset(token.start for token in (*numbers, *(one for one in clause.tokens if one.text in said)))


def not_done(action: str) -> str:
    """The reason to review a line whose words ask for more than its task does."""
    return f"Also asked to {action}: no task of the catalogue does that here; it is not in the price."


def particle_verbs(clause: Clause) -> frozenset[int]:
    """Where verbs like "cut … down" and their particles stand: alone they would mean something else ("cut" the
    grass)."""
    words = [token.text for token in clause.tokens]
    found: set[int] = set()
    for position, token in enumerate(clause.tokens):
        particle = phrasal_action(words, position)[1]
        if particle > position and words[particle] in PARTICLES | {"rid", "over"}:
            found |= {token.start, clause.tokens[particle].start}
    return frozenset(found)


def not_measured(thing: str) -> str:
    """The reason to review a line that names a second thing, of which nothing tells how much."""
    return f"Also asked for {thing}: nothing tells how much of it; it is not in the price."


#: What may stand before a name that says nothing else.
_BEFORE_A_NAME = DETERMINERS | {
    "old", "existing", "also", "and", "plus", "front", "back", "main", "i", "we", "need", "needs", "of", "to", "be",
    "please",
}  # fmt: skip


def only_names(tokens: Sequence[Token], names: Set[str]) -> bool:
    """Whether words are nothing but a name, in lemmas: "the toilet", "and our old garage door"."""
    words = (token.text for token in tokens if token.kind is Kind.WORD)
    return all(lemma(word) in names or word in _BEFORE_A_NAME for word in words)


#: "Replace with LED": what is replaced was named before.
_PUT_ANOTHER = re.compile(r"(?:please )?(?:replace|swap|r & r) (?:with|for)\b")


def refers_back(clause: Clause, words: Sequence[Word], index: TaskIndex, *, needs_action: bool = True) -> bool:
    """A clause with an action whose only object is a pronoun, or that names no object at all."""
    if needs_action and not clause.actions:
        return False
    pronoun = any(token.text in PRONOUNS for token in clause.tokens)
    if _PUT_ANOTHER.match(" ".join(token.text for token in clause.tokens[:4])):
        return True
    # "Hack off the plaster": what is no verb here is a thing.
    things = (
        {
            word.lemma
            for word in words
            if word.weight == 1.0 and (not action_of(word.lemma) or action_of(word.lemma) not in clause.actions)
        }
        - PRONOUNS
        - _MEASURING
    )
    if len(clause.tokens) == _VERB_AND_OBJECT and clause.tokens[1].text in PRONOUNS:
        things -= {clause.tokens[0].text} & set(clause.actions)  # "stain both"
    if not any(token.text == "service" for token in clause.tokens):
        # "Replace with 200 A" says how large; "200 A service" is the thing itself.
        things = {thing for thing in things if not thing[0].isdigit()}
    if pronoun:
        return not any(index.knows(thing) for thing in things)
    stated = any(action_of(token.text) and token.text not in IMPLIED for token in clause.tokens)
    return needs_action and (stated or clause.actions[0] != "install") and things <= VAGUE
