"""What is fuzzed: functions that read what strangers send, each with what must hold for any bytes at all, and with the
seeds that its search begins from. Needs no fuzzer: `test_replay.py` runs the seeds, `__main__.py` searches on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from google.protobuf import json_format
from quotewright.contract import FILES

from gateway import admission
from gateway.envelope import Problem
from gateway.routes import Match, NotAllowed, Route, RouteTable
from gateway.templates import Template, TemplateError
from gateway.transcode import RequestTranscoder, TranscodeError
from gateway.web import customer
from gateway.web.portal import protection
from server.delivery.egress import LONGEST_URL, Egress, EgressError
from server.domain import credentials
from server.domain.document import Content
from server.domain.drafting.quantities import find_quantities
from server.domain.drafting.segments import split_request
from server.domain.intake.candidate import Context
from server.domain.intake.profiles import PROFILES
from server.domain.intake.reading import IntakeReader
from server.domain.proofreading import protected
from server.domain.proofreading.edit import Edit, apply
from server.embedded import load_embedded
from server.extraction.limits import RefusedError
from server.extraction.reading import read_document
from server.intake import intake_reader
from server.links import Link, LinkError, Signer
from tests import papers

#: Characters of a text that is fuzzed: what goes wrong does so in short ones, and those are tried more often.
LONGEST_TEXT = 2000
FORM = "application/x-www-form-urlencoded"
FORM_WITH_FILES = "multipart/form-data; boundary=b"


@dataclass(frozen=True)
class Target:
    """``run`` raises for bytes that break a promise, and for nothing else."""

    name: str
    run: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]


def _text(data: bytes) -> str:
    """Bytes as a text, as far as they are one: any text can come of it."""
    return data.decode("utf-8", "ignore").replace("\0", "")[:LONGEST_TEXT]


# --- the gateway ----------------------------------------------------------------------------------------------------


@cache
def _table() -> RouteTable:
    return RouteTable.from_files(FILES)


@cache
def _routes(name: str) -> tuple[Route, RequestTranscoder]:
    (route,) = [one for one in _table().routes if one.rpc.endswith(f"/{name}")]
    return route, RequestTranscoder.for_route(route)


def path_template(data: bytes) -> None:
    """A template that is one says itself again; a path has a route, other methods, or none."""
    text = data.decode("latin-1")
    try:
        template = Template.parse(text)
    except TemplateError:
        pass
    else:
        assert Template.parse(str(template)) == template
    for verb in ("GET", "POST", "DELETE"):
        found = _table().match(verb, text)
        assert found is None or isinstance(found, Match | NotAllowed)
        if isinstance(found, Match):
            assert "\ufffd" not in "".join(found.variables.values()) or "%EF%BF%BD" in text.upper()


#: Routes with bodies of every sort: flat, nested, repeated, with numbers, times and optional fields.
BODIES = (
    "GenerateQuote",
    "UpdateQuote",
    "ReplacePricingSettings",
    "CreateTemplate",
    "AnswerQuestions",
    "CorrectIntake",
)


def json_body(data: bytes) -> None:
    """A body is refused with its violations, or is a message that its own JSON gives again."""
    if not data:
        return
    route, transcoder = _routes(BODIES[data[0] % len(BODIES)])
    variables = {name: "7" for name in ("quote_id", "template_id") if f"{{{name}}}" in route.template}
    try:
        message = transcoder.decode(variables, "", data[1:], "application/json")
    except TranscodeError as error:
        assert error.violations
        return
    given = json.loads(data[1:])
    assert isinstance(given, dict)
    again = json_format.MessageToDict(message, preserving_proto_field_name=True)
    assert json_format.ParseDict(again, type(message)()) == message


def query(data: bytes) -> None:
    """Parameters are refused with their violations, or are those of the message."""
    if not data:
        return
    _, transcoder = _routes(("ListQuotes", "PreviewQuote", "SearchItems", "StartImport")[data[0] % 4])
    text = data[1:].decode("latin-1").translate({ord(c): None for c in "#\r\n"})
    try:
        message = transcoder.decode({}, text, b"", "text/csv")
    except TranscodeError as error:
        assert error.violations
        return
    assert len(message.ListFields()) <= text.count("&") + 2


def form(data: bytes) -> None:
    """A form is refused, or has few fields of text that any database keeps; where it leads on is on this site."""
    first, _, rest = data.partition(b"\n")
    for content_type, body in ((FORM, data), (FORM_WITH_FILES, data), (first.decode("latin-1"), rest)):
        try:
            fields, files = protection.read_form(content_type, body)
        except Problem as problem:
            assert problem.status in (415, 422)
            continue
        assert len(fields) <= protection.MOST_FIELDS and len(files) <= protection.MOST_FIELDS
        assert sum(len(one.content) for one in files.values()) <= len(body)
        for value in (
            *(value for values in fields.values() for value in values),
            *(one.name for one in files.values()),
        ):
            assert "\0" not in value
            value.encode()
            onward = protection.local_path(value)
            assert onward.startswith("/") and not onward.startswith(("//", "/\\")) and "\\" not in onward
            assert not urlsplit(onward).netloc
    try:
        customer.decision("token", FORM, data)
    except Problem as problem:
        assert problem.status in (415, 422)


def cookie_and_origin(data: bytes) -> None:
    """Whatever a browser is said to send is passed or refused."""
    text = data.decode("latin-1")
    site, _, origin = text.partition("\n")
    for check in (protection.check_origin, customer.check_origin):
        for headers in ({"Origin": text, "Host": "localhost"}, {"Sec-Fetch-Site": site, "Origin": origin, "Host": "a"}):
            try:
                check(headers)
            except Problem as problem:
                assert problem.status == 403
    try:
        protection.check_csrf("holder", text)
    except Problem as problem:
        assert problem.status == 403
    else:
        raise AssertionError("a token of chance was taken")


def key(data: bytes) -> None:
    """What is taken for a key has its checksum, so that a letter changed is another text or none."""
    text = data.decode("latin-1")
    for headers in (
        {"X-API-Key": text},
        {"Authorization": text},
        {"X-API-Key": text, "Authorization": f"Bearer {text}"},
    ):
        try:
            found = admission.credential_of(headers)
        except Problem as problem:
            assert problem.status == 401
        else:
            assert found.isascii() and len(found) <= 512
    credential = credentials.parse(text)
    if credential is not None:
        assert credential.public_id in text and text.startswith(f"qw_{credential.kind}_")
        changed = text[:-1] + ("a" if text[-1] != "a" else "b")
        assert credentials.parse(changed) is None
        assert credentials.parse(text + "\n") is None
    try:
        Signer(b"secret of nobody").read(text, 0.0)
    except LinkError:
        return
    raise AssertionError("a token that nobody signed was read")


# --- the server -----------------------------------------------------------------------------------------------------


def egress_url(data: bytes) -> None:
    """A URL that passes means the same to another parser, and names a public host by https."""
    text = data.decode("latin-1")
    try:
        Egress().check_url(text)
    except EgressError:
        return
    assert len(text) <= LONGEST_URL and text.isascii() and text.isprintable()
    other = urlsplit(text)
    assert other.scheme == "https" and other.username is None and other.password is None
    assert (other.port or 443) in (443, 8443)
    assert other.hostname
    try:
        address = ip_address(other.hostname)
    except ValueError:
        assert "." in other.hostname.rstrip(".") or other.hostname.endswith("."), text
        last = other.hostname.rstrip(".").rpartition(".")[2]
        assert not last.isdigit() and not last.startswith("0x"), text
    else:
        assert address.is_global and not address.is_multicast, text


#: What a document may say that it is, with the name of its file.
KINDS = (
    ("application/octet-stream", ""),
    ("text/plain", "job.txt"),
    ("text/csv", "bill.csv"),
    ("application/pdf", "bill.pdf"),
    (papers.DOCX, "bill.docx"),
    (papers.XLSX, "bill.xlsx"),
    ("message/rfc822", "mail.eml"),
)


def document(data: bytes) -> None:
    """A document is refused with a reason or read into content that can be stored; the process is bounded outside."""
    if not data:
        return
    content_type, filename = KINDS[data[0] % len(KINDS)]
    try:
        content = read_document(data[1:], content_type, filename)
    except RefusedError as refused:
        assert refused.reason and refused.message
        return
    assert "\0" not in content.text
    stored = json.dumps(content.to_json())
    stored.encode()
    assert Content.from_json(json.loads(stored)) == content


def quantities(data: bytes) -> None:
    """Figures are finite and where they say."""
    text = _text(data)
    for quantity in find_quantities(text):
        assert 0 <= quantity.span.start < quantity.span.end <= len(text)
        for figure in (quantity.value, quantity.low, quantity.high):
            assert figure.is_finite() and figure >= 0
        assert quantity.low <= quantity.high


def segments(data: bytes) -> None:
    """Clauses are parts of the text, in order."""
    text = _text(data)
    for clause in split_request(text, find_quantities(text)):
        assert 0 <= clause.start <= clause.end <= len(text)


@cache
def _reader() -> IntakeReader:
    return intake_reader(load_embedded())


def intake(data: bytes) -> None:
    """Any note gives a form, whose values stand where they say."""
    if not data:
        return
    profiles = sorted(PROFILES)
    text = _text(data[1:])
    context = Context("US", "USD", date(2026, 11, 21))
    form = _reader().read(profiles[data[0] % len(profiles)], text, context)
    for value in form.values:
        candidate = value.candidate
        assert 0 <= candidate.start <= candidate.end <= len(text)


def protected_spans(data: bytes) -> None:
    """Spans are in order, apart, inside one line; edits that are let through leave every protected token."""
    text = _text(data)
    end = 0
    for start, stop in protected.spans(text):
        assert end <= start < stop <= len(text)
        assert "\n" not in text[start:stop]
        end = stop
    edits = tuple(
        Edit(at, at + 1, "x", "spelling", "fuzz", "", 1.0) for at in range(0, len(text), 3) if not text[at].isspace()
    )
    let = protected.harmless(text, edits)
    assert protected.tokens(apply(text, let)) == protected.tokens(text)


# --- seeds ----------------------------------------------------------------------------------------------------------


def _requests() -> list[bytes]:
    from tests.unit.server.domain.drafting import requests

    return [one.text.encode() for one in (*requests.BEFORE, *requests.AFTER, *requests.FRESH)]


def _quantities() -> list[bytes]:
    from tests.unit.server.domain.drafting.quantity_cases import CASES, NAMES

    return [text.encode() for text in (*(one[0] for one in CASES), *NAMES)]


def _notes() -> list[bytes]:
    from tools.evaluation.intake import CASES

    return [bytes([index % 8]) + case.text.encode() for index, case in enumerate(CASES)]


def _paths() -> list[bytes]:
    written = [route.template.encode() for route in _table().routes]
    asked = [one.replace(b"{", b"").replace(b"}", b"") for one in written]
    odd = [b"/v1/{name=shelves/*/books/**}:read", b"/a/%2e%2e/b", b"/%", b"/%ff", b"//", b"/a:b:c", b"/{a.b=*}/**"]
    return written + asked + odd


def _bodies() -> list[bytes]:
    bodies = [
        (0, {"text": "Replace 12 m of guttering", "industry": "roofing"}),
        (1, {"line_items": [{"line_id": 1, "qty": 2.5, "price": "3.25", "optional": True}], "note": None}),
        (2, {"settings": {"currency": "USD", "tax_rate": 0.0825, "tax_classes": [{"kind": "labour", "rate": 0}]}}),
        (3, {"template": {"name": "T", "line_items": [{"description": "d", "qty": 1}], "created_at": "2026-01-01T00:00:00Z"}}),
        (4, {"answers": [{"question_id": "q1", "text": "two coats"}]}),
        (5, {"profile": "lead", "input": "Ann, 615-555-0100", "time_zone": "America/Chicago"}),
    ]  # fmt: skip
    odd = [
        b'{"a":1,"a":2}',
        b'{"text":"\\u0000"}',
        b'{"text":"\\ud800"}',
        b"[1e400]",
        b'{"text":1e999}',
        b"\xff",
        b"{" * 40,
    ]
    return [bytes([which]) + json.dumps(body).encode() for which, body in bodies] + [b"\0" + one for one in odd]


def _queries() -> list[bytes]:
    texts = [
        b"limit=10&offset=5&status=draft",
        b"text=Paint+60+m2&industry=",
        b"query=%E2%82%AC",
        b"dry_run=false&columns=a=b",
    ]
    odd = [b"limit=%", b"limit=1&limit=2", b"a.b.c=1", b"=", b"&&", b"limit=\xff", b"status=%00", b"limit=99999999999"]
    return [bytes([which]) + text for which in range(4) for text in (*texts, *odd)]


def _keys() -> list[bytes]:
    made = [credentials.make(kind, lambda below: below // 2).encode() for kind in credentials.CredentialKind]
    link = Signer(b"secret of somebody else")
    token = link.token(Link(5, 1, True, 7, 9, 2_000_000_000)).encode()
    return [*made, *(b"Bearer " + one for one in made), b"bearer", b"qw_", b"", token, token[:-1] + b"=", b"\xff" * 72]


def _urls() -> list[bytes]:
    from tests.unit.server.delivery import test_egress

    hosts = [f"[{one}]" if ":" in one else one for one in (*test_egress.NOT_PUBLIC, *test_egress.PUBLIC)]
    odd = ["https://a.example:8443/x?y#z", "https://u:p@a.example/", "https://0x7f.1/", "https://a.example.:443/",
           "https://127.1/", "https://a\\@b.example/", "https://[::1]:443@b.example/", "http://a.example/", "https://ａ.example"]  # fmt: skip
    return [f"https://{host}/hook".encode() for host in hosts] + [one.encode() for one in odd]


def _documents() -> list[bytes]:
    word, bill, book = papers.word(), papers.pdf(), papers.workbook(Walls=papers.BILL)
    mail = (
        b"From: ann@customer.example.com\r\nSubject: Job\r\nContent-Type: text/plain\r\n\r\nPaint 30 m2 of walls.\r\n"
    )
    found = [
        (1, b"Paint 30 m2"),
        (2, papers.separated(by=";")),
        (3, bill),
        (4, word),
        (5, book),
        (6, mail),
        (0, b"%PDF-1.4"),
    ]
    return [bytes([which]) + data for which, data in found]


def _forms() -> list[bytes]:
    return [
        b"csrf=abc&name=ci&scopes=quotes%3Aread&scopes=leads%3Awrite&livemode=on",
        b"decision=accept&name=Ann", b"decision=decline&name=Ann&reason=%0d%0atoo%00dear", b"next=//evil.example/",
        b"next=/\\evil.example", b"next=%2F%2Fevil.example", b"a=%ff", b"a=%", b"&".join(b"a%d=1" % n for n in range(70)), b"\xff",
        b'--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nabc\r\n--b\r\nContent-Disposition: form-data; '
        b'name="file"; filename="logo.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n--b--\r\n',
        b'--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\nQQ==\r\n--b--\r\n',
        b'--b\r\nContent-Disposition: form-data; name="\xff"; filename*=utf-8\'\'%00..%2f\r\n\r\nx\r\n--b--\r\n',
        b"--b\r\n\r\nno name\r\n--b--\r\n", b"multipart/form-data; boundary=\n--\r\n", b"--b\r\n" * 40,
    ]  # fmt: skip


def _origins() -> list[bytes]:
    return [
        b"https://localhost",
        b"null",
        b"same-origin\nhttps://a",
        b"cross-site\nhttps://b",
        b"https://[",
        b"https://a:b",
        b"\xff",
    ]


TARGETS = {
    target.name: target
    for target in (
        Target("path_template", path_template, _paths),
        Target("json_body", json_body, _bodies),
        Target("query", query, _queries),
        Target("form", form, _forms),
        Target("cookie_and_origin", cookie_and_origin, _origins),
        Target("key", key, _keys),
        Target("egress_url", egress_url, _urls),
        Target("document", document, _documents),
        Target("quantities", quantities, _quantities),
        Target("segments", segments, _requests),
        Target("intake", intake, _notes),
        Target("protected_spans", protected_spans, lambda: _requests() + _quantities()),
    )
}
