"""Names of people and companies, by the words around them. A name that nothing announces is not taken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import Candidate, Context, Kind, Page

_PARTICLES = r"(?:de|van|von|der|den|da|dos|del|della|di|la|le|bin|al|ter|O')"
_CAPITAL = (
    r"(?<![\w'’-])(?:[A-ZÀ-ÖØ-Þ](?=[\w'’]{0,30}[a-zß-ÿ])[\w'’]{1,30}(?:-[A-ZÀ-ÖØ-Þ][\w'’]{1,30})?|[A-Z]\.)(?![\w'’-])"
)
_NAME = rf"(?:{_CAPITAL}[ \t]+(?:and|&)[ \t]+)?{_CAPITAL}(?:[ \t]+(?:{_PARTICLES}[ \t]+){{0,2}}{_CAPITAL}){{0,3}}"
_ANY_CASE = r"[^\W\d_][\w'’-]{0,30}(?:[ \t]+[^\W\d_][\w'’-]{0,30}){0,2}"
_TITLE = r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\b\.?[ \t]+(?:(?:and|&)[ \t]+(?:Mrs|Mr|Ms|Dr)\b\.?[ \t]+)?"
#: What announces a name, and how surely. The first group of patterns takes names in any case.
_STRONG = re.compile(rf"(?i:\b(?:my name is|name is|name's|this is|i am called)[ \t]+)(?P<name>{_NAME}|{_ANY_CASE})")
_DOES = r"called|rang|phoned|wants|would like|needs|paid|asked|has paid"
_CUES = (
    (re.compile(rf"(?P<name>{_TITLE}{_NAME})"), 0.9),
    (
        re.compile(
            rf"(?i:\b(?:customer|client|homeowner|home owner|landlord|landlady|tenant|owner|attn|attention|caller|"
            rf"contact|payer|payee)(?:[ \t]+(?:is|name|called|named))?[ \t]*[:,-]?[ \t]+)(?P<name>{_NAME})"
        ),
        0.92,
    ),
    (
        re.compile(
            rf"(?i:\b(?:paid by|received from|payment from|cheque from|check from|transfer from|spoke (?:to|with)|"
            rf"call(?:ed)? (?:from|by)|message from|enquiry from|inquiry from|request from|lead from|on behalf of|"
            rf"i'm|i am|here is|it's)[ \t]+)(?P<name>{_NAME})"
        ),
        0.88,
    ),
    (re.compile(rf"(?i:\b(?:for|from|ask for|call|with|by)[ \t]+)"
            rf"(?P<name>(?:{_CAPITAL}[ \t]+(?:and|&)[ \t]+)?"
            rf"{_CAPITAL}(?:[ \t]+(?:{_PARTICLES}[ \t]+)?{_CAPITAL}){{1,2}})"), 0.82),
    (re.compile(rf"(?i:\b(?:from|by)[ \t]+)(?P<name>{_CAPITAL})"
            rf"(?=[ \t]*(?:$|[,.\n\ue000]|(?:on|last|this|for|by|via|today|yesterday)\b))"), 0.75),
    (re.compile(rf"(?:^|[.!?\n])[ \t]*(?P<name>{_CAPITAL}(?:[ \t]+{_CAPITAL}){{1,2}})(?=[,;:( \t-]*\ue000)"), 0.82),
    (re.compile(rf"(?P<name>{_CAPITAL}[ \t]+{_CAPITAL})(?=[ \t]+(?:{_DOES}|sent|emailed)\b)"), 0.88),
    (re.compile(rf"(?P<name>{_CAPITAL})(?=[ \t]+(?:{_DOES})\b)"), 0.7),
)  # fmt: skip
_SIGNED = re.compile(
    rf"(?i:\b(?:thanks|thank you|regards|kind regards|best regards|best wishes|best|cheers|sincerely|yours|many thanks|"
    rf"thx|ta)\b[\w ]{{0,20}}[,!.]*[ \t]*\n?\s*)[-–—~]*[ \t]*(?P<name>{_NAME})[ \t]*(?=\n|$|[,.\ue000])"
)
_LAST_WORD = re.compile(rf"[–—-][ \t]*(?P<name>{_CAPITAL}(?:[ \t]+{_CAPITAL}){{0,2}})[ \t]*(?=\n|\Z)")
_FIRST_LINE = re.compile(rf"\A\s*(?P<name>{_CAPITAL}(?:[ \t]+{_CAPITAL}){{1,2}})[ \t]*(?=\n|,|[ \t]*\ue000|$)")
_LEGAL = (
    r"Ltd|Limited|LLC|L\.L\.C|Inc|Incorporated|Corp|Corporation|Co|Company|PLC|LLP|LP|GmbH|Pty(?:[ \t]Ltd)?|"
    r"(?:&|and)[ \t](?:Sons?|Co|Daughters|Partners)|Bros|Brothers|Group|Holdings|Properties|Property Management|"
    r"Builders|Roofing|Plumbing|Heating|Electrical|Electric|Construction|Contractors|Contracting|Services|"
    r"Developments|Homes|Estates|Realty|Lettings|Architects|Landscaping|Painting|Joinery|Motors|Church|School|Hotel|"
    r"Restaurant|Dental|Clinic|Associates|Partners|Solutions|Enterprises|Industries|Maintenance"
)
_COMPANY = re.compile(
    rf"(?P<name>(?<![\w'’&.-])(?:[A-Z0-9][\w'’&.-]{{0,30}}[ \t]+){{1,4}}?"
    rf"(?:(?:{_LEGAL})\b\.?)(?:[ \t]+(?:{_LEGAL})\b\.?){{0,2}})"
)
_COMPANY_CUE = re.compile(
    r"(?i:\b(?:company|business|firm|organisation|organization)(?:[ \t]+(?:is|name|called))*[ \t]*[:-]?[ \t]+)"
    r"(?P<name>[A-Z][\w'’&.-]{0,30}(?:[ \t]+(?:&|and|of|[A-Z][\w'’&.-]{0,30})){0,4})"
)
#: Capitalized words that begin sentences, lines and places, and no names.
_NO_NAMES = frozenset(
    [
        "a", "an", "the", "i", "we", "he", "she", "they", "it", "you", "my", "our", "your", "his", "her",
        "their", "this", "that", "these", "those", "there", "here", "what", "when", "where", "why", "how",
        "who", "which", "and", "or", "but", "so", "if", "then", "please", "thanks", "thank", "hi", "hello",
        "hey", "dear", "good", "morning", "afternoon", "evening", "regards", "monday", "tuesday", "wednesday",
        "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "january",
        "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "today",
        "tomorrow", "yesterday", "asap", "urgent", "call", "calling", "email", "phone", "mobile", "cell", "tel",
        "name", "address", "customer", "client", "job", "quote", "invoice", "estimate", "payment", "paid",
        "need", "needs", "needed", "want", "wants", "would", "could", "can", "will", "looking", "replace",
        "repair", "fix", "install", "fit", "new", "old", "kitchen", "bathroom", "bedroom", "roof", "roofing",
        "plumbing", "plumber", "electrician", "electrical", "painting", "painter", "gutter", "gutters", "fence",
        "deck", "door", "doors", "window", "windows", "boiler", "heating", "sink", "toilet", "tap", "shower",
        "bath", "floor", "flooring", "tile", "tiles", "tiling", "drywall", "paint", "wall", "walls", "house",
        "home", "garage", "basement", "attic", "office", "street", "st", "road", "rd", "avenue", "ave", "drive",
        "lane", "court", "apt", "unit", "suite", "flat", "north", "south", "east", "west", "re", "fw", "fwd",
        "subject", "sent", "from", "to", "cc", "date", "amount", "total", "deposit", "cash", "check", "cheque",
        "card", "bank", "transfer", "visa", "amex", "mastercard", "paypal", "venmo", "zelle", "yes", "no", "ok",
        "okay", "also", "just", "not", "no", "any", "some", "all", "both", "team", "sir", "madam", "everyone",
        "guys", "folks", "ref", "po", "google", "facebook", "iphone", "android", "samsung", "best", "cheers",
        "sincerely", "yours", "kind", "many", "very", "water", "leak", "emergency", "site", "visit",
        "appointment", "booked", "schedule", "scheduled", "work", "work's", "our",
    ]
)  # fmt: skip


def companies(page: Page, _context: Context) -> Iterator[Candidate]:
    """Companies, by their legal form or trade word, or announced as such."""
    for pattern, sure in ((_COMPANY, 0.9), (_COMPANY_CUE, 0.9)):
        for found in pattern.finditer(page.free):
            start, end = found.span("name")
            words = page.free[start:end].split()
            while words and words[0].lower().strip(".,") in _NO_NAMES:
                start = page.free.index(words[1], start + len(words[0])) if len(words) > 1 else end
                words = words[1:]
            if (len(words) < 2 and pattern is _COMPANY) or not words:
                continue
            value = (
                " ".join(words).rstrip(".,")
                if not page.free[start:end].endswith(("Inc.", "Co.", "Ltd."))
                else " ".join(words)
            )
            page.take(start, end)
            yield Candidate(Kind.COMPANY, value, start, end, sure)


def persons(page: Page, _context: Context) -> Iterator[Candidate]:
    """People, the surest announcement first."""
    for found in _STRONG.finditer(page.free):
        candidate = _person(page, found, 0.95, any_case=True)
        if candidate is not None:
            yield candidate
    for pattern, sure in (*_CUES[:3], (_SIGNED, 0.9), (_LAST_WORD, 0.82), *_CUES[3:], (_FIRST_LINE, 0.85)):
        for found in pattern.finditer(page.free):
            candidate = _person(page, found, sure)
            if candidate is not None:
                yield candidate


def _person(page: Page, found: re.Match[str], sure: float, *, any_case: bool = False) -> Candidate | None:
    start, end = found.span("name")
    words = [(word[0], start + word.start()) for word in re.finditer(r"\S+", page.free[start:end])]
    kept: list[tuple[str, int]] = []
    for word, at in words:
        bare = word.lower().strip(".,'’")
        if bare in {"and", "&"} and kept and len(words) > len(kept) + 1:
            kept.append((word, at))
            continue
        if bare in _NO_NAMES or (any_case and not word[0].isupper() and bare in _STOP):
            break
        kept.append((word, at))
    while kept and re.fullmatch(_PARTICLES, kept[-1][0]):
        kept.pop()
    titles = re.compile(r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\.?")
    if not kept or all(titles.fullmatch(word) for word, _ in kept):
        return None
    start, end = kept[0][1], kept[-1][1] + len(kept[-1][0])
    written = page.free[start:end].rstrip(".,") if len(kept[-1][0]) > 2 else page.free[start:end]
    end = start + len(written)
    page.take(start, end)
    names = [word for word, _ in kept if not titles.fullmatch(word)]
    value = " ".join(written.split())
    lowered = value.islower()
    if lowered:
        value = " ".join(word.capitalize() for word in value.split())
    if len(names) == 1 and not titles.fullmatch(kept[0][0]):
        sure = min(sure, 0.8)
    return Candidate(
        Kind.PERSON, value, start, end, sure - (0.1 if lowered else 0), "person.capitals" if lowered else ""
    )


_STOP = frozenset([
        "and", "from", "at", "with", "in", "on", "or", "but", "calling", "here", "about", "i", "we", "the", "a",
        "need", "my",
])  # fmt: skip
