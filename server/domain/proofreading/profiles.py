"""Kinds of field, and the languages that are checked (D24, D25)."""

from __future__ import annotations

#: Text that is no sentence: no rule about sentences, articles or commas holds.
FRAGMENTS = frozenset(("line_item_description", "title"))
#: What a person meant as it stands: it comes back as it was sent.
PROTECTED = frozenset(
    (
        "credential", "password", "email", "phone", "contact", "address", "money", "price", "date", "time", "choice",
        "id", "number", "search", "url",
    )
)  # fmt: skip
#: Locales that are really checked, and the region whose spelling each has.
REGIONS = {"en-AU": "AU", "en-CA": "CA", "en-GB": "GB", "en-US": "US"}
#: The locale of a workspace by its country, where English is checked; others are checked as American.
LOCALE_OF_COUNTRY = {region: locale for locale, region in REGIONS.items()} | {"IE": "en-GB", "NZ": "en-AU"}
