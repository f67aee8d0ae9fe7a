"""The gateway's composition root, and the way of a request through it.

edge → route → admission → quota → body → transcode → backend → transcode: the order of the checks is the order of
`Gateway._serve` (D21).
"""

from __future__ import annotations

import asyncio
import re
import ssl
import time
import traceback
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from aiohttp import web
from google.rpc import status_pb2
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2

from gateway import admission, edge, envelope, quota
from gateway.admission import Caller, Gate
from gateway.backend import Backend
from gateway.config import GatewayConfig
from gateway.edge import BASE_HEADERS, Proxies, problem_response
from gateway.envelope import FieldProblem, Problem
from gateway.quota import MemoryQuota, Verdict
from gateway.reference import Page, public_pages
from gateway.routes import NotAllowed, Route, RouteTable
from gateway.transcode import RequestTranscoder, TranscodeError
from process import contract, wire
from process.log import Log

#: What public pages take.
PAGE_METHODS = ("GET", "HEAD", "OPTIONS")
#: How long a stopping gateway waits for answers under way; an RPC has less.
DRAIN_WITHIN = 25.0
_KEY_LIKE = re.compile(r"qw_(?:live|test)_[0-9A-Za-z_]+")


@dataclass(slots=True)
class Exchange:
    """What is known of one request while it is answered; the log line is made from it."""

    request: web.BaseRequest
    request_id: str
    client: str
    began: float
    route: Route | None = None
    page: str = ""
    caller: Caller | None = None
    reason: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class Gateway:
    """Answers HTTP requests by calling RPCs."""

    def __init__(self, config: GatewayConfig, backend: Backend, secret: str, log: Log) -> None:
        self._config = config
        self._backend = backend
        self._log = log
        self._rpcs = {rpc.path: rpc for rpc in contract.rpcs(FILES)}
        self._routes = RouteTable.from_files(FILES)
        self._pages = public_pages()
        self._transcoders = {route: RequestTranscoder.for_route(route) for route in self._routes.routes}
        self._gate = Gate(backend, self._rpcs, secret, log)
        self._quota = MemoryQuota(time.monotonic)
        self._proxies = Proxies(config.trusted_proxies)
        self._server = edge.edge_server(self.answer, config)
        self._listeners: list[asyncio.Server] = []

    async def start(self, tls: ssl.SSLContext) -> None:
        """Open the ports. Raises `OSError` where one is taken."""
        self._gate.start()
        await self._listen(self._config.https_port, tls)
        if self._config.http_port:
            await self._listen(self._config.http_port, None)

    async def stop(self) -> None:
        """Take no new connections, let requests in flight be answered, then let go of the backend."""
        for listener in self._listeners:
            listener.close()
        self._server.pre_shutdown()
        await self._server.shutdown(DRAIN_WITHIN)
        await self._gate.stop()
        await self._backend.close()

    async def _listen(self, port: int, tls: ssl.SSLContext | None) -> None:
        listener = await asyncio.get_running_loop().create_server(
            self._server,
            self._config.https_host,
            port,
            ssl=tls,
            # A handshake is part of asking: it has the head's time.
            ssl_handshake_timeout=self._config.header_seconds if tls else None,
            ssl_shutdown_timeout=1.0 if tls else None,
            backlog=1024,
        )
        self._listeners.append(listener)

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """One request, to its answer and its log line."""
        given = request.headers.get("X-Request-Id", "")
        request_id = given if wire.REQUEST_ID.fullmatch(given) else edge.new_request_id()
        exchange = Exchange(request, request_id, self._proxies.client_address(request), time.perf_counter())
        try:
            response = await self._serve(exchange)
        except Problem as problem:
            exchange.reason = problem.reason
            response = problem_response(problem, request_id, exchange.headers)
        except Exception:  # noqa: BLE001 - the last line of defence
            exchange.reason = "internal_error"
            self._log("defect", request_id=request_id, trace=traceback.format_exc())
            defect = Problem(500, "internal_error", envelope.INTERNAL_MESSAGE)
            response = problem_response(defect, request_id, exchange.headers)
        self._log_line(exchange, response.status)
        return response

    async def _serve(self, exchange: Exchange) -> web.Response:
        request = exchange.request
        edge.check_head(request)
        await self._require_https(exchange)
        page = self._pages.get(request.rel_url.raw_path)
        if page is not None:
            return await self._show(exchange, page)
        if request.method == "OPTIONS":
            return self._options(request)
        route, variables = self._match(request)
        exchange.route = route
        await self._refuse_key_in_query(exchange)
        await self._admit(exchange, route)
        body = await edge.read_body(request, route.policy.body_limit, self._config.body_seconds)
        transcoder = self._transcoders[route]
        try:
            message = transcoder.decode(
                variables, request.rel_url.raw_query_string, body, self._content_type(request, route, body)
            )
        except TranscodeError as error:
            raise Problem(
                422,
                "invalid_request",
                "The request is not valid.",
                fields=[FieldProblem(one.field, one.reason, one.message) for one in error.violations],
            ) from None
        reply, metadata = await self._backend.call(
            self._rpcs[route.rpc], message, self._metadata(exchange), self._config.answer_seconds
        )
        if isinstance(reply, status_pb2.Status):
            raise envelope.from_status(reply)
        content, content_type = transcoder.encode(reply)
        headers = {**BASE_HEADERS, **exchange.headers, "Content-Type": content_type}
        headers["X-Request-Id"] = exchange.request_id
        if metadata.get(wire.REPLAYED):
            headers["Idempotent-Replayed"] = "true"
        return web.Response(body=content, headers=headers)

    async def _show(self, exchange: Exchange, page: Page) -> web.Response:
        """A public page, to GET and HEAD (RFC 9110 section 9.3); counted like an RPC without a credential."""
        request = exchange.request
        exchange.page = request.rel_url.raw_path
        if request.method == "OPTIONS":
            return _allowed(PAGE_METHODS)
        if request.method not in PAGE_METHODS:
            raise _not_allowed(request.method, PAGE_METHODS)
        await self._refuse_key_in_query(exchange)
        self._count(exchange, options_pb2.RATE_CLASS_ADDRESS)
        await edge.read_body(request, 0, self._config.body_seconds)
        headers = {**BASE_HEADERS, **exchange.headers, **page.headers, "X-Request-Id": exchange.request_id}
        return web.Response(body=page.content, headers=headers)

    async def _require_https(self, exchange: Exchange) -> None:
        if self._proxies.is_secure(exchange.request):
            return
        key = _KEY_LIKE.search(
            f"{exchange.request.headers.get('X-API-Key', '')} {exchange.request.headers.get('Authorization', '')}"
        )
        if key is not None:
            await self._gate.report_exposure(key[0], "plain_http", exchange.client)
        raise Problem(403, envelope.HTTPS_REQUIRED, "Requests must use HTTPS.", headers={"Connection": "close"})

    def _match(self, request: web.BaseRequest) -> tuple[Route, Mapping[str, str]]:
        found = self._routes.match(request.method, request.rel_url.raw_path)
        if found is None:
            raise Problem(404, "route_not_found", "There is no such route.")
        if isinstance(found, NotAllowed):
            raise _not_allowed(request.method, found.allow)
        return found.route, found.variables

    def _options(self, request: web.BaseRequest) -> web.Response:
        """What a path takes. No CORS headers: keys must not be in browsers (specification section 5)."""
        found = self._routes.match("OPTIONS", request.rel_url.raw_path)
        if not isinstance(found, NotAllowed):
            raise Problem(404, "route_not_found", "There is no such route.")
        return _allowed(found.allow)

    async def _refuse_key_in_query(self, exchange: Exchange) -> None:
        query = exchange.request.rel_url.raw_query_string
        if "qw_" not in query:
            return
        key = _KEY_LIKE.search(query)
        if key is not None:
            await self._gate.report_exposure(key[0], "query", exchange.client)
            raise Problem(401, "key_in_query", "An API key must not be sent in a URL; revoke this one.")

    async def _admit(self, exchange: Exchange, route: Route) -> None:
        """401, 403, 429: the caller, the RPC's rules for him, his allowance."""
        policy = route.policy
        if options_pb2.CREDENTIAL_KIND_PUBLIC not in policy.credentials:
            exchange.caller = await self._identify(exchange)
            try:
                admission.check_access(policy, exchange.caller.principal)
            except Problem as problem:
                if problem.status == 403:
                    # Known, and refused: told where the allowance stands, without using it up (D22).
                    self._tell_allowance(exchange, policy.rate, self._quota.look)
                raise
        self._count(exchange, policy.rate)

    async def _identify(self, exchange: Exchange) -> Caller:
        failures = ("failed_sign_in", exchange.client)
        limit = self._config.failed_sign_ins_per_minute
        try:
            credential = admission.credential_of(exchange.request.headers)
            caller = self._gate.remembered(credential)
            if caller is None:
                verdict = self._quota.look(failures, limit)
                if not verdict.admitted:
                    exchange.headers |= quota.headers(verdict, "failed_sign_ins", time.time())
                    raise _over_limit(verdict)
                caller = await self._gate.ask(credential, exchange.request_id)
        except Problem as problem:
            if problem.status == 401:
                self._quota.take(failures, limit)
            raise
        return caller

    def _count(self, exchange: Exchange, rate: int) -> None:
        """Count the call against its allowance. Raises 429 where that is used up."""
        if rate == options_pb2.RATE_CLASS_NONE:
            return
        verdict = self._tell_allowance(exchange, rate, self._quota.take)
        if not verdict.admitted:
            raise _over_limit(verdict)

    def _tell_allowance(self, exchange: Exchange, rate: int, ask: Callable[[Hashable, int], Verdict]) -> Verdict:
        """Ask the quota of the call's subject, and put what it says into the headers of the answer."""
        principal = exchange.caller.principal if exchange.caller else None
        if rate == options_pb2.RATE_CLASS_ADDRESS or principal is None:
            subject: tuple[object, ...] = ("address", exchange.client)
            name, limit = "address", self._config.address_requests_per_minute
        elif rate == options_pb2.RATE_CLASS_USER:
            subject = ("user", principal.user_id)
            name, limit = "user", self._config.user_requests_per_minute
        else:
            subject = ("organization", principal.organization_id, principal.livemode)
            name, limit = "organization", principal.requests_per_minute
        verdict = ask(subject, limit)
        exchange.headers |= quota.headers(verdict, name, time.time())
        return verdict

    def _content_type(self, request: web.BaseRequest, route: Route, body: bytes) -> str:
        content_type = request.headers.get("Content-Type", "")
        if route.body and body and not self._transcoders[route].accepts(content_type):
            raise Problem(415, "unsupported_media_type", "The body must be application/json in UTF-8.")
        return content_type

    def _metadata(self, exchange: Exchange) -> dict[str, str | bytes]:
        metadata: dict[str, str | bytes] = {"x-request-id": exchange.request_id}
        if exchange.caller is not None:
            metadata[wire.PRINCIPAL] = exchange.caller.proof
        key = exchange.request.headers.get("Idempotency-Key")
        if key is not None:
            if not key or len(key) > wire.LONGEST_IDEMPOTENCY_KEY or not (key.isascii() and key.isprintable()):
                raise Problem(
                    422,
                    "invalid_request",
                    "The request is not valid.",
                    fields=[
                        FieldProblem("Idempotency-Key", "malformed", "must be 1 to 255 printable ASCII characters")
                    ],
                )
            metadata["idempotency-key"] = key
        return metadata

    def _log_line(self, exchange: Exchange, status: int) -> None:
        # The path's template, not the path, and never the query: both may hold what people typed.
        principal = exchange.caller.principal if exchange.caller else None
        self._log(
            "request",
            method=exchange.request.method,
            route=exchange.route.template if exchange.route else exchange.page,
            rpc=exchange.route.rpc if exchange.route else "",
            status=status,
            reason=exchange.reason,
            request_id=exchange.request_id,
            organization_id=principal.organization_id if principal else 0,
            livemode=principal.livemode if principal else None,
            credential=principal.credential_id if principal else "",
            client=exchange.client,
            ms=round((time.perf_counter() - exchange.began) * 1000, 3),
        )


def _allowed(methods: tuple[str, ...]) -> web.Response:
    return web.Response(status=204, headers={**BASE_HEADERS, "Allow": ", ".join(methods)})


def _not_allowed(method: str, methods: tuple[str, ...]) -> Problem:
    message = f"This route does not take {method}."
    return Problem(405, "method_not_allowed", message, headers={"Allow": ", ".join(methods)})


def _over_limit(verdict: Verdict) -> Problem:
    return Problem(
        429,
        "quota_exceeded",
        f"More than {verdict.limit} requests in a minute.",
        retry_after=verdict.reset,
        extra={"limit": verdict.limit},
    )
