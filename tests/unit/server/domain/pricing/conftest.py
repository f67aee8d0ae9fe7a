from __future__ import annotations

import pytest

from server.domain.catalogue import Catalogue, Place
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
def places(gazetteer: Gazetteer) -> dict[str, Place]:
    found = {}
    for name in ("Nashville, TN", "Chicago, IL", "San Jose, CA", "Mountain View, AR", "Leeds, UK", "Madrid, Spain"):
        match = gazetteer.find(name)
        assert match is not None
        found[name.split(",")[0]] = match.place
    return found
