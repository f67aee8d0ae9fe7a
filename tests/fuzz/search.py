"""One search: `python -m tests.fuzz.search TARGET CORPUS [libFuzzer's options]`, in a process that the fuzzer takes over."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import atheris

# Our own code is watched, so that inputs which reach more of it are kept.
with atheris.instrument_imports(include=["gateway", "process", "server"]):
    from tests.fuzz.__main__ import plant
    from tests.fuzz.targets import TARGETS


def main() -> None:
    """Search until libFuzzer ends the process."""
    warnings.simplefilter("ignore")
    name, corpus = sys.argv[1:3]
    plant(name, Path(corpus))
    atheris.Setup([sys.argv[0], corpus, *sys.argv[3:]], TARGETS[name].run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
