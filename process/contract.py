"""The RPCs of the contract with the policy that each declares; server and gateway walk it alike.

One that declares no complete policy does not start.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf import message_factory
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.message import Message
from quotewright.options.v1 import options_pb2

#: Credentials that are signed links: the token stands in the request itself, in a field of this name.
LINK_KINDS = frozenset((options_pb2.CREDENTIAL_KIND_CUSTOMER_LINK, options_pb2.CREDENTIAL_KIND_PDF_LINK))
LINK_FIELD = "token"


class ContractError(Exception):
    """The protos or the servicers do not fit together; the message names the RPC."""


@dataclass(frozen=True, slots=True)
class Rpc:
    """One method. ``path`` is what gRPC puts on the wire: ``/quotewright.v1.QuoteService/GenerateQuote``.

    What follows ``policy`` repeats it as plain values: they are asked for with every call, and an
    attribute of a proto message costs several times as much.
    """

    path: str
    service: str
    name: str
    policy: options_pb2.Policy
    kinds: frozenset[int]
    scope: str
    #: Roles whose users may call it with a session.
    roles: frozenset[str]
    request_class: type[Message]
    response_class: type[Message]
    streaming: bool
    #: What people know it by: ``QuoteService/GenerateQuote``.
    operation: str
    #: It asks for no credential.
    public: bool
    #: A signed link opens it.
    takes_links: bool

    def allows(self, kind: int) -> bool:
        """Whether a credential of that kind may call the RPC."""
        return kind in self.kinds


def rpcs(files: Iterable[FileDescriptor]) -> tuple[Rpc, ...]:
    """Every RPC of the files. Raises `ContractError` where one lacks a complete policy."""
    return tuple(
        _rpc(method) for file in files for service in file.services_by_name.values() for method in service.methods
    )


def _rpc(method) -> Rpc:  # type: ignore[no-untyped-def]  # descriptors have no useful types
    path = f"/{method.containing_service.full_name}/{method.name}"
    policy = method.GetOptions().Extensions[options_pb2.policy]
    if not policy.credentials:
        raise ContractError(f"{path} declares no credentials")
    for word in ("rate", "idempotency", "stability"):
        if not getattr(policy, word):
            raise ContractError(f"{path} declares no {word}")
    if options_pb2.CREDENTIAL_KIND_PUBLIC in policy.credentials and len(policy.credentials) > 1:
        raise ContractError(f"{path} is public and asks for a credential")
    if options_pb2.CREDENTIAL_KIND_API_KEY in policy.credentials and not policy.scope:
        raise ContractError(f"{path} takes API keys and names no scope")
    if not LINK_KINDS.isdisjoint(policy.credentials) and LINK_FIELD not in method.input_type.fields_by_name:
        raise ContractError(f"{path} takes signed links and has no field {LINK_FIELD}")
    return Rpc(
        path=path,
        service=method.containing_service.full_name,
        name=method.name,
        policy=policy,
        kinds=frozenset(policy.credentials),
        scope=policy.scope,
        roles=_roles(policy.role),
        request_class=message_factory.GetMessageClass(method.input_type),
        response_class=message_factory.GetMessageClass(method.output_type),
        streaming=method.server_streaming,
        operation=f"{method.containing_service.name}/{method.name}",
        public=options_pb2.CREDENTIAL_KIND_PUBLIC in policy.credentials,
        takes_links=not LINK_KINDS.isdisjoint(policy.credentials),
    )


def _roles(least: int) -> frozenset[str]:
    """The names of the roles from ``least`` on, as principals carry them."""
    return frozenset(
        name.removeprefix("ROLE_").lower()
        for name, number in options_pb2.Role.items()
        if number >= max(least, options_pb2.ROLE_VIEWER)
    )
