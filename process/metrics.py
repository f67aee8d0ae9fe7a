"""Metrics for Prometheus: numbers that the hot path keeps as plain Python, made into families when somebody asks.

prometheus_client writes the text and knows the metrics of the process. Its own counters and histograms lock and look
up with every call, several times the cost of `Distribution`, which can do without because one thread alone writes to
each.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import accumulate

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

PREFIX = "quotewright"
#: Upper bounds of the duration buckets, in seconds: from a refused request to the longest deadline.
DURATIONS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
#: How often the event loop is asked how late it is, in seconds.
LAG_EVERY = 0.5


def process_registry() -> CollectorRegistry:
    """A registry that tells of the process, its memory and its version, and to which the rooms add their own."""
    disable_created_metrics()  # type: ignore[no-untyped-call]  # a series for each one that says when it began
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    PlatformCollector(registry=registry)
    build = Gauge(f"{PREFIX}_build_info", "Always 1; the version is a label.", ["version"], registry=registry)
    build.labels(version("quotewright")).set(1)
    return registry


class Distribution:
    """How many values fell below each bound, and their sum. Only one thread may write."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        #: How many values fell between each bound and the one before; the last count is of those above all bounds.
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def add_to(self, family: HistogramMetricFamily, labels: Sequence[str] = ()) -> None:
        """Tell the family what was counted."""
        names = [*(str(float(bound)) for bound in self.bounds), "+Inf"]
        family.add_metric(labels, list(zip(names, accumulate(self.counts), strict=True)), self.total)


class Calls(Collector):
    """Counts calls by what tells them apart, and how long they took. Only one thread may write.

    ``name`` goes into the names of the metrics (``http_requests``), ``text`` into their help. The values of the
    ``labels`` must come from bounded sets.
    """

    def __init__(self, registry: CollectorRegistry, name: str, text: str, labels: tuple[str, ...]) -> None:
        self._name = f"{PREFIX}_{name}"
        self._text = text
        self._labels = labels
        self._took: dict[tuple[object, ...], Distribution] = {}
        registry.register(self)

    def observe(self, labels: tuple[object, ...], seconds: float) -> None:
        """Count a call that has ended."""
        took = self._took.get(labels)
        if took is None:
            took = self._took[labels] = Distribution(DURATIONS)
        # `Distribution.observe`, without another call in every request.
        took.counts[bisect_left(DURATIONS, seconds)] += 1
        took.total += seconds

    def collect(self) -> Iterator[Metric]:
        """The families, for the registry."""
        ended = CounterMetricFamily(self._name, f"{self._text} that have ended.", labels=self._labels)
        took = HistogramMetricFamily(f"{self._name}_seconds", f"How long {self._text} took.", labels=self._labels)
        for values, distribution in self._took.items():
            texts = [str(value) for value in values]
            ended.add_metric(texts, sum(distribution.counts))
            distribution.add_to(took, texts)
        yield ended
        yield took


class Histogram(Collector):
    """A distribution that somebody keeps, read when somebody asks."""

    def __init__(self, registry: CollectorRegistry, name: str, text: str, distribution: Distribution) -> None:
        self._name = f"{PREFIX}_{name}"
        self._text = text
        self._distribution = distribution
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """The family, for the registry."""
        family = HistogramMetricFamily(self._name, self._text, labels=())
        self._distribution.add_to(family)
        yield family


class Reading(Collector):
    """One metric whose values stand somewhere else and are read when somebody asks.

    ``read`` gives a number, or, where there is a ``label``, a number for each of its values.
    """

    def __init__(
        self,
        registry: CollectorRegistry,
        family: type[CounterMetricFamily] | type[GaugeMetricFamily],
        name: str,
        text: str,
        read: Callable[[], float | Mapping[str, float]],
        label: str = "",
    ) -> None:
        self._family = family
        self._name = f"{PREFIX}_{name}"
        self._text = text
        self._read = read
        self._labels = (label,) if label else ()
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """The family, for the registry."""
        family = self._family(self._name, self._text, labels=self._labels)
        values = self._read()
        if isinstance(values, Mapping):
            for value, number in values.items():
                family.add_metric([value], number)
        else:
            family.add_metric([], values)
        yield family


async def measure_lag(registry: CollectorRegistry) -> None:
    """Measure, until cancelled, how late the event loop runs what is due: what every request waits beside its own
    work."""
    lag = Distribution(DURATIONS)
    Histogram(registry, "event_loop_lag_seconds", "How late the event loop ran what was due.", lag)
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_EVERY
        await asyncio.sleep(LAG_EVERY)
        lag.observe(max(0.0, loop.time() - due))
