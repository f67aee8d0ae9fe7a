"""Promises of the numbers: what is counted is what is read, in the format that Prometheus reads."""

import asyncio
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.parser import text_string_to_metric_families

from process import private_port
from process.health import Readiness
from process.metrics import DURATIONS, Calls, Distribution, Histogram, Reading, measure_lag, process_registry


def samples(text):
    """Every sample of an exposition, by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.floats(0, 60)), max_size=60))
def test_every_call_is_in_the_count_the_sum_and_each_bucket_that_it_fits(calls):
    registry = CollectorRegistry()
    counted = Calls(registry, "x_calls", "Calls", ("which",))
    for which, seconds in calls:
        counted.observe((which,), seconds)
    read = samples(generate_latest(registry))
    for which in {one for one, _ in calls}:
        times = [seconds for one, seconds in calls if one == which]
        label = ("which", which)
        assert read["quotewright_x_calls_total", (label,)] == len(times)
        assert read["quotewright_x_calls_seconds_count", (label,)] == len(times)
        assert abs(read["quotewright_x_calls_seconds_sum", (label,)] - sum(times)) < 1e-6
        for bound in DURATIONS:
            fitting = sum(seconds <= bound for seconds in times)
            assert read["quotewright_x_calls_seconds_bucket", (("le", str(bound)), label)] == fitting
        assert read["quotewright_x_calls_seconds_bucket", (("le", "+Inf"), label)] == len(times)


def test_readings_are_taken_when_somebody_asks():
    registry = CollectorRegistry()
    refusals, waiting = Counter(), [3]
    sizes = Distribution((1, 2))
    Reading(registry, CounterMetricFamily, "refusals", "Refusals.", lambda: refusals, "reason")
    Reading(registry, GaugeMetricFamily, "waiting", "Waiting.", lambda: len(waiting))
    Histogram(registry, "sizes", "Sizes.", sizes)
    assert samples(generate_latest(registry))["quotewright_waiting", ()] == 1
    refusals["late"] += 2
    waiting.append(4)
    sizes.observe(2)
    read = samples(generate_latest(registry))
    assert read["quotewright_refusals_total", (("reason", "late"),)] == 2
    assert read["quotewright_waiting", ()] == 2
    assert read["quotewright_sizes_bucket", (("le", "1.0"),)] == 0
    assert read["quotewright_sizes_bucket", (("le", "2.0"),)] == 1


async def test_an_exposition_in_parts_is_the_exposition():
    registry = process_registry()
    calls = Calls(registry, "x_calls", "Calls", ("which",))
    for number in range(private_port.SAMPLES_AT_ONCE // 5):
        calls.observe((number,), number / 100)
    in_parts = samples(await private_port.exposition(registry))
    at_once = samples(generate_latest(registry))
    assert in_parts.keys() == at_once.keys()
    ours = {key for key in at_once if key[0].startswith("quotewright_")}
    assert len(ours) > 3 * private_port.SAMPLES_AT_ONCE
    assert {key: in_parts[key] for key in ours} == {key: at_once[key] for key in ours}


async def test_a_loop_that_is_held_up_shows_as_lag(monkeypatch):
    monkeypatch.setattr("process.metrics.LAG_EVERY", 0.01)
    registry = CollectorRegistry()
    measuring = asyncio.create_task(measure_lag(registry))
    await asyncio.sleep(0.005)
    hold_up = asyncio.get_running_loop().time() + 0.2
    while asyncio.get_running_loop().time() < hold_up:
        pass
    await asyncio.sleep(0.02)
    measuring.cancel()
    read = samples(generate_latest(registry))
    name = "quotewright_event_loop_lag_seconds_bucket"
    assert read[name, (("le", "+Inf"),)] > read[name, (("le", "0.1"),)]


def test_a_process_is_ready_from_its_start_until_it_drains_while_its_checks_hold():
    readiness, usable = Readiness(), [True]
    readiness.add("store", lambda: usable[0])
    assert readiness.failing == ["starting"]
    readiness.started()
    assert readiness.failing == []
    usable[0] = False
    assert readiness.failing == ["store"]
    usable[0] = True
    assert readiness.failing == []
    readiness.drain()
    assert readiness.failing == ["draining"]
