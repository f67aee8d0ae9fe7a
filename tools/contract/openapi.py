"""Write `generated/openapi.json` from the generated code and descriptors: the last step of `make generate`.

The examples beside this file are sent to the running service by `tests/contract/test_openapi.py`.

Usage: python -m tools.contract.openapi
"""

from __future__ import annotations

import json
from pathlib import Path

from quotewright.contract import FILES

from gateway import openapi
from tools.contract.image import ROOT

GENERATED = ROOT / "generated"
EXAMPLES = Path(__file__).with_name("examples.json")


def document() -> bytes:
    """The document, from what `make generate` has written so far."""
    comments = openapi.read_comments((GENERATED / "descriptors.binpb").read_bytes())
    return openapi.to_bytes(openapi.describe(FILES, comments, json.loads(EXAMPLES.read_text("utf-8"))))


if __name__ == "__main__":
    (GENERATED / "openapi.json").write_bytes(document())
