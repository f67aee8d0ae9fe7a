"""How well notes are read into forms: ``python -m tools.evaluation.intake`` prints precision and recall a profile.

The notes are of our own writing, as people type them, each with the fields that a careful reader would fill
(`intake_cases.jsonl`). A field that is named with its value must be found; one that is found and not named is a false
alarm. All were labelled before the rules first ran on them, round by round, and read and mended after it, slips of
labels included: what the first runs gave stands in docs/intake.md, and is what to expect of new notes.

Values are compared letter by letter. A description is a cut from the note, whose edges two careful readers place
differently: it is right where its words and the label's agree by four fifths (Dice), words of the note's names and
address aside; the strict figures, letter by letter, stand beside.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from server.domain.intake.candidate import Context
from server.domain.intake.describing import alike
from server.domain.intake.profiles import PROFILES
from server.domain.intake.reading import Intake, IntakeReader
from server.embedded import load_embedded
from server.intake import intake_reader

TODAY = date(2026, 11, 21)  # a Saturday
CONTEXTS = {"US": Context("US", "USD", TODAY), "GB": Context("GB", "GBP", TODAY)}
#: A description that repeats these says no more than one that does not.
_WHO_AND_WHERE = ("name", "customer_name", "company", "address", "email", "phone")


@dataclass(frozen=True, slots=True)
class Case:
    """A note, its right fields, and which fields a person must be asked about. ``batch``: its round."""

    batch: str
    profile: str
    context: Context
    text: str
    fields: dict[str, str]
    asked: frozenset[str]


def read_cases(path: Path) -> tuple[Case, ...]:
    """Labelled notes, one JSON object a line: batch, profile, country, text, fields, asked."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return tuple(
        Case(
            row["batch"], row["profile"], CONTEXTS[row["country"]], row["text"], row["fields"], frozenset(row["asked"])
        )
        for row in rows
    )


CASES = read_cases(Path(__file__).parent / "intake_cases.jsonl")


def main() -> None:
    """Print the figures, and with --errors each wrong field."""
    parser = argparse.ArgumentParser(prog="python -m tools.evaluation.intake", description=__doc__.partition("\n")[0])
    parser.add_argument("--errors", action="store_true", help="show each wrong field")
    parser.add_argument("--batch", help="only this round of notes")
    parser.add_argument("--cases", type=Path, help="other labelled notes in the same form")
    options = parser.parse_args()
    cases = read_cases(options.cases) if options.cases else CASES
    cases = tuple(case for case in cases if options.batch in (None, case.batch))
    reader = intake_reader(load_embedded())
    print("\n".join(table(reader, cases)))
    if options.errors:
        for case in cases:
            for error in errors(reader, case):
                print(f"{case.profile}: {case.text[:60]!r}: {error}")


def table(reader: IntakeReader, cases: Sequence[Case]) -> list[str]:
    """The figures of each profile as a Markdown table."""
    return [
        "| Profile | Notes | Fields | Precision | Recall | Strict precision | Strict recall | Asked as labelled "
        "| Ready | of them a required field wrong | any field wrong |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
        *(
            f"| {profile or '**all**'} | "
            f"{_figures(reader, [case for case in cases if profile in ('', case.profile)])} |"
            for profile in (*PROFILES, "")
        ),
    ]


def errors(reader: IntakeReader, case: Case) -> list[str]:
    """What is wrong with the reading of a note, in words."""
    intake = reader.read(case.profile, case.text, case.context)
    found = {value.field: value.candidate.value for value in intake.values}
    wrong = [
        f"{name} is {found.get(name)!r}, not {value!r}"
        for name, value in case.fields.items()
        if not same(name, found.get(name), case)
    ]
    wrong += [f"{name} {value!r} is not there" for name, value in found.items() if name not in case.fields]
    asked = {question.field for question in intake.questions}
    return wrong + [f"asked of {sorted(asked)}, not of {sorted(case.asked)}"] * (asked != case.asked)


def same(field: str, found: str | None, case: Case) -> bool:
    """Whether a value is right: letter by letter, a description by its words."""
    label = case.fields.get(field)
    if field != "description" or found is None or label is None:
        return found == label
    elsewhere = {word for name in _WHO_AND_WHERE for word in re.findall(r"\w+", case.fields.get(name, "").lower())}
    return alike(found, label, without=elsewhere)


def wrong_though_ready(intake: Intake, case: Case) -> set[str]:
    """Fields that decide `ready` and are wrong, missed or made up, in a form that says it is ready."""
    profile = PROFILES[case.profile]
    decisive = {field.name for field in profile.fields if field.required}.union(*profile.one_of)
    found = {value.field: value.candidate.value for value in intake.values}
    return {name for name in decisive if intake.ready and not same(name, found.get(name), case)}


def _figures(reader: IntakeReader, cases: Iterable[Case]) -> str:
    count: Counter[str] = Counter()
    for case in cases:
        intake = reader.read(case.profile, case.text, case.context)
        found = {value.field: value.candidate.value for value in intake.values}
        right = {name for name, value in found.items() if same(name, value, case)}
        asked = {question.field for question in intake.questions}
        count["notes"] += 1
        count["fields"] += len(case.fields)
        count["found"] += len(found)
        count["right"] += len(right)
        count["strict"] += sum(value == case.fields.get(name) for name, value in found.items())
        count["asked"] += asked == case.asked
        count["ready"] += intake.ready
        count["required wrong"] += bool(wrong_though_ready(intake, case))
        count["ready wrong"] += intake.ready and not (found.keys() | case.fields.keys()) <= right
    found_of, labelled = count["found"] or 1, count["fields"] or 1
    return (
        f"{count['notes']} | {count['fields']} | {count['right'] / found_of:.3f} | {count['right'] / labelled:.3f} | "
        f"{count['strict'] / found_of:.3f} | {count['strict'] / labelled:.3f} | {count['asked']} | {count['ready']} | "
        f"{count['required wrong']} | {count['ready wrong']}"
    )


if __name__ == "__main__":
    main()
