"""Names of people: by the words around them, by titles, and by first names that are known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from server.domain.intake.candidate import TAKEN, Candidate, Context, Kind, Page
from server.domain.intake.lexicon import TITLES, Lexicon

_PARTICLES = frozenset(
    {"de", "van", "von", "der", "den", "da", "dos", "del", "della", "di", "la", "le", "bin", "al", "ter"}
)
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii"})
_JOINS = frozenset({"and", "&", "+"})
_WORD = re.compile(r"[^\W\d_][\w'’.-]{0,40}|[&+]")
_MOST_WORDS = 6
#: What announces the one the form is about, and how surely.
_ANNOUNCED = (
    (
        0.95,
        re.compile(
            r"\b(?:my name(?: is|'s|’s)?|name is|names|name's|name of|(?:lady|lad|guy|man|gent|gentleman|woman|chap|bloke|person) (?:named|called|is called)|myself|insured|consumer|requester|requestor|this is|i am called|it'?s|its|i'?m|i am|here is) ?$"
        ),
    ),
    (
        0.98,
        re.compile(
            r"\b(?:customer|client|cust|payer|homeowner|contact|attn|attention|caller|fao)(?: (?:name|is|called|named))* ?[:=,(-]? ?$"
        ),
    ),
    (
        0.93,
        re.compile(
            r"\b(?:home owner|house owner|landlord|landlady|tenant|owner|attn|attention|fao|"
            r"caller|contact|payee|resident|occupier|who|name|caretaker|householder)(?: (?:name|is|called|named))*"
            r" ?[:=,(-]? ?$"
        ),
    ),
    (
        0.88,
        re.compile(
            r"\b(?:paid by|received from|rec'?d from|payment from|cheque from|check from|ck from|chq from|transfer from|"
            r"spoke (?:to|with)|spoken to|call(?:ed)? (?:from|by)|message from|msg from|enquiry from|inquiry from|"
            r"request from|lead from|collected from|on behalf of|cash from|deposit from|ask for|call back|call|ring|"
            r"phone|contact|speak to|asked for by|booked by|wanted by|reach me|see|meet) ?,? ?$"
        ),
    ),
    (0.86, re.compile(r"\b(?:for|from|by|with|w/|off|price up for|est for|re|est|quote|book in) ?:? ?$")),
)
#: People who are named beside the one the form is about.
_ASIDE = re.compile(
    r"\b(?:referral from|referred by|recommended by|recommendation from|neighbou?r|friend|colleague|mate|next door to|"
    r"(?:his|her|my|their|our) (?:sister|brother|mother|father|mum|mom|dad|son|daughter|wife|husband|partner|boss|"
    r"assistant|neighbou?r)|son|daughter|or wife|or husband|wife|husband|adj(?:uster)? is|agent is|not|like|cc|"
    r"agent|rep|sales rep|engineer|operator|taken by|sales person|salesperson|landlord is|landlady is|landlord'?s|he's|she's|crew|tech|technician|"
    r"met|from the desk of|formerly|via|inv to son|architect|engineer|surveyor) ?[,:(]? ?$"
)
#: Somebody asks for their mother: it is she who is visited and called.
_FOR_A_RELATIVE = re.compile(
    r"\b(?:ring|call|phone|contact|visit|see|for) (?:my|our) (?:mum|mom|mother|dad|father|nan|gran|grandma|granddad|grandad|aunt|auntie|uncle|sister|brother|son|daughter|parents?)$"
)
_RECOMMENDED = re.compile(
    r"[\s,]*(?:recommended|referred|suggested|gave me|passed|told me about|will (?:pay|be)|did the)\b"
)
_DOES = re.compile(
    r"(?:[\s,]|\([^)\n]{0,40}\))*(?:called|rang|phoned|wants?|would like|needs?|paid|asked|has paid|pays|sent|emailed|"
    r"dropped off|brought|gave|handed|is after|is asking|texted|messaged|calling|here\b|speaking)\b"
)
_NAMED_SO = re.compile(r"[ \t]+(?:named|called|by the name of)\b")
_ABOUT_A_HOUSE = re.compile(
    r"(?:'s|’s)?[ \t]+(?:job|residence|family|house|home|place|project|property|account|household|apartment|res\b)\b"
)
_SIGNED = re.compile(
    r"\b(?:thanks|thank you|regards|best wishes|best|cheers|sincerely|faithfully|yours|thx|ta|ty)\b[\w ]{0,20}[,!.]*[ \t]*"
    r"\n?\s*[-–—~]*[ \t]*$",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"(?:^|[\n.!>])[ \t]*(?:hi|hello|hey|dear|hiya|alright|alrite|yo|g'day|morning|afternoon|evening|to:|cc:)[ \t,]*$",
    re.IGNORECASE,
)
_ASKED_TO_DO = re.compile(r"[ \t]*,[ \t]*(?:can|could|please|pls|would|will|just|fyi)\b", re.IGNORECASE)
#: ``Gaz - Monday 30th``.
_CALLED_UPON = re.compile(rf"[ \t]*[-–—][ \t]*{TAKEN}")
_BETWEEN = re.compile(rf"(?:^|[\n|{TAKEN}(,;:]|\s[-–—/]{{1,2}}\s)[\s,.-]*$")
_AND_AFTER = re.compile(rf"[\s,.]*(?:$|[\n|{TAKEN}(),;]|\s?[-–—/]{{1,2}}\s)")
#: Capitalized words that begin sentences, lines and places, and no names.
NO_NAMES = frozenset(
    """
    ta landlady occupier requestor requester resident myself lockbox kindly insured consumer bounced memo bid hall crew
    for with by at on in of off per as is are was i'm im ive its hes shes dont wont put
    a an the i we he she they it you my our your his her their this that these those there here what when where why how
    who which and or but so if then please pls thanks thank hi hello hey dear good morning afternoon evening regards
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun january
    february march april july august september october november december jan feb mar apr jun jul aug sep sept oct
    nov dec today tomorrow yesterday asap urgent call calling email phone mobile cell tel name address customer client
    cust job quote invoice inv estimate est payment paid need needs needed want wants would could can will looking replace
    repair fix install fit new old kitchen bathroom bedroom roof roofing plumbing plumber electrician electrical painting
    painter gutter gutters fence deck door doors window windows boiler heating sink toilet tap shower bath floor flooring
    tile tiles tiling drywall paint wall walls house home garage basement attic office street st road rd avenue ave drive
    lane court apt unit suite flat north south east west re fw fwd subject sent from to cc date amount amt total deposit
    cash check cheque card bank transfer visa amex mastercard paypal venmo zelle stripe apple pay yes no ok okay also
    just not any some all both team sir madam sirs everyone guys folks ref po google facebook iphone android samsung best
    cheers sincerely yours kind many very water leak emergency site visit appointment booked schedule scheduled work our
    received deposited balance remittance bacs ach wire money order standing direct debit credit receipt vendor supplier
    accounts payable project manager director office property mgr lead bid tenant landlord owner contact caller caretaker
    supply price pricing request enquiry inquiry message msg note notes details description scope web form thumbtack angi
    checkatrade homeadvisor yelp nextdoor bark time arrive arrival when where who why follow up priority warranty callback
    reschedule install swap measure book crew monthly weekly hung hang pick drop send two three four five six seven eight
    nine ten one first last second next mum dad mom am pm vat inc plus gate code key back front side upstairs downstairs
    insurance hoa eicr led upvc epdm sq ft sf lvp ac hvac usa uk gb us collected refund refunded final part full half
    see tell ask ring speak meet chase bgc fps tfr churchwarden treasurer secretary deacon vicar requester fyi diary
    agent names union visited walked surveyed measured quoting quoted moved reminder confirmed rev ph christmas easter thanksgiving facebook instagram whatsapp text sms voicemail vm
    """.split()  # noqa: SIM905 - a list of words reads better as text
)


#: Everyday words that are surnames behind a first name.
_SURNAMES_TOO = frozenset(
    [
        "price",
        "best",
        "north",
        "west",
        "east",
        "lane",
        "may",
        "day",
        "wall",
        "walls",
        "cash",
        "house",
        "street",
        "painter",
        "south",
        "roof",
        "close",
        "court",
        "field",
    ]
)
_CONTRACTED = re.compile(
    r"(?:i|we|it|that|here|what|he|she|they|you|don|can|won|there|who|let|didn|doesn|isn|couldn|wouldn|name|address|number|phone|job|budget)['’](?:m|re|s|d|ve|ll|t)",
    re.IGNORECASE,
)
#: The parts of a name in a form.
_FORM = re.compile(
    r"first[ \t_-]*name[ \t]*[:=][ \t]*(?P<first>[^\n,;|]{1,40}?)[ \t]*[\n,;|][ \t]*(?:last[ \t_-]*name|surname)[ \t]*[:=][ \t]*(?P<last>[^\n,;|]{1,40})",
    re.IGNORECASE,
)
#: The same, the last name first or with words before: ``Caller last: Whitaker``.
_LAST_FIRST = re.compile(
    r"(?:last(?:[ \t]*name)?|surname)[ \t]*[:=][ \t]*(?P<last>[^\n,;|]{1,40}?)[ \t]*[\n,;|][^\n:=]{0,12}first(?:[ \t]*name)?[ \t]*[:=][ \t]*(?P<first>[^\n,;|]{1,40})",
    re.IGNORECASE,
)
#: ``Patricia (Patty) Lindqvist``.
_NICKED = re.compile(
    r"(?<![\w'’-])(?P<first>[A-Z][a-z'’-]+)[ \t]+[(\"“'][A-Z][a-z]+[)\"”'][ \t]+(?P<last>[A-Z][A-Za-z'’-]+)"
)
#: ``the Sandersons``.
_FAMILY = re.compile(r"\b[Tt]he[ \t]+(?P<name>[A-Z][a-z]{3,20}s)\b(?![ \t]+[A-Z]|['’])")
#: ``Patel (Anand)``.
_BRACKETED = re.compile(r"(?<![\w'’-])(?P<last>[A-Z][a-z'’-]{2,25})[ \t]+\((?P<first>[A-Z][a-z'’-]{1,20})\)")
#: A single name must be as sure as this for its longer form to be looked for.
_SURE_ALONE = 0.74
#: ``Carmichael, Suzanne``: a last name, a comma and one first name that is known.
_TURNED = re.compile(
    r"(?<![^\s(|:/-])(?P<last>[A-Z][A-Za-z'’-]{1,25}),[ \t]+(?P<first>[A-Z][A-Za-z'’-]{1,20})(?=[ \t]*(?:[.|\n(;/]|$|[ \t]{2,}|[ \t]?[-–]|\ue000|[ \t]\ue000))"
)


@dataclass(frozen=True, slots=True)
class _Name:
    words: tuple[str, ...]
    start: int
    end: int

    @property
    def bare(self) -> list[str]:
        return [word.lower().strip(".,'’") for word in self.words]


class People:
    """Finds names. One that nothing announces counts where its first name is known, or its words are no others'."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def __call__(self, page: Page, context: Context) -> Iterator[Candidate]:
        """Names from the beginning to the end, each with how surely it is the person the form is about."""
        for form in [*_FORM.finditer(page.free), *_LAST_FIRST.finditer(page.free)]:
            value = " ".join(map(capitalized, f"{form['first']} {form['last']}".split()))
            start, end = min(form.start("first"), form.start("last")), max(form.end("first"), form.end("last"))
            page.take(start, end)
            yield Candidate(Kind.PERSON, value, start, end, 0.97, "person.parts")
        for nicked in _NICKED.finditer(page.free):
            if self._lexicon.is_given(nicked["first"]):
                page.take(*nicked.span())
                yield Candidate(
                    Kind.PERSON, f"{nicked['first']} {nicked['last']}", *nicked.span(), 0.88, "person.parts"
                )
        for turned in _TURNED.finditer(page.free):
            last, first = turned["last"], turned["first"]
            if (
                self._lexicon.is_given(first)
                and not self._lexicon.is_given(last)
                and not self._lexicon.is_frequent(last)
                and last.lower() not in NO_NAMES
                and first.lower() not in NO_NAMES
                and last not in self._lexicon.places
            ):
                page.take(*turned.span())
                shout = last.isupper() and first.isupper()
                value = " ".join(map(capitalized, (first, last))) if shout else f"{first} {last}"
                yield Candidate(Kind.PERSON, value, *turned.span(), 0.86, "person.parts")
        for bracketed in _BRACKETED.finditer(page.free):
            last, first = bracketed["last"], bracketed["first"]
            if self._lexicon.is_given(first) and not self._lexicon.is_frequent(last) and last.lower() not in NO_NAMES:
                page.take(*bracketed.span())
                yield Candidate(Kind.PERSON, f"{first} {last}", *bracketed.span(), 0.88, "person.parts")
        for name in list(self._names(page)):
            sure = self._sure(name, page, context)
            if sure:
                page.take(name.start, name.end)
                found = _candidate(name, page, sure)
                yield found
                yield from self._in_full(found, page)
        for family in _FAMILY.finditer(page.free):
            called = family["name"]
            if not (
                self._lexicon.is_frequent(called)
                or self._lexicon.is_frequent(called.removesuffix("s"))
                or called in self._lexicon.places
                or called.lower() in NO_NAMES
            ):
                page.take(*family.span("name"))
                yield Candidate(Kind.PERSON, called, *family.span("name"), 0.74)

    def _in_full(self, found: Candidate, page: Page) -> Iterator[Candidate]:
        """A first name that stands elsewhere with a last name: ``it's Shell from the salon, Shell Dunleavy``."""
        if " " in found.value or found.confidence < _SURE_ALONE:
            return
        for fuller in re.finditer(
            rf"\b{re.escape(found.value)}[ \t]+(?P<last>[A-Z][a-z'’-]{{2,20}})\b(?![ \t]+[A-Z])", page.text
        ):
            if fuller.start() > found.end and not self._lexicon.is_frequent(fuller["last"]):
                yield Candidate(Kind.PERSON, " ".join(fuller[0].split()), *fuller.span(), 0.86)

    def _names(self, page: Page) -> Iterator[_Name]:
        offset = 0
        for line in page.free.splitlines(keepends=True):
            letters = [letter for letter in line if letter.isalpha()]
            caseless = not any(map(str.islower, letters)) or not any(map(str.isupper, letters))
            words = [(found[0], offset + found.start()) for found in _WORD.finditer(line)]
            index = 0
            while index < len(words):
                length = self._length(page, words, index, caseless)
                if length:
                    yield _name(words[index : index + length])
                index += length or 1
            offset += len(line)

    def _length(self, page: Page, words: list[tuple[str, int]], index: int, caseless: bool) -> int:
        """How many words from here on are one name."""
        length = names = 0
        word, at = words[index]
        loose = caseless or word.islower()
        if loose and not self._begins(page, word, at, caseless):
            return 0
        for word, at in words[index : index + _MOST_WORDS]:
            if length and not _joined(page, words[index + length - 1], at):
                break
            bare = word.lower().strip(".,'’")
            if bare in _JOINS:
                follows = words[index + length + 1] if index + length + 1 < len(words) else None
                if not length or follows is None or not self._is_name(*follows, loose, 0, page):
                    break
                if _bare_letters(words[index + length - 1][0]) not in TITLES and not self._pair(words, index, length):
                    break
            elif not (
                bare in TITLES
                or (length and (bare in _PARTICLES or bare in _SUFFIXES))
                or self._is_name(word, at, loose, names, page)
            ):
                break
            else:
                names += 1
            length += 1
            if word.endswith(".") and len(bare) > 2 and bare not in TITLES | _SUFFIXES:
                break
        while length and words[index + length - 1][0].lower() in _PARTICLES | _JOINS:
            length -= 1
        bare_names = {word.lower().strip(".") for word, _ in words[index : index + length]}
        initials = length > 1 and all(len(name) == 1 for name in bare_names - TITLES)
        opens = length > 2 and self._lexicon.is_common(words[index][0]) and not self._lexicon.is_given(words[index][0])
        if opens and words[index][0].lower().strip(".") not in TITLES and self._lexicon.is_given(words[index + 1][0]):
            return 0  # ``Visited Alan Prowse``: the name begins with the next word
        told = (
            length == 2 and words[index][0].lower().endswith(("ing", "ed")) and self._lexicon.is_common(words[index][0])
        )
        if told and not self._lexicon.is_given(words[index][0]):
            return 0
        return 0 if bare_names <= TITLES or (initials and length == 2) else length

    def _pair(self, words: list[tuple[str, int]], index: int, length: int) -> bool:
        """Two first names, or a first name and another full name: ``Ed and Marge Simms``."""
        before, after = words[index + length - 1][0], words[index + length + 1][0]
        if length == 1 and re.fullmatch(r"[A-Z]\.?", before) and re.fullmatch(r"[A-Z]\.?", after):
            return True
        return self._lexicon.is_given(before) or (
            length == 1 and self._lexicon.is_given(after) and before[:1].isupper()
        )

    def _begins(self, page: Page, word: str, at: int, caseless: bool) -> bool:
        """Whether a name may begin here in words without capitals."""
        if word.lower().strip(".") in TITLES:
            return True
        before = page.words_before(at)
        announced = _announced(before)
        if self._lexicon.is_given(word):
            bare = word.lower().strip(".,'’")
            rest = page.free[at + len(word) : at + len(word) + 24]
            surname = re.match(r"[ \t]+([^\W\d_][\w'’-]+)", rest)
            follows = surname is not None and not self._lexicon.is_common(surname[1])
            alone = _BETWEEN.search(page.free[max(0, at - 12) : at]) is not None
            return (
                announced > 0
                or follows
                or (alone and bare not in NO_NAMES and (surname is None or bare not in self._lexicon.common))
            )
        sure = announced >= 0.93
        return ((sure and caseless) or bool(_ABOUT_A_HOUSE.match(page.free, at + len(word)))) and not (
            self._lexicon.is_frequent(word) or word.lower() in NO_NAMES
        )

    def _is_name(self, word: str, at: int, loose: bool, names: int, page: Page) -> bool:
        bare = word.lower().strip(".,'’")
        if (
            ("-" in bare and bare.partition("-")[0] in NO_NAMES)
            or _CONTRACTED.fullmatch(word)
            or (
                bare in NO_NAMES
                and not (names and word[0].isupper() and (bare in self._lexicon.given or bare in _SURNAMES_TOO))
            )
        ):
            return False
        if re.fullmatch(r"[A-Z]\.?", word):
            return bool(
                word.endswith(".") or names or re.match(r"[ \t]+[A-Z][\w'’]+", page.free[at + 1 : at + 20])
            ) and (word not in {"A", "I"} or names > 0)
        if loose:
            if self._lexicon.is_given(word):
                return True
            if names == 0:
                return len(bare) > 2
            after_initial = re.search(r"(?:^|[\s:])[A-Za-z]\.[ \t]+$", page.free[max(0, at - 6) : at]) is not None
            frequent = self._lexicon.is_frequent(bare) and not after_initial
            known = names >= 3 or frequent or (names > 1 and not after_initial and self._lexicon.is_common(bare))
            return len(bare) == 1 or not known
        shouted = self._lexicon.is_given(word) or (names > 0 and len(bare) > 2 and not self._lexicon.is_common(word))
        return (word[0].isupper() and any(letter.islower() for letter in word)) or (word.isupper() and shouted)

    def _sure(self, name: _Name, page: Page, context: Context) -> float:
        """How surely this is the person the form is about; 0 where it is no person."""
        before, after = page.words_before(name.start), page.free[name.end : name.end + 60]
        place = page.free[max(0, name.start - 60) : name.start]
        bare = [word for word in name.bare if word not in TITLES | _SUFFIXES | _JOINS]
        titled = name.bare[0] in TITLES
        if not titled and len(name.bare) == 1 and _NAMED_SO.match(after):
            return 0.0
        given = any(map(self._lexicon.is_given, bare))
        full = len(bare) > 1
        if (_ADDRESSED.search(place) and not _DOES.match(after)) or (
            not full and name.start == 0 and _ASKED_TO_DO.match(after)
        ):
            page.take(name.start, name.end)
            return 0.0
        if (
            not full
            and not titled
            and not context.by_customer
            and ((name.start == 0 and _CALLED_UPON.match(after)) or before.endswith("tell"))
        ):
            return 0.5  # a colleague
        wanted = _FOR_A_RELATIVE.search(before) is not None
        if not full and not titled and re.search(r"\d[ \t]*$", place):
            return 0.0
        if (_ASIDE.search(before) and not wanted) or _RECOMMENDED.match(after):
            return 0.45 if given or titled else 0.0
        announced = _announced(before)
        announced = max(announced, 0.92) if wanted else announced
        house = _ABOUT_A_HOUSE.match(page.free, name.end) is not None
        if not given and not titled and not house and (" ".join(bare) in self._lexicon.places and announced < 0.93):
            return 0.0
        signed = _SIGNED.search(place) is not None or (
            re.search(r"[–—-][ \t]*$", place) is not None and re.match(r"[ \t.]*(?:\n|$)", after) is not None
        )
        sure = 0.0
        if titled:
            sure = 0.9
        elif given and full:
            sure = 0.86
        elif full and not any(self._lexicon.is_common(word) for word in bare if len(word) > 1):
            sure = 0.82
        elif given:
            sure = 0.74 if not self._lexicon.is_common(bare[0]) or len(bare[0]) > 3 else 0.5
        elif (
            full and not self._lexicon.is_common(bare[0]) and not self._lexicon.is_frequent(bare[-1]) and len(bare) == 2
        ):
            sure = 0.7
        if house and not all(map(self._lexicon.is_frequent, bare)):
            sure = max(sure, 0.84)
        if sure < 0.82 and len(bare) == 2 and self._alone(name, page) and not any(map(self._lexicon.is_frequent, bare)):
            sure = 0.82
        if not sure and not full and self._alone(name, page) and not self._lexicon.is_common(bare[0]):
            sure = 0.81 if bare[0] not in self._lexicon.places else 0.0
        within = re.search(r"[a-z][ \t]+$", place) is not None  # a capital there is a name's
        everyday = self._lexicon.is_frequent if within else self._lexicon.is_common
        if _DOES.match(after) and (sure or not everyday(bare[0])):
            sure = max(sure, 0.9 if full or titled else 0.8)
        if signed and (sure or not self._lexicon.is_common(bare[0])):
            writer = 0.9 if full or titled else 0.82
            sure = max(sure, writer if context.by_customer else writer - 0.14)
        if not sure and announced >= 0.86 and len(bare) == 2 and not self._lexicon.is_common(bare[1]):
            sure = 0.8
        if announced and (sure or announced >= 0.93 or (announced >= 0.88 and not self._lexicon.is_common(bare[0]))):
            sure = max(sure, announced if full or titled else min(announced, 0.82))
        return sure

    def _alone(self, name: _Name, page: Page) -> bool:
        """Between two separators, an address or a number on one side."""
        before, after = page.free[max(0, name.start - 12) : name.start], page.free[name.end : name.end + 12]
        return bool(_BETWEEN.search(before) and _AND_AFTER.match(after) and TAKEN in before + after)


@lru_cache(maxsize=1024)
def _announced(before: str) -> float:
    """How surely the words before a name announce the person the form is about."""
    return max((sure for sure, pattern in _ANNOUNCED if pattern.search(before)), default=0.0)


def _joined(page: Page, word: tuple[str, int], at: int) -> bool:
    between = page.free[word[1] + len(word[0]) : at]
    return 0 < len(between) <= 3 and not between.strip(" \t")


def _bare_letters(word: str) -> str:
    return word.lower().strip(".,'’")


def _name(words: list[tuple[str, int]]) -> _Name:
    titled = next((place for place, (word, _) in enumerate(words) if _bare_letters(word) in TITLES), 0)
    joined = any(_bare_letters(word) in _JOINS for word, _ in words[:titled])
    words = words if joined else words[titled:]  # ``Bursar Ms Nkemelu``
    kept = [word for word, _ in words]
    last = kept[-1]
    stripped = re.sub(r"['’]s$", "", last.rstrip("'’"))
    if len(stripped) > 2 and stripped.lower().strip(".") not in _SUFFIXES:
        stripped = stripped.rstrip(".-")
    kept[-1] = stripped
    return _Name(tuple(kept), words[0][1], words[-1][1] + len(stripped))


def _candidate(name: _Name, page: Page, sure: float) -> Candidate:
    written = page.text[name.start : name.end]
    value = " ".join(written.split())
    if value.islower() or (value.isupper() and len(value) > 3):
        value = " ".join(map(capitalized, value.split()))
    rule = "person.capitals" if value != written else ""
    return Candidate(Kind.PERSON, value, name.start, name.end, round(sure, 2), rule)


def capitalized(word: str) -> str:
    """A word of a name that was typed in one case: ``o'malley`` → ``O'Malley``, ``mcdonald`` → ``McDonald``."""
    lowered = word.lower().replace("i\u0307", "i")  # as a small İ comes, in two characters
    if lowered in _PARTICLES | {"and"}:
        return lowered
    name = re.sub(r"(?:^|(?<=[-]))[^\W\d_]|(?<=^[od]['’])[^\W\d_]", lambda found: found[0].upper(), lowered)
    return name[:2] + name[2].upper() + name[3:] if re.match(r"mc[^\W\d_]{3}", lowered) else name


def is_contracted(word: str) -> bool:
    """``I'm``, ``we're``: words that begin a sentence and no name."""
    return _CONTRACTED.fullmatch(word) is not None
