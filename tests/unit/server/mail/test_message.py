"""Promises of rendered mail: whatever people write is text, no header says what nobody meant, programs can read it."""

import email
import email.policy
from datetime import date
from email.utils import getaddresses

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.domain.mailboxes import is_mailbox, mailbox, wire_form
from server.mail.letters import Letters, QuoteNews
from server.mail.message import Attachment, Letter, compose, one_line

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
AT = 1_800_000_000_000_000
LETTERS = Letters("quotes@acme.example.com")


def letter(**values):
    return Letter(
        **{
            "message_id": "<1@acme.example.com>",
            "sender_name": "Acme",
            "sender": "quotes@acme.example.com",
            "recipient": "ann@customer.example.com",
            "subject": "A quote",
            "text": "Hello",
            "at": AT,
            **values,
        }
    )


def news(**values):
    return QuoteNews(
        **{
            "company_name": "Acme",
            "company_address": "1 Main St\nNashville",
            "customer_name": "Ann",
            "quote_id": 7,
            "quote_number": "Q-2026-000007",
            "total": "$1,234.50",
            "valid_until": date(2026, 12, 31),
            "subject": "",
            "message": "",
            "reply_to": "bob@acme.example.com",
            "pdf": b"%PDF-1.4",
            **values,
        }
    )


def read(content):
    return email.message_from_bytes(content, policy=email.policy.default)


HEADERS = ["From", "To", "Reply-To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"]


@settings(deadline=None)
@given(TEXT, TEXT, TEXT)
def test_no_text_adds_a_header_or_breaks_the_mail(name, subject, text):
    content = compose(letter(sender_name=name, subject=subject, text=text, reply_to="bob@acme.example.com"))
    mail = read(content)
    assert sorted(mail.keys()) == sorted([*HEADERS, "Content-Transfer-Encoding"])
    assert mail["Subject"] == one_line(subject)
    assert [one.addr_spec for one in mail["From"].addresses] == ["quotes@acme.example.com"]
    assert [one.addr_spec for one in mail["To"].addresses] == ["ann@customer.example.com"]
    assert content.isascii(), "any server takes it"
    assert all(len(one) <= 998 for one in content.split(b"\r\n"))
    assert b"\n" not in content.replace(b"\r\n", b"")


@settings(deadline=None)
@given(st.text(st.sampled_from('ab ,;:()<>@."\\[]ü'), max_size=200))
@example("Smith, Jones and Partners (Building and Decorating), Plumbing, Heating and Sons of Nashville")
@example("A" * 63 + ", B")
@example('"' * 200)
def test_a_name_of_any_length_and_signs_goes_with_one_mailbox(name):
    content = compose(letter(sender_name=name, reply_to="bob@acme.example.com"))
    raw = email.message_from_bytes(content, policy=email.policy.compat32)
    for header, address in (("From", "quotes@acme.example.com"), ("Reply-To", "bob@acme.example.com")):
        assert [found for _, found in getaddresses([raw[header].replace("\r\n", "")])] == [address]
        assert [one.addr_spec for one in read(content)[header].addresses] == [address]
    if name.isascii():
        shown = read(content)["From"].addresses[0].display_name
        assert one_line(name).startswith(shown)
        assert len(shown) >= min(len(one_line(name)), 32) - 1


def test_a_reply_address_that_takes_another_server_is_left_out():
    sent = LETTERS.quote(news(reply_to="jürgen@acme.example.com"), "ann@customer.example.com", "https://x/q/t", AT)
    assert sent.content.isascii()
    assert read(sent.content)["Reply-To"] is None
    internationalized = LETTERS.quote(news(reply_to="jürgen@acme.example.com"), "änn@customer.example.com", "https://x/q/t", AT)  # fmt: skip
    assert "\r\nReply-To: Acme <jürgen@acme.example.com>\r\n".encode() in internationalized.content
    domain_only = LETTERS.quote(news(reply_to="bob@bücher.example.com"), "ann@customer.example.com", "https://x/q/t", AT)  # fmt: skip
    assert read(domain_only.content)["Reply-To"].addresses[0].addr_spec == "bob@xn--bcher-kva.example.com"


def test_line_breaks_in_what_becomes_a_header_are_gone():
    mail = read(LETTERS.quote(news(company_name="Acme\r\nBcc: eve@example.com", subject="Hi\nX: y"), "ann@customer.example.com", "https://x/q/t", AT).content)  # fmt: skip
    assert mail["Bcc"] is None
    assert mail["X"] is None
    assert mail["Subject"] == "Hi X: y"
    assert mail["From"].addresses[0].display_name == "Acme Bcc: eve@example.com"


@pytest.mark.parametrize(
    ("written", "on_the_wire"),
    [
        ("ann@customer.example.com", "ann@customer.example.com"),
        (" Ann@Customer.Example.COM ", "Ann@customer.example.com"),
        ("ann@bücher.example.com", "ann@xn--bcher-kva.example.com"),
        ("änn@bücher.example.com", "änn@xn--bcher-kva.example.com"),
    ],
)
def test_addresses_of_all_scripts_are_taken(written, on_the_wire):
    address = wire_form(mailbox(written))
    assert address == on_the_wire
    mail = LETTERS.quote(news(), mailbox(written), "https://x/q/t", AT)
    assert mail.recipient == on_the_wire
    assert f"\r\nTo: {on_the_wire}\r\n".encode() in mail.content
    assert mail.content.isascii() is on_the_wire.isascii()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ann",
        "a@b",
        "a b@customer.example.com",
        "a@customer.example.com\r\nBcc: b@example.com",
        "a@customer.example.com,b@example.com",
        "x" * 300 + "@example.com",
        "a@localhost",
    ],
)
def test_what_is_no_address_is_refused(text):
    assert not is_mailbox(text)


@settings(deadline=None)
@given(TEXT)
def test_the_html_holds_what_people_wrote_as_text(text):
    marked = f"<i>{text}</i>"
    mail = read(LETTERS.quote(news(company_name=marked, customer_name=marked, message=marked, company_address=marked), "ann@customer.example.com", "https://x/q/t", AT).content)  # fmt: skip
    html = mail.get_body(("html",)).get_content()
    assert "<i>" not in html
    assert html.count("&lt;i&gt;") == 5


def test_the_mail_says_what_matters_in_text_and_in_html_and_brings_the_pdf():
    found = LETTERS.quote(news(message="Thank you"), "ann@customer.example.com", "https://x/q/token", AT)
    mail = read(found.content)
    assert mail["Subject"] == "Quote Q-2026-000007 from Acme"
    assert mail["Reply-To"] == "Acme <bob@acme.example.com>"
    assert mail["Message-ID"] == found.message_id
    for kind in ("plain", "html"):
        text = mail.get_body((kind,)).get_content()
        for one in (
            "Thank you",
            "Dear Ann",
            "Q-2026-000007",
            "$1,234.50",
            "2026-12-31",
            "https://x/q/token",
            "1 Main St",
        ):
            assert one in text
    (attachment,) = mail.iter_attachments()
    assert (attachment.get_content_type(), attachment.get_filename()) == ("application/pdf", "Q-2026-000007.pdf")
    assert attachment.get_content() == b"%PDF-1.4"
    assert LETTERS.quote(news(), "ann@customer.example.com", "https://x/q/token", AT).message_id != found.message_id


@pytest.mark.parametrize("reason", ["gone", "failing"])
def test_the_owner_learns_which_endpoint_and_why(reason):
    mail = read(
        LETTERS.endpoint_disabled("boss@acme.example.com", 12, "https://hooks.example.com/x", reason, AT).content
    )
    text = mail.get_content()
    assert "https://hooks.example.com/x" in text
    assert ("410" in text) is (reason == "gone")
    assert mail["Auto-Submitted"] == "auto-generated"


def test_an_attachment_of_any_bytes_arrives_as_it_is():
    content = bytes(range(256)) * 40
    mail = read(compose(letter(html="<p>x</p>", attachments=[Attachment("a.pdf", "application/pdf", content)])))
    (attachment,) = mail.iter_attachments()
    assert attachment.get_content() == content
