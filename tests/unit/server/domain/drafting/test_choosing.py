"""What was learned of how people say a work, and when it is taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.drafting.choosing import NONE, Chooser, chooser
from server.domain.drafting.encoding import Reading
from server.domain.drafting.engine import Drafter
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.reading import read_request
from server.domain.drafting.wordpieces import MOST_PIECES, Pieces, words_of
from server.domain.settings import PricingSettings
from server.embedded import load_embedded
from tests.unit.server.domain.drafting.sample import sample_catalogue
from tools.drafting.choosing import PHRASINGS, Example, Model, Reader, places_of
from tools.drafting.marks import REQUESTS, Marked, marked

CATALOGUE = load_embedded().catalogue
INDEX = TaskIndex.build(CATALOGUE)
PIECES = Pieces(["fence", "tap", "drip", "##s", "##ping", "want", "it", "replaced", "the", "?"])


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A chooser fitted on three lines, from vectors that say nothing."""
    names = ["fence", "tap", "drip", "##s", "want", "it", "replaced", "never"]
    reader = Reader(Pieces(names), {"fence.new": 0, "tap.new": 1, "-": 2})
    examples = [reader.alone(text, [task], 1.0) for text, task in (("fence", "fence.new"), ("tap drips", "tap.new"))]
    examples.append(reader.among(["fence", "want it replaced"], 1, ["fence.new"], 1.0))
    model = Model(np.random.default_rng(1).normal(size=(len(names), 12)).astype(np.float32), 3)
    model.fit(examples * 200, examples)
    file = tmp_path_factory.mktemp("toy") / "weights.npz"
    model.write(["fence.new", "tap.new", NONE], names, file)
    return Chooser(file)


def test_words_are_made_of_their_longest_pieces():
    assert PIECES.of_word("drips") == (2, 3)
    assert PIECES.of_word("drippy") == ()
    assert PIECES.of("The taps?") == [(8, 0), (1, 4), (3, 4), (9, 8)]
    assert [word for word, _ in words_of("Café, façade")] == ["cafe", ",", "facade"]


def test_words_of_any_length_are_passed_over_and_not_kept():
    before = PIECES._kept.cache_info().currsize
    assert PIECES.of("tap " + "fence" * 2000) == [(1, 0)]
    assert PIECES._kept.cache_info().currsize <= before + 1


@given(st.text(max_size=300))
def test_any_text_is_weighed(text):
    pieces = chooser()._pieces.of(text)
    assert len(pieces) <= MOST_PIECES
    assert all(0 <= start < len(text) for _, start in pieces)
    chances = chooser().meant([text, "the tap drips"]).chances
    assert np.isfinite(chances).all()
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-3)


def test_a_clause_means_what_stands_before_it(toy):
    meaning = toy.meant(["fence", "want it replaced"])
    assert next(task for task, _ in meaning.of(1)) == meaning.likeliest(1)[0] == "fence.new"
    assert meaning.chance(1, "fence.new") > 2 * meaning.chance(1, "tap.new") > 0
    assert meaning.chance(1, "unknown.task") == 0
    assert toy.meant([]).chances.shape == (0, 3)


def test_the_words_that_say_a_task_and_those_never_met_are_known_by_where_they_start(toy):
    meaning = toy.meant(["the tap", "never tap"])
    assert 4 in meaning.speaking(0, "tap.new")
    assert meaning.unmet(1) == {0}


def test_a_clause_far_off_is_not_read_with_one():
    texts = ["replace the fence", *["and thank you"] * 12, "want it replaced"]
    near = chooser().meant([texts[0], texts[-1]]).chance(1, "fencing.wood")
    far = chooser().meant([*texts]).chance(13, "fencing.wood")
    assert near > far


def test_a_small_catalogue_has_no_learned_choices():
    assert TaskIndex.build(sample_catalogue()).meant("the tap drips", [(0, 13)]) is None


def test_what_two_readers_hold_likely_is_likelier_than_what_one_does(toy):
    alone = toy.meant(["fence", "tap drips", "..."])
    other = Reading(
        np.array([0.9, 0.2, 0.5]),
        np.array([[0.4, 0.5, 0.1], [0.02, 0.97, 0.01], [1, 0, 0]]),
        np.zeros((3, 4), np.float32),
        np.array([True, True, False]),
    )
    both = alone.with_reading(other)
    assert both.likeliest(0)[0] == "fence.new"
    assert [chance for _, chance in both.of(0)] == sorted(both.chances[0].tolist(), reverse=True)
    assert both.chance(1, "tap.new") > alone.chance(1, "tap.new") > 0.8
    assert np.allclose(both.chances.sum(axis=1), 1)
    # What the other has not read is as it was.
    assert np.allclose(both.chances[2], alone.chances[2])
    assert both.asks[:2].tolist() == [0.9, 0.2] and np.isnan(both.asks[2])


def test_a_clause_with_words_of_its_own_wants_less_of_those_around(toy):
    wanting = toy.meant(["fence", "want it replaced"]).chance(1, "fence.new")
    named = toy.meant(["fence", "tap drips"]).chance(1, "fence.new")
    assert named < wanting


def test_what_no_name_says_is_read_as_its_task_and_says_so():
    takeoff = read_request("My bin is full of wasps, get rid of the nest", industry="", index=INDEX, gazetteer=None)
    assert [item.task_id.partition(".")[0] for item in takeoff.items] == ["pest-control"]


@pytest.mark.parametrize(
    "text",
    ["Repair the flux capacitor", "Replace the violin strings", "Fix my car's transmission", "Repair my phone",
     "Service the espresso machine", "Bake a wedding cake", "Replace the x-ray machine", "Install a ship's propeller"],
)  # fmt: skip
def test_what_no_trade_does_has_no_price(text):
    drafted = Drafter(CATALOGUE, None).draft(text, settings=PricingSettings())
    assert drafted.total_minor == 0


def test_what_is_learned_from_is_of_tasks_that_there_are():
    rows = [line.split("\t") for line in PHRASINGS.read_text("utf-8").splitlines()]
    assert all(len(row) == 2 and row[1].strip() == row[1] != "" for row in rows)
    assert len(set(map(tuple, rows))) == len(rows)
    said_of = {label for label, _ in rows}
    assert said_of - {NONE} <= set(CATALOGUE.tasks)
    assert len(said_of) > 550
    asked = {
        task for line in REQUESTS.read_text("utf-8").splitlines() for mark in marked(line)[1] for task in mark.tasks
    }
    assert asked - {"-"} <= set(CATALOGUE.tasks)
    assert set(chooser().labels) - {NONE} == {task.work for task in CATALOGUE.tasks.values()}


def test_marks_give_ranges_of_the_text_without_them():
    text, found = marked("We moved in.\\n[[Paint two rooms|painting.room]] and [[fit a tap]], [[or two|a.b/c.d]].")
    assert text == "We moved in.\nPaint two rooms and fit a tap, or two."
    assert [text[one.start : one.end] for one in found] == ["Paint two rooms", "fit a tap", "or two"]
    assert [one.tasks for one in found] == [("painting.room",), ("-",), ("a.b", "c.d")]
    assert isinstance(found[0], Marked)


def test_words_without_pieces_or_tasks_are_no_examples():
    reader = Reader(PIECES, {"tap.new": 0, "-": 1})
    assert reader.alone("zzz", ["tap.new"], 1.0) is None
    assert reader.alone("tap", ["unknown.task"], 1.0) is None
    assert reader.alone("tap", ["-", "tap.new", "tap.new"], 2.0) == Example((1,), (0,), (1, 0), 2.0)


def test_a_form_of_a_work_teaches_that_work():
    places = places_of(["doors.interior", NONE], INDEX)
    assert places["doors.fire"] == places["doors.interior"] == 0
    assert places["-"] == places[NONE] == 1
    assert "tap.new" not in places


def test_a_clause_without_a_piece_speaks_for_nothing(toy):
    assert toy.speaking((), "tap.new") == toy.unmet(()) == frozenset()
