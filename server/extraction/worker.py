"""The process that reads one document: `python -m server.extraction.worker`. It is given a file that may be made to
harm, and bounds itself before it looks at it.

Standard input: a line of JSON, then the bytes of the document. Standard output: one JSON object, ``{"content": …}``,
``{"refused": {"reason", "message"}}`` or ``{"defect": trace}``. Nothing else is opened and nothing is written.
"""

from __future__ import annotations

import json
import math
import resource
import signal
import sys
import traceback
import warnings
from typing import Any

import orjson

from server.extraction.limits import RefusedError
from server.extraction.reading import read_document

#: File descriptors: enough to import the libraries.
_FILES = 64


def main() -> None:
    """Read one document and say what came of it."""
    warnings.simplefilter("ignore")
    given = json.loads(sys.stdin.buffer.readline(64 * 1024))
    _bound(given["seconds"], given["memory_bytes"])
    sys.stdout.buffer.write(orjson.dumps(_answer(sys.stdin.buffer.read(), given)))
    sys.stdout.buffer.flush()


def _answer(data: bytes, given: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"content": read_document(data, given["content_type"], given["filename"]).to_json()}
    except RefusedError as refused:
        return {"refused": {"reason": refused.reason, "message": refused.message}}
    except Exception:  # noqa: BLE001 - the server logs it
        return {"defect": traceback.format_exc()}


def _bound(seconds: float, memory_bytes: int) -> None:
    """Time, memory and files of this process, for good. It ends by itself, too, should nobody be left to end it."""
    whole = math.ceil(seconds)
    for kind, most in (
        (resource.RLIMIT_CPU, whole),
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    signal.alarm(whole + 1)


if __name__ == "__main__":
    main()
