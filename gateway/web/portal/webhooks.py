"""Webhooks: endpoints, their secrets and states, and what became of each delivery."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import urlencode

from google.protobuf.message import Message
from quotewright.v1 import company_pb2, webhook_pb2

from gateway.envelope import Problem
from gateway.web.portal.view import JSON, Shown, Visit, number, of_this_page, view

#: What the log's errors mean.
_ERRORS = {
    "status": "The answer was no 2xx.",
    "redirect": "The answer was a redirect; redirects are not followed.",
    "gone": "The endpoint answered 410: it is gone for good.",
    "timeout": "There was no answer in time.",
    "name": "There is no such host.",
    "connection": "Nobody was there, or the connection ended midway.",
    "tls": "The certificate is not trusted.",
    "protocol": "What answered does not speak HTTP.",
    "refused": "The address is not public.",
    "secret": "The stored secret does not open any more: rotate it.",
    "challenge": "The answer was 2xx, without the challenge that was sent.",
}
#: Goes to the endpoint that is tested, chosen or not.
_PING = "ping"
_STATUSES = ("pending", "delivered", "dead")
#: Since when deliveries that were given up may be tried anew, in hours.
_SINCE = ((1, "the last hour"), (24, "the last 24 hours"), (168, "the last 7 days"), (720, "the last 30 days"))
#: Characters of a body that are shown; the rest is in the file beside it.
_BODY_SHOWN = 20_000


async def _endpoints(visit: Visit) -> Shown:
    mode = visit.user.livemode
    found = await visit.ask(
        "WebhookService/ListWebhookEndpoints", webhook_pb2.ListWebhookEndpointsRequest(livemode=mode)
    )
    request = webhook_pb2.ListWebhookDeliveriesRequest(limit=5, status="dead", livemode=mode)
    dead = await visit.ask("WebhookService/ListWebhookDeliveries", request)
    return visit.page("webhooks.html", endpoints=found.data, dead=dead)


async def _new(visit: Visit, problem: Problem | None = None) -> Shown:
    return visit.page("webhook_new.html", problem, events=await _events(visit), chosen=_chosen(visit))


async def _make(visit: Visit) -> Shown:
    request = webhook_pb2.CreateWebhookEndpointRequest(
        url=visit.first("url").strip(),
        description=visit.first("description").strip(),
        event_types=_chosen(visit),
        livemode=visit.user.livemode,
    )
    try:
        made = await visit.ask("WebhookService/CreateWebhookEndpoint", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _new(visit, of_this_page(problem))
    return visit.page("webhook_secret.html", endpoint=made.endpoint, secret=made.secret, rotated=False)


async def _endpoint(visit: Visit, problem: Problem | None = None, **more: Any) -> Shown:
    endpoint_id = _number(visit, "endpoint_id")
    request = webhook_pb2.GetWebhookEndpointRequest(endpoint_id=endpoint_id)
    found = await visit.ask("WebhookService/GetWebhookEndpoint", request)
    deliveries = await visit.ask(
        "WebhookService/ListWebhookDeliveries",
        webhook_pb2.ListWebhookDeliveriesRequest(limit=5, endpoint_id=endpoint_id),
    )
    context = {
        "endpoint": found.endpoint,
        "deliveries": deliveries,
        "events": await _events(visit),
        "chosen": _chosen(visit) if problem is not None and "description" in visit.form else found.endpoint.event_types,
        "since": _SINCE,
        "attempt": None,
        "errors_in_words": _ERRORS,
        "verified": False,
    }
    return visit.page("webhook.html", problem, **context | more)


async def _change(visit: Visit) -> Shown:
    request = webhook_pb2.UpdateWebhookEndpointRequest(
        endpoint_id=_number(visit, "endpoint_id"),
        description=visit.first("description").strip(),
        event_types=_chosen(visit),
    )
    return await _do(visit, "UpdateWebhookEndpoint", request)


async def _verify(visit: Visit) -> Shown:
    request = webhook_pb2.VerifyWebhookEndpointRequest(endpoint_id=_number(visit, "endpoint_id"))
    answer = await visit.ask("WebhookService/VerifyWebhookEndpoint", request)
    return await _endpoint(visit, attempt=answer.attempt, verified=answer.verified)


async def _pause(visit: Visit) -> Shown:
    request = webhook_pb2.PauseWebhookEndpointRequest(endpoint_id=_number(visit, "endpoint_id"))
    return await _do(visit, "PauseWebhookEndpoint", request)


async def _resume(visit: Visit) -> Shown:
    request = webhook_pb2.ResumeWebhookEndpointRequest(endpoint_id=_number(visit, "endpoint_id"))
    return await _do(visit, "ResumeWebhookEndpoint", request)


async def _do(visit: Visit, rpc: str, request: Message) -> Shown:
    """A change that may be repeated; then the endpoint as it is."""
    try:
        await visit.ask(f"WebhookService/{rpc}", request)
    except Problem as problem:
        return await _endpoint(visit, of_this_page(problem))
    return Shown(303, location=f"/webhooks/{_number(visit, 'endpoint_id')}")


async def _rotate(visit: Visit) -> Shown:
    try:
        request = webhook_pb2.RotateWebhookSecretRequest(
            endpoint_id=_number(visit, "endpoint_id"),
            overlap_hours=number(visit.first("overlap_hours"), "overlap_hours"),
        )
        made = await visit.ask("WebhookService/RotateWebhookSecret", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _endpoint(visit, of_this_page(problem))
    return visit.page("webhook_secret.html", endpoint=made.endpoint, secret=made.secret, rotated=True)


async def _delete(visit: Visit) -> Shown:
    request = webhook_pb2.DeleteWebhookEndpointRequest(endpoint_id=_number(visit, "endpoint_id"))
    await visit.ask("WebhookService/DeleteWebhookEndpoint", request)
    return Shown(303, location="/webhooks")


async def _ping(visit: Visit) -> Shown:
    request = webhook_pb2.PingWebhookEndpointRequest(endpoint_id=_number(visit, "endpoint_id"))
    try:
        answer = await visit.ask("WebhookService/PingWebhookEndpoint", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _endpoint(visit, of_this_page(problem))
    return Shown(303, location=f"/webhooks/deliveries/{answer.delivery_id}")


async def _replay_failed(visit: Visit) -> Shown:
    request = webhook_pb2.ReplayFailedWebhookDeliveriesRequest(endpoint_id=_number(visit, "endpoint_id"))
    try:
        hours = number(visit.first("hours"), "hours")
        request.since.FromSeconds(max(0, int(time.time()) - hours * 3600))
        rpc = "WebhookService/ReplayFailedWebhookDeliveries"
        answer = await visit.ask(rpc, request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _endpoint(visit, of_this_page(problem))
    many = answer.replayed
    told = f"{many} {'delivery is' if many == 1 else 'deliveries are'} tried again." if many else "Nothing had failed."
    return await _endpoint(visit, notice=told)


async def _deliveries(visit: Visit) -> Shown:
    mode, wanted = visit.user.livemode, visit.query.get("status", "")
    endpoint_id, event = number(visit.query.get("endpoint") or "0"), visit.query.get("event", "")[:40]
    status = wanted if wanted in _STATUSES else ""
    request = webhook_pb2.ListWebhookDeliveriesRequest(
        offset=visit.offset, endpoint_id=endpoint_id, status=status, event_type=event, livemode=mode
    )
    found = await visit.ask("WebhookService/ListWebhookDeliveries", request)
    endpoints = await visit.ask(
        "WebhookService/ListWebhookEndpoints", webhook_pb2.ListWebhookEndpointsRequest(livemode=mode)
    )
    filters = {"endpoint": endpoint_id or "", "status": status, "event": event}
    return visit.page(
        "webhook_deliveries.html",
        deliveries=found,
        endpoints=endpoints.data,
        events=[*await _events(visit), _PING],
        statuses=_STATUSES,
        filters=filters,
        path=f"/webhooks/deliveries?{urlencode({name: value for name, value in filters.items() if value})}&",
    )


async def _delivery(visit: Visit, problem: Problem | None = None) -> Shown:
    found = await _find_delivery(visit)
    try:
        request = webhook_pb2.GetWebhookEndpointRequest(endpoint_id=found.delivery.endpoint_id)
        endpoint = (await visit.ask("WebhookService/GetWebhookEndpoint", request)).endpoint
    except Problem as missing:
        if missing.status != 404:
            raise
        endpoint = None  # deleted: its log stays
    body = _readable(found.payload)
    return visit.page(
        "webhook_delivery.html",
        problem,
        delivery=found.delivery,
        attempts=found.attempts,
        body=body[:_BODY_SHOWN],
        is_cut=len(body) > _BODY_SHOWN,
        endpoint=endpoint,
        errors_in_words=_ERRORS,
    )


async def _body(visit: Visit) -> Shown:
    """What is sent, byte for byte."""
    found = await _find_delivery(visit)
    name = f'attachment; filename="{found.delivery.event_id}.json"'
    return Shown(content=found.payload.encode(), content_type=JSON, headers={"Content-Disposition": name})


async def _replay(visit: Visit) -> Shown:
    delivery_id = _number(visit, "delivery_id")
    request = webhook_pb2.ReplayWebhookDeliveryRequest(delivery_id=delivery_id)
    try:
        await visit.ask("WebhookService/ReplayWebhookDelivery", request, visit.first("idempotency_key"))
    except Problem as problem:
        return await _delivery(visit, of_this_page(problem))
    return Shown(303, location=f"/webhooks/deliveries/{delivery_id}")


async def _find_delivery(visit: Visit) -> webhook_pb2.WebhookDeliveryLog:
    request = webhook_pb2.GetWebhookDeliveryRequest(delivery_id=_number(visit, "delivery_id"))
    answer = await visit.ask("WebhookService/GetWebhookDelivery", request)
    assert isinstance(answer, webhook_pb2.GetWebhookDeliveryResponse)
    return answer.delivery


async def _events(visit: Visit) -> list[str]:
    """What an endpoint may choose from."""
    answer = await visit.ask("CompanyService/GetConfig", company_pb2.GetConfigRequest())
    return [one for one in answer.webhook_events if one != _PING]


def _chosen(visit: Visit) -> list[str]:
    return visit.form.get("event_types", [])


def _number(visit: Visit, name: str) -> int:
    """An id of the path. Raises 404 where it can be nobody's."""
    value = number(visit.variables[name])
    if not value:
        raise Problem(404, "not_found", "There is no such page.")
    return value


def _readable(payload: str) -> str:
    return json.dumps(json.loads(payload), indent=2, ensure_ascii=False)


VIEWS = (
    view("/webhooks", _endpoints, _make, menu="Webhooks"),
    view("/webhooks/new", _new),
    view("/webhooks/deliveries", _deliveries),
    view("/webhooks/deliveries/{delivery_id}", _delivery),
    view("/webhooks/deliveries/{delivery_id}/body", _body),
    view("/webhooks/deliveries/{delivery_id}/replay", take=_replay),
    view("/webhooks/{endpoint_id}", _endpoint, _change),
    view("/webhooks/{endpoint_id}/verify", take=_verify),
    view("/webhooks/{endpoint_id}/pause", take=_pause),
    view("/webhooks/{endpoint_id}/resume", take=_resume),
    view("/webhooks/{endpoint_id}/rotate", take=_rotate),
    view("/webhooks/{endpoint_id}/ping", take=_ping),
    view("/webhooks/{endpoint_id}/replay-failed", take=_replay_failed),
    view("/webhooks/{endpoint_id}/delete", take=_delete),
)
