"""Promises of the route table: the whole template syntax, one route for a request, and no start with a table in doubt."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf import descriptor_pb2, descriptor_pool
from hypothesis import given, settings
from hypothesis import strategies as st
from quotewright.contract import FILES
from quotewright.options.v1 import options_pb2
from quotewright.v1 import quote_pb2

from gateway.routes import Match, NotAllowed, RouteError, RouteTable
from gateway.templates import Template, TemplateError
from tests.doubles import all_kinds

FIELD = descriptor_pb2.FieldDescriptorProto
POLICY = options_pb2.Policy(credentials=[options_pb2.CREDENTIAL_KIND_PUBLIC])


def service(*rules, policy=POLICY, client_streaming=False):
    """A file with a service whose RPCs A, B, … have the rules; their messages have fields of some kinds."""
    file = descriptor_pb2.FileDescriptorProto(name="routes.proto", package="routes", syntax="proto3")
    message = file.message_type.add(name="Message")
    for number, (name, kind, label) in enumerate(
        (
            ("id", FIELD.TYPE_STRING, FIELD.LABEL_OPTIONAL),
            ("name", FIELD.TYPE_STRING, FIELD.LABEL_OPTIONAL),
            ("many", FIELD.TYPE_STRING, FIELD.LABEL_REPEATED),
            ("inner", FIELD.TYPE_MESSAGE, FIELD.LABEL_OPTIONAL),
            ("inners", FIELD.TYPE_MESSAGE, FIELD.LABEL_REPEATED),
        ),
        start=1,
    ):
        type_name = ".routes.Message" if kind == FIELD.TYPE_MESSAGE else None
        message.field.add(name=name, number=number, type=kind, label=label, type_name=type_name)
    methods = file.service.add(name="Service").method
    for name, rule in zip("ABCDEFGHIJKL", rules, strict=False):
        method = methods.add(name=name, input_type=".routes.Message", output_type=".routes.Message")
        method.client_streaming = client_streaming
        method.options.Extensions[annotations_pb2.http].CopyFrom(rule)
        if policy is not None:
            method.options.Extensions[options_pb2.policy].CopyFrom(policy)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return [pool.FindFileByName("routes.proto")]


def table(*rules, **options):
    return RouteTable.from_files(service(*rules, **options))


def gets(*templates):
    return table(*(HttpRule(get=template) for template in templates))


def found(routes, verb, path):
    """What a request finds: the last letter of the RPC and the variables, the methods, or None."""
    result = routes.match(verb, path)
    if isinstance(result, Match):
        return result.route.rpc[-1], result.variables
    return result.allow if isinstance(result, NotAllowed) else None


CONTRACT = RouteTable.from_files(FILES)


def test_the_contract_has_its_routes_and_rpcs_without_annotation_have_none():
    assert {(route.verb, route.template) for route in CONTRACT.routes} >= {
        ("POST", "/api/v1/quotes/generate"),
        ("POST", "/api/v1/sourcing/price"),
        ("POST", "/api/v1/leads/request"),
        ("GET", "/api/v1/config"),
    }
    assert not [route for route in CONTRACT.routes if "GateService" in route.rpc]


def test_a_route_says_what_its_annotations_say():
    route = CONTRACT.match("POST", "/api/v1/quotes/generate").route
    assert route.rpc == "/quotewright.v1.QuoteService/GenerateQuote"
    assert route.method is quote_pb2.DESCRIPTOR.services_by_name["QuoteService"].methods_by_name["GenerateQuote"]
    assert (route.request_class, route.response_class) == (
        quote_pb2.GenerateQuoteRequest,
        quote_pb2.GenerateQuoteResponse,
    )
    assert (route.body, route.response_body, route.streaming) == ("*", "quote", False)
    assert (route.policy.scope, route.policy.body_limit) == ("quotes:write", 262144)
    assert len(set(CONTRACT.routes)) == len(CONTRACT.routes)
    watch = RouteTable.from_files([all_kinds.file()]).match("PURGE", "/watch").route
    assert (watch.verb, watch.streaming) == ("*", True)


@pytest.mark.parametrize(
    ("verb", "path", "expected"),
    [
        ("GET", "/api/v1/quotes/12", ("GetQuote", {"quote_id": "12"})),
        ("HEAD", "/api/v1/quotes/12", ("GetQuote", {"quote_id": "12"})),
        ("GET", "/api/v1/quotes/12/pdf", ("GetQuotePdf", {"quote_id": "12"})),
        ("GET", "/api/v1/quotes/generate", ("PreviewQuote", {})),
        ("HEAD", "/api/v1/quotes/generate", ("PreviewQuote", {})),
        ("POST", "/api/v1/workflows/5/approve", ("ApproveWorkflow", {"workflow_id": "5"})),
        ("GET", "/%61pi/v1/config", ("GetConfig", {})),
    ],
)
def test_requests_of_the_contract(verb, path, expected):
    match = CONTRACT.match(verb, path)
    assert (match.route.rpc.rpartition("/")[2], match.variables) == expected


@pytest.mark.parametrize(
    ("verb", "path", "allow"),
    [
        ("DELETE", "/api/v1/quotes/generate", ("GET", "HEAD", "OPTIONS", "POST")),
        ("OPTIONS", "/api/v1/quotes", ("GET", "HEAD", "OPTIONS", "POST")),
        ("POST", "/api/v1/quotes/12", ("GET", "HEAD", "OPTIONS", "PATCH")),
        ("HEAD", "/api/v1/sourcing/price", ("OPTIONS", "POST")),
        ("get", "/api/v1/config", ("GET", "HEAD", "OPTIONS")),
    ],
)
def test_a_known_path_tells_the_methods_that_it_takes(verb, path, allow):
    assert CONTRACT.match(verb, path) == NotAllowed(allow)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "*",
        "api/v1/config",
        "/api/v1/config/",
        "/api/v1//config",
        "//api/v1/config",
        "/api/v1/quotes/",
        "/api/v1/quotes//pdf",
        "/api/v1/quotes/%",
        "/api/v1/quotes/%f",
        "/api/v1/quotes/%zz",
        "/api/v1/quotes/%ff",
        "/api/v1/quotes/%ED%A0%80",
        "/api/v1/quotes/\udcff",
        "/api/v1/config:x",
        "/api/v1/config:",
        "/API/v1/config",
        "/api/v1/../v1/config",
        "/api/v1/config%2F",
        "https://host/api/v1/config",
    ],
)
def test_paths_that_there_are_not(path):
    assert CONTRACT.match("GET", path) is None


def test_the_variable_of_one_segment_is_decoded_entirely():
    routes = gets("/v/{id}")
    assert found(routes, "GET", "/v/a%2Fb%20c%E2%82%AC+%00") == ("A", {"id": "a/b c€+\0"})
    assert found(routes, "GET", "/v/é") == ("A", {"id": "é"})
    assert found(routes, "GET", "/v/a/b") is None
    assert found(gets("/v/{id=*}"), "GET", "/v/%2f") == ("A", {"id": "/"})


def test_the_variable_of_several_segments_keeps_encoded_slashes():
    routes = gets("/v/{name=shelves/*/books/*}", "/w/{name=**}", "/x/{name=f/**}")
    assert found(routes, "GET", "/v/shelves/a%2Fb/books/%20%2f") == ("A", {"name": "shelves/a%2Fb/books/ %2f"})
    assert found(routes, "GET", "/v/shelves/1/books") is None
    assert found(routes, "GET", "/v/shelfs/1/books/2") is None
    assert found(routes, "GET", "/w/a/%41/c%2Fd") == ("B", {"name": "a/A/c%2Fd"})
    assert found(routes, "GET", "/w") == ("B", {"name": ""})
    assert found(routes, "GET", "/w/") is None
    assert found(routes, "GET", "/x/f") == ("C", {"name": "f"})


def test_variables_wildcards_and_literals_mix():
    routes = gets("/a/*/{id}/x/{inner.inner.name=y/*}/**")
    assert found(routes, "GET", "/a/1/2/x/y/3/4/5") == ("A", {"id": "2", "inner.inner.name": "y/3"})
    assert found(routes, "GET", "/a/1/2/x/y/3") == ("A", {"id": "2", "inner.inner.name": "y/3"})


def test_literals_win_over_variables_and_those_over_the_rest():
    routes = gets("/a/{id}", "/a/b", "/a/**", "/a/{id}/c", "/a/b/{id}")
    assert found(routes, "GET", "/a/b") == ("B", {})
    assert found(routes, "GET", "/a/%62") == ("B", {})
    assert found(routes, "GET", "/a/x") == ("A", {"id": "x"})
    assert found(routes, "GET", "/a/b/c") == ("E", {"id": "c"})
    assert found(routes, "GET", "/a/x/c") == ("D", {"id": "x"})
    assert found(routes, "GET", "/a/x/d") == ("C", {})
    assert found(routes, "GET", "/a") == ("C", {})


def test_a_more_specific_template_without_the_method_leaves_the_path_to_the_next():
    routes = table(HttpRule(post="/a/{id}/c"), HttpRule(get="/{name}/b/c"), HttpRule(delete="/a/**"))
    assert found(routes, "POST", "/a/b/c") == ("A", {"id": "b"})
    assert found(routes, "GET", "/a/b/c") == ("B", {"name": "a"})
    assert found(routes, "DELETE", "/a/b/c") == ("C", {})
    assert found(routes, "PUT", "/a/b/c") == ("DELETE", "GET", "HEAD", "OPTIONS", "POST")
    assert found(routes, "PUT", "/a/c") == ("DELETE", "OPTIONS")


def test_a_path_without_variables_is_no_value_of_a_variable():
    routes = table(HttpRule(post="/a/b"), HttpRule(get="/a/{id}"))
    for path in ("/a/b", "/a/%62"):
        assert found(routes, "POST", path) == ("A", {})
        assert found(routes, "GET", path) == ("OPTIONS", "POST")
    assert found(routes, "GET", "/a/c") == ("B", {"id": "c"})


def test_custom_verbs_end_a_path():
    routes = gets("/v/{id}", "/v/{id}:cancel", "/v/x:go", "/w/{name=a/**}:undo", "/u/{id=*}:a.b")
    assert found(routes, "GET", "/v/1:cancel") == ("B", {"id": "1"})
    assert found(routes, "GET", "/v/1:2:cancel") == ("B", {"id": "1:2"})
    assert found(routes, "GET", "/v/1:other") == ("A", {"id": "1:other"})
    assert found(routes, "GET", "/v/1%3Acancel") == ("A", {"id": "1:cancel"})
    assert found(routes, "GET", "/v/:cancel") == ("A", {"id": ":cancel"})
    assert found(routes, "GET", "/v/1:") == ("A", {"id": "1:"})
    assert found(routes, "GET", "/v/x:go") == ("C", {})
    assert found(routes, "GET", "/v:cancel/1") is None
    assert found(routes, "GET", "/w/a/b/c:undo") == ("D", {"name": "a/b/c"})
    assert found(routes, "GET", "/w/a/b/c") is None
    assert found(routes, "GET", "/u/1:a.b") == ("E", {"id": "1"})


def test_all_patterns_and_additional_bindings():
    rule = HttpRule(put="/a", additional_bindings=[HttpRule(patch="/b/{id}", body="*"), HttpRule(delete="/a")])
    routes = table(rule, HttpRule(custom={"kind": "HEAD", "path": "/c"}), HttpRule(get="/c"))
    assert [(route.verb, route.template, route.body) for route in routes.routes] == [
        ("PUT", "/a", ""),
        ("PATCH", "/b/{id}", "*"),
        ("DELETE", "/a", ""),
        ("HEAD", "/c", ""),
        ("GET", "/c", ""),
    ]
    assert found(routes, "PATCH", "/b/1") == ("A", {"id": "1"})
    assert found(routes, "HEAD", "/c") == ("B", {})
    assert found(routes, "GET", "/c") == ("C", {})
    assert found(routes, "GET", "/a") == ("DELETE", "OPTIONS", "PUT")


def test_a_custom_pattern_may_leave_the_method_open():
    routes = table(HttpRule(custom={"kind": "*", "path": "/a"}), HttpRule(get="/a"))
    assert [found(routes, verb, "/a")[0] for verb in ("GET", "HEAD", "PURGE", "OPTIONS")] == ["B", "B", "A", "A"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/a/b", "/a/b"),
        ("/a/b", "/a/%62"),
        ("/a/{id}", "/a/{name}"),
        ("/a/{id}", "/a/*"),
        ("/a/{name=b/*}", "/a/b/{id}"),
        ("/a/{name=**}", "/a/**"),
        ("/a/{id}:x", "/a/{name}:x"),
    ],
)
def test_two_routes_for_the_same_requests_do_not_start(first, second):
    with pytest.raises(RouteError) as raised:
        gets(first, second)
    assert "/routes.Service/A" in str(raised.value)
    assert "/routes.Service/B" in str(raised.value)
    table(HttpRule(get=first), HttpRule(put=second))


@pytest.mark.parametrize(
    "template",
    [
        "",
        "a",
        "/",
        "/a/",
        "//a",
        "/a//b",
        "/{",
        "/}",
        "/{}",
        "/{id",
        "/id}",
        "/{id}{name}",
        "/a{id}",
        "/{id}a",
        "/{id=}",
        "/{id=a/}",
        "/{id={name}}",
        "/{id=**/a}",
        "/**/a",
        "/{id=**}/a",
        "/{1d}",
        "/{inner.}",
        "/{id}/{id}",
        "/a*",
        "/***",
        "/a b",
        "/a?b",
        "/a%2",
        "/%ff",
        "/é",
        "/a:",
        "/a:b:c",
        "/a:b/c",
        "/{id}:*",
        "/a:{id}",
    ],
)
def test_templates_outside_the_grammar_do_not_start(template):
    with pytest.raises(TemplateError):
        Template.parse(template)
    with pytest.raises(RouteError, match=r"/routes.Service/A"):
        gets(template)


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (HttpRule(), "no method and path"),
        (HttpRule(custom={"path": "/a"}), "no method"),
        (HttpRule(get="/{nope}"), "no field"),
        (HttpRule(get="/{inner.nope}"), "no field"),
        (HttpRule(get="/{id.name}"), "no field"),
        (HttpRule(get="/{many}"), "repeated"),
        (HttpRule(get="/{inners.id}"), "repeated"),
        (HttpRule(get="/{inner}"), "is a message"),
        (HttpRule(post="/a", body="nope"), "no field 'nope'"),
        (HttpRule(post="/a", body="id"), "not one message"),
        (HttpRule(post="/a", body="inners"), "not one message"),
        (HttpRule(post="/{inner.id}", body="inner"), "inside the body"),
        (HttpRule(get="/a", response_body="nope"), "no field 'nope'"),
        (
            HttpRule(get="/a", additional_bindings=[HttpRule(get="/b", additional_bindings=[HttpRule(get="/c")])]),
            "not nested",
        ),
    ],
)
def test_annotations_that_make_no_route_name_the_rpc(rule, says):
    with pytest.raises(RouteError) as raised:
        table(rule)
    assert "/routes.Service/A" in str(raised.value)
    assert says in str(raised.value)


def test_a_route_without_a_policy_does_not_start():
    with pytest.raises(RouteError, match=r"/routes.Service/A has a route and no policy"):
        table(HttpRule(get="/a"), policy=None)


def test_a_route_cannot_take_a_stream():
    with pytest.raises(RouteError, match=r"/routes.Service/A"):
        table(HttpRule(get="/a"), client_streaming=True)


LITERALS = st.text(alphabet="ab0-_.~!$&'()+,;=@", min_size=1, max_size=4) | st.just("%2F")
NAMES = st.lists(st.sampled_from(["a", "b_2", "_c"]), min_size=1, max_size=3).map(".".join)


@st.composite
def templates(draw):
    """A template of the grammar, in the form that it is printed in."""
    parts, names = [], set()
    for _ in range(draw(st.integers(1, 5))):
        name = draw(NAMES)
        if draw(st.booleans()) or name in names:
            parts.append(draw(LITERALS | st.just("*")))
            continue
        names.add(name)
        inner = draw(st.lists(LITERALS | st.just("*"), min_size=1, max_size=3))
        parts.append(f"{{{name}}}" if inner == ["*"] else f"{{{name}={'/'.join(inner)}}}")
    ending = draw(st.sampled_from(["", "/**", "/{rest=**}", "/{rest=x/**}"]))
    verb = draw(st.just("") | LITERALS.map(lambda literal: f":{literal}"))
    return f"/{'/'.join(parts)}{ending}{verb}"


@settings(max_examples=500, deadline=None)
@given(templates())
def test_templates_are_printed_as_they_were_read(text):
    template = Template.parse(text)
    assert str(template) == text
    assert Template.parse(str(template)) == template


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.lists(st.text(alphabet="a/ %:é"), max_size=4))
def test_what_a_client_expands_the_variables_come_back_as(single, several):
    """google/api/http.proto: all but ``[-_.~0-9a-zA-Z]`` is encoded, and ``/`` too where there is one segment."""
    routes = gets("/one/{id}", "/all/{name=x/**}")
    assert found(routes, "GET", f"/one/{quote(single, safe='')}") == ("A", {"id": single})
    parts = [part for part in several if part and "/" not in part]
    assert found(routes, "GET", "/all/x" + "".join(f"/{quote(part, safe='')}" for part in parts)) == (
        "B",
        {"name": "/".join(["x", *parts])},
    )


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet="/apiv1quotes%2Ff:.é\0\udc80*{}", max_size=40))
def test_any_path_is_matched_or_not_and_nothing_else(path):
    for routes in (CONTRACT, gets("/**", "/{id}/a:v")):
        assert isinstance(routes.match("GET", f"/{path}"), Match | NotAllowed | None)
