"""Promises of approval: who may decide, what follows from what, the same in process and over a channel."""

import asyncio

import pytest

from tests.contract.test_answers import TEXT

SUBMIT = "/api/v1/workflows/submit"


async def submitted(client, organization, **who):
    quote = (await client.generate(organization.live_key, TEXT)).json()
    answer = await client.request("POST", SUBMIT, json={"quote_id": quote["quote_id"], "note": "please"}, **who)
    assert answer.status == 200
    return answer.json()


async def status(client, organization, workflow):
    path = f"/api/v1/quotes/{workflow['quote_id']}"
    return (await client.request("GET", path, key=organization.live_key)).json()["status"]


async def decide(client, workflow, verb, **who):
    return await client.request("POST", f"/api/v1/workflows/{workflow['workflow_id']}/{verb}", json={}, **who)


async def test_a_quote_goes_through_submission_and_approval(client, organization):
    workflow = await submitted(client, organization, key=organization.live_key)
    assert workflow["status"] == "submitted"
    assert workflow["submitted_by"].startswith("key:")
    assert "decided_at" not in workflow
    assert await status(client, organization, workflow) == "in_review"
    approved = await decide(client, workflow, "approve", session=organization.session)
    assert approved.status == 200
    assert approved.json()["status"] == "approved"
    assert approved.json()["decided_by"].startswith("user:")
    assert approved.json()["decided_at"].endswith("Z")
    assert await status(client, organization, workflow) == "approved"
    read = await client.request("GET", f"/api/v1/workflows/{workflow['workflow_id']}", key=organization.live_key)
    assert read.json() == approved.json()
    quote = (await client.request("GET", f"/api/v1/quotes/{workflow['quote_id']}", key=organization.live_key)).json()
    assert {name: workflow[name] for name in ("quote_number", "total", "currency")} == {
        name: quote[name] for name in ("quote_number", "total", "currency")
    }


@pytest.mark.parametrize(("verb", "word"), [("reject", "rejected"), ("withdraw", "withdrawn")])
async def test_a_quote_that_comes_back_can_be_submitted_again(client, organization, verb, word):
    workflow = await submitted(client, organization, session=organization.session)
    answer = await decide(client, workflow, verb, session=organization.session)
    assert (answer.status, answer.json()["status"]) == (200, word)
    assert await status(client, organization, workflow) == "draft"
    again = await client.request("POST", SUBMIT, json={"quote_id": workflow["quote_id"]}, session=organization.session)
    assert again.json()["workflow_id"] != workflow["workflow_id"]
    listed = await client.request(
        "GET", "/api/v1/workflows", key=organization.live_key, params={"quote_id": workflow["quote_id"]}
    )
    assert [one["status"] for one in listed.json()["data"]] == ["submitted", word]


async def test_a_move_that_the_state_does_not_allow_is_a_conflict(client, organization):
    workflow = await submitted(client, organization, key=organization.live_key)
    twice = await client.request("POST", SUBMIT, json={"quote_id": workflow["quote_id"]}, key=organization.live_key)
    assert (twice.status, twice.reason) == (409, "invalid_state")
    await decide(client, workflow, "reject", session=organization.session)
    for verb in ("approve", "reject", "withdraw"):
        answer = await decide(client, workflow, verb, session=organization.session)
        assert (answer.status, answer.reason) == (409, "invalid_state")


async def test_of_many_decisions_at_once_one_holds(client, organization):
    workflow = await submitted(client, organization, key=organization.live_key)
    answers = await asyncio.gather(
        *(
            decide(client, workflow, verb, session=organization.session)
            for verb in ("approve", "reject", "withdraw") * 4
        )
    )
    held = [answer.json()["status"] for answer in answers if answer.status == 200]
    assert len(held) == 1
    assert {answer.reason for answer in answers if answer.status != 200} == {"invalid_state"}
    assert await status(client, organization, workflow) == ("approved" if held == ["approved"] else "draft")


async def test_who_submits_does_not_approve_where_somebody_else_could(running, client):
    organization = running.organization("Two")
    alone = await submitted(client, organization, session=organization.session)
    assert (await decide(client, alone, "approve", session=organization.session)).status == 200
    colleague = running.member(organization.organization_id, "editor")
    workflow = await submitted(client, organization, session=organization.session)
    refused = await decide(client, workflow, "approve", session=organization.session)
    assert (refused.status, refused.reason) == (403, "own_submission")
    assert (await decide(client, workflow, "approve", session=colleague)).status == 200


async def test_a_viewer_reads_and_does_not_write(running, client):
    organization = running.organization("Viewed")
    viewer = running.member(organization.organization_id, "viewer")
    workflow = await submitted(client, organization, key=organization.live_key)
    assert (await client.request("GET", "/api/v1/workflows", session=viewer)).status == 200
    for path in (SUBMIT, f"/api/v1/workflows/{workflow['workflow_id']}/approve", "/api/v1/quotes"):
        answer = await client.request("POST", path, json={}, session=viewer)
        assert (answer.status, answer.reason) == (403, "role_required")


async def test_keys_do_not_decide(client, organization):
    workflow = await submitted(client, organization, key=organization.live_key)
    for verb in ("approve", "reject", "withdraw"):
        assert (await decide(client, workflow, verb, key=organization.live_key)).status == 401


async def test_a_quote_is_given_up_with_its_workflow(client, organization):
    workflow = await submitted(client, organization, key=organization.live_key)
    path = f"/api/v1/quotes/{workflow['quote_id']}/void"
    answer = await client.request("POST", path, json={"note": "a duplicate"}, key=organization.live_key)
    assert (answer.status, answer.json()["status"]) == (200, "void")
    read = await client.request("GET", f"/api/v1/workflows/{workflow['workflow_id']}", key=organization.live_key)
    assert read.json()["status"] == "withdrawn"
    again = await client.request("POST", path, json={}, key=organization.live_key)
    assert (again.status, again.reason) == (409, "invalid_state")


async def test_a_repeated_submission_answers_as_the_first(client, organization):
    quote = (await client.generate(organization.live_key, TEXT)).json()
    answers = [
        await client.request(
            "POST",
            SUBMIT,
            json={"quote_id": quote["quote_id"]},
            key=organization.live_key,
            headers={"Idempotency-Key": f"submit-{quote['quote_id']}"},
        )
        for _ in range(2)
    ]
    assert answers[0].body == answers[1].body
    assert answers[1].headers["Idempotent-Replayed"] == "true"


async def test_what_is_not_there_or_not_ours_is_not_found(running, client, organization):
    workflow = await submitted(client, organization, key=organization.live_key)
    other = running.organization("Else")
    for path, body in (
        (SUBMIT, {"quote_id": workflow["quote_id"]}),
        (f"/api/v1/workflows/{workflow['workflow_id']}/approve", {}),
        (f"/api/v1/quotes/{workflow['quote_id']}/void", {}),
    ):
        answer = await client.request("POST", path, json=body, session=other.session)
        assert (answer.status, answer.reason) == (404, "not_found")
    read = await client.request("GET", f"/api/v1/workflows/{workflow['workflow_id']}", key=organization.test_key)
    assert read.status == 404
