"""Generate a client of every kind from the contract: `make clients`.

What is generated is not committed: it follows from `generated/openapi.json`, `generated/descriptors.binpb` and the pins
of `requirements.lock` and `tests/clients/package-lock.json`. The Python stubs for gRPC are in `generated/` already. The
programs of `docs/clients.md` are put beside the clients, so that what is shown is what is compiled and run.

Usage: python -m tools.contract.clients
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from google.protobuf import any_pb2, descriptor_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from tools.contract.image import ROOT

FOLDER = ROOT / "tests" / "clients"
OPENAPI = ROOT / "generated" / "openapi.json"
DESCRIPTORS = ROOT / "generated" / "descriptors.binpb"
#: Where the programs of the manual import their client from.
PYTHON = FOLDER / "generated" / "python"
TYPESCRIPT = FOLDER / "generated" / "typescript"
#: What Node runs (`outDir` of tsconfig.json), with the folders of the sources.
JAVASCRIPT = FOLDER / "generated" / "build"

_PROGRAM = re.compile(r"^```(?:python|ts) (\w+\.(?:py|ts))\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class GenerationError(Exception):
    """A generator, or what it needs, failed; the message is what it said."""


def programs() -> dict[str, str]:
    """File name → text of the programs in `docs/clients.md`: the code blocks that have a name."""
    return dict(_PROGRAM.findall((ROOT / "docs" / "clients.md").read_text("utf-8")))


def install() -> None:
    """Put the packages of `package-lock.json` into `node_modules`, where they are not there already."""
    if shutil.which("npm") is None:
        raise GenerationError("The clients in TypeScript need Node 18 or later with npm.")
    stamp = FOLDER / "node_modules" / ".installed"
    wanted = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        _run("npm", "ci", "--loglevel=error")
        stamp.write_text(wanted)


def generate_python() -> None:
    """Write the Python client and its programs anew. Raises `GenerationError`."""
    _empty(PYTHON)
    # What it has no form for it leaves out, and goes on; the tests say which operations must be there.
    _run(
        *("openapi-python-client", "generate", "--meta", "none", "--config", "openapi-python-client.yaml"),
        *("--path", str(OPENAPI), "--output-path", str(PYTHON / "quotewright_client")),
    )
    _write_programs(PYTHON, ".py")


def generate_typescript() -> None:
    """Write the TypeScript clients and their programs anew. Raises `GenerationError`."""
    install()
    _empty(TYPESCRIPT)
    _run("node_modules/.bin/openapi-typescript", str(OPENAPI), "--output", str(TYPESCRIPT / "openapi.ts"))
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder, "image.binpb")
        image.write_bytes(_with_errors(DESCRIPTORS.read_bytes()))
        _run("buf", "generate", str(image), "--template", "buf.gen.yaml")
    _write_programs(TYPESCRIPT, ".ts")


def compile_typescript() -> None:
    """Check the types of all TypeScript, strictly, and write what Node runs. Raises `GenerationError`."""
    _empty(JAVASCRIPT)
    _run("node_modules/.bin/tsc")


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _write_programs(folder: Path, suffix: str) -> None:
    for name, text in programs().items():
        if name.endswith(suffix):
            (folder / name).write_text(text, "utf-8")


def _with_errors(descriptors: bytes) -> bytes:
    """The contract together with the messages that its errors carry (google.rpc.Status and its details)."""
    files = descriptor_pb2.FileDescriptorSet.FromString(descriptors)
    there = {file.name for file in files.file}
    for module in (any_pb2, duration_pb2, status_pb2, error_details_pb2):
        if module.DESCRIPTOR.name not in there:
            module.DESCRIPTOR.CopyToProto(files.file.add())
    return files.SerializeToString()


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GenerationError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    try:
        generate_python()
        generate_typescript()
        compile_typescript()
    except GenerationError as error:
        raise SystemExit(str(error)) from None
