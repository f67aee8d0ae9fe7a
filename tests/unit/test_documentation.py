"""Promises of the documentation: every setting is in the manual with its default, and tests that are named exist."""

import dataclasses
import re
from pathlib import Path

import pytest

from gateway.config import GatewayConfig
from process.settings import variable
from server.config import ServerConfig

DOCS = Path(__file__).parents[2] / "docs"
OPERATIONS = (DOCS / "operations.md").read_text()
FIELDS = {variable(field): field for kind in (ServerConfig, GatewayConfig) for field in dataclasses.fields(kind)}


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_every_setting_is_documented_as_it_is(name):
    field = FIELDS[name]
    default = ",".join(field.default) if isinstance(field.default, tuple) else str(field.default)
    assert f"| `{name}` | `{default}` | {field.metadata['text']} |".replace("``", "") in OPERATIONS


def test_every_test_that_the_threat_model_names_exists():
    named = re.findall(r"`((?:unit|contract|integration|security|fuzz)/[a-z_/]+)", (DOCS / "security.md").read_text())
    tests = DOCS.parent / "tests"
    assert len(named) > 20
    assert not [name for name in named if not (tests / f"{name}.py").is_file() and not (tests / name).is_dir()]
