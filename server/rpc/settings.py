"""What an organization says of itself on its quotes, its defaults for them, and its logo."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import Executor
from dataclasses import fields, replace
from zoneinfo import ZoneInfo

from google.api import httpbody_pb2
from quotewright.v1 import settings_pb2

from server import faults
from server.documents.logo import LogoError, read_logo
from server.domain.mailboxes import is_mailbox
from server.domain.offer import CompanyProfile
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.acts import write
from server.rpc.layouts import layout_from, layout_message
from server.rpc.once import write_once
from server.rpc.versions import version_of
from server.store import accounts, audit
from server.store.accounts import OrganizationRow, StoredLogo
from server.store.audit import Act
from server.store.database import Store

#: A host with a dot, with or without http(s) before it and a path behind it.
_WEBSITE = re.compile(r"(https?://)?[^\W_]([\w-]*[^\W_])?(\.[^\W_]([\w-]*[^\W_])?)+(:[0-9]{1,5})?(/\S*)?")

#: Texts of the profile that messages hold under the same name.
_TEXTS = tuple(one.name for one in fields(CompanyProfile) if one.name != "layout")


class SettingsService:
    """Reads and changes what an organization says of itself. Pictures are decoded in ``threads``."""

    def __init__(self, store: Store, threads: Executor) -> None:
        self._store = store
        self._threads = threads

    async def GetSettings(
        self, _request: settings_pb2.GetSettingsRequest, call: Call
    ) -> settings_pb2.GetSettingsResponse:
        """The settings in force."""
        organization_id = call.caller.organization_id
        settings = await self._store.read(lambda: _read(organization_id))
        return settings_pb2.GetSettingsResponse(settings=settings)

    async def UpdateSettings(
        self, request: settings_pb2.UpdateSettingsRequest, call: Call
    ) -> settings_pb2.UpdateSettingsResponse:
        """What is given changes: read and written in one transaction, so that no other change is undone."""
        problems: list[FieldViolation] = []
        names = [field.name for field, _ in request.ListFields() if field.name != "version"]
        given = {name: getattr(request, name).strip() for name in _TEXTS if name in names}
        if given.get("email") and not is_mailbox(given["email"]):
            problems.append(FieldViolation("email", "string.email", "must be an e-mail address"))
        if given.get("website") and not _WEBSITE.fullmatch(given["website"]):
            problems.append(FieldViolation("website", "string.uri", "must be the address of a web site"))
        if given.get("time_zone") and not is_time_zone(given["time_zone"]):
            problems.append(FieldViolation("time_zone", "time_zone.unknown", "names no time zone that is known"))
        layout = layout_from(request.layout, "layout", problems) if request.HasField("layout") else None
        if problems:
            raise faults.invalid(*problems)

        def effect(act: Act) -> settings_pb2.UpdateSettingsResponse:
            if request.version and request.version != _read(act.organization_id).version:
                raise faults.changed_meanwhile("settings")
            row = _organization(act.organization_id)
            profile = replace(row.profile, **given)
            accounts.set_profile(
                act.organization_id,
                request.name.strip() if request.HasField("name") else row.name,
                request.address.strip() if request.HasField("address") else row.address,
                profile if layout is None else replace(profile, layout=layout),
            )
            audit.record(act, "settings:update", f"organization:{act.organization_id}", ", ".join(names))
            return settings_pb2.UpdateSettingsResponse(settings=_read(act.organization_id))

        return await write_once(self._store, call, request, effect, settings_pb2.UpdateSettingsResponse)

    async def PutLogo(self, request: settings_pb2.PutLogoRequest, call: Call) -> settings_pb2.PutLogoResponse:
        """The picture, decoded and written anew; what is none is refused."""
        data = request.picture.data
        try:
            picture = await asyncio.get_running_loop().run_in_executor(self._threads, read_logo, data)
        except LogoError as error:
            raise faults.invalid(FieldViolation("picture", error.reason, str(error))) from None

        def effect(act: Act) -> StoredLogo:
            logo = StoredLogo(picture.content_type, picture.width, picture.height, picture.data, act.at)
            accounts.put_logo(act.organization_id, logo)
            audit.record(act, "logo:put", f"organization:{act.organization_id}", f"{len(picture.data)} bytes")
            return logo

        return settings_pb2.PutLogoResponse(logo=_logo_message(await write(self._store, call, effect)))

    async def GetLogo(self, _request: settings_pb2.GetLogoRequest, call: Call) -> settings_pb2.GetLogoResponse:
        """The logo as it is stored."""
        organization_id = call.caller.organization_id
        logo = await self._store.read(lambda: accounts.find_logo(organization_id))
        if logo is None:
            raise faults.not_found("logo")
        return settings_pb2.GetLogoResponse(
            picture=httpbody_pb2.HttpBody(content_type=logo.content_type, data=logo.data)
        )

    async def DeleteLogo(self, _request: settings_pb2.DeleteLogoRequest, call: Call) -> settings_pb2.DeleteLogoResponse:
        """Gone, whether there was one or not."""

        def effect(act: Act) -> None:
            if accounts.delete_logo(act.organization_id):
                audit.record(act, "logo:delete", f"organization:{act.organization_id}")

        await write(self._store, call, effect)
        return settings_pb2.DeleteLogoResponse()


def is_time_zone(name: str) -> bool:
    """Whether the IANA time zone database has it."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _organization(organization_id: int) -> OrganizationRow:
    row = accounts.find_organization(organization_id)
    if row is None:
        raise faults.not_found("organization")
    return row


def _read(organization_id: int) -> settings_pb2.Settings:
    row = _organization(organization_id)
    logo = accounts.find_logo(organization_id)
    message = settings_pb2.Settings(
        name=row.name,
        address=row.address,
        layout=layout_message(row.profile.layout),
        **{name: getattr(row.profile, name) for name in _TEXTS},
    )
    message.version = version_of(message)
    message.plan = row.plan
    message.requests_per_minute = row.requests_per_minute
    if logo is not None:
        message.logo.CopyFrom(_logo_message(logo))
    return message


def _logo_message(logo: StoredLogo) -> settings_pb2.Logo:
    message = settings_pb2.Logo(
        content_type=logo.content_type, width=logo.width, height=logo.height, size=len(logo.data)
    )
    message.updated_at.FromMicroseconds(logo.updated_at)
    return message
