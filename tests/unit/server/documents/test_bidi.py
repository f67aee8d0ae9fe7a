"""Cases of UAX #9 as its text gives them: capitals stand for Hebrew letters, "1" for European digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.documents import bidi

#: Letters A to Z as Hebrew ones, which every rule treats alike.
HEBREW = {chr(65 + number): chr(0x5D0 + number) for number in range(26)}
LATIN = {hebrew: latin for latin, hebrew in HEBREW.items()}


def seen(text: str) -> str:
    """What a reader sees, capitals standing for Hebrew letters."""
    logical = "".join(HEBREW.get(character, character) for character in text)
    visual = bidi.visual_order(logical, bidi.levels_of(logical), bidi.base_level(logical))
    return "".join(LATIN.get(character, character) for character in visual)


@pytest.mark.parametrize(
    ("logical", "visual"),
    [
        ("car is THE CAR in arabic", "car is RAC EHT in arabic"),
        ("CAR IS the car IN ENGLISH", "HSILGNE NI the car SI RAC"),
        ("THE (car)", "(car) EHT"),
        ("he said ABC (DEF) today", "he said (FED) CBA today"),
        ("PRICE 1,250.00", "1,250.00 ECIRP"),
        ("PRICE 50%", "50% ECIRP"),
        ("PRICE $12.50 ONLY", "YLNO $12.50 ECIRP"),
        ("ROOM 12 AND 3-4", "3-4 DNA 12 MOOR"),
        ("total 12 m2", "total 12 m2"),
        ("ABC", "CBA"),
        ("ABC def GHI", "IHG def CBA"),
        ("", ""),
    ],
)
def test_text_is_seen_as_the_algorithm_says(logical, visual):
    assert seen(logical) == visual


def test_arabic_letters_join_and_numbers_keep_their_order():
    joined = bidi.join_letters("سلام")
    assert joined == "\ufeb3\ufefc\ufee1"
    text = bidi.join_letters("رقم 42")
    assert bidi.visual_order(text, bidi.levels_of(text), bidi.base_level(text)).startswith("42 ")


def test_marks_stay_on_their_letters():
    text = "אָב"
    assert bidi.visual_order(text, bidi.levels_of(text), 1) == "באָ"


@given(st.text(st.sampled_from("aZ 1,.%$()אבشع٣\u0301-+:"), max_size=60))
def test_nothing_is_lost_and_the_first_direction_rules(text):
    levels = bidi.levels_of(text)
    assert len(levels) == len(text)
    visual = bidi.visual_order(text, levels, bidi.base_level(text))
    unmirrored = visual.translate(str.maketrans("()", "  "))
    assert sorted(unmirrored.replace(" ", "")) == sorted(text.translate(str.maketrans("()", "  ")).replace(" ", ""))
    assert {level % 2 for level in levels} <= {0, 1}
