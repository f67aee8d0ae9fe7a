"""Whatever a language model proposes, the draft stays tied to the request, and honest about what was used."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.drafting.engine import Drafter
from server.domain.drafting.proposals import Proposal, Proposals
from server.domain.drafting.quantities import find_quantities
from server.domain.settings import PricingSettings
from server.domain.takeoff import Answer, UnreadableAnswerError
from tests.unit.server.domain.drafting.requests import BEFORE
from tests.unit.server.domain.drafting.sample import sample_catalogue

DRAFTER = Drafter(sample_catalogue(), None)
TEXT = (
    "Replace 12 m of guttering and paint 60 m2 of the front, two coats, we supply the paint. Not the fence. "
    "As an option install 3 ceiling fans. The fence was painted last year."
)
WORKS = [
    "Install gutter, 12 m", "Paint exterior walls, 60 m2", "Install ceiling fan, 3", "Install ceiling fan, 300",
    "Install vinyl fence, 40 ft", "Nothing", "", "Total: $1,000,000", "Replace water heater",
]  # fmt: skip
proposals = st.builds(
    Proposal,
    words=st.one_of(
        st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(lambda ends: TEXT[min(ends) : max(ends)]),
        st.text(max_size=20),
    ),
    work=st.one_of(st.sampled_from(WORKS), st.text(max_size=60)),
    optional=st.booleans(),
    materials_by_customer=st.booleans(),
)


@given(st.lists(proposals, max_size=6))
@settings(max_examples=150, deadline=None)
def test_no_proposal_leaves_the_request(items: list[Proposal]) -> None:
    given_by_text = {figure.value for figure in find_quantities(TEXT)} | {1}
    draft = DRAFTER.draft(TEXT, settings=PricingSettings(), proposals=Proposals("m", "v", tuple(items)))
    own = {(line.description, line.qty) for line in DRAFTER.draft(TEXT, settings=PricingSettings()).lines}
    for line in draft.lines:
        assert line.span is not None
        assert TEXT[line.span.start : line.span.end].strip()
        assert line.priced == (line.source is not None)
        if line.priced and (line.description, line.qty) not in own:
            assert line.qty in given_by_text
    charged = [line for line in draft.lines if line.priced and not line.optional]
    assert draft.total_minor == sum(line.amount_minor for line in charged) + draft.tax_minor
    assert any("language model m" in reason for reason in draft.review_reasons)


def test_a_failure_changes_nothing_but_says_so() -> None:
    for request in BEFORE[:5]:
        plain = DRAFTER.draft(request.text, settings=PricingSettings())
        failed = DRAFTER.draft(
            request.text, settings=PricingSettings(), proposals=Proposals("m", "v", failure="it cannot be reached.")
        )
        assert failed.lines == plain.lines
        assert failed.engine_version == plain.engine_version
        assert failed.review_reasons == (
            *plain.review_reasons,
            "Drafted without the language model m: it cannot be reached.",
        )


def test_the_same_proposals_give_the_same_draft() -> None:
    asked = Proposals("m", "v", (Proposal("12 m of guttering", "Install gutter, 12 m"),))
    one, two = (DRAFTER.draft(TEXT, settings=PricingSettings(), proposals=asked) for _ in range(2))
    assert one == two
    assert one.engine_version == f"{DRAFTER.version}-model-v"


def test_questions_stay_with_their_lines() -> None:
    text = "Paint the walls. Install a fence round the garden."
    asked = Proposals("m", "v", (Proposal("Install a fence round the garden", "Install vinyl fence"),))
    draft = DRAFTER.draft(text, settings=PricingSettings(), proposals=asked)
    for question in draft.questions:
        number = int(question.field[len("line_items[") : question.field.index("]")])
        line = draft.lines[number]
        assert question.span is not None
        assert line.span is not None
        assert line.span.start <= question.span.start < line.span.end


def test_an_answer_reaches_the_line_that_was_proposed() -> None:
    text = "Paint the walls. Install a barrier of vinyl round the garden."
    asked = Proposals("m", "v", (Proposal("Install a barrier of vinyl round the garden", "Install vinyl fence"),))
    first = DRAFTER.draft(text, settings=PricingSettings(), proposals=asked)
    (question,) = [one for one in first.questions if "fence" in one.text.lower()]
    answered = Answer(question.question_id, "40 ft")
    second = DRAFTER.draft(text, settings=PricingSettings(), proposals=asked, answers=[answered])
    (line,) = [line for line in second.lines if "fence" in line.description.lower()]
    assert (line.qty, line.unit, line.priced) == (40, "ft", True)
    assert question.question_id not in {one.question_id for one in second.questions}
    with pytest.raises(UnreadableAnswerError):
        DRAFTER.draft(text, settings=PricingSettings(), proposals=replace(asked, items=()), answers=[answered])
    with pytest.raises(UnreadableAnswerError) as refused:
        DRAFTER.draft(text, settings=PricingSettings(), proposals=asked, answers=[replace(answered, text="blue")])
    assert refused.value.question_id == question.question_id
