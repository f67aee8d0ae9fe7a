"""What contract and integration tests share: the service running as processes, once a session."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from tests import stack
from tests.postgres_server import postgres_server

#: Where the tests' own receivers of webhooks are.
RECEIVERS = {"QW_WEBHOOK_ALLOWED_NETWORKS": "127.0.0.0/8"}

# How long an example takes says more of what else the machine does. In `make test` a search takes the same way each time,
# so that nobody's change fails by luck; with TEST_EFFORT it goes where none has been.
settings.register_profile(
    "tests", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=stack.EFFORT == 1
)
settings.load_profile("tests")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Unit tests come last: their files are short and many, so that with several workers none waits long at the end."""
    items.sort(key=lambda item: "unit" in item.path.parts)


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server; the test is skipped where none is installed."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def new_database(request, tmp_path_factory):
    """Makes empty databases, of one engine and then of the other."""
    if request.param == "sqlite":
        return lambda: tmp_path_factory.mktemp("store") / "quotewright.db"
    return request.getfixturevalue("postgres").create


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request):
    """For processes: none, which is SQLite, and then the address of an empty database of PostgreSQL."""
    return request.getfixturevalue("postgres").create() if request.param == "postgresql" else ""


@pytest.fixture(scope="session")
def combined(tmp_path_factory):
    """Server and gateway in one process."""
    with stack.combined(tmp_path_factory.mktemp("combined"), **RECEIVERS) as running:
        yield running


@pytest.fixture(scope="session")
def split(request, tmp_path_factory):
    """A server and two gateways, each a process; on PostgreSQL where it is installed."""
    try:
        url = request.getfixturevalue("postgres").create()
    except pytest.skip.Exception:
        url = ""
    with stack.split(tmp_path_factory.mktemp("split"), gateways=2, database_url=url, **RECEIVERS) as running:
        yield running


@pytest.fixture(scope="session", params=["combined", "split"])
def running(request):
    """Both ways of running, one after the other: what holds over one backend and database holds over the other."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def organization(running):
    """An organization in the running stack, of this file alone: its members and settings are no other file's."""
    return running.organization()


@pytest.fixture
async def client(running):
    """A client of the running stack."""
    async with stack.Client(running) as client:
        yield client
