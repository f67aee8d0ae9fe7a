"""Promises of the OpenAPI document, searched by schemathesis: every answer of the live stack is one that it describes.

All its checks are on: no server errors; described statuses, headers, types and bodies; refusal of what the document
does not allow, acceptance of what it does; `Allow`; authentication; resources that are found once they are made.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack import EFFORT

DOCUMENT = Path(__file__).parents[2] / "generated" / "openapi.json"
OPERATIONS = [operation for item in json.loads(DOCUMENT.read_bytes())["paths"].values() for operation in item.values()]
SESSION_ONLY = [
    operation["operationId"]
    for operation in OPERATIONS
    if operation["security"] and all("session" in one for one in operation["security"])
]
#: Operations that refuse what no schema can tell from the rest: a time zone, a day, a unit or a currency that does not
#: exist, a price with too many decimals, the same thing named twice, a tag that the resource has no more, an address to
#: which nothing may be sent.
BEYOND_SCHEMAS = [
    *("AddDictionaryWords", "CorrectIntake", "CreateCustomer", "CreateInvitation", "CreateKey", "CreateTemplate"),
    *("CreateQuote", "ListCustomers", "ListLeads", "ListQuotes"),
    *("CreateWebhookEndpoint", "MergeCustomers", "PutLogo", "ReplacePricingSettings", "UpdateSettings"),
    *("UpdateTemplate", "UpdateWebhookEndpoint", "CreateLead"),
    *(operation["operationId"] for operation in OPERATIONS if "412" in operation["responses"]),
    *(
        "UploadDocument",
        "CreateItem",
        "GetItem",
        "RetireItem",
        "SearchItems",
        "StartImport",
        "RepeatImport",
        "UpdateItem",
    ),
]
# Two searches a test, on machines that have other work.
pytestmark = pytest.mark.timeout(600)
#: Operations after which the session that searches is one no longer.
ENDING = ["SignOut", "SignOutEverywhere"]
UNSAID = ("--exclude-checks", "positive_data_acceptance")


def search(running, where, credential, phases, *, of=(), without=(), more=()):
    """Run schemathesis, in a process of its own. Where anything fails, so does the test, with all that it says."""
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", str(DOCUMENT)),
        *("--url", running.base, "--tls-verify", str(running.data_dir / "tls" / "ca.pem"), "--header", credential),
        *("--checks", "all", "--phases", phases, "--max-examples", str(3 * EFFORT), "--generation-deterministic"),
        *("--warnings", "off", "--no-color", "--continue-on-failure", "--no-shrink"),
        *(part for name in of for part in ("--include-operation-id", name)),
        *(part for name in without for part in ("--exclude-operation-id", name)),
        *more,
    ]
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False, timeout=280)
    if done.returncode:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


@pytest.mark.parametrize(("mode", "phases"), [("test", "examples,coverage"), ("live", "examples,fuzzing")])
def test_every_answer_to_a_key_is_described(combined, tmp_path, mode, phases):
    organization = combined.organization("Searched")
    key = organization.live_key if mode == "live" else organization.test_key
    search(combined, tmp_path, f"X-API-Key: {key}", phases, without=BEYOND_SCHEMAS)
    of = [name for name in BEYOND_SCHEMAS if name not in SESSION_ONLY]
    search(combined, tmp_path, f"X-API-Key: {key}", phases, of=of, more=UNSAID)


def test_what_is_made_is_found_again(combined, tmp_path):
    key = f"X-API-Key: {combined.organization('Searched').live_key}"
    # A preview is not stored: its quote_id is 0, which no path takes.
    search(combined, tmp_path, key, "stateful", without=["PreviewQuote"], more=UNSAID)


def test_every_answer_to_a_session_is_described(combined, tmp_path):
    session = f"Authorization: Bearer {combined.organization('Searched').session}"
    of = [name for name in SESSION_ONLY if name not in (*BEYOND_SCHEMAS, *ENDING)]
    search(combined, tmp_path, session, "coverage,fuzzing", of=of)
    of = [name for name in BEYOND_SCHEMAS if name in SESSION_ONLY]
    search(combined, tmp_path, session, "coverage,fuzzing", of=of, more=UNSAID)
