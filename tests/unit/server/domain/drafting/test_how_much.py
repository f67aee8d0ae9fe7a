"""How much: an amount comes out the same in whichever of the usual ways somebody writes it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.settings import PricingSettings
from server.domain.units import factor

#: Where the work is, a command, what is done to things, what is done, the things and one of them.
COUNTED = [
    ("USD", "replace", "replaced", "toilets", "toilet"),
    ("USD", "install", "installed", "ceiling fans", "ceiling fan"),
    ("USD", "replace", "replaced", "smoke detectors", "smoke detector"),
    ("GBP", "fit", "fitted", "internal doors", "internal door"),
]
AREAS = [
    ("USD", "seal coat", "sealcoated", "driveway", "600 sq ft"),
    ("USD", "install", "installed", "laminate flooring", "600 sq ft"),
    ("GBP", "lay", "laid", "turf", "592 sq ft"),
]
LENGTHS = [
    ("USD", "install", "installed", "gutters", "120 ft"),
    ("USD", "trim", "trimmed", "hedge", "120 ft"),
    ("GBP", "build", "built", "fence", "120 ft"),
]
VOLUMES = [
    ("USD", "spread", "spread", "mulch", "8 cubic yards"),
    ("GBP", "spread", "spread", "topsoil", "8 cubic yards"),
]


def amounts(drafter: Drafter, text: str, currency: str) -> list[tuple[str, Decimal, str, bool]]:
    """The tasks that a request comes to, with how much of each in the unit that prices it."""
    drafted = drafter.draft(text, settings=PricingSettings(currency=currency))
    return sorted((line.task_id, line.qty, line.unit, line.optional) for line in drafted.lines)


def about_as_much(found: list[tuple[str, Decimal, str, bool]], told: list[tuple[str, Decimal, str, bool]]) -> bool:
    """Whether two drafts have the same tasks and as much of each, but for what rounds between units."""
    if [(task, optional) for task, _, _, optional in found] != [(task, optional) for task, _, _, optional in told]:
        return False
    pairs = zip(found, told, strict=True)
    return all(abs(one[1] * factor(one[2], two[2]) - two[1]) <= two[1] / 100 for one, two in pairs)


def check(drafter: Drafter, currency: str, canonical: str, text: str) -> None:
    told = amounts(drafter, canonical, currency)
    assert told
    assert all(qty > 1 for _, qty, _, _ in told)
    assert about_as_much(amounts(drafter, text, currency), told), text


#: "{N}" begins a sentence with the things, "{n1}" is one of them.
@pytest.mark.parametrize(
    "said",
    [
        "{V} four {n}", "{V} four (4) {n}", "{V} ({q}) {n}", "{V} {n} ({q})", "{V} {n} x{q}", "{V} {n} x {q}",
        "{V} {q}x {n}", "{V} {q} x {n}", "{V} {n}, qty {q}", "{V} {n}. Qty: {q}", "{V} {n} QTY - {q}", "{V} {q} EA {n}",
        "Qty {q} {n}, {v}", "QTY: {q} {n}. {V}.", "{V} {n}, {q} EA", "{V} {q} no. {n}", "{V} {q} nr {n}",
        "{V} {n}. Number of {n}: {q}", "Number of {n} to be {ed}: {q}", "{V} {n}. No. of {n}: {q}",
        "{V} {n} - {q}", "{V} {n}: {q}", "{V} {n}, {q}", "{V} {n}, {q} of them", "{V} {n} - four of them",
        "{V} {n}, {q} in total", "{V} {n}. {q} total.", "{V} {n}. Total: {q}", "{V} {n}, a total of {q}",
        "{V} {n}. There are {q} of them.", "{V} {n}. There are four.", "{V} {n}. It's {q} {n}.",
        "{V} {n}. It's {q} {n} in total.", "{V} {n}, I think {q}", "{V} a total of {q} {n}", "{V} all {q} {n}",
        "{V} all four of the {n}", "{V} the {q} {n}", "{V} another {q} {n}", "{V} {q} more {n}", "{V} {q} new {n}",
        "{V} {q} old {n}", "{V} approximately {q} {n}", "{V} ~{q} {n}", "{V} approx. {q} {n}", "{V} {q} or so {n}",
        "{V} {n}, {q} or so", "{V} {n}, about {q}", "{V} {n}, approx. {q}", "{V} {n}, around {q} of them",
        "{V} at least {q} {n}", "{V} {n}, at least {q}", "{V}:\n- {q} {n}", "{V}:\n- {n}: {q}", "- {v} {q} {n}",
        "* {V} {n} ({q})", "{q} {n} to be {ed}", "{q} {n} - {v}", "{q} {n}: {v}", "({q}) {n}, {v}", "{N} ({q}) - {v}",
        "{N} x{q} - {v}", "{N} - {v} {q}", "{N}, {q}, {v}", "{N}: {q}. {V}.", "There are {q} {n}. Please {v} them all.",
        "We have {q} {n} to {v}.", "I need {q} {n} {ed}", "Need {n} {ed}, {q} of them", "How much to {v} four {n}?",
        "{V} 1 {n1} in the hall and 3 upstairs", "{V} two {n} upstairs and two down", "{V} one {n1} in each of the 4 bedrooms",
        "{V} one {n1} per bedroom, 4 bedrooms",
    ],
)  # fmt: skip
def test_how_many(drafter: Drafter, said: str) -> None:
    for currency, verb, done, things, thing in COUNTED:
        canonical = f"{verb.capitalize()} 4 {things}."
        words = {
            "V": verb.capitalize(),
            "v": verb,
            "ed": done,
            "n": things,
            "N": things.capitalize(),
            "n1": thing,
            "q": 4,
        }
        check(drafter, currency, canonical, said.format(**words))
        check(drafter, currency, canonical.upper(), said.format(**words).upper())
