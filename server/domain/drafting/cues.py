"""Cues: what a piece of a sentence is for, by the words that exclude, supply, offer, tell or ask."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.domain.drafting.actions import IMPLIED, TO_WHAT_IS_THERE, action_of
from server.domain.drafting.clauses import ClauseKind
from server.domain.drafting.numbers import Token, text_at
from server.domain.drafting.patterns import CALLED_OFF, FINISHED, ONLY_FITTED, cues
from server.domain.drafting.telling import FAULT
from server.domain.drafting.verbs import REQUEST_CUE, actions_in, asks_to, is_imperative

_EXCLUSION = cues(
    r"\bnot includ\w+|\bnot incl\b|\bexclud\w+|\b(?<!mouse )(?<!rodent )(?<!wildlife )exclusions?\b"
    r"|\bexclusive of\b|\bexcl\b|\bexcept\b|\bexcepting\b"
    r"|\bwithout\b|\bother than\b|\b(?:out of|outside|beyond)(?: of)?(?: the| this| our)? scope\b"
    r"|\bapart from\b"
    r"|\b(?:do ?n['’]?t|do not|does ?n['’]?t|does not|wo ?n['’]?t|will not) (?:need|want|require|include|touch"
    r"|quote|bother|paint|replace"
    r"|price|do|remove)\b"
    r"|\bno need\b|\bnot (?:needed|required|in scope|part of)\b|\bleave\b(?! (?:a|you|your|us|me)\b)"
    r"|\bnothing (?:on|to|in)\b"
    r"|\b(?:under|on|in) (?:a |another )?separate (?:permit|contract|quote|invoice|order)\b|\bpermitted separately\b"
    r"|\bn\.?i\.?c\b|\bomit(?:ted)?\b|\bnot in (?:the |this |our )?(?:scope|contract)\b|\bby others\b"
    r"|\bnot the\b|\b(?:is|are) ?n['’]?t (?:needed|required"
    r"|included|part)\b"
    r"|\b(?:keep|keeping|keeps) (?:the|our|my|all|existing|old|those|these|both)\b"
    r"|\bskip (?:the\b(?! (?:old (?:one|ones|suite|units|kitchen|lot|stuff)|rubbish|waste|rubble|debris)\b)|it|that"
    r"|this|them|those|these)\b"
    r"|^\W*(?:the |any |our )?[a-z]\w* (?:[a-z]\w* )?(?<!\bor )(?<!\boh )(?<!permit )(?<!house )(?<!unit )no\W*$"
    r"|\bkeeps? (?:their|its|our|my|his|her)\b|\bre-?us(?:e|ing) (?:the|our|my|all|existing|old|your)\b"
    r"|\b(?:install(?:ed|ation)?|fitted|done|removed|hauled|painted|labou?r) by (?:our|my) (?:own )?(?:crew"
    r"|guys|men|lads|team|staff|people|plumber|electrician|roofer|painter|builder|carpenter|handyman|landscaper|tiler"
    r"|decorator|joiner|contractor|sparky)\b"
    r"|\b(?:it|they|that|those) can (?:just )?(?:sit|stay|rot)(?: there| where (?:it|they) (?:is|are|sits?))?\W*$"
    r"|\bkeep (?<!to keep )(?:it|them|that|those)\W*$|\bidc\b|\b(?:don['’]?t (?:really |much )?care"
    r"|not (?:too )?(?:worried|bothered|fussed)) about\b"
    r"|\bignore\b|\b(?:leave|leaving) (?:it|them|that|those|these)\b"
    r"|\b(?<!n['’]t )(?<!dont )(?<!not )forget (?:about )?the\b"
    r"|\b(?:our|my|your)sel(?:f|ves)\b(?! supplied)|\bdo our own\b|\bdo my own\b"
    r"|\b(?<!from the )(?<!from our )(?<!from my )"
    r"(?:owner|owners|homeowner|tenant|landlord|customer|client|others|someone else) (?:to|will) (?!pay|be\b|supply"
    r"|provide|furnish|buy|purchase|like|want|need|have|choose|confirm|take)[a-z]+\b"
    r"|\bby (?<!requested by )(?<!occupied by )(?<!owned by )(?<!left by )(?:(?<!ed by )|(?<=done by )"
    r"|(?<=completed by )|(?<=handled by )|(?<=supplied by )|(?<=taken by )|(?<=provided by )|(?<=covered by ))"
    r"(?!(?:an? )?(?:fully )?(?:licen[sc]ed|insured|qualified|certified|reputable) (?:(?:and|&) \w+ )?contractors?\b)"
    r"(?:the |a |an |my |our |their )?(?:[\w&'’-]+ ){0,3}(?:owners?|homeowner|landlord|tenants?|council|city"
    r"|clients?|customers?|others|insured|gc|builders?|subs?|contractors?|subcontractors?|vendors?|techs|manufacturer"
    r"|dealer"
    r"|son|daughter|husband|wife|brother|father|dad|mum|mom|friend|neighbou?rs?|association|hoa)\b"
    r"|\b(?:we|i)(?:['’]re| are|['’]m| am|['’]ll| will)(?: be)? (?:handling|doing|sorting|tackling|dealing|do|handle"
    r"|sort|tackle)"
    r"\b|\bdoes (?:that|those|them|it|this)\b"
    r"|\b(?:stay|stays|staying|remain|remains) (?:where|as|in place|put|with|the same|the way)\b|\bstays$"
    r"|\b(?:my|our) (?:own )?(?:brother|father|dad|son|husband|wife|friend|neighbou?r|uncle|mate|partner|electrician"
    r"|plumber"
    r"|painter|builder|decorator|contractor|roofer|landscaper|carpenter|handyman|tiler|joiner|guy)"
    r"(?:[- ]in[- ]law)?(?:['’]s)? (?:does|do|will do|is doing|doing|handles"
    r"|will (?:handle|fix|repair|replace|mend|clean|paint|sort)|is handling"
    r"|will take|takes care|can do)\b"
    r"|\b(?:stay|staying|stays|remain|remaining)\W*$|\bhaving (?:the |our )?(?:\w+ ){1,2}done (?:separately|by)\b"
    r"|\bcan (?:just )?(?:stay|wait|rot)\b|\bwaits (?:till|until)\b"
    r"|\bnot (?:now|yet|this (?:time|year|season|spring|summer|fall|autumn|winter|round)"
    r"|at this time|today)\b"
    r"|\b(?:done|do it|do that) later\b"
    r"|\bwe(?:['’]ll| will| can) live with\b|\bcomes? from (?:the|our|a) (?:dealer|shop|store|supplier|manufacturer)\b"
    r"|^\W*(?:and |but )?no (?!later\b|rush\b|more\b|longer\b|problem|issue|hurry|parking|access|power|heat|hot"
    r"|(?:cold |running )?water (?:pressure|in|at|from|to|since)\b)(?=[a-z])"
    r"|^\W*(?:but )?not (?=the |our |any |those\b|these\b|them\b|that\b|[a-z]+ing\b|replace(?:d|ment)|removal\b)"
    r"|\bretain (?:the|all|any|our|existing)\b|\bnot warranted\b|\bno damage\W*$|\bstrike (?:the|that|it)\b"
    r"|\b(?:going|goes) out (?:to|for) bids?\b|\bbid (?:out )?separately\b|\bnot wanted\b|\bdone by (?:us|me)\b"
    r"|\b(?:is|are) (?:my|our|the) (?:\w+ )?\w+['’]s (?:job|problem|headache|business|responsibility|lookout|worry)\b"
    r"|\b(?:is|are) the [\w-]+['’]s\W*$|\b(?:is|are) ?(?:n['’]?t|not) (?:for you|yours|your (?:job|concern"
    r"|problem|worry))"
    r"(?= to\b|\W*$)"
    r"|^\W*by (?:the |our |my )?(?:[\w&'’-]+ ){0,2}(?:plumber|electrician|ec|roofer|mason|painter|hvac|carpenter|tiler"
    r"|sparky|joiner|landscaper|designer|decorator|plasterer)s?\W*$"
    r"|\b(?:owner|client|customer|landlord|gc|builder)['’]s (?:own )?(?:guys?|crew|people|team|men|sub)\b"
    r"|\bnext[- ](?:season|year|spring|summer|fall|autumn|winter|phase)(?:['’]s)? (?:thing|job|project|problem)\b",
)
#: More ways to say that something is not to be done here: states in which it is left, who else does it, second
#: thoughts.
_LEFT_OUT = cues(
    r"\bby (?<!left by )(?:the )?(?:resident|occupier|occupant|householder)s?\W*$"
    r"|^\W*(?:the )?(?:old )?(?:demo|demolition|tear ?-?off|tear ?-?out|strip ?-?out) (?:is|was|has been)"
    r"(?: all| already)? (?:done|complete|completed|finished)\W*$"
    r"|\((?:completed?|done|excl(?:uded)?|tbd|fixed|sorted)\)|\bn/a\b|\bnone\W*$|\be\.?t\.?r\b(?!\w)|\bas is\W*$"
    r"|\b(?:ok|okay|fine|good) as (?:is|it is|they are)\b"
    r"|\bexisting\b.{0,30}\b(?:ok|okay|fine|retained|re-?used|to (?:remain|stay|be re-?used))\W*$"
    r"|^\W*minus (?!\d)|^\W*less (?:the|our|my|any)\b|\bwith the exception of\b"
    r"|\b(?:seller|buyer|hoa|city|council|county|gc|friend|neighbou?rs?|they|he|she|somebody|someone)(?:['’]ll| will"
    r"|['’]s going to| (?:is|are) going to) (?:handle|do|take care|sort|fix|replace|repair|deal)\b"
    r"|\b(?:seller|buyer|hoa|city|council|county|gc|landlord|friend|neighbou?rs?|they|he|she|(?:somebody|someone)"
    r"(?: else)?)"
    r"(?: is| are|['’]s|['’]re) (?:picking|collecting|taking|handling|doing|fixing|replacing|repairing|dealing)\b"
    r"|\b(?:somebody|someone)(?: else)? (?:is|are) (?:already )?coming (?:out |over )?(?:to|for|about)\b"
    r"|^\W*(?:by |with |for )?(?:another|a different|a separate) (?:contractor|company|trade|firm|crew|sub)\W*$"
    r"|\b(?:for|on) another (?:day|time|occasion)\b|\bnot (?:until|till)\b|\bnot in (?:the|our|this) budget\b"
    r"|\bout of (?:the |our )?budget\b|\b(?:can['’]?t|cannot|can not) (?:afford|justify|stretch to)\b"
    r"|^\W*(?:that['’]?s |in |for |is )?(?:a )?(?:phase|stage) (?:two|2|three|3|ii)\W*$"
    r"|^\W*(?:the )?(?:phase|stage) (?:two|2|three|3|ii) (?:will|would|is going to)\b"
    r"|\b(?:(?:being|to be|will be|getting) (?:all )?(?:\w+(?:ed|done)|set|put|cut|laid|hung|built|dug|run"
    r"|fit|swept|taken"
    r"|torn|ground)|gets? (?:all )?(?:re)?(?:done|set|put|laid|hung|built|dug|swept|poured|painted|fixed"
    r"|installed|cleaned"
    r"|tiled|plastered|serviced|handled|glazed|wired|plumbed)) (?:in |up |out |off |away )?by\b"
    r"(?! you\b| yoursel| (?:the )?(?:\d|end\b|first\b"
    r"|next\b|this\b|then\b|spring|summer|fall|autumn|winter|christmas|easter|thanksgiving|halloween|noon|tomorrow|tonight"
    r"|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec))"
    r"|\b(?:per|under|on|in) (?:an)?other (?:estimate|quote"
    r"|bid)\b"
    r"|\balready under contract\b|\btbd\b"
    r"|\bnot (?:in|for|on) (?:this|my|our|your) (?:phase|po|order|budget|list|price|quote|job)\b"
    r"|\bdecided (?:to keep|to leave|against|not to)\b|\bchanged (?:my|our) minds?\b|\b(?:no|oh) wait\b|\bnever ?mind\b"
    r"|\bscratch (?:that|the)\b|\bforget (?:it|that|about)\b|\b(?:we|i) (?:can|could) (?:just )?do (?:that|it|this"
    r"|them|those)\b"
    r"|\bon (?:our|my|their|his|her) own\b|\bi ?ll do (?:that|it|this|those)\b"
    r"|\b(?:got|has|have) (?:it |that |this )?(?:covered|handled)\b"
    r"|\b(?:has|have) (?:that|this|the) (?:\w+ ){1,3}covered\W*$|\bbeing handled\b"
    r"|\b(?:taking|takes|take)(?<!you take)(?<!please take)(?<!you to take)(?<!someone to take)(?<!somebody to take)"
    r" care of\b"
    r"|\bholding off\b|\bhold (?:off|the)\b|\bnot (?:interested in|buying|getting|doing|having)\b|\bran out of\b"
    r"|\b(?:buddy|mate|pal|friend|cousin|uncle|brother|neighbou?r) of (?:mine|ours)\b.*\b(?:is|are) \w+ing\b"
    r"|\b(?:company|guy|firm|crew|contractor|man|chap|fella) (?:comes|does|handles|services|looks after)\b"
    r"|\b(?:company|guys?|firm|crew|contractor|plumber|electrician|roofer|painter|landscaper|builder|sparky)s?"
    r" (?:has |have |had )?(?:already )?(?:quoted|priced|bid(?: on)?|got) (?:us |me )?(?:for )?(?:the|our|all)\b"
    r"|\b(?:we|i)(?:['’]re| are|['’]m| am) (?:giving|donating) (?:away )?(?:the|our|my|it|that|them)\b"
    r"|\b(?:maintenance|facilities)(?: \(us\))? (?:does|do|handles?|will do)\b"
    r"|\b(?:store|shop|supplier|dealer|retailer|manufacturer|utility|(?:power|gas|water|phone|cable) company|city"
    r"|council) (?:\w+s,? (?:and|&|then) )?"
    r"(?:installs?|hooks?|connects?|fits|sets|repairs|replaces|trims|does|did|handles|covers)\b"
    r"|\bpart of their (?:package|price|contract|quote|job|scope|work)\b|\bincluded in (?:theirs|their \w+)\b"
    r"|\b(?:freed|sorted|cleared|fixed|righted|mended) itself\b|\bwas going to (?:have|ask|get) (?:you|u|ye)\b"
    r"|\b(?:i|we)(?:['’]m| am|['’]re| are) (?!looking|hoping|wanting|needing|thinking|getting|having|trying|after)"
    r"\w+ing\b(?!.*\b(?:can['’]?t|cannot|not|unable|couldn['’]?t)\b).{0,80}\b(?:my|our)sel(?:f|ves)\b"
    r"|^\W*(?:(?:got|was|is|already) (?:already )?)(?:fixed|sorted|handled|resolved|repaired|waived|taken care of)\W*$"
    r"|^\W*(?:got |was |is )?(?:already )?(?:fixed|sorted|handled|resolved|repaired|waived|taken care of)"
    r" (?:(?:the )?(?:same|next|that) day|already|now|yesterday|last \w+|in \w+|on \w+day)\W*$"
    r"|^\W*(?:they|he|she|sellers?|buyers?|landlord) (?:has |have )?(?:waived|declined|passed)(?: (?:it|that))?\W*$"
    r"|^\W*(?:i|we|he|she|they) (?:already )?(?:did|fixed|sorted|handled) (?:it|that|this|them)"
    r"(?: already| myself| ourselves)?\W*$"
    r"|\b(?:coming|covered|replacing|fixing|sending|repairing|swapping|honou?ring)\b.{0,30}"
    r"\bunder (?:the |their |our )?warranty\b"
    r"|(?:\b(?:is|are|falls?|still)|['’]s) under (?:the |an? )?(?:[\w'’-]+ ){0,2}warranty\b"
    r"|\bunder (?:the|our|their|my) (?:rental|lease|service|maintenance) (?:plan|contract|agreement)\b"
    r"|\bdisregard (?:the|that|this|it)\b|\bno longer (?:needed|required|wanted|necessary)\b"
    rf"|^\W*(?:(?:is|now|been|was) )?{CALLED_OFF}\W*$"
    r"|\bnot for now\b|^\W*no\W*$|^\W*done by (?:others|owner|tenant)\W*$"
    rf"|^\W*{FINISHED}\W*$"
    r"|\boff limits\b|\bdown the (?:road|line)\b|\bin (?:good|great|fine|decent) (?:shape|condition|nick|order)\W*$"
    r"|\b(?:do|does|did)(?: ?n['’]?t| not) worry\b|\bnot part of\b",
)
_SUPPLY = cues(
    r"^\W*(?=(?:the |all |our |new |a )?(?:[\w-]{1,20} ){1,3}(?:already )?(?:provided|supplied|on hand|on order)\W*$)"
    r"(?!.{0,60}\b(?:to|will|be|not|quotes?|estimates?|prices?|pricing|drawings?|plans?|access|parking|photos?"
    r"|scaffold(?:ing)?|details|specs?|information|info|power|water|electric(?:ity)?|you|if|\d+|one|two|three|four"
    r"|five|six)\b)"
    r"|\bno need (?:for you )?to (?:supply|provide|bring|buy|order|source|furnish|include) (?:the|any|a|an|new)\b"
    r"|\b(?:do ?n['’]?t|do not|wo ?n['’]?t|will not|need ?n['’]?t|need not) (?:need |have )?(?:to )?"
    r"(?:supply|provide|bring|buy|order|source|furnish) (?:the|any|a|an|new)\b"
    r"|\b(?:we|i) already own (?!(?:\w+ ){0,3}(?:house|home|place|flat|condo|property|building|land)\b)"
    r"|\b(?:we|i)(?:['’]ll| will) have (?:the|all the|our) (?:[\w-]+ ){1,4}(?:on site|here|ready|delivered|by then)\b"
    r"|\b(?:will be|are being|is being|should be) (?:delivered|shipped|dropped off)\b(?! by (?:you|your)\b)"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already| just| also)* (?:bought|ordered|purchased) "
    r"(?!.{0,60}\b(?:house|home|place|flat|condo|property|bungalow|semi|terrace|apartment|building|land|farm|business"
    r"|survey|inspection|report|from you)\b)(?:the|our|my|all the|both) (?:[\w-]+ ){0,3}[\w-]+\W*$"
    r"|\b(?:she|he) has (?:all the|both the|the) (?!keys?\b|codes?\b|final\b|right\b|old\b|same\b|permits?\b)"
    r"(?:[\w-]+ ){0,2}(?!covered|handled|sorted|done|time|money|plans?)[\w-]+\W*$"
    r"|\bnot including (?:the )?(?:[\w-]{1,20} ){1,3}(?:itself|themselves)\b"
    r"|\bsupply of (?:the )?(?:[\w-]{1,20} ){1,3}by (?:others|owners?|client|customer|us|gc|landlord|tenant)\b"
    r"|\byou(?:['’]d|['’]ll)? (?:just|only) (?:need|have) to (?:install|fit|lay|hang|mount|connect|assemble|put up"
    r"|put in) (?:it|them|these|those|this|one)\b"
    r"|\b(?:only|just) the (?:fitting|installation|install|labou?r)\b|\bwe (?:stock|keep) (?:it|them|those|these"
    r"|the \w+)\b"
    r"|\b(?:just|only) need (?:it|them|that|those|someone to|somebody to) (?:spread|laid|fitted|installed|hung"
    r"|assembled|put (?:in|up|together)|hooked up|connected|mounted|fit|install|lay|hang|spread|assemble)\b"
    r"|\bdelivered (?:\w+ ){0,2}by (?:the|our|a) (?:nursery|store|supplier|yard|manufacturer|dealer|merchants?|shop"
    r"|factory|quarry|builder|gc|landlord)\b"
    r"|\b(?:we|i)(?:['’]ve| have)? (?:have|got) (?:\d+|some|plenty|enough|a few|two|three|four|five|six) (?:\w+ )?"
    r"(?:gallons?|tins?|boxes|bags?|buckets?|lit(?:re|er)s?|cans?|tubs?|rolls?|packs?|pallets?|sheets?|bundles?) of\b"
    r"|^\W*(?:the )?(?:\w+ (?:and|&) )?(?:tiles?|grout|paint|flooring|carpet|fixtures?|slabs?|turf|sod|mulch|timber"
    r"|lumber|hardware|wallpaper|laminate|plank|materials?) (?:already )?(?:purchased|bought|on hand)\W*$"
    r"|\b(?:my|our) (?:[\w'’-]+ ){1,3}(?:builds?|built|makes?|made|is (?:building|making)) (?:it|them|these|those)\W*$"
    r"|^\W*(?:(?:the|all|our|new) ){0,2}(?:[\w-]+ )?(?:paint|stain|tiles?|grout|thinset|adhesive|lumber"
    r"|timber|pavers|mulch|turf|sod|laminate|planks|wallpaper|underlay(?:ment)?|veluxes|roof windows|skylights|hardware"
    r"|knobs|handles|bricks)(?: (?:and|&) (?:(?:the|its|their) )?(?:[\w-]+ )?[\w-]+)? (?:is|are|['’]s)"
    r"(?: all| already| both| sitting| stacked| stored)* (?:in|on|at|under|by) (?:the|our|my)"
    r" (?:[\w-]+ )?(?:garage|shed|closet|cupboard|basement|landing|carport|barn|stairs|hall(?:way)?|attic|loft"
    r"|spare (?:bed)?room|dining room"
    r"|store ?room|store|van|truck|porch|utility room"
    r"|laundry(?: room)?)\b"
    r"|\b(?:customer|client|owner|our|own|tenant|facility)[ -]stock\b(?! list)"
    r"|\b(?:owner|client|customer|landlord|tenant|gc) has (?:[\w-]+ ){1,4}(?:on site|on hand|in stock|in hand)\b"
    r"|\b(?:boards?|panels?|tiles?|planks?|rolls?|timber|lumber|slabs?|bricks?|turf) (?:is|are) (?:up "
    r"|over |out )?there already\b"
    r"|\bpile['’]?s on site\b|\b(?:is|are) (?:piled|stacked|heaped)(?: up)? (?:by|in|on|at|behind|beside"
    r"|next to|outside)\b"
    r"|\b(?:customer|client|owner|tenant|landlord|gc|ho) has (?:[\w-]+ )?(?:doors?|materials?|fixtures?"
    r"|tiles?|flooring|lvp"
    r"|windows?|faucets?|toilets?|lights?|fans?|appliances?|carpet|cabinets?|vanity|hardware|parts)\W*$"
    r"|^\W*(?:the |all |our |new )?[a-z]+(?: is| are)? (?:already )?(?:onsite|on-site)\W*$"
    r"|\b(?:customer|client|owner|tenant|landlord|gc) has (?:the|a new|all the|both) (?!keys?\b|permits?\b|plans?\b"
    r"|drawings?\b|codes?\b|dogs?\b|access\b|reports?\b|final\b|right\b|option\b|old\b)[\w -]+\W*$"
    r"|\b(?:still|is|are) (?:still |is |are )*in (?:its|their) (?:[\w'’-]+ )?(?:box|boxes|cartons?|crates?|packag\w+"
    r"|wrapp\w+)\b|^\W*(?:and )?never (?:been )?(?:opened|unboxed|used)\W*$"
    r"|\b(?<!thats )(?<!that['’]s )(?<!that is )(?<!which is )still (?:boxed|wrapped|unwrapped|unopened"
    r"|in (?:the|a) (?:[\w'’-]+ )?(?:box|boxes|cartons?|crates?|packag\w+|wrapp\w+))\b"
    r"|\bnew (?:[\w-]+ ){1,3}(?:(?:that|which)(?: ?['’]?s| is)|thats) (?:still )?in the (?:box|carton|crate)\b"
    r"|\bi have (?:an?|the) (?:[\w-]+ ){1,4}in the box\b"
    r"|\bi bought \d+\W*$|\bi (?:grabbed|picked up) the (?:new|replacement) ones?\b"
    r"|\busing (?:our|my|the (?:client|owner|customer|landlord)['’]s) (?:\w+ ){0,2}(?:paint|tiles?|materials?)\b"
    r"|^\W*(?:the )?new ones? (?:(?:is|are|also|already|all) )*(?:here|on site|delivered|boxed|bought"
    r"|in (?:(?:the|its|a|our|my) )?(?:box|garage|shed|basement|closet|carton))\b"
    r"|\b(?:tenant|owner|customer|client|landlord|she|he|we|i) (?:has|have|got) (?:an? |the )?new ones?\b"
    r"|^\W*(?:already )?have (?:the|it|them|both|these|those)(?: new)?(?! (?:\w+ )?(?:letter|report|permit|plans?"
    r"|keys?|results?|quote|photos?|certificate|done|house)\b)(?: [\w-]+){0,2}\W*$"
    r"|^\W*(?:the )?[a-z]+s (?:are )?(?:here|on hand)\W*$"
    r"|^\W*(?:and )?(?:well|ill) (?:buy|supply|provide|get|order|pick up) (?:the|our|my)\b"
    r"|\b(?:we|i|customer|client|owner|owners|homeowner|landlord|tenant|us)(?:['’]ll| will| to| can| would| shall"
    r"| am| are| is|['’]m|['’]re)?"
    r"(?: be)? (?:happy to )?(?:supply|supplies|supplying|provide|provides|providing|furnish|furnishing|buys?"
    r"|buying|purchases?)\b"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already| all)? (?:have|got|bought|purchased|ordered)(?: already| all"
    r"| got)*(?: the| our| my| all"
    r"| them| it)?(?: (?:new|own))? *(?:the )?(?:\w{1,20} ){0,2}(?:paint|panels?|tile|tiles|material|materials|flooring"
    r"|fixtures?|fittings?|boards?|wallpaper|tap"
    r"|faucet|lights?|bricks?|laminate|carpet|vanity|toilet|unit|units|turf|slabs|doors?|sink|fan|fans)\b"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already)? (?:bought|got|purchased|ordered|have) (?:them|it|these|those|one"
    r"|everything"
    r"|all (?:of )?(?:it|them)|(?:one|it|them) (?:in|here|ready|already))\b"
    r"|\b(?:paper|paint|tiles?|boards?|units?|doors?|windows?|materials?|fixtures?|fittings?|flooring|taps?|faucets?"
    r"|lights?"
    r"|fans?|blinds?|slabs?|turf|bricks?|parts|everything) supplied\b(?! and (?:fit|install))"
    r"|\b(?:paper|paint|tiles?|boards?|units?|doors?|windows?|materials?|fixtures?|fittings?|flooring|taps?|faucets?"
    r"|lights?|fans?|blinds?|slabs?|turf|bricks?|parts) (?:already bought|bought already)\b"
    r"|\bi already (?:got|have|bought) (?:it|them|those)\b"
    r"|\b(?:owner|customer|client|homeowner)[ -](?:supplied|furnished|provided)\b|\bfurnished by (?:us|owner"
    r"|customer|client"
    r"|others)\b"
    r"|\b(?:we|i)(?:['’]ve| have)?(?: already)? (?:bought|purchased|ordered)\W*$|^\W*supplied\W*$"
    r"|\b(?:we|i)(?:['’]ve)? (?:have|got) (?:a|an|our own|my own)\b.{0,30}\b(?:one|to (?:put|go) (?:in|on)"
    r"|ready to fit)\b"
    r"|\b(?:already|all|both) (?:in (?:my|our|the) (?:garage|shed|house|basement|loft)|on site|to hand|here)\b"
    r"|\b(?<!\byou )(?<!\bwe )(?:is|are) (?:\w+ )?(?:here|on site|to hand|still boxed)\b(?! (?:to|for|at|on|from)\b)"
    r"|\b(?:we|i)(?:['’]ll| will| can)? (?:pick|collect) (?:\w+ ){0,4}(?:up|myself|ourselves)\b"
    r"|\b(?:we|i)(?:['’]ve)? (?:have|got) (?:all )?(?:the|our) (?:[\w()-]+ ){1,5}(?:sitting|waiting|stored"
    r"|stacked|boxed"
    r"|ready to (?:go|fit|install))\b"
    r"|\b(?:we|i)(?:['’]ve)? (?:have|got) the (?:\w+ )?\w+\W*$"
    r"|\balready (?:have|bought|got|purchased)\b|\blabou?r[ -]only\b|\bsuppl(?:y|ied|ying) (?:by|from) (?:us|me"
    r"|the |our |customer|client"
    r"|owner)|\b(?:customer|owner|client)[- ]suppl(?:y|ied)\b|\bprovided by (?:us|me|the |customer|client|owner)"
    r"|\bown (?:paint|materials|tiles|fixtures)\b|\bmaterials? (?:(?:are|is|will be) )?(?:supplied|provided"
    r"|on site|by (?:us|owner|others))"
    r"|\b(?:doors?|tiles?|paint|units?|boards?|flooring|fixtures?|windows?|fittings?|slabs?|panels?|bricks?|timber"
    r"|blocks?) (?:are "
    r"|is )?(?:already )?(?:on site|to hand)\b"
    r"|\b(?:paint|tiles?|materials?|flooring|carpet|lumber|turf|sod|mulch) (?:is |are |was |being |all )?"
    r"(?:donated|gifted|given|provided) (?:by|from)\b"
    r"|\b(?:stock|plants?|trees|shrubs|topsoil|mulch|gravel|stone|brick|pavers|lumber) by"
    r" (?:owner|client|customer|landlord|gc|others|us)\b"
    r"|\blabou?r (?:and|&|\+) (?:sundries|consumables|fixings) only\b"
    r"|\bjust (?:the )?labou?r\b|\blabou?r cost only\b"
    rf"|\b{ONLY_FITTED}(?=\W*$|\s*[^\w\s])"
    r"|\b(?:i|we)['’]?ve got \d+ (?:tubs?|tins?|cans?|gallons?|bags?|rolls?|boxes|packs?|lit(?:re|er)s?) of\b"
    r"|\bneed (?:only |just )?the labou?r\b|\bwas a (?:gift|present) from\b"
    r"|\byou['’]d (?:just|only) be (?:spreading|fitting|laying|hanging|installing|putting)\b"
    r"|\b(?:i|we)(?:['’]ve got| have) the new [\w-]+(?: [\w-]+)? (?:leaning|lying|standing|stood|sitting|stacked"
    r"|waiting|parked|stored)\b"
    r"|\b(?:is|are) (?:mine|ours)\b|\b(?:bought|purchased|ordered) by (?:us|me|the )\b"
    r"|\bon pallets?\b|\b(?:in|at) (?:my|our|the) (?:front |back )?(?:garden|garage|drive|driveway|shed|basement)"
    r" already\b"
    r"|\b(?:material|materials|fixtures?|appliances|equipment) by (?:the )?(?:builder|gc|others|client|customer)\b"
    r"|\b(?<=\w )(?:i|we)(?:['’]ve)? (?:already )?(?:have|got|bought)\W*$"
    r"|\balready (?:\w+ )?(?:purchased|bought|delivered|in stock)\b|\b(?:here|delivered|on site|in stock"
    r"|boxed) already\b"
    r"|\balready (?:here|there) in\b|\bin stock at\b|\b(?:are|is|all|been) (?:bought|paid for|purchased)\b"
    r"|\b(?:i|we)(?:['’]ve)? already (?:got|have|bought) (?:them|it|those|one)\b"
    r"|\b(?:client|owner|customer|gc|landlord|tenant|builder|mgmt|management|vendor|school|church|hoa)"
    r"[ -](?:furnishes|is furnishing|to furnish|furn(?:ished|\.|\b)|supplied|provided|supplies|provides)"
    r"|\bfurnished by\b"
    r"|\b(?:comes?|coming|bought|ordered) from (?:my|our)\b"
    r"|\b(?:coming|bought|ordered|purchased|got(?! your)|picked(?: \w+)? up) (?:[\w-]+ ){0,8}?(?:from|at|off|on)"
    r" (?:ikea|(?:the )?home depot|lowe['’]?s|menards|costco|wayfair|amazon|wickes|howdens|b&q|b and q|screwfix|currys"
    r"|argos|john lewis|best buy|ebay|facebook|marketplace|walmart|toolstation|bunnings|topps tiles"
    r"|floor (?:&|and) decor)\b|\b(?:bought|ordered) (?:\w+ ){0,5}online\b"
    r"|(?:^\W*|\b(?:we|i)(?:['’]ve| have)? )(?:just |already |also )*(?:bought|ordered|purchased) "
    r"(?!(?:\w+ )?(?:[\w-]+ ){0,2}(?:house|home|place|flat|condo|property|bungalow|semi|terrace|apartment|building)\b)"
    r"(?:[\w'’.-]+ ){0,6}?(?:tiles?|toilet|tap|faucet|vanity|sink|lights?|fans?|doors?|flooring|laminate|carpet|paint"
    r"|blinds|tv|washer|washing machine|dryer|dishwasher|fridge|freezer|oven|cooker|hob|radiators?|shower|bath|tub"
    r"|cabinets|worktops?)\b"
    r"|\b(?:being|gets?|getting) (?:delivered|dropped off|shipped)\b|\b(?:deliver(?:s|ing)|bringing) (?:it|them)\b"
    r"|\b(?:they|he|she)(?:['’]ll| will) (?:supply|provide|deliver|bring|send) (?:it|them|those|these)\b"
    r"|\b(?:it|they)(?:['’]s|['’]re| is| are|['’]ll| will)? (?:arriv|com)(?:e|es|ing) (?:on )?(?:(?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day|tomorrow|today|next|this)\b"
    r"|\b(?:fixtures?|fittings?|lights?|hardware|appliances?|parts?|fans?|taps?|faucets?|paint|tiles?) by"
    r" (?:the )?(?:designer|owner|client|tenant|landlord|us|customer|gc|builder|others)\b"
    r"|\b(?:i|we)(?:['’]ve)? (?:bought|purchased|ordered|have|got) (?:an?|the) (?:[\w-]+ ){0,3}(?:one|replacement)\b"
    r"|\b(?:itself|it|unit|kit) comes with the\b|\bi (?:bought|have|got) the (?:lights?|fixtures?|fans?|tiles?|doors?"
    r"|paint)\b"
    r"|\b(?:we|i) have the \w+ (?:as well|too|already)\b|\bbuying the \w+ (?:myself|ourselves)\b"
    r"|\bof[co]i\b|\bfree[- ]issued?\b|\b(?:is|are) on (?:me|us)\W*$"
    r"|\b(?:grabbed|found|scored|snagged|sourced|picked up|got) (?:[\w-]+ ){0,6}(?:at|on|off|from) (?:menards"
    r"|lowe['’]?s"
    r"|(?:the )?(?:habitat|restore|home depot)|costco|marketplace|facebook|craigslist|gumtree|kijiji|ebay|amazon|ikea"
    r"|freecycle|a (?:salvage|reclamation) yard|auction)\b"
    r"|\bship(?:s|ped|ping)? to (?:the|our|my) (?:house|home|site|job|office|building|store|unit)\b"
    r"|\b(?:is|are) (?:all )?(?:stacked|stored) (?:in|on|out|at|under|by|behind|up)\b"
    r"|\b(?:all|every bit|most) (?:of )?(?:the |our )?materials? (?:is|are)\b(?! (?:included|needed|yours|to))"
    r"|\b(?:enough|plenty of|some) (?:\w+ ){1,4}(?:left ?over\b|over from\b|left from\b)|\bleft ?over from\b"
    r"|\b(?:sent|shipped|mailed|gave) (?:me|us) (?:an?|the|some|\d+|two|three|four) (?!quote|price|list|letter"
    r"|email|bill)"
    r"|\b(?:insurance|insurer|ins\.? co\.?|builder|landlord|manufacturer|mfr|corporate|head office|strata|hoa|board"
    r"|designer) (?:(?:is|are) (?:providing|supplying|sending|shipping)|provides?|supplies|sends?(?: over)?|ships)\b"
    r"|\b(?:ships|sends|gives|giving|provides|providing) us (?:an?|the|some|\d+|two|three|four)\b"
    r"|\b(?:is|are) (?:all )?(?:in|on|at) (?:my|our) (?:truck|van|warehouse|trailer|car|stock)\b"
    r"|\b(?:we|i)(?:['’]ve| have)? (?:bought|purchased|ordered) (?:it |them |all )?(?:our|my)sel(?:f|ves)\b"
    r"|\b(?:we|i)(?:['’]ve)? (?:already )?(?:have|got|bought) (?:them |it )?(?:both|all)\W*$"
    r"|\bcome on our (?:own )?(?:truck|van)\b|^\W*(?:all )?(?:ours|mine)\W*$"
    r"|^\W*(?:by )?(?:owner|client|customer|gc)\W*$"
    r"|\b(?:paint|tiles?|(?:top)?soil|mulch|gravel|stone|sod|turf|pavers|slabs|lumber|timber|boards?|planks?|flooring"
    r"|shingles|bricks|blocks|sand)(?:['’]s| is| are) (?:all |already )*(?:in|on|at) (?:the|our|my) (?:driveway|drive"
    r"|garage|basement|shed|porch|patio|barn|hall(?:way)?|attic|closet|site|loft|curb|yard)\b"
    r"|^\W*(?:already )?(?:have|got) (?:it|them|one|those|these|both)\W*$"
    r"|\b(?:with|w/) (?:the|an?|some|those|these|our|my) (?:[\w'’-]+ ){1,4}?(?:that )?(?:we|i)(?:['’]ve| have)? "
    r"(?:just |already )?(?:(?:bought|purchased|picked up|ordered|scored)\b|got (?:on sale|from|at|off|for|online)\b)"
    r"|\b(?:i|we)(?:['’]m| am|['’]re| are) (?:having|getting) (?:[\w'’.-]+ ){1,6}(?:delivered|dropped off|shipped)\b",
)
_WHAT_IT_COSTS = (
    r"(?:\bwhat would\b.{0,80}\b(?:cost|run|be|come to|set me back)\b"
    r"|\bhow much (?:extra|more|additional) (?:to|would|for|is|if)\b)"
)
#: "What would it cost to remodel our bathroom?", "how much extra to …?", from its beginning.
WHAT_IT_COSTS = re.compile(rf"\W*{_WHAT_IT_COSTS}", re.IGNORECASE | re.DOTALL)
#: "If that's too much, what about a plug for a generator?", "… or if it isn't worth it tear it off", "if it fails".
_IF_IT_FAILS = (
    r"\bif (?:it|that|this|they|those|the (?:[\w-]+ ){1,3}?)"
    r"(?: ?['’]?s| ?['’]re| is| are| (?:turns?|comes?|works?) out)? ?(?:to be )?(?:(?:way|far|much|just|a bit|bit) )?"
    r"(?:too (?:much(?! (?:trouble|bother|hassle|to ask)\b)|dear|expensive|pricey|steep|costly|far gone|bad)"
    r"|(?:not|ai ?n['’]?t|is ?n['’]?t|are ?n['’]?t) (?:really )?worth(?: it| doing| fixing| saving| repairing)?"
    r"|fails|can ?not be (?:fixed|saved|repaired|mended|done)|can ?['’]?t be (?:fixed|saved|repaired|mended|done)"
    r"|can ?n['’]?t be (?:fixed|saved|repaired|mended|done))\b"
)
#: The same where nothing else is said: what stands behind it is the option.
BARE_CONDITION = re.compile(rf"\W*(?:and |but |or )?{_IF_IT_FAILS}(?: then)?\W*", re.IGNORECASE)
#: "Give me a number for a new liner too but don't do it yet", "… but only if it's cheap": of what stands before.
NOT_YET = re.compile(
    r"\W*(?:but |and )?(?:do ?n['’]?t|do not) (?:\w+ )?(?:do|start|book|order|go ahead with)"
    r" (?:it|that|this|them|those) (?:just )?(?:yet|now|for now)\W*$",
    re.IGNORECASE,
)
IF_CHEAP = re.compile(r"\W*(?:but |and )?(?:only )?if (?:it|that)(?: is|['’]s) (?:cheap|affordable)\b", re.IGNORECASE)
_OPTION = cues(
    r"\boptional(?:ly)?\b|\bas (?:an? |separate |possible |priced |extra )*options?\b"
    r"|\boption(?:al)? (?:extra|of|for|to)\b|\balternative(?:ly)?\b(?! code)"
    r"|\bseparate(?:ly)? (?:price|quote|line)\b|\bprice (?:this |it |that )?(?:up )?separately\b|\bquote (?:this "
    r"|it )?separately\b|\b(?:list|show|price|quote) (?:it|that|this|them) (?:apart|on its own)\b"
    r"|\bif (?:it|that)(?: is|['’]s) (?:cheap|affordable)\b"
    r"|\bif (?:(?:it|that)(?:['’]s| is) )?cheaper\b"
    r"|\bif (?:the )?(?:budget|money|affordable|price|it's not too)\b|^\W*(?:and |also )?if possible\b"
    r"|\bas (?:an? (?:extra|add[- ]?on|alternate|optional|upgrade|add)|extra)\b"
    r"|\b(?:price|quote) (?!.{0,40}\b(?:each|every|both|two|three|all|labou?r|materials?|parts"
    r"|supply|install\w*|fitting)\b)(?:[\w'-]+ ){1,4}separately\b"
    r"|\bif (?:it|they|that) (?:needs?|ha(?:s|ve)|must|should) (?:to be |be )?(?:replac(?:ed|ing|ement)|redone|a new)\b"
    r"|\bas (?:separate |priced )?(?:extras|add[- ]?ons|alternates|alternatives|upgrades)\b"
    r"|^\W*(?:options|extras?|add[- ]?ons?|upgrades)\W*$|\badd[- ]alternate\b|\bnice to have\b"
    r"|^\W*(?:we|i) (?:might|may)\W*$"
    r"|[(\[–-] ?(?:alternate|alt|option|add[- ]?on|extra)\W*$"
    rf"|{_WHAT_IT_COSTS}|\btell me what\b|\bwhat (?:it|that) would cost\b"
    r"|\bwhile you(?:['’]re| are) at it\W*(?:maybe|if)\b|\bif (?:it|the|that|they)(?:['’]?s|['’]?re| is"
    r"| are)\b[^,]{0,40}(?:bad|shot"
    r"|past|toast|dead|gone"
    r"|beyond|knackered|needed)\b"
    r"|\b(?:maybe|possibly|perhaps)\b(?! (?:about |around |some )?(?:\d|a dozen|two|three|four|five|six))"
    r"|^\W*(?:add |bid )?alt(?:ernate|ernative)?s?\b(?! code)|\bmight also\b"
    r"|\bif (?:we|i) (?:went|go|opted) (?:for|with)\b"
    r"|\bif (?:we|i) (?:went|go|opted|chose|did|had|used) (?:[\w-]+ ){1,5}instead\b"
    rf"|{_IF_IT_FAILS}"
    r"|\bplan b\b"
    r"|\bwhat (?:[\w-]+ ){1,3}would (?:be|cost|run) (?:for the same|instead)\b"
    r"|\bseparate price for\b|^\W*option\b|\bor instead\b"
    r"|\b(?:price|quote) (?:this|it|that|them|those) (?:up )?separate\b|\b(?:i|we)(?:['’]ll| will) (?:then )?decide\W*$"
    r"|^\W*(?:would|will|is) it (?:be )?(?:cheaper|better|worth)\b"
    r"|^\W*(?:also |and )?(?:please )?(?:a |an )?(?:price|quote|cost|estimate)d? (?:for|to|on)\b.{1,60}\binstead\b",
)
_PAST = cues(
    r"\b(?:(?:talked|thought|wondered) about|did wonder|figured on|toyed with|discussed|considered|was|were"
    r"|had been|has been|have been|bought|moved"
    r"|years? ago|years? old|ago|used to|recently|took|"
    r"last (?:year|month|week|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)|in (?:19[5-9]|20[0-4])\d|from (?:the (?:19)?[4-9]0s|(?:19|20)\d\d)"
    r"|got the keys|"
    r"had (?:the |a |our |my )?(?:\w+ ){1,4}(?:done|replaced|fitted|installed|painted|built|put (?:in|on|up|down)"
    r"|laid|redone"
    r"|serviced|cleaned|removed|changed|checked|repaired|fixed|upgraded|pumped|tested)|"
    r"had (?:the |a |our |my )?(?:\w+ ){1,4}\w+ed (?:\w+ ){0,3}(?:ago|back|last \w+|in (?:19|20)\d\d|recently)|"
    r"had (?:an?|the|my|our|some) (?:\w+ ){1,2}(?:do|fix|replace|install|put|come|redo|repair|look)\b|yrs? ago|"
    r"you (?:all |guys |lot )?(?:quoted|charged)|(?:brand )?new (?:in )?(?:19|20)\d\d|"
    r"you (?:guys |lot )?(?:installed|fitted|did|replaced|built|painted|fixed|put)|works? (?:great|fine|well"
    r"|perfectly)|"
    r"got my (?:last )?(?:e-?mail|message)|previous(?:ly)?|already (?:been )?(?:done|fixed|replaced|installed)"
    r"|already)\b",
)
_STATE = re.compile(
    r"^\W*(?:(?:we|i|it|they|there|this|that|our|my|the|it['’]s|we['’]re|i['’]m|i am|house|property|access|parking)\b)"
)
_STATIVE = cues(
    r"\b(?:is|are|have|has|['’]ve got|live|lives|own|owns|located|situated|it['’]s|we['’]re|there['’]s|runs?"
    r"|seems?|looks?)\b",
)
#: What may turn out to be needed is shown and not charged.
_IF_NEEDED = re.compile(
    r"(?<!\bwe )(?<!\bi )\b(?:may|might) (?:also |well |yet )?(?:need|want|require|have to)\b"
    r"|\b(?:only )?if (?:(?:it|they|that|those|the (?:[a-z]+ ){1,3})(?:['’]s|['’]re| ?is| ?are)? ?)?(?:all )?"
    r"(?:rotten|rotted|necessary|needed|required|damaged|bad|wet|soft|mouldy|moldy|rusted)\b"
    r"|^\W*(?:and |but |also )?(?:if|should|in case) (?:there(?:['’]s| is| are)|it turns out|any of|any|one of|"
    r"you (?:find|hit|see|come across|run into|discover|spot)|(?:the|an?|that|those"
    r"|these) (?:[\w'’-]+ ){1,4}(?:is|are|be"
    r"|looks?|proves?|turns? out|comes? (?:up|out)))\b.{0,60}\b(?:rot|rotten|rotted|bad|shot|split|cracked"
    r"|broken|damaged?"
    r"|gone|mou?ld|leak(?:s|ing)?|soft|wet|missing|asbestos|rust(?:ed|y)?|worn|knackered|live ones|beyond)\b"
)
#: Asks for word, takes work back, asks about the company or tells of oneself: no work.
_TALK = cues(
    r"^\W*(?:please )?(?:let (?:me|us) know|get back to (?:me|us)|call me|email me|text me)\b"
    r"|\b(?:please|to|must|need to|have to|want to|we|i) (?:cancel|postpone|call off)\b|^\W*cancel\b"
    r"|^\W*(?:and |also |or |but )?(?:what time|when (?:will|are|can|do|is)|who (?:will|is)|are you (?!able"
    r"|available|free|happy|willing)"
    r"|(?:would|will|do) you (?:need|require|accept)\b|not sure (?:if|whether)\b|do you (?:\w+ )?(?:come|cover"
    r"|serve|offer|have|take|accept|work|know|travel|charge|hire|give|deal)\b|is your\b)"
    r"|^\W*(?:please )?(?:make sure (?:to |you )?)?(?:shut|close|lock|keep) (?:the|our|my) (?:\w+ ){0,2}"
    r"(?:gate|door)s?\b"
    r"|^\W*(?:approved|yes|confirmed|agreed)\W*$"
    r"|^\W*(?:so |and )?what(?:['’]?s| is| would be) (?:the|your|a) (?:price |rough |usual |typical )?range\W*$"
    r"|^\W*automatic reply\b|\bout of (?:the )?office\b|^\W*for (?:urgent|emergency) \w+ (?:please )?(?:ring"
    r"|call|contact|email)"
    r"|\b(?:thank you|thanks to|to thank|(?:great|good|fantastic|lovely|excellent|amazing|brilliant) (?:job|work) on)\b"
    r"|\b(?:another|other|last|previous) (?:contractor|plumber|builder|electrician|company|painter|roofer|firm)\b"
    r"|\b(?:says?|said|lists?|shows?|states?|reads?|found|has|wants?) (?:the following|as follows)\W*$"
    r"|\b(?:nothing|none of (?:it|them)|no longer|not) (?:is |are )?(?:now )?(?:leaking|dripping|blocked|broken"
    r"|loose)\b|\b(?:is|are)n['’]?t (?:leaking|dripping|blocked|broken|loose)(?: any ?more)?\b"
    r"|\bprice (?:it|them|this|all|everything)\b.{0,20}\b(?:one (?:number|figure|price|quote|sum)|together|as a lump)\b"
    r"|^\W*(?:i am |i['’]m )?(?:an? |the )?(?:new )?(?:landlord|owner|tenant|manager|caretaker|trustee|agent)s?"
    r" (?:of|for|at)\b"
    r"(?!.*\b(?:needs?|wants?|requires?|wish|like|looking|hoping|requests?)\b)"
    r"|\b(?:looking for (?:a )?(?:job|work|employment)|are hiring|years[’']? (?:of )?experience)\b",
)
#: What a building is in the words of its code: "CONSTRUCTION TYPE III-A".
_CODE_CLASS = cues(
    r"\b(?:construction|occupancy|use) (?:class|classification|type|group)\b|^\W*(?:pursuant|subject|according) to\b"
    r"|^\W*(?:with )?(?:an? )?(?:cut-?outs?|openings?|holes?|space|room) for\b"
    r"|\b(?:is |are )?ready (?:as|in|to go|for collection|for (?:the )?(?:paint|decorat|tile|floor|carpet)\w*)\b"
    r"|^\W*original (?:permit|scope|application|plans?|work)\b"
)
#: "Gravel now": what is there, and what the work takes the place of.
_NOW = re.compile(
    r"^\W*(?:[a-z'’-]+ ){1,4}(?:right now|now|currently|at the (?:moment|minute)|at present|presently|today)\W*$"
)
#: The same in so few words that no work is told in them, whatever was learned of them; "currently berber", "now sheet
#: vinyl glued on plywood".
IS_NOW = re.compile(
    r"^\W*(?!\w+ing\b)(?:[a-z'’-]+ ){1,2}(?:now|currently|at the (?:moment|minute)|at present)\W*$"
    r"|^\W*(?:now|currently|presently) (?:just |only |an? |\d{1,2} )?"
    r"(?!(?:the|for|to|on|in|at|that|this|we|i|it|you|they|he|she|no|not|is|are|has|have|want|wants|need|needs|also|there)\b"
    r"|\w+ing\b)(?:[a-z'’-]+ ){0,5}[a-z'’-]+\W*$",
    re.IGNORECASE,
)
#: "Poured 2011", "built 1986 in Chula Vista": when what is there was made.
_DATED = re.compile(
    r"^\W*(?:originally |all )?(?:\w+ed|built|rebuilt|laid|done|redone|hung|put (?:in|up|down)|new)"
    r" (?:(?:back )?in |circa |about |around |approx\.? )?(?:19[0-9]\d|20[0-4]\d)(?: (?:in|by|from) [\w' -]{2,40})?\W*$"
)
#: "From the closet side, where no tile is", "where the pool was": says where.
_WHERE_IT_IS = re.compile(r"^\W*where (?!.*\b(?:need|want|should|must)).{1,40}\b(?:is|are|was|were|stood|sat)\W*$")
#: "(complete)", "- already cut": what was named before needs no work any more.
SETTLED_ALONE = re.compile(
    r"^\W*(?:(?:it|this|that|they|those|these)(?:['’]s|['’]re| is| are| was| were)? |is |are |has |have "
    r"|all )*(?:been )?"
    r"(?:already (?:been )?\w+(?:ed|ut|one|old|ought|ixed)|(?:done|completed?))(?: already| now| last \w+)?\W*$",
    re.IGNORECASE,
)
#: What somebody who looked at it says is to be done, is.
_ADVISED = cues(
    r"\b(?:surveyor|inspector|engineer|survey|report|inspection|adjuster|insurance|plumber|electrician|roofer)s? "
    r"(?:says?|said|recommend(?:s|ed)|suggest(?:s|ed)|wants?|advis(?:es|ed)|require[sd]?|called for)\b"
)
#: "Inspectional Services failed the rear porches", "the city cited us for the sidewalk": what has to be put right.
_FAILED = cues(
    r"\b(?:inspect(?:or|ion(?:al)?)s?|services|city|county|town(?:ship)?|council|hoa|code enforcement"
    r"|building department|(?:fire )?marshal|adjuster|insurer) (?:\w+ )?(?:failed|flagged|cited|condemned"
    r"|red[- ]tagged|dinged|violated)\b"
)
#: Words that begin a reason, which is no work.
REASONS = frozenset({"because", "so", "since"})
#: "The railing is metal": tells how something is, and asks for nothing.
_STATEMENT = re.compile(
    r"^\W*(?!what|how|which|where)(?:[a-z'’-]+\s+){0,4}[a-z'’-]+(?:\s+|(?:, | \()(?:about |approx\.? |roughly |some )?"
    r"\d[\d.,]{0,8} ?(?:(?:x|by|×) ?\d[\d.,]{0,8} ?)?(?:sq\.? ?(?:ft|m)\.?|sq|sf|m2|ft|feet|m|lf|in|['\"])?\)?,? )"
    r"(?:is|are|was|were|have|has|had|sits?|sounds?|seems?|looks?|feels?|will be|says?|said|figures?)\b"
    r"(?! to\b| wanted| required| requested)",
)  # fmt: skip
#: How people come to have a home.
_BOUGHT_HOME = re.compile(
    r"\W*(?:(?:we|i)(?:['’]ve| have| are|['’]re)? )?(?:just |recently |finally )?(?:bought|purchased|closed on"
    r"|moved into|inherited|buying|closing on) (?:(?:a|an|the|our|this|my) )?(?:\w+ ){0,3}(?:house|home|place|condo"
    r"|flat|apartment|property|bungalow|duplex|cottage|unit)\W*",
)
#: "Excavation has been done by my mate's bobcat".
_IS_FINISHED = re.compile(
    r"\W*(?:the |our |all |all the )?[\w-]+(?: [\w-]+){0,4} (?:has|have|was|were) (?:already |all )?(?:been )?"
    r"(?:done|completed|finished|carried out|taken care of)"
    r"(?: already| by (?!you\b).*| last \w+| in (?:19|20)\d\d)?\W*$"
    r"|\W*(?:the )?(?:sweep|plumber|electrician|roofer|plasterer|glazier|surveyor|inspector) (?:has"
    r"|['’]s) (?:already )?been\W*$"
)
_FINISHED = ("done", "completed", "finished", "carried out", "taken care of", "been")


def _is_finished(said: str) -> bool:
    return any(word in said for word in _FINISHED) and _IS_FINISHED.match(said) is not None


#: "Solar company will remove and reinstall the panels".
_OTHERS_WILL = re.compile(
    r"\W*(?!your\b)(?:the |our |my |a |another )?(?:(?:(?!your\b)[\w-]+ ){1,2}(?:company|people|guys?|crew|firm)"
    r"|(?:(?!your\b)[\w-]+ )?(?:vendor|plumber|electrician|roofer|painter|landscaper|builder|designer)s?)"
    r" (?:will|is going to|are going to)(?: be)?(?: also)? ([a-z-]+)"
)
_WILL_DO = frozenset({"do", "doing", "handle", "handling", "take", "taking", "sort", "bring", "bringing"})
#: "One egress window existing": what is there.
_IS_EXISTING = re.compile(
    r"\W*(?:(?:\d{1,2}|one|two|three|four)\)? [\w /-]{3,40} (?:is |are )?existing\W*$"
    r"|(?:the |our |my )?(?:(?:old|existing|current|present) ones?|existing)(?:['’]s| is| was| are| were)(?! to\b)"
    r"(?!.*\b(?:need|remov|haul|take|come|replac))"
    r")"
)
#: What there is to work with: "water available at the hose bib".
_AVAILABLE = re.compile(
    r"\W*(?:(?:there is|there['’]s|we have|the) )?(?:water|power|electric(?:ity)?|parking|scaffold(?:ing)?"
    r"|a ladder|ladders?|toilets?|bathroom|wifi|storage)\b.{0,20}\bavailable\b"
    r"|\W*(?:(?:side|rear|back|garden|good|easy|narrow|tight|vehicle|truck) ){1,2}access(?: (?:is|about|of|only|approx)"
    r"|\W)*[\d.]+ ?(?:m|ft|mm|cm|in|metres?|meters?|feet|foot|inches|\")?(?: wide)?\W*$"
)
#: "5 outlets to cut around": what stands in the way of the work.
_IN_THE_WAY = re.compile(
    r"\bto (?:be )?(?:cut|work(?:ed)?|go|get|tiled?|mow(?:n|ed)?|trim(?:med)?|lay|fit(?:ted)?) a?round\W*$"
)
#: "Counters ok", "the tub is fine": is as it should be.
_FINE = re.compile(
    r"^\W*(?:[a-z0-9'’&/-]+\s+){1,6}(?:is |are |was |were |looks? )?(?:ok|okay|fine|good)\W*$"
    r"|^\W*(?:[a-z0-9'’&/-]+\s+){0,5}(?:[a-z]+['’]s|is|are) (?:dead |perfectly |all |nice and |still "
    r"|pretty )?(?:level|sound|solid|intact|straight|dry)\W*$"
)
#: "I'll run the wire", "we paint": they do it.
_THEIRS = re.compile(
    r"^\W*(?:(?:and|but|so|then|as|since|because|also)\W+)?(?:(?:i|we)(?:['’]ll| will| can| do| plan to| intend to"
    r"|(?: am| are|['’]m|['’]re) going to)?|ill)(?: also| then| just)? ([a-z-]+)"
)
#: "He's pulling the permit too": beside what the request says that he does. "She's replacing the floor" may be asked
#: for by who writes for her.
_HIS = re.compile(
    r"^\W*(?:(?:and|but|so|then|as|since|because|also|while (?:they|he|she)(?:['’]re|['’]s| are"
    r"| is) (?:here|there|at it))"
    r"\W+)?(?:he|she|they)(?:['’](?:s|re)| is| are|['’]ll| will)?(?: going to)?"
    r"(?: also| then| just| already)? ([a-z-]+)\b"
    r"(?=.*\b(?:too|also|himself|herself|themselves|as well|anyway|for (?:me|us))\b)"
)
#: "They painted 4 bedrooms", "I pulled up the vinyl": it was done.
_DONE = re.compile(
    r"^\W*(?:(?:and|but|so|then|as|since|because|when|that|after|before|also)\W+)?(?:i|we|they|he|she"
    r"|(?:one|some) of (?:the|our|my) \w+|(?:(?:the|our|my|previous|last) )*(?:tenants?|landlord|neighbou?rs?"
    r"|husband|wife|son|dad|brother|owners?|seller)"
    r"|you(?: guys)?|who|(?:the )?\w+ (?:i|we)(?=['’]?ve| have| had))"
    r"(?:['’]?ve|['’]d| have| had)?(?: already| just| only| recently| all| also)* ([a-z-]+)"
)
#: "The neighbour's bloke ripped the old posts out", "a mate who's a sparky has run the circuit": somebody else did it.
_SOMEBODY_DID = re.compile(
    r"^\W*(?:(?:and|but|so|then|as|since|because|also)\W+)?(?:himself|herself|(?:(?:the|our|my|an?|his|her|their|previous"
    r"|last|old|other|another|some)\s+)*(?:[\w'’-]+\s+){0,3}?(?:bloke|guy|lad|chap|fella|mate|friend|buddy|pal|crew"
    r"|company|firm|contractor|builder|plumber|electrician|sparky|roofer|painter|tiler|joiner|carpenter|handyman"
    r"|exterminator|locksmith|caretaker|city|council|county|nephew|niece|cousin|uncle|aunt|brother|sister|father|mother"
    r"|dad|mum|mom|son|daughter|kid|husband|wife|partner|landlady|freeholder|engineer|utility|insurer)s?"
    r"(?:[ -]in[ -]law)?)(?: (?:who|that)\b[\w'’ -]{2,40}? (?:has|have|had))?"
    r"\s+(?:has |have |had |already |also |just |then |all )*([a-z]+)\b"
)
_DID = frozenset(
    ["swept", "ripped", "carted", "hammered", "hauled", "sorted", "fixed", "finished", "handled", "did", "completed"]
)
#: Verbs that are no work of theirs: "we move on Friday", "we run an office".
_NO_WORK_OF_THEIRS = frozenset({"move", "install", "deliver", "rent", "design", "service"})
#: "Old felt's off", "wallpaper is already off": is out of the way already.
_IS_OFF = re.compile(
    r"^\W*(?:the |all the )?(?:(?:old|existing) (?:[\w-]+ ){0,2}[\w-]+(?:['’]s| is| are)(?: all| already)*"
    r"|(?:[\w-]+ ){0,2}[\w-]+(?:['’]s| is| are)(?: all)? already) "
    r"(?:off|out|gone|stripped|away|removed)(?: already| now)?\W*$"
)
#: "Can I get a copy of the quote for the fan": papers are asked for, and no work.
_COPY = re.compile(
    r"^\W*(?:(?:hi|hello|hey|also|and|please)\W+)*(?:(?:can|could|may|would|will) (?:i|we|you) |(?:i|we) (?:just )?)?"
    r"(?:please )?(?:(?:get|have|need|want|send|email|give|forward)(?: (?:me|us|over))? )?(?:an?|another|the) "
    r"cop(?:y|ies) of (?:the|our|my|your|that|last|this) (?:[\w'’-]+ ){0,2}"
    r"(?:quotes?|quotations?|estimates?|invoices?|bills?|receipts?|contracts?|warrant(?:y|ies)|guarantees?)\b"
)
#: "I just counted again": how the request came by its figures.
_LOOKED = re.compile(
    r"^\W*(?:(?:i|we|he|she)(?:['’]ve| have)? )?(?:just |only )*(?:re)?(?:counted|checked|measured|walked it|looked)"
    r"(?: it| them| up| again| twice| around| round)*\W*$"
)
#: What somebody did, and is asked to be put right.
_STILL_ASKS = re.compile(
    r"\b(?:needs?|needing|wants?|please|can you|could you|has to be|have to be|holes?|dents?)\b"
    r"|\b(?:is|are) (?:still |now |all )?(?:loose|leaking|broken|cracked|failing|rotten|rotting|bad|wrong|crooked)\b"
)
_HAS_DONE = re.compile(r"\b(?:has|have|had)\b")
_HAVE = re.compile(r"['’]ve\b|\bhave\b")
_PAST_FORMS = frozenset(
    {"put", "broke", "took", "tore", "built", "laid", "hung", "rebuilt", "redid", "cut", "dug", "ripped"}
)


def _who_does(text: str) -> ClauseKind | None:
    """What a clause is whose subject is a person that does the work: theirs to do, or done."""
    found = _THEIRS.match(text)
    verb = found.group(1).lower() if found else ""
    own = action_of(verb) and (action_of(verb) not in _NO_WORK_OF_THEIRS or verb in {"install", "fit", "hang", "lay"})
    if own and verb not in IMPLIED and not verb.endswith(("ed", "ing")) and verb not in _PAST_FORMS:
        return ClauseKind.EXCLUSION
    found = _HIS.match(text)
    verb = found.group(1) if found else ""
    if action_of(verb) and action_of(verb) not in _NO_WORK_OF_THEIRS and verb not in IMPLIED:
        return ClauseKind.EXCLUSION
    # "The plumber cut a hole in the ceiling that needs patching" asks.
    found = None if _STILL_ASKS.search(text) else _SOMEBODY_DID.match(text)
    verb = found.group(1) if found else ""
    has_run = verb in {"run", "put", "cut", "set", "hung"} and found is not None and _HAS_DONE.search(found[0])
    if verb in _DID or has_run or _is_past_work(verb):
        return ClauseKind.CONTEXT
    found = _DONE.match(text)
    verb = found.group(1) if found else ""
    done = found is not None and verb == "put" and _HAVE.search(found[0]) is not None  # "I've put new boards down"
    return ClauseKind.CONTEXT if done or _is_past_work(verb) else None


def _is_past_work(verb: str) -> bool:
    return bool(action_of(verb)) and (verb.endswith("ed") or verb in _PAST_FORMS)


def was_done(text: str) -> bool:
    """Whether a clause tells in so many words that somebody did the work."""
    return _who_does(text[:600].lower()) is ClauseKind.CONTEXT


#: "A subpanel somebody added", "they hydro jetted it clear on the day", "I'd measure the render as 95 m2": what
#: somebody did once.
_SOMEBODY_ONCE = re.compile(
    r"\W*(?:an?|the|some|this|that) (?:[\w-]+ ){1,4}(?:(?:that |which )?(?:somebody|someone)|that (?:they|he|she)"
    r"|(?:the |a )?(?:previous|last|old|former) owners?)"
    r" (?:had )?(?:added|put (?:in|up)|installed|built|ran|did|fitted|left)\b"
    r"|\W*(?:they|he|she) (?:also |then |just |already )?(?:[a-z]+ )?"
    r"(?!need|want|ask|recommend|suggest|advis|requir|insist|quot|promis|offer|agre|expect|prefer|hop)"
    r"[a-z]{3,}ed (?:it|them|that|everything)\b(?! to be\b)"
    r"|\W*(?:and |so )?(?:i|we)(?:['’]d| would|['’]ve| have)? (?:measured?|estimated?|count(?:ed)?) (?:the|our|all the)"
    r" (?:[\w-]+ ){1,3}(?:as|at|to be) (?:about |around |roughly |some )?\d"
)


def only_tells(text: str) -> bool:
    """Whether a clause asks for nothing whatever stands around it: "they also swapped the lintel", "we just bought the
    house", "water available at the hose bib"."""
    said = text[:600].lower()
    done = was_done(said) and _STILL_ASKS.search(said) is None
    there = _BOUGHT_HOME.fullmatch(said) or _AVAILABLE.match(said) or _IS_EXISTING.match(said) or _IS_OFF.match(said)
    there = there or _SOMEBODY_ONCE.match(said)
    return done or there is not None or _is_finished(said) or _is_found_there(said)


def _is_found_there(said: str) -> bool:
    """Whether a clause tells what somebody found wanting, or what stands in the way."""
    return _FAILED.search(said) is not None or _IN_THE_WAY.search(said) is not None


#: "Carpet tearout is on us": work, and no material.
_THEIR_WORK = re.compile(
    r"\b(?:demo|demolition|tear ?-?out|tear ?-?off|rip ?-?out|removal|haul\w*(?: away)?|disposal|clean ?-?up"
    r"|moving(?: the)? \w+"
    r"|painting|decorating|patching|digging)(?: (?:the |all |our |my )?\w+)? (?:is|are) (?:on (?:me|us)|mine|ours)\b"
)


#: "I have a toilet that needs to be replaced" brings none.
_NEEDS_IT = re.compile(
    r"\b(?:i|we)(?:['’]ve| have)(?: got)? (?:an?|one|some|\d+|two|three|four) [^,.;]{1,40}? (?:that"
    r"|which) (?:needs?|wants?"
    r"|ha(?:s|ve) to|must|(?:is|are) (?:broken|leaking|cracked|dead|old|loose)|don['’]?t|doesn['’]?t"
    r"|won['’]?t|keeps?)\b"
)
#: "Please just repair the furnace we've got": theirs, and no supply.
_HAS = re.compile(r"\b(?:we|i)(?:['’]ve)? (?:have|got)\W*$")
#: "We have no outside tap".
_HAS_NONE = re.compile(r"\b(?:have|has|['’]ve got|got) no (?!(?:use|need|time|room)\b)")
_IF_SO = re.compile(r"\W*(?:and |but )?if (?:the|it|that|they|our|my|this|any)\b")
_I_NEED = re.compile(r"\W*so (?:i|we)(?:['’]d| would)? (?:need|want|like)\b")
_POLITE = frozenset({"please", "just", "so", "and"})


def kind_of(text: str, tokens: Sequence[Token]) -> ClauseKind:
    """Label a piece by its cues; a cue of exclusion outranks one of option, which outranks supply."""
    # In lower case, because a pattern that folds case itself takes twice as long.
    bounded = text[:600].lower()
    told = _SUPPLY.search(bounded) is not None and not _THEIR_WORK.search(bounded)
    told = told and _NEEDS_IT.search(bounded) is None
    if told and is_imperative([token for token in tokens if token.text not in _POLITE]) and _HAS.search(bounded):
        told = TO_WHAT_IS_THERE.isdisjoint(actions_in(tokens)[:1])
    if told and _IF_SO.match(bounded):
        return ClauseKind.OPTION  # "If the faucet needs replacing I have a new one"
    if told and not _HAS_NONE.search(bounded):
        return ClauseKind.SUPPLY
    if _EXCLUSION.search(bounded) or _THEIR_WORK.search(bounded) or _LEFT_OUT.search(bounded):
        return ClauseKind.EXCLUSION
    theirs = _who_does(bounded)
    if theirs is not None:
        return theirs
    if _OPTION.search(bounded) or _IF_NEEDED.search(bounded) or tokens[0].text == "or":
        return ClauseKind.OPTION
    if _FINE.search(bounded) and not is_imperative(tokens) and not REQUEST_CUE.search(bounded):
        return ClauseKind.CONTEXT
    if any(one.match(bounded) for one in (SETTLED_ALONE, _IS_OFF, _LOOKED, _COPY)):
        return ClauseKind.CONTEXT
    if _DATED.match(bounded):
        return ClauseKind.CONTEXT
    now = (_NOW.match(bounded) or IS_NOW.match(bounded)) is not None and not is_imperative(tokens[1:])
    if now and not actions_in(tokens) and not REQUEST_CUE.search(bounded):
        return ClauseKind.CONTEXT
    if _WHERE_IT_IS.match(bounded) and not actions_in(tokens):
        return ClauseKind.CONTEXT
    # "So remodel the kitchen please", "so I need one put in" ask, "so 3 rooms" tells.
    asks = is_imperative(tokens[1:]) or text_at(tokens, 1) == "please" or _I_NEED.match(bounded)
    so = tokens[0].text == "so" and bool(asks)
    if (tokens[0].text in REASONS and not so) or _TALK.search(bounded) or _CODE_CLASS.search(bounded):
        return ClauseKind.CONTEXT
    if _is_found_there(bounded):
        return ClauseKind.CONTEXT
    there = _IS_EXISTING.match(bounded) is not None
    faulty = bounded.startswith("existing") and set(actions_in(tokens)) == {"repair"}  # "existing is rotten panels"
    if _AVAILABLE.match(bounded) or (there and (faulty or not actions_in(tokens))):
        return ClauseKind.CONTEXT
    if _is_finished(bounded) or (_SOMEBODY_ONCE.match(bounded) and not REQUEST_CUE.search(bounded)):
        return ClauseKind.CONTEXT
    # Most clauses have no such verb, and need not be searched for whose it is.
    others = _OTHERS_WILL.match(bounded) if " will " in bounded or " going to " in bounded else None
    if others is not None and (action_of(others[1]) or others[1] in _WILL_DO):
        return ClauseKind.EXCLUSION
    if REQUEST_CUE.search(bounded) or is_imperative(tokens):
        return ClauseKind.WORK
    if _PAST.search(bounded):
        return ClauseKind.CONTEXT
    if _ADVISED.search(bounded):
        return ClauseKind.WORK
    stated = _STATEMENT.search(bounded) or (_STATE.search(bounded) and _STATIVE.search(bounded))
    if (
        stated
        and not asks_to(bounded)
        and not FAULT.search(bounded)
        and not (set(actions_in(tokens)) & {"repair", "replace"})
    ):
        return ClauseKind.CONTEXT
    return ClauseKind.WORK
