from __future__ import annotations

import pytest

from server.domain.catalogue import Place
from server.domain.regions import Gazetteer


@pytest.fixture(scope="session")
def places(gazetteer: Gazetteer) -> dict[str, Place]:
    found = {}
    for name in ("Nashville, TN", "Chicago, IL", "San Jose, CA", "Mountain View, AR", "Leeds, UK", "Madrid, Spain"):
        match = gazetteer.find(name)
        assert match is not None
        found[name.split(",")[0]] = match.place
    return found
