"""What slow sockets cost everybody else: ``python -m benchmarks.slow_sockets``.

The gateway answers the same load with and without 400 sockets beside it that begin a request and never end it, in
alternating slices. Read the ratio of the p99s; it is to stay below 2. Everything runs on loopback and is bounded in
time.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from statistics import median

from benchmarks.contenders import CONTENDERS, OURS
from benchmarks.load import GRACE, Load, Result
from benchmarks.peers.canned import WORKLOADS
from benchmarks.processes import Running, free_ports
from benchmarks.report import conditions

SLOW = 400
HALF_A_REQUEST = b"POST /api/v1/sourcing/price HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


def main() -> None:
    """Run the comparison and print what it found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slow_sockets", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    contender = next(one for one in CONTENDERS if one.name == OURS)
    workload = WORKLOADS[0]
    with ExitStack() as stack:
        port, backend_port = free_ports(2)
        running = Running(contender, port, backend_port)
        stack.callback(running.stop)
        running.start()
        running.wait_until_ready([workload])
        load = Load(
            port, workload.path, workload.body.decode(), options.connections, options.seconds, contender.headers
        )
        _send(load)
        quiet, slow = [], []
        for _ in range(options.rounds):
            quiet.append(_send(load))
            with _slow_sockets(port):
                slow.append(_send(load))
    settings = f"{options.rounds} slices of {options.seconds:g} s each, {options.connections} connections"
    print(conditions(datetime.now(UTC), settings))
    ratios = sorted(beside.p99_ms / alone.p99_ms for alone, beside in zip(quiet, slow, strict=True))
    for name, results in (("alone", quiet), (f"beside {SLOW} slow sockets", slow)):
        print(f"{name}: p50 {median(r.p50_ms for r in results):.2f} ms, p99 {median(r.p99_ms for r in results):.2f} ms")
    print(f"p99, ratio: {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


@contextmanager
def _slow_sockets(port: int) -> Iterator[None]:
    with ExitStack() as stack:
        for number in range(SLOW):
            # From two addresses, as one may not have so many.
            source = (f"127.0.0.{2 + number % 2}", 0)
            one = stack.enter_context(closing(socket.create_connection(("127.0.0.1", port), GRACE, source)))
            one.sendall(HALF_A_REQUEST)
        time.sleep(0.1)
        yield


def _send(load: Load) -> Result:
    """Run the load generator. Raises ``RuntimeError`` with what it complained of."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"],
        input=json.dumps(asdict(load)),
        capture_output=True,
        check=False,
        text=True,
        timeout=load.seconds + 2 * GRACE,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-2000:])
    return Result(**json.loads(done.stdout))


if __name__ == "__main__":
    main()
