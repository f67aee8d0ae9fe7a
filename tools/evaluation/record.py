"""The history of figures, and the page that shows them: ``history.jsonl`` and the sections of docs/quality.md.

A run is kept where it differs from the last one of the same engine and set, be it by the engine's version, the labels
or a figure: the first run on a set stays on record, whatever is measured later.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "quality.md"
HISTORY = HERE / "history.jsonl"


@dataclass(frozen=True, slots=True)
class Run:
    """One measurement of an engine over one set. ``labels`` is a digest of the set's files, ``version`` the engine's;
    ``figures`` are as the page shows them."""

    engine: str
    set: str
    labels: str
    version: str
    date: str
    figures: Mapping[str, str]


def digest(*files: Path) -> str:
    """The first 8 hex digits of the SHA-256 over the files of a set."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def today() -> date:
    """The day a run is kept under (UTC)."""
    return datetime.now(UTC).date()


def read_history(file: Path = HISTORY) -> list[Run]:
    """All runs, oldest first; none where the file is not there yet."""
    return [Run(**json.loads(line)) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def add_runs(runs: Sequence[Run], file: Path = HISTORY) -> list[Run]:
    """Keep the runs that say something new, and give the whole history back."""
    history = read_history(file)
    for run in runs:
        before = [one for one in history if (one.engine, one.set) == (run.engine, run.set)]
        if not before or _said(before[-1]) != _said(run):
            history.append(run)
    file.write_text("".join(f"{json.dumps(asdict(run), ensure_ascii=False)}\n" for run in history), "utf-8")
    return history


def _said(run: Run) -> tuple[str, str, Mapping[str, str]]:
    return run.labels, run.version, run.figures


def history_table(history: Sequence[Run], engine: str, names: Sequence[str]) -> list[str]:
    """Chosen figures of an engine's runs as a Markdown table, oldest first; a figure that a run lacks is a dash."""
    runs = [run for run in history if run.engine == engine]
    return [
        f"| Date | Engine | Set | Labels | {' | '.join(names)} |",
        f"|---|---|---|---|{'---|' * len(names)}",
        *(
            f"| {run.date} | `{run.version[-8:]}` | {run.set} | `{run.labels}` | "
            f"{' | '.join(run.figures.get(name, '–') for name in names)} |"
            for run in runs
        ),
    ]


def write_section(heading: str, lines: Sequence[str], page: Path = PAGE) -> None:
    """Put a section in place of the one with the same heading, or at the end; the others stay as they are."""
    sections = read_sections(page)
    sections[heading] = "\n".join(lines)
    write_sections(sections, page)


def read_sections(page: Path = PAGE) -> dict[str, str]:
    """The text of each section by its heading, in the order of the page; under ``""`` what stands before the first."""
    before, *rest = page.read_text("utf-8").split("\n## ")
    parts = (part.partition("\n") for part in rest)
    return {"": before.strip("\n"), **{heading: text.strip("\n") for heading, _, text in parts}}


def write_sections(sections: Mapping[str, str], page: Path = PAGE) -> None:
    """Write the page from its sections."""
    text = "\n\n".join(f"## {heading}\n\n{body}" if heading else body for heading, body in sections.items())
    page.write_text(f"{text}\n", encoding="utf-8", newline="\n")
