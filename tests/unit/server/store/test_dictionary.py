"""Promises of dictionaries: every word once, the digest names the set, a full one takes no more."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server import administration
from server.store import dictionary

WORDS = st.sampled_from(["sika", "flex", "hilti", "o'hare", "schlüter"])


def organization(store):
    return administration.create_organization(store, "Test", "Pro")


def add(store, number, *words):
    return store.write_now(lambda: dictionary.add(number, {w: w.title() for w in words}, added_by="user:1", at=7))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.booleans(), st.lists(WORDS, min_size=1, max_size=3, unique=True)), max_size=12))
def test_the_digest_names_the_set_of_words_however_it_came_about(store, steps):
    number, other = organization(store), organization(store)
    expected: set[str] = set()
    for adds, words in steps:
        if adds:
            stored, new, total = add(store, number, *words)
            assert [one.word for one in stored] == [word.title() for word in words]
            assert set(new) == {word.title() for word in set(words) - expected}
            expected |= set(words)
            assert total == len(expected)
        else:
            removed = store.write_now(lambda word=words[0]: dictionary.remove(number, word))
            assert (removed is not None) == (words[0] in expected)
            expected -= {words[0]}
    if expected:
        add(store, other, *sorted(expected))
    assert store.read_now(lambda: dictionary.summary(number)) == store.read_now(lambda: dictionary.summary(other))
    assert store.read_now(lambda: dictionary.known(number, ["sika", "flex", "hilti", "nothing"])) == expected & {
        "sika", "flex", "hilti",
    }  # fmt: skip
    total, page = store.read_now(lambda: dictionary.list_page(number, limit=100, offset=0))
    assert (total, {one.word.lower() for one in page}) == (len(expected), expected)


def test_a_full_dictionary_takes_no_more_and_goes_on_knowing_its_own(store, monkeypatch):
    monkeypatch.setattr(dictionary, "MOST_WORDS", 3)
    number = organization(store)
    add(store, number, "sika", "flex")
    with pytest.raises(dictionary.DictionaryFullError):
        add(store, number, "hilti", "o'hare")
    assert store.read_now(lambda: dictionary.summary(number))[0] == 2
    assert add(store, number, "flex", "hilti")[2] == 3
    assert add(store, number, "flex")[1:] == ((), 3)


def test_a_dictionary_is_its_organizations_alone(store):
    one, other = organization(store), organization(store)
    add(store, one, "sika")
    assert store.read_now(lambda: dictionary.known(other, ["sika"])) == frozenset()
    assert store.read_now(lambda: dictionary.summary(other)) == (0, bytes(32))
