"""The gRPC server behind Envoy and behind the naive gateway: grpc.aio, answering from `canned`."""

from __future__ import annotations

from typing import Any

import grpc.aio
import uvloop
from google.protobuf.message import Message
from quotewright.v1 import quote_pb2, sourcing_pb2

from benchmarks.peers.canned import DRAFT, PRICES
from benchmarks.peers.serving import port_options


def handler(request: type[Message], answer: Message) -> grpc.RpcMethodHandler[Any, Any]:
    """A method that decodes a ``request`` and encodes ``answer``."""

    async def respond(_request: Message, _context: object) -> Message:
        return answer

    return grpc.unary_unary_rpc_method_handler(
        respond, request_deserializer=request.FromString, response_serializer=type(answer).SerializeToString
    )


async def serve(port: int) -> None:
    """Serve on loopback until the process is told to stop."""
    sourcing = {"FindPrices": handler(sourcing_pb2.FindPricesRequest, PRICES)}
    quotes = {"GenerateQuote": handler(quote_pb2.GenerateQuoteRequest, DRAFT)}
    server = grpc.aio.server(options=[("grpc.optimization_target", "throughput")])
    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler("quotewright.v1.SourcingService", sourcing),
            grpc.method_handlers_generic_handler("quotewright.v1.QuoteService", quotes),
        )
    )
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    uvloop.run(serve(port_options("port").port))
