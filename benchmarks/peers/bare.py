"""The ceiling: aiohttp reads the body and answers fixed bytes. Nothing is decoded, checked or encoded."""

from __future__ import annotations

import json

from aiohttp import web

from benchmarks.peers.canned import WORKLOADS, Workload
from benchmarks.peers.serving import port_options, serve


def route(workload: Workload) -> web.RouteDef:
    """A route that answers ``workload``."""
    answer = json.dumps(workload.answer, separators=(",", ":")).encode()

    async def handle(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=answer, content_type="application/json")

    return web.post(workload.path, handle)


if __name__ == "__main__":
    application = web.Application()
    application.add_routes(map(route, WORKLOADS))
    serve(application, port_options("port").port)
