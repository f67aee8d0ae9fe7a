"""The server's composition root: store, engines, servicers, the chain in front of them, and the gRPC port."""

from __future__ import annotations

import asyncio
import contextlib
import time
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_address
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from quotewright.contract import FILES

from process import channel_tls, contract, wire
from process.channel_tls import ChannelFiles
from process.clock import now_us
from process.contract import ContractError, Rpc
from process.log import Log
from process.settings import SettingsError
from process.telemetry import Telemetry
from process.usage import WRITTEN_EVERY
from server import api_keys, engines, faults, language_model
from server.authentication import Authenticator
from server.config import ServerConfig
from server.domain.proofreading.profiles import REGIONS
from server.domain.proofreading.proofreader import Proofreader
from server.domain.settings import PricingSettings
from server.expiry import Expiry
from server.extraction.extractor import Extractor
from server.faults import Fault
from server.housekeeping import Step, tidy
from server.importing import Importer
from server.intake import intake_version
from server.interceptors import DEADLINE_DEFAULT, Call, Chain, Handler, logged, traced
from server.keys import gateway_secret
from server.languagetool import LanguageToolMissingError
from server.links import Signer
from server.mail.letters import Letters
from server.metrics import DraftMetrics, show_expiry, show_store
from server.outgoing import Delivery, sender_address
from server.passwords import Passwords
from server.proofreading import proofreader_version, shared_proofreader
from server.rpc.account import AccountService
from server.rpc.books import Books
from server.rpc.company import CompanyService
from server.rpc.customer import CustomerService
from server.rpc.customer_link import CustomerLinkService
from server.rpc.document import DocumentService
from server.rpc.gate import POLL_EVERY, GateService, Revocations
from server.rpc.key import KeyService
from server.rpc.lead import LeadService
from server.rpc.organizations import Organizations
from server.rpc.price_book import PriceBookService
from server.rpc.pricing import PricingService
from server.rpc.quote import QuoteService
from server.rpc.revision import RevisionService
from server.rpc.sending import Sending
from server.rpc.settings import SettingsService
from server.rpc.sourcing import SourcingService
from server.rpc.template import TemplateService
from server.rpc.usage import UsageService
from server.rpc.webhook import WebhookService
from server.rpc.workflow import WorkflowService
from server.rpc.workspace import WorkspaceService
from server.rpc.writing_assist import WritingAssistService
from server.store import accounts, idempotency, mail, members, outbox, price_book, usage
from server.store.database import Store, StoreBusyError, StoreClosedError

HOUSEKEEPING_EVERY = 30.0  # seconds
LOAD_PROOFREADER_AFTER = 1.0  # seconds
#: The store's writer is asked whether it gets through when it has not for so long; after `STUCK_AFTER` the server says
#: that it is not ready. Seconds.
PING_EVERY = 1.0
STUCK_AFTER = 3.0
#: A server that has not read its store for so long tells gateways to call others; load alone takes less. Seconds.
UNREAD_AFTER = 5.0
#: How long a server that is told to stop still takes calls of its gateways, which hear of it at once. Seconds.
LEFT_WITHIN = 0.3
#: Connections to the gRPC port are made anew after this time, in seconds, so that gateways find servers that a name has
#: got since; what is under way on the old one may go on for as long again.
CONNECTIONS_LAST = 600.0


class Server:
    """A running server. `call` and `stream` serve a gateway in the same process; the port serves everybody else."""

    def __init__(
        self, config: ServerConfig, log: Log, telemetry: Telemetry, channel_files: ChannelFiles | None = None
    ) -> None:
        self.config = config
        self._channel_files = channel_files
        if not (channel_files or config.grpc_plaintext or _is_loopback(config.grpc_host)):
            raise SettingsError(
                f"QW_GRPC_HOST={config.grpc_host} is beyond loopback: set QW_GRPC_TLS, or QW_GRPC_PLAINTEXT=true"
            )
        self.log = log
        self.telemetry = telemetry
        self.port = 0
        #: The secret that gateways of this server know.
        self.secret = gateway_secret(config.gateway_secret, config.data_dir)
        self.links = Signer(self.secret.encode())
        self.store = Store(config.database, config.database_replica)
        show_store(telemetry.registry, self.store)
        self._expiry = Expiry(self.store, config.public_url, log)
        show_expiry(telemetry.registry, self._expiry)
        telemetry.readiness.add("store", self._store_gets_through)
        self.threads = ThreadPoolExecutor(config.drafting_threads, "drafting")
        self.importer = Importer(self.store, log)
        self.model = language_model.configured(
            config.llm_base_url, config.llm_model, config.llm_api_key, config.llm_seconds
        )
        self.extractor = Extractor(config.document_seconds, config.document_memory_mib, config.document_workers)
        self.documents = DocumentService(self.store, self.extractor, self.threads, log)
        self.delivery = Delivery(config, self.store, log, telemetry.registry)
        authenticator = Authenticator(self.store, self.secret.encode(), self.links, now_us)
        self._used_keys = authenticator.used_keys
        self.passwords = Passwords()
        self.revocations = Revocations(self.store, log)
        servicers = {
            **self.engines(),
            "quotewright.v1.CustomerService": CustomerService(self.store),
            "quotewright.v1.WebhookService": WebhookService(
                self.store, self.delivery.vault, self.delivery.egress, self.delivery.sender, now_us
            ),
            "quotewright.v1.AccountService": AccountService(self.store, self.passwords, now_us),
            "quotewright.v1.KeyService": KeyService(self.store, self._used_keys, now_us),
            "quotewright.v1.WorkspaceService": WorkspaceService(
                self.store, Letters(sender_address(config)), config.public_url, now_us
            ),
            "quotewright.v1.GateService": GateService(self.store, authenticator, self.revocations, now_us),
        }
        self.rpcs = {rpc.path: rpc for rpc in contract.rpcs(FILES)}
        self._chain = Chain(authenticator, log, telemetry.registry)
        self._handlers = {rpc.path: self._chain.before(rpc, servicer) for rpc, servicer in _bound(self.rpcs, servicers)}
        #: For the gateway in the same process.
        self._inner = self._handlers
        if telemetry.tracer.exports:
            self._inner = {
                path: traced(handler, telemetry.tracer, internal=True) for path, handler in self._handlers.items()
            }
        self._health = health.aio.HealthServicer()  # type: ignore[attr-defined]  # the stubs lack it
        self._grpc: grpc.aio.Server | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def engines(self) -> dict[str, object]:
        """The servicers that do the product's work, by service."""
        embedded = engines.embedded()
        organizations = Organizations(self.store)
        books = Books(self.store)
        config = self.config
        try:
            version = proofreader_version(config.language_tool)
        except LanguageToolMissingError as error:
            raise SettingsError(f"QW_LANGUAGE_TOOL: {error}") from None
        quotes = QuoteService(
            self.store,
            organizations,
            books,
            engines.drafter(),
            self.model,
            self.threads,
            config.public_url,
            now,
            DraftMetrics(self.telemetry.registry),
            Sending(
                self.store,
                organizations,
                self.links,
                Letters(sender_address(config)),
                self.threads,
                config.public_url,
                now,
            ),
            {one.dataset_id: one.url for one in embedded.catalogue.datasets.values() if one.url},
        )
        return {
            "quotewright.v1.CompanyService": CompanyService(
                config.company_name,
                config.environment,
                config.support_email,
                config.public_url,
                PricingSettings().currency,
                embedded.catalogue,
                sorted(REGIONS),
            ),
            "quotewright.v1.CustomerLinkService": CustomerLinkService(
                self.store, organizations, self.links, config.public_url
            ),
            "quotewright.v1.DocumentService": self.documents,
            "quotewright.v1.LeadService": LeadService(
                self.store, organizations, self.threads, embedded.catalogue, embedded.gazetteer
            ),
            "quotewright.v1.PriceBookService": PriceBookService(
                self.store, organizations, books, self.importer, self.threads, now
            ),
            "quotewright.v1.PricingService": PricingService(
                self.store, organizations, self.threads, embedded.catalogue, embedded.gazetteer
            ),
            "quotewright.v1.QuoteService": quotes,
            "quotewright.v1.RevisionService": RevisionService(
                self.store, organizations, quotes.redraft, config.public_url, now
            ),
            "quotewright.v1.SettingsService": SettingsService(self.store, self.threads),
            "quotewright.v1.TemplateService": TemplateService(self.store),
            "quotewright.v1.UsageService": UsageService(self.store, organizations, now),
            "quotewright.v1.SourcingService": SourcingService(
                organizations, books, self.threads, engines.price_search(), embedded.gazetteer, now
            ),
            "quotewright.v1.WorkflowService": WorkflowService(self.store, config.public_url),
            "quotewright.v1.WritingAssistService": WritingAssistService(
                self.store,
                organizations,
                engines.reader(),
                intake_version(embedded),
                self._proofreader,
                version,
                embedded.gazetteer,
                self.threads,
                now,
            ),
        }

    async def start(self) -> None:
        """Follow revocations and open the gRPC port. Raises `OSError` where the port is taken."""
        self.store.listen(self.log)
        await self.revocations.start()
        background = (self._keep_house(), self._watch_store(), self._load_proofreader(), self._keep_usage())
        self._tasks = [asyncio.create_task(task) for task in background]
        if self.config.webhook_worker:
            self.delivery.start()
        server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", wire.LARGEST_MESSAGE),
                ("grpc.max_send_message_length", wire.LARGEST_MESSAGE),
                ("grpc.so_reuseport", 0),
                ("grpc.keepalive_time_ms", 30_000),
                ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
                ("grpc.max_connection_age_ms", int(CONNECTIONS_LAST * 1000)),
                ("grpc.max_connection_age_grace_ms", int(CONNECTIONS_LAST * 1000)),
            ]
        )
        for service in sorted({rpc.service for rpc in self.rpcs.values()}):
            server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(service, self._method_handlers(service)),)
            )
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        await self._health.set("", health_pb2.HealthCheckResponse.SERVING)
        if self.config.grpc_reflection:
            names = sorted({rpc.service for rpc in self.rpcs.values()})
            reflection.enable_server_reflection((*names, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
        try:
            self.port = self._open_port(server)
        except RuntimeError as error:
            raise OSError(f"the gRPC port {self.config.grpc_port} cannot be opened") from error
        await server.start()
        self._grpc = server

    def _open_port(self, server: grpc.aio.Server) -> int:
        """Open it, with mutual TLS or without. Raises `SettingsError` where the files do not fit."""
        config = self.config
        where = f"[{config.grpc_host}]" if ":" in config.grpc_host else config.grpc_host
        if self._channel_files is not None:
            try:
                credentials = channel_tls.server_credentials(self._channel_files)
            except (OSError, ValueError) as error:
                raise SettingsError(f"QW_GRPC_TLS: {error}") from None
            return server.add_secure_port(f"{where}:{config.grpc_port}", credentials)
        return server.add_insecure_port(f"{where}:{config.grpc_port}")

    def _store_gets_through(self) -> bool:
        return time.monotonic() - self.store.committed_at < STUCK_AFTER

    def _serves_gateways(self) -> bool:
        """Not whether it can write: where it cannot, the others cannot either, and what reads goes on."""
        return time.monotonic() - self.revocations.read_at < UNREAD_AFTER

    async def _watch_store(self) -> None:
        """Keep knowing whether the store can be written, also while nobody writes, and say over gRPC whether it can be
        written, and for gateways whether it can be read."""
        statuses = health_pb2.HealthCheckResponse
        told: dict[str, int] = {}
        while True:
            if time.monotonic() - self.store.committed_at >= PING_EVERY:
                try:
                    async with asyncio.timeout(PING_EVERY):
                        await self.store.ping()
                except (StoreBusyError, StoreClosedError, TimeoutError):
                    pass
                except Exception:  # noqa: BLE001 - it says so by not being ready, and goes on asking
                    self.log("defect", task="ping", trace=traceback.format_exc())
            for name in ("", *{rpc.service for rpc in self.rpcs.values()}):
                holds = self._serves_gateways() if name == wire.HEALTH_OF_GATE else self._store_gets_through()
                status = statuses.SERVING if holds else statuses.NOT_SERVING
                if told.get(name, statuses.SERVING) != status:
                    told[name] = status
                    await self._health.set(name, status)
            # Soon again where something is wrong: whoever waits for it should not wait longer.
            await asyncio.sleep(PING_EVERY if statuses.NOT_SERVING not in told.values() else POLL_EVERY)

    def _proofreader(self) -> Proofreader:
        return shared_proofreader(self.config.language_tool)

    async def _load_proofreader(self) -> None:
        """Have the proofreader ready for the first text, a second after everything else is: who asks before waits for
        it. Processes that live shorter are spared its start."""
        await asyncio.sleep(LOAD_PROOFREADER_AFTER)
        began = time.monotonic()
        await asyncio.get_running_loop().run_in_executor(self.threads, self._proofreader)
        self.log("proofreader", seconds=round(time.monotonic() - began, 3))

    async def _keep_usage(self) -> None:
        """Write down what was used without a gateway."""
        while True:
            await asyncio.sleep(WRITTEN_EVERY)
            await self._write_usage()

    async def _write_usage(self) -> None:
        counts = self._chain.usage.take()
        if counts:
            try:
                # A stop in between must not take back what is on its way.
                await asyncio.shield(self.store.write(lambda: usage.add(counts)))
            except StoreBusyError as error:
                self._chain.usage.give_back(counts)
                self.log("usage_put_off", message=str(error))
            except Exception:  # noqa: BLE001 - nothing was written, and the next ones must be
                self._chain.usage.give_back(counts)
                self.log("defect", task="usage", trace=traceback.format_exc())

    async def _keep_house(self) -> None:
        """Delete what has outlived its use, a little at a time."""
        while True:
            await asyncio.sleep(HOUSEKEEPING_EVERY)
            await tidy(self._steps(now_us()), self.log)

    def _steps(self, at: int) -> tuple[Step, ...]:
        """A round of the housekeeping. Rows that come with every request are swept as fast as they come: more often
        than once a round, where there are many."""

        def step(name: str, work: Callable[[], int | None], most: int = 0) -> Step:
            return Step(name, lambda: self.store.write(work), most)

        def some(name: str, most: int, work: Callable[[int], int]) -> Step:
            return step(name, lambda: work(most), most)

        return (
            some("idempotency", 500, lambda most: idempotency.sweep(at, most)),
            Step("expiry", lambda: self._expiry.turn(now().date(), at, 100), 100),
            Step("last_used", lambda: api_keys.write_down_use(self.store, self._used_keys)),
            step("sign_in_attempts", lambda: members.sweep_attempts(at)),
            some("events", 2000, lambda most: outbox.sweep(at, most)),
            some("mail", 500, lambda most: mail.sweep(at, most)),
            step("usage", lambda: usage.sweep(at)),
            step("revocations", lambda: accounts.sweep_revocations(at - idempotency.KEPT_FOR)),
            step("silent_imports", lambda: price_book.give_up_silent(at)),
            step("import_files", lambda: price_book.forget_files(at)),
            # The rest of an import may be few: it goes on while there is any.
            step("staged_prices", price_book.sweep, 1),
        )

    async def stop(self, grace: float = 10.0) -> None:
        """Take no new calls, let those in flight end for at most ``grace`` seconds, then close the store."""
        await self._health.enter_graceful_shutdown()
        if self._grpc is not None and self.revocations.heard:
            # Gateways have been told to call another server; calls that are on their way here still find this one.
            await asyncio.sleep(LEFT_WITHIN)
        for task in self._tasks:
            task.cancel()
        ended = asyncio.create_task(self._chain.in_flight.close())
        await self.revocations.stop()
        if self._grpc is not None:
            await self._grpc.stop(grace)
        try:
            async with asyncio.timeout(grace):
                await ended
        except TimeoutError:
            self.log("stop", in_flight=len(self._chain.in_flight))
        self.passwords.stop()
        with contextlib.suppress(StoreBusyError):
            await api_keys.write_down_use(self.store, self._used_keys)
        await self._write_usage()
        await self.delivery.stop()
        if self.model is not None:
            await self.model.close()
        await self.documents.stop()
        self.extractor.stop()
        await self.store.stop_listening()
        self.threads.shutdown(cancel_futures=True)
        await asyncio.get_running_loop().run_in_executor(None, self.importer.stop)
        await asyncio.get_running_loop().run_in_executor(None, self.store.close)

    async def call(
        self, path: str, request: Message, metadata: Mapping[str, str | bytes], timeout: float
    ) -> tuple[Message | status_pb2.Status, Mapping[str, str]]:
        """One unary call from the same process: the response, or the status in its place, and the metadata."""
        call = Call(self.rpcs[path], metadata, time.monotonic() + timeout)
        # Of our own gateway, which has read or made it: not read a second time.
        call.request_id = call.text("x-request-id")
        try:
            response: Message = await self._inner[path](request, call)  # type: ignore[assignment]
        except Fault as fault:
            return fault.to_status(), call.reply_metadata
        return response, call.reply_metadata

    async def stream(
        self, path: str, request: Message, metadata: Mapping[str, str | bytes]
    ) -> AsyncGenerator[Message | status_pb2.Status, None]:
        """One streaming call from the same process: its messages, and a status at the end if it fails."""
        call = Call(self.rpcs[path], metadata, time.monotonic() + DEADLINE_DEFAULT)
        try:
            messages: Any = await self._inner[path](request, call)
            async with contextlib.aclosing(messages):
                async for message in messages:
                    yield message
        except Fault as fault:
            yield fault.to_status()

    def _method_handlers(self, service: str) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
        handlers = {}
        for rpc in self.rpcs.values():
            if rpc.service == service:
                make = grpc.unary_stream_rpc_method_handler if rpc.streaming else grpc.unary_unary_rpc_method_handler
                behaviour = self._port_stream(rpc) if rpc.streaming else self._port_unary(rpc)
                handlers[rpc.name] = make(
                    behaviour,
                    request_deserializer=partial(_decoded, rpc),
                    response_serializer=rpc.response_class.SerializeToString,
                )
        return handlers

    def _port_unary(self, rpc: Rpc):  # type: ignore[no-untyped-def]  # grpc has no type for it
        handler = logged(traced(self._handlers[rpc.path], self.telemetry.tracer), self.log)

        async def behave(received: Message | DecodeError, context: grpc.aio.ServicerContext[Any, Any]) -> Message:
            request, call = _received(rpc, received, context)
            try:
                response: Message = await handler(request, call)  # type: ignore[assignment]
            except Fault as fault:
                await _abort(context, call, fault)
            context.set_trailing_metadata(tuple(call.reply_metadata.items()))
            return response

        return behave

    def _port_stream(self, rpc: Rpc):  # type: ignore[no-untyped-def]
        handler = logged(traced(self._handlers[rpc.path], self.telemetry.tracer), self.log)

        async def behave(
            received: Message | DecodeError, context: grpc.aio.ServicerContext[Any, Any]
        ) -> AsyncIterator[Message]:
            request, call = _received(rpc, received, context)
            try:
                async for message in await handler(request, call):  # type: ignore[attr-defined]
                    yield message
            except Fault as fault:
                await _abort(context, call, fault)

        return behave


def now() -> datetime:
    """The time, UTC: the one clock that servicers are given."""
    return datetime.now(UTC)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _bound(rpcs: Mapping[str, Rpc], servicers: Mapping[str, object]) -> list[tuple[Rpc, Handler]]:
    """Each RPC with its servicer's method. A method without an RPC is a mistake; an RPC without a method says so when
    called."""
    names = {(rpc.service, rpc.name) for rpc in rpcs.values()}
    for service, servicer in servicers.items():
        for name in vars(type(servicer)):
            if name[0].isupper() and (service, name) not in names:
                raise ContractError(f"{type(servicer).__name__}.{name} is no RPC of {service}")
    return [(rpc, getattr(servicers.get(rpc.service), rpc.name, _unimplemented)) for rpc in rpcs.values()]


async def _unimplemented(_request: Message, call: Call) -> Message:
    raise faults.unimplemented(call.rpc.name)


def _decoded(rpc: Rpc, data: bytes) -> Message | DecodeError:
    """The message, or why there is none: grpc itself would answer an error raised here, without the chain."""
    try:
        return rpc.request_class.FromString(data)
    except DecodeError as error:
        return error


def _received(
    rpc: Rpc, received: Message | DecodeError, context: grpc.aio.ServicerContext[Any, Any]
) -> tuple[Message, Call]:
    """A message that came by the port, with its call."""
    remaining = context.time_remaining()
    timeout = DEADLINE_DEFAULT if remaining is None else remaining
    pairs = tuple(context.invocation_metadata() or ())
    keys = [key for key, _ in pairs]
    repeated = tuple(name for name in wire.SINGLE if keys.count(name.lower()) > 1)
    call = Call(rpc, dict(pairs), time.monotonic() + timeout, repeated=repeated)
    if isinstance(received, DecodeError):
        call.undecodable = True
        return rpc.request_class(), call
    return received, call


async def _abort(context: grpc.aio.ServicerContext[Any, Any], call: Call, fault: Fault) -> None:
    context.set_trailing_metadata(
        (*call.reply_metadata.items(), (wire.STATUS_DETAILS, fault.to_status().SerializeToString()))
    )
    await context.abort(fault.code, fault.message)
