"""GET /config."""

from __future__ import annotations

from collections.abc import Sequence

from buf.validate import validate_pb2
from google.protobuf.message import Message
from quotewright.options.v1 import options_pb2
from quotewright.v1 import company_pb2, document_pb2, quote_pb2, sourcing_pb2, writing_assist_pb2

from server import events
from server.domain.catalogue import Catalogue
from server.domain.plans import REQUESTS_PER_MINUTE
from server.interceptors import Call
from server.rpc.paging import LIST_LIMIT_DEFAULT


def longest(message: type[Message], field: str) -> int:
    """The length rule of a field, from the contract."""
    rules = message.DESCRIPTOR.fields_by_name[field].GetOptions().Extensions[validate_pb2.field]
    return int(rules.string.max_len)


def body_limit(service: str, rpc: str, module: object) -> int:
    """The largest body of an RPC's route, from the contract."""
    method = module.DESCRIPTOR.services_by_name[service].methods_by_name[rpc]  # type: ignore[attr-defined]
    return int(method.GetOptions().Extensions[options_pb2.policy].body_limit)


class CompanyService:
    """Public configuration; the answer is the same for everybody and made once. ``public_url`` is the base of links."""

    def __init__(
        self,
        company_name: str,
        environment: str,
        support_email: str,
        public_url: str,
        currency: str,
        catalogue: Catalogue,
        locales: Sequence[str],
    ) -> None:
        trades = sorted({task.trade for task in catalogue.tasks.values()})
        list_rules = quote_pb2.ListQuotesRequest.DESCRIPTOR.fields_by_name["limit"].GetOptions()
        self._response = company_pb2.GetConfigResponse(
            company_name=company_name,
            api_version="v1",
            environment=environment,
            currency=currency,
            locales=locales,
            industries=trades,
            trades=trades,
            plans=[company_pb2.Plan(name=name, requests_per_minute=rate) for name, rate in REQUESTS_PER_MINUTE.items()],
            limits=company_pb2.Limits(
                quote_text=longest(quote_pb2.GenerateQuoteRequest, "text"),
                preview_text=longest(quote_pb2.PreviewQuoteRequest, "text"),
                sourcing_query=longest(sourcing_pb2.FindPricesRequest, "query"),
                proofread_text=longest(writing_assist_pb2.ProofreadRequest, "text"),
                intake_input=longest(writing_assist_pb2.CorrectIntakeRequest, "input"),
                body_bytes=body_limit("QuoteService", "GenerateQuote", quote_pb2),
                document_bytes=body_limit("DocumentService", "UploadDocument", document_pb2),
                list_limit=int(list_rules.Extensions[validate_pb2.field].uint32.lte),
                list_limit_default=LIST_LIMIT_DEFAULT,
            ),
            docs_url=f"{public_url}/docs",
            openapi_url=f"{public_url}/api/v1/openapi.json",
            webhook_events=events.EVENTS,
            support_email=support_email,
        )

    async def GetConfig(self, _request: company_pb2.GetConfigRequest, _call: Call) -> company_pb2.GetConfigResponse:
        """The configuration."""
        return self._response
