"""Conditions: what is said around the work in words of its own, and changes none of it. When it is to be done, how high
up and how to get in, who is at home, who writes, for how much and on what terms.

Whoever reads a request whole is swayed by each of them, and their numbers are none of the work: "replace the roof,
PO 4471, 24 squares" has 24 squares. So they are blanked out before a request is cut and read, where one of them is all
that a sentence says, or stands in it between commas, dashes or brackets. What other rules look for (a place, a budget,
haste) they find in the whole text. How many storeys and bedrooms a house has is none of them: tasks go by that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.domain.drafting.quantities import Quantity, Role

#: Characters of the longest that is told between two signs; longer texts are papers.
_LONGEST, _LONGEST_TEXT = 90, 6_000
#: What parts them. A comma in a figure and the point of an abbreviation part nothing.
_SIGN = re.compile(r"\n|[;()]|,(?!\d{3}\b)|[.!?]+(?=\s|$|\))|(?<=\s)[-–—]{1,2}(?=\s)|\s?—\s?")
_ENDS = frozenset(".!?;\n")
#: What their figures may tell of.
_AROUND = frozenset({Role.BUDGET, Role.STOREYS})

_DAY = r"(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_SEASON = (
    r"(?:spring|summer|fall|autumn|winter|christmas|xmas|easter|thanksgiving|halloween|new year['’]?s?"
    r"|the holidays)"
)
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|ten|twelve|a few|a couple(?: of)?|several)"
_CLOCK = r"(?:\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?|noon|lunch(?: ?time)?|midday)"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)"
_DATE = rf"(?:{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?|(?:the )?{_ORDINAL}(?: of)?(?: {_MONTH})?|\d{{1,2}} {_MONTH})"
_WHEN = (
    rf"(?:(?:this|next|the (?:following|coming)) (?:{_DAY}|{_MONTH}|{_SEASON})|(?:this"
    rf"|next) (?:coming )?(?:week(?:end)?|month|year)|today|tomorrow|{_DATE}|(?:the )?(?:end|beginning|start"
    rf"|middle) of (?:the |this |next )?(?:week|month|year|{_SEASON}|{_MONTH}))(?: (?:mornings?|afternoons?"
    rf"|evenings?))?(?: (?:at|around|after|before|by|from) {_CLOCK})?"
)
#: "July" alone may be a label ("right side (later, July)").
_BEFORE_WHEN = r"(?:(?:before|by|after|in|on|around|during|until|early|late|mid|at)[ -])"
_TIME = (
    rf"(?:(?:sometime|some time|any ?time|ideally|preferably|hopefully|needed|done|completed?|finished) )?"
    rf"(?:{_BEFORE_WHEN}{{0,2}}(?:the )?{_WHEN}|{_BEFORE_WHEN}{{1,2}}(?:the )?(?:{_DAY}|{_MONTH}|{_SEASON}))"
    # "Before winter sets in"
    r"(?: (?:sets in|comes|starts|begins))?|on a regular basis"
    rf"|(?:any ?time )?(?:after|before|around|from) (?:\d{{1,2}}(?::\d\d)? ?[ap]\.?m\.?|noon|midday|lunch(?: ?time)?)"
    rf"|(?:with)?in(?: the)?(?: next| coming)? {_NUMBER} (?:days?|weeks?|months?)(?: or so)?"
    rf"|(?:with)?in(?: the)? (?:next|coming) (?:few )?(?:days?|weeks?|months?)"
    r"|as soon as (?:possible|you can)|a\.?s\.?a\.?p\.?|soon|(?:fairly |quite |very |this is |it['’]?s"
    r" )?urgent(?:ly)?"
    r"|(?:(?:there['’]?s|there is) )?no (?:great |real )?(?:rush|hurry)(?: at all)?|no fixed date"
    r"|(?:i['’]?m |we['’]?re |we are |i am )?(?:flexible|easy) (?:on|with|about) (?:the )?(?:dates?|timing|times?"
    r"|days?)"
    r"|dates? (?:are |is )?flexible|flexible (?:dates?|timing)|any ?time|whenever (?:suits|works)(?: you)?"
    rf"|(?:week(?:day|end)s?|{_DAY}s?(?: mornings?)?|mornings?|evenings?|afternoons?) (?:only|are best|is best"
    rf"|preferred)"
    rf"|(?:i['’]?m |we['’]?re |i am |we are )(?:free|available|in|home|around) (?:on )?{_DAY}s?"
    rf"(?: ?(?:to|-|–|through|thru|and|or) ?{_DAY}s?)?(?:,? {_CLOCK} ?(?:to|-|–) ?{_CLOCK})?"
    rf"|(?:(?:it|this|that|the (?:job|work)) )?(?:should|shouldn['’]?t|will|would) (?:only )?take(?: about| around"
    rf"| up to| more than)? {_NUMBER} (?:hours?|days?|weeks?)"
    rf"|(?:we(?:['’]re| are) |i(?:['’]m| am) )?hosting (?:for )?\w+(?: for \w+(?: people)?)?"
    rf"|(?:(?:we|i)(?:['’]re| are|['’]m| am)? )?(?:clos(?:e|ing)|mov(?:e|ing) (?:in|out))(?: on the house| date)?"
    rf"(?: is)?(?: on)? {_WHEN}"
    r"|(?:when(?:['’]s| is) )?(?:your )?(?:next|earliest|first) (?:available )?(?:date|day|slot|appointment"
    r"|availability)"
)
_FLOOR = r"(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|top|ground)"
_HEIGHT = (
    r"(?:(?:it['’]?s|it is|we['’]re|we are|i['’]m|i am) )(?:(?:an? )?(?:flat|apartment|condo"
    rf"|unit) )?on the {_FLOOR} floor"
    rf"|(?:(?:it['’]?s an? |it is an? )?{_FLOOR}[ -]floor )?walk[ -]?up"
    r"|(?:(?:there['’]?s|there is|we have) )?no (?:lift|elevator)(?: (?:in|at) the (?:building|block|property))?"
    r"|(?:(?:we have|with|there are) )?(?:vaulted|cathedral) ceilings?(?: throughout)?"
)
_CODE = r"[#*\dA-Za-z-]{0,3}\d{2,6}[#*]?"
_WAYS = r"(?:access|parking|gate|side gate|alley|driveway|street|lane|road|stairs?|hallway|entrance|approach)"
_ACCESS = (
    r"(?:(?:the|our) )?(?:gate|door|entry|entrance|building|alarm|lock ?box|key ?safe|garage|security) code(?: is"
    rf"|:)? {_CODE}"
    rf"|(?:there(?:['’]s| is) a )?(?:lock ?box|key ?safe)(?: on [a-z ]{{3,25}})?(?:,? code(?: is|:)? {_CODE})"
    r"|(?:(?:you['’]?ll|you will|you) need )?(?:an? )?(?:parking|residents?['’]?"
    r"|visitors?['’]?) permits? ?(?:(?:is |are )?(?:needed|required|only|available))?"
    r"|(?:(?:the|a|spare) )?keys? (?:is |are )?(?:under|in|with|at|behind) (?:the |my |our |a )?[a-z ]{3,25}"
    r"|(?:(?:there(?:['’]s| is)) )?(?:no|limited|plenty of|free|easy|street|off[- ]street|on[- ]street"
    r"|permit) parking(?: (?:is )?(?:available|only|outside|nearby|here"
    r"|on (?:the |our )?(?:street|road|drive(?:way)?)|in the (?:drive(?:way)?|lot|back|rear)))?(?: \w+)?"
    r"|double yellow lines"
    r"|parking (?:is )?(?:available|free|limited|tight|difficult|on the street"
    r"|in the drive(?:way)?)(?: (?:on|in) [a-z ]{3,20})?"
    r"|(?:(?:there(?:['’]s| is) an?|it['’]?s an?|through an?|the|an?) )?(?:very )?(?:(?:tight|narrow|steep|limited"
    rf"|difficult|restricted|poor|good|easy) {_WAYS}|(?:rear|side|shared) access)(?: only)?"
    rf"|(?:(?:the|our) )?{_WAYS}(?: (?:behind|to|at the|up to)(?: [a-z]+){{1,3}})? is (?:very |quite |a bit "
    r"|pretty )?(?:tight|narrow|steep|limited|difficult|restricted|poor|good|easy)"
    r"|(?:(?:the )?only )?(?:access|way in|entry)(?: is)?(?: only)? (?:is )?(?:through|via|from|by) (?:the "
    r"|an? )?(?:house|side|back|rear|front|alley|garage|side gate|narrow side gate|neighbou?r['’]?s"
    r"|lane)(?: only)?"
    r"|(?:please )?use the (?:side|back|rear|front|service) (?:entrance|door|gate|elevator|lift)"
    r"|(?:(?:it['’]?s|there are) )?(?:(?:about|around) )?\d{1,3} (?:steps|stairs) (?:(?:up|down) )?(?:from"
    r"|to) the (?:street|road|door|house|front door|car park|parking lot)"
    r"|(?:(?:the )?(?:water|gas|main) )?(?:shut ?-?off|stop ?cock|stop ?tap) is (?:in|under|by"
    r"|behind) (?:the )?[a-z ]{3,25}"
)
_SOME = r"(?:\d{1,2}|an?|one|two|three|four|some)"
_PETS = rf"{_SOME} (?:small |big |large |young |little |old |friendly ){{0,2}}(?:dogs?|cats?|pets?|pupp(?:y|ies))"
_CHILDREN = rf"(?:(?:{_SOME} )?(?:small |young |little )?(?:kids?|children|toddlers?|babies|baby|newborn))"
_OCCUPIED = (
    r"(?:(?:there are|we have|the|with|has) )?(?:tenants?|people"
    r"|residents?) (?:(?:are |is )?(?:still )?(?:in place|in residence|living there|in there|at home))"
    r"|(?:the |our )?(?:house|home|property|flat|apartment|unit|place|building) (?:is |will be )?(?:currently "
    r"|still )?(?:empty|vacant|unoccupied|occupied|tenanted)"
    r"|(?:it['’]?s an? |it is an? )?(?:empty|vacant|occupied|tenanted) (?:house|home|property|unit|flat|rental)"
    r"|(?:(?:we|i)(?:['’]ve| have)(?: got)? |there(?:['’]s| is"
    rf"| are) )?(?:{_CHILDREN} and )?{_PETS}(?: and {_PETS})?(?: (?:at home|in the house|on site|on the property"
    r"|around))?"
    r"|(?:(?:we|i)(?:['’]ve| have)(?: got)? "
    rf"|there(?:['’]s| is| are) ){_CHILDREN}(?: (?:at home|in the house|around))?"
    rf"|{_CHILDREN} (?:at home|in the house|around)"
    r"|(?:(?:we|i) (?:both )?)?work(?:ing)? from home"
    r"|(?:we are|someone is) (?:always )?home all day"
)
_MONEY = r"(?:[$£€] ?\d[\d,]{0,8}(?:\.\d\d)?k?|\d{1,3} ?(?:k|grand)|\d[\d,]{2,8} (?:dollars|pounds|quid|bucks))"
_MOST = r"(?:about|around|under|below|up to|max(?:imum)?(?: of)?|no more than|not more than|less than|roughly|within)"
_BUDGET = (
    rf"{_MOST} {_MONEY}(?: (?:max|tops|total|or less))?"
    r"|(?:money|budget) is (?:a bit |very |pretty )?tight"
    r"|(?:on )?a (?:tight|small|limited) budget"
    r"|(?:(?:my|our|the) )?insurance (?:is )?(?:paying|pays|will pay|is covering|will cover it)"
)
_PAST = (
    r"(?:(?:the |our |my |a )?(?:house|home|property|building|place) )?(?:was )?built (?:in|around|circa"
    r"|about) (?:the )?(?:1[789]|20)\d\d['’]?s?"
    r"|(?:it['’]?s|it is|we have) (?:an? |the )?(?:late |early )?(?:1[789]|20)\d0['’]?s (?:house|home|property"
    r"|building|semi|terrace|bungalow|ranch|colonial)"
    r"|(?:(?:it['’]?s|it has|has) )?been (?:like|doing) (?:this|that) for (?:about |over "
    rf"|nearly )?(?:{_NUMBER} )?(?:days?|weeks?|months?|years?|a while|ages)"
    r"|(?:(?:we(?:['’]ve| have)?|i(?:['’]ve| have)?) )?(?:been here|lived here)(?: for)?(?: about"
    rf"| over)? {_NUMBER} years"
    r"|(?:(?:it was|was) )?last (?:done|serviced|cleaned|painted|replaced) (?:about |over "
    rf"|around )?{_NUMBER} years ago"
    r"|(?:(?:it['’]?s|they['’]?re|it is) )?original to the (?:house|home|building)"
    r"|(?:the )?previous owners? (?:put|had|installed|did) (?:it|them|this|that)(?: (?:in|done|put in))?"
    r"|(?:(?:the )?old (?:one|unit) is |it['’]?s |it is )(?:about |over |around |at least )?\d{1,3} (?:years"
    r"|yrs) old"
)
_CAUSE = (
    r"(?:(?:it |this )?happened )?(?:after|during|because of|due to|from"
    r"|in) (?:(?:the|an?|last|recent|night['’]s|week['’]s|big|bad|heavy) ){0,3}(?:storms?|hurricane|tornado|hail"
    r"|high winds?|freeze|heat ?wave|flood(?:s|ing)?|leak|earthquake)(?: (?:last|this) (?:night|week|month|year))?"
    r"|(?:(?:it['’]?s|this is) )?(?:for )?(?:an )?insurance (?:claim|purposes)"
    r"|(?:required|needed) (?:for|by) (?:my |our |the )?insurance"
    r"|(?:(?:we(?:['’]re| are)|i(?:['’]m| am)) )?(?:selling"
    r"|getting ready to sell)(?: (?:up|the house|our house|it|soon))?"
    r"|(?:the )?inspector (?:has )?flagged it"
)
_HOME = (
    r"(?:(?:it['’]?s|it is|this is|we['’]re in|we are in|we live in|i live in) )(?:an? )?(?:small |large |older "
    r"|old |new )?(?:duplex|condo|townhouse|mobile home|rental|hoa|gated community"
    rf"|office)(?: on the {_FLOOR} floor)?"
    r"|(?:(?:it['’]?s|it is|this is) )?(?:an? )?(?:rental (?:property|unit)|hoa community"
    rf"|(?:half|quarter|\d{{1,2}})[ -]acre lot|(?:condo|apartment|flat) on the {_FLOOR} floor"
    r"|(?:\d{1,3}|two|three|four|six)[ -](?:unit|family|apartment|flat) (?:building|house|block|complex))"
)
_CONTACT = (
    r"(?:please )?(?:reply|respond|answer|contact me|reach me) (?:by|via) (?:text|e-?mail|phone"
    r"|whatsapp)(?: please| only)?"
    r"|(?:(?:purchase |work )?order|p\.?o\.?|claim|job|ref(?:erence)?|case|ticket|invoice|policy|enquiry|quote"
    r"|w\.?o\.?) ?(?:number|no\.?|num|#|id|ref)? ?[:#]? ?(?=[a-z/-]{0,5}\d)[a-z0-9/-]{3,18}"
    r"|(?:(?:the )?best time to (?:call|reach me)(?: is)? )[\w :-]{2,20}"
    r"|(?:ask for|speak to) [a-z]{2,12}"
    r"|(?:i can send |see |i (?:have|['’]?ve) )?(?:photos?|pics|pictures|drawings) (?:are |is )?(?:attached"
    r"|available|below|enclosed|to follow|on request|if (?:needed|that helps))"
)
_QUALITY = (
    r"(?:(?:i|we) (?:want|need|prefer|would like) )?(?:the )?(?:good|high|best|decent|top|cheapest|lowest"
    r"|most affordable|budget)(?:[ -](?:quality|option|price|possible|one|grade)){1,2}|mid[- ]range(?: quality)?"
    r"|(?:must |should |needs to |has to |to )(?:match|blend with) (?:the )?(?:existing|rest|others|old one)"
    r"|nothing (?:fancy|special)"
    r"|(?:we want it |i want it )?done (?:right|properly)"
    r"|(?:please do a )?(?:neat|tidy|clean|proper) job"
)
_TERMS = (
    r"(?:must be |only )?(?:fully )?(?:licensed|insured|bonded|qualified|certified)(?:(?:,| and| &|/) ?(?:licensed"
    r"|insured|bonded|qualified)){0,2}(?: (?:only|contractors?(?: only)?|tradesmen only|companies only))?"
    r"|(?:(?:(?:work|it|this|all) )?(?:must|to|has to|needs to|should) be (?:done "
    r"|carried out )?)?by (?:an? )?(?:fully )?(?:licensed|insured|qualified|certified|professional|registered"
    r"|reputable|gas safe(?: registered)?|niceic(?: registered)?)(?: (?:and|&|,) (?:insured|bonded"
    r"|qualified))? (?:contractor|company|professional|engineer|tradesman|pro|installer|person|firm)s?(?: only)?"
    r"|(?:must (?:all )?(?:be|meet)|all|everything|to be|bring(?:ing)? it up|needs to be"
    r"|work) ?(?:up )?(?:to )?(?:local |current |city |county |building )?codes?"
    r"|(?:up )?to (?:local |current )?(?:code|building regs|regs)"
    r"|(?:(?:please (?:send|provide|give(?: me| us)?)|(?:we|i) (?:need|want|would like)|need"
    r"|send) )?(?:an? )?(?:itemi[sz]ed|written|free|detailed|firm|fixed[- ]price|rough|ballpark"
    r"|separate)(?: written| itemi[sz]ed)? (?:quotes?|estimates?|bids?|pricing)(?: (?:needed|required|only))?"
    r"|(?:(?:with|must have|need) )?(?:an? |at least an? |minimum )?(?:\d{1,2}|one|two|three|five"
    r"|ten)[ -](?:year|yr) (?:guarantee|warranty)(?: (?:required|needed|minimum|please))?"
    r"|(?:a )?vat (?:invoice|receipt) (?:is )?(?:needed|required)"
    r"|(?:we need a |need )?(?:coi|certificate of insurance|proof of insurance)(?: (?:is )?(?:needed|required))?"
    r"|references? (?:needed|required|available|wanted)"
    r"|(?:please )?bring (?:all )?your own (?:tools|ladders?|equipment)"
    r"|(?:please |to |and )?includ(?:e|ing|es)(?: the| all)? clean[- ]?up(?: (?:after(?:wards)?|when done))?"
    r"|(?:please )?(?:leave|keep) (?:the |my |our )?(?:place|site|house|room|area) (?:clean|tidy|spotless)"
    r"|(?:the )?price (?:should |to |must )?includ(?:ing|e) (?:sales )?(?:tax|vat)"
    r"|(?:inc(?:l(?:uding|usive)?)?\.?|plus|\+) (?:of )?vat"
)
#: Questions about the company; who asks for somebody to come has work ("when could you come?").
_QUESTION = (
    r"do you (?:charge for|offer|give|do) (?:free )?(?:estimates?|quotes?|call ?-?outs?|financing|finance"
    r"|payment plans?)"
    r"|how long (?:will|would|does|might|should) (?:it|this|that) take"
    r"|do you (?:take|accept) (?:credit |debit )?(?:cards?|cash|checks?|cheques?|venmo|paypal)"
    r"|are you (?:guys )?(?:fully )?(?:licensed|insured|bonded)(?:,? (?:and|&) (?:insured|bonded))?"
    r"|do you (?:work|come) (?:on )?(?:weekends|saturdays|sundays)"
    r"|do you (?:cover|serve|service) (?:my|this|our) area"
    r"|do you have (?:insurance|references|reviews)"
    r"|what(?:['’]s| is) (?:the|your) (?:warranty|guarantee|lead time|turnaround)"
)
_POLITE = r"(?:(?:please|ideally|but|and|also|so|note|nb|fyi|btw|ps)[ :,]+){0,2}"
_BEHIND = (
    r"(?: (?:please|pls|thanks|thank you|if (?:at all )?possible|if you can|at the latest|latest|works(?: best)?"
    r"|is (?:fine|ok|best)|or so))?"
)
_CONDITION = re.compile(
    _POLITE
    + "(?:"
    + "|".join(
        [_TIME, _HEIGHT, _ACCESS, _OCCUPIED, _BUDGET, _PAST, _CAUSE, _HOME, _CONTACT, _QUALITY, _TERMS, _QUESTION]
    )
    + ")"
    + _BEHIND
)

_OF_THE_HOUSE = re.compile(f"{_PAST}|{_HOME}")


class _Passage(NamedTuple):
    """What stands between two signs, with those: where it starts and ends, and where the signs do."""

    start: int
    end: int
    before: int
    behind: int


def without_conditions(text: str) -> str:
    """The text with its conditions blanked out, so that what is left stands where it stood; as it is where nothing
    would be left."""
    if len(text) > _LONGEST_TEXT:
        return text
    told = text
    for start, end in conditions(text):
        told = f"{told[:start]}{' ' * (end - start)}{told[end:]}"
    return told if any(letter.isalpha() for letter in told) else text


def conditions(text: str) -> Iterator[tuple[int, int]]:
    """Where conditions stand, each with the sign that parts it from the rest of its sentence."""
    begins = True
    for passage in _passages(text):
        opened, closed = text[passage.before : passage.start].strip(), text[passage.end : passage.behind].strip()
        ends = not closed or closed[0] in _ENDS
        said = text[passage.start : passage.end]
        # "House built in 1962, 3 bed 2 bath": goes on to tell of the house.
        goes_on = begins and not ends and (closed == "(" or _OF_THE_HOUSE.fullmatch(_plain(said)) is not None)
        if goes_on or not is_condition(said):
            begins = ends
        elif begins or opened == "(":
            yield passage.before if opened == "(" and closed == ")" else passage.start, passage.end + len(closed)
        else:
            yield passage.start if opened == ")" else passage.before, passage.end
            begins = ends


def with_told_around(figures: Sequence[Quantity], asked: str, told: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """The figures of the work, with those of its conditions that say how high up it is and for how much. ``asked``: the
    text without its conditions; ``told``: every figure of the text."""
    around = [one for one in told if one.role in _AROUND and asked[one.span.start].isspace()]
    return tuple(sorted([*figures, *around], key=lambda one: one.span.start))


def is_condition(said: str) -> bool:
    """Whether words are nothing but a condition."""
    return len(said) <= _LONGEST and _CONDITION.fullmatch(_plain(said)) is not None


def _plain(said: str) -> str:
    return " ".join(said[: _LONGEST + 1].lower().split())


def _passages(text: str) -> Iterator[_Passage]:
    start = before = 0
    for sign in _SIGN.finditer(text):
        if text[start : sign.start()].strip():
            yield _Passage(start, sign.start(), before, sign.end())
        start, before = sign.end(), sign.start()
    if text[start:].strip():
        yield _Passage(start, len(text), before, len(text))
