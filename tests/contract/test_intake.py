"""Promises of POST /api/writing-assist/correct: a session's notes come back as fields, and nothing is stored."""

import pytest

CORRECT = "/api/writing-assist/correct"
TABLES_OF_SQLITE = "select name from sqlite_master where type = 'table'"
TABLES_OF_POSTGRES = "select tablename from pg_tables where schemaname = 'public'"
NOTE = (
    "job: fix a leaking kitchen tap\nname: jane doe, (217) 555-0134\n"
    "tomorrow at 9am\n742 Evergreen Terrace, Springfield, IL 62704"
)


async def correct(client, organization, **body):
    return await client.request("POST", CORRECT, session=organization.session, json=body)


async def test_a_note_comes_back_as_fields_with_their_place_in_it(client, organization):
    answer = await correct(
        client, organization, profile="job", input=NOTE, now="2026-11-21T23:30:00Z", time_zone="America/Chicago"
    )
    assert answer.status == 200
    body = answer.json()
    assert body["ready"] is True
    assert body["missing_required"] == body["questions"] == []
    assert body["fields"]["date"]["value"] == "2026-11-22"
    assert body["fields"]["customer_name"]["value"] == "Jane Doe"
    phone = body["fields"]["phone"]
    assert NOTE[phone["span"]["start"] : phone["span"]["end"]] == "(217) 555-0134"
    changes = {change["field"]: (change["before"], change["after"]) for change in body["changes"]}
    assert changes["phone"] == ("(217) 555-0134", "+12175550134")
    assert changes["customer_name"] == ("jane doe", "Jane Doe")
    again = await correct(
        client, organization, profile="job", input=NOTE, now="2026-11-21T23:30:00Z", time_zone="America/Chicago"
    )
    assert again.body == answer.body


async def test_tomorrow_is_tomorrow_in_the_callers_time_zone(client, organization):
    days = {}
    for zone in ("America/Chicago", "Europe/London", "Pacific/Auckland"):
        answer = await correct(
            client, organization, profile="job", input=NOTE, now="2026-11-22T01:00:00Z", time_zone=zone
        )
        days[zone] = answer.json()["fields"]["date"]["value"]
    assert days == {"America/Chicago": "2026-11-22", "Europe/London": "2026-11-23", "Pacific/Auckland": "2026-11-23"}


async def test_what_is_unclear_comes_with_a_question_and_is_not_ready(client, organization):
    body = (
        await correct(client, organization, profile="payment", input="paid 1.2k on 03.11.2026 for invoice 1042")
    ).json()
    assert body["ready"] is False
    assert {one["field"]: one["options"] for one in body["questions"]} == {
        "amount": ["1200.00"],
        "date": ["2026-11-03", "2026-03-11"],
    }
    assert body["fields"]["date"]["alternatives"] == ["2026-03-11"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"profile": "customer", "input": "a"}, "profile"),
        ({"profile": "lead", "input": ""}, "input"),
        ({"profile": "lead", "input": "a" * 12_001}, "input"),
        ({"profile": "lead", "input": "a", "time_zone": "Mars/Olympus"}, "time_zone"),
        ({"profile": "lead", "input": "a", "time_zone": "../../etc/passwd"}, "time_zone"),
        ({"profile": "lead", "input": "a", "now": "yesterday"}, "now"),
        ({"profile": "lead", "input": "come tomorrow", "now": "9999-12-31T12:00:00Z"}, "now"),
        ({"profile": "lead", "input": "called yesterday", "now": "0001-01-01T12:00:00Z", "time_zone": "UTC"}, "now"),
        ({"profile": "lead", "input": "a", "now": "1969-12-31T23:59:59Z"}, "now"),
    ],
)
async def test_what_is_wrong_with_a_request_is_told_by_field(client, organization, body, field):
    answer = await correct(client, organization, **body)
    assert answer.status == 422
    assert {name for name, _ in answer.fields()} == {field}


async def test_days_at_the_end_of_the_calendar_are_answered(client, organization):
    for now, text in (
        ("2026-11-30T12:00:00Z", "week of 9999-12-31"),
        ("2026-11-30T12:00:00Z", "week of 9999-12-31 by thanksgiving, in 999 months"),
        ("1970-01-01T00:00:00Z", "paid 999 weeks ago, 999 days ago"),
        ("9000-12-31T23:59:59Z", "come tomorrow, next week, by thanksgiving, in 999 months"),
    ):
        answer = await correct(client, organization, profile="job", input=text, now=now, time_zone="Pacific/Auckland")
        assert answer.status == 200


async def test_the_longest_note_and_a_hostile_one_are_answered(client, organization):
    for text in ((NOTE + "\n") * 95, "O'" * 6000, "1-" * 6000, "\u202e" * 12_000):
        assert (await correct(client, organization, profile="lead", input=text[:12_000])).status == 200


async def test_nothing_is_stored(running, client, organization):
    tables = [name for (name,) in running.rows(TABLES_OF_POSTGRES if running.database_url else TABLES_OF_SQLITE)]
    assert "audit_row" in tables
    tables = [name for name in tables if not name.startswith("usage_")]  # what was called is counted, every few seconds

    def sizes():
        return {name: running.rows(f"select count(*) from {name}")[0][0] for name in tables}

    before = sizes()
    for _ in range(5):
        await correct(client, organization, profile="lead", input=NOTE)
    assert sizes() == before


async def test_what_a_person_decides_is_taken_and_settles_its_question(client, organization):
    note = "paid 1.2k on 03.11.2026 for invoice 1042"
    asked = (await correct(client, organization, profile="payment", input=note)).json()
    decided = [{"field": "amount", "value": "1200.00"}, {"field": "date", "value": "2026-11-03"}]
    body = (await correct(client, organization, profile="payment", input=note, decided=decided)).json()
    assert body["ready"] is True
    assert body["questions"] == []
    assert body["fields"]["date"] == {
        "value": "2026-11-03", "confidence": 1, "span": {"start": 0, "end": 0}, "alternatives": ["2026-03-11"],
    }  # fmt: skip
    assert body["fields"]["reference"] == asked["fields"]["reference"]


async def test_a_required_field_that_is_decided_to_stay_empty_is_missing(client, organization):
    decided = [{"field": "amount", "value": ""}]
    note = "paid 120.00 USD on 2026-11-03 for invoice 1042"
    body = (await correct(client, organization, profile="payment", input=note, decided=decided)).json()
    assert (body["ready"], body["missing_required"]) == (False, ["amount"])


@pytest.mark.parametrize(
    ("profile", "field", "value"),
    [
        ("job", "date", "next week"), ("job", "date", "2026-02-30"), ("job", "time", "25:00"),
        ("lead", "email", "nobody"), ("lead", "phone", "call me"), ("payment", "amount", "a lot"),
        ("payment", "currency", "XYZ"),
    ],
)  # fmt: skip
async def test_what_cannot_be_a_value_of_its_field_is_asked_about(client, organization, profile, field, value):
    body = (await correct(client, organization, profile=profile, decided=[{"field": field, "value": value}])).json()
    assert body["ready"] is False
    assert field in {one["field"] for one in body["questions"]}


async def test_a_record_that_is_typed_by_hand_needs_no_note(client, organization):
    decided = [
        {"field": "name", "value": "Jane Doe"}, {"field": "phone", "value": "+12175550134"},
        {"field": "description", "value": "Fix the tap. Call first, 3 rings."},
    ]  # fmt: skip
    body = (await correct(client, organization, profile="lead", decided=decided)).json()
    assert (body["ready"], body["confidence"]) == (True, 1)
    answer = await correct(client, organization, profile="lead")
    assert (answer.status, answer.fields()) == (422, {("input", "required")})
    for wrong in ([{"field": "colour", "value": "red"}], [decided[0], decided[0]]):
        answer = await correct(client, organization, profile="lead", decided=wrong)
        assert (answer.status, {why for _, why in answer.fields()}) == (422, {"field.unknown"})


@pytest.mark.parametrize("profile", ["lead", "quote", "job", "payment"])
async def test_a_form_is_described_with_all_that_correction_may_fill(client, organization, profile):
    answer = await client.request("GET", f"/api/writing-assist/forms/{profile}", session=organization.session)
    fields = {one["name"]: one for one in answer.json()["fields"]}
    missing = (await correct(client, organization, profile=profile, input="hm")).json()["missing_required"]
    assert {name for name, one in fields.items() if one["required"]} <= {*missing, *(["description"])}
    groups = {tuple(one["one_of"]) for one in fields.values() if one["one_of"]}
    assert groups == ({("phone", "email")} if profile == "lead" else set())
