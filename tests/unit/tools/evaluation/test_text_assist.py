from __future__ import annotations

import re

import pytest

from server.domain.intake.candidate import Candidate
from server.domain.intake.profiles import PROFILES
from server.domain.intake.reading import Intake, Value
from tools.evaluation.intake import CASES
from tools.evaluation.proofreading import CLEAN as OLD_CLEAN
from tools.evaluation.proofreading import MISSPELLINGS, MIXED, WRONG
from tools.evaluation.text_assist import (
    TEXTS,
    Note,
    Texts,
    edit_figures,
    note_figures,
    read_notes,
    read_rows,
    same,
)

TEXT = "Jo paid 40 cash today, invoice 7"
RIGHT = {"amount": "40.00", "currency": "USD", "date": "2026-11-21", "reference": "invoice 7", "payer": "Jo"}


def read(fields: dict[str, str], ready: bool) -> Intake:
    values = tuple(Value(name, candidate(value), ()) for name, value in fields.items())
    return Intake("payment", values, (), (), 0.9, ready)


def candidate(value: str) -> Candidate:
    kind = PROFILES["payment"].fields[0].kind
    return Candidate(kind, value, 0, 1, 0.9)


def test_a_description_is_right_by_its_words_and_other_values_letter_by_letter() -> None:
    assert same("description", "Fix the tap in the bath", "fix the tap in the bath.")
    assert same("description", "fix the tap in the upstairs bath", "fix the tap in the bath")
    assert not same("description", "fix the tap", "fix the tap in the upstairs bath")
    assert not same("name", "jo", "Jo")
    assert not same("description", None, "fix")


def test_fields_are_counted_one_by_one_and_ready_only_by_those_that_decide_it() -> None:
    note = Note("payment", "US", TEXT, RIGHT, frozenset())
    wrong_payer = {**RIGHT, "payer": "Joe"}
    made_up = {**RIGHT, "method": "cash"}
    wrong_amount = {**RIGHT, "amount": "400.00"}
    found = note_figures([(note, read(fields, True)) for fields in (wrong_payer, made_up, wrong_amount)])
    assert (found["Fields"], found["Precision"], found["Recall"]) == ("15", f"{13 / 16:.3f}", f"{13 / 15:.3f}")
    assert (found["Ready"], found["Ready with a required field wrong"]) == ("3", "1")
    assert note_figures([(note, read({}, False))])["Ready with a required field wrong"] == "0"


def test_runs_of_changed_words_are_right_wrong_or_missed() -> None:
    pairs = [("a dog bark at an cat", "a dog barks at a cat", "a dogs bark at a cat"), ("fine", "fine", "fine")]
    assert edit_figures(pairs) == {"Precision": "0.500", "Recall": "0.500 of 2", "F0.5": "0.500"}
    assert edit_figures([("x", "y", "x")]) == {"Precision": "0.000", "Recall": "0.000 of 1", "F0.5": "0.000"}


def test_labels_of_the_unseen_notes_are_whole_and_in_no_other_set() -> None:
    notes = read_notes()
    assert len(notes) >= 60
    assert {note.profile for note in notes} == set(PROFILES)
    for note in notes:
        assert {*note.fields, *note.asked} <= {field.name for field in PROFILES[note.profile].fields}, note.text
    assert not {note.text for note in notes} & {case.text for case in CASES}


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_labels_of_a_set_of_texts_are_whole_and_in_no_other_set(texts: Texts) -> None:
    words = read_rows(texts.words)
    assert len(words) >= 100 and all(wrong in sentence and wrong != meant for wrong, meant, sentence in words)
    assert not {wrong for wrong, _, _ in words} & {wrong for wrong, _ in MISSPELLINGS}
    sentences = read_rows(texts.sentences)
    assert sum(wrong != meant for wrong, meant in sentences) >= 60
    assert not {wrong for wrong, _ in sentences} & {wrong for wrong, _ in (*WRONG, *MIXED)}
    assert not {sentence for _, sentence in texts.clean_sentences()} & set(OLD_CLEAN)


def test_a_labelled_description_has_the_words_of_its_note() -> None:
    for note in read_notes():
        described, written = (re.findall(r"\w+", text) for text in (note.fields.get("description", ""), note.text))
        assert set(described) <= set(written), note.text
