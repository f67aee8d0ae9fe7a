"""What is left out and who supplies what: exclusions and supply notes of a request."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import takewhile

from server.domain.drafting.actions import IMPLIED, PUTS_IN, action_of, phrasal_action
from server.domain.drafting.choosing import NONE
from server.domain.drafting.clauses import Clause, ClauseKind
from server.domain.drafting.items import Item, described, head_of, inside, leave_to_customer, plain, shown
from server.domain.drafting.matching import ROOMS, Word, lemmas_of
from server.domain.drafting.naming import BY_CHANCE
from server.domain.drafting.patterns import CALLED_OFF, FINISHED, ONLY_FITTED, cues
from server.domain.drafting.pieces import has_number
from server.domain.drafting.progress import HEARD, Progress
from server.domain.drafting.quantities import WORK_ROLES, Quantity, Role
from server.domain.drafting.taking_back import take_back_named
from server.domain.drafting.telling import MEASURES, PREMISES, PRONOUNS, VAGUE, refers_back
from server.domain.drafting.working import read_work
from server.domain.takeoff import Span
from server.domain.units import Dimension, dimension

_MATERIALS = frozenset(
    [
        "paint", "tile", "floor", "laminate", "carpet", "wallpaper", "fixture", "light", "tap", "faucet", "brick",
        "turf", "slab", "door", "vanity", "toilet", "sink", "fan", "board", "wood", "fence", "window", "shingle",
        "plasterboard", "drywall", "unit", "cabinet", "gravel", "mulch", "stone",
    ]
)  # fmt: skip
#: "You bring the toilet", "locks are on you", "bath fans off your truck", "(yours)": the company supplies it.
_PROVIDED = cues(
    r"\b(?:you|contractor|installer)(?: guys)?(?:['’]ll| will| to| can| must| should)? (?:please "
    r"|also )?(?:suppl(?:y|ies)"
    r"|provides?|furnish(?:es)?|brings?|buys?|sources?|get(?=\W*$))\b(?! (?:a |the |us |me |your )?(?:quote|price"
    r"|estimate))"
    r"|\byou['’]re (?:supplying|providing|furnishing|bringing|buying|getting)\b"
    r"|\b(?:is|are|comes?|all|rest|else) (?:all )?(?:on|from|off|by) (?:you|your (?:truck|van|stock|shop|supplier"
    r"|end|side))\b"
    r"|\b(?:off|from) your (?:truck|van|stock|shop|supplier|merchant)\b|\bfor you to (?:bring|supply|provide"
    r"|furnish|buy|get)\b"
    r"|\b(?:supplied|furnished|provided) by (?:you|contractor|yourselves?)\b|\byours\W*$|^\W*(?:you"
    r"|contractor)\W*$|\bby you\W*$|\b(?:is"
    r"|are) yours\b",
)  # fmt: skip
#: "To be supplied by you": what is wanted of a thing; "rollers yours" is said of what the work takes.
_SUPPLIED_BY = re.compile(r"\b(?:supplied|provided|furnished) by\b")
#: "(Please supply the lights)", "sod from you": what was asked for before.
_PLEASE_SUPPLY = re.compile(
    r"\W*(?:(?:please|pls) (?:supply|provide|furnish|bring|include) (?:the|all|any|both|your)\b"
    r"|[\w& -]{2,40} from you(?:rselves)?(?: pls| please)?\W*$)"
)
#: What a part is for: "isolating valve for the softener".
_FOR_WHAT = re.compile(r" for (?:the|our|my|each)\b", re.IGNORECASE)
#: "Can you supply and fit three doors": asks for the work itself.
_ASKS_FOR_BOTH = re.compile(
    r"\b(?:can|could|would|will|please|need|want|like|looking for|have|if) you (?:to |guys )?(?:please )?(?:suppl"
    r"|provid"
    r"|furnish|bring|get|buy|source)|\b(?:suppl(?:y|ied)|furnish(?:ed)?|provided?)(?: ?(?:and|&|\+|/) ?| then )"
    r"(?:fit|install|lay|hang|hung|put|deliver|connect|mount|erect|plant|build)|\?", re.IGNORECASE,
)  # fmt: skip
#: "(Supplied) and installed": the company does both.
_AND_FITTED = re.compile(
    r"\W*(?:and|&|\+|/|then)\W*(?:\w+ly )?(?:fit|install|laid|lay|hung|hang|deliver|connect|mount|erect|plant|put"
    r"|built|plumb|wire|set|hook|tile|bolt|glue|commission)",
    re.I,
)
_SUPPLIED_LAST = re.compile(r"\b(?:supplied|furnished|provided)\W*$", re.IGNORECASE)
#: "A chandelier", listed among what the customer bought.
_BOUGHT_THING = re.compile(r"^\W*(?:a|an|one) [\w\s-]{3,40}$", re.IGNORECASE)
#: "I buy the paint": names a material, and no thing to be fitted.
_OWN_MATERIAL = re.compile(
    r"^\W*(?:we|i|owner|customer|client)(?:['’]ll| will| can)? (?:supply|provide|buy|furnish|get)s? (?:all "
    r"|the |our |my |any |own )+\w+"
    r"(?: (?:and|or) \w+)?(?: (?:our|my)sel(?:f|ves))?\W*$|^\W*supply of ", re.IGNORECASE,
)  # fmt: skip
#: "We're supplying all tiles ourselves".
_ALL_OF_A_KIND = re.compile(r"\ball (?:of )?(?:the |our |my )?[a-z]+s\b", re.IGNORECASE)
#: "The fan wobbles, take it down and hang the new one that's still in the box": of what was just read.
_FITS_NEW_ONE = re.compile(
    r"\b(?:hang|fit|install|put (?:up|in)|mount|set|hook up) the (?:new|replacement) ones?\b", re.IGNORECASE
)
#: A note that names nothing: "also here already", "all on site".
_BARE_NOTE = re.compile(
    r"^\W*(?:(?:also|all|both|everything|they|these|those|it|which|that|is|are|['’]s|['’]re|have|has|been|we|i|ve)\W+)*"
    r"(?:already )?(?:here|on site|delivered|bought|paid for|to hand|purchased|in stock|ordered)(?: already)?\W*$",
    re.IGNORECASE,
)
_ALL = re.compile(r"\ball\b", re.IGNORECASE)
_ALL_SUPPLIED = re.compile(
    r"^\W*(?:(?:it|they|these|those)(?:['’]s| is| are| will be)? )?(?:all|both|everything)(?: (?:of it"
    r"|of them|is|are|will be))*"
    r" (?:already )?(?:supplied|bought|provided|purchased|on ?site|furnished|here)\b",
    re.IGNORECASE,
)
#: "Owner furnished, contractor installed", "free-issued".
_OWNER_FURNISHED = re.compile(
    r"\bof[co]i\b|\bfree[- ]issued?\b"
    r"|\b(?:owner|client|gc|landlord|tenant)[- ]?(?:furnished|supplied)\W+contractor[- ]?(?:to )?install",
    re.I,
)
#: "Owner-furnished vanity", at the end.
_FURNISHED = re.compile(
    r"\b(?:owner|client|customer|tenant|landlord|gc)[- ](?:furnished|supplied|provided) (?:[\w-]+ )?[\w-]+\W*$", re.I
)
#: With these another thing begins.
_ANOTHER = frozenset({"a", "an", "the", "new", "one", "plus"})
#: "… the new baseboard, 80 ft, is stacked in the laundry room ready for you to install": says of what stands before it.
_GOES_ON = re.compile(
    r"\W*(?:is|are) (?:already |all |both )?(?:stacked|sitting|stored|waiting|piled|heaped|in|on|at|here)\b", re.I
)
#: "The toilet is sitting in the hallway": what is built in does not.
_WAITS = re.compile(
    r"(?:\b(?:is|are)(?: already| still| all| both| just)*|['’](?:s|re)(?: already| still| all| both| just)*"
    r"|\b(?:i|we)(?:['’]ve| have)(?: got)? (?:the|an?|both|all the|my|our) (?:[\w'’-]+ ){0,7}[\w'’-]+)"
    r" (?:sitting|waiting|leaning|lying|laying|stacked|stored|standing|piled|parked)\b",
    re.IGNORECASE,
)
_TELLS = frozenset({ClauseKind.CONTEXT, ClauseKind.WORK})
#: "Install only", and no word of what.
_ONLY_FITTED = re.compile(rf"\W*{ONLY_FITTED}\W*$", re.IGNORECASE)
#: "In the garage".
_ONLY_WHERE = re.compile(r"\W*(?:in|at|under|inside|behind|by|on) (?:the|our|my) (?:\w+ ){0,2}\w+\W*$", re.IGNORECASE)
#: "- toilet x1, ours"
_ONLY_WHO = re.compile(r"\W*(?:(?:all )?(?:ours|mine)|(?:by )?(?:owner|client|customer|gc))\W*$", re.IGNORECASE)
#: The chance from which a note is of work of its own, and that of the work before below which it is none of that.
_OTHER_WORK, _NOT_THAT_WORK = 0.4, 0.25
#: A second thought about what was asked of oneself.
_NO_AFTER_ALL = re.compile(
    r"\W*(?:(?:actually|oh|hmm|um|no|nah|nope),? )*(?:no|nope|nah|wait|skip|skip (?:it|that|those|them)|never ?mind"
    r"|scratch that|forget (?:it|that|them|those)|on second thoughts?,? no|better not"
    r"|we'?re getting rid of (?:them|it|those))\b(?:\W*$|[\s,.!-]+(?:we|i|they|it|that|those|wait)\b)",
    re.IGNORECASE,
)
#: What stands between a question to oneself and the second thought about it: "8 shutters - paint those too?".
_ASKED_ONESELF = re.compile(r"(?=[^.\n]*\?)[^.\n]{0,60}")
#: Items that are looked back over.
_BACK = 20
_NOTHING = re.compile(r"\b(?:supply|provide|have|bring|bought|furnish) (?:nothing|none)\b", re.IGNORECASE)
#: Before "paint" or "tile" these make it the thing.
_DETERMINERS = frozenset({"the", "our", "my", "own", "all", "any", "new", "supply", "provide", "have", "buy", "bought"})
#: How much of a material is bought at once: "12 packs" are of what was spoken of.
_PACKS = frozenset({"pack", "packet", "box", "roll", "bag", "tin", "bucket", "pallet", "bundle", "carton", "stock"})
_ONLY_OURS = re.compile(r"\W*(?:(?:\w+ly )?yours|you|contractor)\W*$", re.IGNORECASE)
#: Materials that no work takes which is not called by them: "paint by others" is of no drywall.
_OF_ITS_OWN = frozenset({"paint", "wallpaper", "mulch", "gravel", "turf"})
#: Words of where and how something is kept, which say nothing of what it is.
_SAY_WHERE = ROOMS | PREMISES | VAGUE | _PACKS | frozenset({"stack", "stacked", "store", "stored", "wait", "sit"})
#: And of how new it is: "never opened".
_UNUSED = frozenset({"new", "opened", "used", "unopened", "replacement"})
#: Words for whatever the work before needs.
_ANY_PARTS = frozenset({"fixture", "unit", "fitting", "device"})
#: Tells of all that the work needs.
_EVERYTHING = re.compile(
    rf"labou?r|materials?|\b{ONLY_FITTED}\b"
    r"|\ball (?:the |of the |our )?(?:fixtures?|fittings?|parts|supplies|equipment|of (?:it"
    r"|them|this))\b"
    r"|\b(?:whole|entire|complete|full) suite\b|\beverything\b(?! up\b)|\bof[co]i\b|\bfree[- ]issued?\b",
    re.IGNORECASE,
)
#: One of several that the customer has: "one is supplied by us", "customer supplying one"; "the new one" is no number.
_ONLY_ONE = re.compile(
    r"(?:^\W*(?:and |but )?|\b(?:suppl(?:y|ies|ying)|provid(?:e|es|ing)|furnish(?:es|ing)?|bought|have|got"
    r"|bring(?:s|ing)?|only|just|already) )(?P<one>one)\b"
    r"(?= is\b| of (?:them|those|these|which)\b| (?:already|myself|ourselves)?\W*$|\W*$)",
    re.IGNORECASE,
)
#: Behind a number of things: that they are some of those before, and of which.
_SOME_OF_THEM = re.compile(r"\s*of (?:them|those|these|which)\b", re.IGNORECASE)
_SOME_OF_THE = re.compile(r"\s*of (?:the|our|my) (?:new )?(?:[\w-]+ )?(?P<noun>[a-z]+s)\b", re.IGNORECASE)
#: Says that all lines are meant.
_OF_ALL = re.compile(
    r"\beverything\b|\ball (?:the |our |of the )?(?:materials?|supplies|parts|work|jobs?)\b|\bthroughout\b",
    re.IGNORECASE,
)
#: Behind "paint" or "tile" these tell of the material.
_TOLD_OF = frozenset({"is", "are", "already", "bought", "purchased", "supplied", "provided", "by", "here", "comes"})
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
        "plant",
        "assemble",
        "mount",
    ]
)
#: Where things are bought, and words for them.
_NO_THINGS = frozenset(
    ["amazon", "lowe", "lowes", "ikea", "costco", "menards", "depot", "wickes", "howdens", "screwfix", "ebay", "one",
     "ones", "pair", "set", "box", "shop", "store", "online", "sale", "home"]
)  # fmt: skip
_ONE_OF_THEM = re.compile(r"\b(?:one|ones|it|them|those|both|mine|ours)\b", re.IGNORECASE)
_SUPPLIED_PRONOUN = re.compile(
    r"\b(?:bought|got|purchased|ordered|have|grabbed|picked up) (?:the |some )?(?:new|replacement) ones?\b"
    r"|\b(?:i|we) (?:already )?(?:bought|ordered|have) \d+\W*$"
    r"|\b(?:bought|got|purchased|ordered|have|supply|supplying|provide|providing) (?:them|it|these|those|one"
    r"|(?:a|an|our own|my own) (?:[\w-]+ ){1,3}one)\b|\b(?:pick|collect|get|buy) (?:the |some )?(?:new |other )?"
    r"(?:ones?|it|them)\b|\b(?:deliver(?:s|ing)|bringing) (?:it|them)\b"
    r"|^\W*(?:they|these|those|it|all|both|which)\b",
    re.IGNORECASE,
)  # fmt: skip
#: "(client furnishes both)"
_BOTH = re.compile(r"\bboth\W*$|^\W*both\b", re.IGNORECASE)
_SUPPLY_WORDS = frozenset(
    [
        "customer", "client", "owner", "landlord", "homeowner", "tenant", "already", "bought", "buy", "purchase",
        "purchased", "order", "ordered", "install", "supply", "provide", "furnish", "furnished", "supplied", "provided",
        "both", "own", "will", "can", "it", "them",
        "everything", "stuff", "ourselves", "myself", "site", "labor", "labour", "material", "only", "hand", "i'll",
        "i've", "we'll", "we've", "ll", "ve", "got", "happy", "am", "are", "been", "had",
    ]
)  # fmt: skip


#: "… - seller will handle", "… - no, leave it": said behind a thing, without a thing of its own.
_CLOSES = re.compile(
    r"^\W*(?:but |and |so |which )*(?:(?:that|this|it|those|they|these)(?:['’]s|['’]re)? ?)?(?:is |are )?(?:"
    r"(?:the )?(?:seller|buyer|owners?|landlord|tenant|hoa|city|council|county|gc|others|friend|neighbou?rs?"
    r"|someone else|we|i"
    r"|(?:my|our|the) [\w-]+)"
    r"(?:['’]ll| will| can| could| (?:is|are) going to| to|['’]re|['’]m)? ?(?:just )?(?:be )?(?:handl|do\b|doing|does"
    r"|sort|take"
    r"|tak|fix|deal|tackl|manag|wait)"
    r"|by (?:the |a |an |my |our |their )?(?:[\w&'’-]+ ){0,3}(?:landlord|gc|contractor|sub|vendor|manufacturer|city"
    r"|utility|hoa)s?\W*$"
    r"|n/?a\b|none\b|n\.?i\.?c\b|(?:done )?by others|excluded\b|excl(?:ude)?\W*$"
    rf"|(?:{CALLED_OFF}|no|done by (?:owner|tenant)|{FINISHED})\W*$"
    r"|not (?:now|for now|yet|those|these|that|them|needed|required|included"
    r"|wanted|part|in (?:scope|this"
    r"|our|the))\b|no (?:wait|longer)"
    r"|(?:do|does)(?: ?n['’]?t| not) (?:price|quote|do|include|bother|worry|touch|need (?:it|them|that|doing|any))"
    r"|(?:please )?(?:leave|skip|ignore|forget|scratch|scrap|omit|drop|hold)\b(?: (?:that|it|this|them|those|for now"
    r"|off|out"
    r"|alone))"
    r"|(?:for |on )?another (?:day|time|contractor|company|firm|crew|sub)\b|(?:a )?(?:phase|stage) (?:two"
    r"|2|three|3|ii)\b"
    r"|not (?:until|till)\b|(?:we |i )?(?:can['’]?t|cannot) (?:afford|justify)|not in (?:the|our|this) budget"
    r"|tbd\b|under (?:a )?separate|(?:already )?under contract|per (?:other|separate)|to (?:remain|stay)|never ?mind"
    r"|decided (?:to keep|against|not)|changed (?:our|my) mind|as is\b|etr\b|e\.t\.r)",
    re.IGNORECASE,
)
#: "I can haul the old ones to the dump": not what was asked for before.
_OLD_ONES = re.compile(r"\bold\b|\bhaul|\bdump\b|\btip\b", re.IGNORECASE)
#: They go to somebody else, and are not taken away.
_GIVEN_AWAY = re.compile(r"\b(?:giving|donating)\b", re.IGNORECASE)
#: "No painting", "so no permit needed".
_NO_THING = re.compile(r"\W*(?:(?:so|but|and) )?no (?!wait|need|thanks)\w+", re.IGNORECASE)
#: Another thing, which then is what is left out: "not including the garage".
_OTHER_THING = re.compile(r"\b(?:the|our|my|any|all) (?!own\b)\w+", re.IGNORECASE)
#: "No wait, leave the stairs": takes back what was asked for before, by its name.
_TAKES_BACK = re.compile(
    r"\b(?:no|oh) wait\b|\bwait,? no\b|\bcorrection\b|\bstrike\b|\bsorry\b|\bscra(?:tch|p)\b|\bforget\b|\bnever ?mind\b"
    r"|\bchanged (?:my|our) minds?\b"
    r"|\bon second thoughts?\b"
    r"|\bdecided (?:to keep|against|not)\b|\bactually,? (?:no|not|leave|skip|forget)\b|\bcancel (?:that|the)\b"
    r"|\bon second thoughts?\b"
    r"|\bhold(?:ing)? off\b|\bdisregard\b|\bno longer\b",
    re.IGNORECASE,
)
#: "Under separate permit" names papers, and no thing that is left out.
_PAPERS = frozenset({"permit", "contract", "quote", "estimate", "order", "application", "invoice", "phase"})
#: Words of such a clause that name nothing.
_TAKING_BACK = frozenset(
    {"no", "not", "strike", "scratch", "scrap", "forget", "cancel", "leave", "skip", "second", "thought"}
)
#: Characters before a clause that still tell how it is meant: "Correction: no mulch".
_JUST_BEFORE = 14
#: Items back that may be taken back by name.
_TAKEN_BACK = 6
#: The chance from which what is left out is surely what was learned of it.
_SURELY_MEANT = 0.8


def read_supply(so_far: Progress, clause: Clause) -> None:
    """Mark the items whose materials the customer brings: by the material's name, else the item before, else
    all."""
    if so_far.labels(clause) and not (so_far.in_sentence(clause) and so_far.items[-1].match is not None):
        # "Install only, furnished by GC: …": said of all that follows.
        if so_far.in_sentence(clause):
            so_far.drop_last()
        so_far.all_supplied = clause.sentence
        return
    whole = so_far.text[clause.start : clause.end]
    if _NOTHING.search(whole) or (_ONLY_WHO.match(whole) and not so_far.in_sentence(clause)):
        return
    if _FITS_NEW_ONE.search(whole):
        _fit_new_one(so_far, clause)
        return
    if _SUPPLIED_LAST.search(whole) and _AND_FITTED.match(so_far.text[clause.end : clause.end + 40]):
        for item in so_far.items[-1:]:
            item.provided = True
        return
    by_owner = _OWNER_FURNISHED.search(whole) is not None
    goes_on = so_far.in_sentence(clause) and _GOES_ON.match(whole) is not None
    alone = _ONLY_FITTED.match(whole) is not None
    if not by_owner and not goes_on and not alone and _fits_supplied(so_far, clause):
        if _FURNISHED.search(whole) and _lists_on(so_far, clause):
            so_far.all_supplied = clause.sentence
        return
    told = so_far.index.words(clause.tokens)
    lemmas = {word.lemma for word in told} & (_MATERIALS | _ANY_PARTS)
    said = " ".join(whole.split())[:120]
    everything = _EVERYTHING.search(said) is not None and lemmas <= _ANY_PARTS
    if everything and _measures(so_far, clause, WORK_ROLES):
        # "… and 6 exit signs, all OFCI"
        _supplied_clause(so_far, clause)
    things = {word.lemma for word in told} - _SUPPLY_WORDS
    related = _named(so_far.items, things)
    if by_owner and so_far.items and not _ALL.search(said):
        # "4 ceiling fans (OFCI)", "lights free-issued by client": of its own line.
        everything = False
        # "Install a ceiling fan. OFCI fan" is one, "4 clg fans (OFCI)" are others.
        asked = [] if so_far.in_sentence(clause) or has_number(clause.tokens) else related
        if not asked and not so_far.in_sentence(clause):
            _read_as_work(so_far, clause, brought=True)
        related = asked or _of_sentence(so_far, clause.sentence)
        if not related:
            so_far.assumptions.append(f"The customer has, and nothing is charged for: “{said}”.")
            return
    if goes_on or (so_far.in_sentence(clause) and (_ONLY_WHERE.match(said) or _ONLY_WHO.match(said))):
        # "Two grab rails, which we already hold, in the accessible toilet": no note of the toilet.
        related = so_far.items[-1:]
    if not related and so_far.in_sentence(clause) and _BARE_NOTE.match(said):
        # "9 doors, 310 ft of base, also here already": of all that the sentence lists.
        related = _of_sentence(so_far, clause.sentence)
    if (_SUPPLIED_PRONOUN.search(said) or so_far.in_brackets(clause)) and so_far.items and not related:
        sentence, noted = so_far.noted
        # "Toilets are in the garage, I bought them in May": those that the sentence told of.
        related = (
            noted if sentence == clause.sentence else so_far.items[-2:] if _BOTH.search(said) else so_far.items[-1:]
        )
    if _ALL_SUPPLIED.search(said) and so_far.items and so_far.items[-1].clause.sentence == clause.sentence:
        related = _of_sentence(so_far, clause.sentence)  # "new bath, basin, toilet (all supplied by us)"
    things -= {thing for thing in things if thing.isdigit()}
    if things and things <= _PACKS | VAGUE and not related:
        related = so_far.items[-1:]
    known = tuple(word for word in told if word.weight == 1.0 and so_far.index.knows(word.lemma))
    earlier = () if so_far.in_sentence(clause) else _told_before(so_far, clause)
    if earlier and {word.lemma for word in known} <= _SAY_WHERE | _UNUSED:
        things_told = {thing for one in earlier for thing in _things_in(so_far, one)}
        of_those = [one for one in _named(so_far.items, things_told) if things_told & {*one.lemmas, one.verb}]
        other = next((one for one in earlier if _is_other_work(so_far, one)), None)
        if not of_those and other is not None:
            # "Eight new sockets. Four windows are coming next week, paid for by me, you'd fit them."
            so_far.supplied = (clause.sentence, frozenset(_things_in(so_far, other)))
            return
        related = of_those or related
    if not known and _is_of_left_out_thing(so_far, clause):
        return
    by_head = any(head_of(item) in things for item in related)  # "Sink is mine", of a sink and a sink disposal
    meant = _meant_by(so_far, clause) if related and known and not by_head else None
    if meant is not None and things & described(meant) and all(item is not meant for item in related):
        related = [meant]
    stored = clause.start in so_far.brought and so_far.in_sentence(clause)
    if stored and {word.lemma for word in known if not action_of(word.lemma)} <= _SAY_WHERE:
        # "Lay 640 sq ft of plank, cartons acclimating in the den since Monday".
        related = so_far.items[-1:]
    if lemmas and lemmas <= _ANY_PARTS and so_far.items:
        # "Install a toilet and a vanity. Fixtures on site": of all that was just asked for.
        related = _of_sentence(so_far, so_far.items[-1].clause.sentence)
    if things and not related and not everything and _measures(so_far, clause) and known:
        # "Tile backsplash 30 sq ft with tile I have": what is theirs is asked to be fitted.
        related = _supplied_clause(so_far, clause)
    of_another = not all(word.lemma in described(item) for item in related[:1] for word in known)
    if so_far.brings_to_be_fitted(clause) and of_another and _is_other_work(so_far, clause):
        related = []  # "we own 60 ft of gutter guard" says nothing of the gutter
    if so_far.items and not related and not everything and known and _is_other_work(so_far, clause):
        # "Reroof the house. I have two skylights that need to go in": no note of what was asked for before.
        fitted = so_far.is_to_be_fitted(clause)
        related = _read_as_work(so_far, clause, brought=True) if fitted else []
        if fitted:
            so_far.supplied = (clause.sentence, frozenset(word.lemma for word in known))
        if not related:
            so_far.topic = known if fitted else so_far.topic
            so_far.assumptions.append(f"The customer has, and nothing is charged for: “{said}”.")
            return
    said_of = [word for word in known if word.lemma not in _SUPPLY_WORDS and not action_of(word.lemma)]
    if clause.start in so_far.brought and not said_of and not related and so_far.follows_item(clause):
        # "Replace the faucet, mine is still in its box".
        related = so_far.items[-1:]
    if not related and not everything and so_far.items:
        related = _learned_of(so_far, clause, known)
    if things and not related and not everything and lemmas <= _OF_ITS_OWN and so_far.items:
        if known and any(one.sentence == clause.sentence and one.start > clause.start for one in so_far.clauses):
            # "The thermostat is mine, just hook it up."
            so_far.topic = known
            so_far.supplied = (clause.sentence, frozenset(word.lemma for word in known))
        so_far.assumptions.append(f"The customer provides, and nothing is charged for: “{said}”.")
        return
    if clause.start in so_far.brought and said_of and not related and not everything and so_far.items:
        # Learned, and of other things than those asked for: "Mowing is Derek's".
        return
    if everything:
        # "… Install 220 sf of stone veneer, stone by owner, mason supplies labor only": of its own sentence.
        own = _of_sentence(so_far, clause.sentence)
        related = (None if _OF_ALL.search(said) else own) or so_far.items
    targets = related or so_far.items[-1:]
    headed = all(not (one.clause.actions or one.figures) for one in so_far.items)
    if headed and everything:
        so_far.everything_supplied = True
        so_far.assumptions.append(f"The customer supplies materials (“{said}”): labour only is charged for all lines.")
        return
    if not so_far.items:
        # The note alone asks for nothing; it holds for what comes right after it, one of all of a kind for all.
        until = len(so_far.clauses) if _ALL_OF_A_KIND.search(said) else clause.sentence
        so_far.supplied = (until, _told_of(so_far, things, lemmas))
        if _OWN_MATERIAL.search(said):
            return
    if not targets or _BOUGHT_THING.search(said):
        targets = _supplied_clause(so_far, clause)
    if not targets:
        # "We have the vanity in the garage, please fit it."
        so_far.speak_of(known or so_far.topic)
    so_far.noted = (clause.sentence, targets)
    left = leave_to_customer(targets, things & so_far.index.vocabulary)
    if left or not targets:
        so_far.assumptions.append(
            f"The customer supplies materials (“{said}”): labour only is charged for those lines."
        )


def supplies_some(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> bool:
    """ "Replace 4 toilets. One toilet is supplied by us", "10 doors, we already have 4": make those an item of their
    own, of which the customer has the things, or leave all to the customer where they are as many; whether the note
    counts things that were asked for."""
    told = _some_told(so_far, clause, own)
    item = _counted_item(so_far, clause, told) if told is not None else None
    if told is None or item is None or item.provided:
        return False
    number = sum(one.value for one in item.figures if _counts(one, item))
    if told.value > number:
        return False
    said = shown(so_far.text[clause.start : clause.end])
    some = item
    if told.value < number:
        figures = [one for one in item.figures if not _counts(one, item)]
        # Counted by its note, and by nothing that stands beside the work.
        some = replace(item, figures=[*figures, replace(told, role=Role.COUNT)], reasons=[], assumptions=[], answers=[])
        some.of = item
    if not leave_to_customer([some]):
        return False
    if some is not item:
        item.materials_by_customer = False
        # Before it, so that what follows is still of the whole.
        so_far.items.insert(next(at for at, one in enumerate(so_far.items) if one is item), some)
    so_far.noted = (clause.sentence, [some])
    so_far.assumptions.append(
        f"The customer supplies materials (“{said}”): labour only is charged for {plain(told.value)}."
    )
    return True


def _some_told(so_far: Progress, clause: Clause, own: Sequence[Quantity]) -> Quantity | None:
    """The one number of things that a note tells."""
    counts = [one for one in own if one.role in {Role.COUNT, Role.SIZE} and one.unit == "each"]
    if counts or any(one.role in WORK_ROLES for one in own):
        return counts[0] if len(counts) == 1 and len(own) == 1 else None
    one = _ONLY_ONE.search(so_far.text[clause.start : clause.end])
    if one is None:
        return None
    span = Span(clause.start + one.start("one"), clause.start + one.end("one"))
    return Quantity(Decimal(1), "each", Role.COUNT, span, Decimal(1), Decimal(1), noun="them")


def _counted_item(so_far: Progress, clause: Clause, told: Quantity) -> Item | None:
    """The item of which a note tells how many the customer has: the last one, or that which the number is told of."""
    if not so_far.follows_item(clause):
        return None
    last = so_far.items[-1]
    near = [one for one in reversed(so_far.items[-_BACK:]) if one.clause.sentence == last.clause.sentence]
    of_them = told.noun in {"them", "", "already"} or _SOME_OF_THEM.match(so_far.text, told.span.end) is not None
    whose = _SOME_OF_THE.match(so_far.text, told.span.end, clause.end)
    noun = whose["noun"] if whose is not None else told.noun
    named = [one for one in near if one.match is not None and not one.match.words.isdisjoint(lemmas_of(noun.lower()))]
    item = named[0] if named else (last if of_them and whose is None else None)
    if item is None or item.match is None or dimension(item.match.task.unit) is not Dimension.COUNT:
        return None
    return item if any(_counts(one, item) for one in item.figures) else None


def _counts(figure: Quantity, item: Item) -> bool:
    return figure.role is Role.COUNT and inside(figure, item.clause)


def waits_to_be_fitted(so_far: Progress, clause: Clause) -> bool:
    """ "Install a storm door. The door is leaning against the wall": where the thing waits that is to be put in."""
    waits = _WAITS.search(so_far.text, clause.start, clause.end)
    if clause.kind not in _TELLS or waits is None:
        return False
    words = so_far.index.words(clause.tokens)
    told = {word.lemma for word in words if word.start < waits.end() and so_far.index.knows(word.lemma)}
    return "old" not in told and any(head_of(item) in told for item in so_far.items[-_BACK:] if item.verb in PUTS_IN)


def _lists_on(so_far: Progress, clause: Clause) -> bool:
    """ "Install owner-furnished vanity, faucet and mirror": only things are listed behind, none as another one."""
    behind = [one for one in so_far.clauses if one.sentence == clause.sentence and one.start > clause.start]
    return all(not one.actions and one.tokens[0].text not in _ANOTHER and not has_number(one.tokens) for one in behind)


def _learned_of(so_far: Progress, clause: Clause, known: Sequence[Word]) -> list[Item]:
    """ "Two TVs to go on the wall. Got both mounts off Amazon", "… Picked one up at Lowes": the last item whose task
    the note was learned to be of, where it names nothing else."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None:
        return []
    task_id, chance = so_far.meant.likeliest(number)
    item = next((one for one in reversed(so_far.items[-_BACK:]) if one.match is not None), None)
    if chance < _OTHER_WORK or item is None or item.match is None:
        return []
    if not (item.match.task.task_id == task_id or _only_fits(task_id, item)):
        return []
    things = {word.lemma for word in known if not action_of(word.lemma)} - _NO_THINGS
    spoken_of = things or _ONE_OF_THEM.search(so_far.text, clause.start, clause.end)
    described = so_far.index.described(so_far.index.catalogue.tasks[task_id])
    return [item] if spoken_of and things <= described | so_far.index.described(item.match.task) else []


def _meant_by(so_far: Progress, clause: Clause) -> Item | None:
    """ "Loft top-up, 45 sq m. Board over the middle. Chipboard loft panels are up there already": the item of the task
    that the note surely means, whatever else its words name."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None:
        return None
    task_id, chance = so_far.meant.likeliest(number)
    asked = (
        one for one in reversed(so_far.items[-_BACK:]) if one.match is not None and one.match.task.task_id == task_id
    )
    return next(asked, None) if chance >= _SURELY_MEANT else None


def _only_fits(task_id: str, item: Item) -> bool:
    """ "Lay a patio. Got the slabs in the garden already": the task is that of fitting what the item would supply."""
    return item.match is not None and item.match.task.fitted == task_id and item.verb in PUTS_IN


def _of_sentence(so_far: Progress, sentence: int) -> list[Item]:
    """The items of a sentence, which is the last that any was read in."""
    return [*takewhile(lambda item: item.clause.sentence == sentence, reversed(so_far.items))][::-1]


def _is_of_left_out_thing(so_far: Progress, clause: Clause) -> bool:
    """ "No blinds this time, the owner has them on order": a note of what the clause right before leaves out."""
    before = so_far.before_in_sentence(clause)
    return before is not None and before.kind is ClauseKind.EXCLUSION and bool(_things_in(so_far, before))


def _told_before(so_far: Progress, clause: Clause) -> Sequence[Clause]:
    """ "The toilet is in the garage, still in its box": what the sentence of a note told before it, the last first."""
    before = so_far.before_in_sentence(clause)
    told: list[Clause] = []
    while before is not None and before.kind not in {ClauseKind.EXCLUSION, ClauseKind.OPTION}:
        told.append(before)
        before = so_far.before_in_sentence(before)
    return told


def _things_in(so_far: Progress, clause: Clause) -> set[str]:
    """The things that a clause names, by their lemmas."""
    known = so_far.known_in(clause)
    # "Paint: we stock it": a material, though there is a verb like it.
    named = {one for one in known if not action_of(one)} or known
    return named - ROOMS - _SAY_WHERE - _SUPPLY_WORDS - _NO_THINGS


def _is_other_work(so_far: Progress, clause: Clause) -> bool:
    """Whether what was learned says that the clause is of a task that no item shortly before is for."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None:
        return False
    task, chance = so_far.meant.likeliest(number)
    if any(_only_fits(task, item) for item in so_far.items[-1:]):
        return False
    asked = {item.match.task.task_id for item in so_far.items[-_BACK:] if item.match is not None}
    near = max((so_far.meant.chance(number, one) for one in asked), default=0.0)
    return task != NONE and chance >= _OTHER_WORK and near < _NOT_THAT_WORK


def _told_of(so_far: Progress, things: set[str], materials: set[str]) -> frozenset[str]:
    """What a note before any work is of: its own things, else what was spoken of ("… six doors, they're in the
    garage")."""
    spoken_of = so_far.topic or so_far.told_of[1]
    own = (things | materials) & so_far.index.vocabulary - PREMISES
    return frozenset(own or {word.lemma for word in spoken_of})


def read_exclusion(so_far: Progress, clause: Clause) -> None:
    """Note what the clause leaves out, and take back what was named just before if that is meant."""
    start = clause.start
    before = so_far.items[-1] if so_far.items else None
    told = before is not None and before.clause.sentence == clause.sentence and (before.inherited or before.stated)
    told = told and not _names_what_is_left(so_far, clause)
    words_here = so_far.index.words(clause.tokens)
    of_old = _OLD_ONES.search(so_far.text[clause.start : clause.end]) is not None
    if (
        before is not None
        and _NO_AFTER_ALL.match(so_far.text[clause.start : clause.end])
        and _ASKED_ONESELF.fullmatch(so_far.text, before.clause.end, clause.start)
    ):
        # "Paint those too? No wait, we're getting rid of them."
        so_far.drop_all_of([before.clause])
    elif (
        before is not None and told and not of_old and refers_back(clause, words_here, so_far.index, needs_action=False)
    ):
        # "The gutters are leaking, leave them": what is left alone was named just before.
        so_far.drop_last()
        start = before.clause.start
    else:
        said = so_far.text[clause.start : clause.end][:400]
        closes = _CLOSES.match(said) if before is not None and before.clause.sentence == clause.sentence else None
        if closes and (
            so_far.labels(clause)  # "… - not included: painting"
            or _OTHER_THING.search(said, closes.end())
            or _is_of_left_out(so_far, clause)
        ):
            closes = None
        named = {
            word.lemma
            for word in words_here
            if so_far.index.knows(word.lemma)
            and (not action_of(word.lemma) or any(_is_called(item, word.lemma) for item in so_far.items[-_TAKEN_BACK:]))
            and word.lemma not in _PAPERS | VAGUE | _TAKING_BACK
            and word.start >= clause.start + (closes.end() if closes else 0)
        }
        if before is not None and closes and not named:
            start = before.clause.start
            so_far.drop_all_of([before.clause])
        elif named and _TAKES_BACK.search(so_far.text[max(0, clause.start - _JUST_BEFORE) : clause.start] + said):
            so_far.take_back(named, _TAKEN_BACK, clause.sentence)
        else:
            take_back_named(so_far, clause)
    if before is not None and of_old and before.verb == "remove" and _GIVEN_AWAY.search(so_far.text, start, clause.end):
        # "… and take the old one? Actually we're giving that to a neighbour."
        so_far.take_back({*before.lemmas}, 1, before.clause.sentence)
    _take_back_meant(so_far, clause)
    words = " ".join(so_far.text[start : clause.end].split()).strip(" .,-")
    if words:
        so_far.exclusions.append(words[:200])


def _is_of_left_out(so_far: Progress, clause: Clause) -> bool:
    """ "(No painting, I'll do it)": said of what the clause right before leaves out."""
    number = so_far.places.get(clause.start, 0)
    before = so_far.clauses[number - 1] if number else clause
    if before.kind is not ClauseKind.EXCLUSION or before.sentence != clause.sentence:
        return False
    return _NO_THING.match(so_far.text, before.start, before.end) is not None


def _take_back_meant(so_far: Progress, clause: Clause) -> None:
    """ "Roots at 40 ft. No hydro jetting": what was learned to be meant just before is left out by its name."""
    number = so_far.places.get(clause.start)
    if so_far.meant is None or number is None:
        return
    task_id, chance = so_far.meant.likeliest(number)
    task = so_far.index.catalogue.tasks.get(task_id)
    said = {word for word in so_far.known_in(clause) - VAGUE if word != "no"}
    if (
        task is None
        or chance < _SURELY_MEANT
        or not (said & {*lemmas_of(task.name)} and said <= so_far.index.described(task))
    ):
        return
    last = so_far.items[-1].match if so_far.items else None
    if last is not None and last.task is task and last.remark == BY_CHANCE:
        so_far.drop_last()


def _names_what_is_left(so_far: Progress, clause: Clause) -> bool:
    """Whether the clause right before names what it leaves out: "skip the gate, we're fine without one"."""
    number = so_far.places.get(clause.start, 0)
    before = so_far.clauses[number - 1] if number else None
    return (
        before is not None
        and before.sentence == clause.sentence
        and before.kind is ClauseKind.EXCLUSION
        and bool(so_far.known_in(before))
    )


def _is_called(item: Item, lemma: str) -> bool:
    """ "6 yds mulch": a thing, though there is a verb like it."""
    return item.match is not None and lemma in item.match.words


def _measures(so_far: Progress, clause: Clause, roles: Collection[Role] = MEASURES) -> bool:
    """Whether the clause says how much."""
    return any(one.role in roles for one in so_far.figures if inside(one, clause))


def _fits_supplied(so_far: Progress, clause: Clause) -> bool:
    """ "Fit the new units supplied by us": work and supply note in one."""
    words = [token.text for token in clause.tokens]
    verbs = {
        word
        for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False)
        if action_of(word) and word not in IMPLIED and before not in _DETERMINERS and after not in _TOLD_OF
    }
    hooked = any(phrasal_action(words, position)[0] == "install" for position in range(len(words)))
    if not verbs & _FITTING and not hooked:
        return False
    sentence, noted = so_far.noted
    if noted and sentence == clause.sentence and _fits_it(so_far, clause):
        # "Lay laminate, 300 sq ft. I have it, I only need someone to fit it."
        leave_to_customer(noted)
        return True
    found = _read_as_work(so_far, clause)
    if found:
        so_far.fit_only(clause, found)
    return bool(found)


def _fits_it(so_far: Progress, clause: Clause) -> bool:
    """Whether what the clause has fitted is named by no more than "it" or "them"."""
    things = {one for one in so_far.known_in(clause) if not action_of(one)} - _SUPPLY_WORDS - VAGUE
    return not things and any(token.text in PRONOUNS for token in clause.tokens)


def read_provided(so_far: Progress, clause: Clause) -> bool:
    """Whether the clause says that the company supplies something ("you bring the toilet", "locks are on you"): that
    is charged then, whatever a note tells of the rest."""
    said = so_far.text[clause.start : clause.end][:400].lower()
    if _PLEASE_SUPPLY.match(said) and so_far.items:
        again = {word.lemma for word in so_far.index.words(clause.tokens)} - _SUPPLY_WORDS
        near = so_far.items[-_BACK:]
        # "The front door to come from you", of a front door and two others.
        most = max(len(again & item.lemmas) for item in near)
        named = [item for item in near if most and len(again & item.lemmas) == most]
        for item in named:
            item.provided, item.materials_by_customer = True, False
        return bool(named)
    if not _PROVIDED.search(said) or _ASKS_FOR_BOTH.search(said):
        return False
    if _ONLY_OURS.match(said) and not so_far.in_sentence(clause):
        # "Yours, Denise"
        return False
    # "2 bathroom fans (yours)", "and a new faucet which you bring"
    asks = bool(clause.actions) or _measures(so_far, clause, WORK_ROLES)
    found = _read_as_work(so_far, clause) if asks else []
    whose = _FOR_WHAT.search(so_far.text, clause.start, clause.end)
    words = [word for word in so_far.index.words(clause.tokens) if whose is None or word.start < whose.start()]
    things = {word.lemma for word in words} - _SUPPLY_WORDS
    targets = found or [item for item in _named(so_far.items, things) if _is_provided(item, things)]
    if not targets and things and so_far.heard(clause) >= HEARD and _SUPPLIED_BY.search(said):
        # "Isolating valve for the softener to be supplied by you."
        targets = _read_as_work(so_far, clause)
    if not so_far.items:
        return False
    if not targets and (so_far.in_sentence(clause) or not things):
        targets = so_far.items[-1:]
    for item in targets:
        item.provided, item.materials_by_customer = True, False
    return True


def _is_provided(item: Item, things: Collection[str]) -> bool:
    """ "Laminate, which I've got. Underlay supplied by you": of what the customer has only what is named again."""
    return not (item.materials_by_customer and item.lemmas.isdisjoint(things))


def _named(items: Sequence[Item], things: Collection[str]) -> list[Item]:
    """The items that are called by the things: by their own words where any are, else by those of what was told behind
    them, else by what their task is known by; of "two bath fans and a ceiling fan" the ceiling fan only."""
    named = set(things)
    # "… a bath fan and 2 outlets. The bath fan came with the house": told behind the outlets.
    own = [item for item in items if named & {*(word.lemma for word in item.words), item.verb}]
    own = own or [item for item in items if named & item.lemmas]
    known = [(item, frozenset(named & described(item))) for item in own or items]
    shares = {shared for _, shared in known}
    return [item for item, shared in known if shared and not any(shared < other for other in shares)]


def _supplied_clause(so_far: Progress, clause: Clause) -> list[Item]:
    """The supply note itself holds the work ("labour only to tile a floor")."""
    _read_as_work(so_far, clause, brought=True)
    return so_far.items[-1:]


def _fit_new_one(so_far: Progress, clause: Clause) -> None:
    """Leave what the sentence told of to the customer; the old one, which "take it down" is of, goes for it."""
    if so_far.in_sentence(clause) and so_far.items[-1].verb == "remove" and so_far.items[-1].refers:
        so_far.drop_last()
    of_last = so_far.in_sentence(clause) and so_far.items[-1].verb in PUTS_IN
    leave_to_customer(so_far.items[-1:] if of_last else _read_as_work(so_far, clause))


def _read_as_work(so_far: Progress, clause: Clause, *, brought: bool = False) -> list[Item]:
    """Read the clause as one that asks, whatever kind it is; gives the items that come of it."""
    before = len(so_far.items)
    own = [figure for figure in so_far.figures if inside(figure, clause)]
    read_work(so_far, replace(clause, kind=ClauseKind.WORK), own, brought=brought)
    return so_far.items[before:]
