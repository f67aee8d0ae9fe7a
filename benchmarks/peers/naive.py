"""The gateway one writes first: aiohttp, protobuf's json_format, and a channel to the gRPC server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc.aio
from aiohttp import web
from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message import Message
from quotewright.v1 import quote_pb2, quote_pb2_grpc, sourcing_pb2, sourcing_pb2_grpc

from benchmarks.peers.serving import port_options, serve

SOURCING = web.AppKey("sourcing", sourcing_pb2_grpc.SourcingServiceStub)
QUOTES = web.AppKey("quotes", quote_pb2_grpc.QuoteServiceStub)


def answer(message: Message) -> web.Response:
    """``message`` as the API shows it."""
    text = MessageToJson(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, indent=None
    )
    return web.Response(text=text, content_type="application/json")


async def find_prices(request: web.Request) -> web.Response:
    """POST /api/v1/sourcing/price."""
    message = Parse(await request.text(), sourcing_pb2.FindPricesRequest())
    return answer(await request.app[SOURCING].FindPrices(message))


async def generate_quote(request: web.Request) -> web.Response:
    """POST /api/v1/quotes/generate."""
    message = Parse(await request.text(), quote_pb2.GenerateQuoteRequest())
    return answer((await request.app[QUOTES].GenerateQuote(message)).quote)


def application(backend_port: int) -> web.Application:
    """The gateway before the gRPC server on ``backend_port``."""

    async def connect(app: web.Application) -> AsyncIterator[None]:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{backend_port}") as channel:
            app[SOURCING] = sourcing_pb2_grpc.SourcingServiceStub(channel)
            app[QUOTES] = quote_pb2_grpc.QuoteServiceStub(channel)
            yield

    app = web.Application()
    app.cleanup_ctx.append(connect)
    app.add_routes(
        [web.post("/api/v1/sourcing/price", find_prices), web.post("/api/v1/quotes/generate", generate_quote)]
    )
    return app


if __name__ == "__main__":
    options = port_options("port", "backend")
    serve(application(options.backend), options.port)
