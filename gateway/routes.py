"""The routes of the gateway, computed from the `google.api.http` annotations of the contract alone.

A table that cannot be served as it is written does not start: `RouteError` names the RPC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from quotewright.options.v1 import options_pb2

from gateway.templates import Template, TemplateError, Variable, segments_of

#: The kind of a custom pattern that leaves the HTTP method open.
ANY_VERB = "*"


class RouteError(Exception):
    """The annotations of an RPC make no route; the message names the RPC."""


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """One HTTP binding of one RPC. Routes are the same only if they are one object.

    ``verb`` is the HTTP method, ``rpc`` the path on the gRPC wire, ``body`` and ``response_body`` as annotated.
    """

    verb: str
    template: str
    rpc: str
    method: MethodDescriptor
    policy: options_pb2.Policy
    request_class: type[Message]
    response_class: type[Message]
    body: str
    response_body: str
    streaming: bool


@dataclass(frozen=True, slots=True)
class Match:
    """The route of a request, and its path variables, decoded."""

    route: Route
    variables: dict[str, str]


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """The path is known, the method is not one of those that it takes (RFC 9110 section 15.5.6)."""

    allow: tuple[str, ...]


@dataclass(slots=True)
class _Ending:
    """Where a template ends: its routes by HTTP method, with the places of their variables."""

    routes: dict[str, tuple[Route, tuple[Variable, ...]]] = field(default_factory=dict)
    #: It takes one path only.
    is_literal: bool = False
    #: What is found at that path, by HTTP method.
    found: dict[str, Match] = field(default_factory=dict)

    def find(self, verb: str) -> tuple[Route, tuple[Variable, ...]] | None:
        """The route for the method; HEAD is served where GET is (RFC 9110 section 9.3.2)."""
        routes = self.routes
        return routes.get(verb) or (routes.get("GET") if verb == "HEAD" else None) or routes.get(ANY_VERB)


@dataclass(slots=True)
class _Node:
    """What can follow after some segments. Endings are kept by the custom verb (``:cancel``), "" for none."""

    literals: dict[str, _Node] = field(default_factory=dict)
    single: _Node | None = None
    endings: dict[str, _Ending] = field(default_factory=dict)
    open_endings: dict[str, _Ending] = field(default_factory=dict)

    def ending(self, template: Template) -> _Ending:
        """The place of the template below this node, made where there was none."""
        node = self
        for segment in template.segments:
            if segment == "**":
                return node.open_endings.setdefault(template.verb, _Ending())
            if segment == "*":
                node.single = node.single or _Node()
                node = node.single
            else:
                node = node.literals.setdefault(template.literal(segment), _Node())
        return node.endings.setdefault(template.verb, _Ending())

    def matches(self, segments: list[str], verb: str, at: int = 0) -> Iterator[_Ending]:
        """Every ending that takes the segments, the most specific first: literal before ``*`` before ``**``."""
        if at == len(segments):
            yield from _ending_in(self.endings, verb)
        else:
            literal = self.literals.get(segments[at])
            if literal is not None:
                yield from literal.matches(segments, verb, at + 1)
            if self.single is not None:
                yield from self.single.matches(segments, verb, at + 1)
        yield from _ending_in(self.open_endings, verb)


def _ending_in(endings: dict[str, _Ending], verb: str) -> Iterator[_Ending]:
    if verb in endings:
        yield endings[verb]


class RouteTable:
    """Finds the route of a request. Paths without variables cost one look-up."""

    def __init__(self, routes: Iterable[tuple[Route, Template]]) -> None:
        """Raises `RouteError` where two routes would take the same requests."""
        self._root = _Node()
        self._literal: dict[str, _Ending] = {}
        found = []
        for route, template in routes:
            ending = self._root.ending(template)
            taken = ending.routes.setdefault(route.verb, (route, template.variables))[0]
            if taken is not route:
                raise RouteError(
                    f"{route.rpc}: {route.verb} {route.template} takes the same requests as {taken.template} "
                    f"of {taken.rpc}"
                )
            if template.is_literal:
                ending.is_literal = True
                ending.found[route.verb] = Match(route, {})
                self._literal[route.template] = ending
            found.append(route)
        self.routes: tuple[Route, ...] = tuple(found)

    @classmethod
    def from_files(cls, file_descriptors: Iterable[FileDescriptor]) -> RouteTable:
        """The table of all services in the files; RPCs without an annotation have no route. Raises `RouteError`."""
        return cls(
            binding
            for file in file_descriptors
            for service in file.services_by_name.values()
            for method in service.methods
            for binding in _bindings(method)
        )

    def match(self, verb: str, raw_path: str) -> Match | NotAllowed | None:
        """The route of a request by its HTTP method and its path as sent, percent-encoded and without the query.

        None: there is no such path. Neither is there one with an empty segment (so none that ends with a slash), with
        a broken percent-encoding, or with one that is not UTF-8. Of several templates the more specific one counts,
        segment by segment; but one that does not take the method leaves the path to the next. A path that is annotated
        as it stands is no value of a variable (OpenAPI 3.1 section 4.8.8): only its own methods count.
        """
        ending = self._literal.get(raw_path)
        if ending is not None:
            known = ending.found.get(verb)
            if known is not None:
                return known
            found = ending.find(verb)
            return Match(found[0], {}) if found is not None else NotAllowed(_allow(set(ending.routes)))
        return self._search(verb, raw_path)

    def _search(self, verb: str, raw_path: str) -> Match | NotAllowed | None:
        known: set[str] = set()
        for raw, custom_verb in _readings(raw_path):
            decoded = segments_of(raw)
            if decoded is None:
                continue
            for ending in self._root.matches(decoded, custom_verb):
                found = ending.find(verb)
                if found is not None:
                    route, variables = found
                    return Match(route, {variable.name: variable.value(raw) for variable in variables})
                if ending.is_literal:
                    return NotAllowed(_allow(set(ending.routes)))
                known.update(ending.routes)
        return NotAllowed(_allow(known)) if known else None


def _readings(raw_path: str) -> Iterator[tuple[list[str], str]]:
    """The raw segments of a path with its custom verb; first read with one, as a literal is more specific."""
    if not raw_path.startswith("/"):
        return
    segments = raw_path[1:].split("/")
    last, colon, verb = segments[-1].rpartition(":")
    if colon and verb:
        yield [*segments[:-1], last], verb
    yield segments, ""


def _allow(verbs: set[str]) -> tuple[str, ...]:
    """What the Allow header says (RFC 9110 section 10.2.1): the gateway answers HEAD and OPTIONS by itself."""
    implied = {"OPTIONS", "HEAD"} if "GET" in verbs else {"OPTIONS"}
    return tuple(sorted(verbs | implied))


def _bindings(method: Any) -> Iterator[tuple[Route, Template]]:
    options = method.GetOptions()
    if not options.HasExtension(annotations_pb2.http):
        return
    rpc = f"/{method.containing_service.full_name}/{method.name}"
    if not options.HasExtension(options_pb2.policy):
        raise RouteError(f"{rpc} has a route and no policy")
    if method.client_streaming:
        raise RouteError(f"{rpc} has a route and takes a stream")
    rule = options.Extensions[annotations_pb2.http]
    for one in (rule, *rule.additional_bindings):
        if one is not rule and one.additional_bindings:
            raise RouteError(f"{rpc}: additional bindings are not nested")
        yield _binding(method, rpc, options.Extensions[options_pb2.policy], one)


def _binding(method: Any, rpc: str, policy: options_pb2.Policy, rule: HttpRule) -> tuple[Route, Template]:
    verb, path = _pattern(rpc, rule)
    try:
        template = Template.parse(path)
    except TemplateError as error:
        raise RouteError(f"{rpc}: {path!r}: {error}") from None
    for variable in template.variables:
        _check_variable(rpc, method.input_type, variable.name)
    _check_bodies(rpc, method, rule, template)
    route = Route(
        verb=verb,
        template=path,
        rpc=rpc,
        method=method,
        policy=policy,
        request_class=message_factory.GetMessageClass(method.input_type),
        response_class=message_factory.GetMessageClass(method.output_type),
        body=rule.body,
        response_body=rule.response_body,
        streaming=method.server_streaming,
    )
    return route, template


def _pattern(rpc: str, rule: HttpRule) -> tuple[str, str]:
    kind = rule.WhichOneof("pattern")
    if kind is None:
        raise RouteError(f"{rpc}: the annotation names no method and path")
    if kind != "custom":
        return kind.upper(), getattr(rule, kind)
    if not rule.custom.kind:
        raise RouteError(f"{rpc}: the custom pattern names no method")
    return rule.custom.kind, rule.custom.path


def _check_variable(rpc: str, message: Descriptor, name: str) -> None:
    """A variable is the path of a single scalar through single messages."""
    *way, leaf = name.split(".")
    current: Descriptor | None = message
    for step in way:
        current = _single(current, step, rpc, name).message_type
    if _single(current, leaf, rpc, name).message_type is not None:
        raise RouteError(f"{rpc}: the variable {name!r} is a message")


def _single(message: Descriptor | None, step: str, rpc: str, name: str) -> FieldDescriptor:
    found = message.fields_by_name.get(step) if message is not None else None
    if found is None:
        raise RouteError(f"{rpc}: the request has no field for the variable {name!r}")
    if found.is_repeated:
        raise RouteError(f"{rpc}: the variable {name!r} is repeated")
    return found


def _check_bodies(rpc: str, method: Any, rule: HttpRule, template: Template) -> None:
    if rule.body and rule.body != "*":
        body = method.input_type.fields_by_name.get(rule.body)
        if body is None:
            raise RouteError(f"{rpc}: the request has no field {rule.body!r} for the body")
        if body.message_type is None or body.is_repeated:
            raise RouteError(f"{rpc}: the body {rule.body!r} is not one message")
        if any(variable.name.split(".")[0] == rule.body for variable in template.variables):
            raise RouteError(f"{rpc}: a variable is inside the body {rule.body!r}")
    if rule.response_body and rule.response_body not in method.output_type.fields_by_name:
        raise RouteError(f"{rpc}: the response has no field {rule.response_body!r} for the body")
