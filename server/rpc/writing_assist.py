"""Text assist for forms (D9, D24 to D26)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from google.protobuf.timestamp_pb2 import Timestamp
from quotewright.v1 import writing_assist_pb2

from server import faults
from server.domain.intake.candidate import Context
from server.domain.intake.profiles import PROFILES
from server.domain.intake.reading import Intake, IntakeReader
from server.domain.proofreading.edit import Utf16
from server.domain.proofreading.profiles import LOCALE_OF_COUNTRY
from server.domain.proofreading.proofreader import Proofread, Proofreader, skip_reason
from server.domain.proofreading.words import LONGEST_ENTRY, entry, fold
from server.domain.regions import COUNTRY_OF, Gazetteer
from server.domain.settings import PricingSettings
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.once import write_once
from server.rpc.organizations import Organizations
from server.rpc.own_words import StoredWords
from server.rpc.paging import page_size
from server.store import audit, dictionary
from server.store.audit import Act
from server.store.database import Store
from server.store.dictionary import StoredWord

#: Longer inputs are read beside the event loop, which they would hold up for more than a few ms.
READ_ON_LOOP = 1_000
#: The years that a `now` may lie in: days around it, in any time zone, are then days of the calendar.
FIRST_YEAR, LAST_YEAR = 1970, 9000


class WritingAssistService:
    """Proofreads and structures what people type. ``proofreader`` gives the engine, the first time after about a
    second; ``clock`` the time in UTC."""

    def __init__(
        self,
        store: Store,
        organizations: Organizations,
        reader: IntakeReader,
        reader_version: str,
        proofreader: Callable[[], Proofreader],
        proofreader_version: str,
        gazetteer: Gazetteer,
        threads: Executor,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._organizations = organizations
        self._reader = reader
        self._reader_version = reader_version
        self._proofreader = proofreader
        self._proofreader_version = proofreader_version
        self._gazetteer = gazetteer
        self._threads = threads
        self._clock = clock

    async def Proofread(
        self, request: writing_assist_pb2.ProofreadRequest, call: Call
    ) -> writing_assist_pb2.ProofreadResponse:
        """Suggestions for a text, always found beside the event loop: the engine lets go of the GIL."""
        locale = request.locale
        if not locale:
            organization = await self._organizations.find(call.caller.organization_id)
            country = self._country(organization.pricing)
            locale = organization.profile.locale or LOCALE_OF_COUNTRY.get(country, "en-US")
        reason = skip_reason(request.field_kind, locale)
        own = StoredWords(self._store, call.caller)
        if reason:
            read = Proofread(request.text, skip_reason=reason)
        else:
            read = await asyncio.get_running_loop().run_in_executor(
                self._threads, lambda: self._proofreader().read(request.text, request.field_kind, locale, own)
            )
        return _suggestions(request.text, read, self._proofreader_version + own.version)

    async def AddDictionaryWords(
        self, request: writing_assist_pb2.AddDictionaryWordsRequest, call: Call
    ) -> writing_assist_pb2.AddDictionaryWordsResponse:
        """Words that are accepted from now on."""
        entries = [entry(word) for word in request.words]
        problems = [_no_word(f"words[{index}]") for index, word in enumerate(entries) if not word]
        if problems:
            raise faults.invalid(*problems)
        by_key = {fold(word): word for word in reversed(entries)}
        words = {fold(word): by_key[fold(word)] for word in entries}

        def effect(act: Act) -> writing_assist_pb2.AddDictionaryWordsResponse:
            stored, new, total = dictionary.add(act.organization_id, words, added_by=act.actor, at=act.at)
            if new:
                audit.record(act, "dictionary:add", "dictionary", " ".join(new))
            return writing_assist_pb2.AddDictionaryWordsResponse(
                data=[_word_message(one) for one in stored], added=len(new), total=total
            )

        try:
            return await write_once(self._store, call, request, effect, writing_assist_pb2.AddDictionaryWordsResponse)
        except dictionary.DictionaryFullError:
            raise faults.failed_precondition(
                "DICTIONARY_FULL", f"A dictionary has at most {dictionary.MOST_WORDS} words."
            ) from None

    async def ListDictionaryWords(
        self, request: writing_assist_pb2.ListDictionaryWordsRequest, call: Call
    ) -> writing_assist_pb2.ListDictionaryWordsResponse:
        """A page of words, newest first."""
        limit, offset = page_size(request), request.offset
        total, rows = await self._store.browse(
            lambda: dictionary.list_page(call.caller.organization_id, limit=limit, offset=offset)
        )
        return writing_assist_pb2.ListDictionaryWordsResponse(
            data=[_word_message(row) for row in rows],
            limit=limit,
            offset=offset,
            total=total,
            has_more=offset + len(rows) < total,
        )

    async def RemoveDictionaryWord(
        self, request: writing_assist_pb2.RemoveDictionaryWordRequest, call: Call
    ) -> writing_assist_pb2.RemoveDictionaryWordResponse:
        """The word that is no longer accepted."""

        def effect(act: Act) -> writing_assist_pb2.RemoveDictionaryWordResponse:
            removed = dictionary.remove(act.organization_id, fold(entry(request.word)))
            if removed is None:
                raise faults.not_found("word")
            audit.record(act, "dictionary:remove", "dictionary", removed.word)
            return writing_assist_pb2.RemoveDictionaryWordResponse(word=_word_message(removed))

        return await write_once(self._store, call, request, effect, writing_assist_pb2.RemoveDictionaryWordResponse)

    async def CorrectIntake(
        self, request: writing_assist_pb2.CorrectIntakeRequest, call: Call
    ) -> writing_assist_pb2.CorrectIntakeResponse:
        """Candidates for the fields of a form; nothing is stored."""
        decided = _decided(request)
        organization = await self._organizations.find(call.caller.organization_id)
        context = self._context(request, organization.pricing)
        if len(request.input) <= READ_ON_LOOP:
            intake = self._reader.read(request.profile, request.input, context, decided)
        else:
            intake = await asyncio.get_running_loop().run_in_executor(
                self._threads, self._reader.read, request.profile, request.input, context, decided
            )
        return _message(intake, request.input, self._reader_version)

    async def GetIntakeForm(
        self,
        request: writing_assist_pb2.GetIntakeFormRequest,
        call: Call,  # noqa: ARG002 - it is the same for all
    ) -> writing_assist_pb2.GetIntakeFormResponse:
        """The fields of a profile."""
        profile = PROFILES[request.profile]
        return writing_assist_pb2.GetIntakeFormResponse(
            profile=profile.name,
            fields=[
                writing_assist_pb2.IntakeFormField(
                    name=one.name,
                    kind=one.kind,
                    required=one.required,
                    one_of=next((group for group in profile.one_of if one.name in group), ()),
                    question=one.question,
                )
                for one in profile.fields
            ],
        )

    def _context(self, request: writing_assist_pb2.CorrectIntakeRequest, settings: PricingSettings) -> Context:
        try:
            zone = ZoneInfo(request.time_zone or "UTC")
        except (KeyError, ValueError, OSError):
            raise faults.invalid(FieldViolation("time_zone", "unknown", "must be a time zone that exists")) from None
        now = _moment(request.now) if request.HasField("now") else self._clock()
        return Context(self._country(settings), settings.currency, now.astimezone(zone).date())

    def _country(self, settings: PricingSettings) -> str:
        home = self._gazetteer.find(settings.home_location) if settings.home_location else None
        return home.place.country if home is not None else COUNTRY_OF.get(settings.currency, "US")


def _moment(now: Timestamp) -> datetime:
    """The caller's moment, in UTC. Raises INVALID_ARGUMENT where days around it may be none of the calendar."""
    try:
        moment = now.ToDatetime(UTC)
        if FIRST_YEAR <= moment.year <= LAST_YEAR:
            return moment
    except (ValueError, OverflowError):
        pass
    raise faults.invalid(FieldViolation("now", "unknown", f"must be a moment of the years {FIRST_YEAR} to {LAST_YEAR}"))


def _decided(request: writing_assist_pb2.CorrectIntakeRequest) -> dict[str, str]:
    """The values that a person has decided, by field. Raises INVALID_ARGUMENT."""
    if not request.input and not request.decided:
        raise faults.invalid(FieldViolation("input", "required", "value is required"))
    names = {field.name for field in PROFILES[request.profile].fields}
    decided: dict[str, str] = {}
    problems = []
    for index, one in enumerate(request.decided):
        if one.field not in names or one.field in decided:
            why = "no field of the profile" if one.field not in names else "there twice"
            problems.append(FieldViolation(f"decided[{index}].field", "field.unknown", f"is {why}"))
        decided[one.field] = one.value
    if problems:
        raise faults.invalid(*problems)
    return decided


def _no_word(field: str) -> FieldViolation:
    return FieldViolation(
        field,
        "word.malformed",
        f"must be one word of at most {LONGEST_ENTRY} letters and marks, with apostrophes inside",
    )


def _word_message(word: StoredWord) -> writing_assist_pb2.DictionaryWord:
    message = writing_assist_pb2.DictionaryWord(word=word.word, added_by=word.added_by)
    message.created_at.FromMicroseconds(word.created_at)
    return message


def _suggestions(text: str, read: Proofread, version: str) -> writing_assist_pb2.ProofreadResponse:
    units = Utf16(text)
    return writing_assist_pb2.ProofreadResponse(
        original_text=text,
        suggested_text=read.suggested_text,
        suggestions=[
            writing_assist_pb2.Suggestion(
                category=edit.category,
                before=text[edit.start : edit.end],
                after=edit.after,
                confidence=edit.confidence,
                rule_id=edit.rule,
                start=edit.start,
                end=edit.end,
                start_utf16=units.at(edit.start),
                end_utf16=units.at(edit.end),
                message=edit.message,
                alternatives=edit.alternatives,
            )
            for edit in read.edits
        ],
        needs_review=read.needs_review,
        skipped=bool(read.skip_reason),
        skip_reason=read.skip_reason,
        version=version,
    )


def _message(intake: Intake, text: str, version: str) -> writing_assist_pb2.CorrectIntakeResponse:
    response = writing_assist_pb2.CorrectIntakeResponse(
        profile=intake.profile,
        missing_required=intake.missing,
        questions=[
            writing_assist_pb2.IntakeQuestion(field=one.field, question=one.text, options=one.options)
            for one in intake.questions
        ],
        confidence=intake.confidence,
        ready=intake.ready,
        version=version,
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
