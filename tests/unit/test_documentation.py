"""Promises of the documentation: every setting is in the manual with its default."""

import dataclasses
from pathlib import Path

import pytest

from gateway.config import GatewayConfig
from process.settings import variable
from server.config import ServerConfig

OPERATIONS = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
FIELDS = {variable(field): field for kind in (ServerConfig, GatewayConfig) for field in dataclasses.fields(kind)}


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_every_setting_is_documented_as_it_is(name):
    field = FIELDS[name]
    default = ",".join(field.default) if isinstance(field.default, tuple) else str(field.default)
    assert f"| `{name}` | `{default}` | {field.metadata['text']} |".replace("``", "") in OPERATIONS
