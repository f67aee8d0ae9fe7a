"""Requests in so many words: how people say that something is to be done, or what its price is, whatever the work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.actions import action_of, phrasal_action
from server.domain.drafting.numbers import Kind, Token
from server.domain.drafting.verbs import is_imperative

_SOMEBODY = (
    r"(?:someone|somebody|anyone|crew|guy|person|people|pro|contractor|company|handyman|plumber|electrician|tiler|roofer"
    r"|painter|decorator|carpenter|joiner|plasterer|builder|fitter|installer|gardener|landscaper|team|firm|price|quote)"
)
#: "Please", "can you", "I need you to", "looking for someone to" before the verb of what is to be done.
_ASKED_TO = re.compile(
    r"^(?:(?:hi|hello|hey|so|also|and|then) ?,? ?)?"
    r"(?:(?:are (?:you|u) (?:guys )?|would (?:you|u|ye) be )(?:able|available|free) to"
    r"|(?:would|is) it (?:be )?possible to(?! (?:get|have)\b)"
    r"|(?:please ,? ?)?(?:can|could|would|will) (?:you|u|ye|yous|youse|someone|somebody|anyone)(?: guys)?(?! mind\b)"
    r"|please|pls|plz"
    r"|(?:would|do) (?:you|u) (?:guys )?mind(?= \w+ing\b)"
    r"|(?:(?:i|we) )?(?:need|want|could use|could do with|after) (?:some )?(?:help|a hand)(?: with)?(?= \w+ing\b)"
    r"|do (?:you|u) (?:guys )?(?=lay|fit|install|paint|clean|repair|replace|fix|change|swap)"
    r"|how much (?:to|would it (?:be|cost) to)|what (?:would|do) (?:you|u) charge (?:me )?to"
    r"|(?:(?:i|we)(?: would| should|['’]d| ['’]d)?|would) (?:need|want|like) (?:you(?: guys| all)?|someone|somebody) to"
    rf"|(?:(?:i|we)(?: am| ?['’]m| are| ?['’]re)? )?(?:just )?(?:looking for|needs?|wants?) (?:an? )?{_SOMEBODY} to"
    rf"|(?:an? )?{_SOMEBODY} (?:needed|wanted|required) to)"
    r"(?: please| just| also| come and| come to)* (?P<verb>\w+)(?P<rest>.*)$"
)
#: How people come round to that: "I'd be grateful if", "I was hoping", "any chance", "do you have somebody who".
_LED_UP_TO = re.compile(
    r"^(?:(?:hi|hello|hey) ,? ?)?"
    r"(?:(?:i|we)(?: would|['’]d| ['’]d) (?:really |very much |also )*"
    r"(?:be (?:so |very |really |most )?(?:grateful|glad|happy|pleased|thankful|obliged)|appreciate(?: it)?|love it"
    r"|like it) if"
    r"|(?:(?:i|we) ?(?:am|['’]m|are|['’]re|was|were) )?(?:just |also )?(?:hoping|wondering)(?: that| if| whether)?"
    r"|(?:is there )?any (?:chance|way)(?: that)?"
    r"|(?:(?:is|was) there|do (?:you|u) (?:guys )?(?:have|know)) (?:some|any)(?:one|body) (?:who|that)|who) "
    r"(?:(?:you|u|ye|someone|somebody|anyone)(?: guys)? )?(?:can|could|would|will|might) (?=\w)"
)
#: What people are asked for who are not asked to work.
_TALK = frozenset(
    ["advise", "allow", "answer", "arrange", "ask", "avoid", "be", "bear", "book", "bring", "call", "cancel", "clarify",
     "come", "confirm", "contact", "do", "email", "explain", "forget", "forward", "get", "give", "go", "have", "help",
     "hold", "hurry", "ignore", "keep", "know", "leave", "let", "look", "make", "mind", "need", "note", "pass", "phone",
     "provide", "quote", "read", "recall", "recommend", "refer", "remember", "remind", "reply", "reschedule",
     "ring", "say", "schedule", "see", "send", "show", "skip", "speak", "start", "stop", "suggest", "talk",
     "tell", "text", "thank", "try", "use", "wait"]
)  # fmt: skip
_BY_WHEN = r"(?: (?:by|before|asap|soon|now|this|next|today|tomorrow)\b[\w ]{0,25})?"
#: For whom others write.
_ON_BEHALF = (
    r"(?:(?:(?:my|our|the|a|his|her|your) )?(?:customer|client|tenant|resident|landlord|owner|homeowner|buyer|seller"
    r"|neighbou?r|wife|husband|partner|mother|father|mum|mom|dad|gran|son|daughter|boss|manager|school|church|board"
    r"|council|hoa|agent|office|family)s?|(?:mr|mrs|ms|miss|dr) ?\.? \w+|she|he|they)"
)
#: "I need … done", "we'd like … installed", "the tenant wants … replaced", "looking to have … replaced", "time to have
#: …", "I want to add …", "… needs replacing".
_WANTED_DONE = re.compile(
    r"^(?:(?:hi|hello|hey|just|also|so|really) ,? ?){0,2}"
    r"(?:(?:i|we)(?: would| should|['’]d| ['’]d)? (?:also |just |really )?(?:need|want|like|love)"
    rf"|{_ON_BEHALF}(?: would like| ?['’]d like|(?: has)? asked (?:for|to (?:have|get))|(?: also)? (?:needs?|wants?))"
    r"|(?:it ?(?:is|['’]s) )?(?:about |high )?time to (?:have|get)"
    r"|(?:(?:i|we) ?(?:am|['’]m|are|['’]re) )?(?:looking|hoping|wanting) to (?:have|get)"
    r"|(?:(?:i|we) ?(?:am|['’]m|are|['’]re) )?thinking (?:of|about) (?:having|getting)"
    r"|(?:is|would) it (?:be )?possible to (?:have|get)|need|want)\b"
    r"(?!.*\b(?:you|they|he|she)(?: guys)?(?: ?['’]ve| have| had| already)? \w+ed\b).*"
    r"\b(?:\w+ed|put|built|done|laid|hung|fit|rebuilt|broken?|torn|dug|ground)(?: (?:in|on|up|down|out|off))?"
    r"(?: (?:(?:at|in|on|by|near|before|upstairs|downstairs|please|asap|now|tomorrow|soon|today"
    r"|sometime|this|next|if possible|thanks|thank you)\b.{0,60}|(?:\w+ )?\w+day))?$"
    r"|^(?:i|we)(?: would| should|['’]d| ['’]d)? (?:want|like) to (?:add|have|get|install|replace)\b"
    r"|^(?:all|what|the only thing) (?:i|we)(?: ?['’]re| ?['’]m| are| am| want| need)?(?: really| actually)?"
    r"(?: after| looking for)?(?: for now| at the moment)? is (?!that\b|whether\b|how\b|if\b)"
    r"|\b(?:(?:has|have|got|needs?) to|should|must) (?:be \w+(?:ed|t|n|g|d)(?: (?:off|out|down|up|away))?"
    r"|come (?:out|off|down|up))"
    rf"{_BY_WHEN}$"
    rf"|\bneeds? (?:\w+ing(?: with| out| up| off| down)?|to be \w+(?:ed|t|n|g|d)){_BY_WHEN}$"
)
#: "New boiler needed", "backflow test due by June 1", "time for a tune-up", "three bedrooms to be carpeted": what is
#: wanted of the thing before it; not "where needed", nor what somebody else is going to do, nor what is no work.
_IS_NEEDED = re.compile(
    r"^(?!.*\b(?:coi|insurance|insured|references?|deposit|payment|parking|reply|response|info\w*|details|signature|notice"
    r"|appointment)\b)(?:"
    rf".*(?<!\bas) (?<!\bif )(?<!\bwhen )(?<!\bwhere )(?:needed|wanted|required|due){_BY_WHEN}$"
    r"|(?:it ?(?:is|['’]s) )?(?:about |high )?time for (?:an?|the|my|our|another|some|new)\b"
    r"|.*(?<!\bgoing )(?<!\bused )(?<!\bsupposed )(?<!\bmeant )\bto be (?!advised|agreed|confirmed|decided|delivered"
    r"|determined|discussed|kept|left|paid|provided|retained|supplied)"
    r"(?:\w+ed|put|built|done|laid|hung|fit|rebuilt|dug|ground|cut)(?: (?:in|on|up|down|out|off|away))?"
    r"(?: (?:in|on|at|to|by|before|please|asap|for|from|this|next)\b.{0,60})?$)"
)
#: "Curious what you'd charge for tiling the floor", "any idea what painting 2 rooms would run me", "what is your rate
#: for a deep clean".
_WONDERS = re.compile(
    r"^(?:(?:i|we) ?(?:am|['’]m|are|['’]re|was|were)? ?)?(?:just )?(?:curious|wondering)(?: about| as to)?"
    r" (?:what|how much) (?:you|it|this|that|they)(?: would| ?['’]d| might)? (?:charge|cost|be)"
    r"(?: me| us)? (?:for|to)\b"
    r"|^(?:(?:do you have |have you )?any (?:rough )?idea )?(?:what|how much) [\w' -]{3,80}"
    r" (?:would|will|might|does|should)(?: roughly| probably)? (?:cost|run|be|come to|set)(?: me| us)?(?: back)?$"
    r"|^(?:what|how much) (?:is|are|['’]s|would be)"
    r" (?:your |the )?(?:usual |going |typical |average )?(?:rates?|prices?|costs?|charges?|fees?) (?:for|to|of|on) \w"
)
#: "Two maples that need to come down", "4 conifers which we want felled": what is wanted of the thing before it.
_WHICH_WANTS = re.compile(
    r"\b(?:that|which)(?: ?['’]d| ?['’]ll| would| will)?"
    r" (?:(?:i|we)(?: would| should|['’]d| ['’]d)? (?:want|need|like)(?: (?:taken|to have))?"
    r"|needs?(?: to (?:be|come|go))?|wants?|(?:has|have) to (?:be|come|go))"
    r" (?:\w+ed|\w+ing|put|built|done|laid|hung|rebuilt|out|down|off)\b"
    r"(?!.{0,80}\b(?:not|n['’]t|myself|ourselves)\b)"
)
#: "Row of 6 conifers to fell", "there are 2 stumps to grind": so many of a thing, and what is to be done to it.
_SO_MANY_TO = re.compile(
    r"^(?:there (?:are|is) |(?:we|i)(?: have|['’]ve got|['’]ve) |got )?(?:(?:a )?(?:row|line|pair|group) of )?"
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) [^,.;:]* "
    r"(?<!used )(?<!want )(?<!going )(?<!have )(?<!has )(?<!need )to (?P<verb>\w+)$"
)
#: "That all comes out", "both have to come down", "the old tank needs to be removed": what is to become of a thing.
_TO_BECOME = re.compile(
    r"^(?:and )?(?:(?:that|it|this|they|those|these|both|all|everything|the)\b(?: (?!not|never)\w+){0,4}? )"
    r"(?:(?:(?:has|have|needs?|must|will need|will have|is|are)(?: all| both)?(?: to)? (?:all )?)"
    r"(?:go|come (?:out|down|off|up)"
    r"|be (?:removed|replaced|demolished|felled|redone|rebuilt"
    r"|(?:taken|ripped|torn|pulled|hauled|dug|cut|knocked|ground) (?:out|down|up|off|away)))"
    r"|(?:comes?|goes) (?:out|down|off|up))(?: (?:too|as well|please|first|entirely|completely|and be replaced))?$"
)
#: "But yes to the front door".
_YES_TO = re.compile(r"^(?:(?:but|and|so|oh) )*(?:yes|yeah|yep|ok|okay) to (?:the |an? |new |having |doing )?\w")
#: What makes such words no request: a refusal, what was, news, talk.
_NO_REQUEST = re.compile(
    r"\b(?:not|n['’]?t|don|never|no|nothing|nobody|without|if|whether|when|that|who|why|did|was|were|had|myself|ourselves"
    r"|yourselves|himself|herself|yet|anymore|back)\b"
)


#: "Can you quote 3 toilets?"
_SO_MANY = re.compile(
    r" (?:me |us |up )?(?:for |on )?(?:\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)"
)


#: "So I need one put in", "but no, just change the lock": what has been told is why, or is not wanted.
_SO = re.compile(
    r"^so (?=(?:i|we|all|what|the)\b)|^(?:but |and )?no ,? ?(?=(?:just|please)\b)"
    r"|^(?:it ?(?:is|['’]s) )?(?:about |high )?time to (?!have\b|get\b)(?=\w)"
)
#: "Price for 6 interior doors please", "quote to paint the hall", "we are getting bids on new siding": nobody says that
#: of what is done.
_PRICES = (
    r"(?:an? |your |best |rough |some |a few )*(?:pricing|(?:price|quote|quotation|estimate|bid|number|ballpark)s?)"
    r"(?: please)? (?:for|on|to) (?!(?:the )?(?:insurance|you|compare)\b)\w"
)
_PRICE_FOR = re.compile(
    r"^(?:(?:hi|hello|hey) ,? ?)?"
    r"(?:(?:(?:i|we) ?(?:am|['’]m|are|['’]re) )?(?:just )?"
    r"(?:looking for|after|need|want|requesting|getting|gathering|collecting|seeking) "
    r"|(?:i|we)(?: would| should|['’]d| ['’]d)? (?:like|want|need) to (?:request|get|have|ask for|receive) "
    r"|(?:please|kindly) (?:provide|send|give|email|let (?:me|us) have)(?: me| us)? )?" + _PRICES
)
#: "Give me a number for a patio door".
_GIVE_PRICE = re.compile(r"^(?:(?:and|also|please|then) )*(?:give|send|get) (?:me|us) " + _PRICES)
#: The same as a question; it may only head what is told behind it.
_MAY_HAVE_PRICE = re.compile(
    r"^(?:(?:hi|hello|hey) ,? ?)?(?:can|could|may) (?:i|we) (?:please )?(?:get|have) " + _PRICES
)


def asks_you_to(tokens: Sequence[Token]) -> bool:
    """ "Would like you guys to pack that", whatever else its words say; not "I'd like you to know"."""
    found = _ASKED_TO.search(" ".join(token.text for token in tokens))
    return found is not None and found["verb"] not in _TALK


def plainly_asks(tokens: Sequence[Token]) -> bool:
    """ "Can you paint two bedrooms", "please bleed 8 radiators", "I'd like a drain survey done", "mow the lawn": a
    request in so many words."""
    text = " ".join(token.text for token in tokens)
    if (led := _SO.match(text)) is not None:
        text, tokens = text[led.end() :], tokens[len(led[0].split()) :]
    text = _LED_UP_TO.sub("could you ", text)
    to_do = _SO_MANY_TO.search(text)
    if (
        _YES_TO.match(text)
        or _WHICH_WANTS.search(text)
        or _TO_BECOME.search(text)
        or (to_do is not None and action_of(to_do["verb"]))
    ):
        return True
    if _NO_REQUEST.search(text):
        return False
    found = _ASKED_TO.search(text)
    if found is not None and found["verb"] in {"quote", "price"} and _SO_MANY.match(found["rest"]):
        return True
    if found is not None and found["verb"] == "do":
        # "Could you do an end of tenancy clean on the 20th?"
        return any(action_of(word) for word in found["rest"].split())
    if found is not None and found["verb"].endswith("ing"):
        return bool(action_of(found["verb"]))
    if found is not None:
        return found["verb"] not in _TALK or bool(phrasal_action([found["verb"], *found["rest"].split()], 0)[0])
    if _WONDERS.search(text) or _PRICE_FOR.search(text) or _GIVE_PRICE.match(text):
        return True
    if _WANTED_DONE.search(text) or _IS_NEEDED.search(text):
        return True
    # "Pump out the septic tank": no verb of the trades, because a pump that burned out is a thing.
    return text.startswith("pump out ") or is_imperative(
        [token for token in tokens if token.text not in {"just", "so"}]
    )


def asks_for_price_of(tokens: Sequence[Token]) -> bool:
    """ "Can I get an estimate on replacing the toilet"."""
    return _MAY_HAVE_PRICE.search(" ".join(token.text for token in tokens)) is not None


def gives_price_of(tokens: Sequence[Token]) -> bool:
    """ "Give me a number for a patio door"."""
    return _GIVE_PRICE.match(" ".join(token.text for token in tokens)) is not None


#: "My kitchen drain is clogged", "no hot water": nobody writes that to a trades company to tell the news.
_TROUBLED = re.compile(
    r"^(?:(?:we|i) (?:have|['’]ve got|['’]ve) |there (?:is|['’]s) )?no (?:hot water|heat(?:ing)?|power"
    r"|electric(?:s|ity)?|water pressure|cold water|running water)\b|"
    r"^(?:hi ,? ?|hello ,? ?)?(?:my|our|the) [\w ]{3,40} (?:is|are) (?:all |badly |completely )?(?:clogged|blocked"
    r"|leaking|dripping|broken|stuck|cracked|loose|rotten|rotting|jammed|overflowing|flooded|backed up|falling off)$"
    r"|^(?:(?:my|our|the) )?"
    r"(?:(?!(?:all|no|never|not|was|were|had|been|got|will|if|it|they|road|street|access)\b)[a-z]\w* ){1,5}"
    r"(?:clogged|blocked|leaking|overflowing|backed up|not (?:working|heating|flushing|draining|firing|cooling)"
    r"|(?:wo|do|does)n['’]?t (?:work|flush|drain|start|heat|open|close|shut|turn on|cool))$"
)


def plainly_troubled(tokens: Sequence[Token]) -> bool:
    """A trouble of one's own that is there now, told in a few words."""
    words = [token.text for token in tokens if token.kind is not Kind.SYMBOL]
    return len(words) <= _FEW and _TROUBLED.search(" ".join(words)) is not None


#: Words of a trouble told in a few.
_FEW = 10
#: "We want 8 windows", "I'm after a new hot water tank".
_WANTS_A_THING = re.compile(
    r"^(?:\w[\w'’ ]{1,30} )?needs? (?:an? |some |\d{1,2} |two |three |four )?(?:new|replacement) [a-z]|"
    r"^(?:i|we)(?: would| should|['’]d| ['’]d)? (?:need|want|like)\b"
    r"|^(?:i|we) ?(?:am|['’]m|are|['’]re) (?:after|looking for)\b"
)


def plainly_wants(tokens: Sequence[Token]) -> bool:
    """ "We want 8 windows": says of a thing that it is wanted; of a name it may be that of talk, too ("a receipt")."""
    text = " ".join(token.text for token in tokens)
    return _WANTS_A_THING.search(text) is not None and not _NO_REQUEST.search(text)
