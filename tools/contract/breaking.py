"""Lint the protos, and compare them with the last tagged release on the wire and in JSON: part of `make lint`."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from tools.contract.image import ROOT, compile_image


def last_release() -> str | None:
    """The newest tag that this commit descends from, or None before the first release."""
    described = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return described.stdout.strip() or None


def main() -> None:
    """Raise `CalledProcessError` where a rule is broken."""
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder, "image.binpb")
        compile_image(image)
        subprocess.run(["buf", "lint", image, "--config", "buf.yaml"], check=True, cwd=ROOT)
        tag = last_release()
        if tag is None:
            print("buf breaking: no release is tagged yet, nothing to compare with")
            return
        released = Path(folder, "released.binpb")
        contents = subprocess.run(
            ["git", "show", f"{tag}:generated/descriptors.binpb"], check=True, cwd=ROOT, capture_output=True
        )
        released.write_bytes(contents.stdout)
        subprocess.run(["buf", "breaking", image, "--against", released, "--config", "buf.yaml"], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
