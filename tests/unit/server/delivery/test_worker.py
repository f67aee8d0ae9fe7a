"""Promises of the worker: every event arrives, signed, under one id; a bad receiver costs itself and nobody else."""

import asyncio
import contextlib
import email.utils
import io
import time
from dataclasses import dataclass

import pytest
from quotewright.v1 import customer_pb2
from standardwebhooks import Webhook

from process.log import Log
from server import administration, events, webhooks
from server.delivery.egress import Egress
from server.delivery.leases import Times
from server.delivery.sender import Sender
from server.delivery.signatures import secret_text
from server.delivery.vault import Vault
from server.delivery.worker import MOST_OF_ENDPOINT, Worker
from server.domain import retries
from server.faults import Fault
from server.mail.letters import Letters
from server.outgoing import notices
from server.store import audit, deliveries, endpoints, mail, outbox
from server.store.audit import Act
from server.store.database import Store, execute
from tests.doubles import receivers
from tests.doubles.receivers import receiver, status

SECOND = 1_000_000
HOUR = 3600 * SECOND
DAY = 24 * HOUR


@dataclass
class Clock:
    """Stands still until it is moved. It starts at the real time, which verifiers compare timestamps with."""

    now: int

    def __call__(self) -> int:
        return self.now


class Desk:
    """A store with an organization, and a worker whose clock is moved by hand."""

    def __init__(self, store, within=2.0):
        self.store = store
        self.organization = administration.create_organization(store, "Test", "Starter")
        self.clock = Clock(time.time_ns() // 1000)
        self.vault = Vault(b"master")
        self.sender = Sender(Egress.allowing(["127.0.0.0/8"]), within)
        self.log = io.StringIO()
        self.worker = self.another_worker(within)

    def another_worker(self, within=2.0):
        times = Times(self.clock, lambda: 0.0)
        return Worker(self.store, self.vault, self.sender, Log("worker", self.log), within=within, times=times)

    def act(self, livemode=False):
        return Act(self.organization, livemode, "operator", "", self.clock.now)

    def endpoint(self, url, **more):
        secret = webhooks.new_secret()
        values = {"url": url, "description": "", "event_types": (), "livemode": False, **more}
        made = self.store.write_now(lambda: webhooks.create(self.act(), self.vault, secret=secret, **values))
        return made.endpoint_id, secret_text(secret)

    def do(self, work, *arguments):
        return self.store.write_now(lambda: work(self.act(), *arguments))

    def happen(self, event_type="customer.created", livemode=False):
        return self.store.write_now(
            lambda: events.record(self.act(livemode), event_type, customer_pb2.Customer(name="Ann"))
        )

    def found(self, endpoint_id):
        return self.store.read_now(lambda: endpoints.find(self.organization, endpoint_id))

    def listed(self, **more):
        return self.store.read_now(lambda: deliveries.list_page(self.organization, limit=100, offset=0, **more))[1]

    def attempts(self, delivery_id):
        return self.store.read_now(lambda: deliveries.attempts(delivery_id))

    def acts(self):
        rows = self.store.read_now(
            lambda: execute("select action from audit_row where organization_id = ?", (self.organization,)).fetchall()
        )
        return [row[0] for row in rows]


@pytest.fixture
async def desk(new_database):
    store = Store(new_database())
    desk = Desk(store)
    yield desk
    await desk.worker.stop(0)
    await desk.sender.close()
    store.close()


async def test_an_event_arrives_signed_and_whole(desk):
    async with receiver() as one:
        _, secret = desk.endpoint(one.url)
        event_id = desk.happen()
        assert await desk.worker.deliver_due() == 1
    (delivery,) = one.received
    assert Webhook(secret).verify(delivery.body, delivery.headers) == delivery.event
    assert delivery.id == delivery.event["id"] == event_id
    assert delivery.headers["content-type"] == "application/json"
    assert set(delivery.event) == {"id", "type", "timestamp", "api_version", "livemode", "organization_id", "data"}
    assert delivery.event["type"] == "customer.created"
    assert delivery.event["data"]["object"]["name"] == "Ann"
    (row,) = desk.listed()
    assert (row.status, row.attempts) == ("delivered", 1)


async def test_the_fake_clock_walks_all_ten_steps_then_the_delivery_is_given_up(desk):
    async with receiver(status(500, b"broken")) as one:
        desk.endpoint(one.url)
        event_id = desk.happen()
        waited = []
        for step in range(10):
            assert await desk.worker.deliver_due() == 1
            (row,) = desk.listed()
            if step < 9:
                waited.append((row.next_try_at - desk.clock.now) // SECOND)
                desk.clock.now = row.next_try_at - 1
                assert await desk.worker.deliver_due() == 0
                desk.clock.now += 1
    assert waited == list(retries.SCHEDULE[1:])
    assert {delivery.id for delivery in one.received} == {event_id}
    assert len({delivery.body for delivery in one.received}) == 1
    assert (row.status, row.attempts, row.next_try_at) == ("dead", 10, None)
    log = desk.attempts(row.delivery_id)
    assert [one.number for one in log] == list(range(1, 11))
    assert {(one.http_status, one.error, one.answer) for one in log} == {(500, "status", b"broken")}
    assert [one.next_try_at is None for one in log] == [False] * 9 + [True]


async def test_a_dead_letter_is_replayed_under_the_same_id(desk):
    async with receiver(*[status(503)] * 10, status(200)) as one:
        endpoint_id, _ = desk.endpoint(one.url)
        event_id = desk.happen()
        await run_out(desk)
        (row,) = desk.listed(status="dead")
        desk.do(webhooks.replay, row.delivery_id)
        assert await desk.worker.deliver_due() == 1
        (row,) = desk.listed(status="delivered")
        assert row.attempts == 11
        # All that failed since a time, and nothing else.
        desk.do(webhooks.replay, row.delivery_id)
        assert await desk.worker.deliver_due() == 1
        assert desk.do(webhooks.replay_failed, endpoint_id, 0) == 0
    assert [delivery.id for delivery in one.received] == [event_id] * 12
    assert desk.acts().count("webhook:replay") == 3


async def test_a_delivery_that_waits_for_its_next_try_is_replayed_now(desk):
    async with receiver(*[status(503)] * 3, status(200)) as one:
        desk.endpoint(one.url)
        event_id = desk.happen()
        desk.do(webhooks.replay, desk.listed()[0].delivery_id)
        assert "webhook:replay" not in desk.acts(), "it is due anyway"
        for _ in range(3):
            assert await desk.worker.deliver_due() == 1
            desk.clock.now = max(desk.clock.now, desk.listed()[0].next_try_at)
        desk.clock.now -= 1
        assert await desk.worker.deliver_due() == 0
        replayed = desk.do(webhooks.replay, desk.listed()[0].delivery_id)
        assert (replayed.status, replayed.next_try_at) == ("pending", desk.clock.now)
        assert await desk.worker.deliver_due() == 1
    (row,) = desk.listed()
    assert (row.status, row.attempts) == ("delivered", 4)
    assert {delivery.id for delivery in one.received} == {event_id}
    assert desk.acts().count("webhook:replay") == 1


async def test_a_replay_of_what_is_under_way_changes_nothing(desk):
    desk.endpoint("https://hooks.example.com/")
    desk.happen()
    now = desk.clock.now
    (claimed,) = desk.store.write_now(
        lambda: deliveries.claim("a", now=now, until=now + SECOND, most=9, most_of_endpoint=9)
    )
    before = desk.store.read_now(lambda: execute("select * from webhook_delivery").fetchall())
    desk.do(webhooks.replay, claimed.delivery_id)
    assert desk.store.read_now(lambda: execute("select * from webhook_delivery").fetchall()) == before
    assert "webhook:replay" not in desk.acts()


async def test_all_that_failed_since_a_time_is_replayed(desk):
    async with receiver(status(404)) as one:
        endpoint_id, _ = desk.endpoint(one.url)
        early = desk.happen()
        desk.clock.now += HOUR
        late = [desk.happen() for _ in range(3)]
        since = desk.clock.now
        await run_out(desk)
        received = len(one.received)
        one.answers = [status(200)]
        assert desk.do(webhooks.replay_failed, endpoint_id, since) == 3
        while await desk.worker.deliver_due():
            pass
        assert sorted(delivery.id for delivery in one.received[received:]) == sorted(late)
        assert desk.do(webhooks.replay_failed, endpoint_id, 0) == 1
        assert await desk.worker.deliver_due() == 1
        assert one.received[-1].id == early


async def run_out(desk):
    """Let every delivery fail to its end, faster than five days."""
    for _ in range(10):
        while await desk.worker.deliver_due():
            pass
        pending = [row.next_try_at for row in desk.listed(status="pending")]
        desk.clock.now = max(pending, default=desk.clock.now)


@pytest.mark.parametrize("number", [199, 300, 301, 304, 400, 401, 404, 408, 429, 500, 503])
async def test_only_2xx_succeeds_and_no_redirect_is_followed(desk, number):
    async with receiver(status(200)) as elsewhere:
        answer = status(number if number != 199 else 102, Location=elsewhere.url)
        async with receiver(answer if number != 199 else status(500)) as one:
            desk.endpoint(one.url)
            desk.happen()
            await desk.worker.deliver_due()
            (row,) = desk.listed()
            assert row.status == "pending"
            (attempt,) = desk.attempts(row.delivery_id)
            assert attempt.error == ("redirect" if 300 <= number < 400 else "status")
        assert elsewhere.received == []


@pytest.mark.parametrize("number", [200, 201, 202, 204, 299])
async def test_every_2xx_succeeds(desk, number):
    async with receiver(status(number)) as one:
        desk.endpoint(one.url)
        desk.happen()
        await desk.worker.deliver_due()
        assert desk.listed()[0].status == "delivered"


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120),
        ("0", 5),
        ("1", 5),
        ("99999999999999999999", 86400),
        ("nonsense", 5),
        ("-7", 5),
        ("", 5),
        ("in an hour", 3600),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86400),
    ],
)
async def test_retry_after_is_waited_for_where_it_is_longer(desk, said, seconds):
    if said == "in an hour":
        said = email.utils.formatdate(time.time() + 3600, usegmt=True)
    async with receiver(status(429, Retry_After=said)) as one:
        desk.endpoint(one.url)
        desk.happen()
        await desk.worker.deliver_due()
        (row,) = desk.listed()
        assert (row.next_try_at - desk.clock.now) / SECOND == pytest.approx(seconds, abs=60 if seconds == 3600 else 0)


@pytest.mark.parametrize(("livemode", "status_of_mail"), [(True, "pending"), (False, "withheld")])
async def test_the_owners_are_told_of_a_disabled_endpoint_once(desk, livemode, status_of_mail):
    for number, role in enumerate(("owner", "owner", "editor")):
        address = f"user{number}@acme.example.com"
        administration.create_user(desk.store, desk.organization, address, "a password of decent length", role=role)
    worker = Worker(
        desk.store, desk.vault, desk.sender, Log("worker", desk.log), within=2.0,
        times=Times(desk.clock, lambda: 0.0), tell=notices(Letters("quotes@acme.example.com")),
    )  # fmt: skip
    async with receiver(status(410)) as one:
        endpoint_id, _ = desk.endpoint(one.url, livemode=livemode)
        desk.store.write_now(lambda: endpoints.verify(endpoint_id, desk.clock.now))
        for _ in range(2):
            desk.happen(livemode=livemode)
        await worker.deliver_due()
    assert desk.found(endpoint_id).status == "disabled"
    told = desk.store.read_now(lambda: mail.list_page(desk.organization, limit=10))
    assert sorted(one.recipient for one in told) == ["user0@acme.example.com", "user1@acme.example.com"]
    assert {(one.kind, one.about, one.status) for one in told} == {
        ("webhook_disabled", f"webhook:{endpoint_id}", status_of_mail)
    }


async def test_410_disables_and_gives_up_what_waits(desk):
    async with receiver(status(410)) as one:
        endpoint_id, _ = desk.endpoint(one.url)
        for _ in range(3):
            desk.happen()
        while await desk.worker.deliver_due():
            pass
        found = desk.found(endpoint_id)
        assert (found.status, found.disabled_reason) == ("disabled", "gone")
        assert {row.status for row in desk.listed()} == {"dead"}
        desk.happen()
        assert len(desk.listed()) == 3, "a disabled endpoint gets no events"
        assert "webhook:disable" in desk.acts()
        one.answers = [status(200)]
        desk.do(webhooks.resume, endpoint_id)
        event_id = desk.happen()
        await desk.worker.deliver_due()
        assert one.received[-1].id == event_id
    desk.worker._log.flush()
    assert '"webhook_disabled"' in desk.log.getvalue()


async def test_five_days_of_only_failures_disable_and_one_success_begins_anew(desk):
    async with receiver(status(500)) as one:
        endpoint_id, _ = desk.endpoint(one.url)
        desk.happen()
        await desk.worker.deliver_due()
        desk.clock.now += 4 * DAY
        one.answers = [status(200)]
        await desk.worker.deliver_due()
        assert desk.found(endpoint_id).failing_since is None
        one.answers = [status(500)]
        desk.happen()
        await desk.worker.deliver_due()
        since = desk.clock.now
        desk.clock.now += 5 * DAY - 1
        desk.happen()
        while await desk.worker.deliver_due():
            pass
        assert desk.found(endpoint_id).status == "enabled"
        assert desk.found(endpoint_id).failing_since == since
        desk.clock.now += 1
        desk.happen()
        await desk.worker.deliver_due()
        found = desk.found(endpoint_id)
        assert (found.status, found.disabled_reason) == ("disabled", "failing")
        assert {row.status for row in desk.listed(status="pending")} == set()
        dead = desk.listed(status="dead")[0]
        assert desk.attempts(dead.delivery_id)[-1].next_try_at is None
    assert desk.store.read_now(lambda: audit.verify(desk.organization)) is None


async def test_during_a_rotation_both_secrets_verify_and_afterwards_the_new_one(desk):
    async with receiver() as one:
        endpoint_id, old = desk.endpoint(one.url)
        secret = webhooks.new_secret()
        desk.do(webhooks.rotate, desk.vault, endpoint_id, secret, 24)
        new = secret_text(secret)
        desk.happen()
        await desk.worker.deliver_due()
        for known in (old, new):
            Webhook(known).verify(one.received[0].body, one.received[0].headers)
        # The overlap ends by the clock of the service; the verifier's tolerance is about another thing.
        execute_now(desk, "update webhook_endpoint set previous_secret_ends_at = ?", desk.clock.now)
        desk.happen()
        await desk.worker.deliver_due()
        Webhook(new).verify(one.received[1].body, one.received[1].headers)
        with pytest.raises(Exception, match="No matching signature"):
            Webhook(old).verify(one.received[1].body, one.received[1].headers)
        assert [signature.partition(",")[0] for signature in one.received[1].headers["webhook-signature"].split()] == [
            "v1",
            "v1a",
        ]


def execute_now(desk, sql, *parameters):
    desk.store.write_now(lambda: execute(sql, parameters))


async def test_a_rotation_without_overlap_ends_the_old_secret_at_once(desk):
    async with receiver() as one:
        endpoint_id, old = desk.endpoint(one.url)
        desk.do(webhooks.rotate, desk.vault, endpoint_id, webhooks.new_secret(), 0)
        desk.happen()
        await desk.worker.deliver_due()
        with pytest.raises(Exception, match="No matching signature"):
            Webhook(old).verify(one.received[0].body, one.received[0].headers)


async def test_endpoints_get_the_events_of_their_choice_mode_and_organization(desk):
    async with receiver() as one:
        chosen, _ = desk.endpoint(one.url + "1", event_types=("quote.created", "customer.created"))
        other, _ = desk.endpoint(one.url + "2", event_types=("quote.created",))
        everything, _ = desk.endpoint(one.url + "3")
        live, _ = desk.endpoint(one.url + "4", livemode=True)
        desk.store.write_now(lambda: endpoints.verify(live, 1))
        stranger = Desk(desk.store)
        strange, _ = stranger.endpoint(one.url + "5")
        desk.happen()
        desk.happen(livemode=True)
        assert sorted((row.endpoint_id, row.livemode) for row in desk.listed()) == [
            (chosen, False),
            (everything, False),
            (live, True),
        ]
        assert stranger.listed() == ()
        await stranger.sender.close()
    assert {other, strange}.isdisjoint(row.endpoint_id for row in desk.listed())


async def test_what_is_paused_waits_and_goes_on(desk):
    async with receiver() as one:
        endpoint_id, _ = desk.endpoint(one.url)
        desk.do(webhooks.pause, endpoint_id)
        event_id = desk.happen()
        assert await desk.worker.deliver_due() == 0
        with pytest.raises(Fault, match="paused"):
            desk.do(webhooks.ping, endpoint_id)
        desk.do(webhooks.resume, endpoint_id)
        assert await desk.worker.deliver_due() == 1
        assert one.received[0].id == event_id


async def test_what_cannot_be_tried_yet_takes_no_turn_of_the_writers(desk, monkeypatch):
    """A paused endpoint's events may wait for weeks, and every worker looks five times a second."""

    def refuse(work):
        raise AssertionError("nothing can be claimed")

    async with receiver() as one:
        paused, _ = desk.endpoint(one.url + "paused")
        desk.happen()
        desk.do(webhooks.pause, paused)
        busy, _ = desk.endpoint(one.url + "busy")
        for _ in range(MOST_OF_ENDPOINT + 1):
            desk.happen()
        assert [claimed.endpoint_id for claimed in await desk.worker._claim()] == [busy] * MOST_OF_ENDPOINT
        with monkeypatch.context() as patched:
            patched.setattr(desk.store, "write", refuse)
            assert await desk.worker._claim() == []
        desk.do(webhooks.resume, paused)
        claimed = await desk.another_worker()._claim()
        assert {one.endpoint_id for one in claimed} == {paused}


async def test_a_live_endpoint_gets_no_event_before_it_answered_its_challenge(desk):
    async with receiver(status(200, b'{"challenge": "guess"}')) as one:
        endpoint_id, secret = desk.endpoint(one.url, livemode=True)
        desk.happen(livemode=True)
        assert desk.listed() == ()
        with pytest.raises(Fault, match="is unverified"):
            desk.do(webhooks.resume, endpoint_id)
        verified, attempt, endpoint = await verify(desk, endpoint_id)
        assert (verified, attempt.error, endpoint.status) == (False, "challenge", "unverified")
        for bad in (b"", b"[]", b'"x"', b"\xff", b'{"challenge": null}'):
            one.answers = [status(200, bad)]
            assert not (await verify(desk, endpoint_id))[0]
        one.answers = [status(500)]
        assert (await verify(desk, endpoint_id))[1].error == "status"
        one.answers = [receivers.challenged]
        verified, attempt, endpoint = await verify(desk, endpoint_id)
        assert (verified, attempt.error, endpoint.status) == (True, "", "enabled")
        Webhook(secret).verify(one.received[-1].body, one.received[-1].headers)
        desk.happen(livemode=True)
        assert await desk.worker.deliver_due() == 1


def verify(desk, endpoint_id):
    return webhooks.verify(desk.store, desk.vault, desk.sender, desk.act(), endpoint_id, desk.clock)


async def test_a_ping_arrives_at_an_endpoint_that_is_not_verified_and_nowhere_else(desk):
    async with receiver() as one, receiver() as other:
        endpoint_id, secret = desk.endpoint(one.url, livemode=True)
        desk.endpoint(other.url)
        event_id, _ = desk.do(webhooks.ping, endpoint_id)
        assert await desk.worker.deliver_due() == 1
        (delivery,) = one.received
        assert delivery.event["data"]["object"]["endpoint_id"] == endpoint_id
        assert (delivery.id, delivery.event["type"], delivery.event["livemode"]) == (event_id, "ping", True)
        Webhook(secret).verify(delivery.body, delivery.headers)
        assert other.received == []


async def test_a_worker_that_dies_leaves_a_lease_that_runs_out(desk):
    async with receiver() as one:
        desk.endpoint(one.url)
        event_id = desk.happen()
        (claimed,) = await desk.worker._claim()
        assert await desk.another_worker().deliver_due() == 0
        desk.clock.now += 7 * SECOND
        assert await desk.another_worker().deliver_due() == 1
        # The one that was thought dead comes back late with a failure: the success stays.
        late = deliveries.Attempt(0, desk.clock.now, 1, 500, "status", b"")
        desk.store.write_now(lambda: deliveries.finish(claimed, late, now=desk.clock.now, wait=5.0))
        (row,) = desk.listed()
        assert (row.status, row.attempts) == ("delivered", 2)
    assert [delivery.id for delivery in one.received] == [event_id]


async def test_two_workers_never_try_the_same_delivery_at_once(desk):
    async with receiver() as one:
        for number in range(4):
            desk.endpoint(one.url + str(number))
        ids = [desk.happen() for _ in range(8)]
        workers = [desk.worker, desk.another_worker(), desk.another_worker()]
        while sum(await asyncio.gather(*(worker.deliver_due() for worker in workers))):
            pass
    assert sorted(delivery.id for delivery in one.received) == sorted(ids * 4)


async def test_endpoints_take_turns_and_one_that_fails_gets_one_at_a_time(desk):
    async with receiver() as one:
        busy, _ = desk.endpoint(one.url + "busy")
        for _ in range(30):
            desk.happen()
        quiet, _ = desk.endpoint(one.url + "quiet")
        failing, _ = desk.endpoint(one.url + "failing")
        desk.clock.now += 1
        desk.happen()
        desk.happen()
        execute_now(desk, "update webhook_endpoint set failing_since = 1 where id = ?", failing)
        claimed = await desk.worker._claim()
        assert [one.endpoint_id for one in claimed] == [busy, quiet, failing, busy, quiet, busy, busy]
        assert await desk.worker._claim() == [], "all that may be under way is"


async def test_a_hanging_receiver_is_given_its_time_and_no_more(desk):
    async with (
        receiver(receivers.hang) as one,
        receiver(receivers.drip) as slow,
        receiver(receivers.drip_body) as slower,
    ):
        for bad in (one, slow, slower):
            desk.endpoint(bad.url)
        desk.happen()
        began = time.monotonic()
        assert await desk.worker.deliver_due() == 3
        assert time.monotonic() - began < 10
        errors = {row.endpoint_id: desk.attempts(row.delivery_id)[0].error for row in desk.listed()}
    assert sorted(errors.values()) == ["status", "timeout", "timeout"]


async def test_hardly_anything_is_read_of_a_large_answer(desk):
    async with receiver(receivers.gigabyte) as one:
        desk.endpoint(one.url)
        desk.happen()
        assert await desk.worker.deliver_due() == 1
        (attempt,) = desk.attempts(desk.listed()[0].delivery_id)
        assert (attempt.error, len(attempt.answer)) == ("status", 512)


async def test_what_cannot_be_reached_is_told_by_its_kind(desk):
    async with receiver() as gone:
        pass
    async with plain_text_server() as nonsense:
        desk.endpoint(gone.url)
        desk.endpoint(f"http://127.0.0.1:{nonsense}/")
        desk.endpoint(f"https://127.0.0.1:{nonsense}/tls")
        desk.endpoint("http://no-such-name.invalid/")
        desk.endpoint("https://10.1.2.3/")
        desk.happen()
        await desk.worker.deliver_due()
    errors = {}
    for row in desk.listed():
        errors[desk.found(row.endpoint_id).url.partition("://")[2]] = desk.attempts(row.delivery_id)[0].error
    assert sorted(errors.values()) == ["connection", "name", "protocol", "refused", "tls"]
    assert errors["10.1.2.3/"] == "refused"


@contextlib.asynccontextmanager
async def plain_text_server():
    async def answer(reader, writer):
        await reader.read(1)
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_secret_that_does_not_open_is_said_and_tried_again(desk):
    async with receiver() as one:
        desk.endpoint(one.url)
        desk.happen()
        execute_now(desk, "update webhook_endpoint set secret = substr(secret, 1, 1)")
        await desk.worker.deliver_due()
        (row,) = desk.listed()
        assert (row.status, desk.attempts(row.delivery_id)[0].error) == ("pending", "secret")
    assert one.received == []


async def test_a_deleted_endpoint_gets_nothing_and_its_log_stays(desk):
    async with receiver() as one:
        endpoint_id, _ = desk.endpoint(one.url)
        desk.happen()
        assert desk.do(webhooks.delete, endpoint_id) == 1
        desk.happen()
        assert await desk.worker.deliver_due() == 0
        assert [row.status for row in desk.listed()] == ["dead"]
        assert desk.found(endpoint_id) is None
        desk.endpoint(one.url)


async def test_twenty_endpoints_and_no_more_and_none_twice(desk):
    for number in range(20):
        desk.endpoint(f"http://127.0.0.1/{number}", livemode=number % 2 == 0)
    with pytest.raises(Fault, match="at most 20"):
        desk.endpoint("http://127.0.0.1/20")
    with pytest.raises(Fault, match="There is an endpoint"):
        desk.endpoint("http://127.0.0.1/1")


async def test_the_log_is_kept_for_thirty_days(desk):
    async with receiver() as one:
        desk.endpoint(one.url)
        desk.happen()
        await desk.worker.deliver_due()
        desk.clock.now += 29 * DAY
        waiting, _ = desk.endpoint(one.url + "2")
        desk.do(webhooks.pause, waiting)
        desk.happen()
        desk.store.write_now(lambda: outbox.sweep(desk.clock.now))
        assert len(desk.listed()) == 3
        desk.clock.now += 2 * DAY
        desk.store.write_now(lambda: outbox.sweep(desk.clock.now))
        assert len(desk.listed()) == 2
        desk.clock.now += 30 * DAY
        assert desk.store.write_now(lambda: outbox.sweep(desk.clock.now)) == 2 - 1
        assert [row.status for row in desk.listed()] == ["pending"], "what an enabled endpoint has to get is kept"


async def test_the_worker_runs_by_itself_and_stops_when_told(desk):
    async with receiver() as one:
        desk.endpoint(one.url)
        desk.worker.start()
        ids = [desk.happen() for _ in range(10)]
        await one.wait_for(10)
        assert sorted(delivery.id for delivery in one.received) == sorted(ids)
        await desk.worker.stop()
        desk.happen()
        await asyncio.sleep(0.5)
        assert len(one.received) == 10
