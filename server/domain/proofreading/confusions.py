"""Real words in the place of others (its, it's), where the words around them leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from server.domain.proofreading.edit import Edit
from server.domain.proofreading.sentences import sentences
from server.domain.proofreading.words import fold

_OWNED = (
    "house|home|kitchen|bathroom|bedroom|garden|yard|property|roof|garage|driveway|office|basement|ceiling|boiler|"
    "furnace|fence|deck|windows?|doors?|floors?|walls?|quote|estimate|invoice|account|address|phone|email|order"
)
_THING = "the|a|an|our|your|my|his|her|their|this|that|these|those|it|us|them"
_ARTICLE = "the|a|an|our|your|my|this|that"
_BE = "is|are|was|were|be|been|isn't|aren't|wasn't|it's|that's|seems?|looks?|far|way|much|bit"
_BEFORE_OWNED = (
    "in|at|of|for|on|from|with|to|about|replac(?:e|ing)|paint(?:ing)?|fix(?:ing)?|repair(?:ing)?|clean(?:ing)?|"
    "check(?:ing)?|remov(?:e|ing)|install(?:ing)?"
)
_COMPARED = (
    "more|less|better|worse|rather|other|larger|smaller|bigger|higher|lower|cheaper|longer|shorter|wider|older|newer|"
    "thicker|thinner|easier|faster|earlier|later|sooner|deeper|taller|heavier|lighter|greater|fewer"
)

_HAPPENING = "raining|snowing|dripping|coming|getting|making|starting|falling|peeling|sagging|rotting|rusting|stuck|loose|working"
_SEVERAL = "two|three|four|five|six|seven|eight|nine|ten|several|many|some (?:cracks|leaks|holes|tiles|bricks|boards)|cracks|leaks|holes"
_TWO_OR_MORE = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty|sixty|ninety|"
    "several|many|few"
)
_SINGULAR = (
    "house|home|kitchen|bathroom|bedroom|garden|yard|property|roof|garage|driveway|office|basement|ceiling|boiler|"
    "furnace|fence|deck|window|door|floor|wall|toilet|sink|shower|faucet|pipe|gutter|chimney|porch|patio|panel|heater"
)


@dataclass(frozen=True, slots=True)
class _Confusion:
    """``pattern`` names the wrong word ``x``, one of ``wrong``; it stands for ``meant``."""

    wrong: str
    pattern: re.Pattern[str]
    meant: str
    confidence: float


def _confusion(before: str, wrong: str, after: str, meant: str, confidence: float = 0.93) -> _Confusion:
    left = rf"(?<![\w'’])(?:{before})\s" if before else r"(?<![\w'’])"
    right = rf"(?=\s(?:{after})(?![\w'’]))" if after else r"(?![\w'’])"
    return _Confusion(wrong, re.compile(f"{left}(?P<x>{wrong}){right}", re.IGNORECASE), meant, confidence)


_CONFUSIONS = (
    _confusion("", "its", f"{_ARTICLE}|been|not|too|going|leaking|broken|cracked|okay|ok|important|hard|difficult|just|also|about time", "it's"),
    _confusion("(?:think|know|because|that|if|when|and|but|so|as|sure)", "its", "really|very|still|now|all", "it's", 0.9),
    _confusion("", "it['’]s", "own|entirety|place|existing (?:place|position|location)|original (?:place|position|location|condition)", "its"),
    _confusion("", "their", "is|are|was|were|isn't|aren't|wasn't|weren't|will be|has been|have been|seems|may be|might be", "there"),
    _confusion(_BEFORE_OWNED, "there", f"own|new|old|existing|{_OWNED}", "their", 0.9),
    _confusion(_BEFORE_OWNED, "they['’]re", f"own|new|old|{_OWNED}", "their"),
    _confusion("", "your", "welcome|going|not|right about|a great|doing|looking for|able", "you're"),
    _confusion(_BEFORE_OWNED, "you['’]re", f"own|new|old|{_OWNED}", "your"),
    _confusion("back|away|received|leaking|leaks|coming|comes|came|removed|supplied|different|apart|starting|protect|protects|"
               "protected|bought|ordered|far|made|quotes?|emails?|calls?|messages?|heard?|range|ranges|runs?", "form",
               f"{_THING}|here|there|me|you|outside|inside|under|behind|above|below", "from"),
    _confusion("(?:fill|filled|filling) (?:in|out) (?:the|this|our|your|a|an|attached|online)|(?:the|an|this|attached|online) (?:application|order|consent|request|contact|claim)", "from", "", "form", 0.9),
    _confusion(_COMPARED, "then", f"{_THING}|i|we|you|expected|before|normal|usual|planned|what|last|necessary|needed|anything|others", "than"),
    _confusion(_BE, "to", "much|many|late|small|big|large|long|short|high|low|wide|narrow|heavy|expensive|far|hot|cold|loose|tight|old|thin|thick|steep|dark|noisy", "too"),
    _confusion("will|to|not|would|could|may|might|don't|can|we|you|they|and", "loose", f"{_THING}|any|water|pressure|heat|power|time|money|track", "lose", 0.9),
    _confusion("", "weather", "or not", "whether"),
    _confusion("know|no|check|ask|see|sure|decide|wondering|unsure|confirm", "weather", "the|it|it's|we|you|they|there|to|this|a|an|he|she|i", "whether"),
    _confusion("", "whether", "permitting|forecast|proofing|report", "weather"),
    _confusion("will|would|may|might|could|can|not|should|to|doesn't|won't|didn't", "effect", f"{_THING}|any|other", "affect", 0.9),
    _confusion("any|an|no|little|the|some|adverse|negative", "affect", "on|of", "effect"),
    _confusion("everything|all|everyone|anything|nothing|none", "accept", f"{_THING}|for", "except"),
    _confusion("please|to|we|cannot|can't|happy to", "except", "the quote|our quote|your quote|this quote|the estimate|your estimate|the offer|your offer|payment|payments|cards|cash|this offer|our estimate", "accept"),
    _confusion("is|was|are|were|it's|been|got|looks|took|have|has|had", "quiet", "a bit|a lot|a few|a large|a small|a big|large|small|big|old|expensive|bad|badly|often|difficult|sure|likely|worn|damaged", "quite"),
    _confusion("", "peace", "of (?:wood|pipe|trim|timber|lumber|drywall|glass|metal|plywood|wire|tape|equipment|work|furniture|carpet|siding|land|tile|paper)", "piece", 0.95),
    _confusion("", "piece", "of mind", "peace", 0.95),
    _confusion("job|building|work|construction|on", "sight", "", "site", 0.9),
    _confusion("has|have|had", "past", "inspection|the inspection|our inspection|all|both|every", "passed"),
    _confusion("i|we|he|she|it|they", "past", "the (?:inspection|final|test)|inspection|inspections", "passed", 0.9),
    _confusion("please", "advice", "", "advise", 0.94),
    _confusion("some|your|any|good|further|for|my|professional", "advise", "", "advice", 0.9),
    _confusion("(?<!a )(?<!the )(?<!one )(?<!half )(?<!full )(?<!each )(?<!quarter )(?<!per )turn|turned|turning|switch|switched|shut|shutting|cut|cutting", "of", "the (?:water|power|gas|electricity|supply|heating|heat|boiler|breaker|lights?|mains|valve|circuit)", "off", 0.95),
    _confusion("forward to", "here", "from", "hear", 0.95),
    _confusion("let (?:me|us|them|him|her|you)", "no|now", "if|when|what|whether|weather|how|which|who|where|why|by|asap|as soon|about|your|the", "know", 0.94),
    _confusion("we|they|you|there|which|windows|doors|walls", "where", "not|going|told|supposed|installed|replaced|painted|damaged|removed|here|there|left|unable|able|only|also|to|quoted|done", "were", 0.9),
    _confusion("", "dose", "not|the|it|this|that|your|anyone|anybody|he|she", "does"),
    _confusion("", "moister", "barrier|content|level|levels|damage|meter|problem|problems|reading|readings", "moisture", 0.95),
    _confusion("", "sealing", "fans?|tiles?|joists?|height|lights?", "ceiling", 0.9),
    _confusion("the|drop|suspended|kitchen|bathroom|bedroom|and", "sealing", "and walls|needs|in the|height|is (?:cracked|stained|sagging|leaking)", "ceiling", 0.88),
    _confusion("a|the|water|roof|gas|pipe|small|slow", "leek", "in|from|under|at|behind|near|above|on", "leak", 0.95),
    _confusion("water|roof|pipe|gas", "leek", "", "leak"),
    _confusion("water|roof|pipe|gas", "leeks", "", "leaks"),
    _confusion("up|down|on|basement|the|front|back", "stares", "", "stairs", 0.93),
    _confusion("the|a|this", "hole", "house|kitchen|bathroom|room|roof|job|project|property|building|floor|thing|day|week", "whole"),
    _confusion("", "pain", "the (?:walls?|ceilings?|rooms?|house|kitchen|fence|doors?|exterior|interior|trim|hallway|bathroom|bedrooms?|living room)", "paint", 0.95),
    _confusion("property|site|project|office|building|account|facility|store", "manger", "", "manager", 0.95),
    _confusion("code|fully|ada|is|are|be", "complaint", "with|to code", "compliant"),
    _confusion("", "bare", "with (?:us|me)", "bear", 0.95),
    _confusion("", "its", _HAPPENING, "it's"),
    _confusion("if|when|because|that|hope|know|think", "your", "free|available|happy|ready|interested|unhappy|unsure|sure|not|still|able|planning|thinking", "you're"),
    _confusion("", "who['’]s", f"{_OWNED}|van|car|truck|ladder|tools|job|turn|name|fault|responsibility|side|land|number", "whose"),
    _confusion("left|leave|leaving|park|parked|parking|brought|bring|finish|finished|dropped|collect|collected|store|stored|lost|use|used|got", "there",
               "tools|ladders?|van|vans|car|cars|truck|trucks|equipment|work|job|materials?|things|stuff|keys?|gear|rubbish|trash|boots|mess", "their", 0.9),
    _confusion("need|needs|needed|want|wants|wanted|have|has|had|going|able|like|used|ready|supposed|try|tried|trying|hope|plan|planning|due|start|started|continue", "too",
               "be|replace|repair|fix|paint|install|remove|check|clean|move|see|get|do|make|have|know|take|come|go|call|use|add|cut|match|order|book|arrange|discuss|pay|finish|start|access", "to", 0.93),
    _confusion("inch|inches|feet|foot|cm|mm|metres?|meters?|hours?|days?|weeks?", "to", "long|short|wide|narrow|high|low|late|early|big|small|deep|many|much", "too"),
    _confusion("", "then", "we (?:expected|ordered|agreed|planned|quoted|thought|needed)", "than", 0.85),
    _confusion("is|are|was|were|be|been|being|get|got", "build", "in|by|on|with|into|from|over|as|to|without|before|after|around|last", "built"),
    _confusion("i|we|they", "seen", f"{_THING}|some|no|water|damage|signs?|several|two|three", "saw", 0.88),
    _confusion("we|they|you", "was", "", "were", 0.93),
    _confusion("", "where", "(?:they|we|you) (?:able|happy|satisfied|going|planning|expecting|told|supposed)", "were", 0.9),
    _confusion("there", "is", f"{_SEVERAL}", "are", 0.92),
    _confusion("there", "was", f"{_SEVERAL}", "were", 0.92),
    _confusion("(?:each|one|either|neither|none) of (?:the|our|your|my|their|these|those) [a-z]{3,15}s", "have", "a|an|the|been|to|no|cracks?|leaks?|its|some", "has", 0.9),
    _confusion(f"(?:{_ARTICLE}) (?:{_SINGULAR})", "need", f"{_THING}|to|new|more|some|repair(?:s|ing)?|replac(?:ing|ement)|paint(?:ing)?|clean(?:ing)?|fix(?:ing)?|attention|work", "needs", 0.9),
    _confusion(f"(?:{_ARTICLE}) (?:{_SINGULAR})", "have", "a|an|been|no|some|started|stopped|several|two|three", "has", 0.9),
    _confusion(f"(?<!by )(?:{_ARTICLE}) (?:windows|doors|floors|walls|tiles|workers|painters|pipes|gutters|shingles|bricks|boards|cabinets|lights|outlets|stairs|plans|invoices|quotes|materials|plumbers|electricians|roofers|installers|carpenters|guys|men)", "was",
               "here|there|not|all|very|too|so|on|late|early|replaced|installed|removed|painted|damaged|cracked|broken|leaking|delivered|ordered|loose|old|new|finished|done|supposed|left|missing|going|working|in|cleaned|repaired|already|also", "were", 0.9),
    _confusion(f"(?<!by )(?:{_ARTICLE}) (?:windows|doors|floors|walls|tiles|workers|painters|pipes|gutters|shingles|bricks|boards|cabinets|lights|outlets|stairs|plans|invoices|quotes|materials|plumbers|electricians|roofers|installers|carpenters|guys)", "is",
               "here|not|all|very|too|so|late|replaced|installed|removed|painted|damaged|cracked|broken|leaking|delivered|ordered|loose|old|new|finished|done|supposed|missing|going|working|already|also", "are", 0.9),
    _confusion("", "less", "(?:tiles|bricks|boards|sheets|shingles|screws|nails|days|hours|weeks|people|workers|windows|doors|outlets|problems|materials|visits|panels|posts|coats) (?:are|were|than)", "fewer", 0.88),
    *(_confusion(f"(?:for|in|within|after|of|about|every|takes?|took|least|only|valid|another|next|last|past) (?:{_TWO_OR_MORE})", unit, "", f"{unit}s", 0.88)
      for unit in ("day", "week", "month", "year", "hour", "minute", "coat")),
    *(_confusion("looking forward to", verb, "", f"{verb}ing", 0.88)
      for verb in ("meet", "see", "hear", "work", "speak", "talk", "start", "do", "discuss")),
    *(_confusion("looking forward to", f"{verb}e", "", f"{verb}ing", 0.88) for verb in ("hav", "receiv", "com", "mov")),
    *(_confusion("looking forward to", verb, "", f"{verb}{verb[-1]}ing", 0.88) for verb in ("get", "begin")),
    _confusion("a|per|last|next|this|every|one|two", "weak", "ago|later|before|after|of|from", "week"),
)  # fmt: skip


def _by_word() -> dict[str, tuple[_Confusion, ...]]:
    """The confusions by each wrong word that they begin with, so that only those are tried whose word is there."""
    index: dict[str, tuple[_Confusion, ...]] = {}
    for one in _CONFUSIONS:
        for word in one.wrong.replace("['’]", "'").split("|"):
            index[word] = (*index.get(word, ()), one)
    return index


_BY_WORD = _by_word()
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def confusions(text: str) -> Iterator[Edit]:
    """Edits for words that stand for others, by sentence. Sentences are remembered."""
    for start, sentence in sentences(text):
        for edit in _of_sentence(sentence):
            yield replace(edit, start=start + edit.start, end=start + edit.end)


@lru_cache(maxsize=4096)
def _of_sentence(sentence: str) -> tuple[Edit, ...]:
    edits = []
    # Looked up before anything is made of them: most sentences have no such word.
    called = [word for word in map(fold, _WORD.findall(sentence)) if word in _BY_WORD]
    tried = {one: None for word in called for one in _BY_WORD[word]}
    for one in tried:
        for found in one.pattern.finditer(sentence):
            before = found["x"]
            if before.isupper() and len(before) > 1:
                continue
            after = one.meant[0].upper() + one.meant[1:] if before[0].isupper() else one.meant
            after = after.replace("'", "’") if "’" in sentence else after
            edits.append(
                Edit(
                    found.start("x"), found.end("x"), after, "confused_word", f"confusion.{one.meant.lower()}",
                    f"“{before}” is another word; here it means “{after}”.", one.confidence,
                )
            )  # fmt: skip
    return tuple(edits)
