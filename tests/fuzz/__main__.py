"""`make fuzz`: searches each target for FUZZ_SECONDS with atheris (coverage-guided, libFuzzer), each in a process of
its own with an end to its memory and to the time of one input.

`python -m tests.fuzz [--seconds N] [TARGET …]`. What was found interesting stays in var/fuzz/TARGET and is begun from the
next time; what breaks a promise is in var/fuzz/TARGET.found, and the exit status is 1. Such an input becomes a seed or a
test beside the code that is mended.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from pathlib import Path

FOLDER = Path("var/fuzz")
#: Of one process, in MiB, and of one input, in seconds.
MEMORY, LONGEST = 2048, 10


def main() -> int:
    """Search the targets that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=int, default=30)
    given = parser.parse_args()
    names = given.targets or [*_names()]
    broken = [name for name in names if not _search(name, given.seconds)]
    print(f"{len(names)} targets, {given.seconds} s each; broken: {', '.join(broken) or 'none'}")
    return bool(broken)


def _names() -> list[str]:
    from tests.fuzz.targets import TARGETS

    return list(TARGETS)


def _search(name: str, seconds: int) -> bool:
    """Whether all promises held."""
    corpus, found = FOLDER / name, FOLDER / f"{name}.found"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    command = [
        *(sys.executable, "-m", "tests.fuzz.search", name, str(corpus)),
        *(f"-max_total_time={seconds}", f"-timeout={LONGEST}", f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={found}/"),
        *("-max_len=8192", "-print_final_stats=1", "-verbosity=0"),
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=seconds + 180
        )
    except subprocess.TimeoutExpired:
        print(f"{name}: BROKEN, the search did not end", flush=True)
        return False
    said = done.stdout + done.stderr
    runs = next((line.split()[-1] for line in said.splitlines() if "number_of_executed_units" in line), "?")
    print(f"{name}: {runs} inputs, {'held' if done.returncode == 0 else 'BROKEN'}", flush=True)
    if done.returncode:
        print(said[-4000:])
    return done.returncode == 0


def plant(name: str, corpus: Path) -> None:
    """Put the seeds of a target into its corpus."""
    from tests.fuzz.targets import TARGETS

    for seed in TARGETS[name].seeds():
        (corpus / hashlib.sha256(seed).hexdigest()[:24]).write_bytes(seed)


if __name__ == "__main__":
    sys.exit(main())
