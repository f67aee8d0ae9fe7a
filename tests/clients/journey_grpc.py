"""What an internal service does, with the committed stubs. Prints what was answered as JSON."""

import json
import os
import sys

import grpc
from google.protobuf.json_format import MessageToDict
from grpc_errors import PATIENCE, why
from quotewright.v1 import lead_pb2, lead_pb2_grpc, quote_pb2, quote_pb2_grpc, sourcing_pb2, sourcing_pb2_grpc

TEXT, WANTED = sys.argv[1:]
KEY = ("x-api-key", os.environ["QUOTEWRIGHT_KEY"])


def as_json(message):
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


with grpc.insecure_channel(os.environ["QUOTEWRIGHT_GRPC"], PATIENCE) as channel:
    quotes = quote_pb2_grpc.QuoteServiceStub(channel)

    def refusal(*metadata, text):
        try:
            quotes.GenerateQuote(quote_pb2.GenerateQuoteRequest(text=text), metadata=metadata)
        except grpc.RpcError as error:
            reason, fields = why(error)
            return {"code": error.code().name, "reason": reason, "fields": fields}
        raise AssertionError("not refused")

    def generate():
        request = quote_pb2.GenerateQuoteRequest(text=TEXT)
        return quotes.GenerateQuote.with_call(request, metadata=[KEY, ("idempotency-key", WANTED)], timeout=20)

    quote = generate()[0].quote
    again, call = generate()
    read = quotes.GetQuote(quote_pb2.GetQuoteRequest(quote_id=quote.quote_id), metadata=[KEY]).quote
    pdf = quotes.GetQuotePdf(quote_pb2.GetQuotePdfRequest(quote_id=quote.quote_id), metadata=[KEY]).pdf
    prices = sourcing_pb2_grpc.SourcingServiceStub(channel).FindPrices(
        sourcing_pb2.FindPricesRequest(query="wood fence"), metadata=[KEY]
    )
    lead = lead_pb2_grpc.LeadServiceStub(channel).RequestCoverage(
        lead_pb2.RequestCoverageRequest(city="Nashville", trade="roofing", country="US"), metadata=[KEY]
    )
    told = {
        "quote": as_json(quote),
        "same_again": again.quote == quote,
        "replayed": dict(call.trailing_metadata()).get("idempotent-replayed") == "true",
        "read": as_json(read),
        "pdf": pdf.data.decode("latin-1"),
        "product": prices.options[0].product_name,
        "lead": lead.status,
        "invalid": refusal(KEY, text=" "),
        "unknown": refusal(("x-api-key", "qw_test_nobody"), text=TEXT),
    }
    print(json.dumps(told))
