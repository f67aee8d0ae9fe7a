"""Names of companies and institutions: by their legal form, by what they are, or announced as such."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.domain.intake.candidate import TAKEN, Candidate, Context, Kind, Page
from server.domain.intake.people import NO_NAMES, is_contracted

LEGAL = (
    r"Ltd|Limited|LLC|L\.L\.C|Inc|Incorporated|Corp|Corporation|Co|Company|PLC|LLP|LP|PC|P\.C|PLLC|CIC|GmbH|Pty(?:[ \t]Ltd)?|"
    r"(?:&|and)[ \t](?:Sons?|Co|Daughters|Partners)|Bros|Brothers|Group|Holdings|Properties|Property Management|"
    r"Builders|Roofing|Plumbing|Heating|Electrical|Electric|Construction|Contractors|Contracting|Services|"
    r"Developments|Homes|Estates|Realty|Lettings|Architects|Landscaping|Painting|Joinery|Motors|Church|School|Hotel|"
    r"Restaurant|Dental|Clinic|Associates|Partners|Solutions|Enterprises|Industries|Maintenance|"
    r"Academy|Nursery|Preschool|Daycare|College|University|Hospital|Surgery|Practice|Pharmacy|Pediatrics|Chiropractic|"
    r"Orthodontics|Veterinary|Vets|Cafe|Café|Coffee|Bakery|Bistro|Diner|Grill|Pizzeria|Pizza|Brewery|Tavern|Inn|Pub|"
    r"Salon|Barbers|Spa|Yoga|Gym|Fitness|Studios?|Gallery|Books|Bookshop|Florist|Florists|Pharmacy|Market|Stores?|Supermarket|"
    r"HOA|Association|Housing|Trust|Foundation|Charity|Council|Parish|Library|Museum|Theatre|Theater|Club|Society|"
    r"Apartments|Rentals|Residential|Residences|Condominiums|Condos|Management|Mgmt|Logistics|Transport|Haulage|Freight|"
    r"Manufacturing|Engineering|Consulting|Consultants|Accountants|Accounting|Insurance|Bank|Capital|Ventures|Title|"
    r"Law|Solicitors|Attorneys|Legal|Media|Design|Designs|Interiors|Technologies|Tech|Systems|Software|Farms?|Ranch|"
    r"Nurseries|Garage|Auto Body|Body Shop|Auto Repair|Auto|Automotive|Tyres|Supply|Supplies|Wholesale|Imports|Foods|Catering|Kitchen|Barn|Lodge|"
    r"Lofts|Towers|Vet|Baptist|Methodist|Lutheran|Presbyterian|Townhomes|Office Park|Business Park|Retail Park|Industrial Estate|Dentistry|Dentists|Veterinarians|Coop|Co-op|Cooperative|Assoc|Unified School District|School District|District|Township|Hall|Care|Care Home|"
    r"Nursing Home|League|Agency|Institute|Centre|Center|Shop|Deli|Takeaway|Garages|Windows|Optical|Opticians|Printers|Boatyard|Yachts|Marina|"
    r"Surveyors|Scaffolding|Flooring|Tiling|Kitchens|Bathrooms|Glass|Glazing|Movers|Removals|Travel|Tours|Hostel|Guest House|B&B|"
    r"Ministries|Storage|Credit Union|Union|Antiques|Thrift|Shelter|Primary|Infants|Juniors|PCC|Assisted Living|Living|Taproom|Temple|Mosque|Synagogue|Chapel|Charter|Montessori|Kennels|Laundry|Cleaners"
)
_WORD = r"(?:[A-Z][\w'’&.-]{0,30}|[0-9][\w&-]{0,8}[A-Za-z]|[a-z]{1,2}[A-Z][\w&-]{1,20})"
_COMPANY = re.compile(
    rf"(?P<name>(?<![\w'’&.,$£€#-])(?:{_WORD}[ \t]+(?:(?:&|and|of)[ \t]+)?){{1,4}}?"
    rf"(?:(?:{LEGAL})\b(?!['’])\.?)(?:[ \t]+\d{{1,3}}(?=[ \t]*(?:\n|$)))?(?:[ \t]+(?:of[ \t]+(?:St\.?[ \t]+)?[A-Z][\w'’-]+|(?:{LEGAL})\b\.?)){{0,3}})"
)
_THE = re.compile(
    rf"(?i:\b(?:from|for|at|by|with)[ \t]+)(?P<name>The[ \t]+[A-Z][\w'’-]+(?:[ \t]+[A-Z][\w'’-]+){{1,2}})(?=[ \t]*(?:\(|,|\n|$|{TAKEN}|-))"
)
#: A house by its sign: ``The Crown & Anchor want …``.
_SIGN = re.compile(
    r"(?:^|[.!\n][ \t]*)(?P<name>The[ \t]+[A-Z][\w'’-]+(?:[ \t]+(?:&|and)[ \t]+|[ \t]+)[A-Z][\w'’-]+)(?=[ \t]+(?:wants?|needs?|ha(?:s|ve)|would|are|is)\b)",
)
_CUE = re.compile(
    r"(?i:\b(?:company|business|firm|organisation|organization)(?:[ \t]+(?:is|name|called))*[ \t]*[:-]?[ \t]+)"
    r"(?P<name>[A-Z][\w'’&.-]{0,30}(?:[ \t]+(?:&|and|of|[A-Z][\w'’&.-]{0,30})){0,4})"
)
#: A lower-case or shouted name with a word that only companies have.
_ONE_CASE = re.compile(
    r"(?<![\w'’&.-])(?P<name>(?:[A-Z][A-Z'’&.-]{1,30}[ \t]+){1,4}(?:& CO|LLC|LTD|INC|CORP|PLC|LLP|LIMITED|LETTINGS|PROPERTIES|HOLDINGS|SERVICES|GROUP|ESTATES|HOMES|TRUST|COUNCIL|ASSOCIATION|SCHOOL|CHURCH)\b)"
    r"|(?:^|[\n:])[ \t]*(?P<low>(?:[a-z][\w'’&.-]{0,20}[ \t]+){1,4}(?:church|school|ltd|llc|inc|academy|hoa|clinic)\b(?:[ \t]+of[ \t]+[a-z]+)?)",
)
#: Firms that are only talked about: who sent the customer, who was cheaper, who insures.
_OTHER_FIRM = re.compile(
    r"\b(?:referr\w+|recommend\w+|found (?:you|us) (?:on|via)|first co|other (?:co|quote|company|firm)|insur\w+|adjuster|claim|quoted? (?:by|from)|used to use|saw|bank(?:ed)?|paid in)\b[^.\n]{0,40}(?:\.? was )?[^.\n]{0,20}$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<!\bBros)(?<!\bAssoc)(?<!\bCorp)[a-z]{4,}\. ")
_FULL_STOP = ("Assoc.", "Inc.", "Co.", "Ltd.", "Corp.")
_SMALL = frozenset({"of", "and", "the", "for"})


def companies(page: Page, _context: Context) -> Iterator[Candidate]:
    """Companies in the order of how surely they are some."""
    for pattern, sure in ((_CUE, 0.9), (_ONE_CASE, 0.88), (_COMPANY, 0.9), (_THE, 0.82), (_SIGN, 0.82)):
        for found in pattern.finditer(page.free):
            group = "name" if found["name"] else "low"
            start, end = found.span(group)
            while (first := re.match(r"(\S+)[ \t]+", page.free[start:end])) and (
                is_contracted(first[1])
                or first[1].lower().strip(".,")
                in NO_NAMES - {"st", "the", "all", "first", "best", "north", "south", "east", "west", "home"}
            ):
                start += first.end()
            words = page.free[start:end].split()
            if not words or (len(words) < 2 and pattern is not _CUE) or (words[0] == "The" and len(words) < 3):
                continue
            written = page.text[start:end]
            written = written if written.endswith(_FULL_STOP) else written.rstrip(".,")
            end = start + len(written)
            value = " ".join(written.split())
            if group == "low":
                value = " ".join(
                    word if word in _SMALL and place else word.capitalize() for place, word in enumerate(value.split())
                )
            if _SENTENCE_END.search(value):
                continue
            page.take(start, end)
            if _OTHER_FIRM.search(page.text[max(0, start - 70) : start]):
                continue
            yield Candidate(Kind.COMPANY, value, start, end, sure, "company.capitals" if value != written else "")
