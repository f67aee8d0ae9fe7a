"""Promises of the import of regional factors: a reason for each row that cannot be taken, nothing guessed, no crash."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.regional_factors import COLUMNS, LEAST, MOST, FactorFile, read_factors
from server.domain.settings import MOST_FACTORS
from server.embedded import load_embedded

EMBEDDED = load_embedded()
HEAD = "country,place,factor,source,as_of\n"


def read(text: str) -> FactorFile:
    return read_factors(text, EMBEDDED.gazetteer, EMBEDDED.catalogue.areas.keys())


@pytest.mark.parametrize(
    ("country", "place", "key", "name"),
    [
        ("US", "Nashville, TN", "place:nashville|TN", "Nashville, TN"),
        ("us", "TN", "admin:TN", "TN, US"),
        ("US", "tennessee", "admin:TN", "TN, US"),
        ("US", "37201", "postcode:37201", "37201, US"),
        ("US", "0034980", "area:0034980", "wage area 0034980, US"),
        ("US", "", "country", "US"),
        ("GB", "Leeds", "place:leeds|ENG", "Leeds, GB"),
        ("GB", "LS", "postcode:LS", "LS, GB"),
        ("GB", "ls6", "postcode:LS6", "LS6, GB"),
        ("GB", "Scotland", "admin:SCT", "SCT, GB"),
        ("CA", "Toronto", "place:toronto|ON", "Toronto, ON"),
        ("CA", "London, ON", "place:london|ON", "London, ON"),
        ("CA", "ON", "admin:ON", "ON, CA"),
        ("DE", "Hamburg", "place:hamburg|", "Hamburg, DE"),
        ("AU", "Perth, WA", "place:perth|WA", "Perth, WA"),
        ("AU", "Western Australia", "admin:WA", "WA, AU"),
    ],
)
def test_a_place_is_understood_in_its_country(country: str, place: str, key: str, name: str) -> None:
    file = read(f'{HEAD}{country},"{place}",0.94,Own survey,2026-03\n')
    assert file.problems == ()
    assert [(one.place, one.name, one.factor) for one in file.factors] == [(key, name, Decimal("0.94"))]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_decimal_marks_and_column_order_are_those_of_the_file(separator: str) -> None:
    rows = [
        ["as_of", "Factor", "place", "COUNTRY", "source"],
        ["2026", "0,94" if separator != "," else "0.94", "Leeds", "GB", "Survey"],
    ]
    file = read("\ufeff" + "\r\n".join(separator.join(row) for row in rows))
    assert [(one.factor, one.source, one.as_of) for one in file.factors] == [(Decimal("0.94"), "Survey", "2026")]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("XX,,0.9,s,2026", "country"),
        ("US,Nowhereville,0.9,s,2026", "place"),
        ("US,Springfield,0.9,s,2026", "place"),
        # Towns that are not known are no state's and no country's factor.
        ('US,"Nowhereville, TN",0.9,s,2026', "place"),
        ("CA,Nowhereville,0.9,s,2026", "place"),
        ("GB,Kent,0.9,s,2026", "place"),
        ("GB,Nashville,0.9,s,2026", "place"),
        ("US,TN,,s,2026", "factor"),
        ("US,TN,-0.9,s,2026", "factor"),
        ("US,TN,nan,s,2026", "factor"),
        ("US,TN,94,s,2026", "factor"),
        ("US,TN,0,s,2026", "factor"),
        ("US,TN,1e3,s,2026", "factor"),
        ("US,TN,0.9,,2026", "source"),
        ("US,TN,0.9,=HYPERLINK(),2026", "source"),
        (f"US,TN,0.9,{'s' * 201},2026", "source"),
        ("US,TN,0.9,a\0b,2026", "source"),
        ("US,TN,0.9,s,21.11.2026", "as_of"),
        ("US,TN,0.9,s,2026-13", "as_of"),
        ("US,TN,0.9,s", ""),
        ('US,"TN,0.9,s,2026', ""),
    ],
)
def test_a_row_that_cannot_be_taken_says_why(row: str, column: str) -> None:
    file = read(f"{HEAD}US,GA,0.9,s,2026\n{row}\n")
    assert [one.column for one in file.problems] == [column]
    assert file.problems[0].line >= 3 or file.problems[0].column == ""
    assert file.problems[0].message


def test_two_rows_for_one_place_an_empty_file_and_too_many_rows_are_told() -> None:
    assert "earlier row" in read(HEAD + "US,TN,0.9,s,2026\nUS,Tennessee,0.8,s,2026\n").problems[0].message
    assert [one.line for one in read(HEAD).problems] == [0]
    assert "columns must be" in read("place,factor\n").problems[0].message
    assert "columns must be" in read("").problems[0].message
    assert str(MOST_FACTORS) in read(HEAD + "US,,x,s,2026\n" * (MOST_FACTORS + 9)).problems[-1].message
    assert read("x" * 300_000).problems


cells = st.text(max_size=12) | st.sampled_from(["US", "GB", "TN", "Leeds", "0.9", "2026", '"', ",", "=", "\n"])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(cells, max_size=6).map(",".join), max_size=5).map("\n".join), st.booleans())
def test_no_file_raises_and_what_is_taken_is_in_bounds(text: str, head: bool) -> None:
    file = read(HEAD + text if head else text)
    assert file.factors or file.problems
    for one in file.factors:
        assert LEAST <= one.factor <= MOST and one.source and one.as_of and one.place
    assert all(one.column in {"", *COLUMNS} for one in file.problems)
