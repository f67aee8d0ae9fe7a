"""Promises of plain requests: whatever is learned anew, what anybody would read rightly is."""

import pytest

from server.domain.drafting.engine import Drafter
from server.domain.drafting.numbers import tokenize
from server.domain.drafting.verbs import plainly_asks, plainly_wants
from server.embedded import load_embedded
from tools.evaluation.plain import read_plain, read_wrongly


@pytest.fixture(scope="module")
def drafter():
    embedded = load_embedded()
    return Drafter(embedded.catalogue, embedded.gazetteer)


def test_no_plain_request_is_read_wrongly_that_was_read_rightly(drafter):
    wrong = [
        (one.text, [(line.task_id, str(line.qty), line.unit, line.optional) for line in lines])
        for one, lines in read_wrongly(drafter, [one for one in read_plain() if not one.known_wrong])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "Can you paint two bedrooms",
        "Please bleed 8 radiators",
        "hi, could you please wrap our vans",
        "I'd like a drain survey done",
        "We need you to replace the gate",
        "they need dealing with",
        "The gutters need to be cleaned",
        "how much to fell a tree",
        "Mow the lawn",
    ],
)
def test_what_is_asked_in_so_many_words(text):
    assert plainly_asks(tokenize(text))


@pytest.mark.parametrize(
    "text",
    [
        "Can you send me the invoice for the roof",
        "Please call me about the boiler",
        "could you confirm the fence job",
        "Please don't paint the door",
        "I'd like to know if the deck was stained",
        "we had the roof replaced",
        "the lawn is long",
        "I will paint it myself",
    ],
)
def test_talk_is_no_request_for_work(text):
    assert not plainly_asks(tokenize(text))


def test_a_thing_that_is_wanted():
    assert plainly_wants(tokenize("We want 8 windows"))
    assert plainly_wants(tokenize("I'm after a new hot water tank"))
    assert not plainly_wants(tokenize("We never wanted the fence"))
