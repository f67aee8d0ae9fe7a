"""What was learned of how people say a work, and when it is taken."""

from __future__ import annotations

from server.domain.drafting.choosing import WEIGHTS, Chooser, features
from server.domain.drafting.matching import TaskIndex, Word
from server.domain.drafting.numbers import tokenize
from server.domain.drafting.reading import read_request
from server.embedded import load_embedded
from tests.unit.server.domain.drafting.sample import sample_catalogue
from tools.drafting.choosing import PHRASINGS

CATALOGUE = load_embedded().catalogue
INDEX = TaskIndex.build(CATALOGUE)
TOY = Chooser(["fence.new", "none", "tap.new"], {"BIAS": "0:0 1:10", "drip": "2:300 0:-50", "sink tap": "2:100"})


def words(text: str) -> tuple[Word, ...]:
    return INDEX.words(tokenize(text))


def test_pairs_are_of_neighbours_and_words_of_place_are_apart() -> None:
    said = (Word("sink", 0, 4), Word("taps", 5, 9), Word("kitchen", 13, 20, 0.35), Word("12", 21, 23))
    assert features(said) == sorted(["sink", "tap", "sink tap", "~kitchen", "#"])


def test_chances_are_of_all_tasks_together() -> None:
    choice, chances = TOY.likeliest((Word("drip", 0, 4),))
    assert choice is not None and choice.task_id == "tap.new" and choice.words == {"drip"}
    assert choice.chance == chances["tap.new"] > 0.8
    assert sum(chances.values()) < 1


def test_words_that_were_never_said_choose_nothing() -> None:
    assert TOY.likeliest((Word("zebra", 0, 5),)) == (None, {})
    assert INDEX.chosen(words("qwertz zxcv"), (), stated=False)[0] is None


def test_a_small_catalogue_has_no_learned_choices() -> None:
    assert TaskIndex.build(sample_catalogue()).chosen(words("the tap drips"), (), stated=False) == (None, {})


def test_the_task_of_another_verb_is_not_chosen() -> None:
    said = words("grass is knee high")
    chosen, _ = INDEX.chosen(said, (), stated=False)
    assert chosen is not None and chosen.task.task_id == "landscaping.mowing"
    refused, chances = INDEX.chosen(said, ("replace",), stated=True)
    assert refused is None and max(chances, key=chances.__getitem__) == "landscaping.mowing"


def test_what_no_name_says_is_read_as_its_task() -> None:
    takeoff = read_request("Please wax vct in the hallway, 400 sq ft", industry="", index=INDEX, gazetteer=None)
    assert len(takeoff.items) == 1


def test_phrasings_and_weights_are_of_tasks_that_there_are() -> None:
    rows = [line.split("\t") for line in PHRASINGS.read_text("utf-8").splitlines()]
    assert all(len(row) == 2 and row[1].strip() == row[1] != "" for row in rows)
    assert len(set(map(tuple, rows))) == len(rows)
    said_of = {label for label, _ in rows}
    assert said_of - {"none"} <= set(CATALOGUE.tasks)
    assert len(said_of) > 550
    labels = WEIGHTS.read_text("utf-8").partition("\n")[0].split()
    assert set(labels) - {"none"} == set(CATALOGUE.tasks)
