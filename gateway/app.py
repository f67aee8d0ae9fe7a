"""The gateway's composition root, and the way of a request through it.

edge → route → admission → slots → quota → body → transcode → backend → transcode: the order of the checks is that of
`Gateway._serve` (D21).
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import re
import socket
import ssl
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2
from quotewright.v1 import account_pb2, customer_link_pb2
from yarl import URL

from gateway import admission, edge, envelope, quota, reply
from gateway.admission import Admittance, Allowance, Caller, Gate, is_stale
from gateway.backend import Backend, Stream
from gateway.config import GatewayConfig
from gateway.connection import Connections, ConnectionServer, Deadlines, Request, keep_little_unsent, new_request_id
from gateway.edge import Head, Proxies
from gateway.envelope import FieldProblem, Problem
from gateway.listening import SharedListener
from gateway.page import Page
from gateway.quota import MemoryQuota, Quota, Subject, Verdict
from gateway.reference import public_pages
from gateway.reply import NOT_CACHED, Reply, StreamedReply, header_lines, problem_reply
from gateway.routes import NotAllowed, Route, RouteTable
from gateway.slots import Slot, Slots
from gateway.telling import Ended, Telling
from gateway.transcode import RequestTranscoder, TranscodeError
from gateway.transcode.requests import JSON
from gateway.usage import UsageReporter
from gateway.web import customer, portal
from gateway.web.customer import CustomerPages
from gateway.web.portal import Portal, Shown, View, Visit, protection
from gateway.web.portal.protection import Upload
from process import contract, sockets, wire
from process.contract import LINK_FIELD, Rpc
from process.log import Log, printed
from process.telemetry import Telemetry
from process.tracing import Attribute, Trace

#: What public pages take.
PAGE_METHODS = ("GET", "HEAD", "OPTIONS")
#: Cache-Control of an answer with an entity tag: the client may keep it, and asks each time whether it still holds.
REVALIDATED = "private, no-cache"
#: Characters of If-Match.
LONGEST_IF_MATCH = 1000
#: How long a stopping gateway waits for answers under way; an RPC has less.
DRAIN_WITHIN = 25.0
#: What is then still under way is cut, within this time.
CUT_WITHIN = 0.5
#: How soon a stream that is silent notices that its client has gone, or that it is to end.
STREAM_LOOKS_UP_EVERY = 1.0
#: Keys of one request over plain HTTP that the server is told of: each may cost it a write, and nobody is counted yet.
MOST_EXPOSED = 4
#: Of an answer in JSON that says nothing special about itself, as most are.
_JSON_LINES = header_lines({**NOT_CACHED, "Content-Type": JSON})
_KEY_LIKE = re.compile(r"qw_(?:live|test)_[0-9A-Za-z_]+")


@dataclass(slots=True)
class Exchange:
    """What is known of one request while it is answered; the log line is made from it."""

    request: Request
    head: Head
    request_id: str
    trace: Trace
    began: float
    way: _Way | None = None
    page: str = ""
    caller: Caller | None = None
    #: What it counts as under way.
    slot: Slot | None = None
    #: What it counts as, where its caller has been admitted.
    admitted: Admittance | None = None
    #: The allowance that it is counted against, by the name that the rate headers have for it.
    policy: str = ""
    #: Requests of the organization's last minute that count into its allowance, this one too; 0 where it does not.
    in_minute: int = 0
    reason: str = ""
    #: Headers of the answer that tell where an allowance stands.
    lines: str = ""

    @property
    def client(self) -> str:
        """The client's address."""
        return self.head.client


@dataclass(frozen=True, slots=True)
class _Way:
    """What a request on a route needs, found once, at start."""

    rpc: Rpc
    template: str
    transcoder: RequestTranscoder
    public: bool
    rate: int
    body_limit: int
    takes_body: bool
    if_match: bool
    #: Where it leads, as log lines print it.
    printed: str

    @classmethod
    def of(cls, route: Route, rpc: Rpc) -> _Way:
        policy = route.policy
        return cls(
            rpc,
            route.template,
            RequestTranscoder.for_route(route),
            rpc.public,
            policy.rate,
            policy.body_limit,
            bool(route.body),
            policy.if_match,
            printed(route=route.template, rpc=rpc.path),
        )


class Gateway:
    """Answers HTTP requests by calling RPCs."""

    def __init__(
        self, config: GatewayConfig, backend: Backend, secret: str, log: Log, allowances: Quota, telemetry: Telemetry
    ) -> None:
        self._config = config
        self._backend = backend
        self._log = log
        self._rpcs = {rpc.path: rpc for rpc in contract.rpcs(FILES)}
        self._routes = RouteTable.from_files(FILES)
        self._pages = {**public_pages(), **customer.files(), **portal.files()}
        self._customer_pages = CustomerPages()
        self._portal = Portal(
            self._rpcs, None if config.tls_certificate else config.data_dir.resolve() / "tls" / "ca.pem"
        )
        self._ways = {route: _Way.of(route, self._rpcs[route.rpc]) for route in self._routes.routes}
        self._gate = Gate(backend, self._rpcs, secret, log)
        report = self._rpcs["/quotewright.v1.GateService/ReportUsage"]
        self._usage = UsageReporter(backend, report, secret, log)
        self._allowances = allowances
        #: What protects this gateway from an address is counted here: a flood must not load what gateways share.
        self._addresses = MemoryQuota(time.monotonic)
        self._slots = Slots(
            config.most_concurrent, config.most_concurrent_per_organization, config.most_concurrent_per_user
        )
        self._proxies = Proxies(config.trusted_proxies)
        #: Both listeners share it, so that their connections count together.
        self._server = ConnectionServer(
            self.answer,
            Deadlines(config.header_seconds, config.body_seconds, config.idle_seconds, config.write_seconds),
            Connections(config.connections, config.connections_per_address),
            log,
        )
        self._tracer = telemetry.tracer
        self._telling = Telling(telemetry.registry, self._gate, self._server.counted, self._usage.counter, log)
        self._metrics = self._telling.metrics
        telemetry.readiness.add("server_connection", lambda: self._gate.trusts_memory)
        self._listeners: list[asyncio.Server | SharedListener] = []
        self._stopping = False
        self._compiling: asyncio.Task[None] | None = None

    async def start(self, tls: ssl.SSLContext, inherited: Mapping[int, Sequence[socket.socket]] | None = None) -> None:
        """Open the ports, or take the sockets of them that are ``inherited``. Raises `OSError` where one is taken."""
        self._gate.start()
        self._usage.start()
        self._compiling = asyncio.create_task(asyncio.to_thread(self._portal.compile_templates))
        given = inherited or {}
        await self._listen(self._config.https_port, tls, given.get(self._config.https_port, ()))
        if self._config.http_port:
            await self._listen(self._config.http_port, None, given.get(self._config.http_port, ()))

    @property
    def draining(self) -> bool:
        """Whether it has been told to stop; it still answers, but new work should go elsewhere."""
        return self._server.draining

    async def stop(self) -> None:
        """Stop without losing a request, then let go of the backend.

        From now on each answer tells that its connection closes. For ``drain_seconds`` connections are still taken,
        so that balancers notice and every client that asks meanwhile is told. Then the ports and the connections
        that are idle close, and what is under way is answered.
        """
        self._server.draining = True
        await asyncio.sleep(self._config.drain_seconds)
        self._stopping = True
        closed = [asyncio.create_task(listener.wait_closed()) for listener in self._listeners]
        # It waits for connections, those in a TLS handshake too, but only where it began before close().
        await asyncio.sleep(0)
        for listener in self._listeners:
            listener.close()
        self._server.close_idle()
        if closed:
            _, late = await asyncio.wait(closed, timeout=DRAIN_WITHIN)
            for one in late:
                one.cancel()
        await self._server.shutdown(CUT_WITHIN)
        if self._compiling is not None:
            await self._compiling
        self._telling.flush()
        await self._usage.stop()
        await self._gate.stop()
        await self._backend.close()

    async def _listen(self, port: int, tls: ssl.SSLContext | None, inherited: Sequence[socket.socket]) -> None:
        # A handshake is part of asking: it has the head's time.
        begin, end = self._config.header_seconds, self._config.write_seconds
        listeners: Sequence[asyncio.Server | SharedListener]
        if inherited:
            listeners = [SharedListener(one, self._server, tls, begin, end) for one in inherited]
        else:
            # A name may have to be asked for.
            opened = await asyncio.to_thread(sockets.opened, self._config.https_host, port)
            loop = asyncio.get_running_loop()
            listeners = [
                await loop.create_server(
                    self._server,
                    sock=one,
                    ssl=tls,
                    ssl_handshake_timeout=begin if tls else None,
                    ssl_shutdown_timeout=end if tls else None,
                    backlog=sockets.BACKLOG,
                )
                for one in opened
            ]
        self._listeners += listeners
        for listener in listeners:
            for one in listener.sockets:
                keep_little_unsent(one.fileno())

    async def answer(self, request: Request) -> Reply | StreamedReply:
        """One request, to its answer and its log line."""
        began = time.perf_counter()
        head = edge.head_of(request, self._proxies)
        request_id = head.request_id or new_request_id()
        trace = self._tracer.begin(head.traceparent, head.tracestate)
        exchange = Exchange(request, head, request_id, trace, began)
        self._metrics.in_flight += 1
        answer: Reply | StreamedReply
        try:
            answer = await self._serve(exchange)
        except Problem as problem:
            exchange.reason = problem.reason
            answer = problem_reply(problem, request_id)
        except Exception:  # noqa: BLE001 - the last line of defence
            exchange.reason = "internal_error"
            self._log("defect", request_id=request_id, trace_id=trace.trace_id, trace=traceback.format_exc())
            answer = problem_reply(Problem(500, "internal_error", envelope.INTERNAL_MESSAGE), request_id)
        finally:
            if exchange.slot is not None:
                self._slots.leave(exchange.slot)
            self._metrics.in_flight -= 1
        if isinstance(answer, Reply):
            answer.secure = head.secure
            answer.lines += reply.id_line(request_id) + exchange.lines
        self._tell(exchange, answer.status)
        return answer

    async def _serve(self, exchange: Exchange) -> Reply | StreamedReply:
        request, head = exchange.request, exchange.head
        # Before what is wrong with the head: a key was in the open whatever else came with it (D20).
        if not head.secure:
            await self._refuse_plain_http(exchange)
        if head.problem is not None:
            raise head.problem
        if head.found is None:
            url = request.url
            path = url.raw_path
            page = self._pages.get(path)
            if page is not None:
                return await self._show(exchange, page)
            found = self._routes.match(request.method, path)
            if found is None:
                if path.startswith(customer.PREFIX):
                    return await self._answer_customer(exchange, path.removeprefix(customer.PREFIX))
                view = self._portal.find(path)
                if view is not None:
                    return await self._answer_visitor(exchange, *view)
                raise Problem(404, "route_not_found", "There is no such route.")
            if isinstance(found, NotAllowed):
                return _allowed_or_refused(request.method, found.allow)
            query = url.raw_query_string
            if _keys_in(query):
                exchange.way = self._ways[found.route]
                await self._refuse_key_in_query(exchange)
            head.found = found, query
        else:
            found, query = head.found
        way = exchange.way = self._ways[found.route]
        rpc = way.rpc
        if not way.public:
            caller = exchange.caller = self._known(head, rpc) or await self._identify(exchange, rpc, found.variables)
            try:
                self._admit(exchange, rpc, caller)
            except Problem as refusal:
                await self._tell_refused(exchange, rpc, refusal)
                raise
        if way.rate != options_pb2.RATE_CLASS_NONE:
            await self._count(exchange, way.rate)
        body = None if head.coded else edge.whole_body(request, way.body_limit)
        if body is None:
            body = await edge.read_body(request, head, way.body_limit, self._config.body_seconds)
        transcoder = way.transcoder
        if body and way.takes_body and not transcoder.accepts(head.content_type):
            raise Problem(415, "unsupported_media_type", "The body must be application/json in UTF-8.")
        try:
            message = transcoder.decode(found.variables, query, body, head.content_type if body else "")
        except TranscodeError as error:
            raise _unreadable(error) from None
        if rpc.streaming:
            return await self._stream(exchange, rpc, message, transcoder)
        answer, metadata = await self._backend.call(
            rpc, message, self._metadata(exchange, if_match=way.if_match), self._config.answer_seconds
        )
        if isinstance(answer, status_pb2.Status) and exchange.caller is not None and is_stale(answer):
            # The server's clock was set, or a server with another clock was asked. Nothing was done yet.
            self._gate.forget(exchange.caller)
            exchange.caller = await self._identify(exchange, rpc, found.variables)
            answer, metadata = await self._backend.call(
                rpc, message, self._metadata(exchange, if_match=way.if_match), self._config.answer_seconds
            )
        if isinstance(answer, status_pb2.Status):
            problem = envelope.from_status(answer)
            if way.rate == options_pb2.RATE_CLASS_SIGN_IN:
                await self._count_failure(exchange, problem)
            raise problem
        if wire.FORGET_CALLER in metadata:
            self._forget_caller(exchange)
        content, content_type = transcoder.encode(answer)
        if content_type is JSON and len(content) < reply.GZIP_FROM and wire.MARKS.isdisjoint(metadata):
            return Reply(200, {}, content, lines=_JSON_LINES)
        return await _marked(request, content, content_type, metadata)

    async def _stream(
        self, exchange: Exchange, rpc: Rpc, message: Message, transcoder: RequestTranscoder
    ) -> StreamedReply:
        """The messages of a streaming RPC, one JSON object a line (application/x-ndjson), each sent as it comes.

        A call that fails before its first message is answered like any other. One that fails later, or is cut by the
        gateway's stop, ends with the envelope as its last line: the status has been sent by then.
        """
        messages = self._backend.stream(rpc, message, self._metadata(exchange))
        async with contextlib.aclosing(messages):
            first = await anext(messages, None)
            if isinstance(first, status_pb2.Status):
                raise envelope.from_status(first)
            response = StreamedReply(exchange.request)
            headers = {**NOT_CACHED, "Content-Type": "application/x-ndjson"}
            # Nobody hears what comes after a client has gone.
            with contextlib.suppress(ConnectionError):
                await response.begin(headers, reply.id_line(exchange.request_id) + exchange.lines)
                if exchange.request.method != "HEAD":
                    await self._send_lines(exchange, response, first, messages, transcoder)
            return response

    async def _send_lines(
        self,
        exchange: Exchange,
        response: StreamedReply,
        first: Message | None,
        messages: Stream,
        transcoder: RequestTranscoder,
    ) -> None:
        current: Message | status_pb2.Status | None = first
        while current is not None:
            if isinstance(current, status_pb2.Status):
                problem = envelope.from_status(current)
                exchange.reason = problem.reason
                await response.write(problem.body(exchange.request_id) + b"\n")
                return
            await response.write(transcoder.encode(current)[0] + b"\n")
            current = await self._next(exchange, messages)

    async def _next(self, exchange: Exchange, messages: Stream) -> Message | status_pb2.Status | None:
        """The next message; nothing where the client has gone; a status where this gateway is stopping."""
        pending = asyncio.ensure_future(anext(messages, None))
        try:
            while True:
                done, _ = await asyncio.wait({pending}, timeout=STREAM_LOOKS_UP_EVERY)
                if done:
                    return pending.result()
                transport = exchange.request.connection.transport
                if transport is None or transport.is_closing():
                    return None
                if self._stopping:
                    return status_pb2.Status(code=code_pb2.UNAVAILABLE, message="The gateway is stopping.")
        finally:
            if not pending.done():
                pending.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await pending

    async def _show(self, exchange: Exchange, page: Page) -> Reply:
        """A public page, to GET and HEAD (RFC 9110 section 9.3); counted like an RPC without a credential."""
        request = exchange.request
        exchange.page = request.url.raw_path
        if request.method not in ("GET", "HEAD"):
            return _allowed_or_refused(request.method, PAGE_METHODS)
        await self._refuse_key_in_query(exchange)
        await self._count(exchange, options_pb2.RATE_CLASS_ADDRESS)
        await edge.read_body(request, exchange.head, 0, self._config.body_seconds)
        return page.reply(request, {**NOT_CACHED, **page.headers})

    async def _answer_customer(self, exchange: Exchange, token: str) -> Reply:
        """The page of a sent quote; what goes wrong is a page, too, for those who read HTML."""
        exchange.page = customer.ROUTE
        try:
            return await self._customer_page(exchange, token)
        except Problem as found:
            problem = found
            if problem.status == 401 and problem.reason != "link_expired":
                # Whoever tries tokens learns nothing from the answers.
                problem = Problem(404, "link_unknown", "There is no such page.")
            if not customer.reads_html(exchange.request.headers.get("Accept", "")):
                raise problem from None
            exchange.reason = problem.reason
            status, content = self._customer_pages.problem(problem, known=exchange.caller is not None)
            headers = customer.HEADERS | problem.answer_headers
            close = headers.pop("Connection", "") == "close"
            return Reply(status, headers, content, close=close)

    async def _customer_page(self, exchange: Exchange, token: str) -> Reply:
        """Admitted as the RPC behind it is; the three of them have one policy."""
        request = exchange.request
        if request.method not in ("GET", "HEAD", "POST"):
            return _allowed_or_refused(request.method, customer.METHODS)
        rpc = self._rpcs[f"{customer.SERVICE}/GetSharedQuote"]
        caller = exchange.caller = await self._identify(exchange, rpc, {LINK_FIELD: token})
        try:
            self._admit(exchange, rpc, caller)
        except Problem as refusal:
            await self._tell_refused(exchange, rpc, refusal)
            raise
        await self._count(exchange, rpc.policy.rate)
        message: Message = customer_link_pb2.GetSharedQuoteRequest(token=token)
        headers = customer.HEADERS
        if request.method != "POST":
            await edge.read_body(request, exchange.head, 0, self._config.body_seconds)
            answer = await self._ask(exchange, rpc, message)
            assert isinstance(answer, customer_link_pb2.GetSharedQuoteResponse)
            return Reply(200, headers, self._customer_pages.quote(answer.quote))
        customer.check_origin(request.headers)
        limit = self._rpcs[f"{customer.SERVICE}/AcceptSharedQuote"].policy.body_limit
        body = await edge.read_body(request, exchange.head, limit, self._config.body_seconds)
        path, message = customer.decision(token, request.headers.get("Content-Type", ""), body)
        await self._ask(exchange, self._rpcs[path], message)
        # Loading the page again must not send the form again (RFC 9110 section 15.4.4).
        return Reply(303, {**headers, "Location": token})

    async def _answer_visitor(self, exchange: Exchange, view: View, variables: Mapping[str, str]) -> Reply:
        """A page of the portal; what goes wrong is a page, too, for those who read HTML."""
        request = exchange.request
        exchange.page = view.template
        headers = dict(portal.HEADERS)
        try:
            if request.method not in view.methods or request.method == "OPTIONS":
                return _allowed_or_refused(request.method, view.methods)
            shown = await self._portal_page(exchange, view, variables)
        except Problem as problem:
            exchange.reason = problem.reason
            if not customer.reads_html(request.headers.get("Accept", "")):
                raise
            if problem.status == 401 and not view.public:
                where = portal.sign_in_path(self._page_of(request, view))
                shown = Shown(303, location=where, cookie=protection.no_session_cookie())
            else:
                shown = Shown(problem.status, self._portal.problem(problem, exchange.request_id))
            headers |= problem.answer_headers
        close = headers.pop("Connection", "") == "close"
        headers |= {"Content-Type": shown.content_type, **shown.headers}
        if shown.location:
            headers["Location"] = shown.location
        if shown.cookie:
            headers["Set-Cookie"] = shown.cookie
        return Reply(shown.status, headers, shown.content, close=close)

    async def _portal_page(self, exchange: Exchange, view: View, variables: Mapping[str, str]) -> Shown:
        """Counted per address; the session is asked about with every page, so that what it says of itself is true."""
        request = exchange.request
        await self._refuse_key_in_query(exchange)
        await self._count(exchange, options_pb2.RATE_CLASS_ADDRESS)
        token = request.cookie(protection.SESSION_COOKIE)
        visitor = protection.known_visitor(request.cookie(protection.VISITOR_COOKIE))
        holder, cookie = (visitor, "") if view.public else (token, "")
        if view.public and not visitor and request.method != "POST":
            holder = protection.new_visitor()
            cookie = protection.visitor_cookie(holder)
        form: dict[str, list[str]] = {}
        uploads: dict[str, Upload] = {}
        fed = self._rpcs[f"/quotewright.v1.{view.feeds}"] if view.feeds else None
        # Text assist: 60 a minute and 4 at a time of a user, whichever way it is asked for (D22).
        by_user = fed is not None and fed.policy.rate == options_pb2.RATE_CLASS_USER
        if request.method == "POST":
            protection.check_origin(request.headers)
            limit = portal.BODY_LIMIT + (fed.policy.body_limit if fed is not None else 0)
            body = await edge.read_body(request, exchange.head, limit, self._config.body_seconds)
            content_type = request.headers.get("Content-Type", "")
            form, uploads = await asyncio.to_thread(protection.read_form, content_type, body)
        else:
            await edge.read_body(request, exchange.head, 0, self._config.body_seconds)

        async def ask(rpc: str, request: Message, once: str = "", if_match: str = "") -> Any:
            asked = self._rpcs[f"/quotewright.v1.{rpc}"]
            if asked is fed and by_user:
                await self._count(exchange, options_pb2.RATE_CLASS_USER)
            answer, metadata = await self._ask_with(exchange, asked, request, once, if_match)
            visit.tag = metadata.get(wire.ENTITY_TAG, visit.tag)
            return answer

        base = f"https://{request.headers.get('Host', '')}"
        site, query = self._portal.site, dict(request.url.query)
        visit = Visit(site, ask, request.url.path, variables, query, base, holder, form, uploads)
        try:
            shown = await self._visited(exchange, view, visit, token, by_user=by_user)
        except Problem as problem:
            lost = problem.status == 401 or problem.reason == "csrf_token_refused"
            texts = (
                visit.texts
                if lost and not view.public and customer.reads_html(request.headers.get("Accept", ""))
                else []
            )
            if not texts:
                raise
            exchange.reason = problem.reason
            page = self._page_of(request, view)
            goes_on = portal.sign_in_path(page) if visit.session is None else protection.local_path(page)
            shown = visit.page("not_stored.html", problem, left=None, next=goes_on, texts=texts)
            if problem.status == 401:
                shown = dataclasses.replace(shown, cookie=protection.no_session_cookie())
        return dataclasses.replace(shown, cookie=shown.cookie or cookie)

    def _page_of(self, request: Request, view: View) -> str:
        """Path and query of the page to go on to: that of the form, as the browser says; the start for what only takes
        forms, such as /sign-out."""
        if request.method != "POST":
            return request.url.raw_path_qs
        try:
            form = URL(request.headers.get("Referer", ""))
            found = self._portal.find(form.path) if form.authority == request.headers.get("Host", "").lower() else None
        except ValueError:
            found = None
        if found is not None and found[0].show is not None and not found[0].public:
            return form.raw_path_qs
        return request.url.path if view.show else "/"

    async def _visited(self, exchange: Exchange, view: View, visit: Visit, token: str, *, by_user: bool) -> Shown:
        """What the view shows a visitor who is admitted, whose form is of the workspace that is chosen."""
        request, holder, ask = exchange.request, visit.holder, visit.ask
        if not view.public:
            caller = exchange.caller = await self._identify_visitor(exchange, token)
            slot = Slot(caller.slots, caller.user_id if by_user else 0)
            self._slots.enter(slot)
            exchange.slot = slot
        if request.method == "POST" and not view.in_workspace:
            protection.check_csrf(holder, visit.first("csrf"))
        if not view.public:
            answer = await ask("AccountService/GetSession", account_pb2.GetSessionRequest())
            assert isinstance(answer, account_pb2.GetSessionResponse)
            visit.session = answer.session
            if not visit.session.organization_id and not view.homeless:
                return Shown(303, location="/workspaces")
        if request.method == "POST" and view.in_workspace:
            left = visit.left
            if left is None:
                protection.check_csrf(holder, visit.first("csrf"), visit.workspace)
            else:
                refusal = visit.changed_from(left)
                if not customer.reads_html(request.headers.get("Accept", "")):
                    raise refusal
                exchange.reason = refusal.reason
                goes_on = protection.local_path(self._page_of(request, view))
                return visit.page("not_stored.html", refusal, left=left, next=goes_on, texts=visit.texts)
        act = view.take if request.method == "POST" else view.show
        assert act is not None, "the view takes the method"
        return await act(visit)

    async def _identify_visitor(self, exchange: Exchange, token: str) -> Caller:
        """The caller of a session's cookie. Raises 401."""
        if not token.startswith(admission.SESSION_PREFIX) or not token.isascii() or len(token) > 512:
            raise Problem(401, "session_missing", "Sign in first.")
        try:
            await self._look_at_failures(exchange)
            return await self._gate.ask(token, _hop(exchange))
        except Problem as problem:
            await self._count_failure(exchange, problem)
            raise

    async def _ask(self, exchange: Exchange, rpc: Rpc, message: Message) -> Message:
        """The answer to one RPC. Raises `Problem`."""
        return (await self._ask_with(exchange, rpc, message))[0]

    async def _ask_with(
        self, exchange: Exchange, rpc: Rpc, message: Message, once: str = "", if_match: str = ""
    ) -> tuple[Message, Mapping[str, str]]:
        """The same with an idempotency key, and the entity tag that the resource must have, if there are; and the
        metadata of the answer."""
        if rpc.policy.rate == options_pb2.RATE_CLASS_SIGN_IN:
            await self._look_at_failures(exchange)
        metadata = self._metadata(exchange)
        if once:
            metadata[wire.IDEMPOTENCY_KEY] = once
        if if_match:
            metadata[wire.IF_MATCH] = if_match
        answer, answered = await self._backend.call(rpc, message, metadata, self._config.answer_seconds)
        if isinstance(answer, status_pb2.Status):
            problem = envelope.from_status(answer)
            if rpc.policy.rate == options_pb2.RATE_CLASS_SIGN_IN:
                await self._count_failure(exchange, problem)
            raise problem
        if wire.FORGET_CALLER in answered:
            self._forget_caller(exchange)
        return answer, answered

    def _forget_caller(self, exchange: Exchange) -> None:
        """The server says that the caller is another now, or nobody: the next request, which may follow the answer at
        once, is not to be made as who he was."""
        if exchange.caller is not None:
            self._gate.forget(exchange.caller)

    async def _refuse_plain_http(self, exchange: Exchange) -> None:
        """Raise 403, and have flagged what looks like a key, wherever it is in the head: in a URL, in a header that is
        there twice, in one that means nothing here."""
        message = exchange.request.message
        found = dict.fromkeys(_keys_in(" ".join((message.path, *message.headers.values()))))
        seen = list(found)[:MOST_EXPOSED]
        await asyncio.gather(*(self._gate.report_exposure(key, "plain_http", exchange.client) for key in seen))
        raise Problem(403, envelope.HTTPS_REQUIRED, "Requests must use HTTPS.", headers={"Connection": "close"})

    async def _refuse_key_in_query(self, exchange: Exchange) -> None:
        keys = _keys_in(exchange.request.url.raw_query_string)
        if keys:
            await self._gate.report_exposure(keys[0], "query", exchange.client)
            raise Problem(401, "key_in_query", "An API key must not be sent in a URL; revoke this one.")

    def _known(self, head: Head, rpc: Rpc) -> Caller | None:
        """The caller, where the same head has told who it is and nothing has ended since."""
        caller = head.caller
        if caller is None or rpc.takes_links or not self._gate.still_knows(caller, head.generation):
            return None
        return caller

    async def _identify(self, exchange: Exchange, rpc: Rpc, variables: Mapping[str, str]) -> Caller:
        """The caller: remembered, as a rule, or from the server; an address that has often given wrong credentials is
        not asked for again."""
        head, request = exchange.head, exchange.request
        try:
            link = admission.link_of(rpc, variables, request.url, request.headers)
            credential = link or admission.credential_of(request.headers)
            generation = self._gate.generation
            caller = self._gate.remembered(credential, link=bool(link))
            if caller is None:
                await self._look_at_failures(exchange)
                caller = await self._gate.ask(credential, _hop(exchange), link=bool(link))
        except Problem as problem:
            await self._count_failure(exchange, problem)
            raise
        if not link:
            head.caller, head.generation = caller, generation
        return caller

    async def _look_at_failures(self, exchange: Exchange) -> None:
        """Raise 429 where the address has given too many wrong credentials or passwords."""
        failures: Subject = ("failed_sign_in", exchange.client)
        verdict = await self._addresses.look(failures, self._config.failed_sign_ins_per_minute)
        if not verdict.admitted:
            self._tell_verdict(exchange, verdict, "failed_sign_ins")
            raise _over_limit(verdict)

    async def _count_failure(self, exchange: Exchange, problem: Problem) -> None:
        if problem.status == 401:
            failures: Subject = ("failed_sign_in", exchange.client)
            await self._addresses.take(failures, self._config.failed_sign_ins_per_minute)

    def _admit(self, exchange: Exchange, rpc: Rpc, caller: Caller) -> None:
        """Raise what the RPC's rules have against the caller, or what is under way already; else he has a slot."""
        admitted = caller.admitted.get(rpc.path)
        if admitted is None:
            admission.check_access(rpc, caller)
            admitted = caller.admitted[rpc.path] = self._admittance(rpc.policy.rate, caller)
        self._slots.enter(admitted.slot)
        exchange.slot = admitted.slot
        exchange.admitted = admitted

    async def _tell_refused(self, exchange: Exchange, rpc: Rpc, problem: Problem) -> None:
        """Who is known, and not admitted, is told where the allowance stands, without using it up (D22)."""
        if problem.status != 401:
            counted, (subject, limit, name) = self._counted_as(exchange, rpc.policy.rate)
            self._tell_verdict(exchange, await counted.look(subject, limit), name)

    def _admittance(self, rate: int, caller: Caller) -> Admittance:
        by_user = rate == options_pb2.RATE_CLASS_USER
        return Admittance(Slot(caller.slots, caller.user_id if by_user else 0), self._allowance(rate, caller))

    def _allowance(self, rate: int, caller: Caller) -> Allowance | None:
        """Whose allowance a caller's requests use up, its limit and its name; None where it is their address's."""
        if rate == options_pb2.RATE_CLASS_ADDRESS or caller.by_link:
            return None
        if rate == options_pb2.RATE_CLASS_USER:
            return ("user", caller.user_id), self._config.user_requests_per_minute, "user"
        subject = ("organization", caller.organization_id, caller.livemode)
        return subject, caller.requests_per_minute, "organization"

    async def _count(self, exchange: Exchange, rate: int) -> None:
        """Count the call against its allowance. Raises 429 where that is used up.

        A memory's coroutines never suspend: awaiting them costs a call and no turn of the loop.
        """
        counted, (subject, limit, name) = self._counted_as(exchange, rate)
        verdict = await counted.take(subject, limit)
        self._tell_verdict(exchange, verdict, name)
        if name == "organization":
            exchange.in_minute = verdict.limit - verdict.remaining
        if not verdict.admitted:
            raise _over_limit(verdict)
        if rate == options_pb2.RATE_CLASS_SIGN_IN:
            await self._look_at_failures(exchange)

    def _counted_as(self, exchange: Exchange, rate: int) -> tuple[Quota, Allowance]:
        """Where a call is counted, and as what."""
        if exchange.admitted is not None:
            allowance = exchange.admitted.allowance
        else:
            allowance = self._allowance(rate, exchange.caller) if exchange.caller is not None else None
        if allowance is not None:
            return self._allowances, allowance
        return self._addresses, (("address", exchange.client), self._config.address_requests_per_minute, "address")

    def _tell_verdict(self, exchange: Exchange, verdict: Verdict, name: str) -> None:
        """Put what a quota says into the headers of the answer."""
        exchange.lines = quota.header_lines(verdict, name, time.time())
        exchange.policy = name

    def _metadata(self, exchange: Exchange, *, if_match: bool = False) -> dict[str, str | bytes]:
        """What the server is told beside the message. ``if_match``: the RPC asks for the header."""
        metadata = _hop(exchange)
        head = exchange.head
        if exchange.caller is not None:
            metadata[wire.PRINCIPAL] = exchange.caller.proof
        key = head.idempotency_key
        if key is not None:
            if not key or len(key) > wire.LONGEST_IDEMPOTENCY_KEY or not (key.isascii() and key.isprintable()):
                raise _bad_header("Idempotency-Key", "must be 1 to 255 printable ASCII characters")
            metadata[wire.IDEMPOTENCY_KEY] = key
        tags = head.if_match
        if if_match and tags is not None:
            if not (tags.isascii() and tags.isprintable()) or len(tags) > LONGEST_IF_MATCH:
                raise _bad_header("If-Match", f"must be a list of entity tags of at most {LONGEST_IF_MATCH} characters")
            metadata[wire.IF_MATCH] = reply.uncoded_tags(tags)
        return metadata

    def _tell(self, exchange: Exchange, status: int) -> None:
        """Those who watch: the span at once, the rest with other requests."""
        seconds = time.perf_counter() - exchange.began
        method, reason, trace, way = exchange.request.method, exchange.reason, exchange.trace, exchange.way
        if way is not None:
            route, operation, where = way.template, way.rpc.operation, way.printed
        else:
            route, operation, where = exchange.page, "", printed(route=exchange.page, rpc="")
        if trace.span is not None:
            trace.span.end(f"{method} {route}".rstrip(), _attributes(exchange, route, status), _failure(reason, status))
        self._telling.note(
            Ended(
                time.time(),
                seconds,
                method,
                status,
                route,
                operation,
                where,
                exchange.caller,
                reason,
                exchange.policy,
                exchange.in_minute,
                exchange.request_id,
                trace.traceparent,
                exchange.head.client,
            )
        )


def _keys_in(text: str) -> list[str]:
    """What looks like a key, percent-encoded or not."""
    return _KEY_LIKE.findall(unquote(text)) if "qw_" in text or "%" in text else []


def _hop(exchange: Exchange) -> dict[str, str | bytes]:
    """What the server is told of the request itself, whatever is asked of it."""
    hop: dict[str, str | bytes] = {"x-request-id": exchange.request_id, "traceparent": exchange.trace.traceparent}
    if exchange.trace.state:
        hop["tracestate"] = exchange.trace.state
    return hop


def _attributes(exchange: Exchange, route: str, status: int) -> dict[str, Attribute]:
    """OpenTelemetry's semantic conventions for HTTP servers, without the path; what has no name there begins with
    ours."""
    return {
        "http.request.method": exchange.request.method,
        "http.route": route,
        "http.response.status_code": status,
        "client.address": exchange.client,
        "quotewright.request_id": exchange.request_id,
        "quotewright.organization_id": exchange.caller.organization_id if exchange.caller else 0,
    }


def _failure(reason: str, status: int) -> str:
    return reason or str(status) if status >= 500 else ""


def _allowed_or_refused(method: str, methods: tuple[str, ...]) -> Reply:
    """What a path takes. No CORS headers: keys must not be in browsers (specification section 5)."""
    allow = ", ".join(methods)
    if method != "OPTIONS":
        raise Problem(405, "method_not_allowed", f"This route does not take {method}.", headers={"Allow": allow})
    return Reply(204, {**NOT_CACHED, "Allow": allow})


async def _marked(request: Request, content: bytes, content_type: str, metadata: Mapping[str, str]) -> Reply:
    """An answer that is large, no JSON, or of which the server says something: that it is a repeated one, which version
    it is, what the file is called."""
    headers = {**NOT_CACHED, "Content-Type": content_type}
    if wire.REPLAYED in metadata:
        headers["Idempotent-Replayed"] = "true"
    if wire.CONTENT_DISPOSITION in metadata:
        return _file(request, headers, content, metadata[wire.CONTENT_DISPOSITION])
    if wire.ENTITY_TAG in metadata:
        headers["ETag"] = metadata[wire.ENTITY_TAG]
        if request.method in ("GET", "HEAD"):
            headers["Cache-Control"] = REVALIDATED
            if reply.is_known(request, headers["ETag"]):
                reply.negotiate(request, headers, content)
                return reply.not_modified(headers)
    if len(content) >= reply.GZIP_FROM:
        content = await asyncio.to_thread(reply.compress, request, headers, content)
    return Reply(200, headers, content)


def _bad_header(name: str, message: str) -> Problem:
    return Problem(
        422, "invalid_request", "The request is not valid.", fields=[FieldProblem(name, "malformed", message)]
    )


def _unreadable(error: TranscodeError) -> Problem:
    fields = [FieldProblem(one.field, one.reason, one.message) for one in error.violations]
    return Problem(422, "invalid_request", "The request is not valid.", fields=fields)


def _file(request: Request, headers: dict[str, str], content: bytes, disposition: str) -> Reply:
    """A document: named, and not sent again to a client that has it."""
    headers["Content-Disposition"] = disposition
    return reply.validated(request, {**headers, "Cache-Control": REVALIDATED}, content, reply.entity_tag(content))


def _over_limit(verdict: Verdict) -> Problem:
    return Problem(
        429,
        "quota_exceeded",
        f"More than {verdict.limit} requests in a minute.",
        retry_after=verdict.reset,
        extra={"limit": verdict.limit},
    )
