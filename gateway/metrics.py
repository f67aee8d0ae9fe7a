"""What the gateway counts. Labels have bounded sets of values: route templates, never paths, keys or ids."""

from __future__ import annotations

from collections import Counter

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from gateway.admission import Gate
from gateway.connection import Connections
from gateway.envelope import QUOTA_REASON
from process.metrics import Calls, Reading

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"})
#: What methods outside RFC 9110 and RFC 5789 count as (OpenTelemetry's word).
OTHER_METHOD = "_OTHER"
#: What a request counts as that matched no route.
NO_ROUTE = "none"
_QUOTA_EXCEEDED = QUOTA_REASON.lower()


class GatewayMetrics:
    """Counters that grow where things happen, and readings of what admission and edge know of themselves."""

    def __init__(self, registry: CollectorRegistry, gate: Gate, connections: Connections) -> None:
        self._requests = Calls(registry, "http_requests", "HTTP requests", ("method", "route", "status"))
        self._problems: Counter[str] = Counter()
        self._quota_refusals: Counter[str] = Counter()
        #: Requests that have begun and not ended.
        self.in_flight = 0
        Reading(
            registry,
            GaugeMetricFamily,
            "http_requests_in_flight",
            "HTTP requests under way.",
            lambda: self.in_flight,
        )
        Reading(
            registry,
            CounterMetricFamily,
            "http_problems",
            "HTTP requests answered with an error, by its reason.",
            lambda: self._problems,
            "reason",
        )
        Reading(
            registry,
            CounterMetricFamily,
            "quota_refusals",
            "HTTP requests refused because an allowance was used up, by the allowance.",
            lambda: self._quota_refusals,
            "policy",
        )
        Reading(
            registry,
            CounterMetricFamily,
            "credentials",
            "Credentials looked up: remembered (hit), or asked of the server (miss).",
            lambda: {"hit": gate.hits, "miss": gate.misses},
            "memory",
        )
        Reading(
            registry,
            GaugeMetricFamily,
            "revocation_stream_up",
            "1 while revocations are heard and remembered credentials are trusted.",
            lambda: int(gate.trusts_memory),
        )
        Reading(
            registry,
            GaugeMetricFamily,
            "connections",
            "Open connections of clients, HTTPS and HTTP.",
            lambda: connections.open,
        )
        Reading(
            registry,
            CounterMetricFamily,
            "edge_refusals",
            "Connections and requests refused before there was a request to count.",
            lambda: connections.refusals,
            "reason",
        )

    def ended(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; ``route`` is a template, or empty where none was found."""
        known = method if method in _METHODS else OTHER_METHOD
        self._requests.observe((known, route or NO_ROUTE, status), seconds)

    def refused(self, reason: str, policy: str) -> None:
        """Count what was answered with an error; ``policy`` names the allowance that it was counted against."""
        self._problems[reason] += 1
        if reason == _QUOTA_EXCEEDED:
            self._quota_refusals[policy] += 1
