from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.domain.words import fold, stem, stems, tokens


def test_tokens_are_folded_words_and_numbers() -> None:
    assert tokens("Re-paint 2 Doors, 12.5 m") == ["re", "paint", "2", "doors", "12.5", "m"]
    assert fold("Façade") == "facade"


def test_british_and_american_spellings_share_a_stem() -> None:
    for british, american in (("aluminium", "aluminum"), ("fibre", "fiber"), ("tyres", "tires"), ("mould", "mold")):
        assert stem(british) == stem(american)


def test_forms_of_a_word_share_a_stem() -> None:
    assert stems("gutters painting tiles") == stems("gutter paint tile")


@given(st.text(max_size=200))
def test_any_text_can_be_cut(text: str) -> None:
    assert all(stem(token) for token in tokens(text))
