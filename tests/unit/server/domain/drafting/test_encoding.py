"""The reader of whole requests: what it reads, how much, and that it sees what stands around."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.drafting import encoding
from server.domain.drafting.choosing import chooser
from server.domain.drafting.encoding import AGAIN, MOST_READ, WINDOW, encoder
from server.domain.drafting.wordpieces import FIRST, LAST, UNKNOWN, Vocabulary

VOCABULARY = Vocabulary(["tap", "drip", "##s", FIRST, LAST, UNKNOWN])


def clauses_at(text: str, *words: str) -> list[tuple[int, int]]:
    return [(text.index(one), text.index(one) + len(one)) for one in words]


def chance(text: str, words: str, task: str) -> float:
    reading = encoder().read(text, clauses_at(text, words))
    return float(reading.chances[0, encoder().labels.index(task)])


def test_ends_of_lines_and_unknown_words_are_read_as_such() -> None:
    assert VOCABULARY.whole("taps\n\nzzz tap") == ([0, 2, 4, 5, 0], [0, 0, 5, 6, 10])


def test_both_readers_know_the_same_tasks() -> None:
    assert encoder().labels == chooser().labels


@settings(deadline=None)
@given(st.text(max_size=400), st.integers(0, 400))
def test_any_text_is_read(text: str, cut: int) -> None:
    clauses = [(0, min(cut, len(text))), (min(cut, len(text)), len(text))]
    reading = encoder().read(text, clauses)
    assert np.isfinite(reading.chances).all() and np.isfinite(reading.asks).all()
    assert np.allclose(reading.chances.sum(axis=1), 1, atol=1e-3)
    assert ((reading.asks >= 0) & (reading.asks <= 1)).all()


def test_nothing_is_read_of_no_clauses_and_of_no_words() -> None:
    assert encoder().read("Fix the tap", []).chances.shape == (0, len(encoder().labels))
    assert encoder().read("Fix the tap    ", [(0, 11), (11, 15)]).read.tolist() == [True, False]


@pytest.mark.parametrize("text", ["want it replaced", "have it taken away"])
def test_a_clause_is_read_with_what_stands_before_it(text: str) -> None:
    fence, toilet = (f"The {thing} is broken. We {text}." for thing in ("garden fence", "toilet"))
    told = [encoder().read(one, clauses_at(one, text)).chances[0] for one in (fence, toilet)]
    trades = [encoder().labels[int(row.argmax())].partition(".")[0] for row in told]
    assert trades[0] != trades[1]


def test_what_was_done_asks_less_than_what_is_wanted() -> None:
    text = "We had the gutters cleaned last year. Please replace the front door."
    done, wanted = encoder().read(text, clauses_at(text, "We had the gutters cleaned", "replace the front door")).asks
    assert done < 0.2 < 0.5 < wanted


def test_the_order_of_words_is_read() -> None:
    assert chance("paint over the wallpaper", "paint over the wallpaper", "painting.interior-walls") != chance(
        "wallpaper over the paint", "wallpaper over the paint", "painting.interior-walls"
    )


def test_a_long_text_is_read_to_its_end_as_its_last_part_is() -> None:
    text = "The hall is fine. " * 200 + "Please unblock the kitchen sink."
    assert len(encoder()._vocabulary.whole(text)[0]) > 2 * (WINDOW + AGAIN)
    (row,) = encoder().read(text, clauses_at(text, "unblock the kitchen sink")).chances
    assert encoder().labels[int(row.argmax())] == "plumbing.drain-snaking"


def test_more_than_can_be_read_in_time_is_left_unread() -> None:
    text = "- " * (MOST_READ + 10) + "unblock the sink"
    assert encoder().read(text, [(0, 40), *clauses_at(text, "unblock the sink")]).read.tolist() == [True, False]


def test_a_request_is_read_alike_whatever_processor_reads_it() -> None:
    """Where products of eight bits saturate, chances come to something else (docs/adr/0027-a-second-reader.md)."""
    text = "Lowe's is dropping off my 50 gal water heater Thursday, I need it installed Friday. "
    text += "Inspector failed the rear porches. Replace 60 ft of guardrail, strip and wax 600 sq ft of VCT."
    asked = ["I need it installed Friday", "Inspector failed the rear porches", "strip and wax 600 sq ft of VCT"]
    reading = encoder().read(text, clauses_at(text, *asked))
    assert np.allclose(reading.chances.max(axis=1), [0.463, 0.299, 0.703], atol=0.01)


def test_the_quicker_products_are_taken_only_where_they_are_exact() -> None:
    pieces = {"pieces": np.arange(1000, 1300)}
    exact, quick = (encoding._session(encoding.NETWORK, exact=one).run(None, pieces)[0] for one in (True, False))
    assert np.array_equal(exact, encoder()._session.run(None, pieces)[0])
    assert encoding.products_are_exact() == np.array_equal(exact, quick)
