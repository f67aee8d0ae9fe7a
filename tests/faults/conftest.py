"""Times that fault tests measure are shown at the end of the run: docs/faults.md has them."""

from __future__ import annotations

import pytest


@pytest.fixture
def measured(record_property):
    """Notes seconds of a thing, ``measured("ready again", 1.2)``; of several with one name the longest is shown."""
    return lambda name, seconds: record_property(f"measured: {name}", seconds)


def pytest_terminal_summary(terminalreporter):
    longest = {}
    for report in terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", []):
        for name, seconds in report.user_properties:
            if report.when == "call" and name.startswith("measured: "):
                of = (report.nodeid.partition("::")[2], name.removeprefix("measured: "))
                longest[of] = max(seconds, longest.get(of, 0.0))
    if longest:
        terminalreporter.section("measured, in seconds")
    for (test, name), seconds in sorted(longest.items()):
        terminalreporter.write_line(f"{seconds:8.2f}  {name}  {test}")
