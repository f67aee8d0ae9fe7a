"""The embedded data, loaded once for all tests of the server's parts."""

import pytest

from server.domain.catalogue import Catalogue
from server.domain.drafting.engine import Drafter
from server.domain.regions import Gazetteer
from server.embedded import Embedded, load_embedded


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
