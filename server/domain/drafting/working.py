"""Work: what one clause that asks for something comes to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from server.domain.drafting import asking
from server.domain.drafting.actions import PUTS_IN, action_of
from server.domain.drafting.adding import (
    add_another,
    add_forward,
    add_same,
    add_unpriced,
    add_work,
    counts_last,
    tells_how_many,
)
from server.domain.drafting.amounts import sums_up, tells_more, tells_where
from server.domain.drafting.antecedents import NEW_ONE, read_antecedent, read_as_meant, read_goes
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.combining import is_taken_off, tells_part
from server.domain.drafting.cues import WHAT_IT_COSTS
from server.domain.drafting.ending import begins_its_thing
from server.domain.drafting.items import WALL_WORK, Item, described, inside, places_of, shown
from server.domain.drafting.listing import lists_things, names_only_places
from server.domain.drafting.lists import (
    adds_to,
    announces,
    goes_on,
    heads_lines,
    heads_list,
    heads_order,
    says_also,
    says_more,
)
from server.domain.drafting.matching import GENERAL_ACTIONS, ROOMS, Match, Word, lemma, lemmas_of
from server.domain.drafting.naming import (
    asked_of,
    in_background,
    in_topic,
    label_words,
    of_replacement,
    place_tokens,
    referred,
    says_more_of_last,
    tasks_named,
    what_is_under,
)
from server.domain.drafting.numbers import Kind
from server.domain.drafting.patterns import cues
from server.domain.drafting.preferring import with_choice
from server.domain.drafting.progress import HEARD, Progress
from server.domain.drafting.quantities import LABELS, WORK_ROLES, Quantity, Role
from server.domain.drafting.swapping import say_taken_out, takes_the_old_away
from server.domain.drafting.telling import (
    FAULT,
    HIGH_CEILINGS,
    LONGEST_LABEL,
    MEASURES,
    PREMISES,
    PRONOUNS,
    SHARED_ROLES,
    TROUBLE,
    VAGUE,
    WANTED,
    fault_words,
    layer_words,
    not_done,
    particle_verbs,
    refers_back,
)
from server.domain.units import UNITS, Dimension, dimension

#: "The oven is filthy": what is dirty is to be cleaned.
_SOILED = re.compile(r"\b(?:is|are|looks?|['’]s) (?:\w+ ){0,2}(?:filthy|dirty|grubby|grimy|disgusting)\b")
_FULL = re.compile(r"\b(?:full|green|filthy|overgrown)\b")
#: "68 ft of wall": how much of it, behind work that tells no figure.
_OF_THIS = re.compile(r"^[\W\d]*\w{1,5}\.?(?: (?:x|\+|&)?\s?[\d.]+ ?\w{1,5})* of (?:the )?(?:walls?|floor|roof)\W*$")
#: "Could you price tarmac": asks, whatever the price is of.
_PRICE_IT = re.compile(
    r"\b(?:can|could|please|also|and|you|to) (?:also )?(?:price|quote|cost)(?: up)? (?!for\b|on\b|me\b)\w"
)
#: "Both openers are dead": mended or replaced, as the catalogue has it.
_DEAD = re.compile(
    r"\b(?:dead|died|shot|kaput|knackered|had it|packed (?:in|up)|given up|gave up|conked out|beyond repair|toast)\b"
)
#: "Quote a second one for the main bedroom".
_ANOTHER = re.compile(
    r"\b(?:a (?:second|third|further)|another|one more|an? (?:extra|additional)) (?:one|of (?:those|these|them"
    r"|the same))\b|\b(?:one|two|three|another) more (?:over|in|on|at|by|near|for|above|under"
    r"|outside|upstairs|downstairs)\b",
)
#: "Plus a third one in the bonus room with no wiring there yet": whatever else its words name.
_THIRD_ONE = re.compile(
    r"\W*(?:plus |and |also )*(?:(?:add|install|fit|do|need|want) )?(?:a (?:second|third|fourth)|another|an extra) one"
    r" (?:in|on|at|for|by|over|above|near|outside|upstairs|downstairs)\b"
)
#: "And the same at the back, 40 ft", "I'd like a price for the same in the hall": what was asked for before, elsewhere.
_SAME_THERE = re.compile(
    r"\W*(?:(?:and|also|plus|then|please|pls|can|could|would|you|i|we|i['’]d|we['’]d|like|want|need|do|doing|an?|price"
    r"|quote|cost|for|on|to|give|me)\W+){0,9}(?:exactly )?the same (?:(?:thing|job|work|again|too|done) ){0,2}"
    r"(?:on|in|at|for|to|along|over) (?:the|our|my|both)\b(?! (?:\d|\w+day|weekend|same))"
)
#: "The radiator bangs and the one upstairs never warms up": the same trouble, or another, with another one.
_OTHER_ONE = re.compile(
    r"\W*(?:and |but )?(?:the (?:other )?one|the other|another(?: one)?)"
    r" (?:in|on|at|by|over|upstairs|downstairs|outside)\b"
)
_MENDS = frozenset({"repair", "service"})
_GUESSED = re.compile(r"\b(?:think|guess|suspect|reckon|believe|probably)\b")
#: What a count beside an item describes and does not ask for.
_NO_THINGS = frozenset(
    {"visit", "time", "them", "each", "car", "unit", "floor", "person", "people", "side", "story", "apartment", "flat",
     "space", "gang", "pole", "coat"}
)  # fmt: skip
_NO_THINGS_COUNTED = ROOMS | WALL_WORK | _NO_THINGS
_TOPIC_WORDS = 4
#: The score of a name so rare that one word of it is enough.
_TELLING_NAME = 6.0
#: Items back whose figures may be of a clause that came to nothing.
_NEAR = 6
#: "LINE VOLTAGE ELECTRICAL WORK. ADD 12 CIRCUITS …": what kind of permit it is, ahead of its work.
_HEADS_PERMIT = re.compile(r"\W*(?:[A-Z-]+ ){1,3}WORK\. [A-Z]")
#: The chance from which something is surely of a task; the same of a bare measure; work two of which are looked at.
_SURELY, _SURELY_MEASURED, _PAIR = 0.9, 0.8, 2
#: The chance of work from which a trouble with another one is told.
_MAY_TELL = 0.2
#: The chance from which what stands in brackets behind a thing says of what kind it is.
_MEANS_KIND = 0.5
#: The chance below which a clause is of no such work.
_HARDLY = 0.02
_NONE_AFTER = re.compile(r"\s*:\s*0(?!\.?\d)")
#: "Walls only": narrows what was asked for before.
#: The height of a room, the way up to it, the coats on it, a cutout in it: more about the work, and no work.
_DETAIL = re.compile(
    r"^\W*[\d.]+ ?(?:ft|')? ?(?:x|by) ?[\d.]+ ?(?:ft|')?,? with \d[\d.]{0,4} ?(?:ft|foot|feet|')[ -]?"
    r"(?:high )?ceilings?\W*$"
    r"|^\W*(?:(?:they |rooms |and )?(?:all|both|each)? ?(?:have |has )?)?(?:with )?(?:\d[\d.]{0,4}|eight|nine|ten"
    r"|eleven|twelve)\s?(?:ft|foot|feet|m|'|\")?[\s-]?(?:high|tall)?"
    r"\s?ceilings?\b(?! (?:light|fan|rose|tile))"
    r"|^\W*\d[\d.]{0,4}\s?(?:ft|foot|feet|m|')[\s-]?(?:high|tall)?\s?walls\b|\bflights? of (?:stairs|steps)\b"
    r"|^\W*(?:with )?ceilings?(?: height)?(?: is| are| at| of|:)? \d[\d.]{0,4}\s?(?:ft|foot|feet|m|')"
    r"(?: (?:high|tall))?\W*$"
    r"|^\W*from (?:the|our|my) [\w ]{2,30} (?:to|up to|as far as|down to) (?:the|our|my) [\w ]{2,30}\W*$"
    r"|^\W*runs? (?:(?:about|maybe|approx|roughly|some|only) )?\d[\d.]*\s?(?:ft|feet|m|metres?|meters?)\b"
    r"|^\W*(?:they['’]?re |they are )?(?:all|both) (?:are |being )?(?:of )?(?:the |a )?(?:same|standard|identical"
    r"|similar|regular|normal|usual|plain|single|double|straight|ground floor|first floor|second floor|one)\b"
    r"|^\W*(?:it['’]s an? |an? )?\d[ -]?(?:bed(?:room)?|br|bd)s?\b[ ,/\w.-]{0,20}\b(?:house|home|flat|apartment|apt"
    r"|semi|condo|terrace|bungalow|townhouse)(?: (?:of )?[\d,.]+ ?(?:sq\.? ?ft\.?|sf|sqft|m2|sqm|square f\w+))?\W*$"
    r"|^\W*\d{2,4} ?x ?\d{2,4}(?: ?(?:mm|cm|in|\"))? (?:\w+ )?(?:ceramic|porcelain|subway|metro|tile)s?\W*$"
    r"|^\W*(?:the )?(?:whole|entire) (?:house|home|property|place|building|unit)\b(?:,? (?:is |about |approx\.? )?"
    r"[\d,.]+ ?(?:sq\.? ?ft\.?|sf|sqft|m2|sqm|square f\w+))?\W*$"
    r"|^\W*(?:ceiling |room )?heights?:?(?: is| of)? \d[\d.]{0,4}\s?(?:ft|foot|feet|m|mm|cm|')?\W*$"
    r"|^\W*all (?:the way )?a?round(?: the (?:house|building|outside|property|room))?\W*$"
    r"|^\W*(?:one|two|three|1|2|3) coats?\b|^\W*with (?:an? |the )?cut-?outs?\b"
    r"|^\W*(?:about |approx\.? |roughly |it['’]?s (?:a )?)?[\d,.]+\s?(?:sq\.? ?ft\.?|sf|sqft|m2|sqm|square f\w+)"
    r"(?: \w+)? (?:house|home|unit|apartment|apt|flat|bldg|building|ranch|bungalow|property|condo)\W*$",
)  # fmt: skip
#: "(rendered, cream)", "double, insulated": a quality of the thing.
_QUALITY = re.compile(r"^\W*[a-z]+ed\W*$")
#: "4 in 4000 psi", "#4 rebar 2 ft o.c.": how concrete is to be made.
_SPECIFIED = re.compile(
    r"^\W*(?:(?:\d{1,2}\s?(?:in|\"|″|inch(?:es)?)?,? )?\d{4} ?psi\b[^,;.]{0,20}|#\d (?:re)?bar\b.{0,30})$"
)
#: "Ice & water 3 sq", "15# felt 22 sq": what lies under a new roof, and is in its price.
_UNDER_ROOFING = re.compile(r"\bice (?:and|&|n) water\b|\bice guard\b|^\W*(?:15|30) ?(?:#|lb) felt\b")
#: The same beside a roof, what ends it, where nothing tells how much, and how steep it is.
_OF_A_ROOF = re.compile(
    r"\W*(?:(?:synthetic|breathable) )?(?:underlay(?:ment)?|felt|drip edge|starter(?: strip| course)?s?)\W*"
    r"|\W*(?:walkable|\d{1,2}/12(?: pitch)?|steep|low[ -]slope)\W*"
)
#: "6 ft tall": how large what was asked for is.
_ONLY_SIZE = re.compile(
    r"^\W*(?:floor to ceiling|(?:ceiling |wall |room )?heights?)(?: is| of|:)? (?:about )?[\d.]+\s?(?:ft|foot|feet|m"
    r"|metres?|mm|cm|'|\")?\W*$"
    r"|^\W*(?:(?:and|about|approx\.?|it['’]?s|roughly|each|maybe|around|all|both) ){0,2}"
    r"(?:[\d.]+ ?(?:ft|m|'|\")? ?(?:x|×|by) ?(?=[\d.]+[^\d]*each))?[\d.]+\s?(?:ft|foot|feet|m"
    r"|metres?|meters?|cm|mm|in|'|\")?[\s-]?(?:(?:high|tall|wide|deep|long|thick)(?: each)?|each)\W*$"
)
#: "… dug out and laid on a proper sub base", "14 doors, fitted to the existing units", "a fan, wired to the old
#: switch": how what was asked for is to be done, and where it goes.
_HOW_DONE = re.compile(
    r"^\W*(?:then |and )?(?:laid|set|bedded|built|bolted|anchored|mounted|fixed) (?:on|onto|in|into|to) an?\b"
    r"|(?:and )?(?:supplied,? (?:and )?)?(?:installed|fitted|mounted|hung|fixed|set)(?: up)?"
    r" (?:to|on|onto|in|into|at|over|above|under|behind|beside|next to|against) (?:the|my|our|an?|each|both) "
    r"|(?:and )?(?:(?:hard-?)?wired|connected|hooked|tied|linked|paired)(?: up| back| in)? (?:to|into|off|from)"
    r" (?:the|my|our|existing) "
)
#: Behind these another thing may begin.
_THEN = re.compile(r"\b(?:then|also|plus) (?:the )?$", re.IGNORECASE)
#: "Footprint 8 x 6.5 m", "floor area 40 m2": how large what was asked for before is.
_FOOTPRINT = re.compile(
    r"^\W*(?:(?:the|its|our) )?(?:footprint|(?:floor |total |overall |roof )?area|(?:overall |rough )?(?:size"
    r"|dimensions?|measurements?))(?: is| are|:)?(?: about| approx\.?| roughly| around)?\W*\d"
)
#: What comes off for a new roof, and that it is carted off.
_TORN_OFF = re.compile(
    r"\W*(?:with |and |then |complete |full |the |one |two |single |layer ){0,3}"
    r"(?:tear|strip|rip|take|torn|tearing|stripp(?:ing|ed))[ -]?(?:it |them )?(?:off|out)?"
    r"(?: (?:to (?:the )?deck(?:ing)?|(?:one|two|all|1|2) (?:existing )?layers?"
    r"|(?:the )?(?:existing|old|current)(?: (?:roof|shingles?|layers?|felt|covering))?))?"
    r"(?:,? (?:(?:synthetic )?(?:underlay(?:ment)?|felt)))?\W*"
    r"|\W*(?:with )?(?:one|two|1|2) layers? (?:to come off|tear[ -]?off|coming off)\W*"
)
_CARTED = re.compile(r"\W*(?:and |then |all ){0,2}haul(?:ed|ing)?(?: (?:it|them|all))?(?: (?:off|away))?\W*")
_PLIES = frozenset({"layer", "layers"})
#: How many layers are torn off is part of the new roof's price.
_LAYERS = re.compile(r"\blayers?\b")
_ONLY_NUMBER = re.compile(r"\W*(?:one|two|three|four|five|six|\d{1,2})\W*")
_ONLY = re.compile(r"\bonly\W*$")
#: "14 panels and 4 exit signs, furnish and install".
_BOTH_OURS = re.compile(
    r"\W*(?:furnish(?:ed)?|suppl(?:y|ied)|provided?) ?(?:and|&|\+|/) ?(?:install|fit|lay|hang"
    r"|deliver)\w*(?: please)?\W*$"
)
_FITTED_BY_YOU = re.compile(
    r"\W*(?:but |and )?(?:to be )?(?:fitted|installed|hung|laid|put in|mounted) by (?:you|yourselves|contractor)\W*$"
)
#: A count of nought asks for nothing.
_NONE_WANTED = cues(r"(?:\bqty\W{0,3}|:\s?)0\b(?![.\d])|^\W*(?:0|zero)\s[a-z]")
#: "1450 total", "total 600 sf".
_IS_TOTAL = re.compile(r"\b(?:total|altogether|in all|overall)\b")
#: "Edging included": part of what was asked for before.
_PART_OF_IT = re.compile(r"(?<!not )\b(?:included|incl)\W*$")
#: Names that only say what is wrong: another thing in the words is what it is wrong with.
_WEAK_NAMES = frozenset({"leak", "water", "pipe", "block", "drip"})
_NOT_WORK = frozenset(
    [
        "quote", "price", "estimate", "visit", "look", "come", "call", "contact", "advise", "note", "email", "send",
        "know", "let", "confirm", "book", "arrange",
    ]
)  # fmt: skip

#: "New toilet seat, soft close", "faucet, brushed nickel": what kind of thing it is to be.
_FEATURE = re.compile(
    r"^\W*(?:soft[- ]clos(?:e|ing)|quick[- ]release|(?:comfort|chair|standard)[- ]height|pull[- ]?(?:down|out)"
    r"|touchless|(?:brushed|satin) nickel|matte? black|stainless(?: steel)?|chrome|elongated|round front"
    r"|single[- ](?:handle|lever)|low[- ]profile|energy star|double[- ]glazed|frosted|obscure glass"
    r"|remote[- ]control(?:led)?"
    r"|dimmable|fire[- ]rated|(?:solid|hollow)[- ]core|pre-?hung|nothing fancy|mid[- ]range|builder[- ]grade"
    r"|contractor[- ]grade|same size|like[- ]for[- ]like)\W*$"
)
#: Which of several of a thing.
_WHICH_ONE = frozenset({"upstairs", "downstairs", "main", "guest", "master", "family", "the", "ground", "floor"})
#: What things of so many sides are made of: "two panels, each 4 x 6 ft".
_PIECES = frozenset({"panels", "pieces", "sheets", "sections", "strips", "bays", "runs", "areas"})
#: Characters of such a list.
_LONGEST_LIST = 160
#: "You bring the wax ring, bolts and supply line": what goes with the work.
_YOU_BRING = re.compile(
    r"\b(?:you|u)(?: ?['’]d| ?['’]ll| would| will| can| to)? (?:bring|provide|supply) (?:the|your|all|any|own)\b"
    r"(?![^.;:\n]*\b(?:skip|dumpster|scaffold\w*|tower|permits?|truck|van|lift)\b)[^.;:\n]*$",
    re.IGNORECASE,
)
#: "Before the open house on the 14th", in so many tokens; "all replacing the old ones in the same spots".
_UNTIL = re.compile(
    r"\W*(?:before|until|till|prior to|ahead of) (?:the|our|my|we|i|they|it|next|christmas|thanksgiving)\b"
)
_LONGEST_UNTIL = 8
_IN_PLACE_OF_ALL = re.compile(
    r"\W*(?:(?:all|both|each|these)(?: of (?:them|these))? )?(?:replacing|to replace) (?:the |our |my )?"
    r"(?:old|existing|current)(?: ones?)?\b"
)
#: "Sockets in 4 bedrooms, one each": of what is counted by its places.
_ONE_EACH = re.compile(r"\W*(?:one|1) (?:each|apiece|in each)\W*")
#: "Take down & dispose": goes with what is taken out.
_TAKEN_AWAY = re.compile(r"\W*(?:and |then |also )*dispos(?:e|ed|al)(?: (?:of|it|them|that|all|off))*(?: please)?\W*")
#: What is done to a thing that does not work.
_PUTS_RIGHT = (("repair",), ("replace",))
#: What is cried out between two clauses: "… let go this morning, BANG. Need 2 new ones."
_CRIES = frozenset(
    ["bang", "boom", "pop", "snap", "ugh", "argh", "yikes", "wow", "oops", "lol", "haha", "sigh", "help", "anyway",
     "anyways", "yes", "yep", "yeah", "ok", "okay"]
)  # fmt: skip


def read_work(so_far: Progress, clause: Clause, own: list[Quantity], *, brought: bool = False) -> None:
    """Take a clause that may ask for work, with its figures, into the items. ``brought``: a note of what the customer
    has for it."""
    if _SAME_THERE.match(so_far.text[clause.start : clause.end].lower()) and add_same(so_far, clause, own):
        return
    if _is_other_one(so_far, clause):
        add_another(so_far, clause, own)
        so_far.items[-1].again = True
        return
    if _is_detail(so_far, clause, own):
        return
    before = len(so_far.items)
    if not read_goes(so_far, clause, own) and not read_antecedent(so_far, clause, own):
        _read_by_names(so_far, clause, own, brought)
    heard = clause.kind is ClauseKind.WORK and so_far.heard(clause) >= HEARD
    if len(so_far.items) == before and heard and not _heads_parts(so_far, clause):
        _read_by_chance(so_far, clause, own)


def _is_other_one(so_far: Progress, clause: Clause) -> bool:
    """ "… and the one upstairs never warms up": something is wrong with another of what is mended, too."""
    last = so_far.items[-1] if so_far.follows_item(clause) else None
    if last is None or last.match is None or last.verb not in _MENDS or last.match.task.unit != "each":
        return False
    low = so_far.text[clause.start : clause.end].lower()
    told = clause.kind is ClauseKind.WORK and _OTHER_ONE.match(low) is not None
    if not told or so_far.meant is None or any(one.role is Role.COUNT for one in last.figures):
        return False
    number = so_far.places.get(clause.start)
    if number is None:
        return False  # of what an answer says nothing was learned
    same = so_far.meant.likeliest(number)[0] == last.match.task.work
    return same and so_far.heard(clause) >= _MAY_TELL


def _heads_parts(so_far: Progress, clause: Clause) -> bool:
    """ "HVAC: replace the heat pump, new thermostat", "please fix: toilet, dishwasher": what trade or what verb it is
    of, and no whole beside its parts."""
    if so_far.said_of_line[0] == clause.sentence and so_far.labels(clause):
        return True
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None or clause.actions or not so_far.labels(clause):
        return False
    whole = so_far.index.catalogue.tasks.get(so_far.meant.likeliest(number)[0])
    return whole is not None and bool(whole.includes) and clause.sentence in so_far.acting


def _is_detail(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """Whether the clause only says more of the work before it, or wants none; its figures are that work's then."""
    said = so_far.text[clause.start : clause.end][:400]
    low = said.lower()
    if heads_order(so_far, clause) or heads_lines(so_far, clause, own):
        return True
    if _NONE_WANTED.search(low) or _NONE_AFTER.match(so_far.text[clause.end : clause.end + 8]):
        return True
    if len(clause.tokens) == 1 and (
        clause.tokens[0].text in _CRIES
        # "Sorry, the kitchen is 8 ft", but not "3 toilets, sorry 3 flappers"
        or (clause.tokens[0].text == "sorry" and so_far.text.startswith(",", clause.end))
    ):
        return True
    if _TAKEN_AWAY.fullmatch(low) and so_far.in_sentence(clause) and _was_just_taken_out(so_far, clause):
        so_far.add_detail(clause, (), own)
        return True
    if takes_the_old_away(so_far, clause) and (match := so_far.items[-1].match) is not None:
        say_taken_out(so_far, match.task, clause)
        return True
    if so_far.items and all(one.noun in _PLIES for one in own) and _goes_with_roof(so_far, clause, low):
        so_far.add_detail(clause, (), [])
        return True
    if so_far.follows_item(clause) and _asks_what_it_costs(so_far.items[-1], low):
        so_far.add_detail(clause, (), own)
        return True
    begin = max(so_far.sentence_of(clause)[0], clause.end - _LONGEST_LIST)
    if so_far.items and not own and _YOU_BRING.search(so_far.text[begin : clause.end]):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and not own and _FEATURE.match(low):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and _counts_pieces(so_far, clause, own):
        so_far.add_detail(clause, (), own)
        return True
    if len(clause.tokens) == 1 and clause.actions and so_far.in_sentence(clause):
        last = so_far.items[-1]
        mended = clause.actions == ("repair",) and last.match is not None and "repair" not in last.match.task.verbs
        trouble = so_far.text[last.clause.start : last.end][:400].lower()
        faulty = clause.actions in _PUTS_RIGHT and FAULT.search(trouble) is not None
        if last.match is not None and not last.clause.actions and (mended or faulty):
            # "Double-tapped breaker in main panel, correct", "main shutoff won't close, replace"
            if faulty and clause.actions[0] in last.match.task.verbs:
                last.verb = clause.actions[0]
            so_far.add_detail(clause, (), own)
            return True
    if own and _IS_TOTAL.search(low) and sums_up(so_far, clause, own[0]):
        return True
    if (so_far.items and _only_counts(clause, own)) or tells_how_many(so_far, clause, own):
        counts_last(so_far, clause, own[0])
        return True
    if not own and not clause.actions and clause.start == 0 and _HEADS_PERMIT.match(so_far.text):
        return True
    until = _UNTIL.match(low) is not None and len(clause.tokens) <= _LONGEST_UNTIL
    if so_far.in_sentence(clause) and not own and (until or _IN_PLACE_OF_ALL.match(low)):
        so_far.add_detail(clause, (), own)
        return True
    if _LAYERS.search(low) and not so_far.index.words(clause.tokens, measured=layer_words(clause)):
        so_far.add_detail(clause, (), [])
        return True
    if _FITTED_BY_YOU.match(low):
        # "Tiles and taps are all supplied by us, fitted by you: 14 sqm of wall tiles, …".
        if so_far.text[clause.end : clause.end + 1] == ":":
            so_far.all_supplied = clause.sentence
        return True
    bracketed = so_far.in_brackets(clause)
    if (
        not clause.actions
        and so_far.in_sentence(clause)
        and ((bracketed and not _measures_what_it_names(so_far, clause, own)) or _DETAIL.search(low))
    ):
        if bracketed:
            _take_kind(so_far, clause)
        so_far.add_detail(clause, so_far.index.words(clause.tokens), own)
        return True
    if so_far.in_sentence(clause) and not own and _HOW_DONE.match(low):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and own and all(is_taken_off(one, so_far.text) for one in own):
        # "… 14 x 16, minus 3 ft for the door"
        so_far.add_detail(clause, (), own)
        return True
    if _SPECIFIED.match(low):
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and not clause.actions and _UNDER_ROOFING.search(low):
        so_far.add_detail(clause, (), [])
        return True
    if so_far.follows_item(clause) and _ONLY_SIZE.match(low):
        so_far.add_detail(clause, (), own)
        return True
    if _goes_on_with_list(so_far, clause, own):
        so_far.pending += own
        return True
    if _FOOTPRINT.match(low) and so_far.items and own and not clause.actions and _lacks_measure(so_far):
        so_far.items[-1].figures += own
        return True
    if _measures_another(so_far, clause, own) or _lists_room(so_far, clause, own):
        return True
    if so_far.in_sentence(clause) and _sizes_with_part(so_far, clause, own):
        so_far.add_detail(clause, (), own)
        return True
    if tells_more(so_far, clause, own):
        return True
    if so_far.in_sentence(clause) and _ONE_EACH.fullmatch(low):
        so_far.add_detail(clause, (), [])
        return True
    listed_places = so_far.in_sentence(clause) and names_only_places(clause.tokens)
    if listed_places and not _lists_other_things(so_far, clause):
        # "Clean the house: 3 bedrooms, kitchen and living room"
        so_far.add_detail(clause, so_far.index.words(clause.tokens), own)
        return True
    if not clause.actions and not own and so_far.in_sentence(clause) and _lists_places(so_far, clause):
        # "Mount three televisions: the sitting room, the kitchen and our bedroom"
        so_far.add_detail(clause, so_far.index.words(clause.tokens), own)
        return True
    named = [token for token in clause.tokens if token.text not in _WHICH_ONE]
    if not own and len(named) == 1 and so_far.in_sentence(clause) and _says_thing_again(so_far, clause):
        return True
    if so_far.in_sentence(clause) and _ONLY_NUMBER.fullmatch(low):
        # "Plus the permit, one."
        so_far.add_detail(clause, (), own)
        return True
    if so_far.in_sentence(clause) and _BOTH_OURS.match(low) and so_far.text[clause.end : clause.end + 1] in ".\n":
        so_far.items[-1].provided = True
        return True
    if (
        so_far.in_sentence(clause)
        and not own
        and _QUALITY.match(low)
        and (bracketed or _after_qualities(so_far, clause))
    ):
        so_far.add_detail(clause, (), own)
        return True
    if (
        so_far.items
        and so_far.is_there(so_far.items[-1], clause)
        and (
            _PART_OF_IT.search(low)
            or (_ONLY.search(low) and not clause.actions and not own and not _names_another(so_far, clause))
        )
    ):
        so_far.add_detail(clause, so_far.index.words(clause.tokens), own)
        return True
    return False


def _goes_on_with_list(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "The worktop runs 3 m along the back and 1.2 m down the side. Reseal it": more of what the sentence tells of how
    much there is of something, before any work on it."""
    last = so_far.pending[-1] if so_far.pending else None
    if last is None or clause.actions or len(own) != 1 or own[0].role not in MEASURES or own[0].role is not last.role:
        return False
    begins = own[0].span.start == clause.start and last.span.start >= so_far.sentence_of(clause)[0]
    told = so_far.before_in_sentence(clause)
    return begins and told is not None and inside(last, told) and tells_where(so_far.text, own[0].span.end)


def _was_just_taken_out(so_far: Progress, clause: Clause) -> bool:
    """Whether the clause right before takes a thing out: soil is carried away by a work of its own."""
    last = so_far.items[-1]
    out = last.verb == "remove" and last.match is not None and last.match.task.trade != "earthworks"
    return out and last.clause is so_far.before_in_sentence(clause)


def _goes_with_roof(so_far: Progress, clause: Clause, said: str) -> bool:
    """ "Reroof, 24 squares. Tear off, drip edge, haul off": what comes off for a new roof and lies under it is in its
    price."""
    roof = next((one for one in reversed(so_far.items[-_NEAR:]) if one.match is not None and _is_roof(one.match)), None)
    if roof is None or roof.match is None or not so_far.is_there(roof, clause):
        return False
    if not clause.actions and roof.clause.kind is clause.kind and _tells_roof(so_far, clause, roof):
        return True
    near = 1 + (roof is so_far.items[-1])
    torn_off = _TORN_OFF.fullmatch(said) is not None
    goes_with = torn_off or _CARTED.fullmatch(said) is not None or _OF_A_ROOF.fullmatch(said) is not None
    if roof.clause.sentence < clause.sentence - near or not goes_with:
        return False
    if torn_off:
        roof.verb = "replace"
        say_taken_out(so_far, roof.match.task, clause)
    return True


def _tells_roof(so_far: Progress, clause: Clause, roof: Item) -> bool:
    """ "Reroof. Tear off, 3 pipe boots, Landmark in weathered wood": what is surely meant to cover the roof that was
    asked for says of which kind it is."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None or roof.match is None or not roof.match.task.default:
        return False
    task_id, chance = so_far.meant.likeliest(number)
    kind = so_far.index.catalogue.tasks.get(task_id)
    if kind is None or chance < _SURELY or kind is roof.match.task or kind.trade != "roofing":
        return False
    # Of two flat roofs that are asked for one is no kind of the other.
    shared = {*lemmas_of(kind.name)} & {*lemmas_of(roof.match.task.name)} - {"roof", "flat"}
    if clause.kind is not ClauseKind.WORK or not shared or roof.verb not in kind.verbs:
        return False
    chosen = so_far.index.chosen(task_id, roof.match.words, roof.asked, stated=False, sure=True, measured=None)
    roof.match = chosen or roof.match
    return chosen is not None


def _is_roof(match: Match) -> bool:
    """ "New roof", "reroof with metal": a roof that is put on, and not what it lies on."""
    area = dimension(match.task.unit) is Dimension.AREA and "sheathing" not in lemmas_of(match.task.name)
    return match.task.trade == "roofing" and area and match.verb in PUTS_IN and "replace" in match.task.verbs


def _asks_what_it_costs(item: Item, said: str) -> bool:
    """ "The toilet is shot. What would a new one cost?": the one that was read there already."""
    asks = WHAT_IT_COSTS.match(said) and NEW_ONE.search(said)
    return bool(asks) and item.match is not None and item.match.verb in PUTS_IN


def _counts_pieces(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Lettering for the window, two panels, each 4 x 6 ft"."""
    behind = so_far.behind(clause)
    return (
        len(own) == 1
        and own[0].noun in _PIECES
        and not clause.actions
        and behind is not None
        and behind.tokens[0].text == "each"
    )


def _only_counts(clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Qty: 4"."""
    return clause.tokens[0].text in LABELS and len(clause.tokens) <= LONGEST_LABEL and len(own) == 1


def _take_kind(so_far: Progress, clause: Clause) -> None:
    """ "New countertops (quartz, 45 sf)": what stands in brackets behind the thing and surely means another kind of it
    says which is meant."""
    number, item = so_far.places.get(clause.start), so_far.items[-1]
    if so_far.meant is None or number is None or item.match is None or not item.match.task.default:
        return
    task_id, chance = so_far.meant.likeliest(number)
    task = so_far.index.catalogue.tasks.get(task_id)
    if task is None or chance < _MEANS_KIND or task.trade != item.match.task.trade or task is item.match.task:
        return
    said = so_far.known_in(clause) & {*lemmas_of(task.name)} - so_far.index.described(item.match.task)
    things = item.match.things - ROOMS
    if said and things & so_far.index.described(task) and dimension(task.unit) is dimension(item.match.task.unit):
        item.match = so_far.index.chosen(
            task_id, item.match.words | said, item.asked, stated=False, sure=True, measured=None
        )


def _measures_another(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """ "Mulch and edging in the front beds, 5 yds, 80 ft of edging": a bare measure that was learned to be of the work
    before the last, which tells none."""
    number = so_far.places.get(clause.start)
    bare = len(own) == 1 and own[0].span.start <= clause.start and clause.end <= own[0].span.end + 1
    bare = bare and own[0].role in MEASURES | {Role.VOLUME}
    if so_far.meant is None or number is None or not bare or len(so_far.items) < _PAIR:
        return False
    task_id, chance = so_far.meant.likeliest(number)
    before, last = so_far.items[-2], so_far.items[-1]
    if before.match is None or last.match is None or before.match.task.task_id != task_id:
        return False
    # Yards of mulch and edging are told by which of the two is measured so, or surely meant.
    only = _is_of(own[0], before) and not _is_of(own[0], last)
    if chance < (_MEANS_KIND if only else _SURELY_MEASURED):
        return False
    if before.match.task is last.match.task or any(one.role in MEASURES | {Role.VOLUME} for one in before.figures):
        return False
    before.figures += own
    return True


def _sizes_with_part(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Pave our drive in asphalt, 14 ft wide x 110 long w a parking pad at the end 30x24": begins with the size of
    what a command is for, and has a part of it, of which nothing says that it is made of something else."""
    match, number = so_far.items[-1].match, so_far.places.get(clause.start)
    if match is None or clause.actions or not so_far.items[-1].clause.commands or not _lacks_measure(so_far):
        return False
    begins = bool(own) and own[0].span.start <= clause.start
    if not begins or not tells_part(own, so_far.text) or dimension(match.task.unit) is not Dimension.AREA:
        return False
    if so_far.meant is None or number is None:
        return True
    other = so_far.index.catalogue.tasks.get(so_far.meant.likeliest(number)[0])
    made_of = set(lemmas_of(other.name)) - so_far.index.described(match.task) if other is not None else set[str]()
    return made_of.isdisjoint(so_far.known_in(clause))


def _is_of(figure: Quantity, item: Item) -> bool:
    """Whether the work of an item is priced by such a measure."""
    if item.match is None or figure.unit not in UNITS:
        return False
    return dimension(figure.unit) is dimension(item.match.task.unit)


def _lists_room(so_far: Progress, clause: Clause, own: list[Quantity]) -> bool:
    """ "Carpet these rooms:\n- Bed 1 12x12\n- Hall 4x18": a line of the work that heads the list."""
    item = so_far.items[-1] if so_far.items else None
    if item is None or clause.actions or not heads_list(so_far, item.clause):
        return False
    known = so_far.known_in(clause)
    if not known or not known <= ROOMS or not any(one.sides for one in own):
        return False
    item.figures += [one for one in own if one.role is not Role.COUNT]
    return True


def _says_thing_again(so_far: Progress, clause: Clause) -> bool:
    """ "Laying of 45 m2 porcelain slabs - slabs and sub-base already delivered", "new toilet seat, upstairs loo"."""
    match = so_far.items[-1].match
    return match is not None and so_far.known_in(clause) <= match.words and bool(so_far.known_in(clause))


def _lacks_measure(so_far: Progress) -> bool:
    return not any(one.role in MEASURES for one in so_far.items[-1].figures)


def _names_another(so_far: Progress, clause: Clause) -> bool:
    """ "Pressure wash the drive, then windows outside only": narrows nothing, but names another thing."""
    match = so_far.items[-1].match
    then = _THEN.search(so_far.text, max(0, clause.start - _NEAR), clause.start) is not None
    if match is None or not (then or _means_another(so_far, clause, match)):
        return False
    known = so_far.known_in(clause) - PREMISES - ROOMS - WALL_WORK - {"only"}
    return bool(known - so_far.index.described(match.task) - described(so_far.items[-1]))


def _means_another(so_far: Progress, clause: Clause, match: Match) -> bool:
    """ "Clean the oven and the fridge, windows inside only": likely means other work of the same trade."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None or any(token.text in PRONOUNS for token in clause.tokens):
        return False
    task_id, chance = so_far.meant.likeliest(number)
    task = so_far.index.catalogue.tasks.get(task_id)
    if task is None or chance < _MEANS_KIND or task.trade != match.task.trade or task_id == match.task.work:
        return False
    return not so_far.known_in(clause).isdisjoint(lemmas_of(task.name))  # "the back slope only" names no roof


def _lists_places(so_far: Progress, clause: Clause) -> bool:
    """Whether only rooms stand behind the colon of work that is of none."""
    before = so_far.items[-1].match
    behind_colon = so_far.text[max(0, clause.start - 4) : clause.start].rstrip().endswith(":")
    if not behind_colon or before is None or before.words & ROOMS:
        return False
    known = so_far.known_in(clause)
    return bool(known) and known <= PREMISES


def _measures_what_it_names(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "(deck 300 sq ft)": a thing, and behind it how much of it."""
    lead = so_far.text[clause.start : own[0].span.start] if own else ""
    named_first = any(so_far.index.knows(lemma(word)) for word in re.findall(r"[a-z]+", lead.lower()))
    return named_first and any(one.role in MEASURES for one in own)


def _read_by_names(so_far: Progress, clause: Clause, own: list[Quantity], brought: bool) -> None:
    said = so_far.text[clause.start : clause.end][:400]
    low = said.lower()
    measured = place_tokens(so_far, clause).union(
        particle_verbs(clause),
        fault_words(clause, said),
        places_of(figure for figure in own if figure.role is not Role.RATING),
    )
    words = so_far.index.words(clause.tokens, measured=measured)
    actions = clause.actions
    if (
        own
        and so_far.lacks_figures(clause, back=0 if clause.actions else 1)
        and (not any(so_far.index.knows(one.lemma) and one.lemma.isalpha() for one in words) or _OF_THIS.search(low))
    ):
        # "Wash and stain the deck, 16x20": a figure without a word measures all that was just asked for.
        for item in so_far.items[:-1][-2:]:
            item.figures += own if item.clause is so_far.items[-1].clause else []
        so_far.add_detail(clause, (), own)
        return
    if announces(so_far, clause, words, own):
        return
    if says_more(so_far, clause, words, own):
        so_far.add_detail(clause, words, own)
        return
    implied = clause.implied
    fault = FAULT.search(low) is not None and not set(actions) - implied
    if fault:
        actions = ("repair", "service")
    elif _SOILED.search(low) and not set(actions) - implied:
        actions = ("clean",)
    elif not (actions or own) and so_far.chances.get(clause.start, 1.0) >= asking.PLAINLY_ASKED and TROUBLE.search(low):
        # "The gutters are full": whatever is done about it, nothing new is put in.
        actions = ("clean",) if _FULL.search(low) else ("repair", "service")
    told = len(words)
    words = of_replacement(so_far, clause, words, actions, own)
    is_new_kind = len(words) < told
    words = words + label_words(so_far, clause)
    inherited = not actions
    headed = False
    if inherited and so_far.items and (so_far.in_sentence(clause) or goes_on(so_far, clause)):
        actions = so_far.items[-1].asked
        headed = so_far.items[-1].headed and so_far.in_sentence(clause)
    elif inherited and clause.sentence in so_far.coated:
        actions = ("paint",)
    elif adds_to(so_far, clause):
        actions = so_far.items[-1].asked
    elif inherited and so_far.forward[0] == clause.sentence:
        actions = so_far.forward[1]
        own = own + so_far.forward[2]
    elif inherited and so_far.said_of_line[0] == clause.sentence:
        actions = so_far.said_of_line[1]
        headed = True
    elif inherited and so_far.heading:
        actions = so_far.heading
        headed = True
    pronoun = any(token.text in PRONOUNS for token in clause.tokens)
    refers = refers_back(clause, words, so_far.index)
    if refers and not pronoun and _digs_for(so_far, clause, actions):
        so_far.add_detail(clause, (), own)
        return
    if refers:
        words, actions = referred(so_far, clause, words, actions)
        words += what_is_under(words, actions)
    # "Trim" is also a thing of wood, which a list that goes on with the verb does not name.
    specific = tuple(action for action in actions if action not in GENERAL_ACTIONS | {"trim"})
    known = words + tuple(Word(action, clause.start, clause.start) for action in specific if inherited)
    known += so_far.index.numbers(clause.tokens, own)
    if _THIRD_ONE.match(low) and so_far.items and so_far.items[-1].match is not None:
        add_another(so_far, clause, own)
        so_far.items[-1].again = True
        return
    named = tasks_named(so_far, known, asked_of(actions, clause), own, inherited)
    if named and named[0].words & {"ceiling", "wall"} == {"ceiling"} and _tells_height(so_far, clause):
        # "Walls and trim, 9 ft ceilings": the trim, in rooms that are so high.
        rest = tuple(word for word in known if word.lemma != "ceiling")
        others = tasks_named(so_far, rest, asked_of(actions, clause), own, inherited)
        if others and others[0].verb_fits:
            known, named = rest, others
    if fault and _DEAD.search(low) and not any(match.verb_fits for match in named):
        named = tasks_named(so_far, known, ("replace",), own, inherited)
        actions = ("replace",) if named and named[0].verb_fits else actions
    if fault:
        named = _of_what_is_lacking(so_far, clause, known, asked_of(actions, clause), own, named)
    if not named and _ANOTHER.search(low) and so_far.items and so_far.items[-1].match is not None:
        add_another(so_far, clause, own)
        return
    listed = actions
    here = {word.lemma for word in words if word.start >= clause.start and word.weight == 1.0}
    fits = bool(named) and named[0].verb_fits
    if inherited and actions and not (fits and (not own or named[0].words & here)):
        # A list may go on with things that the verb before does not fit: "paint 2 rooms, 10 outlets".
        shorthand = tasks_named(so_far, known, (), own, inherited)
        better = not fits or (
            shorthand and shorthand[0].score > named[0].score and shorthand[0].words & here - WALL_WORK
        )
        sure = shorthand and (own or len(shorthand[0].words) > 1 or shorthand[0].score > _TELLING_NAME)
        if better and sure and shorthand[0].verb_fits:
            named, actions = shorthand, ()
    if not (named and named[0].verb_fits) and not refers and so_far.backdrop:
        wider = tasks_named(so_far, known + in_background(so_far.backdrop), asked_of(actions, clause), own, inherited)
        here = {word.lemma for word in words}
        fitting = next((match for match in wider if match.verb_fits and match.words & here), None)
        if fitting is not None:
            named = [fitting, *(match for match in wider if match is not fitting)]
    if (
        named
        and len(named[0].words) == 1
        and so_far.topic
        and not refers
        and (so_far.topic_sentence >= clause.sentence - 1 or not so_far.items)
    ):
        named = in_topic(so_far, clause, known, actions, own, inherited, named)
    measured_label = so_far.label[0] == clause.sentence and any(figure.role in WORK_ROLES for figure in own)
    if measured_label and not (named and named[0].verb_fits):
        # "Extension: 5 m x 4 m": the label itself is the work.
        words = tuple(replace(word, weight=1.0) for word in so_far.label[1]) + words
        named = tasks_named(so_far, words, asked_of(actions, clause), own, inherited)
        if named and named[0].task.includes and so_far.in_sentence(clause):
            named = []  # no whole beside its parts
        so_far.label = (-1, ())
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
        spoken_of = {word.lemma for word in so_far.topic}
        named = [
            match
            for match in named
            if not pronoun
            or any(not action_of(word) for word in match.words)
            or (match.verb in actions and not spoken_of.isdisjoint(so_far.index.described(match.task)))
        ]
    if named and named[0].verb_fits and refers and not pronoun:
        # Without any object only a task that does this very thing is meant, not one whose verb stands in for it.
        named = [
            match
            for match in named
            if match.verb in actions or not so_far.index.described(match.task).isdisjoint(actions)
        ]
    if so_far.kind_of == clause.sentence and so_far.items and so_far.items[-1].match and named:
        # After "ROOF COVERING:" only roofs are meant.
        trade = so_far.items[-1].match.task.trade
        named = [match for match in named if match.task.trade == trade]
    if not refers and clause.kind is ClauseKind.WORK and says_more_of_last(so_far, clause, known, own, named):
        so_far.add_detail(clause, words, own)
        return
    if not is_new_kind and (not refers or (not pronoun and _is_done_besides(so_far, actions, named))):
        named = with_choice(so_far, clause, known, asked_of(actions, clause), own, named)
    told_of = NEW_ONE.search(low) or any(token.text in PRONOUNS - {"one", "ones"} for token in clause.tokens)
    if refers and told_of and _is_hardly_meant(so_far, clause, named) and read_as_meant(so_far, clause, own):
        return
    chance = so_far.chances.get(clause.start, 1.0)
    if brought or clause.commands or clause.ending or implied or fault or _PRICE_IT.search(low):
        # A verb that commands, a fault and what waits to be fitted ask, however little else the words say.
        chance = 1.0 if so_far.brings_to_be_fitted(clause) else chance * 2
    wished = bool(clause.ending) and begins_its_thing(clause, so_far.text) > clause.start
    goes_on_with_it = wished or (inherited and actions and says_also(so_far, clause))
    if goes_on_with_it and named and named[0].exact:
        chance = max(chance, asking.CLAUSE_TELLS)
    if chance < asking.CLAUSE_TELLS:
        so_far.unread.append(shown(so_far.text[clause.start : clause.end]))
        _tell_of(so_far, clause, words, named)
        so_far.add_detail(clause, (), [figure for figure in own if is_shared(so_far, figure)])
    elif named and named[0].verb_fits:
        add_work(so_far, clause, words, actions, named, own, inherited)
        if chance < asking.DOUBTFUL and so_far.items and so_far.items[-1].clause is clause:
            so_far.items[-1].reasons.append("The words may only tell of this: check that it is asked for.")
        if so_far.forward[0] == clause.sentence and not inherited:
            add_forward(so_far, clause, words, own)
        so_far.items[-1].refers |= refers
        so_far.items[-1].headed |= headed and so_far.items[-1].clause is clause
        so_far.items[-1].asked = asked_of(listed, clause) if inherited else so_far.items[-1].asked
        fresh = [
            word
            for word in words
            if word.weight == 1.0 and so_far.index.knows(word.lemma) and word.lemma not in {"leak", "drip", "block"}
        ]
        so_far.topic_sentence = clause.sentence
        so_far.speak_of((*fresh, *(word for word in so_far.topic if word not in fresh))[:_TOPIC_WORDS])
    elif refers and (pronoun or _follows_what_was_told(so_far, clause)) and read_as_meant(so_far, clause, own):
        pass
    elif refers and pronoun and so_far.untaken and so_far.untaken[0].sentence == clause.sentence:
        # "The disposal is jammed, swap it out": what no task names is still what the verb is done to.
        before, about = so_far.untaken
        add_unpriced(so_far, replace(clause, start=before.start), about, actions, [], own)
    elif refers and so_far.items and so_far.items[-1].verb in actions:
        so_far.add_detail(clause, (), own)
    elif refers and pronoun and so_far.in_sentence(clause) and not set(actions) & GENERAL_ACTIONS:
        so_far.items[-1].reasons.append(not_done(actions[0]))
        so_far.add_detail(clause, (), own)
    elif refers and not pronoun and not so_far.in_sentence(clause):
        so_far.forward = (clause.sentence, actions, own)
    elif heads_list(so_far, clause):
        so_far.heading = tuple(action for action in actions if action not in {"install", "repair"}) or actions
    elif chance >= asking.UNKNOWN_TELLS and (
        _asks(so_far, clause, words) or _measures_a_thing(so_far, clause, words, own)
    ):
        add_unpriced(so_far, clause, words, actions, named, own)
    else:
        if not own and not (so_far.items and so_far.items[-1].clause.sentence == clause.sentence):
            so_far.unread.append(shown(so_far.text[clause.start : clause.end]))
        _tell_of(so_far, clause, words, named)
        if clause.actions or FAULT.search(low):
            so_far.untaken = (clause, words)
        elif not so_far.items and not so_far.topic:
            so_far.topic = tuple(
                one
                for one in words
                if one.weight == 1.0 and so_far.index.knows(one.lemma) and one.lemma not in PREMISES | VAGUE
            )
        so_far.add_detail(clause, words, own)


def _of_what_is_lacking(
    so_far: Progress, clause: Clause, known: tuple[Word, ...], asked: tuple[str, ...], own: list[Quantity],
    named: list[Match],
) -> list[Match]:  # fmt: skip
    """The tasks named, behind the one that also goes by what is lacking, told right before: "no hot water, gas heater
    pilot won't stay lit" is of no furnace."""
    before = so_far.before_in_sentence(clause)
    if before is None or before.tokens[0].text != "no" or before.kind is not ClauseKind.WORK or not named:
        return named
    lacking = so_far.index.words(before.tokens)
    both = tasks_named(so_far, lacking + known, asked, own, False)
    told, described = {word.lemma for word in lacking} - {"no"}, so_far.index.described
    if not told.isdisjoint(described(named[0].task)):
        return named
    fitting = (one for one in both if one.verb_fits and one.words & told and named[0].words <= described(one.task))
    best = next(fitting, None)
    return named if best is None else [best, *(one for one in named if one.task is not best.task)]


def _is_hardly_meant(so_far: Progress, clause: Clause, named: Sequence[Match]) -> bool:
    """ "A concrete drive, cracked by a maple. Break it out": what the words before name last is hardly meant."""
    number = so_far.places.get(clause.start)
    before = so_far.before_in_sentence(clause)
    if so_far.meant is None or number is None or not named or (before and before.kind is ClauseKind.EXCLUSION):
        return False
    return so_far.meant.chance(number, named[0].task.work) < _HARDLY


def _follows_what_was_told(so_far: Progress, clause: Clause) -> bool:
    """ "Existing is panels on timber posts, take down": a verb alone, behind what its sentence tells."""
    before = so_far.before_in_sentence(clause)
    return before is not None and before.kind is ClauseKind.CONTEXT


def _is_done_besides(so_far: Progress, actions: Sequence[str], named: Sequence[Match]) -> bool:
    """ "Driveway crack fill and sealcoat": a verb of its own, which only stands in for what the work before does."""
    before = so_far.items[-1] if so_far.items else None
    again = before is not None and before.match is not None and bool(named) and named[0].task is before.match.task
    particular = set(actions) - GENERAL_ACTIONS
    return again and bool(particular) and before is not None and before.verb not in particular


def _read_by_chance(so_far: Progress, clause: Clause, own: list[Quantity]) -> None:
    """Take a clause that came to nothing for the work that it likeliest means, where no item is for that yet; its
    figures are its own then."""
    near = so_far.items[-_NEAR:]
    if any(item.clause is clause for item in near):
        return
    words = so_far.index.words(clause.tokens, measured=places_of(own))
    named = with_choice(so_far, clause, words, asked_of(clause.actions, clause), own, [])
    if not named or any(item.match is not None and item.match.task is named[0].task for item in so_far.items):
        return
    for figures in (*(item.figures for item in near), so_far.pending):
        figures[:] = [one for one in figures if all(one is not other for other in own)]
    add_work(so_far, clause, words, clause.actions, named, own, inherited=not clause.actions)


def _tells_height(so_far: Progress, clause: Clause) -> bool:
    """Whether a clause speaks of ceilings only to tell how high they are."""
    told = sum(1 for _ in HIGH_CEILINGS.finditer(so_far.text, clause.start, clause.end))
    return told == sum(token.text in {"ceiling", "ceilings"} for token in clause.tokens) > 0


def _after_qualities(so_far: Progress, clause: Clause) -> bool:
    """The clause before asks for nothing by a verb: "(double, insulated, white)"."""
    number = so_far.places.get(clause.start, 0)
    before = so_far.clauses[number - 1] if number else None
    return before is not None and before.sentence == clause.sentence and not before.actions


def _tell_of(so_far: Progress, clause: Clause, words: Sequence[Word], named: Sequence[Match]) -> None:
    """Keep what a clause named that asks for nothing itself."""
    things = tuple(word for word in words if named and word.lemma in named[0].words and word.weight == 1.0)
    if things:
        so_far.told_of = (clause.sentence, things)


def is_shared(so_far: Progress, figure: Quantity) -> bool:
    """Whether a figure that was only told may measure the work: "a 45 ft maple" measures none."""
    if figure.role is Role.LENGTH and so_far.text[max(0, figure.span.start - 3) : figure.span.start].endswith("a "):
        return False
    before = so_far.items[-1].match if so_far.items else None
    hours = figure.role is Role.TIME and before is not None and figure.unit == before.task.unit
    runs = figure.role is Role.COUNT and figure.noun in {"runs", "lengths", "stretches"}  # "it is 2 runs of 60 ft"
    return figure.role in SHARED_ROLES or figure.noun in {"them", "times", "visits"} or hours or runs


def _lists_other_things(so_far: Progress, clause: Clause) -> bool:
    """ "Replace the front door, 4 bedroom doors and a pantry door": things behind a single one are no parts of it."""
    last = so_far.items[-1]
    several = any(word.plural for word in last.words) or any(one.role is Role.COUNT for one in last.figures)
    return not several and lists_things(clause.tokens)


def _asks(so_far: Progress, clause: Clause, words: Sequence[Word]) -> bool:
    """Whether a clause without a known task still asks for work: a stated verb and a thing it is done to."""
    stated = [action for action in clause.actions if action not in clause.implied or action in clause.stated]
    things = [
        word
        for word in words
        if word.weight == 1.0
        and not action_of(word.lemma)
        and len(word.lemma) > 2
        and word.lemma not in VAGUE
        and word.lemma not in _NOT_WORK
    ]
    said = so_far.text[clause.start : clause.end][:400]
    wanted = WANTED.search(said) is not None and not _GUESSED.search(said.lower())
    return (bool(stated) or wanted) and bool(things)


def _measures_a_thing(so_far: Progress, clause: Clause, words: Sequence[Word], own: Sequence[Quantity]) -> bool:
    """Without a verb, a measured thing ("120 ft of ironwork") is still asked for, even where no task answers it;
    so is a counted one in a list ("a new panel, 4 meters")."""
    if so_far.in_sentence(clause) and _counts_pieces_of(so_far, clause, own):
        return False
    if so_far.items and so_far.items[-1].clause.sentence == clause.sentence:
        nouns = {lemma(figure.noun) for figure in own if figure.role is Role.COUNT}
        things = {word.lemma for word in words if word.weight == 1.0} - _NO_THINGS_COUNTED - VAGUE
        if nouns & things - so_far.items[-1].lemmas:
            return True
    starts = next((token.text for token in clause.tokens if token.kind is Kind.WORD), "")
    new_thing = starts in {"a", "an"} and so_far.in_sentence(clause) and not so_far.in_brackets(clause)
    if new_thing and so_far.items[-1].match is not None and len(clause.tokens) <= LONGEST_LABEL:
        return any(word.weight == 1.0 and len(word.lemma) > 3 and word.lemma not in VAGUE for word in words)
    if so_far.lacks_figures(clause):
        return False
    measured = any(figure.role in {Role.LENGTH, Role.AREA, Role.VOLUME} and figure.noun for figure in own)
    return measured and any(
        word.weight == 1.0 and len(word.lemma) > 3 and word.lemma not in ROOMS | WALL_WORK | VAGUE for word in words
    )


def _counts_pieces_of(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Lines too, 22 stalls": surely means the work of the item before, and counts what that may be priced by."""
    number, item = so_far.places.get(clause.start), so_far.items[-1]
    if so_far.meant is None or number is None or item.match is None or clause.kind is not ClauseKind.WORK:
        return False
    nouns = {lemma(one.noun) for one in own if one.role is Role.COUNT}
    named = {word for form in so_far.index.forms(item.match.task) for word in lemmas_of(form.name)}
    return not nouns.isdisjoint(named) and so_far.meant.chance(number, item.match.task.work) >= _SURELY


def _digs_for(so_far: Progress, clause: Clause, actions: Sequence[str]) -> bool:
    """ "A new drive including dig out": what is cleared away for the new thing is no removal of it."""
    before = so_far.items[-1] if so_far.items else None
    return (
        before is not None
        and set(actions) <= {"remove", "dig"}
        and before.verb in {"install", "pave"}
        and not re.search(r"\b(?:old|existing)\b", so_far.text[before.clause.start : clause.end], re.IGNORECASE)
    )
