"""The size of a page (D8)."""

from __future__ import annotations

from typing import Any

#: `limit` of a list call where none is given (D8).
LIST_LIMIT_DEFAULT = 20


def page_size(request: Any) -> int:
    """What a list request asks for, else the default. ``request`` is any message with ``optional uint32 limit``."""
    return int(request.limit) if request.HasField("limit") else LIST_LIMIT_DEFAULT
