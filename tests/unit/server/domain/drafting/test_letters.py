"""Promises of texts that ask for no work whatever their sentences name: nothing is charged for them."""

import pytest

from tests.unit.server.domain.drafting.charging import amounts


@pytest.mark.parametrize(
    "text",
    [
        "Dear residents,\nScaffolding will go up while the roof and gutters are repaired. Move cars from bays 12 to 20.",
        "one star. showed up late for a ceiling fan, then tried selling my mother a whole new panel",
        "I can carry furnaces, pull wire, dig. Are you hiring helpers this summer",
        "Record-only permit to document completion of work: reroof and two bathroom remodels. No new work.",
        "PLUMBING WEEKLY. In this issue: new rules for backflow preventers in three provinces, 40 toilets in one truck",
        "RECORD ONLY - original scope: re-roof 2,400 sq ft architectural shingle, 180 lf gutters.",
        "Permission is sought for retention of an extension (28 sq m) and 2 no. rooflights. Permission is sought by Tierney.",
        "Angi lead - status: CLOSED. Customer notes: need 3 rooms painted 12x14, popcorn ceiling in hall.",
        "NOTE TO SELF: order 30 bags of thinset, new tires for truck 2.",
        "For sale by owner: ranch, new roof 2021, granite countertops, hardwood floors refinished. Open house Sunday.",
        "THIS WEEK: 1/2 in drywall $11.40 a sheet, R-13 batts $0.52/sf. Free coffee. Reply STOP to unsubscribe.",
        "From the inspection: double tapped breaker, loose toilet. The sellers fix these. Nothing for you to quote.",
        "The garbage disposal I did myself, and nothing is leaking under the sink.",
    ],
)
def test_a_letter_that_asks_for_no_work_is_charged_for_none(drafter, text):
    assert amounts(drafter, text) == []


def test_a_letter_to_neighbours_that_asks_for_a_price_is_read(drafter):
    text = "Dear neighbours,\nwe share the fence builder. Could you quote 80 ft of wood fence?"
    assert amounts(drafter, text) == [("fencing.wood", 80, "ft")]
