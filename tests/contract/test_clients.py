"""Promises of `docs/clients.md`: every client is generated, its types hold, and it works against the running service."""

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests import parts, stack
from tools.contract import clients

TEXT = "Replace 12 m of guttering in Nashville, TN"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
GENERATED = clients.ROOT / "generated"
_OPERATIONS = [
    operation for item in json.loads(clients.OPENAPI.read_bytes())["paths"].values() for operation in item.values()
]
OPERATIONS = {operation["operationId"] for operation in _OPERATIONS}
OF_ANY_TYPE = {one["operationId"] for one in _OPERATIONS if "*/*" in one.get("requestBody", {}).get("content", {})}


@pytest.fixture(scope="module")
def python():
    """The Python clients, with the programs of the manual beside them."""
    clients.generate_python()


@pytest.fixture(scope="module")
def typescript():
    """The TypeScript clients with their programs, compiled; no error of type."""
    for name in ("node", "npm"):
        parts.program(name)
    clients.generate_typescript()
    clients.compile_typescript()


@pytest.fixture
def name(request):
    """A program, whose language is made first."""
    request.getfixturevalue("python" if request.param.endswith(".py") else "typescript")
    return request.param


@pytest.fixture(scope="module")
def organization(combined):
    return combined.organization("Clients", rate=500)


@pytest.fixture
async def spent_key(combined):
    """A key whose organization has used its allowance up."""
    key = combined.organization("Spent", rate=1).test_key
    async with stack.Client(combined) as client:
        assert (await client.request("GET", "/api/v1/quotes", key=key)).status == 200
    return key


def program(name):
    """The command that runs a program of the manual or a journey."""
    folder, _, stem = name.rpartition("/")
    if name.endswith(".py"):
        return [sys.executable, str((clients.PYTHON if folder else clients.FOLDER) / stem)]
    source = clients.TYPESCRIPT if folder else clients.FOLDER
    return ["node", str(clients.JAVASCRIPT / source.relative_to(clients.FOLDER) / stem.replace(".ts", ".js"))]


def environment(running, key):
    """What the manual says to set. Only the stack's own authority is trusted."""
    authority = str(running.data_dir / "tls" / "ca.pem")
    return {
        **stack.environment(running.data_dir),
        "PYTHONPATH": os.pathsep.join((str(clients.PYTHON), str(GENERATED))),
        "PYTHONWARNINGS": "error",
        "SSL_CERT_FILE": authority,
        "NODE_EXTRA_CA_CERTS": authority,
        "QUOTEWRIGHT_URL": running.base,
        "QUOTEWRIGHT_GRPC": f"localhost:{running.grpc_port}",
        "QUOTEWRIGHT_KEY": key,
    }


def run(running, key, name, *arguments):
    """What a program prints."""
    done = subprocess.run(
        [*program(name), *arguments],
        env=environment(running, key),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_python_client_has_every_operation_and_its_types_hold(python):
    operations = {path.stem.replace("_", "") for path in clients.PYTHON.glob("quotewright_client/api/*/*.py")}
    # It has no form for a body of any media type, as the manual says.
    assert operations - {"init"} == {name.lower() for name in OPERATIONS - OF_ANY_TYPE}
    assert {"UploadDocument", "StartImport", "PutLogo"} == OF_ANY_TYPE
    checked = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "mypy",
                "--strict",
                "--config-file=",
                f"--cache-dir={clients.FOLDER}/generated/mypy",
            ),
            *(
                "-p",
                "quotewright_client",
                "-m",
                "quote_http",
                "-m",
                "patience",
                "-m",
                "journey_http",
                "-m",
                "patient_http",
            ),
        ],
        env={**os.environ, "MYPYPATH": os.pathsep.join((str(clients.PYTHON), str(clients.FOLDER)))},
        cwd=clients.PYTHON,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("name", ["quote_http.py", "quote_grpc.py", "quote_http.ts", "quote_grpc.ts"], indirect=True)
def test_the_first_program_of_each_client_prints_a_quote(combined, organization, name):
    assert len([line for line in clients.programs()[name].splitlines() if line]) <= 13
    number, total, currency = run(combined, organization.test_key, f"manual/{name}").split()
    assert number.startswith("Q-")
    assert float(total) > 0
    assert currency == "USD"


@pytest.mark.parametrize("name", ["journey_http.py", "journey_http.ts"], indirect=True)
async def test_a_customer_s_journey_over_http(combined, organization, spent_key, name):
    told = json.loads(run(combined, organization.test_key, name, TEXT, f"wanted by {name}", spent_key))
    await check_what_was_stored(combined, organization.test_key, told)
    assert told["invalid"] == {
        "code": "validation_error",
        "reason": "invalid_fields",
        "fields": {"text": "string.blank"},
    }
    assert told["unknown"] == {"code": "unauthorized", "reason": "api_key_malformed", "fields": {}}
    limit, remaining, reset = told["allowance"]
    assert limit == 500
    assert 0 < remaining < 500
    assert 0 < reset - time.time() < 70
    # Asked to come back three times, it gave up at the fourth.
    assert told["spent"] == {"code": "rate_limited", "reason": "quota_exceeded", "fields": {}}
    assert len(told["waits"]) == 3
    assert all(1 <= seconds <= 60 for seconds in told["waits"])


@pytest.fixture(scope="module")
def restarted(tmp_path_factory):
    """A service that tests may end and start again."""
    with stack.combined(tmp_path_factory.mktemp("restarted")) as running:
        yield running


@pytest.mark.parametrize("name", ["patient_http.py", "patient_http.ts"], indirect=True)
def test_a_patient_client_waits_as_told_and_is_answered(restarted, name):
    """A restart forgets the last minute, so that nobody has to wait for its end here."""
    key = restarted.organization(name, rate=1).test_key
    with subprocess.Popen(
        program(name), env=environment(restarted, key), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as client:
        try:
            assert client.stdout.readline() == "answered\n"
            assert 1 <= float(client.stdout.readline()) <= 60
            assert restarted.processes.pop().stop() == 0
            restarted.processes.append(stack.start(restarted, "serve", name=f"after {name}"))
            assert client.communicate("go on\n", timeout=30)[0] == "answered\n"
            assert client.returncode == 0
        finally:
            client.kill()


@pytest.mark.parametrize("name", ["journey_grpc.py", "journey_grpc.ts"], indirect=True)
async def test_an_internal_service_s_journey_over_grpc(combined, organization, name):
    told = json.loads(run(combined, organization.test_key, name, TEXT, f"wanted by {name}"))
    await check_what_was_stored(combined, organization.test_key, told)
    assert told["invalid"] == {
        "code": "INVALID_ARGUMENT",
        "reason": "INVALID_FIELDS",
        "fields": {"text": "string.blank"},
    }
    assert told["unknown"] == {"code": "UNAUTHENTICATED", "reason": "API_KEY_MALFORMED", "fields": {}}


async def check_what_was_stored(running, key, told):
    """What the client was told is what the service says to anybody."""
    async with stack.Client(running) as client:
        path = f"/api/v1/quotes/{told['quote']['quote_id']}"
        stored = (await client.request("GET", path, key=key)).json()
        assert comparable(told["read"]) == comparable(told["quote"]) == comparable(stored)
        assert told["pdf"].encode("latin-1") == (await client.request("GET", f"{path}/pdf", key=key)).body
        wood = await client.request("POST", "/api/v1/sourcing/price", key=key, json={"query": "wood fence"})
    assert told["product"] == wood.json()["options"][0]["product_name"]
    assert told["lead"] == "covered"
    assert told["same_again"]
    assert told["replayed"]


def comparable(quote):
    """The quote with its times in microseconds: a client has them as texts, or as seconds and nanoseconds."""
    times = {}
    for name in ("created_at", "updated_at"):
        if isinstance(quote[name], str):
            times[name] = (datetime.fromisoformat(quote[name]) - EPOCH) // timedelta(microseconds=1)
        else:
            times[name] = quote[name]["seconds"] * 1_000_000 + quote[name]["nanos"] // 1000
    return quote | times


def test_no_registry_is_named_in_the_lock():
    lock = json.loads((clients.FOLDER / "package-lock.json").read_bytes())
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    assert all("resolved" not in one and one["integrity"].startswith("sha512-") for one in packages.values())
