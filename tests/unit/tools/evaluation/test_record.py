from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tools.evaluation.record import Run, add_runs, digest, history_table, read_history, read_sections, write_section

FIRST = Run("drafting", "unseen", "aa", "v1", "2026-01-01", {"F1": "0.5"})


def test_a_run_is_kept_where_version_labels_or_figures_are_new(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    assert read_history(file) == []
    again = replace(FIRST, date="2026-01-02")
    new = [replace(again, version="v2"), replace(again, labels="bb"), replace(again, figures={"F1": "0.6"})]
    add_runs([FIRST], file)
    add_runs([again], file)
    assert read_history(file) == [FIRST]
    for run in new:
        add_runs([run, replace(FIRST, set="development")], file)
    history = read_history(file)
    assert [run for run in history if run.set == "unseen"] == [FIRST, *new]
    assert sum(run.set == "development" for run in history) == 1


def test_a_figure_that_a_run_did_not_have_is_a_dash() -> None:
    rows = history_table(
        [FIRST, replace(FIRST, figures={"Recall": "1"}), replace(FIRST, engine="intake")], "drafting", ["F1", "Recall"]
    )
    assert rows[0].endswith("| F1 | Recall |")
    assert [row.split("|")[-3:-1] for row in rows[2:]] == [[" 0.5 ", " – "], [" – ", " 1 "]]


def test_a_section_is_put_in_its_place_and_the_others_stay(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\nText.\n\n## One\n\n1\n\n### Part\n\n## Two\n\n2\n", encoding="utf-8")
    write_section("One", ["one", "", "| a |"], page)
    write_section("Three", ["3"], page)
    assert (
        page.read_text(encoding="utf-8")
        == "# Page\n\nText.\n\n## One\n\none\n\n| a |\n\n## Two\n\n2\n\n## Three\n\n3\n"
    )
    assert list(read_sections(page)) == ["", "One", "Two", "Three"]


def test_labels_have_a_digest_of_their_own(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("1")
    two.write_text("2")
    assert digest(one) != digest(two) != digest(one, two)
    assert len(digest(one)) == 8
