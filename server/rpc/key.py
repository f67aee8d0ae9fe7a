"""API keys of the active workspace: listed, made, rotated, revoked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotewright.v1 import key_pb2

from process import wire
from server import api_keys, faults
from server.domain import sign_in
from server.faults import FieldViolation
from server.interceptors import Call
from server.rpc.acts import act_of
from server.rpc.once import write_once
from server.rpc.paging import page_size
from server.store import api_keys as stored
from server.store import members
from server.store.api_keys import StoredKey
from server.store.audit import Act
from server.store.database import Store


class KeyService:
    """Keeps keys. ``used`` says when keys were used that is not written down yet, in µs by public id."""

    def __init__(self, store: Store, used: Mapping[str, int], clock: Callable[[], int]) -> None:
        self._store = store
        self._used = used
        self._clock = clock

    async def ListKeys(self, request: key_pb2.ListKeysRequest, call: Call) -> key_pb2.ListKeysResponse:
        """A page, newest first."""
        at, limit = self._clock(), page_size(request)
        total, rows = await self._store.browse(
            lambda: stored.list_page(
                call.caller.organization_id,
                at=at,
                ended=request.ended and not request.warned,
                limit=limit,
                offset=request.offset,
                warned_before=at - api_keys.ROTATE_SOON if request.warned else None,
            )
        )
        return key_pb2.ListKeysResponse(
            data=[self._message(row, at) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetKey(self, request: key_pb2.GetKeyRequest, call: Call) -> key_pb2.GetKeyResponse:
        """One key of the workspace."""
        key = await self._store.browse(lambda: api_keys.find(call.caller.organization_id, request.key_id))
        return key_pb2.GetKeyResponse(key=self._message(key, self._clock()))

    async def CreateKey(self, request: key_pb2.CreateKeyRequest, call: Call) -> key_pb2.CreateKeyResponse:
        """A new key, with its secret this once."""
        api_keys.check_scopes(request.scopes)
        name = request.name.strip()
        if not name:
            raise faults.invalid(FieldViolation("name", "required", "value is required"))
        secret = api_keys.new_secret(livemode=request.livemode)

        def effect(act: Act) -> key_pb2.CreateKeyResponse:
            _ask_for_password(call, act)
            key = api_keys.create(
                act,
                secret,
                livemode=request.livemode,
                name=name,
                scopes=request.scopes,
                expires_in_days=request.expires_in_days,
            )
            return key_pb2.CreateKeyResponse(key=self._message(key, act.at))

        response = await write_once(self._store, call, request, effect, key_pb2.CreateKeyResponse)
        if wire.REPLAYED not in call.reply_metadata:
            response.secret = secret
        return response

    async def RotateKey(self, request: key_pb2.RotateKeyRequest, call: Call) -> key_pb2.RotateKeyResponse:
        """A key in another's place, with its secret this once."""
        made: list[str] = []

        def effect(act: Act) -> key_pb2.RotateKeyResponse:
            _ask_for_password(call, act)
            key, secret = api_keys.rotate(act, request.key_id, request.overlap_hours, request.expires_in_days)
            made.append(secret)
            return key_pb2.RotateKeyResponse(key=self._message(key, act.at))

        response = await write_once(self._store, call, request, effect, key_pb2.RotateKeyResponse)
        if wire.REPLAYED not in call.reply_metadata:
            response.secret = made[-1]
        return response

    async def RevokeKey(self, request: key_pb2.RevokeKeyRequest, call: Call) -> key_pb2.RevokeKeyResponse:
        """A key that has ended."""
        act = act_of(call, self._clock())
        key = await self._store.write(lambda: api_keys.revoke(act, request.key_id))
        return key_pb2.RevokeKeyResponse(key=self._message(key, act.at))

    def _message(self, key: StoredKey, at: int) -> key_pb2.ApiKey:
        message = key_pb2.ApiKey(
            key_id=key.public_id,
            name=key.name,
            livemode=key.livemode,
            scopes=key.scopes,
            status="ended" if not key.works(at) else "ending" if key.replaced_by else "active",
            warning=api_keys.warning(key, at),
            replaced_by=key.replaced_by,
        )
        message.created_at.FromMicroseconds(key.created_at)
        if key.ends_at is not None:
            message.expires_at.FromMicroseconds(key.ends_at)
        if key.exposed_at is not None:
            message.exposed_at.FromMicroseconds(key.exposed_at)
        used_at = max(key.last_used_at or 0, self._used.get(key.public_id, 0))
        if used_at:
            message.last_used_at.FromMicroseconds(used_at)
        return message


def _ask_for_password(call: Call, act: Act) -> None:
    """Raise PERMISSION_DENIED where the session's password was not given lately."""
    if not sign_in.is_recent(members.authenticated_at(call.caller.credential_id), act.at):
        raise faults.reauthentication_required()
