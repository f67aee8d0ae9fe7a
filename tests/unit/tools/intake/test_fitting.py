"""Promises of the tools that fit what reads notes."""

import pytest

from server.domain.intake.describing import alike, readings
from server.embedded import load_embedded
from server.intake import intake_reader
from tools.evaluation.intake import CASES
from tools.intake import describing, trades


@pytest.fixture(scope="module")
def taught():
    cases = [case for case in CASES if case.batch in {"sixth", "ninth"}]
    return [one for one in describing.examples(intake_reader(load_embedded()), cases) if one.teaches]


def test_weights_of_descriptions_choose_what_they_were_taught(taught):
    weights = describing.fit(taught)
    chosen = [readings(one.clauses, one.case.text, weights)[0] for one in taught]
    right = [
        alike(one.case.text[found.start : found.end], one.case.fields["description"])
        for one, found in zip(taught, chosen, strict=True)
    ]
    assert sum(right) > 0.9 * len(right)
    assert describing.fit(taught) == weights


def test_weights_of_trades_tell_them_apart():
    prior, weights = trades.fit([({"tap": 1.0}, "plumbing", 4.0), ({"socket": 1.0}, "electrical", 4.0)] * 6)
    assert set(prior) == {"plumbing", "electrical"}
    assert weights["tap"]["plumbing"] > 0 > weights["tap"]["electrical"]
