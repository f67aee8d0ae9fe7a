"""Measures relevance, plausibility and coverage, prints them and writes them: ``python -m tools.evaluation``."""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from server.domain.drafting.engine import Drafter
from server.domain.pricing.sourcing import PriceSearch
from server.embedded import Embedded, load_embedded
from server.intake import intake_reader
from tools.evaluation import estimates
from tools.evaluation.coverage import cover
from tools.evaluation.intake import CASES, table
from tools.evaluation.plausibility import check
from tools.evaluation.record import PAGE, read_sections, write_sections
from tools.evaluation.relevance import DEPTH, PLACES, Judgement, judge, read_queries

HERE = Path(__file__).parent
#: Label files by what they are for.
SETS = {"development": "queries_development.tsv", "held-out": "queries_held_out.tsv"}
ORIGINS = ("customer", "permit", "claim")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path, default=PAGE, help="page to write (default: docs/quality.md)")
    parser.add_argument("--misses", action="store_true", help="print the development queries answered wrongly")
    arguments = parser.parse_args()
    embedded = load_embedded()
    search = PriceSearch(embedded.catalogue)
    judged = {name: judge(embedded, search, read_queries(HERE / file)) for name, file in SETS.items()}
    found = sections(embedded, judged)
    for heading, text in found.items():
        print(f"## {heading}\n\n{text}\n" if heading else f"{text}\n")
    print(timing([one for judgements in judged.values() for one in judgements]))
    if arguments.misses:
        print_misses(judged["development"])
    kept = read_sections(arguments.page) if arguments.page.exists() else {}
    write_sections(
        {**found, **{heading: text for heading, text in kept.items() if heading not in found}}, arguments.page
    )


def sections(embedded: Embedded, judged: dict[str, list[Judgement]]) -> dict[str, str]:
    """The sections that are measured here, by their headings: the same data and code give the same text."""
    return {
        "": f"# Quality\n\nMade by `make eval`, not by hand. Data `{embedded.version}`.",
        "Relevance of price queries": "\n".join(_relevance_lines(judged)),
        "Plausibility against observed prices": "\n".join(_plausibility_lines(embedded)),
        estimates.HEADING: "\n".join(_estimate_lines(embedded)),
        "Coverage": "\n".join(_coverage_lines(embedded)),
        "Notes read into forms": "\n".join(_intake_lines(embedded)),
    }


def _relevance_lines(judged: dict[str, list[Judgement]]) -> list[str]:
    lines = [
        "Labelled queries in `tools/evaluation/`: words of real building permits, names that publishers give their",
        "items, and everyday wording with its misspellings, plurals and sizes. A label names the tasks and products",
        "asked for (gain 3) and those worth seeing below them (gain 1). Both sets were labelled before the search was",
        "tuned, and split by a hash of the query; misses of the held-out set were not looked at. US queries are asked",
        f"from {PLACES['US']} in dollars, British ones from {PLACES['GB']} in pounds, without an industry. Publishers'",
        "names are labelled by the tasks that their figures price.",
        "",
        "Counted are queries of which something asked for has a price there. "
        f"Accuracy@{DEPTH}: something asked for is among the first {DEPTH}.",
        "",
        f"| Set | Origin | Queries | Accuracy@1 | Accuracy@{DEPTH} | nDCG@{DEPTH} |",
        "|---|---|---|---|---|---|",
    ]
    for name, judgements in judged.items():
        lines.append(_relevance_line(name, "all", judgements))
        lines += [
            _relevance_line(name, origin, [one for one in judgements if one.query.origin == origin])
            for origin in ORIGINS
        ]
    lines += [
        "",
        "And queries that have no price to be found:",
        "",
        "| Set | Why | Queries | Answered with nothing | First answer labelled as useful |",
        "|---|---|---|---|---|",
    ]
    reasons = {"unpriced": "known, but no source prices it there", "foreign": "not in the catalogue"}
    for name, judgements in judged.items():
        for kind, reason in reasons.items():
            rows = [one for one in judgements if one.kind == kind]
            empty = sum(not one.answers for one in rows)
            useful = sum(bool(one.answers) and one.answers[0] in one.query.useful for one in rows)
            lines.append(f"| {name} | {reason} | {len(rows)} | {empty} | {useful} |")
    return lines


def _relevance_line(name: str, origin: str, judgements: Sequence[Judgement]) -> str:
    rows = [one for one in judgements if one.kind == "priced"]
    first, among = statistics.mean(one.first for one in rows), statistics.mean(one.among for one in rows)
    gain = statistics.mean(one.gain for one in rows)
    return f"| {name} | {origin} | {len(rows)} | {first:.3f} | {among:.3f} | {gain:.3f} |"


def _plausibility_lines(embedded: Embedded) -> list[str]:
    checks, alone = check(embedded)
    inside, overlaps = sum(one.inside for one in checks), sum(one.overlaps for one in checks)
    near = sum(0.5 <= one.ratio <= 2 for one in checks)
    return [
        "What the engine would say in Chicago without the observations, held against what was declared there. How the",
        "kinds of source compare elsewhere is in [price-comparison.md](price-comparison.md).",
        "",
        f"Of {len(checks)} works with observed prices and another source, {inside} lie between the observed",
        f"quartiles, {near} within a factor of two of the observed median, and the range of {overlaps} meets the",
        f"quartiles; the median ratio is {statistics.median(one.ratio for one in checks):.2f}.",
        f"{alone} works have observed prices alone.",
        "",
        "| Work | Unit | n | Observed p25–p75 | Median | Without them | From | Ratio |",
        "|---|---|---|---|---|---|---|---|",
        *(
            f"| {one.task.name} | {one.task.unit} | {one.observed.n} | {one.observed.p25:.2f}–{one.observed.p75:.2f} | "
            f"{one.observed.median:.2f} | {one.price} ({one.low}–{one.high}) | {one.kind} | {one.ratio:.2f} |"
            for one in checks
        ),
    ]


def _coverage_lines(embedded: Embedded) -> list[str]:
    rows = cover(embedded)
    totals = {country: sum(row.priced[country] for row in rows) for country in PLACES}
    firm = {country: sum(row.firm[country] for row in rows) for country in PLACES}
    tasks = embedded.catalogue.tasks.values()
    claims = [claim for task in tasks for claim in task.claims]
    publishers = Counter(min(len(claim.publishers), 4) for claim in claims)
    names = sum(len(task.names) for task in tasks)
    unpriced = sum(not (task.labour or task.claims or task.observed) for task in tasks)
    return [
        f"{len(tasks)} tasks of {len(rows)} trades with {names} names, {len(embedded.catalogue.products)} products.",
        f"{sum(bool(task.labour) for task in tasks)} tasks have a norm, "
        f"{sum(bool(task.observed) for task in tasks)} observed prices, "
        f"{sum(bool(task.claims) for task in tasks)} published ones; {unpriced} have no source and stay",
        f"unpriced. Of {len(claims)} published ranges {publishers[1]} rest on one publisher, {publishers[2]} on two,",
        f"{publishers[3]} on three, {publishers[4]} on four or more.",
        "",
        f"Priced in {PLACES['US']} in dollars and in {PLACES['GB']} in pounds; *firm* is an observed price, a norm,",
        "or a range of two publishers or more.",
        "",
        "| Trade | Tasks | Priced, US | Firm, US | Priced, GB | Firm, GB |",
        "|---|---|---|---|---|---|",
        *(
            f"| {row.trade} | {row.tasks} | {row.priced['US']} | {row.firm['US']} | {row.priced['GB']} | "
            f"{row.firm['GB']} |"
            for row in rows
        ),
        f"| **all** | **{len(tasks)}** | **{totals['US']}** | **{firm['US']}** | **{totals['GB']}** | "
        f"**{firm['GB']}** |",
    ]


def _intake_lines(embedded: Embedded) -> list[str]:
    return [
        "All labelled notes of `tools/evaluation/intake_cases.jsonl`, which the rules were mended from: what notes",
        "that nobody had seen gave is in [intake.md](intake.md).",
        "",
        *table(intake_reader(embedded), CASES),
    ]


def _estimate_lines(embedded: Embedded) -> list[str]:
    drafter = Drafter(embedded.catalogue, embedded.gazetteer)
    return [
        "Requests of `tools/evaluation/estimates.jsonl` with the total before tax that estimators of our own would",
        "quote, low to high, who knew neither our prices nor our rules and looked nothing up. Three sets were read",
        "since, of the others only figures are looked at. With the prices of before 2026-11-24 (norms at cost before",
        "publishers) the first three had 0.400, 0.200 and 0.367 in the range; at their first run the third had 0.500,",
        "the fourth 0.417 and the fifth 0.317. What is read wrongly, or not at all, is in these figures.",
        "",
        *estimates.table(estimates.compare(drafter, estimates.read_estimates())),
    ]


def timing(judgements: Sequence[Judgement]) -> str:
    """Times of the lookups; printed only, since they belong to the machine."""
    taken = sorted(one.milliseconds for one in judgements)
    middle, late = taken[len(taken) // 2], taken[int(len(taken) * 0.99)]
    return f"{len(taken)} lookups: median {middle:.2f} ms of CPU, p99 {late:.2f} ms"


def print_misses(judgements: Sequence[Judgement]) -> None:
    """The queries whose first answer is not what was asked for."""
    for one in judgements:
        if (one.kind == "priced" and not one.first) or (one.kind != "priced" and one.answers):
            print(f"{one.query.query!r}: {' '.join(one.answers[:3]) or 'nothing'}; wanted {sorted(one.query.exact)}")


if __name__ == "__main__":
    main()
