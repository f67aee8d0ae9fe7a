"""Promises of drafting anew: answers are put in, and nothing that people did to the draft is lost or comes back."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain.by_hand import ByHand
from server.domain.draft import LineKind, Source
from server.domain.editing import LineEdit, edited
from server.domain.offer import CompanyProfile, Offer, Template, TemplateLine
from server.domain.pricing import totals
from server.domain.redrafting import redrafted
from server.domain.takeoff import Answer, Span
from tests.stack import EFFORT
from tests.unit.server.domain.test_editing import DRAFTER, RULES, WHO, check, edit, edits, numbered

TEXT = "Paint the walls of the living room, install 2 radiators, option: 3 ceiling fans and lay laminate in Nashville"
BEFORE = numbered(DRAFTER.draft(TEXT, settings=RULES))
WALLS, FLOOR = (one.question_id for one in BEFORE.questions)


def fresh(*answers):
    return DRAFTER.draft(TEXT, settings=RULES, answers=[Answer(name, text) for name, text in answers])


ANSWERED = fresh((WALLS, "40 m2"), (FLOOR, "20 m2"))


def anew(before, hand, draft=ANSWERED, rules=RULES):
    found = numbered(redrafted(before, hand, draft, rules))
    check(found, rules)
    return found


def without_ids(draft):
    return replace(draft, lines=tuple(replace(line, line_id=0) for line in draft.lines))


def test_without_changes_by_hand_it_is_the_draft_that_was_drafted_anew():
    assert without_ids(anew(BEFORE, ByHand())) == ANSWERED
    assert [line.line_id for line in anew(BEFORE, ByHand()).lines][:4] == [1, 2, 3, 4]
    assert anew(BEFORE, ByHand(), fresh()) == BEFORE


def test_what_was_entered_wins_over_an_answer_and_is_not_asked_for():
    changed, hand = edit(BEFORE, LineEdit(1, qty=Decimal(12), unit="m2"))
    assert [one.question_id for one in changed.questions] == [FLOOR]
    found = anew(changed, hand)
    assert (found.lines[0].qty, found.lines[0].priced, found.lines[0].entered) == (12, True, ("qty", "unit"))
    assert not any("uantity missing" in one for one in found.lines[0].review_reasons)
    once = anew(changed, hand, fresh((FLOOR, "20 m2")))
    assert once.questions == () and not once.lines[0].priced


def test_a_price_by_hand_takes_the_quantity_that_was_answered_in_its_unit():
    changed, hand = edit(BEFORE, LineEdit(1, unit="m2", price=Decimal(9)))
    line = anew(changed, hand).lines[0]
    assert (line.qty, line.price, line.amount_minor, line.source.kind) == (40, 9, 36000, "entered")
    per_job, hand = edit(BEFORE, LineEdit(1, unit="job", price=Decimal(900)))
    line = anew(per_job, hand).lines[0]
    assert (line.qty, line.unit, line.amount_minor) == (1, "job", 90000)


def test_lines_added_stay_where_they_are_and_lines_taken_out_stay_out():
    new = LineEdit(0, "Skip hire", Decimal(1), "each", Decimal(180), position=2)
    changed, hand = edit(BEFORE, new, removed=(2,))
    found = anew(changed, hand)
    assert [line.line_id for line in found.lines[:4]] == [line.line_id for line in changed.lines[:4]]
    assert found.lines[1] == changed.lines[1]
    assert not any(line.span == BEFORE.lines[1].span for line in found.lines)


def test_a_minimum_charge_taken_out_stays_out():
    rules = replace(RULES, minimum_charge=Decimal(9000))
    before = numbered(DRAFTER.draft(TEXT, settings=rules))
    draft = DRAFTER.draft(TEXT, settings=rules, answers=[Answer(WALLS, "40 m2")])
    minimum = before.lines[-1]
    kept = anew(before, ByHand(), draft, rules)
    assert totals.is_minimum(kept.lines[-1]) and kept.lines[-1].line_id == minimum.line_id
    without, hand = edit(before, removed=(minimum.line_id,), rules=rules)
    found = anew(without, hand, draft, rules)
    assert not any(totals.is_minimum(line) for line in found.lines)
    assert any("below the minimum charge" in one for one in found.review_reasons)


CHARGING = replace(RULES, disposal_charge=Decimal(75), minimum_charge=Decimal(9000))
OUT = TEXT.replace("install 2 radiators", "take out 2 radiators")
OFFER = Offer.made(
    CompanyProfile(), Template("T", lines=(TemplateLine("Site set-up", Decimal(2), "job", Decimal(120)),))
)
RULED = ("Site set-up", "Disposal of what is taken out", totals.MINIMUM_TEXT)


def charged(*answers, text=OUT):
    """A draft with a template's line, a charge and the minimum charge, not yet stored."""
    draft = DRAFTER.draft(text, settings=CHARGING, answers=[Answer(name, words) for name, words in answers])
    return OFFER.complete(draft, CHARGING)


def ruled(draft, name):
    return [line for line in draft.lines if line.rule == name]


@pytest.mark.parametrize("name", RULED)
def test_a_charge_that_was_renamed_and_priced_by_hand_is_not_charged_again(name):
    before = numbered(charged())
    (line,) = ruled(before, name)
    changed, hand = edit(before, LineEdit(line.line_id, "As agreed", price=Decimal(80)), rules=CHARGING)
    again = charged((WALLS, "40 m2"))
    found = anew(changed, hand, again, CHARGING)
    (kept,) = ruled(found, name)
    assert (kept.line_id, kept.description, kept.price) == (line.line_id, "As agreed", 80)
    assert len(found.lines) == len(before.lines)
    assert anew(found, hand, again, CHARGING) == found


@pytest.mark.parametrize("price", [None, Decimal(80)])
@pytest.mark.parametrize("name", RULED)
def test_a_charge_that_was_renamed_and_taken_out_stays_out(name, price):
    before = numbered(charged())
    (line,) = ruled(before, name)
    changed, hand = edit(before, LineEdit(line.line_id, "As agreed", price=price), rules=CHARGING)
    for draft in (changed, anew(changed, hand, charged((WALLS, "40 m2")), CHARGING)):
        without, gone = edit(draft, removed=(line.line_id,), by_hand=hand, rules=CHARGING)
        found = anew(without, gone, charged((WALLS, "30 m2")), CHARGING)
        assert ruled(found, name) == [] and all(one.description != "As agreed" for one in found.lines)


def test_an_option_made_of_the_minimum_charge_and_renamed_is_not_charged_again():
    before = numbered(charged())
    (line,) = ruled(before, totals.MINIMUM_TEXT)
    changed, hand = edit(before, LineEdit(line.line_id, "Flat fee", optional=True), rules=CHARGING)
    found = anew(changed, hand, charged((WALLS, "40 m2")), CHARGING)
    assert [one.description for one in ruled(found, totals.MINIMUM_TEXT)] == ["Flat fee"]


def test_a_template_s_line_without_a_price_in_the_currency_is_known_again_by_whatever_name():
    there = OUT.replace("Nashville", "Leeds")
    before = numbered(charged(text=there))
    (line,) = ruled(before, "Site set-up")
    assert not line.priced
    rules = CHARGING.in_currency("GBP")
    changed, hand = edit(before, LineEdit(line.line_id, "Scaffold", price=Decimal(90)), rules=rules)
    known = anew(changed, hand, charged(text=there), rules)
    assert [one.description for one in ruled(known, "Site set-up")] == ["Scaffold"]
    without, hand = edit(changed, removed=(line.line_id,), by_hand=hand, rules=rules)
    assert ruled(anew(without, hand, charged(text=there), rules), "Site set-up") == []


TWICE = Offer.made(
    CompanyProfile(),
    Template(
        "T",
        lines=(
            TemplateLine("Delivery", Decimal(1), "each", Decimal(40)),
            TemplateLine("Delivery", Decimal(1), "each", Decimal(90)),
            TemplateLine(totals.MINIMUM_TEXT, Decimal(1), "each", Decimal(15)),
        ),
    ),
)


def of_template(draft):
    return [
        (line.line_id, line.description, line.price) for line in draft.lines if line.price in {15, 16, 40, 41, 90, 91}
    ]


def twice(*answers):
    draft = DRAFTER.draft(OUT, settings=CHARGING, answers=[Answer(name, words) for name, words in answers])
    return TWICE.complete(draft, CHARGING)


@pytest.mark.parametrize("number", range(3))
def test_of_a_template_s_lines_of_one_description_the_one_that_was_taken_out_or_changed_is_meant(number):
    before, again = numbered(twice()), twice((WALLS, "40 m2"))
    lines = of_template(before)
    assert len(lines) == 3
    line_id, description, price = lines[number]
    without, hand = edit(before, removed=(line_id,), rules=CHARGING)
    found = anew(without, hand, again, CHARGING)
    assert of_template(found) == [one for one in lines if one[0] != line_id]
    assert totals.is_minimum(found.lines[-1])
    changed, hand = edit(before, LineEdit(line_id, price=price + 1), rules=CHARGING)
    found = anew(changed, hand, again, CHARGING)
    assert of_template(found) == [*lines[:number], (line_id, description, price + 1), *lines[number + 1 :]]
    # Only the other line is left in the quote, and what was entered in it is not put into this one.
    both, hand = edit(changed, removed=(lines[0][0],), by_hand=hand, rules=CHARGING)
    assert of_template(anew(both, hand, again, CHARGING)) == of_template(both)


def test_a_template_s_charge_that_is_called_as_the_minimum_charge_is_taken_out_without_it():
    before = numbered(twice())
    (minimum,) = [line for line in before.lines if totals.is_minimum(line)]
    without, hand = edit(before, removed=(minimum.line_id,), rules=CHARGING)
    found = anew(without, hand, twice((WALLS, "40 m2")), CHARGING)
    assert of_template(found) == of_template(before)
    assert not any(totals.is_minimum(line) for line in found.lines)


def test_lines_of_one_description_that_were_stored_with_one_name_are_known_again():
    before = numbered(twice())
    changed, hand = edit(before, LineEdit(of_template(before)[1][0], price=Decimal(91)), rules=CHARGING)
    stored = replace(
        changed, lines=tuple(replace(one, rule=one.description) if one.rule else one for one in changed.lines)
    )
    assert of_template(anew(stored, hand, twice((WALLS, "40 m2")), CHARGING)) == of_template(changed)


def test_a_line_added_by_hand_is_no_charge_of_its_name():
    before = numbered(charged())
    new = LineEdit(0, "Site set-up", Decimal(1), "each", Decimal(50), kind=LineKind.FEE)
    changed, hand = edit(before, new, rules=CHARGING)
    found = anew(changed, hand, charged((WALLS, "40 m2")), CHARGING)
    assert [one.rule for one in found.lines if one.description == "Site set-up"] == ["Site set-up", ""]


def test_texts_written_stay_and_texts_struck_out_stay_out():
    first, *others = BEFORE.assumptions
    changed, hand = edit(BEFORE, assumptions=(*others, "Parking is free."), exclusions=("Waste.",))
    found = anew(changed, hand)
    assert first not in found.assumptions and "Parking is free." in found.assumptions
    assert "Waste." in found.exclusions
    assert {"Interior walls, paint: 40 m2.", "Laminate floor, install: 20 m2."} <= {*found.assumptions}


def test_a_line_that_drafting_knows_no_more_stays_only_where_somebody_entered_something():
    gone = replace(BEFORE.lines[0], span=Span(900, 910), task_id="gone", line_id=9)
    draft = replace(BEFORE, lines=(gone, *BEFORE.lines))
    assert not any(line.line_id == 9 for line in anew(draft, ByHand()).lines)
    changed, hand = edit(draft, LineEdit(9, description="As agreed"))
    assert anew(changed, hand).lines[0].description == "As agreed"


def test_a_price_by_hand_is_no_price_in_another_currency():
    changed, hand = edit(BEFORE, LineEdit(2, price=Decimal(9)), LineEdit(0, "Van", Decimal(1), "each", Decimal(5)))
    there = DRAFTER.draft(TEXT.replace("Nashville", "Leeds"), settings=RULES)
    assert (BEFORE.currency, there.currency) == ("USD", "GBP")
    found = numbered(redrafted(changed, hand, there, RULES.in_currency("GBP")))
    check(found, RULES.in_currency("GBP"))
    assert not any(isinstance(line.source, Source) and line.source.kind == "entered" for line in found.lines)
    van = next(line for line in found.lines if line.description == "Van")
    assert not van.priced and "USD" in van.review_reasons[0]


@settings(max_examples=60 * EFFORT, deadline=None)
@given(st.data())
def test_whatever_was_done_by_hand_is_still_done(data):
    before, hand = BEFORE, ByHand()
    for _ in range(2):
        change = data.draw(edits([line.line_id for line in before.lines]))
        draft, hand = edited(before, hand, change, RULES, WHO)
        before = numbered(draft)
    found = anew(before, hand)
    now = {line.line_id: line for line in found.lines}
    for line in before.lines:
        if totals.is_minimum(line):
            continue
        assert line.line_id in now or not line.entered
        for name in line.entered:
            assert getattr(now[line.line_id], name) == getattr(line, name)
    kept = [line.line_id for line in before.lines if line.line_id in now]
    assert [line.line_id for line in found.lines if line.line_id in kept] == kept or any(
        totals.is_minimum(line) for line in before.lines
    )
    spans = {line.span for line in found.lines if line.span}
    assert not spans & {one.span for one in hand.removed}
    assert set(hand.assumptions) <= set(found.assumptions)
    assert not set(hand.struck) & set(found.assumptions + found.exclusions) - {*hand.assumptions, *hand.exclusions}
    assert anew(found, hand) == found
