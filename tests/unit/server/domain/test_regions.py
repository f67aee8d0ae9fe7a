from __future__ import annotations

import pytest

from server.domain.catalogue import Place
from server.domain.draft import Coverage
from server.domain.regions import Gazetteer
from server.domain.wages import local_wage
from server.embedded import Embedded


@pytest.mark.parametrize(
    ("text", "name", "admin", "country", "postcode"),
    [
        ("37201", "Nashville", "TN", "US", "37201"),
        ("94301-1234", "Palo Alto", "CA", "US", "94301"),
        ("12 Elm St, Austin, TX 78701", "Austin", "TX", "US", "78701"),
        ("LS6 2AB", "Leeds", "ENG", "GB", "LS6"),
        ("ls62ab", "Leeds", "ENG", "GB", "LS6"),
        ("LS", "Leeds", "ENG", "GB", "LS"),
        ("EH1", "Edinburgh", "SCT", "GB", "EH1"),
        ("BT7 1NN", "Belfast", "NIR", "GB", "BT"),
        ("Nashville, 99999", "Nashville", "TN", "US", ""),
    ],
)
def test_a_postcode_names_its_place(
    gazetteer: Gazetteer, text: str, name: str, admin: str, country: str, postcode: str
) -> None:
    match = gazetteer.find(text)
    assert match is not None
    place = match.place
    assert (place.name, place.admin, place.country, place.postcode) == (name, admin, country, postcode)


@pytest.mark.parametrize(
    ("text", "postcode"),
    [
        ("Paint 20 m2 of walls in 37201", "37201"),
        ("Fix the tap, TN 37201", "37201"),
        ("Lay laminate at LS6 2AB", "LS6"),
        ("Deliver 37201 bricks", None),
        ("Invoice 37201: lay 20 m2 of laminate", None),
        ("Fit a B22 lamp holder", None),
    ],
)
def test_a_request_names_a_place_by_postcode_only_where_it_is_clearly_one(
    gazetteer: Gazetteer, text: str, postcode: str | None
) -> None:
    found = gazetteer.find_in_request(text)
    assert (found[0].postcode if found is not None else None) == postcode
    if found is not None:
        assert text[found[1].start : found[1].end].startswith(found[0].postcode)


@pytest.mark.parametrize(
    ("text", "name", "admin", "country"),
    [
        ("Nashville", "Nashville", "TN", "US"),
        ("Nashville, TN", "Nashville", "TN", "US"),
        ("nashville tennessee", "Nashville", "TN", "US"),
        ("Springfield IL", "Springfield", "IL", "US"),
        ("Leeds UK", "Leeds", "ENG", "GB"),
        ("San Jose CA", "San Jose", "CA", "US"),
        ("12 Elm St, Austin, TX 78701", "Austin", "TX", "US"),
        ("NYC", "New York City", "NY", "US"),
        ("Saint Louis, Missouri", "St. Louis", "MO", "US"),
        ("Toronto ON", "Toronto", "ON", "CA"),
        ("Texas", "Texas", "TX", "US"),
    ],
)
def test_a_location_text_names_its_place(gazetteer: Gazetteer, text: str, name: str, admin: str, country: str) -> None:
    match = gazetteer.find(text)
    assert match is not None
    assert (match.place.name, match.place.admin, match.place.country) == (name, admin, country)


def test_a_choice_among_namesakes_is_said(gazetteer: Gazetteer) -> None:
    match = gazetteer.find("Springfield")
    assert match is not None
    assert match.ambiguous
    assert "most populous" in match.note


def test_the_hinted_country_decides_a_bare_name(gazetteer: Gazetteer) -> None:
    british = gazetteer.find("Leeds", "GB")
    american = gazetteer.find("Leeds", "US")
    assert british is not None
    assert american is not None
    assert british.place.country == "GB"
    assert american.place.admin == "AL"
    assert american.ambiguous


@pytest.mark.parametrize(
    ("text", "hint", "name", "country"),
    [
        ("Norwich, Norfolk", "GB", "Norwich", "GB"),
        ("Norwich Norfolk", "GB", "Norwich", "GB"),
        ("12 High Street, Maidstone, Kent", "GB", "Maidstone", "GB"),
        ("Guildford, Surrey", "GB", "Guildford", "GB"),
        ("Leeds, West Yorkshire", "GB", "Leeds", "GB"),
        ("Edinburgh, Midlothian", "GB", "Edinburgh", "GB"),
        ("Bolton, Greater Manchester", "GB", "Bolton", "GB"),
        ("Belfast, Co. Antrim", "GB", "Belfast", "GB"),
        # A county alone, or with a town that nobody knows, is still no place in America.
        ("Kent", "GB", "Kent", "GB"),
        ("Xyzzyham, West Yorkshire", "GB", "West Yorkshire", "GB"),
        # No American place has these names; of the others an American means the American one.
        ("Leeds, West Yorkshire", "US", "Leeds", "GB"),
        ("Maidstone, Kent", "US", "Maidstone", "GB"),
        ("Norwich, Norfolk", "US", "Norfolk", "US"),
        ("Kent", "US", "Kent", "US"),
        ("Downtown Cleveland", "US", "Cleveland", "US"),
        ("Manchester, New Hampshire", "GB", "Manchester", "US"),
        ("Austin, Travis County", "US", "Austin", "US"),
        ("Leeds, Old Yorkshire", "GB", "Leeds", "GB"),
        ("12 Elm Street, Norfolk", "GB", "Norfolk", "GB"),
        ("Appleby-in-Westmorland", "GB", "Appleby-in-Westmorland", "GB"),
    ],
)
def test_a_british_county_behind_its_town_is_no_town_abroad(
    gazetteer: Gazetteer, text: str, hint: str, name: str, country: str
) -> None:
    match = gazetteer.find(text, hint)
    assert match is not None
    assert (match.place.name, match.place.country) == (name, country)


@pytest.mark.parametrize(
    ("text", "hint", "name", "admin"),
    [
        ("Toronto, ON M5V 2T6", "US", "Toronto", "ON"),
        ("Toronto, ON, CA M5V2T6", "US", "Toronto", "ON"),
        ("Mississauga L5B 2C9", "US", "Mississauga", "ON"),
        ("London N6A 3K7", "GB", "London", "ON"),
        ("100 King St W, Toronto, Ontario, M5X 1A9, Canada", "CA", "Toronto", "ON"),
        ("M5V 2T6", "US", "Ontario", "ON"),
        ("BC V6B 1A1", "CA", "British Columbia", "BC"),
        ("Xyzzyville T2P 1J9", "CA", "Alberta", "AB"),
        ("Toronto M5V", "CA", "Toronto", "ON"),
        ("Iqaluit X0A 0H0", "CA", "Iqaluit", "NU"),
    ],
)
def test_a_canadian_postcode_is_of_its_province_and_no_british_one(
    gazetteer: Gazetteer, text: str, hint: str, name: str, admin: str
) -> None:
    match = gazetteer.find(text, hint)
    assert match is not None
    assert (match.place.name, match.place.admin, match.place.country) == (name, admin, "CA")


@pytest.mark.parametrize(
    ("text", "hint", "name", "admin", "country"),
    [
        ("UK", "US", "United Kingdom", "", "GB"),
        ("Canada", "US", "Canada", "", "CA"),
        ("Australia", "US", "Australia", "", "AU"),
        ("U.S.A.", "GB", "United States", "", "US"),
        ("England", "US", "England", "ENG", "GB"),
        ("Scotland, UK", "US", "Scotland", "SCT", "GB"),
        ("England, Arkansas", "US", "England", "AR", "US"),
        ("Wales, MA", "US", "Wales", "MA", "US"),
        ("CA", "US", "California", "CA", "US"),
        ("WA", "US", "Washington", "WA", "US"),
        ("TX, USA", "GB", "Texas", "TX", "US"),
        ("NY", "US", "New York", "NY", "US"),
        ("ON", "CA", "Ontario", "ON", "CA"),
        ("WA", "AU", "Western Australia", "WA", "AU"),
        ("Victoria", "AU", "Victoria", "VIC", "AU"),
        ("Tasmania", "US", "Tasmania", "TAS", "AU"),
        # Where they are no codes of states.
        ("CA", "GB", "Carlisle", "ENG", "GB"),
        ("Xyzzyham, UK", "US", "United Kingdom", "", "GB"),
        ("Xyzzy Creek NSW", "US", "New South Wales", "NSW", "AU"),
        # Towns first, as before.
        ("New York", "US", "New York City", "NY", "US"),
        ("12 Elm St, New York", "US", "New York City", "NY", "US"),
        ("Victoria", "US", "Victoria", "TX", "US"),
        ("12 Elm St, Victoria", "US", "Victoria", "TX", "US"),
        ("Ontario", "US", "Ontario", "CA", "US"),
    ],
)
def test_a_country_or_the_code_of_a_state_is_a_place(
    gazetteer: Gazetteer, text: str, hint: str, name: str, admin: str, country: str
) -> None:
    match = gazetteer.find(text, hint)
    assert match is not None
    assert (match.place.name, match.place.admin, match.place.country) == (name, admin, country)


@pytest.mark.parametrize("hint", ["US", "AU"])
@pytest.mark.parametrize(
    ("text", "name", "admin"),
    [
        ("Sydney NSW 2000", "Sydney", "NSW"),
        ("1 Collins St, Melbourne, VIC, 3000", "Melbourne", "VIC"),
        ("Melbourne Victoria 3000", "Melbourne", "VIC"),
        ("Perth WA 6000", "Perth", "WA"),
        ("Perth, WA, Australia", "Perth", "WA"),
        ("Perth, Western Australia", "Perth", "WA"),
        ("Darwin NT 0800", "Darwin", "NT"),
        ("Sydney 2000, Australia", "Sydney", "NSW"),
    ],
)
def test_an_australian_postcode_hides_no_town(
    gazetteer: Gazetteer, text: str, hint: str, name: str, admin: str
) -> None:
    match = gazetteer.find(text, hint)
    assert match is not None
    assert (match.place.name, match.place.admin, match.place.country) == (name, admin, "AU")


def test_where_australia_is_meant_four_digits_are_a_postcode(gazetteer: Gazetteer) -> None:
    match = gazetteer.find("Sydney 2000", "AU")
    assert match is not None
    assert match.place.name == "Sydney"
    assert gazetteer.find("2000", "AU") is None


def test_an_unknown_place_is_none(gazetteer: Gazetteer) -> None:
    assert gazetteer.find("xyzzy") is None
    assert gazetteer.find("") is None
    assert gazetteer.find(" , ,") is None


@pytest.mark.parametrize(
    ("text", "name", "phrase"),
    [
        ("Paint two bedrooms in Nashville", "Nashville", "Nashville"),
        ("fix a tap near Leeds, please", "Leeds", "Leeds"),
        ("Replace roof at 9 Oak Rd, Austin TX 78701", "Austin", "Austin TX"),
        ("in San Jose, CA we need a deck", "San Jose", "San Jose, CA"),
        ("retile the bath in Bath, UK", "Bath", "Bath, UK"),
        ("lay sod in Mobile, AL", "Mobile", "Mobile, AL"),
        ("We live in Fort Worth, Texas and want a fence", "Fort Worth", "Fort Worth, Texas"),
    ],
)
def test_a_location_phrase_is_found_with_its_span(gazetteer: Gazetteer, text: str, name: str, phrase: str) -> None:
    found = gazetteer.find_in_request(text)
    assert found is not None
    place, span = found
    assert place.name == name
    assert text[span.start : span.end] == phrase


@pytest.mark.parametrize(
    ("text", "name", "phrase"),
    [
        ("Replace the kitchen faucet. Tulsa, by 41st & Yale. thx", "Tulsa", "Tulsa"),
        ("Cabinet install only, south Minneapolis. The old kitchen is gutted.", "Minneapolis", "Minneapolis"),
        ("Garage clean-out in Ballard, Seattle. One truck.", "Seattle", "Seattle"),
        ("san diego (north park) - dishwasher swap, i have it here", "San Diego", "san diego"),
        ("Just closed on the house (Naperville, yay). Rekey 4 cylinders.", "Naperville", "Naperville"),
        ("need a drywall guy san antonio 78250. two holes", "San Antonio", "78250"),
        ("Job #3308 attic, Duluth 55811. Blow in insulation.", "Duluth", "55811"),
    ],
)
def test_a_city_alone_between_two_signs_or_beside_its_code_is_where(
    gazetteer: Gazetteer, text: str, name: str, phrase: str
) -> None:
    found = gazetteer.find_in_request(text)
    assert found is not None
    place, span = found
    assert place.name == name
    assert text[span.start : span.end] == phrase


@pytest.mark.parametrize(
    "text",
    [
        # Who is written to, who writes, and makes.
        "Austin, can you paint the hall?",
        "Paint the hall. Thanks, Tulsa",
        "Replace the boiler, Worcester, 30kW",
        "Replace the condenser (York, 3 ton), same place",
        # A town of which nobody would think, and a code of another state.
        "Clean the gutters. Aberdeen, by the shed. Thanks",
        "Ship 400 tulsa 78250 bolts",
    ],
)
def test_a_name_between_two_signs_that_may_be_another_is_no_place(gazetteer: Gazetteer, text: str) -> None:
    assert gazetteer.find_in_request(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "new floor in the kitchen",
        "Install a shower in Bath",
        "light in Reading room",
        "paint a mobile home orange",
        "2 doors OR windows",
        "Fix the heater IN the basement",
        "Fence in May",
        "hang drywall in Garage, tape and finish",
        "Install 2 outlets in Master Bedroom",
        "Need tile in White, about 40 sq ft",
        "clean gutters for me, ok?",
        "",
    ],
)
def test_ordinary_words_are_no_places(gazetteer: Gazetteer, text: str) -> None:
    assert gazetteer.find_in_request(text) is None


def test_a_misspelled_city_gets_a_suggestion(gazetteer: Gazetteer) -> None:
    assert gazetteer.suggest("Nashvile", "US") == "Nashville"
    assert gazetteer.suggest("nashville", "US") == "Nashville"
    assert gazetteer.suggest("Leds", "GB") == "Leeds"
    assert gazetteer.suggest("Nashvile, TN", "US") == "Nashville"
    assert gazetteer.suggest("Jacksonvile, Texas", "US") == "Jacksonville"
    assert gazetteer.suggest("Nashvile, Alaska", "US") is None
    assert gazetteer.suggest("qqqqqq", "US") is None
    assert gazetteer.suggest("", "US") is None


def test_the_wage_is_the_areas_own_then_scaled_then_none(embedded: Embedded) -> None:
    catalogue = embedded.catalogue

    def place(name: str) -> Place:
        match = embedded.gazetteer.find(name)
        assert match is not None
        return match.place

    own = local_wage(catalogue, place("Nashville, TN"), "472111")
    assert own is not None
    assert (own.scaled.area_code, own.coverage) == ("0034980", Coverage.MEASURED)
    missing = next(
        (code, area.area_code)
        for area in catalogue.areas.values()
        if area.kind == "M" and area.labour_factor is not None
        for code in ("472161", "472131")
        if (area.area_code, code) not in catalogue.wages
    )
    there = Place("Somewhere", "TN", "US", 1, missing[1], wage_basis="principal")
    scaled = local_wage(catalogue, there, missing[0])
    assert scaled is not None
    factor = catalogue.areas[missing[1]].labour_factor
    assert factor is not None
    assert scaled.coverage is Coverage.INTERPOLATED
    assert scaled.scaled.p50 == catalogue.wages["0000000", missing[0]].p50 * factor
    assert "labour factor" in scaled.scaled.row
    assert local_wage(catalogue, place("Leeds, UK"), "472111") is None


@pytest.mark.parametrize(
    "text",
    [
        "Fit a toilet, close coupled, from Victoria Plumb",
        "Replace the toilet. Thanks from Victoria",
        "I spoke to Victoria on Monday about the toilet",
        "Quote for Sydney House: replace the toilet",
        "Get the keys from Kingston Lettings and replace the toilet",
    ],
)
def test_a_person_or_a_firm_is_no_city_abroad(gazetteer: Gazetteer, text: str) -> None:
    assert gazetteer.find_in_request(text, "GB") is None


def test_a_city_that_a_request_is_in_is_where_it_is(gazetteer: Gazetteer) -> None:
    abroad, near = (
        gazetteer.find_in_request("Replace a toilet in Sydney", "GB"),
        gazetteer.find_in_request("For a flat at Bristol", "GB"),
    )
    assert abroad is not None
    assert near is not None
    assert (abroad[0].country, near[0].name) == ("AU", "Bristol")
