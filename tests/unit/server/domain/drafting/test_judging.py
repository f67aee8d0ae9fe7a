"""Judging: how likely a line is right, from how it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from unittest.mock import patch

import pytest

from server.domain.drafting import judging
from server.domain.drafting.items import Measured
from server.domain.drafting.judging import Judge
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.reading import read_request
from server.domain.drafting.scope import Scope
from server.domain.drafting.settling import DOUBTFUL
from server.domain.takeoff import Answer, Takeoff
from server.embedded import load_embedded
from tests.unit.server.domain.drafting.sample import sample_catalogue

INDEX = TaskIndex.build(load_embedded().catalogue)
TWO = "We need 30 m of gutter replaced and 4 radiators installed"


def read(text: str, *answers: Answer, sure: bool = False, index: TaskIndex = INDEX) -> Takeoff:
    return read_request(text, industry="", index=index, gazetteer=None, answers=answers, sure=sure)


@dataclass(frozen=True)
class Always:
    """In the place of trees: every line has one chance."""

    chance: float

    def chances(self, rows: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
        return [dict.fromkeys(("work", "line", "unknown"), self.chance) for _ in rows]


@contextmanager
def holding(chance: float) -> Iterator[None]:
    """Every line is as likely right."""
    with patch.object(judging, "trees", lambda: Always(chance)):
        yield


@pytest.fixture
def doubting() -> Iterator[None]:
    """Every line is most doubtful."""
    with holding(0.01):
        yield


@pytest.mark.usefixtures("doubting")
def test_a_doubtful_line_is_named_and_not_drafted() -> None:
    takeoff = read(TWO)
    assert takeoff.items == ()
    assert len(takeoff.unread) == 2


@pytest.mark.usefixtures("doubting")
def test_the_only_work_and_what_is_known_to_ask_are_never_left_out() -> None:
    assert len(read("Install 4 radiators").items) == 1
    assert len(read("Replace 30 m of gutter and install 4 radiators").items) == 2
    assert len(read(TWO, sure=True).items) == 2
    assert len(read(TWO, index=TaskIndex.build(sample_catalogue())).items) == 2


def test_what_is_doubtful_is_an_option_that_says_so() -> None:
    with holding(0.49):
        first, second = read(TWO).items
    assert first.optional and second.optional
    assert DOUBTFUL in first.review_reasons
    with holding(0.75):
        assert not any(item.optional or DOUBTFUL in item.review_reasons for item in read(TWO).items)


def test_what_is_asked_for_in_so_many_words_is_charged_from_a_lower_chance_on() -> None:
    with holding(0.55):
        assert not any(item.optional for item in read("We need 30 m of gutter and 4 radiators").items)
        assert all(item.optional for item in read("30 m of gutter. 4 radiators").items)
        # Counted behind what surely asks.
        first, second = read("30 m of gutter, and 4 radiators").items
        assert first.optional
        assert not second.optional


def test_what_a_command_is_for_is_charged() -> None:
    sockets, walls = read("Fit three double sockets and repaint a 12x14 ft bedroom, walls and ceiling").items
    assert (sockets.optional, walls.optional) == (False, False)
    assert (walls.task_id, walls.qty) == ("painting.interior-walls", 584)


def test_what_a_command_counts_and_names_is_charged() -> None:
    fans = read("Repair the flux capacitor and fit 3 ceiling fans").items[-1]
    assert (fans.task_id, fans.qty, fans.optional) == ("electrical.ceiling-fan", 3, False)


def test_what_was_answered_stays() -> None:
    text = "We need the gutters replaced and 4 radiators installed"
    question = next(one for one in read(text).questions if one.field.endswith(".qty"))
    with holding(0.01):
        (item,) = read(text, Answer(question.question_id, "30 m")).items
    assert item.qty == 30


def test_a_clear_line_is_surer_than_a_vague_one() -> None:
    clear, vague = (
        read(text, sure=True).items[0] for text in ("Install 4 radiators", "maybe the gutter of the old shed")
    )
    assert clear.confidence > vague.confidence


def test_the_trees_know_what_is_weighed() -> None:
    texts = (TWO, "Paint the hall? Or maybe both. Install 4 radiators (ours) and, if possible, 30 m of gutter!")
    weighed = set()
    for text in texts:
        scope = Scope(text, "", INDEX, None)
        scope.read()
        judge = Judge(scope, scope.items)
        for place in range(len(scope.items)):
            weighed |= judge.features(place, Measured(None, "")).keys()
    assert len(weighed) > 50
    assert weighed <= set(judging.trees().names)


def test_a_line_is_the_likelier_the_surer_its_clause_asks() -> None:
    scope = Scope(TWO, "", INDEX, None)
    scope.read()
    features = Judge(scope, scope.items).features(0, Measured(None, ""))
    asks = [features | {"asks": chance / 10} for chance in range(11)]
    chances = [one["work"] for one in judging.trees().chances(asks)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


def test_a_clause_is_judged_by_who_else_asks_for_the_same_work() -> None:
    scope = Scope("Replace 30 m of gutter. The gutter is about twelve years old. Install 4 radiators.", "", INDEX, None)
    scope.read()
    judge = Judge(scope, scope.items)
    found = {item.match.task.task_id: judge.features(at, Measured(None, "")) for at, item in enumerate(scope.items)}
    told = replace(scope.items[0], clause=scope.clauses[1])
    assert not found["gutters.aluminum"]["elsewhere asks more"]
    assert not found["plumbing.radiator"]["elsewhere asks more"]
    assert Judge(scope, [told]).features(0, Measured(None, ""))["elsewhere asks more"]
