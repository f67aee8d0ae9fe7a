"""Text assist for forms (D9, D24 to D26)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from quotewright.v1 import writing_assist_pb2

from server import faults
from server.domain.intake.candidate import Context
from server.domain.intake.reading import VERSION, Intake, IntakeReader
from server.domain.regions import COUNTRY_OF, Gazetteer
from server.domain.settings import PricingSettings
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.organizations import Organizations

#: Longer inputs are read beside the event loop, which they would hold up for more than a few ms.
READ_ON_LOOP = 1_000


class WritingAssistService:
    """Structures what people type. ``clock`` gives the time in UTC."""

    def __init__(
        self,
        organizations: Organizations,
        reader: IntakeReader,
        gazetteer: Gazetteer,
        threads: Executor,
        clock: Callable[[], datetime],
    ) -> None:
        self._organizations = organizations
        self._reader = reader
        self._gazetteer = gazetteer
        self._threads = threads
        self._clock = clock

    async def CorrectIntake(
        self, request: writing_assist_pb2.CorrectIntakeRequest, call: Call
    ) -> writing_assist_pb2.CorrectIntakeResponse:
        """Candidates for the fields of a form; nothing is stored."""
        organization = await self._organizations.find(call.caller.organization_id)
        context = self._context(request, organization.pricing)
        if len(request.input) <= READ_ON_LOOP:
            intake = self._reader.read(request.profile, request.input, context)
        else:
            intake = await asyncio.get_running_loop().run_in_executor(
                self._threads, self._reader.read, request.profile, request.input, context
            )
        return _message(intake, request.input)

    def _context(self, request: writing_assist_pb2.CorrectIntakeRequest, settings: PricingSettings) -> Context:
        try:
            zone = ZoneInfo(request.time_zone or "UTC")
            now = request.now.ToDatetime(UTC) if request.HasField("now") else self._clock()
            today = now.astimezone(zone).date()
        except (KeyError, ValueError, OSError, OverflowError):
            field = "time_zone" if request.time_zone else "now"
            raise faults.invalid(
                FieldViolation(field, "unknown", "must be a time zone, or a moment, that exists")
            ) from None
        home = self._gazetteer.find(settings.home_location) if settings.home_location else None
        country = home.place.country if home is not None else COUNTRY_OF.get(settings.currency, "US")
        return Context(country, settings.currency, today)


def _message(intake: Intake, text: str) -> writing_assist_pb2.CorrectIntakeResponse:
    response = writing_assist_pb2.CorrectIntakeResponse(
        profile=intake.profile,
        missing_required=intake.missing,
        questions=[
            writing_assist_pb2.IntakeQuestion(field=one.field, question=one.text, options=one.options)
            for one in intake.questions
        ],
        confidence=intake.confidence,
        ready=intake.ready,
        version=VERSION,
    )
    for value in intake.values:
        found = value.candidate
        response.fields[value.field].CopyFrom(
            writing_assist_pb2.IntakeField(
                value=found.value,
                confidence=round(found.confidence, 2),
                span=writing_assist_pb2.IntakeSpan(start=found.start, end=found.end),
                alternatives=value.alternatives,
            )
        )
        written = text[found.start : found.end]
        if found.value and found.rule and found.value != written:
            response.changes.append(
                writing_assist_pb2.IntakeChange(
                    field=value.field,
                    before=written,
                    after=found.value,
                    rule_id=found.rule,
                    confidence=round(found.confidence, 2),
                )
            )
    return response
