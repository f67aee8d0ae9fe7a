"""What the server counts beside its calls: drafts, and batches of writes. Labels have bounded sets of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from process.metrics import DURATIONS, Calls, Distribution, Histogram, Reading
from server.domain.draft import Draft
from server.expiry import Expiry
from server.store.database import Store


class DraftMetrics:
    """How long drafts take, and what becomes of their lines. Only the event loop may write."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._took = Distribution(DURATIONS)
        self._lines = Counter(true=0, false=0)
        Histogram(registry, "drafting_seconds", "How long it took to draft a request.", self._took)
        Reading(
            registry,
            CounterMetricFamily,
            "drafted_lines",
            "Lines of drafts, by whether a source supports a price.",
            lambda: self._lines,
            "priced",
        )

    def drafted(self, draft: Draft, seconds: float) -> None:
        """Count a draft."""
        self._took.observe(seconds)
        priced = sum(line.priced for line in draft.lines)
        self._lines["true"] += priced
        self._lines["false"] += len(draft.lines) - priced


def show_store(registry: CollectorRegistry, store: Store) -> None:
    """Let the registry read what the store's writer keeps."""
    Histogram(registry, "store_batch_writes", "Writes that were committed together.", store.batches)
    Histogram(registry, "store_lag_seconds", "How long the first write of a batch waited for the writer.", store.lags)
    Histogram(registry, "store_commit_seconds", "Time of a batch, from its begin until it is on disk.", store.commits)
    Reading(
        registry,
        CounterMetricFamily,
        "store_busy",
        "Writes given up because the database could not be written, pings among them.",
        lambda: store.given_up,
    )
    Reading(
        registry,
        CounterMetricFamily,
        "store_replica_reads",
        "Reads that might go to the replica, by what answered them.",
        lambda: store.replica_reads,
        "database",
    )
    Reading(
        registry,
        GaugeMetricFamily,
        "store_waiting_writes",
        "Writes that the writer has not begun with.",
        lambda: store.waiting,
    )


def show_expiry(registry: CollectorRegistry, expiry: Expiry) -> None:
    """Let the registry read how often a quote could not run out."""
    Reading(
        registry,
        CounterMetricFamily,
        "expiry_failures",
        "Tries to let a sent quote run out that were defects.",
        lambda: expiry.failures,
    )


def count_tries(registry: CollectorRegistry) -> Callable[[str, float], None]:
    """Count tries of webhook deliveries, by error; only the event loop may call what this returns."""
    calls = Calls(registry, "webhook_tries", "Tries of webhook deliveries", ("error",))
    return lambda error, seconds: calls.observe((error or "none",), seconds)


def count_mail(registry: CollectorRegistry) -> Callable[[str, float], None]:
    """Count tries of handing mail over, by outcome; only the event loop may call what this returns."""
    calls = Calls(registry, "mail_tries", "Tries of handing an e-mail over", ("outcome",))
    return lambda outcome, seconds: calls.observe((outcome,), seconds)
