"""Promises of handing mail over, against real SMTP servers: once where all goes well, again under the same Message-ID
where it does not, never in the open, and no server holds it up."""

import asyncio
import email
import io
import json
import time

import pytest

from process.log import Log
from server import administration
from server.delivery.leases import Times
from server.domain import retries
from server.mail.message import Letter, compose
from server.mail.transport import FileOutbox, MailError, SmtpServer
from server.mail.worker import MailWorker
from server.store import mail
from server.store.audit import Act
from server.store.database import Store
from server.store.mail import NewMail
from tests.doubles.smtp_servers import Handler, accounts, contexts, mute_server, smtp_server

SECOND = 1_000_000


class Desk:
    """A store with an organization, and a clock that is moved by hand."""

    def __init__(self, store):
        self.store = store
        self.organization = administration.create_organization(store, "Acme", "Starter")
        self.now = time.time_ns() // 1000
        self.log = io.StringIO()
        self.counted = []

    def worker(self, transport, within=2.0):
        times = Times(lambda: self.now, lambda: 0.0)
        log = Log("worker", self.log)
        return MailWorker(
            self.store,
            transport,
            log,
            within=within,
            times=times,
            count=lambda outcome, _: self.counted.append(outcome),
        )

    def post(self, recipient="ann@customer.example.com", livemode=True, number=1):
        message_id = f"<{number}@acme.example.com>"
        sender = "quotes@acme.example.com"
        content = compose(Letter(message_id, "Acme", sender, recipient, "Grüße", "Hello", self.now))
        act = Act(self.organization, livemode, "user:1", "", self.now)
        new = NewMail(message_id, "quote", "quote:1", sender, recipient, content)
        self.store.write_now(lambda: mail.post(act, new))

    def rows(self, **more):
        return self.store.read_now(lambda: mail.list_page(self.organization, limit=100, **more))

    @property
    def row(self):
        (row,) = self.rows()
        return row


@pytest.fixture
def desk(new_database):
    store = Store(new_database())
    yield Desk(store)
    store.close()


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    """Contexts of a server and of a client that trusts it."""
    return contexts(tmp_path_factory.mktemp("tls"))


async def test_mail_goes_over_starttls_with_the_password_and_arrives_whole(desk, tls):
    handler = Handler()
    desk.post()
    async with smtp_server(
        handler, starttls=tls[0], require_starttls=True, auth_required=True, authenticator=accounts
    ) as port:
        transport = SmtpServer(f"smtp://acme:secret%20word@localhost:{port}", 5.0, tls[1])
        assert await desk.worker(transport).deliver_due() == 1
    (received,) = handler.received
    assert received.encrypted
    assert (received.sender, received.recipient) == ("quotes@acme.example.com", "ann@customer.example.com")
    found = email.message_from_bytes(received.content, policy=email.policy.default)
    assert (found["Message-ID"], found["Subject"]) == ("<1@acme.example.com>", "Grüße")
    assert (desk.row.status, desk.row.tries, desk.row.error) == ("sent", 1, "")
    assert desk.counted == ["sent"]


async def test_mail_goes_over_tls_from_the_first_byte(desk, tls):
    handler = Handler()
    desk.post()
    async with smtp_server(handler, implicit=tls[0]) as port:
        await desk.worker(SmtpServer(f"smtps://localhost:{port}", 5.0, tls[1])).deliver_due()
    assert len(handler.received) == 1
    assert desk.row.status == "sent"


async def test_nothing_is_said_to_a_server_without_starttls(desk, tls):
    handler = Handler()
    desk.post()
    async with smtp_server(handler) as port:
        await desk.worker(SmtpServer(f"smtp://localhost:{port}", 5.0, tls[1])).deliver_due()
        assert (handler.received, desk.row.status) == ([], "pending")
        assert "STARTTLS" in desk.row.error
        desk.now = desk.row.next_try_at
        await desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0)).deliver_due()
    assert (len(handler.received), desk.row.status) == (1, "sent")


async def test_a_certificate_that_nobody_trusts_ends_it(desk, tls):
    handler = Handler()
    desk.post()
    async with smtp_server(handler, starttls=tls[0]) as port:
        await desk.worker(SmtpServer(f"smtp://localhost:{port}", 5.0)).deliver_due()
    assert (handler.received, desk.row.status) == ([], "pending")
    assert "CERTIFICATE_VERIFY_FAILED" in desk.row.error


async def test_a_wrong_password_is_tried_again_as_an_operator_can_mend_it(desk, tls):
    desk.post()
    async with smtp_server(Handler(), starttls=tls[0], auth_required=True, authenticator=accounts) as port:
        await desk.worker(SmtpServer(f"smtp://acme:wrong@localhost:{port}", 5.0, tls[1])).deliver_due()
    assert desk.row.status == "pending"
    assert desk.row.error.startswith("535")


async def test_a_busy_server_is_asked_again_until_it_takes_the_same_mail(desk):
    handler = Handler(answers=["451 later", "452 full"])
    desk.post()
    async with smtp_server(handler) as port:
        worker = desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0))
        for step in (1, 2):
            assert await worker.deliver_due() == 1
            assert (desk.row.status, desk.row.tries) == ("pending", step)
            assert desk.row.next_try_at == desk.now + retries.SCHEDULE[step] * SECOND
            assert await worker.deliver_due() == 0
            desk.now = desk.row.next_try_at
        assert await worker.deliver_due() == 1
    assert (desk.row.status, desk.row.tries, len(handler.received)) == ("sent", 3, 1)
    assert desk.counted == ["retry", "retry", "sent"]


@pytest.mark.parametrize(
    "refusing",
    [
        lambda: Handler(recipients={"ann@customer.example.com": "550 no such user"}),
        lambda: Handler(answers=["554 spam"]),
    ],
    ids=["recipient", "content"],
)
async def test_a_refusal_for_good_is_final_and_can_be_begun_anew(desk, refusing):
    handler = refusing()
    desk.post()
    async with smtp_server(handler) as port:
        worker = desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0))
        await worker.deliver_due()
        assert desk.row.status == "failed"
        assert desk.row.error[:3] in ("550", "554")
        assert desk.row.next_try_at is None
        desk.now += 365 * 24 * 3600 * SECOND
        assert await worker.deliver_due() == 0
        handler.recipients.clear()
        number = desk.row.mail_id
        assert not desk.store.write_now(lambda: mail.retry(desk.organization + 1, number, desk.now))
        assert desk.store.write_now(lambda: mail.retry(desk.organization, number, desk.now))
        await worker.deliver_due()
    assert desk.row.status == "sent"


async def test_a_recipient_that_is_refused_for_now_is_tried_again(desk):
    handler = Handler(recipients={"ann@customer.example.com": "450 greylisted"})
    desk.post()
    async with smtp_server(handler) as port:
        await desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0)).deliver_due()
    assert (desk.row.status, desk.row.error) == ("pending", "450 greylisted")


async def test_a_server_that_hangs_holds_nobody_up(desk):
    desk.post()
    for connect in (mute_server(), smtp_server(Handler(silence=60))):
        async with connect as port:
            began = time.monotonic()
            await desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 0.5)).deliver_due()
            assert time.monotonic() - began < 20
            assert desk.row.status == "pending"
            assert "0.5 s" in desk.row.error
            desk.now = desk.row.next_try_at


async def test_a_server_that_hangs_up_gets_the_mail_again_under_the_same_id(desk):
    handler = Handler(drops="before")
    desk.post()
    async with smtp_server(handler) as port:
        worker = desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0))
        await worker.deliver_due()
        assert (desk.row.status, handler.received) == ("pending", [])
        # It took the mail and did not get to say so: at least once.
        for handler.drops in ("after", ""):
            desk.now = desk.row.next_try_at
            await worker.deliver_due()
    assert desk.row.status == "sent"
    assert len(handler.received) == 2
    assert len({one.content for one in handler.received}) == 1


async def test_a_mail_that_was_taken_is_not_sent_again_for_a_bad_goodbye(desk):
    handler = Handler(drops_quit=True)
    desk.post()
    async with smtp_server(handler) as port:
        await desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0)).deliver_due()
    assert (desk.row.status, len(handler.received)) == ("sent", 1)


async def test_nobody_there_is_tried_again_until_the_steps_are_used_up(desk):
    desk.post()
    worker = desk.worker(SmtpServer("smtp://localhost:9?starttls=never", 1.0))
    for _ in range(10):
        assert desk.row.status == "pending"
        desk.now = desk.row.next_try_at
        assert await worker.deliver_due() == 1
    assert (desk.row.status, desk.row.tries) == ("failed", 10)
    assert await worker.deliver_due() == 0


async def test_an_internationalized_address_goes_by_smtputf8_or_not_at_all(desk):
    handler = Handler()
    desk.post(recipient="änn@customer.example.com")
    async with smtp_server(handler) as port:
        await desk.worker(SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0)).deliver_due()
    assert handler.received[0].recipient == "änn@customer.example.com"
    assert "SMTPUTF8" in handler.received[0].options


async def test_of_the_test_mode_nothing_is_sent(desk, tmp_path):
    desk.post(livemode=False)
    assert await desk.worker(FileOutbox(tmp_path / "outbox")).deliver_due() == 0
    assert (desk.row.status, desk.row.next_try_at) == ("withheld", None)
    assert not (tmp_path / "outbox").exists()


async def test_the_folder_gets_a_private_file_once_however_often_it_is_handed_over(desk, tmp_path):
    desk.post()
    worker = desk.worker(FileOutbox(tmp_path / "outbox"))
    claimed = desk.store.write_now(lambda: mail.claim("x", now=desk.now, until=desk.now, most=1))
    for _ in range(2):
        await worker.see_to(claimed[0])
    (file,) = (tmp_path / "outbox").iterdir()
    assert file.name == "1@acme.example.com.eml"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert file.read_bytes() == claimed[0].content
    assert desk.row.status == "sent"


async def test_a_folder_that_cannot_be_written_is_tried_again(desk, tmp_path):
    desk.post()
    (tmp_path / "outbox").write_text("a file in its place")
    await desk.worker(FileOutbox(tmp_path / "outbox")).deliver_due()
    assert desk.row.status == "pending"
    assert desk.row.error


async def test_two_workers_share_the_mail_and_a_lease_that_ran_out_is_taken_over(desk, tmp_path):
    for number in range(6):
        desk.post(number=number)
    first = desk.store.write_now(lambda: mail.claim("a", now=desk.now, until=desk.now + SECOND, most=4))
    second = desk.store.write_now(lambda: mail.claim("b", now=desk.now, until=desk.now + SECOND, most=4))
    assert (len(first), len(second)) == (4, 2)
    desk.now += SECOND
    third = desk.store.write_now(lambda: mail.claim("c", now=desk.now, until=desk.now + SECOND, most=9))
    assert {one.message_id for one in third} == {one.message_id for one in (*first, *second)}
    # The one that lost its lease may still report that it worked, and not that it failed.
    desk.store.write_now(lambda: mail.finish(first[0], "late", now=desk.now, wait=None))
    assert desk.rows()[-1].status == "pending"
    desk.store.write_now(lambda: mail.finish(first[0], "", now=desk.now, wait=None))
    assert desk.rows()[-1].status == "sent"


async def test_the_log_names_no_address(desk, tmp_path):
    desk.post()
    worker = desk.worker(FileOutbox(tmp_path / "outbox"))
    worker.start()
    for _ in range(100):
        if desk.row.status == "sent":
            break
        await asyncio.sleep(0.02)
    await worker.stop()
    worker._log.flush()
    lines = [json.loads(one) for one in desk.log.getvalue().splitlines()]
    assert [(one["event"], one["outcome"]) for one in lines] == [("mail", "sent")]
    assert "customer.example" not in desk.log.getvalue()


@pytest.mark.parametrize("steps", range(8))
async def test_a_worker_stops_however_near_to_being_woken_it_is_told(desk, tmp_path, steps):
    worker = desk.worker(FileOutbox(tmp_path / "outbox"))
    worker.start()
    await asyncio.sleep(0.05)  # it has looked for what is due, and waits
    worker._awake.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    stopped, _ = await asyncio.wait([asyncio.create_task(worker.stop())], timeout=5)
    assert stopped


async def test_what_ended_long_ago_is_swept_behind_what_waits_too(desk):
    desk.post(number=1)
    desk.post(number=2, livemode=False)
    later = desk.now + 31 * 24 * 3600 * SECOND
    # One at a time: what waits in front keeps nothing.
    assert desk.store.write_now(lambda: mail.sweep(later, 1)) == 1
    assert [row.status for row in desk.rows()] == ["pending"]


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost", "http://localhost", "smtp://", "smtp://host/path", "smtp://host?tls=no", "smtp://host?starttls=maybe",
        "smtp://user:password@host?starttls=never",
    ],
)  # fmt: skip
def test_a_url_that_says_no_server_is_refused_at_start(url):
    with pytest.raises(ValueError):
        SmtpServer(url, 1.0)


async def test_an_error_of_the_server_says_what_it_said(desk):
    handler = Handler(answers=["554 5.7.1 not today"])
    desk.post()
    async with smtp_server(handler) as port:
        transport = SmtpServer(f"smtp://localhost:{port}?starttls=never", 5.0)
        claimed = desk.store.write_now(lambda: mail.claim("x", now=desk.now, until=desk.now, most=1))
        with pytest.raises(MailError, match=r"554 5\.7\.1 not today") as caught:
            await transport.hand_over(claimed[0])
    assert caught.value.permanent
