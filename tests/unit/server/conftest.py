"""The embedded data, loaded once for all tests of the server's parts, and a store for those of a file."""

import pytest

from server import administration
from server.domain.catalogue import Catalogue
from server.domain.drafting.engine import Drafter
from server.domain.regions import Gazetteer
from server.embedded import Embedded, load_embedded
from server.store.audit import Act
from server.store.database import Store


@pytest.fixture(scope="session")
def embedded() -> Embedded:
    return load_embedded()


@pytest.fixture(scope="session")
def catalogue(embedded: Embedded) -> Catalogue:
    return embedded.catalogue


@pytest.fixture(scope="session")
def gazetteer(embedded: Embedded) -> Gazetteer:
    return embedded.gazetteer


@pytest.fixture(scope="session")
def drafter(embedded: Embedded) -> Drafter:
    return Drafter(embedded.catalogue, embedded.gazetteer)


@pytest.fixture(scope="module")
def database(new_database):
    return new_database()


@pytest.fixture(scope="module")
def store(database):
    store = Store(database)
    yield store
    store.close()


@pytest.fixture
def organization(store):
    """An organization of this test alone."""
    return administration.create_organization(store, "Test", "Pro")


@pytest.fixture
def act(organization):
    """What a user of that organization does, in live mode."""
    return Act(organization, True, "user:1", "req_test", 5)
