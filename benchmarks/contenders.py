"""Who takes part: each contender is one ``Contender``. Add one to `CONTENDERS` to compare with it."""

from __future__ import annotations

import importlib.util
import random
import sys
from dataclasses import dataclass, field

from server.domain import credentials
from server.domain.credentials import CredentialKind

_PYTHON = (sys.executable, "-m")
#: The key with which ours is called: made from a fixed seed, valid only in the store that the contender makes.
KEY = credentials.make(CredentialKind.LIVE, random.Random(20261121).randrange)


@dataclass(frozen=True, slots=True)
class Contender:
    """Processes that together answer the workloads over HTTP on one port.

    In ``commands``, ``{port}`` stands for that port and ``{backend}`` for one that the processes share among
    themselves. It is ready when it gives the right answer to every workload. ``headers`` go with each request.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    #: Modules without which it is left out.
    needs: tuple[str, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)
    #: Workloads whose answer it gives as a member of another object, and that member's name.
    envelopes: dict[str, str] = field(default_factory=dict)

    def missing(self) -> str:
        """The first module that it needs and this environment lacks, or nothing."""
        return next((module for module in self.needs if importlib.util.find_spec(module) is None), "")


_BACKEND = (*_PYTHON, "benchmarks.peers.backend", "--port", "{backend}")
_FASTAPI = (*_PYTHON, "benchmarks.peers.fast_api", "--port", "{port}")

OURS = "ours, in one process"
ENVOY = "Envoy + grpc.aio"
NAIVE = "naive gateway + grpc.aio"
FASTAPI = "FastAPI, uvicorn h11"
FASTAPI_HTTPTOOLS = "FastAPI, uvicorn httptools"
BARE = "bare aiohttp (ceiling)"

CONTENDERS = (
    Contender(
        OURS,
        ((*_PYTHON, "benchmarks.peers.ours", "--port", "{port}"),),
        needs=("benchmarks.peers.ours",),
        headers={"X-API-Key": KEY, "X-Forwarded-Proto": "https"},
    ),
    Contender(
        ENVOY,
        (_BACKEND, (*_PYTHON, "benchmarks.peers.envoy_proxy", "--port", "{port}", "--backend", "{backend}")),
        needs=("envoy",),
        envelopes={"quote": "quote"},
    ),
    Contender(
        NAIVE,
        (_BACKEND, (*_PYTHON, "benchmarks.peers.naive", "--port", "{port}", "--backend", "{backend}")),
    ),
    Contender(
        FASTAPI,
        ((*_FASTAPI, "--parser", "h11"),),
        needs=("fastapi", "uvicorn"),
    ),
    Contender(
        FASTAPI_HTTPTOOLS,
        ((*_FASTAPI, "--parser", "httptools"),),
        needs=("fastapi", "uvicorn", "httptools"),
    ),
    Contender(BARE, ((*_PYTHON, "benchmarks.peers.bare", "--port", "{port}"),)),
)

#: (workload, peer) to what the CPU per request of the peer over ours has to reach.
GOALS = {
    ("price", ENVOY): 4.0,
    ("quote", ENVOY): 2.0,
    ("price", FASTAPI): 1.8,
    ("quote", FASTAPI): 1.05,
    ("price", BARE): 0.5,
}
