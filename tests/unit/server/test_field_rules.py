"""Promises of the comparisons before protovalidate: what they clear, it clears; and what clients send, they clear."""

import protovalidate
import pytest
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import given, settings
from hypothesis import strategies as st
from quotewright.contract import FILES
from quotewright.v1 import lead_pb2, quote_pb2, sourcing_pb2

from process import contract
from server.field_rules import _has_rules, _translated, surely_kept
from tests.doubles.messages import messages

violations = protovalidate.Validator().collect_violations
REQUESTS = {
    rpc.request_class.DESCRIPTOR.full_name: rpc.request_class
    for rpc in contract.rpcs(FILES)
    if _has_rules(rpc.request_class.DESCRIPTOR, set())
}
#: Around the limits that rules have: lengths, what is white space to whom, numbers.
TEXTS = st.sampled_from(
    [
        "",
        " ",
        "\t",
        "\x0b",
        "\x85",
        "\xa0",
        "\u2028",
        "\u200b",
        "\x1c",
        "a",
        " a",
        "\xa0é",
        "é",
        "USD",
        "m2",
        "2026-11-21",
    ]
) | st.integers(1, 20_001).map(lambda length: "x" * length)
NUMBERS = st.sampled_from(
    [0.0, -0.0, 1.0, 0.5, 0.95, 0.951, 1e-9, -1e-9, 0.001, 0.0001, 0.015, 1e9, 1e9 + 1, float("nan"), float("inf")]
)
COUNTS = st.sampled_from([0, 1, 2, 10, 50, 51, 100, 101, 200, 500, 1000, 1001, 10_000, 2**32 - 1])


@st.composite
def near_limits(draw, message_class):
    """A message with some of its plain fields, and those of what it holds, set to what rules may be about."""
    message = draw(messages(message_class, depth=1))
    fields = [field for field in message.DESCRIPTOR.fields if field.message_type is None and field.enum_type is None]
    for field in draw(st.lists(st.sampled_from(fields), unique=True, max_size=8)) if fields else []:
        value = draw(_values(field))
        if value is None:
            continue
        if field.is_repeated:
            getattr(message, field.name).extend([value] * draw(st.sampled_from([1, 2, 11, 101])))
        else:
            setattr(message, field.name, value)
    return message


def _values(field):
    if field.type == FieldDescriptor.TYPE_STRING:
        return TEXTS
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return NUMBERS
    return COUNTS if field.type == FieldDescriptor.TYPE_UINT32 else st.none()


@pytest.mark.parametrize("name", REQUESTS)
def test_what_is_cleared_has_no_violation(name):
    surely = surely_kept(REQUESTS[name])

    @settings(deadline=None, max_examples=15)
    @given(near_limits(REQUESTS[name]))
    def holds(message):
        assert not (surely(message) and violations(message)), message

    holds()


@pytest.mark.parametrize(
    "message",
    [
        quote_pb2.GenerateQuoteRequest(text="Paint 60 m2 in Nashville", industry="residential painting"),
        quote_pb2.GenerateQuoteRequest(document_id="doc_1", template_id="tpl_1", margin=0.2),
        sourcing_pb2.FindPricesRequest(query="wood fence", location="Chicago"),
        quote_pb2.ListQuotesRequest(limit=50),
    ],
    ids=lambda message: message.DESCRIPTOR.name,
)
def test_what_clients_mostly_send_is_cleared(message):
    assert surely_kept(type(message))(message)


@pytest.mark.parametrize(
    ("message", "cleared"),
    [
        (quote_pb2.GenerateQuoteRequest(text="a", document_id="b"), False),
        (quote_pb2.GenerateQuoteRequest(), False),
        (quote_pb2.GenerateQuoteRequest(text="a", margin=0.2), False),
        (quote_pb2.GenerateQuoteRequest(text="x" * 20_000), True),
        (quote_pb2.GenerateQuoteRequest(text="x" * 20_001), False),
        (sourcing_pb2.FindPricesRequest(query=""), False),
        # Sound, and not sure: protovalidate is asked.
        (sourcing_pb2.FindPricesRequest(query=" fence"), False),
        (sourcing_pb2.FindPricesRequest(query="Ölfarbe"), False),
    ],
)
def test_what_may_break_a_rule_is_not_cleared(message, cleared):
    assert surely_kept(type(message))(message) is cleared


@pytest.mark.parametrize(
    ("expression", "python"),
    [
        ("(this.phone != '') || !has(this.email)", "False"),  # email has no presence
        ("this.phone.size() > 0", "False"),
        ("!(this.phone == '')", "False"),
        ("this.phone != '' || this.email != ''", "m.phone != '' or m.email != ''"),
    ],
)
def test_a_rule_that_is_not_understood_is_never_sure(expression, python):
    assert _translated(expression, lead_pb2.RequestCoverageRequest.DESCRIPTOR) == python
