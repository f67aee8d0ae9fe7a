"""How well notes are read and texts proofread that nobody tuned on: ``python -m tools.evaluation.text_assist`` prints
the figures, --record keeps them.

`tools.evaluation.intake` and `tools.evaluation.proofreading` measure the sets that rules were mended on. Here only
figures are shown, never a miss.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from server.domain.intake.describing import alike
from server.domain.intake.profiles import PROFILES
from server.domain.intake.reading import Intake
from server.domain.proofreading.proofreader import Proofreader
from server.domain.proofreading.protected import tokens
from server.embedded import load_embedded
from server.intake import intake_reader, intake_version
from server.proofreading import load_proofreader, proofreader_version
from tools.evaluation.calibration import bins, calibration_error
from tools.evaluation.intake import CONTEXTS
from tools.evaluation.proofreading import HarperAlone, alarms, changes, lost
from tools.evaluation.record import Run, add_runs, digest, history_table, read_history, today, write_section

HERE = Path(__file__).parent
NOTES = HERE / "intake_unseen3.jsonl"
SURE = Decimal("0.9")
NOTES_SECTION = "Reading of notes"
TEXTS_SECTION = "Proofreading"
_NOTE_KEYS = ("Notes", "Fields", "Precision", "Recall", "Ready", "Ready with a required field wrong")
_TEXT_KEYS = (
    "First suggestion right",
    "Precision",
    "Recall",
    "F0.5",
    "Alarms per 1,000 words",
    "Protected tokens changed",
    "Right at 0.9 or above",
    "Calibration error",
)


@dataclass(frozen=True, slots=True)
class Texts:
    """A set of texts: misspelled words, what was meant, and a sentence they stand in; sentences and how they are right;
    clean sentences by locale. All words and sentences are en-US."""

    words: Path
    sentences: Path
    clean: Mapping[str, Path]

    @classmethod
    def named(cls, name: str) -> Texts:
        """The files of a set."""
        clean = {"en-US": HERE / f"{name}_clean.txt", "en-GB": HERE / f"{name}_clean_gb.txt"}
        return cls(
            HERE / f"{name}_misspellings.tsv",
            HERE / f"{name}.tsv",
            {locale: file for locale, file in clean.items() if file.exists()},
        )

    @property
    def files(self) -> tuple[Path, ...]:
        """All of them."""
        return (self.words, self.sentences, *self.clean.values())

    def clean_sentences(self) -> list[tuple[str, str]]:
        """The clean sentences, each behind its locale."""
        return [(locale, sentence) for locale, file in self.clean.items() for (sentence,) in read_rows(file)]


#: `burned` was the unseen set until rules were mended with it in sight (2026-11-22); the last of them decides.
TEXTS = {"burned": Texts.named("proofreading_burned"), "unseen": Texts.named("proofreading_unseen2")}


@dataclass(frozen=True, slots=True)
class Note:
    """A note with the fields that a careful reader would fill."""

    profile: str
    country: str
    text: str
    fields: Mapping[str, str]
    asked: frozenset[str]


def read_notes(file: Path = NOTES) -> list[Note]:
    """The labelled notes of a file."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [Note(row["profile"], row["country"], row["text"], row["fields"], frozenset(row["asked"])) for row in rows]


def read_rows(file: Path) -> list[tuple[str, ...]]:
    """The rows of a file of columns separated by tabs."""
    return [tuple(line.split("\t")) for line in file.read_text("utf-8").splitlines()]


def same(field: str, found: str | None, label: str | None) -> bool:
    """Whether a value is right: letter by letter, a description by its words."""
    if field != "description" or found is None or label is None:
        return found == label
    return alike(found, label)


def note_figures(read: Sequence[tuple[Note, Intake]]) -> dict[str, str]:
    """Precision and recall of fields; ``ready`` and whether a field that decides it was wrong."""
    count: Counter[str] = Counter()
    for note, intake in read:
        found = {value.field: value.candidate.value for value in intake.values}
        profile = PROFILES[note.profile]
        decisive = {field.name for field in profile.fields if field.required}.union(*profile.one_of)
        count["fields"] += len(note.fields)
        count["found"] += len(found)
        count["right"] += sum(same(name, value, note.fields.get(name)) for name, value in found.items())
        count["exact"] += sum(value == note.fields.get(name) for name, value in found.items())
        count["asked"] += {question.field for question in intake.questions} == note.asked
        count["ready"] += intake.ready
        count["wrong"] += intake.ready and not all(
            same(name, found.get(name), note.fields.get(name)) for name in decisive
        )
    found_in_all, labelled = count["found"] or 1, count["fields"] or 1
    return {
        "Notes": f"{len(read)}",
        "Fields": f"{count['fields']}",
        "Precision": f"{count['right'] / found_in_all:.3f}",
        "Recall": f"{count['right'] / labelled:.3f}",
        "Precision, letter by letter": f"{count['exact'] / found_in_all:.3f}",
        "Recall, letter by letter": f"{count['exact'] / labelled:.3f}",
        "Asked as labelled": f"{count['asked']}",
        "Ready": f"{count['ready']}",
        "Ready with a required field wrong": f"{count['wrong']}",
    }


def spelling_share(first: Callable[[str, str], str | None], texts: Texts) -> str:
    """The share of misspelled words whose first suggestion is right, each in its sentence. ``first`` takes sentence and
    word."""
    rows = read_rows(texts.words)
    right = sum(first(sentence, wrong) == meant for wrong, meant, sentence in rows)
    return f"{right / len(rows):.3f} of {len(rows)}"


def edit_figures(pairs: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Precision, recall and F0.5 of changed runs of words; each of a sentence, how it is right, and what was made of
    it."""
    right = proposed = wanted = 0
    for wrong, meant, suggested in pairs:
        gold, ours = changes(wrong, meant), changes(wrong, suggested)
        right, proposed, wanted = right + len(gold & ours), proposed + len(ours), wanted + len(gold)
    precision, recall = right / (proposed or 1), right / (wanted or 1)
    score = 1.25 * precision * recall / (0.25 * precision + recall) if right else 0.0
    return {"Precision": f"{precision:.3f}", "Recall": f"{recall:.3f} of {wanted}", "F0.5": f"{score:.3f}"}


def confidences(proofreader: Proofreader, texts: Texts) -> list[tuple[Decimal, bool]]:
    """Of each suggestion on all three sets its confidence and whether it is right; on clean text none is."""
    found: list[tuple[Decimal, bool]] = []
    for wrong, meant, sentence in read_rows(texts.words):
        for before, after, _, confidence in alarms(proofreader, sentence):
            found.append((_decimal(confidence), (before, after) == (wrong, meant)))
    for wrong, meant in read_rows(texts.sentences):
        gold = changes(wrong, meant)
        for edit in proofreader.read(wrong, "notes", "en-US").edits:
            alone = changes(wrong, wrong[: edit.start] + edit.after + wrong[edit.end :])
            found.append((_decimal(edit.confidence), bool(alone) and alone <= gold))
    for locale, sentence in texts.clean_sentences():
        found += [(_decimal(confidence), False) for _, _, _, confidence in alarms(proofreader, sentence, locale)]
    return found


def _decimal(confidence: float) -> Decimal:
    return Decimal(str(confidence))


def text_figures(
    first: Callable[[str, str], str | None],
    told: Callable[[str, str], int],
    suggested: Callable[[str, str], str],
    texts: Texts,
) -> dict[str, str]:
    """The figures of one proofreader: its first suggestion for a word in a sentence, how much it says on a text of a
    locale, and what it makes of one."""
    clean = texts.clean_sentences()
    words = sum(len(re.findall(r"[^\W\d_]{2,}", text)) for _, text in clean)
    signs = sum(tokens(text).total() for _, text in clean)
    return {
        "First suggestion right": spelling_share(first, texts),
        **edit_figures((wrong, meant, suggested("en-US", wrong)) for wrong, meant in read_rows(texts.sentences)),
        "Alarms per 1,000 words": f"{sum(told(*one) for one in clean) * 1000 / words:.2f} of {words}",
        "Protected tokens changed": f"{sum(lost(text, suggested(locale, text)) for locale, text in clean)} of {signs}",
    }


def our_figures(proofreader: Proofreader, texts: Texts) -> dict[str, str]:
    """The figures of the proofreader, with its confidences."""
    found = confidences(proofreader, texts)
    sure = [right for confidence, right in found if confidence >= SURE]
    return {
        **text_figures(
            lambda sentence, wrong: next(
                (after for before, after, _, _ in alarms(proofreader, sentence) if before == wrong), None
            ),
            lambda locale, text: len(alarms(proofreader, text, locale)),
            lambda locale, text: proofreader.read(text, "notes", locale).suggested_text,
            texts,
        ),
        "Right at 0.9 or above": f"{sum(sure) / (len(sure) or 1):.3f} of {len(sure)}",
        "Calibration error": f"{calibration_error(found):.3f}",
    }


def harper_figures(harper: HarperAlone, texts: Texts) -> dict[str, str]:
    """The same of Harper with its default rules."""
    return text_figures(
        lambda sentence, wrong: next((after for before, after in harper.alarms(sentence) if before == wrong), None),
        lambda _, text: len(harper.alarms(text)),
        lambda _, text: harper.changed(text),
        texts,
    )


def main() -> None:
    """Print the figures; with --record keep them."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.evaluation.text_assist", description="Measure reading and proofreading on unseen texts."
    )
    parser.add_argument("--record", action="store_true", help="keep the figures in history.jsonl and docs/quality.md")
    options = parser.parse_args()
    embedded = load_embedded()
    reader = intake_reader(embedded)
    read = [(note, reader.read(note.profile, note.text, CONTEXTS[note.country])) for note in read_notes()]
    proofreader = load_proofreader()
    ours = {name: our_figures(proofreader, texts) for name, texts in TEXTS.items()}
    day, (decides, texts) = today().isoformat(), list(TEXTS.items())[-1]
    runs = [
        Run("intake", "unseen", digest(NOTES), intake_version(embedded), day, note_figures(read)),
        *(
            Run("proofreading", name, digest(*one.files), proofreader_version(), day, figures)
            for (name, one), figures in zip(TEXTS.items(), ours.values(), strict=True)
        ),
    ]
    history = add_runs(runs) if options.record else [*read_history(), *runs]
    sections = {
        NOTES_SECTION: notes_section(read, history),
        TEXTS_SECTION: texts_section(
            ours[decides], harper_figures(HarperAlone(), texts), confidences(proofreader, texts), history
        ),
    }
    for heading, lines in sections.items():
        print(heading, *lines, sep="\n")
        if options.record:
            write_section(heading, lines)


def notes_section(read: Sequence[tuple[Note, Intake]], history: Sequence[Run]) -> list[str]:
    """The section of the page on intake."""
    rows = {name: note_figures([one for one in read if one[0].profile == name]) for name in PROFILES}
    rows["**all**"] = note_figures(read)
    return [
        *NOTES_METHOD.splitlines(),
        "",
        f"| Profile | {' | '.join(rows['**all**'])} |",
        f"|---|{'---|' * len(rows['**all**'])}",
        *(f"| {name} | {' | '.join(found.values())} |" for name, found in rows.items()),
        "",
        "Runs, oldest first:",
        "",
        *history_table(history, "intake", _NOTE_KEYS),
    ]


def texts_section(
    ours: Mapping[str, str],
    harper: Mapping[str, str],
    found: Sequence[tuple[Decimal, bool]],
    history: Sequence[Run],
) -> list[str]:
    """The section of the page on proofreading."""
    return [
        *TEXTS_METHOD.splitlines(),
        "",
        "| | Ours | Harper alone |",
        "|---|---|---|",
        *(f"| {name} | {figure} | {harper.get(name, '–')} |" for name, figure in ours.items()),
        "",
        "| Confidence from | Suggestions | Mean confidence | Right |",
        "|---|---|---|---|",
        *(f"| {bound} | {count} | {mean:.2f} | {right:.2f} |" for bound, count, mean, right in bins(found)),
        "",
        "Runs, oldest first:",
        "",
        *history_table(history, "proofreading", _TEXT_KEYS),
    ]


NOTES_METHOD = """\
Notes of our own writing as people type them (`intake_unseen3.jsonl`), labelled without knowledge of the rules,
before the engine first ran on them, and not looked at. A value is right letter by letter, a description where its words
and the label's agree by four fifths (Dice); letter by letter stands beside it. *Ready with a required field wrong*
counts notes that are `ready` though a field that decides this is wrong, missed or made up.
"""
TEXTS_METHOD = """\
Words, sentences and clean text of our own writing, labelled without knowledge of the rules, before the engine first ran
on them, and not looked at: `proofreading_unseen2*`. What was unseen until 2026-11-21 is `proofreading_burned*` now:
rules were mended with it in sight, so its later figures flatter. Misspelled words stand in a sentence each; precision,
recall and F0.5 count runs of changed words in sentences with the slips that people make, some of them clean; alarms and
protected tokens are those of clean text with shorthand, brands and part numbers. Confidence is held against all
suggestions on the three. Harper runs with its default rules, American, and its first suggestion.
"""

if __name__ == "__main__":
    main()
