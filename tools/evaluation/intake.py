"""How well notes are read into forms: ``python -m tools.evaluation.intake`` prints precision and recall a profile.

The notes are of our own writing, as people type them, each with the fields that a careful reader would fill
(`intake_cases.jsonl`). A field that is named with its value must be found; one that is found and not named is a false
alarm. All were labelled before the rules first ran on them, and read and mended after it, slips of labels included:
what the first runs gave stands in docs/intake.md, and is what to expect of new notes.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from server.domain.intake.candidate import Context
from server.domain.intake.profiles import PROFILES
from server.domain.intake.reading import IntakeReader
from server.domain.intake.words import Trades
from server.embedded import load_embedded

TODAY = date(2026, 11, 21)  # a Saturday
CONTEXTS = {"US": Context("US", "USD", TODAY), "GB": Context("GB", "GBP", TODAY)}


@dataclass(frozen=True, slots=True)
class Case:
    """A note, its right fields, and which fields a person must be asked about."""

    profile: str
    context: Context
    text: str
    fields: dict[str, str]
    asked: frozenset[str]


def _cases() -> tuple[Case, ...]:
    lines = (Path(__file__).parent / "intake_cases.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return tuple(
        Case(row["profile"], CONTEXTS[row["country"]], row["text"], row["fields"], frozenset(row["asked"]))
        for row in rows
    )


CASES = _cases()


def main() -> None:
    """Print the figures, and with --errors each wrong field."""
    parser = argparse.ArgumentParser(prog="python -m tools.evaluation.intake", description=__doc__.partition("\n")[0])
    parser.add_argument("--errors", action="store_true", help="show each wrong field")
    options = parser.parse_args()
    reader = IntakeReader(Trades.of(load_embedded().catalogue))
    print("profile  notes  fields  precision  recall  asked  ready, all right / wrong")
    for profile in (*PROFILES, ""):
        print(f"{profile or 'all':8} {_figures(reader, [case for case in CASES if profile in ('', case.profile)])}")
    if options.errors:
        for case in CASES:
            for error in errors(reader, case):
                print(f"{case.profile}: {case.text[:60]!r}: {error}")


def errors(reader: IntakeReader, case: Case) -> list[str]:
    """What is wrong with the reading of a note, in words."""
    intake = reader.read(case.profile, case.text, case.context)
    found = {value.field: value.candidate.value for value in intake.values}
    wrong = [
        f"{name} is {found.get(name)!r}, not {value!r}"
        for name, value in case.fields.items()
        if found.get(name) != value
    ]
    wrong += [f"{name} {value!r} is not there" for name, value in found.items() if name not in case.fields]
    asked = {question.field for question in intake.questions}
    return wrong + [f"asked of {sorted(asked)}, not of {sorted(case.asked)}"] * (asked != case.asked)


def _figures(reader: IntakeReader, cases: Iterable[Case]) -> str:
    count: Counter[str] = Counter()
    for case in cases:
        intake = reader.read(case.profile, case.text, case.context)
        found = {value.field: value.candidate.value for value in intake.values}
        right = {name for name, value in found.items() if case.fields.get(name) == value}
        asked = {question.field for question in intake.questions}
        count["notes"] += 1
        count["fields"] += len(case.fields)
        count["found"] += len(found)
        count["right"] += len(right)
        count["asked"] += asked == case.asked
        count["ready"] += intake.ready
        count["ready wrong"] += intake.ready and not set(case.fields) <= right
    precision, recall = count["right"] / (count["found"] or 1), count["right"] / (count["fields"] or 1)
    return (
        f"{count['notes']:6} {count['fields']:7} {precision:10.3f} {recall:7.3f} "
        f"{count['asked']:3}/{count['notes']:<3} "
        f"{count['ready'] - count['ready wrong']} / {count['ready wrong']}"
    )


if __name__ == "__main__":
    main()
