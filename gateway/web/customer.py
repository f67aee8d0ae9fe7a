"""The page of a sent quote, where its customer reads, accepts or declines it. The token in its path is the credential.

It is made from the `SharedQuote` that `CustomerLinkService` answers; nothing of it is kept by browsers, shown by
search engines or told to other sites.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs

from google.protobuf.timestamp_pb2 import Timestamp
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from quotewright.v1 import customer_link_pb2
from yarl import URL

from gateway.envelope import Problem
from gateway.page import Page
from process.figures import unit_price

PREFIX = "/q/"
#: The path as logs and metrics name it.
ROUTE = "/q/{token}"
METHODS = ("GET", "HEAD", "OPTIONS", "POST")
SERVICE = "/quotewright.v1.CustomerLinkService"
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    # The page's address is a credential: no other page may learn it, and no frame may hold it.
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
#: Of what the browser says about a request: it comes from this page, or from the user.
_OWN_SITES = frozenset({"same-origin", "none"})
_FORM = "application/x-www-form-urlencoded"
_FOLDER = Path(__file__).parent

Decision = customer_link_pb2.AcceptSharedQuoteRequest | customer_link_pb2.DeclineSharedQuoteRequest


def files() -> dict[str, Page]:
    """What the page loads, by path."""
    return {f"{PREFIX}customer.css": Page.of((_FOLDER / "customer.css").read_bytes(), "text/css; charset=utf-8")}


def check_origin(headers: Mapping[str, str]) -> None:
    """Raise 403 for a form that another site has sent. Who can do that has the token already, so this is a second
    line: browsers that say neither, or send ``null`` as our own Referrer-Policy makes some do, pass."""
    site = headers.get("Sec-Fetch-Site")
    origin = headers.get("Origin", "null")
    if site is not None:
        ours = site in _OWN_SITES
    else:
        ours = origin == "null" or _authority(origin) == headers.get("Host", "").lower()
    if not ours:
        raise Problem(403, "cross_origin", "This form can only be sent from its own page.")


def decision(token: str, content_type: str, body: bytes) -> tuple[str, Decision]:
    """The RPC that a sent form asks for, and its request. Raises 415, 422."""
    if content_type.partition(";")[0].strip().lower() != _FORM:
        raise Problem(415, "unsupported_media_type", f"The body must be {_FORM}.")
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=8)
    except ValueError:
        raise Problem(422, "invalid_request", "The form cannot be read.") from None
    given = {name: values[-1].replace("\0", "").replace("\r\n", "\n") for name, values in fields.items()}
    name = given.get("name", "")
    match given.get("decision"):
        case "accept":
            return f"{SERVICE}/AcceptSharedQuote", customer_link_pb2.AcceptSharedQuoteRequest(token=token, name=name)
        case "decline":
            reason = given.get("reason", "")
            return (
                f"{SERVICE}/DeclineSharedQuote",
                customer_link_pb2.DeclineSharedQuoteRequest(token=token, name=name, reason=reason),
            )
    raise Problem(422, "invalid_request", "The form does not say what is decided.")


def reads_html(accept: str) -> bool:
    """Whether an Accept header names HTML, as those of browsers do: others get errors as JSON."""
    return "text/html" in accept.lower()


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "figure": figure,
        "unit_price": unit_price,
        "percent": percent,
        "day": day,
        "moment": moment,
    }
    return environment


class CustomerPages:
    """Renders the pages."""

    def __init__(self) -> None:
        self._quote = _templates().get_template("quote.html")
        self._problem = _templates().get_template("problem.html")

    def quote(self, quote: customer_link_pb2.SharedQuote) -> bytes:
        """The quote, with the forms where it is still to be answered."""
        return self._quote.render(quote=quote).encode()

    def problem(self, problem: Problem, *, known: bool) -> tuple[int, bytes]:
        """Status and page of an error. ``known``: the token is good, and the way back to the quote is shown."""
        status, title, text = problem.status, "This did not work", problem.message
        if problem.reason == "link_expired":
            status, title = 410, "This link has expired"
            text = "The prices of the quote no longer hold. Ask the company that sent it for a new one."
        elif status in (401, 404):
            status, title = 404, "There is no such page"
            text = "Check that the address is whole, as it was in the e-mail."
        fields = [f"{one.field}: {one.message}" for one in problem.fields]
        return status, self._problem.render(title=title, text=text, fields=fields, known=known).encode()


def figure(number: float) -> str:
    """A quantity: ``1,250.5``."""
    return f"{number:,.3f}".rstrip("0").rstrip(".")


def percent(rate: float) -> str:
    """A fraction as a percentage: ``8.25 %``."""
    return f"{figure(rate * 100)} %"


def day(text: str) -> str:
    """An ISO date in words: ``21 November 2026``."""
    return _in_words(date.fromisoformat(text))


def moment(timestamp: Timestamp) -> str:
    """A time in words, in UTC."""
    at: datetime = timestamp.ToDatetime(UTC)
    return f"{_in_words(at.date())}, {at:%H:%M} UTC"


def _in_words(value: date) -> str:
    return f"{value.day} {value:%B %Y}"


def _authority(origin: str) -> str:
    try:
        url = URL(origin)
        return url.authority.lower()
    except ValueError:
        return ""
