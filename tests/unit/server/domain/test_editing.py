"""Promises of changing a draft by hand: it adds up, explains itself, asks nothing that is settled, and loses nothing."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.domain import money
from server.domain.by_hand import ByHand, RemovedLine
from server.domain.comparison import Content, applied, compare
from server.domain.draft import LineKind
from server.domain.drafting.engine import Drafter
from server.domain.editing import MOST_AMOUNT_MINOR, Edit, EditError, Editor, LineEdit, edited
from server.domain.pricing import totals
from server.domain.pricing.explanation import derive, explain
from server.domain.pricing.remarks import is_charge_said
from server.domain.settings import PricingSettings
from server.domain.takeoff import Question
from server.embedded import load_embedded
from tests.stack import EFFORT

TEXT = "Install 2 radiators, paint 30 m2 of walls, option: 3 ceiling fans, and fix the flux capacitor in Nashville"
RULES = PricingSettings(tax_rate=Decimal("0.0825"), tax_classes={"labour": "zero"}, minimum_charge=Decimal(500))
NO_RULES = PricingSettings()
WHO = Editor("user:7", "2026-11-21T14:30:00Z")
DRAFTER = Drafter(*(lambda embedded: (embedded.catalogue, embedded.gazetteer))(load_embedded()))


def numbered(draft, lines=None):
    """The draft as it is when it has been stored."""
    lines = draft.lines if lines is None else lines
    last = max((line.line_id for line in lines), default=0)
    given_ids = iter(range(last + 1, last + len(lines) + 1))
    return replace(
        draft, lines=tuple(line if line.line_id else replace(line, line_id=next(given_ids)) for line in lines)
    )


def drafted(rules=RULES, text=TEXT):
    return numbered(DRAFTER.draft(text, settings=rules))


DRAFT = drafted()


NOTHING = ByHand()


def edit(draft, *lines, rules=RULES, by_hand=NOTHING, **more):
    found, hand = edited(draft, by_hand, Edit(lines=lines, **more), rules, WHO)
    return numbered(found), hand


def check(draft, rules):
    """What holds of every draft, whoever made it."""
    counted = [line for line in draft.lines if line.priced and not line.optional]
    assert draft.subtotal_minor == sum(line.amount_minor for line in counted)
    assert draft.total_minor == draft.subtotal_minor + draft.tax_minor
    assert draft.tax_minor == sum(one.tax_minor for one in draft.taxes)
    assert sum(one.base_minor for one in draft.taxes) == draft.subtotal_minor
    assert draft.low_minor <= draft.total_minor <= draft.high_minor
    assert 0 <= draft.confidence <= 1
    for line in draft.lines:
        assert line.amount_minor == (money.line_amount_minor(line.qty, line.price) if line.priced else 0)
        assert line.low_minor <= line.amount_minor <= line.high_minor
        assert (line.source is not None) is line.priced
        assert line.priced or line.review_reasons
        others = sum(one.amount_minor for one in counted if one is not line)
        assert explain(line, *derive(line), others).problems == ()
    minimum = [line for line in draft.lines if totals.is_minimum(line)]
    assert len(minimum) <= 1
    if minimum:
        assert money.from_minor(draft.subtotal_minor) == rules.minimum_charge


def test_a_price_by_hand_is_a_fact_with_who_and_when():
    line = DRAFT.lines[3]
    assert not line.priced
    draft, _ = edit(DRAFT, LineEdit(line.line_id, price=Decimal("149.5"), qty=Decimal("1.5")))
    changed = draft.lines[3]
    assert (changed.price, changed.amount_minor, changed.entered) == (Decimal("149.50"), 22425, ("qty", "price"))
    assert (changed.source.kind, changed.source.row) == ("entered", "user:7, 2026-11-21T14:30:00Z")
    (fact,) = explain(changed, *derive(changed), 0).facts
    assert (fact.value, fact.as_of, fact.unit) == (Decimal("149.5"), "2026-11-21", f"USD/{line.unit}")
    assert changed.review_reasons == () and changed.span == line.span
    check(draft, RULES)


def test_reasons_that_an_edit_settles_go_and_the_others_stay():
    reasons = ("Quantity missing: one is priced.", "A single publisher (X) states this price.")
    draft = replace(DRAFT, lines=(replace(DRAFT.lines[0], review_reasons=reasons), *DRAFT.lines[1:]))
    for change, left in (
        ({"qty": Decimal(9)}, reasons[1:]),
        ({"price": Decimal(9)}, reasons[:1]),
        ({"description": "Else"}, reasons),
        ({"qty": DRAFT.lines[0].qty, "price": DRAFT.lines[0].price}, reasons),
        ({"reviewed": True}, ()),
    ):
        assert edit(draft, LineEdit(1, **change))[0].lines[0].review_reasons == left
    assert any("have no price" in one for one in DRAFT.review_reasons)
    unpriced = [line.line_id for line in DRAFT.lines if not line.priced]
    priced, _ = edit(DRAFT, *(LineEdit(line_id, price=Decimal(9)) for line_id in unpriced))
    assert not any("have no price" in one for one in priced.review_reasons)
    assert edit(DRAFT, LineEdit(4, reviewed=True))[0].lines[3].review_reasons == ("No price.",)


def test_questions_follow_their_lines_and_settled_ones_go():
    ask = [Question(f"line_items[{n}].{what}", f"{n} {what}") for n in (0, 1) for what in ("qty", "task_id")]
    draft = replace(DRAFT, questions=(*ask, Question("text", "What?")))
    moved, _ = edit(draft, LineEdit(1, position=2))
    assert [(one.field, one.text) for one in moved.questions] == [
        *(("line_items[1].qty", "0 qty"), ("line_items[1].task_id", "0 task_id")),
        *(("line_items[0].qty", "1 qty"), ("line_items[0].task_id", "1 task_id")),
        ("text", "What?"),
    ]
    settled, _ = edit(draft, LineEdit(1, qty=Decimal(8)), LineEdit(2, price=Decimal(8)))
    assert [one.text for one in settled.questions] == ["0 task_id", "1 qty", "What?"]
    removed, hand = edit(draft, removed=(1,))
    assert [one.field for one in removed.questions] == ["line_items[0].qty", "line_items[0].task_id", "text"]
    assert hand.removed == (RemovedLine(DRAFT.lines[0].span, DRAFT.lines[0].task_id, DRAFT.lines[0].description),)


def test_a_priced_line_in_another_unit_needs_a_price():
    with pytest.raises(EditError) as caught:
        edit(DRAFT, LineEdit(1, unit="day"), LineEdit(9, qty=Decimal(1)))
    assert [(one.field, one.reason) for one in caught.value.problems] == [
        ("line_items[0].price", "required"),
        ("line_items[1].line_id", "line.unknown"),
    ]
    draft, _ = edit(DRAFT, LineEdit(1, unit="Days", price=Decimal(400)))
    assert (draft.lines[0].unit, draft.lines[0].entered) == ("day", ("unit", "price"))


def test_the_minimum_charge_follows_the_other_lines():
    rules = replace(RULES, minimum_charge=Decimal(9000))
    draft = drafted(rules)
    minimum = draft.lines[-1]
    assert totals.is_minimum(minimum)
    more, _ = edit(draft, LineEdit(2, qty=Decimal(60)), rules=rules)
    check(more, rules)
    assert more.lines[-1].line_id == minimum.line_id
    assert more.lines[-1].amount_minor < minimum.amount_minor and more.subtotal_minor == 900000
    enough, _ = edit(more, LineEdit(2, qty=Decimal(60000)), rules=rules)
    check(enough, rules)
    assert not any(totals.is_minimum(line) for line in enough.lines)
    assert not any("lifted" in one for one in enough.assumptions)
    again, _ = edit(enough, LineEdit(2, qty=Decimal(60)), rules=rules)
    assert again.subtotal_minor == 900000 and any("lifted" in one for one in again.assumptions)
    check(again, rules)


def test_a_minimum_charge_that_was_taken_out_stays_away_and_that_is_said():
    rules = replace(RULES, minimum_charge=Decimal(9000))
    draft = drafted(rules)
    without, _ = edit(draft, removed=(draft.lines[-1].line_id,), rules=rules)
    later, _ = edit(without, LineEdit(1, qty=Decimal(3)), rules=rules)
    for one in (without, later):
        check(one, rules)
        assert not any(totals.is_minimum(line) for line in one.lines)
        assert "The total before tax is below the minimum charge of 9000.00." in one.review_reasons
        assert one.high_minor < 900000
    own, _ = edit(draft, LineEdit(draft.lines[-1].line_id, optional=True), rules=rules)
    check(own, rules)
    assert own.lines[-1].source.kind == "entered"


@pytest.mark.parametrize("away", ["taken out", "made an option", "made an option and taken out"])
def test_a_minimum_charge_that_was_done_away_with_does_not_come_back_once_the_lines_were_above_it(away):
    rules = replace(RULES, minimum_charge=Decimal(9000))
    draft, hand = drafted(rules), NOTHING
    line_id = draft.lines[-1].line_id
    if "option" in away:
        draft, hand = edit(draft, LineEdit(line_id, optional=True), by_hand=hand, rules=rules)
    if "taken out" in away:
        draft, hand = edit(draft, removed=(line_id,), by_hand=hand, rules=rules)
    above, hand = edit(draft, LineEdit(2, qty=Decimal(60000)), by_hand=hand, rules=rules)
    below, hand = edit(above, LineEdit(2, qty=Decimal(60)), by_hand=hand, rules=rules)
    for one in (above, below):
        check(one, rules)
        assert not any(totals.is_minimum(line) for line in one.lines)
    assert "The total before tax is below the minimum charge of 9000.00." in below.review_reasons


def test_texts_are_replaced_and_remembered():
    draft, hand = edit(DRAFT, assumptions=("Parking is free.",), exclusions=("Waste.", "Permits."))
    assert (draft.assumptions, draft.exclusions) == (("Parking is free.",), ("Waste.", "Permits."))
    assert set(hand.struck) == set(DRAFT.assumptions) | set(DRAFT.exclusions)
    assert (hand.assumptions, hand.exclusions) == (("Parking is free.",), ("Waste.", "Permits."))
    draft, hand = edit(draft, by_hand=hand, assumptions=DRAFT.assumptions, exclusions=("Permits.",))
    assert (hand.assumptions, hand.exclusions) == (DRAFT.assumptions, ("Permits.",))
    assert set(hand.struck) == {"Parking is free.", "Waste."}


def test_tax_that_was_not_set_is_charged_and_said_when_it_is():
    draft = drafted(NO_RULES)
    assert any("Tax is not set" in one for one in draft.assumptions)
    taxed, _ = edit(draft, LineEdit(1, qty=Decimal(4)), rules=RULES)
    check(taxed, RULES)
    assert taxed.tax_minor > 0 and not any("Tax is not set" in one for one in taxed.assumptions)
    untaxed, _ = edit(taxed, LineEdit(1, qty=Decimal(5)), rules=NO_RULES)
    assert any("Tax is not set" in one for one in untaxed.assumptions)


def test_an_amount_that_sums_could_not_hold_is_refused():
    with pytest.raises(EditError, match="at most"):
        edit(DRAFT, LineEdit(1, qty=Decimal(10**9), price=Decimal(10**9)))
    most = money.from_minor(MOST_AMOUNT_MINOR)
    assert edit(DRAFT, LineEdit(1, qty=Decimal(1), price=most))[0].lines[0].amount_minor == MOST_AMOUNT_MINOR


QTY = st.decimals("0.001", 100000, places=3)
PRICE = st.one_of(st.decimals(0, 5000, places=2), st.decimals("0.0001", "0.0999", places=4))


@st.composite
def edits(draw, line_ids):
    """An edit that fits lines of those ids."""
    removed = draw(st.lists(st.sampled_from(line_ids), unique=True, max_size=2)) if line_ids else []
    left = [one for one in line_ids if one not in removed]
    changes = []
    for _ in range(draw(st.integers(0, 4))):
        is_new = not left or draw(st.booleans())
        price = draw(st.none() | PRICE)
        changes.append(
            LineEdit(
                line_id=0 if is_new else draw(st.sampled_from(left)),
                description=draw(st.sampled_from(["Skip hire", "Van"] if is_new else [None, "Skip hire", "Van"])),
                qty=draw(QTY if is_new else st.none() | QTY),
                unit=draw(st.sampled_from(["m2", "each", "roll"])) if is_new or price is not None else None,
                price=price,
                optional=draw(st.none() | st.booleans()),
                kind=draw(st.none() | st.sampled_from(LineKind)),
                position=draw(st.none() | st.integers(1, 8)),
                reviewed=draw(st.booleans()),
            )
        )
    # What the charges say is theirs: a copy of it is not kept where it no longer holds.
    own = [one for one in DRAFT.assumptions if not is_charge_said(one)]
    texts = st.none() | st.lists(st.sampled_from([*own, "A", "B"]), unique=True).map(tuple)
    return Edit(tuple(changes), tuple(removed), draw(texts), draw(texts))


@settings(max_examples=60 * EFFORT, deadline=None)
@given(st.data(), st.sampled_from([RULES, NO_RULES, replace(RULES, minimum_charge=Decimal(9000))]))
def test_whatever_is_changed_it_adds_up_explains_itself_and_is_made_of_its_changes(data, rules):
    versions, hand = [drafted(rules)], ByHand()
    for _ in range(3):
        before = versions[-1]
        change = data.draw(edits([line.line_id for line in before.lines]))
        draft, hand = edited(before, hand, change, rules, WHO)
        versions.append(numbered(draft))
        check(versions[-1], rules)
        if change.assumptions is not None:
            assert set(change.assumptions) <= set(versions[-1].assumptions) | set(before.assumptions)
    contents = [Content(one, f"2026-12-0{number}") for number, one in enumerate(versions, start=1)]
    for one in contents:
        for other in contents:
            assert applied(compare(one, other), one) == other
        assert compare(one, one) == compare(other, other)
        assert len(compare(None, one).added) == len(one.draft.lines)
