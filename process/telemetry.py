"""What a process lets others see of itself: metrics, readiness, traces. One object a process; the houses add to it."""

from __future__ import annotations

from collections.abc import Mapping

from process.health import Readiness
from process.metrics import process_registry
from process.settings import SettingsError
from process.tracing import Tracer

#: Spans are exported where one of these says whereto; the names are OpenTelemetry's.
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")


class Telemetry:
    """Made by the composition root of a process; without a ``tracer`` nothing is exported."""

    def __init__(self, tracer: Tracer | None = None) -> None:
        self.tracer = tracer or Tracer()
        self.registry = process_registry()
        self.readiness = Readiness()


def tracer(service: str, environment: Mapping[str, str]) -> Tracer:
    """The tracer that the environment asks for: one that exports where an endpoint is named.

    Raises `SettingsError` where it cannot do what is asked: the extra is missing, or the protocol is not ours.
    """
    endpoint = next((name for name in ENDPOINTS if environment.get(name)), None)
    disabled = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if endpoint is None or disabled or environment.get("OTEL_TRACES_EXPORTER") == "none":
        return Tracer()
    protocol = next((environment[name] for name in PROTOCOLS if environment.get(name)), "http/protobuf")
    if protocol != "http/protobuf":
        raise SettingsError(f"OTEL_EXPORTER_OTLP_PROTOCOL={protocol!r}: spans go over http/protobuf only")
    try:
        from process.otel import ExportingTracer
    except ImportError as error:
        raise SettingsError(f"{endpoint} is set: pip install 'quotewright[otel]' ({error})") from None
    return ExportingTracer(service)
