"""The comments of the protos, which are the reference's text, from the descriptors of `generated/descriptors.binpb`."""

from __future__ import annotations

import re
from typing import Any

from google.protobuf import descriptor_pb2

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_SENTENCE = re.compile(r"(.+?[.?!])(?:\s+(?=[A-Z`])|$)", re.DOTALL)


def read_comments(descriptors: bytes) -> dict[str, str]:
    """Full name of a service, method, message or field → the comment before it, one line a paragraph."""
    found = {}
    for file in descriptor_pb2.FileDescriptorSet.FromString(descriptors).file:
        for location in file.source_code_info.location:
            name = _full_name(file, list(location.path))
            if name and location.leading_comments:
                found[name] = _prose(location.leading_comments)
    return found


def first_sentence(comment: str) -> tuple[str, str]:
    """The first sentence without its full stop, and what follows it."""
    found = _SENTENCE.match(comment)
    if found is None:
        return comment, ""
    return found[1].removesuffix("."), comment[found.end() :].strip()


def _full_name(file: descriptor_pb2.FileDescriptorProto, path: list[int]) -> str:
    """What a path (google/protobuf/descriptor.proto, SourceCodeInfo.Location) leads to; empty for anything unnamed."""
    if len(path) % 2:
        return ""
    node: Any = file
    names = [file.package]
    for number, index in zip(path[::2], path[1::2], strict=True):
        field = node.DESCRIPTOR.fields_by_number.get(number)
        if field is None or field.message_type is None or not field.is_repeated:
            return ""
        node = getattr(node, field.name)[index]
        names.append(getattr(node, "name", ""))
    return ".".join(names)


def _prose(comment: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in _PARAGRAPHS.split(comment.strip()))
