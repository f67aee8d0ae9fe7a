"""Compare ways to answer the same requests, side by side: ``python -m benchmarks``.

All contenders are up at once; each round gives every contender a slice of a few seconds under each workload, in an
order that turns from round to round, so that what else the machine does falls on all alike. Read the ratios: the
figures themselves swing with the machine. Everything runs on loopback and is stopped at the end, by process id.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime

from benchmarks import codec
from benchmarks.contenders import BARE, CONTENDERS, GOALS, OURS, Contender
from benchmarks.load import GRACE, Load, Result
from benchmarks.peers.canned import WORKLOADS, Workload
from benchmarks.processes import Running, free_ports
from benchmarks.report import Slice, conditions, ratios, table

WARM_UP_SECONDS = 1.0


def main() -> None:
    """Run the comparison and print what it found. A contender that fails ends it; a goal that is missed does not."""
    options = _options()
    # By default the signal would end this process at once and leave those it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    contenders = [contender for contender in CONTENDERS if not _skipped(contender)]
    settings = f"{options.rounds} slices of {options.seconds:g} s each, {options.connections} connections"
    print(conditions(datetime.now(UTC), settings), flush=True)
    with ExitStack() as stack:
        ports = iter(free_ports(2 * len(contenders)))
        running = [Running(contender, next(ports), next(ports)) for contender in contenders]
        for one in running:
            stack.callback(one.stop)
            one.start()
        for one in running:
            one.wait_until_ready(WORKLOADS)
        slices = list(_slices(running, options.rounds, options.seconds, options.connections))
    print("", table(slices), "", sep="\n")
    reference = OURS if any(contender.name == OURS for contender in contenders) else BARE
    print(ratios(slices, reference, GOALS if reference == OURS else {}))
    print("\ncodec beside json_format:", flush=True)
    codec.main()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="slices of each contender under each workload")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a slice")
    parser.add_argument("--connections", type=int, default=32, help="connections kept busy at once")
    options = parser.parse_args()
    if not 1 <= options.rounds <= 100 or not 0 < options.seconds <= 60 or not 1 <= options.connections <= 256:
        parser.error("1 to 100 rounds, at most 60 seconds, 1 to 256 connections")
    return options


def _skipped(contender: Contender) -> bool:
    """Say so where ``contender`` cannot take part."""
    missing = contender.missing()
    if missing:
        print(f"skipped: {contender.name} (no module {missing})", flush=True)
    return bool(missing)


def _slices(running: Sequence[Running], rounds: int, seconds: float, connections: int) -> Iterator[Slice]:
    for workload in WORKLOADS:
        for one in running:
            _send(one, workload, WARM_UP_SECONDS, connections)
        for turn in range(rounds):
            first = turn % len(running)
            for one in (*running[first:], *running[:first]):
                yield _slice(one, workload, seconds, connections)


def _slice(one: Running, workload: Workload, seconds: float, connections: int) -> Slice:
    before = one.cpu_seconds()
    result = _send(one, workload, seconds, connections)
    cpu = one.cpu_seconds() - before
    one.check_alive()
    return Slice(
        contender=one.contender.name,
        workload=workload.name,
        requests_per_second=result.requests / result.seconds,
        cpu_us=cpu / result.requests * 1e6,
        p50_ms=result.p50_ms,
        p99_ms=result.p99_ms,
    )


def _send(one: Running, workload: Workload, seconds: float, connections: int) -> Result:
    """Run the load generator. Raises ``RuntimeError`` with what it complained of, for instance a wrong answer."""
    load = Load(one.port, workload.path, workload.body.decode(), connections, seconds, one.contender.headers)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"],
        input=json.dumps(asdict(load)),
        capture_output=True,
        check=False,
        text=True,
        timeout=seconds + 2 * GRACE,
    )
    if done.returncode:
        raise RuntimeError(f"{one.contender.name}, {workload.name}: {done.stderr.strip()[-2000:]}")
    return Result(**json.loads(done.stdout))


if __name__ == "__main__":
    main()
