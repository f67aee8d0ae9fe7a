"""Said around: what a request says around its work leaves its lines as they are, and is noticed where it matters."""

from __future__ import annotations

import pytest

from server.domain.drafting.engine import Drafter
from tests.unit.server.domain.drafting.charging import tasks_charged


@pytest.mark.parametrize(
    "said",
    [
        "The address is 412 Maple St. {0}",
        "412 Maple St. {0}",
        "I live at 22 N Elm Dr. {0}",
        "We move in on June 1st. {0}",
        "Zip code: 60614. {0}",
        "Address: 1208 W Oak Ave, Denver. {0}",
        "Name: John Carter Phone: 512-555-0182 Message: {0}",
    ],
)
def test_work_right_behind_an_address_a_day_or_a_header_is_read(drafter: Drafter, said: str) -> None:
    for work in ("Replace the toilet and install 2 ceiling fans.", "Can you replace 8 windows?"):
        assert tasks_charged(drafter, said.format(work)) == tasks_charged(drafter, work)


@pytest.mark.parametrize(
    "header", ["Contact: Mr. John Smith Junior", "Name: J. Carter", "Address: 4 St. Johns Road", "Phone: 512.555.0182"]
)
def test_what_was_entered_for_a_header_is_no_work(drafter: Drafter, header: str) -> None:
    assert tasks_charged(drafter, f"{header}\nReplace the toilet.") == ["plumbing.toilet"]
