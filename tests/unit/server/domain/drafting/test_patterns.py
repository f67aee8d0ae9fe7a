import re

from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.drafting.patterns import alternatives, cues, folded

_LONG = r"(?:\b(?:by|hot|(?:no|a)t?)? us\b|\b(?:(?:a|me)+,|\|y|left)-|\bnot incl\b|^\W*no (?=[a-z])|\bby (?:us|me)\b|(?<!a )\bleft|[|(]x\)|\|y|(?:^\W*|\bme )hot|\bnot the\b)"


def test_only_bars_outside_of_groups_and_classes_cut() -> None:
    assert alternatives(_LONG) == [
        r"\b(?:by|hot|(?:no|a)t?)? us\b", r"\b(?:(?:a|me)+,|\|y|left)-",
        r"\bnot incl\b", r"^\W*no (?=[a-z])", r"\bby (?:us|me)\b", r"(?<!a )\bleft", r"[|(]x\)", r"\|y", r"(?:^\W*|\bme )hot", r"\bnot the\b",
    ]  # fmt: skip
    assert alternatives("(?:a|b)|(?:c)") == ["(?:a|b)", "(?:c)"]


_PIECES = st.sampled_from(
    ["not", "incl", "included", "no", "by", "us", "me", "a", "left", "(x)", "|y", "the", " ", ", ", "-", "knot", "hot"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=12).map("".join))
def test_cues_are_found_where_the_plain_pattern_finds_them(text: str) -> None:
    plain, grouped = re.search(_LONG, text), cues(_LONG).search(text)
    assert (plain and plain.start()) == (grouped and grouped.start())


def test_a_folded_text_has_everything_where_it_stood() -> None:
    assert folded("Paint the HALL") == "paint the hall"
    assert folded("İzmir: paint the HALL") == "İzmir: paint the HALL"
