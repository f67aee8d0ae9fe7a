"""Tenants apart, for every RPC that takes the id of a resource: another organization's id is answered exactly as one
that does not exist, over HTTP and gRPC, and changes nothing (OWASP API1:2023, D2, D19).
"""

import asyncio
import random
import re
import string

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from quotewright.options.v1 import options_pb2

from server.store.models import MODELS, Organization, UsageCount
from tests.contract.test_accounts import token
from tests.security.surface import FIRST, OUTSIDE, ids, least
from tests.stack import Client

KEY, SESSION = options_pb2.CREDENTIAL_KIND_API_KEY, options_pb2.CREDENTIAL_KIND_SESSION
#: An integer that no resource has.
NOBODYS = 2_000_000_123
#: Of the organization, in both modes; everything else is of one mode.
IN_BOTH_MODES = {"template_id", "ListTemplates"}
#: What differs from answer to answer, and is not told about anybody.
_VARYING = {"date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"}
#: Columns that change because somebody has called, not because of what he asked.
_SEEN = {"last_seen_at", "last_used_at", "authenticated_at"}
#: The same of tables: what one asks counts as one's own use, some seconds later.
_COUNTED = {UsageCount}
#: Lists that take an id to choose by, and a call to which a word is no resource: nothing is found, and that is no error.
FILTERED = {"ListQuotes", "ListWebhookDeliveries", "ListWorkflows", "RemoveDictionaryWord"}


class Tenant:
    """An organization with one resource of each kind that the contract has ids for."""

    def __init__(self, client, organization):
        self.client = client
        self.organization = organization
        #: In every text of this tenant's: who reads it elsewhere has found a leak.
        self.canary = "Canary" + "".join(random.choices(string.ascii_lowercase, k=12))
        self.owner = ""
        self.ids = {}

    async def fill(self, running):
        """Make everything. Ids are kept by the name of the field that takes them."""
        keys, canary = self.organization, self.canary
        text = f"Replace 12 m of guttering in Nashville for {canary}"
        self.owner = await token(self.client, keys)
        quote = await self._post("quotes/generate", key=keys.live_key, text=text)
        file = {"data": text.encode(), "headers": {"Content-Type": "text/plain"}}
        document = await self._sent("POST", f"documents?filename={canary}.txt", key=keys.live_key, **file)
        template = await self._post("templates", template={"name": canary, "intro": canary})
        customer = await self._post("customers", name=canary, email=f"{canary.lower()}@customer.example.com")
        duplicate = await self._post("customers", name=canary, email=f"second-{canary.lower()}@customer.example.com")
        lead = await self._post("leads/request", key=keys.live_key, city="Nashville", trade="roofing", email=f"{canary.lower()}@customer.example.com")  # fmt: skip
        item = await self._post("price-book/items", key=keys.live_key, sku=canary, name=canary, unit="m", price=3.25, kind="material")  # fmt: skip
        prices = {
            "data": f"SKU,Item,Unit,Price\nA1,{canary},each,12\n".encode(),
            "headers": {"Content-Type": "text/csv"},
        }
        started = await self._sent("POST", f"price-book/imports?filename={canary}.csv", key=keys.live_key, **prices)
        endpoint = await self._post("webhooks/endpoints", url="http://127.0.0.1:9/", description=canary, livemode=False)
        endpoint_id = endpoint["endpoint"]["endpoint_id"]
        ping = await self._post(f"webhooks/endpoints/{endpoint_id}/ping")
        # Nothing is tried again while the tenants are compared.
        await self._post(f"webhooks/endpoints/{endpoint_id}/pause")
        workflow = await self._post("workflows/submit", quote_id=quote["quote_id"], note=canary)
        invitation = await self._post(
            "workspace/invitations", email=f"{canary.lower()}@customer.example.com", role="viewer"
        )
        await self._post("writing-assist/dictionary/words", base="/api/", words=[canary])
        member = running.member(keys.organization_id, "editor")
        self.ids = {
            "quote_id": quote["quote_id"],
            "document_id": document["document_id"],
            "template_id": template["template_id"],
            "customer_id": customer["customer_id"],
            "duplicate_id": duplicate["customer_id"],
            "lead_id": lead["lead_id"],
            "item_id": item["item_id"],
            "import_id": started["import_id"],
            "endpoint_id": endpoint_id,
            "delivery_id": ping["delivery_id"],
            "workflow_id": workflow["workflow_id"],
            "invitation_id": invitation["invitation"]["invitation_id"],
            "word": canary,
            "key_id": keys.bare_key.split("_")[2],
            "user_id": running.rows("select user_id from session where public_id = ?", member.split("_")[2])[0][0],
            "organization_id": keys.organization_id,
        }
        return self

    async def _post(self, path, key="", base="/api/v1/", **body):
        return await self._sent("POST", path, key=key, base=base, json=body)

    async def _sent(self, method, path, key="", base="/api/v1/", **more):
        who = {"key": key} if key else {"session": self.owner}
        answer = await self.client.request(method, base + path, **who, **more)
        assert answer.status == 200, (path, answer.body)
        return answer.json()


@pytest.fixture(scope="module")
def tenants(running):
    """The victim and the attacker, each with as much."""

    async def fill():
        async with Client(running) as client:
            both = [Tenant(client, running.organization(name)) for name in ("Victim", "Attacker")]
            return await asyncio.gather(*(one.fill(running) for one in both))

    return asyncio.run(fill())


def nobodys(value):
    """An id of the same kind that no resource has."""
    if isinstance(value, int):
        return NOBODYS
    return value[:-4] + "".join("z" if letter != "z" else "y" for letter in value[-4:])


def unlike(text, *values):
    """The text without what it was asked about, which an answer may repeat."""
    text = re.sub(r"req_[0-9a-f]{24}", "<request>", text)
    return re.sub("|".join(rf"\b{re.escape(str(value))}\b" for value in values), "<id>", text) if values else text


class OverHttp:
    """Asks the gateway; what it answers, as far as it could tell anything."""

    def __init__(self, client):
        self.client = client

    async def ask(self, rpc, credential, request, *values):
        operation = FIRST[rpc.path]
        path, more = operation.http(request)
        headers = {**more.pop("headers", {}), **credential, "Accept-Encoding": "identity"}
        answer = await self.client.request(operation.route.verb, path, headers=headers, **more)
        said = {name.lower(): value for name, value in answer.headers.items() if name.lower() not in _VARYING}
        if answer.status >= 400:
            said.pop("content-length", None)
        body = unlike(answer.body.decode("latin-1"), *values)
        return str(answer.status), {name: unlike(value, *values) for name, value in said.items()}, body


class OverGrpc:
    """Asks the gRPC port."""

    def __init__(self, channel):
        self.channel = channel

    async def ask(self, rpc, credential, request, *values):
        metadata = [(name.lower(), value) for name, value in credential.items()]
        method = self.channel.unary_stream if rpc.streaming else self.channel.unary_unary
        call = method(rpc.path, rpc.request_class.SerializeToString, rpc.response_class.FromString)(
            request, metadata=metadata, timeout=20
        )
        try:
            answer = [message async for message in call] if rpc.streaming else await call
        except grpc.aio.AioRpcError as error:
            # The status in the trailing metadata says the same with its details, and the request's id.
            return error.code().name, {}, unlike(str(error.details()), *values)
        return "OK", {}, unlike(str(answer), *values)


def session(text):
    return {"Authorization": f"Bearer {text}"}


def key(text):
    return {"X-API-Key": text}


def attacks():
    """(RPC, the field that names somebody else's resource)."""
    return [(rpc, name) for rpc in OUTSIDE for name in ids(rpc)]


def filled(rpc, tenant, name, value):
    """The least request of the RPC, about the tenant's own resources but for one."""
    fields = {one: tenant.ids[one] for one in ids(rpc)} | {name: value}
    repeated = {field.name for field in rpc.request_class.DESCRIPTOR.fields if field.is_repeated}
    return least(rpc, **{one: [given] if one in repeated else given for one, given in fields.items()})


def rows(running, organization_id):
    """Everything that is the organization's, as the database has it."""
    found = {}
    for model in MODELS:
        table, columns = model._meta.table_name, model._meta.sorted_fields
        names = [one.column_name for one in columns if one.column_name not in _SEEN]
        owner = next((one.column_name for one in columns if getattr(one, "rel_model", None) is Organization), None)
        if model is Organization:
            owner = "id"
        if owner is None or model in _COUNTED:
            continue
        what = ", ".join(f'"{name}"' for name in names)
        found[table] = sorted(
            map(repr, running.rows(f'select {what} from "{table}" where {owner} = ?', organization_id))
        )
    return found


async def settled(running, organization_id):
    """The same once nothing of its own is under way: imports that are read, webhooks that are tried."""
    before = None
    for _ in range(100):
        now = rows(running, organization_id)
        if now == before and not running.rows(
            "select 1 from price_import i join price_book b on b.id = i.book_id where b.organization_id = ? and i.status = 'running'",
            organization_id,
        ):
            return now
        before = now
        await asyncio.sleep(0.1)
    raise AssertionError("it does not come to rest")


def test_every_id_of_the_contract_is_attacked():
    found = attacks()
    assert {rpc.path for rpc, _ in found} >= {
        rpc.path for rpc in OUTSIDE for field in rpc.request_class.DESCRIPTOR.fields if field.name == "quote_id"
    }
    assert len(found) > 50
    for rpc, _ in found:
        kinds = {field.type for field in rpc.request_class.DESCRIPTOR.fields if field.name in ids(rpc)}
        assert kinds <= {FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_STRING}, rpc.name


async def test_anothers_id_is_answered_as_one_that_does_not_exist(running, client, tenants):
    victim, attacker = tenants
    missing = {name for _, name in attacks()} - victim.ids.keys()
    assert not missing, f"make a resource for these in Tenant.fill: {missing}"
    before = await settled(running, victim.organization.organization_id)
    told, admitted = [], []
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        for way in (OverHttp(client), OverGrpc(channel)):
            for rpc, name in attacks():
                theirs, none = victim.ids[name], nobodys(victim.ids[name])
                for who, tenant, credential in strangers(rpc, name, victim, attacker):
                    requests = [filled(rpc, tenant, name, value) for value in (theirs, none)]
                    answers = [await way.ask(rpc, credential, request, theirs, none) for request in requests]
                    what = f"{type(way).__name__}: {rpc.name} with {name} by {who}"
                    if answers[0] != answers[1]:
                        told.append((what, *answers))
                    if answers[0][0] in ("200", "OK") and rpc.name not in FILTERED:
                        admitted.append((what, answers[0]))
    assert not told
    assert not admitted
    assert await settled(running, victim.organization.organization_id) == before


def strangers(rpc, name, victim, attacker):
    """Who asks: the owner and the keys of another organization, and the victim's own key of the other mode."""
    kinds = rpc.policy.credentials
    if SESSION in kinds:
        yield "another owner", attacker, session(attacker.owner)
    if KEY in kinds:
        yield "another key", attacker, key(attacker.organization.live_key)
        if name not in IN_BOTH_MODES:
            yield "the test key", victim, key(victim.organization.test_key)


async def test_lists_searches_and_the_rest_show_nothing_of_others(client, tenants):
    victim, attacker = tenants
    own = {
        SESSION: (session(victim.owner), [session(attacker.owner)]),
        KEY: (
            key(victim.organization.live_key),
            [key(attacker.organization.live_key), key(victim.organization.test_key)],
        ),
    }
    way, shown, leaks = OverHttp(client), set(), []
    for rpc in OUTSIDE:
        if rpc.policy.idempotency != options_pb2.IDEMPOTENCY_READ_ONLY or ids(rpc) or rpc.takes_links:
            continue
        request = least(rpc)
        if "query" in rpc.request_class.DESCRIPTOR.fields_by_name:
            request.query = victim.canary
        for mine, others in (own[kind] for kind in own if kind in rpc.policy.credentials):
            if victim.canary in (await way.ask(rpc, mine, request))[2]:
                shown.add(rpc.name)
            for credential in others[: 1 if rpc.name in IN_BOTH_MODES else None]:
                status, _, body = await way.ask(rpc, credential, request)
                assert status in ("200", "404"), (rpc.name, body)
                if victim.canary in body:
                    leaks.append((rpc.name, credential, body))
    assert not leaks
    assert len(shown) >= 8, "the owner sees as little, so nothing was proved"


def harm(rpc):
    """How much a call leaves of what others need: those that delete come last."""
    return rpc.policy.idempotency != options_pb2.IDEMPOTENCY_READ_ONLY, FIRST[rpc.path].route.verb == "DELETE"


async def test_the_same_requests_work_for_whoever_owns_the_resource(running, client, tenants):
    """Else the test above would prove nothing."""
    victim, _ = tenants
    way = OverHttp(client)
    for rpc, name in sorted(attacks(), key=lambda one: harm(one[0])):
        request = filled(rpc, victim, name, victim.ids[name])
        credential = session(victim.owner) if SESSION in rpc.policy.credentials else key(victim.organization.live_key)
        status, _, body = await way.ask(rpc, credential, request)
        assert status in ("200", "409"), (rpc.name, name, body)
