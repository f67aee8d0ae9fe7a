"""Promises of the reference page: nothing from elsewhere, nothing inline, every link leads somewhere, all of the API."""

import json
from html.parser import HTMLParser

import pytest

from gateway.reference import public_pages
from gateway.reference.page import bounds, prose, render

PAGES = public_pages()
DOCUMENT = json.loads(PAGES["/api/v1/openapi.json"].content)


class Reader(HTMLParser):
    """Collects the tags of a page."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def values(self, name):
        return [attributes[name] for _, attributes in self.tags if name in attributes]


PAGE = Reader(PAGES["/docs"].content.decode())


def test_every_event_is_on_the_page_with_its_schema():
    html = PAGES["/docs"].content.decode()
    for name, item in DOCUMENT["webhooks"].items():
        schema = item["post"]["operationId"]
        assert f'<code>{name}</code> <span class="type"><a href="#schema-{schema}">{schema}</a>' in html
    assert "events" in PAGE.values("id")


def test_everything_the_page_loads_is_ours():
    loaded = [*PAGE.values("src"), *(given["href"] for tag, given in PAGE.tags if tag == "link")]
    assert {one for one in loaded if not one.startswith("data:")} <= PAGES.keys()
    assert len(loaded) == 3
    assert all(
        link.startswith("#") or link in PAGES for link in (given["href"] for tag, given in PAGE.tags if tag == "a")
    )
    for name in ("/docs/reference.css", "/docs/reference.js"):
        assert b"//" not in PAGES[name].content.replace(b"\n//", b"\n").removeprefix(b"//")


def test_nothing_is_inline():
    assert "style" not in {tag for tag, _ in PAGE.tags}
    assert all(given.get("src") for tag, given in PAGE.tags if tag == "script")
    names = {name for _, attributes in PAGE.tags for name in attributes}
    assert not {name for name in names if name == "style" or name.startswith("on")}
    policy = PAGES["/docs"].headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy


def test_every_anchor_is_there_once():
    ids = PAGE.values("id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in PAGE.values("href") if link.startswith("#")} <= set(ids)
    assert {one for value in PAGE.values("aria-labelledby") for one in value.split()} <= set(ids)
    assert set(PAGE.values("for")) <= set(ids)


def test_every_control_has_a_label():
    labelled = set(PAGE.values("for"))
    controls = [given for tag, given in PAGE.tags if tag in ("input", "select", "textarea")]
    assert controls
    assert all(given["id"] in labelled for given in controls)


def test_every_operation_and_schema_is_on_the_page():
    ids = set(PAGE.values("id"))
    operations = {operation["operationId"] for item in DOCUMENT["paths"].values() for operation in item.values()}
    assert operations <= ids
    assert {f"schema-{name}" for name in DOCUMENT["components"]["schemas"]} <= ids


def test_only_operations_that_take_a_key_or_nothing_can_be_tried():
    tried = {(given["data-method"], given["data-path"]) for tag, given in PAGE.tags if "data-path" in given}
    triable = {
        (method.upper(), path)
        for path, item in DOCUMENT["paths"].items()
        for method, operation in item.items()
        if not operation["security"] or any("api_key" in one for one in operation["security"])
    }
    assert tried == triable


def test_text_of_the_document_is_text():
    html = render({**DOCUMENT, "info": {**DOCUMENT["info"], "description": "<b>`<i>`</b>"}})
    assert "<p>&lt;b&gt;<code>&lt;i&gt;</code>&lt;/b&gt;</p>" in html
    assert str(prose("a\n\n<b>")) == "<p>a</p><p>&lt;b&gt;</p>"


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"minLength": 1, "maxLength": 20000}, ["1 to 20,000 characters"]),
        ({"maxLength": 80}, ["at most 80 characters"]),
        ({"minimum": 0, "maximum": 0.95}, ["0 to 0.95"]),
        ({"minimum": 1, "maximum": 2**32 - 1}, ["at least 1"]),
        ({"minimum": 0, "maximum": 2**32 - 1}, []),
        ({"enum": ["a", "b"]}, ["one of a, b"]),
        ({"format": "email"}, ["e-mail address"]),
        ({"format": "uuid"}, ["uuid"]),
        ({"minLength": 1, "pattern": r"\S"}, ["at least 1 characters"]),
        ({"pattern": "^a$"}, ["matches ^a$"]),
    ],
)
def test_rules_are_told_in_words(schema, words):
    assert bounds(schema) == words
