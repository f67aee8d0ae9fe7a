from __future__ import annotations

import pytest

from server.domain.drafting.asking import CLAUSE_TELLS, Features, chance, signs, weights
from server.domain.drafting.clauses import Clause
from server.domain.drafting.matching import TaskIndex
from server.domain.drafting.numbers import tokenize
from server.domain.drafting.progress import Progress
from server.domain.drafting.quantities import find_quantities
from server.domain.drafting.segments import split_request
from server.embedded import load_embedded
from tests.unit.server.domain.drafting.sample import sample_catalogue
from tools.drafting.asking import fit

INDEX = TaskIndex.build(load_embedded().catalogue)


def clauses(text: str) -> tuple[Clause, ...]:
    return split_request(text, find_quantities(text), INDEX.repaired)


def asked(text: str, index: TaskIndex = INDEX) -> dict[int, float]:
    return Progress(text, "", index, None).chances


def test_words_of_the_trade_are_folded_and_the_others_kept() -> None:
    assert signs(tokenize("your crew replaced our boiler 2 weeks ago"), INDEX)[:6] == [
        "your", "THING", "Ved", "our", "THING", "#",
    ]  # fmt: skip
    told = ["we had the roof done", "we had the boiler done"]
    first, second = (signs(tokenize(text), INDEX) for text in told)
    assert first == second


@pytest.mark.parametrize(
    "text",
    [
        "Thank you so much, the crew were brilliant and the new patio is a joy. Best wishes, Clare",
        "You billed us for five windows and only four were fitted, please send a corrected invoice.",
        "I am a qualified roofer with my own van and tools, are you taking on subcontractors?",
        "Can we push the gutter cleaning to next week? We are away on Tuesday.",
    ],
)
def test_a_text_that_asks_for_nothing_has_no_likely_clause(text: str) -> None:
    assert max(asked(text).values()) == 0


def test_who_asks_for_a_price_is_heard_whatever_else_is_told() -> None:
    text = "Thank you for the lovely work on the deck last year. How much would a new shed base be? Best wishes, Clare"
    assert max(asked(text).values()) > CLAUSE_TELLS


def test_a_long_bill_and_a_small_catalogue_are_not_weighed() -> None:
    assert asked("Install 3 doors\n" * 500) == {}
    assert asked("Install 3 doors", TaskIndex.build(sample_catalogue())) == {}


def test_words_without_end_have_a_chance() -> None:
    against = [word for word, weight in weights().clause.items() if weight < 0]
    assert chance(against, weights().clause) == 0.0
    assert chance((), {}) == 0.5


def test_a_command_that_says_how_much_asks_whatever_stands_around() -> None:
    text = "Paint 30 m2 of walls. <script>alert(1)</script><svg onload=x> =1+1 javascript:alert(1)"
    assert max(asked(text).values()) > CLAUSE_TELLS


def test_each_clause_has_its_features() -> None:
    text = "Paint the hall, the doors were done last year. Fit a tap?"
    parts = clauses(text)
    features = Features.of(text, parts, INDEX)
    assert len(features.clauses) == len(parts)
    assert all("BIAS" in of for of in (features.text, *features.clauses))


def test_what_is_fitted_tells_the_examples_apart() -> None:
    asked, told = frozenset({"BIAS", "please"}), frozenset({"BIAS", "thanks"})
    weights = fit([(asked, True), (told, False)] * 5, penalty=0.1)
    assert weights["please"] > 0 > weights["thanks"]
