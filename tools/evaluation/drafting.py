"""How well requests are drafted: ``python -m tools.evaluation.drafting`` prints the figures, --record keeps them.

Each request of a set is labelled with the lines that an estimator would put on the quote, with what must not be
charged, and with a range for the total where one can be stood on (docs/quality.md says how). The development and the
burned set may be looked at; of the unseen one only figures are shown, so that nobody tunes on it.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from server.domain.draft import Draft, DraftLine, LineKind
from server.domain.drafting.engine import Drafter
from server.domain.regions import CURRENCY_OF
from server.domain.settings import PricingSettings
from server.domain.units import UNITS, factor
from server.embedded import load_embedded
from tools.evaluation.calibration import bins, calibration_error
from tools.evaluation.record import Run, add_runs, digest, history_table, read_history, today, write_section

HERE = Path(__file__).parent
#: Label files by what they are for.
SETS = {
    "development": HERE / "drafting_development.jsonl",
    "development, wordings": HERE / "drafting_development_catalogue.jsonl",
    "first, burned": HERE / "drafting_burned.jsonl",
    "second, burned": HERE / "drafting_burned_second.jsonl",
    "written to learn from": HERE / "drafting_learn.jsonl",
    "third, burned": HERE / "drafting_burned_third.jsonl",
    "fourth, burned": HERE / "drafting_burned_fourth.jsonl",
    "fifth, burned": HERE / "drafting_burned_fifth.jsonl",
    "second to learn from": HERE / "drafting_learn_second.jsonl",
    "third to learn from": HERE / "drafting_learn_third.jsonl",
    "fourth to learn from": HERE / "drafting_learn_fourth.jsonl",
    "fifth to learn from": HERE / "drafting_learn_fifth.jsonl",
    "sixth to learn from": HERE / "drafting_learn_sixth.jsonl",
    "seventh to learn from": HERE / "drafting_learn_seventh.jsonl",
    "how much": HERE / "drafting_how_much.jsonl",
    "sixth, burned": HERE / "drafting_burned_sixth.jsonl",
    "unseen, seventh": HERE / "drafting_seventh.jsonl",
    "unseen, eighth": HERE / "drafting_eighth.jsonl",
    "unseen, ninth": HERE / "drafting_ninth.jsonl",
    "unseen, tenth": HERE / "drafting_tenth.jsonl",
    "unseen, eleventh": HERE / "drafting_eleventh.jsonl",
}
#: What the labels call the work of tasks that are younger than they are.
MADE_SINCE = HERE / "made_since.toml"
#: Those that decide: only their figures are looked at, and nothing is fitted on them.
UNSEEN = frozenset(name for name in SETS if name.startswith("unseen"))
SECTION = "Drafts"
#: Trades whose lines an estimator adds where they belong: neither right nor wrong unless a label names them.
ANCILLARY = ("permits.", "access.", "waste-removal.")
#: How far a quantity may be off after the conversion of units.
TOLERANCE = Decimal("0.02")
#: The figures of earlier runs that the page shows; history.jsonl has them all.
KEY_FIGURES = (
    "Lines wanted",
    "Recall",
    "Precision",
    "F1",
    "Quantities right",
    "Exclusions charged",
    "Supplied material charged",
    "Texts without work charged",
    "Total in range",
    "Calibration error",
)
_UNPRICED = "unpriced:"
METHOD = """\
Labelled requests in `tools/evaluation/drafting_*.jsonl`: real building permits, and requests of our own writing in
customers' words, each with the lines that an estimator would write. The unseen set was labelled without knowledge of
the rules, before the engine first ran on it, and is not looked at. The set of wordings has short requests over all
trades, and remarks that ask for nothing; it was labelled before its first run and then used to tune the names of the
catalogue, so later figures flatter. Six sets were unseen before; each decided until it was read, and is learned from
since, under its number and the word `burned`: the first until 2026-11-21 16:00 (its runs as `unseen` have the labels
`6e79424e` and `5a54574c`), the second, 113 texts, until 17:20 (`1c9b5815`, `d902689f`), the third, 156 texts, until
20:50 (`f153c8a0`), the fourth, 156 texts, until 23:50 (`a8504c52`), the fifth, 170 texts, until 2026-11-24 00:30
(`992b6ca2`), the sixth, 150 texts, until 04:10 (`d0e63170`). The sets `to learn from` and `how much`, which tells
quantities in rare ways, never decided; their first runs are by rules that knew nothing of them, but for the fourth and
`how much`, whose mistakes had been looked at before. Five sets decide: one of 150 texts since 2026-11-22 06:35
(`seventh`), one of 75 since 2026-11-24 (`eighth`), one of 74 since 2026-11-25 (`ninth`), written about what is not
to be charged, one of 150 since 2026-11-28 (`tenth`), each of whose texts was written to be hard in two or three of
the ways in which real ones are, and one of 220 since 2026-11-30 (`eleventh`), of the requests that people would type
who have work to be done or try such a service out, by five with different customers in mind; every second text of those
written with the last three may be read (`fifth`, `sixth`, `seventh to learn from`). A line counts as found where a line
of the draft is for a task that the label accepts, one for one; a line for work that the catalogue lacks, or has without
any price, must say so, on the same words. Labels are older than some tasks: `made_since.toml` says what they call the
work of these. Permits,
access and disposal that no label names count neither way.

*Quantities right*: of the lines found, where the text says how much, within 2 % whatever the unit. *Open quantities
said*: of the priced lines found whose quantity the text does not say, those with a reason to review or a question in
the draft. *Exclusions charged* counts lines that charge excluded work or work that is only mentioned, *Supplied
material charged* those that charge the material that the customer has. *Total in range*: the total before tax lies in
a range that stands on one of two things: the declared cost of a permit, × 0.5 to × 2, where the text states what
decides it; or published prices of two publishers or more for each line, the lowest × 0.8 to the highest × 1.25. The
first are prices of Chicago as applicants declare them; the second come mostly from the data that the engine prices
from (`basis` `claims`; where others were looked up it is `published` and names them), and so judge lines and
quantities more than prices.
"""


@cache
def _never_priced() -> frozenset[str]:
    """Tasks that no source prices: a line for one says as much as a line for unknown work, and its name besides."""
    tasks = load_embedded().catalogue.tasks.values()
    return frozenset(one.task_id for one in tasks if not (one.labour or one.materials or one.observed or one.claims))


@cache
def names_in_labels() -> Mapping[str, frozenset[str]]:
    """Tasks → those by which labels name their work: that which one is a form of, those whose things one only fits,
    and older ones."""
    older, fitted = _made_since(), _fitted()
    return {
        task: frozenset({task, work, *older.get(work, ()), *fitted.get(task, ())}) for task, work in _works().items()
    }


@cache
def _works() -> Mapping[str, str]:
    """Tasks → the task that names their work."""
    return {one.task_id: one.work for one in load_embedded().catalogue.tasks.values()}


@cache
def _fitted() -> Mapping[str, Sequence[str]]:
    """Tasks of fitting alone what the customer supplies → the tasks that supply it, too."""
    found: dict[str, list[str]] = {}
    for one in load_embedded().catalogue.tasks.values():
        if one.fitted:
            found.setdefault(one.fitted, []).append(one.task_id)
    return found


@cache
def _made_since() -> Mapping[str, Sequence[str]]:
    """Tasks made after the labels were written → those by which these name the same work."""
    return tomllib.loads(MADE_SINCE.read_text("utf-8"))


def _is_named(line: DraftLine, tasks: Iterable[str]) -> bool:
    """Whether a label with these tasks names the work of the line, in whatever form."""
    return not names_in_labels().get(line.task_id, frozenset()).isdisjoint(tasks)


@dataclass(frozen=True, slots=True)
class Form:
    """One acceptable form of a line: catalogue tasks (or `unpriced:<words>`), and how much. ``low`` and ``high`` are
    None where the text gives no quantity."""

    tasks: tuple[str, ...]
    low: Decimal | None
    high: Decimal | None
    unit: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Form:
        """From a line of a label, or one of its `or`."""
        qty = row["qty"]
        low, high = (qty, qty) if qty is None or isinstance(qty, str) else qty
        return cls(tuple(row["tasks"]), _decimal(low), _decimal(high), row["unit"])

    def accepts(self, line: DraftLine) -> bool:
        """Whether the line is for this work; where the catalogue lacks it, whether it says so."""
        if _is_named(line, self.tasks):
            return True
        lacking = any(task.startswith(_UNPRICED) for task in self.tasks)
        if lacking and _works().get(line.task_id) in _made_since():
            return True
        return lacking and not line.priced and (not line.task_id or line.task_id in _never_priced())

    def measures(self, line: DraftLine) -> bool:
        """Whether the quantity of the line is right, in whatever unit of the dimension."""
        if self.low is None or self.high is None or UNITS[line.unit].dimension is not UNITS[self.unit].dimension:
            return False
        qty = line.qty * factor(line.unit, self.unit)
        return self.low * (1 - TOLERANCE) <= qty <= self.high * (1 + TOLERANCE)


@dataclass(frozen=True, slots=True)
class Label:
    """A line that an estimator would write. ``optional`` None: either way is as good."""

    words: str
    forms: tuple[Form, ...]
    optional: bool | None
    labour_only: bool

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Label:
        """From its JSON."""
        forms = tuple(map(Form.of, (row, *row.get("or", ()))))
        return cls(row["words"], forms, row.get("optional", False), row.get("labour_only", False))

    def quantity(self, line: DraftLine) -> str:
        """`right`, `wrong`, or `open` where the text does not say how much."""
        forms = [form for form in self.forms if form.accepts(line)]
        if any(form.measures(line) for form in forms):
            return "right"
        return "open" if any(form.low is None for form in forms) else "wrong"


@dataclass(frozen=True, slots=True)
class Request:
    """A labelled request. ``total`` is a range in minor units with its basis, None where nothing supports one."""

    id: str
    origin: str
    country: str
    location: str
    industry: str
    text: str
    labels: tuple[Label, ...]
    allowed: frozenset[str]
    excluded: tuple[tuple[str, frozenset[str]], ...]
    enough: bool
    total: tuple[int, int, str] | None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Request:
        """From its line of a label file."""
        total = row["total"]
        return cls(
            **{name: row[name] for name in ("id", "origin", "country", "location", "industry", "text")},
            labels=tuple(map(Label.of, row["lines"])),
            allowed=frozenset(row.get("allowed", ())),
            excluded=tuple((one["words"], frozenset(one["tasks"])) for one in row["excluded"]),
            enough=row["enough_to_price"],
            total=total and (total["low"], total["high"], total["basis"]),
        )


@dataclass(slots=True)
class Judgement:
    """One draft held against its labels. ``spare`` lines match no label, ``extra`` ones neither and need none."""

    request: Request
    draft: Draft
    matched: list[tuple[Label, DraftLine]] = field(default_factory=list)
    spare: list[DraftLine] = field(default_factory=list)
    extra: list[DraftLine] = field(default_factory=list)

    @property
    def missed(self) -> list[Label]:
        """Labels without a line."""
        found = {id(label) for label, _ in self.matched}
        return [label for label in self.request.labels if id(label) not in found]

    @property
    def counted(self) -> list[DraftLine]:
        """The lines that are right or wrong."""
        return [*(line for _, line in self.matched), *self.spare]

    @property
    def charged_exclusions(self) -> list[DraftLine]:
        """Lines that charge work that the request excludes or only mentions."""
        text = self.request.text
        return [
            line
            for line in (*self.spare, *self.extra)
            if is_charged(line)
            and any(
                _is_named(line, tasks) or shared(line, text, words) * 2 > length(line)
                for words, tasks in self.request.excluded
            )
        ]

    @property
    def charged_supplies(self) -> list[DraftLine]:
        """Lines that charge the thing that the customer supplies."""
        return [line for label, line in self.matched if label.labour_only and charges_material(line)]

    @property
    def charged_options(self) -> list[DraftLine]:
        """Options that count into the total."""
        return [line for label, line in self.matched if label.optional and is_charged(line)]

    @property
    def hedged(self) -> list[tuple[DraftLine, bool]]:
        """Priced lines whose quantity the text does not say, and whether the draft says so."""
        return [
            (line, bool(line.review_reasons or self.draft.questions))
            for label, line in self.matched
            if line.priced and label.quantity(line) == "open"
        ]

    @property
    def confidences(self) -> list[tuple[Decimal, bool]]:
        """Of each priced line its confidence, and whether work and quantity are right."""
        right = [(line, label.quantity(line) != "wrong") for label, line in self.matched]
        return [
            (line.confidence, good) for line, good in (*right, *((one, False) for one in self.spare)) if line.priced
        ]

    @property
    def in_range(self) -> bool:
        """Whether the total before tax is in the estimator's range."""
        assert self.request.total is not None
        low, high, _ = self.request.total
        return self.draft.currency == CURRENCY_OF[self.request.country] and low <= self.draft.subtotal_minor <= high


def is_charged(line: DraftLine) -> bool:
    """Whether the line counts into the total."""
    return line.priced and not line.optional and line.amount_minor != 0


def charges_material(line: DraftLine) -> bool:
    """Whether a line charges the thing itself: not one of labour, nor for fitting what is supplied, nor with a price
    whose parts are known and none of them material."""
    if not is_charged(line) or line.kind is LineKind.LABOUR or line.task_id in _fitted() or line.source is None:
        return False
    parts = {part.kind for part in line.source.components if part.amount}
    return "material" in parts or "labour" not in parts


def length(line: DraftLine) -> int:
    """Code points of the line's span."""
    return line.span.end - line.span.start if line.span else 0


def shared(line: DraftLine, text: str, words: str) -> int:
    """Code points that the span of a line shares with the words, wherever in the text they stand."""
    if line.span is None:
        return 0
    most, start = 0, text.find(words)
    while start >= 0:
        most = max(most, min(line.span.end, start + len(words)) - max(line.span.start, start))
        start = text.find(words, start + 1)
    return most


def judge(request: Request, draft: Draft) -> Judgement:
    """Match lines with labels, one to one and as many as possible, those with common words and a right quantity
    first."""
    lines = draft.lines
    pairs: dict[int, list[int]] = {}
    for place, label in enumerate(request.labels):
        scores = {at: _likeness(request, label, line) for at, line in enumerate(lines)}
        found = [(score, at) for at, score in scores.items() if score is not None]
        pairs[place] = [at for _, at in sorted(found, key=lambda one: (*(-part for part in one[0]), one[1]))]
    taken: dict[int, int] = {}
    first = sorted(
        ((place, at) for place, ats in pairs.items() for at in ats),
        key=lambda pair: tuple(-part for part in _likeness(request, request.labels[pair[0]], lines[pair[1]]) or ()),
    )
    for place, at in first:
        if at not in taken and place not in taken.values():
            taken[at] = place
    for place in pairs:
        if place not in taken.values():
            _augment(place, pairs, taken, set())
    judgement = Judgement(request, draft)
    for at, line in enumerate(lines):
        if at in taken:
            judgement.matched.append((request.labels[taken[at]], line))
        elif _needs_no_label(request, line):
            judgement.extra.append(line)
        else:
            judgement.spare.append(line)
    return judgement


def _likeness(request: Request, label: Label, line: DraftLine) -> tuple[int, int] | None:
    """How alike they are (words shared, quantity right); None where the line is for other work."""
    if not any(form.accepts(line) for form in label.forms):
        return None
    words = shared(line, request.text, label.words)
    if words <= 0 and not any(line.task_id in form.tasks for form in label.forms):
        return None
    return int(words > 0), int(label.quantity(line) == "right")


def _augment(place: int, pairs: Mapping[int, list[int]], taken: dict[int, int], tried: set[int]) -> bool:
    for at in pairs[place]:
        if at not in tried:
            tried.add(at)
            if at not in taken or _augment(taken[at], pairs, taken, tried):
                taken[at] = place
                return True
    return False


def is_added(line: DraftLine) -> bool:
    """Whether it is a line that an estimator, or the organization's settings, add where nobody asks for it."""
    by_settings = line.source is not None and line.source.kind == "settings"
    return by_settings or line.task_id.startswith(ANCILLARY)


def _needs_no_label(request: Request, line: DraftLine) -> bool:
    return is_added(line) or line.task_id in request.allowed


def figures(judgements: Sequence[Judgement]) -> dict[str, str]:
    """All figures of a set as the page shows them."""
    matched = [pair for one in judgements for pair in one.matched]
    counted = [line for one in judgements for line in one.counted]
    lines = [line for one in judgements for line in one.draft.lines]
    labels = sum(len(one.request.labels) for one in judgements)
    quantities = Counter(label.quantity(line) for label, line in matched)
    hedged = [said for one in judgements for _, said in one.hedged]
    idle = [one for one in judgements if not one.request.labels]
    ranged = [one for one in judgements if one.request.total]
    confidences = [pair for one in judgements for pair in one.confidences]
    precision, recall = _share(len(matched), len(counted)), _share(len(matched), labels)
    own = [line for line in lines if line.source is None or line.source.kind != "settings"]
    read = sum(shared(line, one.request.text, label.words) > 0 for one in judgements for label, line in one.matched)
    return {
        "Texts": f"{len(judgements)}",
        "Lines wanted": f"{labels}",
        "Recall": f"{recall:.3f}",
        "Precision": f"{precision:.3f}",
        "F1": f"{f1(precision, recall):.3f}",
        "Quantities right": _of(quantities["right"], quantities["right"] + quantities["wrong"]),
        "Open quantities said": _of(sum(hedged), len(hedged)),
        "Exclusions charged": f"{sum(len(one.charged_exclusions) for one in judgements)}",
        "Supplied material charged": f"{sum(len(one.charged_supplies) for one in judgements)}",
        "Options charged": f"{sum(len(one.charged_options) for one in judgements)}",
        "Texts without work charged": _of(sum(any(map(is_charged, one.draft.lines)) for one in idle), len(idle)),
        "Without source": f"{sum(line.priced and line.source is None for line in lines)}",
        "Without span": f"{sum(line.span is None for line in own)}",
        "Span on the words": _of(read, len(matched)),
        "Unpriced lines": _of(sum(not line.priced for line in counted), len(counted)),
        "Total in range": _of(sum(one.in_range for one in ranged), len(ranged)),
        "Calibration error": f"{calibration_error(confidences):.3f}",
    }


def f1(precision: float, recall: float) -> float:
    """Harmonic mean of precision and recall, 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _of(part: int, whole: int) -> str:
    return f"{_share(part, whole):.3f} of {whole}" if whole else "–"


def read_requests(file: Path) -> list[Request]:
    """The labelled requests of a file."""
    return [Request.of(json.loads(line)) for line in file.read_text("utf-8").splitlines()]


def draft_all(drafter: Drafter, requests: Iterable[Request]) -> list[Judgement]:
    """Draft each request as a workspace at its place would, nothing set but the place and the currency."""
    return [
        judge(
            one,
            drafter.draft(
                one.text,
                industry=one.industry,
                settings=PricingSettings(currency=CURRENCY_OF[one.country], home_location=one.location),
            ),
        )
        for one in requests
    ]


def main() -> None:
    """Print the figures, with --misses what is wrong where one may look; with --record keep them."""
    parser = argparse.ArgumentParser(prog="python -m tools.evaluation.drafting", description=__doc__.partition("\n")[0])
    parser.add_argument("--misses", action="store_true", help="show what is wrong in the sets that may be looked at")
    parser.add_argument("--record", action="store_true", help="keep the figures in history.jsonl and docs/quality.md")
    options = parser.parse_args()
    embedded = load_embedded()
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    judged = {name: draft_all(drafter, read_requests(file)) for name, file in SETS.items() if file.exists()}
    runs = [
        Run("drafting", name, digest(SETS[name]), drafter.version, today().isoformat(), figures(rows))
        for name, rows in judged.items()
    ]
    history = add_runs(runs) if options.record else [*read_history(), *runs]
    lines = section(judged, runs, history)
    print("\n".join(lines))
    if options.record:
        write_section(SECTION, lines)
    if options.misses:
        for name, rows in judged.items():
            for one in rows if name not in UNSEEN else ():
                print_misses(one)


def section(judged: Mapping[str, Sequence[Judgement]], runs: Sequence[Run], history: Sequence[Run]) -> list[str]:
    """The section of the page."""
    origins = sorted({one.request.origin for rows in judged.values() for one in rows})
    parts = {
        f"{name}, {origin}": figures([one for one in rows if one.request.origin == origin])
        for name, rows in judged.items()
        for origin in origins
    }
    columns = {run.set: run.figures for run in runs} | parts
    names = list(runs[0].figures) if runs else []
    confidences = {name: bins(pair for one in rows for pair in one.confidences) for name, rows in judged.items()}
    return [
        *METHOD.splitlines(),
        "",
        f"| | {' | '.join(columns)} |",
        f"|---|{'---|' * len(columns)}",
        *(f"| {name} | {' | '.join(column[name] for column in columns.values())} |" for name in names),
        "",
        "Confidence of priced lines and how many of them are right in work and quantity:",
        "",
        "| Set | From | Lines | Mean confidence | Right |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {bound} | {count} | {mean:.2f} | {right:.2f} |"
            for name, rows in confidences.items()
            for bound, count, mean, right in rows
        ),
        "",
        "Runs, oldest first:",
        "",
        *history_table(history, "drafting", KEY_FIGURES),
    ]


def print_misses(one: Judgement) -> None:
    """What is wrong with a draft."""
    wrong = [
        *(f"missed: {label.words!r}" for label in one.missed),
        *(f"wrong line: {line.task_id or 'unpriced'} {_said(one, line)!r}" for line in one.spare),
        *(
            f"quantity {line.qty} {line.unit} of {line.task_id}, wanted {label.forms[0]}"
            for label, line in one.matched
            if label.quantity(line) == "wrong"
        ),
        *(f"charged though excluded: {line.task_id} {_said(one, line)!r}" for line in one.charged_exclusions),
        *(f"supplied by the customer, but charged: {line.task_id}" for line in one.charged_supplies),
        *(f"option charged: {line.task_id}" for line in one.charged_options),
    ]
    if one.request.total and not one.in_range:
        wrong.append(f"total {one.draft.subtotal_minor} not in {one.request.total}")
    for text in wrong:
        print(f"{one.request.id}: {text}")


def _said(one: Judgement, line: DraftLine) -> str:
    return one.request.text[line.span.start : line.span.end] if line.span else line.description


if __name__ == "__main__":
    main()
