"""What a customer does, with the client that openapi-python-client generates. Prints what was answered as JSON."""

import json
import os
import sys

from patience import QuotewrightError, answered
from quotewright_client import AuthenticatedClient
from quotewright_client.api.lead import request_coverage
from quotewright_client.api.quote import generate_quote, get_quote, get_quote_pdf
from quotewright_client.api.sourcing import find_prices
from quotewright_client.models import FindPricesRequest, GenerateQuoteRequest, RequestCoverageRequest
from quotewright_client.types import File

TEXT, WANTED, SPENT_KEY = sys.argv[1:]


def client(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(os.environ["QUOTEWRIGHT_URL"], token=key, prefix="", auth_header_name="X-API-Key")


def refusal(key: str, text: str, waits: list[float] | None = None) -> dict[str, object]:
    """How a request is refused; ``waits`` gets the seconds that it was asked to wait."""
    seconds = [] if waits is None else waits
    body = GenerateQuoteRequest(text=text)
    try:
        with client(key) as asking:
            answered(lambda: generate_quote.sync_detailed(client=asking, body=body), seconds.append)
    except QuotewrightError as error:
        details = error.problem.details
        fields = {one.field: one.reason for one in details.fields} if details.fields else {}
        return {"code": error.problem.code.value, "reason": details.reason, "fields": fields}
    raise AssertionError("not refused")


with client(os.environ["QUOTEWRIGHT_KEY"]) as ours:
    body = GenerateQuoteRequest(text=TEXT)
    quote = answered(lambda: generate_quote.sync_detailed(client=ours, body=body, idempotency_key=WANTED))
    again = generate_quote.sync_detailed(client=ours, body=body, idempotency_key=WANTED)
    read = answered(lambda: get_quote.sync_detailed(quote.quote_id, client=ours))
    pdf = answered(lambda: get_quote_pdf.sync_detailed(quote.quote_id, client=ours))
    assert isinstance(pdf, File)
    prices = answered(lambda: find_prices.sync_detailed(client=ours, body=FindPricesRequest(query="wood fence")))
    asked = RequestCoverageRequest(city="Nashville", trade="roofing", country="US")
    lead = answered(lambda: request_coverage.sync_detailed(client=ours, body=asked))
    waits: list[float] = []
    told = {
        "quote": quote.to_dict(),
        "same_again": answered(lambda: again) == quote,
        "replayed": again.headers.get("Idempotent-Replayed") == "true",
        "read": read.to_dict(),
        "pdf": pdf.payload.read().decode("latin-1"),
        "product": prices.options[0].product_name,
        "lead": lead.status,
        "allowance": [int(again.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")],
        "invalid": refusal(ours.token, " "),
        "unknown": refusal("qw_test_nobody", TEXT),
        "spent": refusal(SPENT_KEY, TEXT, waits),
        "waits": waits,
    }
    print(json.dumps(told))
