"""Promises of sending that no route can show: the test mode, and what changes between printing and committing."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import grpc
import pytest
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2
from quotewright.v1 import event_pb2, gate_pb2, quote_pb2

from process import contract
from server import administration, links
from server.domain.lifecycle import Trigger
from server.faults import Fault
from server.interceptors import Call
from server.links import Signer
from server.mail.letters import Letters
from server.rpc import sending
from server.rpc.organizations import Organizations
from server.rpc.sending import Sending
from server.store import mail, quotes, workflows
from server.store.audit import Act
from server.store.database import Store, execute
from tests.unit.server.store.test_records import NEW

SEND = next(rpc for rpc in contract.rpcs(FILES) if rpc.name == "SendQuote")
SIGNER = Signer(b"secret")


class Desk:
    def __init__(self, store, threads):
        self.store = store
        self.organization = administration.create_organization(store, "Acme", "Starter")
        self.today = datetime.fromisoformat(NEW.valid_until).replace(tzinfo=UTC)
        self.sending = Sending(
            store, Organizations(store), SIGNER, Letters("quotes@acme.example.com"), threads, "https://x", lambda: self.today
        )  # fmt: skip

    def approved(self, livemode, new=NEW):
        act = Act(self.organization, livemode, "user:1", "", time.time_ns() // 1000)

        def work():
            made = quotes.create(self.organization, livemode, new)
            for trigger in (Trigger.SUBMIT, Trigger.APPROVE):
                workflows.move(act, made.quote_id, trigger)
            return made.quote_id

        return self.store.write_now(work)

    def principal(self, livemode):
        return gate_pb2.Principal(
            organization_id=self.organization, livemode=livemode, kind=options_pb2.CREDENTIAL_KIND_SESSION, user_id=1
        )

    async def send(self, quote_id, livemode):
        call = Call(SEND, {}, time.monotonic() + 10, principal=self.principal(livemode))
        request = quote_pb2.SendQuoteRequest(quote_id=quote_id, to=["ann@customer.example.com"])
        return (await self.sending.send(request, call)).quote

    def mails(self):
        return self.store.read_now(lambda: mail.list_page(self.organization, limit=10))


@pytest.fixture
def desk(new_database):
    store = Store(new_database())
    with ThreadPoolExecutor(1) as threads:
        yield Desk(store, threads)
    store.close()


async def test_in_the_test_mode_the_quote_is_sent_and_the_mail_withheld(desk):
    quote_id = desk.approved(livemode=False)
    assert (await desk.send(quote_id, livemode=False)).status == "sent"
    (withheld,) = desk.mails()
    assert (withheld.status, withheld.next_try_at, withheld.livemode) == ("withheld", None, False)
    assert not desk.store.read_now(lambda: mail.is_due(2**62))
    (payload,) = desk.store.read_now(lambda: execute("select payload from event where type = 'quote.sent'").fetchone())
    event = event_pb2.QuoteSentEvent.FromString(bytes(payload))
    assert (event.livemode, event.data.object.status) == (False, "sent")
    token = event.data.object.pdf_url.rpartition("?token=")[2]
    link = SIGNER.read(token, 0)
    assert (link.quote_id, link.livemode) == (quote_id, False)
    assert link.expires_at == links.ends_with(NEW.valid_until)


async def test_a_quote_whose_validity_is_over_is_not_sent(desk):
    quote_id = desk.approved(livemode=True)
    desk.today = datetime(2999, 1, 1, tzinfo=UTC)
    with pytest.raises(Fault) as caught:
        await desk.send(quote_id, livemode=True)
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "VALIDITY_OVER")
    assert desk.mails() == ()


@pytest.mark.parametrize("day", ["2106-02-07", "2200-01-01", "9999-12-31"])
async def test_a_quote_that_holds_longer_than_links_is_sent_all_the_same(desk, day):
    quote_id = desk.approved(livemode=True, new=replace(NEW, valid_until=day))
    sent = await desk.send(quote_id, livemode=True)
    assert (sent.status, sent.valid_until) == ("sent", day)
    assert SIGNER.read(sent.pdf_url.rpartition("?token=")[2], 0).expires_at == links.LATEST
    call = Call(SEND, {}, time.monotonic() + 10, principal=desk.principal(livemode=True))
    (recipient,) = (await desk.sending.recipients(quote_id, call)).data
    assert SIGNER.read(recipient.url.rpartition("/")[2], 0).expires_at == links.LATEST


async def test_what_is_sent_is_what_was_printed(desk, monkeypatch):
    quote_id = desk.approved(livemode=True)

    async def changed_while_it_was_printed(*_):
        desk.store.write_now(
            lambda: execute("update quote set total_minor = total_minor + 1 where id = ?", (quote_id,))
        )
        return b"%PDF"

    monkeypatch.setattr(sending, "print_quote", changed_while_it_was_printed)
    with pytest.raises(Fault) as caught:
        await desk.send(quote_id, livemode=True)
    assert caught.value.reason == "QUOTE_CHANGED"
    assert desk.store.read_now(lambda: quotes.find(desk.organization, True, quote_id)).status == "approved"
    assert desk.mails() == ()
    assert desk.store.read_now(lambda: execute("select count(*) from quote_link").fetchone()) == (0,)
