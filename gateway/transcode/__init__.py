"""JSON to messages and back, and HTTP requests to messages: the codec of the gateway.

Readers and writers are closures, compiled from the descriptors once at start; `docs/transcoding.md` says what they
take and give. The rules are those of proto3 JSON (https://protobuf.dev/programming-guides/json/) with field names in
snake_case only, every field without presence in answers, and a strict reading of bodies (D30).
"""

from gateway.transcode.codec import Codec, compile_decoder, compile_encoder
from gateway.transcode.requests import RequestTranscoder
from gateway.transcode.violations import Reason, TranscodeError, Violation

__all__ = [
    "Codec",
    "Reason",
    "RequestTranscoder",
    "TranscodeError",
    "Violation",
    "compile_decoder",
    "compile_encoder",
]
