"""Promises of the contract's policies: every RPC says who may call it, or nothing starts."""

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from hypothesis import given
from hypothesis import strategies as st
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2

from process import contract
from process.contract import ContractError

COMPLETE = options_pb2.Policy(
    credentials=[options_pb2.CREDENTIAL_KIND_API_KEY],
    scope="quotes:read",
    rate=options_pb2.RATE_CLASS_ORGANIZATION,
    idempotency=options_pb2.IDEMPOTENCY_READ_ONLY,
    stability=options_pb2.STABILITY_STABLE,
)


def file_with(policy):
    """A file with one RPC under that policy."""
    file = descriptor_pb2.FileDescriptorProto(name="t.proto", package="t", syntax="proto3")
    file.message_type.add(name="M")
    method = file.service.add(name="S").method.add(name="R", input_type=".t.M", output_type=".t.M")
    if policy is not None:
        method.options.Extensions[options_pb2.policy].CopyFrom(policy)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool.FindFileByName("t.proto")


def changed(**fields):
    policy = options_pb2.Policy()
    policy.CopyFrom(COMPLETE)
    for name, value in fields.items():
        policy.ClearField(name)
        if value:
            getattr(policy, name).extend(value)
    return policy


def test_every_rpc_of_ours_has_a_complete_policy():
    rpcs = contract.rpcs(FILES)
    assert {rpc.service.rsplit(".", 1)[1] for rpc in rpcs} >= {
        "QuoteService", "SourcingService", "LeadService", "WritingAssistService", "CompanyService", "GateService",
    }  # fmt: skip
    assert len({rpc.path for rpc in rpcs}) == len(rpcs)


def test_a_complete_policy_is_accepted():
    (rpc,) = contract.rpcs([file_with(COMPLETE)])
    assert (rpc.path, rpc.policy) == ("/t.S/R", COMPLETE)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (None, "credentials"),
        (changed(credentials=None), "credentials"),
        (changed(scope=None), "scope"),
        (changed(rate=None), "rate"),
        (changed(idempotency=None), "idempotency"),
        (changed(stability=None), "stability"),
        (changed(credentials=[options_pb2.CREDENTIAL_KIND_PDF_LINK]), "token"),
        (changed(credentials=[options_pb2.CREDENTIAL_KIND_PUBLIC, options_pb2.CREDENTIAL_KIND_API_KEY]), "public"),
    ],
)
def test_an_incomplete_policy_stops_the_start(policy, said):
    with pytest.raises(ContractError, match=said):
        contract.rpcs([file_with(policy)])


@given(st.sampled_from(contract.rpcs(FILES)))
def test_only_the_gate_is_internal_and_only_the_gateway_opens_it(rpc):
    internal = rpc.policy.stability == options_pb2.STABILITY_INTERNAL
    assert internal is rpc.allows(options_pb2.CREDENTIAL_KIND_GATEWAY)
    assert internal is (rpc.service == "quotewright.v1.GateService")
