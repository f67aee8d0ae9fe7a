"""What contract and integration tests share: the service running as processes, once a session."""

from __future__ import annotations

import pytest

from tests import stack

#: Where the tests' own receivers of webhooks are.
RECEIVERS = {"QW_WEBHOOK_ALLOWED_NETWORKS": "127.0.0.0/8"}


@pytest.fixture(scope="session")
def combined(tmp_path_factory):
    """Server and gateway in one process."""
    with stack.combined(tmp_path_factory.mktemp("combined"), **RECEIVERS) as running:
        yield running


@pytest.fixture(scope="session")
def split(tmp_path_factory):
    """A server and two gateways, each a process."""
    with stack.split(tmp_path_factory.mktemp("split"), gateways=2, **RECEIVERS) as running:
        yield running


@pytest.fixture(scope="session", params=["combined", "split"])
def running(request):
    """Both ways of running, one after the other: what holds over one backend holds over the other."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def organization(running):
    """An organization in the running stack."""
    return running.organization()


@pytest.fixture
async def client(running):
    """A client of the running stack."""
    async with stack.Client(running) as client:
        yield client
