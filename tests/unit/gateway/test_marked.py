"""Promises of marked texts: no word is lost or changed, marks are nested, each begins and ends once."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.web.portal.marked import MOST_SHOWN, Mark, pieces

SPAN = st.tuples(st.integers(0, 45), st.integers(0, 45))


def marks_of(spans):
    return [Mark(number + 10, number, *span) for number, span in enumerate(spans, start=1)]


def words(found):
    """What each mark holds, by line."""
    held, open_ = {}, []
    for piece in found:
        if piece.opens:
            held.setdefault(piece.opens.line_id, "")
            open_.append(piece.opens)
        elif piece.closes:
            assert open_.pop() == piece.closes, "nested"
        for one in open_:
            held[one.line_id] += piece.text
    assert not open_
    return held


@given(st.text(max_size=40), st.lists(SPAN, max_size=8))
def test_a_text_stays_as_it_is_and_each_line_has_its_words(text, spans):
    marks = marks_of(spans)
    found = pieces(text, marks)
    assert "".join(piece.text for piece in found) == text
    known = [one for one in marks if one.start < one.end <= len(text)]
    assert words(found) == {one.line_id: text[one.start : one.end] for one in known}
    for end in ("first", "last"):
        assert sorted((one.opens or one.closes).number for one in found if getattr(one, end)) == [
            one.number for one in known
        ]


@given(st.lists(st.tuples(st.integers(0, 29_999), st.integers(1, 400)), max_size=8))
def test_of_a_long_text_the_words_of_the_lines_are_shown_and_what_is_left_out_is_told(spans):
    text = "".join(chr(97 + place % 26) for place in range(30_000))
    marks = marks_of([(start, min(start + length, len(text))) for start, length in spans])
    found = pieces(text, marks)
    assert words(found) == {one.line_id: text[one.start : one.end] for one in marks}
    assert sum(len(piece.text) for piece in found) < MOST_SHOWN
    gaps = [piece for piece in found if not (piece.text or piece.opens or piece.closes)]
    shown = [piece.text for piece in found if piece.text]
    assert all(one in text for one in shown)
    assert gaps
