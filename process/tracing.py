"""W3C Trace Context (Recommendation, level 1, 23 November 2021): read strictly, told to the next hop, in every log
line.

Every request belongs to a trace: to the caller's where it names one by the book, else to a new one. So the lines of
gateway and server are found by one id whether anybody exports spans or not. Ids need to be unlikely to meet, not to
be secret: they are counted from a random beginning, and spread so that samplers, who look at their last digits, see
them as even as drawn ones. Drawing them costs a request three times as much.
"""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from process.log import Log

#: Section 3.2.2. A version later than 00 may have more fields after a dash; ff is none.
_TRACEPARENT = re.compile(r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_SAMPLED = 0x01  # the one flag of section 3.2.2.5; others are not passed on
#: Section 3.3: key "=" value; the key simple, or tenant@system.
_MEMBER = re.compile(
    r"(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})"
    r"=[ -+\--<>-~]{0,255}[!-+\--<>-~]"
)
MOST_MEMBERS = 32
#: What is passed on of a tracestate (section 3.3: at least this much); where it is cut, long entries go first.
LONGEST_STATE = 512
_LONG_MEMBER = 128
_WHITESPACE = " \t"

_PROCESS_ID = secrets.token_hex(8)
_numbers = itertools.count(secrets.randbits(64))
#: 2**64 divided by the golden ratio, odd: its multiples modulo 2**64 are all different and evenly spread (Knuth, TAOCP
#: vol. 3, section 6.4).
_SPREAD, _64_BITS = 0x9E3779B97F4A7C15, 2**64 - 1
Attribute = str | int | bool


class Span(Protocol):
    """A span under way, where spans are exported."""

    def end(self, name: str, attributes: Mapping[str, Attribute], failure: str = "") -> None:
        """The work is done; ``failure`` says in a word why it failed, if it did."""


@dataclass(slots=True)
class Trace:
    """One hop of a trace. ``traceparent`` is what the next hop is told, ``state`` the tracestate beside it."""

    traceparent: str
    state: str = ""
    #: The caller's hop, 16 hex digits; empty where the trace begins here.
    parent_id: str = ""
    #: None where nobody records this hop.
    span: Span | None = None

    @property
    def trace_id(self) -> str:
        """32 hex digits."""
        return trace_id_of(self.traceparent)

    @property
    def sampled(self) -> bool:
        """Whether the caller has asked for the trace to be recorded."""
        return self.traceparent.endswith("-01")


def traceparent_of(trace_id: str, span_id: str, *, sampled: bool) -> str:
    """The header of version 00."""
    return f"00-{trace_id}-{span_id}-{'01' if sampled else '00'}"


def trace_id_of(traceparent: str) -> str:
    """The trace id in a header that is known to be right; empty where there is none."""
    return traceparent[3:35]


class Tracer:
    """Gives each hop its ids, and exports nothing."""

    #: Whether spans go anywhere: else a hop that writes no log line needs none.
    exports = False

    def begin(self, traceparent: str = "", tracestate: str = "", *, internal: bool = False) -> Trace:  # noqa: ARG002
        """A hop: in the caller's trace, or where ``traceparent`` is not one by the book, in a new one.

        Header lines of the same name are joined by commas. ``internal`` says that the call stays in the process.
        """
        if traceparent:
            found = parse(traceparent, tracestate)
            if found is not None:
                return found
        span_id = f"{next(_numbers) * _SPREAD & _64_BITS:016x}"  # `_new_span_id`, without a call in every request
        return Trace(f"00-{_PROCESS_ID}{span_id}-{span_id}-00")

    def start(self, log: Log) -> None:
        """The event loop runs; what goes wrong in exporting goes to the log."""

    async def close(self) -> None:
        """Send what has not been sent, for as long as a stopping process can wait."""


def _new_span_id() -> str:
    return f"{next(_numbers) * _SPREAD & _64_BITS:016x}"


def parse(traceparent: str, tracestate: str = "") -> Trace | None:
    """A new hop of the trace that the headers name; None where they name none."""
    match = _TRACEPARENT.fullmatch(traceparent.strip(_WHITESPACE))
    if match is None:
        return None
    version, trace_id, parent_id, flags, more = match.groups()
    if version == "00" and more is not None:
        return None
    sampled = bool(int(flags, 16) & _SAMPLED)
    own = traceparent_of(trace_id, _new_span_id(), sampled=sampled)
    return Trace(own, parse_state(tracestate) if tracestate else "", parent_id)


def parse_state(tracestate: str) -> str:
    """A tracestate as it is passed on: whole entries, at most `LONGEST_STATE` characters; empty where it is none."""
    members = [member for part in tracestate.split(",") if (member := part.strip(_WHITESPACE))]
    keys = {member.partition("=")[0] for member in members}
    if len(members) > MOST_MEMBERS or len(keys) < len(members) or not all(map(_MEMBER.fullmatch, members)):
        return ""
    while len(state := ",".join(members)) > LONGEST_STATE:
        long = [member for member in members if len(member) > _LONG_MEMBER]
        members.remove(long[-1] if long else members[-1])
    return state
