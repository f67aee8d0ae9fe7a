"""Asides: sentences that say nothing of the work, so that a request reads the same with them and without.

When somebody is at home, that there are dogs, how to get in, who recommended whom, what the house is: whoever reads a
request whole is swayed by each of them, and none of them asks for anything. Only a sentence that is nothing else is
one; a sentence that may speak of the work ("I'd like it done myself", "that's been sorted") is none.
"""

from __future__ import annotations

import re

_DAY = (
    r"(?:(?:early |late |mid )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|mornings?|afternoons?"
    r"|evenings?|nights?|tomorrow|today|next week|this week|any ?time|any day|most days|every day)"
)
#: Possessive, as "next" and "next week" both begin "next week".
_WHEN = (
    rf"(?>(?:{_DAY}|at|in|on|by|before|after|from|until|till|around|about|within|during|between|over|all|any|most"
    rf"|the|this"
    r"|next|end|start|beginning|of|and|or|to|few|couple|two|three|four|six|a|an|\d{1,2}(?::\d\d)?(?:st|nd|rd"
    r"|th)? ?(?:am|pm)?"
    r"|first|second|noon|midday|lunch(?:time)?|work|school|weeks?|months?|days?|hours?|year|soon|possible|asap"
    r"|christmas|easter|thanksgiving|spring|summer|autumn|fall|winter|holidays?|january|february|march|april|may|june"
    r"|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b[ ,]*+)++"
)
#: Times that are told somehow.
_AT_TIMES = rf"(?: {_WHEN})?"
_ME = r"(?:me|us|my (?:wife|husband|partner|son|daughter|assistant)|the (?:tenant|office|manager))"
_WE_ARE = r"(?:(?:i|we)(?: am| are|['’]m|['’]re)?|(?:i|we)(?:['’]ll| will| can| could)(?: be)?)"
_HOUSE = r"(?:house|home|place|property|apartment|flat|bungalow|building|condo|cottage)"
_NUMBER = r"[\d() .+x-]{7,20}(?:ext\.? ?\d+)?"

_SAYS_NOTHING = (
    # When somebody is there, can be called, could come.
    rf"(?:please |pls |kindly |just )*(?:call|text|ring|phone|email|message|contact|reach|let {_ME} know)(?: {_ME})?"
    rf"(?: (?:if|when) (?:you(?:['’]re| are)? (?:\w+ ){{1,6}}\w+))?(?: (?:first|ahead|back|beforehand))?"
    rf"(?: (?:before|when|once) you (?:come|arrive|set off|get here|are on your way|visit)(?: (?:over|out|round))?)?"
    rf"(?: (?:on|at) {_NUMBER})?{_AT_TIMES}",
    rf"(?:my|our|the|her|his)(?: (?:tenant|wife|husband|partner|office|customer|client)['’]?s?)?(?: (?:cell|mobile"
    rf"|phone))?"
    rf" (?:number|cell|mobile|phone|email)(?: number)? (?:is|:) ?(?:{_NUMBER}|\S+@\S+)",
    rf"(?:you can |best to )?(?:reach|call|text|ring) (?:me|us) (?:on|at) (?:{_NUMBER}|\S+@\S+){_AT_TIMES}",
    rf"(?:{_WE_ARE}|the tenants? (?:is|are)|someone (?:is|will be)|my (?:wife|husband|partner) (?:is|will be))"
    rf" (?:usually |normally |always |generally |only )*(?:home|in|free|available|around|here|there|flexible|off work"
    rf"|at work|away|out)(?: (?:most|all) (?:of )?the (?:day|time))?{_AT_TIMES}",
    rf"(?:any|most) (?:day|time|weekday|morning|afternoon|evening)s?(?: {_WHEN})?"
    rf" (?:works?|suits?|is fine|is good|are fine|are good|would (?:work|suit|be (?:fine|good|best)))(?: for (?:me"
    rf"|us))?"
    rf"{_AT_TIMES}",
    rf"{_DAY}(?:,? (?:and|or|to) {_DAY})?{_AT_TIMES} (?:is|are|would be|works?|suits?) ?(?:best|better|good|fine|ideal"
    r"|preferred|ok|okay)?(?: for (?:me|us))?",
    r"(?:what(?:['’]s| is) (?:the|your) (?:earliest|soonest|next|first|lead time|availability)(?: \w+){0,8}"
    r"|(?:when|how soon|how quickly) (?:can|could|would|will|are) you (?:be able to |guys )?(?:be able to )?"
    r"(?:come|start|begin|get (?:here|to (?:it|this)|out)|be (?:here|out)|do (?:it|this|that)|fit (?:us|me|it|this) in"
    r"|available|schedule (?:it|this|us|me))(?: \w+){0,4}"
    r"|do you have (?:any )?(?:availability|openings|time|slots)(?: \w+){0,5}"
    r"|are you available(?: \w+){0,5})",
    rf"(?:{_WE_ARE} (?:also )?(?:hoping|looking|aiming|trying|hope)|it would be (?:great|good|nice|ideal)|ideally)"
    r" (?:for |if )?(?:to )?(?:get |have |see )?(?:it|this|that|everything|all of (?:it|this)|the (?:work|job))?"
    rf"(?: (?:could|can|to) be| all)* ?(?:done|finished|completed|sorted|wrapped up|started|underway) {_WHEN}",
    r"(?:there(?:['’]s| is) |it(?:['’]s| is) )?(?:no|not in a|in no) (?:rush|hurry)(?: (?:at all|on this|with this"
    r"|for this))?",
    r"(?:it|this)(?:['’]s| is) (?:not |quite |very |rather |fairly )*(?:urgent|an emergency|time sensitive)",
    r"the sooner the better",
    # Photos and papers.
    r"(?:(?:i|we)(?:['’]ll| will| can| could| have|['’]ve)?(?: also| happily)?|can|could|will|happy to|happily"
    r"|please|see"
    r"|i['’]m happy to) (?:send|email|text|provide|share|attach(?:ed)?|forward|take|get|see|got|have)(?: over| you"
    r"| through)*"
    r"(?: (?:some|more|any|a few|the|attached|you|over))* (?:photos?|pictures?|pics?|images?|videos?|drawings?|plans"
    r"|measurements?)(?: (?:over|if|that|helps?|it|you|would|help|need(?:ed)?|like|want|them|are|attached|of|the"
    r"|area|to"
    r"|first|on request))*",
    r"(?:photos?|pictures?|pics?|images?)(?: are| is)? (?:attached|below|included|to follow|available|enclosed)"
    r"(?: (?:on|upon) request)?",
    # Who lives there, how to get in.
    r"(?:(?:i|we) have|there(?:['’]s| is| are)|(?:we|i)['’]ve got|beware(?: of)?)(?: an?| the| our| two| three| \d"
    r"| some)*"
    r"(?: (?:friendly|small|big|large|little|old|young|elderly|nervous|noisy|barking))* "
    r"(?:dogs?|cats?|pets?|kids?|children|baby|babies|toddlers?|newborn|puppy|puppies)"
    r"(?:,? (?:who|that|which|is|are|in|at|on|the|our|a|an|and|very|who['’]s|here|home|house|yard|garden|inside|outside"
    r"|indoors|outdoors|around|upstairs|friendly|nervous|loud|old|young|barks?|bites?|naps?|sleeps?|too|all|day|time"
    r"|of|one|both|\d+|months?|years?|mornings?|afternoons?))*",
    r"(?:the |our )?(?:gate|door|alarm|lockbox|key ?safe|entry|access) code (?:is|:) ?#?\d+",
    r"(?:the |a |our )?(?:spare )?keys? (?:is|are|will be) (?:under|with|in|at|on) (?:the|our|my) (?:\w+ ){0,4}\w+",
    r"(?:parking|street parking)(?: (?:is|outside|here|on the street|in the drive(?:way)?|available|free|easy"
    r"|permit|only"
    r"|there))+(?: (?:but|and) (?:\w+ ){1,9}\w+)?",
    r"there(?:['’]s| is) (?:plenty of |free |street |ample |no )*parking(?: \w+){0,5}",
    # What the house is, and since when.
    rf"(?:(?:i|we) (?:have |only |just |recently |have just )*(?:bought|purchased|moved into?|inherited) (?:this"
    rf"|the|our|a|an)"
    rf"(?: \w+){{0,2}} {_HOUSE}(?: (?:in|last|from|about|a|an|the|older?|young|couple|family|estate|few|two|three|\d+"
    r"|weeks?|months?|years?|year|spring|summer|fall|autumn|winter|ago|month|week|\d{4}))*)",
    rf"(?:the|our|this|my) {_HOUSE} (?:was built|is from|dates (?:from|back to)|was constructed|is about|is)"
    r"(?: (?:in|the|around|about|circa|over|nearly|almost|early|late|mid))* (?:\d{2,4}s?)(?: years? old)?",
    r"(?:(?:i|we)(?: (?:have|just|only|recently))* |(?:i|we)['’]ve (?:just |only |recently )?)moved in"
    r"(?: (?:in|last|a|about|few|two|three|\d+|weeks?|months?|years?|year|spring|summer|fall|autumn|winter|ago"
    r"|month|week"
    r"|\d{4}))*",
    r"(?:i am|i['’]m|we are|we['’]re)(?: (?:the|a|an|also|just|both|only))* (?:landlords?|owners?|homeowners?"
    r"|first[- ]time"
    r" (?:buyers?|homeowners?)|letting agents?|property managers?|tenants?|retired|pensioners?|seniors?)",
    rf"it(?:['’]s| is) an? (?:rental|rented|let|owner[- ]occupied)(?: {_HOUSE})?",
    # Others who quote, and who sent them.
    r"(?:(?:i|we)(?:['’]re| are|['’]m| am|['’]ve| have)?(?: already| also| currently)*(?: got| gotten| getting"
    r"| collecting"
    r"| had| have)?(?: a few| a couple of| some| two| three| \d| several| other| more| another| one)* (?:quotes?"
    r"|estimates?"
    r"|bids?)(?: (?:already|so far|elsewhere|from (?:other|another) (?:companies|company|firms?|contractors?)))*)",
    r"(?:you (?:were|came|are)(?: very| highly)? recommended(?: by| to us by| to me by)? (?:\w+ ){0,4}\w+"
    r"|(?:my|our|a) (?:neighbou?r|friend|sister|brother|mother|father|colleague|boss|mum|mom|dad)s?(?: \w+)?"
    r" (?:recommended|suggested|mentioned|gave me|used) you(?: \w+){0,5}"
    r"|(?:i|we) (?:found|saw|heard (?:of|about)|got) (?:you|your (?:name|number|ad|advert|website|van|sign|details))"
    r"(?: \w+){0,6})",
    # How much it may cost.
    r"(?:(?:my|our|the|a)(?: \w+)? budget|budget)(?: is| of| would be|:)?(?: about| around| roughly| approx(?:imately)?"
    r"| up to| under| no more than| max(?:imum)?| somewhere| between| in the region of)* ?[$£€]? ?[\d,.]+ ?k?"
    r"(?: ?(?:-|–|to|and) ?[$£€]? ?[\d,.]+ ?k?)?(?: (?:max(?:imum)?|all in|in total|total|tops|or so|usd|dollars"
    r"|pounds))*",
    # Hopes.
    r"(?:(?:i )?hope (?:you(?:['’]re| are)|this finds you|all is)(?: \w+){0,6})",
    r"(?:(?:i|we) |i['’]m |we['’]re )?look(?:ing)? forward to (?:hearing|your)(?: \w+){0,6}",
    r"(?:please )?(?:let (?:me|us) know|advise|get back to (?:me|us))(?: (?:what you think|if you need (?:anything"
    r"|more)"
    r"(?: \w+){0,4}|if you have (?:any )?questions|when you can|at your (?:earliest )?convenience|asap|soon|thanks))*",
    r"are you (?:guys )?(?:fully )?(?:licen[sc]ed|insured|bonded|vat registered)(?:,? (?:and|&) (?:licen[sc]ed"
    r"|insured|bonded))*",
)
_ONE = f"(?:{'|'.join(_SAYS_NOTHING)})"
#: A sentence that is an aside, or two of them, from its beginning to the stop behind it.
_ASIDE = re.compile(
    rf"(?:(?<=[.!?\n;])|\A)[ \t]*(?:(?:also|and|but|so|oh|btw|p\.?s\.?|fyi|by the way|note)[ ,:.]+)*"
    rf"{_ONE}(?:,?(?: (?:so|and|but|or)| ?[-–])?(?: also)? {_ONE})?(?:,? (?:please|thanks|thank you|cheers|though"
    rf"|too))*[ \t]*(?:[.!?]+|(?=\n)|\Z)",
    re.IGNORECASE,
)
#: How soon, at the end of a sentence; which job it is, before it is told.
_HASTE = re.compile(
    r",? ?\b(?:as soon as (?:possible|you can)|a\.?s\.?a\.?p\b|at your (?:earliest )?convenience)(?: please)?"
    r"(?=[ \t]*(?:[.!?\n]|\Z))",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\A\s*(?:(?:job|ref(?:erence)?|w\.?o\.?|work order|ticket|p\.?o\.?|case|order|project|enquiry|lead|call)"
    r"(?: (?:no|number|id|ref))?\.?\s*[:#]?\s*)[A-Z]{0,4}[-/]?\d{2,}[\w/-]*\s*[-–—:.,|]\s*(?=\S)",
    re.IGNORECASE,
)
#: Characters of a request in which asides are looked for: longer ones are papers.
_LONGEST = 4_000


def without_asides(text: str) -> str:
    """The text with its asides blanked out, so that what is left stands where it stood; as it is where nothing would be
    left."""
    if len(text) > _LONGEST:
        return text
    told = text
    for saying_nothing in (_ASIDE, _HASTE, _REFERENCE):
        told = saying_nothing.sub(lambda aside: " " * len(aside[0]), told)
    return told if told.strip() else text
