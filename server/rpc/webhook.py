"""Webhook endpoints and the log of their deliveries. First party: what is shown here is shown in the portal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quotewright.v1 import webhook_pb2

from process import wire
from server import events, webhooks
from server.delivery import signatures
from server.delivery.egress import Egress
from server.delivery.sender import FIXED_HEADERS, UNSENT, Sender
from server.delivery.vault import Vault
from server.interceptors import Call
from server.rpc.acts import act_of
from server.rpc.once import write_once
from server.rpc.paging import page_size
from server.store import deliveries, endpoints
from server.store.audit import Act
from server.store.database import Store
from server.store.deliveries import Attempt, StoredDelivery
from server.store.endpoints import StoredEndpoint


class WebhookService:
    """Manages endpoints and reads the log. ``clock`` gives µs since 1970."""

    def __init__(self, store: Store, vault: Vault, egress: Egress, sender: Sender, clock: Callable[[], int]) -> None:
        self._store = store
        self._vault = vault
        self._egress = egress
        self._sender = sender
        self._clock = clock
        self._keys = webhook_pb2.ListWebhookKeysResponse(
            keys=[
                webhook_pb2.WebhookKey(
                    key_id=vault.key_id,
                    algorithm="ed25519",
                    public_key=signatures.public_key_text(vault.signing_key.public_key()),
                )
            ]
        )

    async def CreateWebhookEndpoint(
        self, request: webhook_pb2.CreateWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.CreateWebhookEndpointResponse:
        """A new endpoint with its secret."""
        webhooks.check_new(self._egress, request.url, request.event_types)
        secret = webhooks.new_secret()

        def effect(act: Act) -> webhook_pb2.CreateWebhookEndpointResponse:
            endpoint = webhooks.create(
                act,
                self._vault,
                url=request.url,
                description=request.description,
                event_types=request.event_types,
                livemode=request.livemode,
                secret=secret,
            )
            return webhook_pb2.CreateWebhookEndpointResponse(endpoint=endpoint_message(endpoint))

        response = await write_once(self._store, call, request, effect, webhook_pb2.CreateWebhookEndpointResponse)
        _show_once(response, secret, call)
        return response

    async def ListWebhookEndpoints(
        self, request: webhook_pb2.ListWebhookEndpointsRequest, call: Call
    ) -> webhook_pb2.ListWebhookEndpointsResponse:
        """All endpoints of the organization, or those of a mode."""
        rows = await self._store.browse(lambda: endpoints.list_all(call.caller.organization_id))
        wanted = [row for row in rows if not request.HasField("livemode") or row.livemode is request.livemode]
        return webhook_pb2.ListWebhookEndpointsResponse(data=[endpoint_message(row) for row in wanted])

    async def GetWebhookEndpoint(
        self, request: webhook_pb2.GetWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.GetWebhookEndpointResponse:
        """One endpoint."""
        row = await self._store.read(lambda: webhooks.find(call.caller.organization_id, request.endpoint_id))
        return webhook_pb2.GetWebhookEndpointResponse(endpoint=endpoint_message(row))

    async def UpdateWebhookEndpoint(
        self, request: webhook_pb2.UpdateWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.UpdateWebhookEndpointResponse:
        """What it is for, and which events it gets."""
        webhooks.check_types(request.event_types)
        endpoint = await self._change(
            call, lambda act: webhooks.describe(act, request.endpoint_id, request.description, request.event_types)
        )
        return webhook_pb2.UpdateWebhookEndpointResponse(endpoint=endpoint_message(endpoint))

    async def DeleteWebhookEndpoint(
        self, request: webhook_pb2.DeleteWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.DeleteWebhookEndpointResponse:
        """The endpoint goes, its log stays."""
        given_up = await self._change(call, lambda act: webhooks.delete(act, request.endpoint_id))
        return webhook_pb2.DeleteWebhookEndpointResponse(given_up=given_up)

    async def PauseWebhookEndpoint(
        self, request: webhook_pb2.PauseWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.PauseWebhookEndpointResponse:
        """Events wait."""
        endpoint = await self._change(call, lambda act: webhooks.pause(act, request.endpoint_id))
        return webhook_pb2.PauseWebhookEndpointResponse(endpoint=endpoint_message(endpoint))

    async def ResumeWebhookEndpoint(
        self, request: webhook_pb2.ResumeWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.ResumeWebhookEndpointResponse:
        """Events go on."""
        endpoint = await self._change(call, lambda act: webhooks.resume(act, request.endpoint_id))
        return webhook_pb2.ResumeWebhookEndpointResponse(endpoint=endpoint_message(endpoint))

    async def RotateWebhookSecret(
        self, request: webhook_pb2.RotateWebhookSecretRequest, call: Call
    ) -> webhook_pb2.RotateWebhookSecretResponse:
        """A new secret."""
        secret = webhooks.new_secret()

        def effect(act: Act) -> webhook_pb2.RotateWebhookSecretResponse:
            endpoint = webhooks.rotate(act, self._vault, request.endpoint_id, secret, request.overlap_hours)
            return webhook_pb2.RotateWebhookSecretResponse(endpoint=endpoint_message(endpoint))

        response = await write_once(self._store, call, request, effect, webhook_pb2.RotateWebhookSecretResponse)
        _show_once(response, secret, call)
        return response

    async def VerifyWebhookEndpoint(
        self, request: webhook_pb2.VerifyWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.VerifyWebhookEndpointResponse:
        """Ask the endpoint for its challenge."""
        verified, attempt, endpoint = await webhooks.verify(
            self._store, self._vault, self._sender, act_of(call, self._clock()), request.endpoint_id, self._clock
        )
        return webhook_pb2.VerifyWebhookEndpointResponse(
            verified=verified, attempt=attempt_message(attempt), endpoint=endpoint_message(endpoint)
        )

    async def PingWebhookEndpoint(
        self, request: webhook_pb2.PingWebhookEndpointRequest, call: Call
    ) -> webhook_pb2.PingWebhookEndpointResponse:
        """A ping in the queue."""

        def effect(act: Act) -> webhook_pb2.PingWebhookEndpointResponse:
            event_id, delivery_id = webhooks.ping(act, request.endpoint_id)
            return webhook_pb2.PingWebhookEndpointResponse(event_id=event_id, delivery_id=delivery_id)

        return await write_once(self._store, call, request, effect, webhook_pb2.PingWebhookEndpointResponse)

    async def ReplayFailedWebhookDeliveries(
        self, request: webhook_pb2.ReplayFailedWebhookDeliveriesRequest, call: Call
    ) -> webhook_pb2.ReplayFailedWebhookDeliveriesResponse:
        """What was given up is tried anew."""
        since = request.since.ToMicroseconds() if request.HasField("since") else 0

        def effect(act: Act) -> webhook_pb2.ReplayFailedWebhookDeliveriesResponse:
            replayed = webhooks.replay_failed(act, request.endpoint_id, since)
            return webhook_pb2.ReplayFailedWebhookDeliveriesResponse(replayed=replayed)

        return await write_once(self._store, call, request, effect, webhook_pb2.ReplayFailedWebhookDeliveriesResponse)

    async def ListWebhookDeliveries(
        self, request: webhook_pb2.ListWebhookDeliveriesRequest, call: Call
    ) -> webhook_pb2.ListWebhookDeliveriesResponse:
        """A page of the log, newest first."""
        limit = page_size(request)
        total, rows = await self._store.browse(
            lambda: deliveries.list_page(
                call.caller.organization_id,
                limit=limit,
                offset=request.offset,
                endpoint_id=request.endpoint_id,
                status=request.status,
                livemode=request.livemode if request.HasField("livemode") else None,
                event_type=request.event_type,
            )
        )
        return webhook_pb2.ListWebhookDeliveriesResponse(
            data=[delivery_message(row) for row in rows],
            limit=limit,
            offset=request.offset,
            total=total,
            has_more=request.offset + len(rows) < total,
        )

    async def GetWebhookDelivery(
        self, request: webhook_pb2.GetWebhookDeliveryRequest, call: Call
    ) -> webhook_pb2.GetWebhookDeliveryResponse:
        """A delivery, what it carries and how its tries ended."""

        def work() -> tuple[StoredDelivery, bytes, tuple[Attempt, ...]]:
            delivery = webhooks.find_delivery(call.caller.organization_id, request.delivery_id)
            number = delivery.delivery_id
            return delivery, deliveries.find_payload(number), deliveries.attempts(number)

        delivery, payload, attempts = await self._store.browse(work)
        return webhook_pb2.GetWebhookDeliveryResponse(
            delivery=webhook_pb2.WebhookDeliveryLog(
                delivery=delivery_message(delivery),
                payload=events.body(delivery.event_type, payload).decode(),
                attempts=[attempt_message(one, delivery.event_id) for one in attempts],
            )
        )

    async def ReplayWebhookDelivery(
        self, request: webhook_pb2.ReplayWebhookDeliveryRequest, call: Call
    ) -> webhook_pb2.ReplayWebhookDeliveryResponse:
        """One delivery is tried anew."""

        def effect(act: Act) -> webhook_pb2.ReplayWebhookDeliveryResponse:
            delivery = webhooks.replay(act, request.delivery_id)
            return webhook_pb2.ReplayWebhookDeliveryResponse(delivery=delivery_message(delivery))

        return await write_once(self._store, call, request, effect, webhook_pb2.ReplayWebhookDeliveryResponse)

    async def ListWebhookKeys(
        self, _request: webhook_pb2.ListWebhookKeysRequest, _call: Call
    ) -> webhook_pb2.ListWebhookKeysResponse:
        """The public keys; the same for everybody."""
        return self._keys

    async def _change(self, call: Call, change: Callable[[Act], Any]) -> Any:
        """A change that may be repeated without a key."""
        act = act_of(call, self._clock())
        return await self._store.write(lambda: change(act))


def endpoint_message(endpoint: StoredEndpoint) -> webhook_pb2.WebhookEndpoint:
    """An endpoint as answers hold it."""
    message = webhook_pb2.WebhookEndpoint(
        endpoint_id=endpoint.endpoint_id,
        url=endpoint.url,
        description=endpoint.description,
        event_types=endpoint.event_types,
        livemode=endpoint.livemode,
        status=endpoint.status,
        disabled_reason=endpoint.disabled_reason,
    )
    _set_times(
        message,
        created_at=endpoint.created_at,
        verified_at=endpoint.verified_at,
        failing_since=endpoint.failing_since,
        previous_secret_ends_at=endpoint.previous_secret_ends_at,
    )
    return message


def delivery_message(delivery: StoredDelivery) -> webhook_pb2.WebhookDelivery:
    """A delivery as answers hold it."""
    message = webhook_pb2.WebhookDelivery(
        delivery_id=delivery.delivery_id,
        endpoint_id=delivery.endpoint_id,
        event_id=delivery.event_id,
        event_type=delivery.event_type,
        livemode=delivery.livemode,
        status=delivery.status,
        attempts=delivery.attempts,
    )
    _set_times(
        message,
        created_at=delivery.created_at,
        next_try_at=delivery.next_try_at,
        finished_at=delivery.finished_at,
    )
    return message


def attempt_message(attempt: Attempt, event_id: str = "") -> webhook_pb2.WebhookAttempt:
    """A try as answers hold it, of an event's delivery with its headers. The signature is not kept with the others: the
    secret may be another one by now."""
    headers = {}
    if event_id and attempt.error not in UNSENT:
        headers = FIXED_HEADERS | signatures.named(event_id, attempt.at // deliveries.SECOND)
    message = webhook_pb2.WebhookAttempt(
        number=attempt.number,
        duration_ms=attempt.duration_ms,
        http_status=attempt.http_status,
        error=attempt.error,
        answer=attempt.answer.decode("utf-8", "replace"),
        request_headers=[webhook_pb2.WebhookHeader(name=name, value=value) for name, value in headers.items()],
    )
    _set_times(message, at=attempt.at, next_try_at=attempt.next_try_at)
    return message


def _set_times(message: Any, **times: int | None) -> None:
    for name, at in times.items():
        if at is not None:
            getattr(message, name).FromMicroseconds(at)


def _show_once(
    response: webhook_pb2.CreateWebhookEndpointResponse | webhook_pb2.RotateWebhookSecretResponse,
    secret: bytes,
    call: Call,
) -> None:
    """Put the secret into the answer, unless it is the first answer again: that is kept without it."""
    if wire.REPLAYED not in call.reply_metadata:
        response.secret = signatures.secret_text(secret)
