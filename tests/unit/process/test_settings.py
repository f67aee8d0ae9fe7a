"""Promises of the settings: every one has a default, nothing misspelled passes, secrets are not printed."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from process import settings
from process.settings import SettingsError, setting


@dataclass(frozen=True)
class Example:
    port: int = setting(1, "A port.")
    on: bool = setting(False, "A switch.")
    seconds: float = setting(0.5, "A time.")
    folder: Path = setting(Path("var"), "A folder.")
    networks: tuple[str, ...] = setting((), "Networks.")
    password: str = setting("", "A secret.", secret=True)


def test_defaults_stand_where_nothing_is_set():
    assert settings.load(Example, {"PATH": "x"}) == Example()


def test_values_are_parsed_by_their_field():
    given = {
        "QW_PORT": "8443", "QW_ON": "true", "QW_SECONDS": "2", "QW_FOLDER": "/data", "QW_NETWORKS": "10.0.0.0/8, ::1/128",
        "QW_PASSWORD": "p",
    }  # fmt: skip
    assert settings.load(Example, given) == Example(8443, True, 2.0, Path("/data"), ("10.0.0.0/8", "::1/128"), "p")


@pytest.mark.parametrize(("name", "value"), [("QW_PORT", "x"), ("QW_ON", "maybe"), ("QW_SECONDS", "")])
def test_a_value_that_does_not_fit_is_named(name, value):
    with pytest.raises(SettingsError, match=name):
        settings.load(Example, {name: value})


def test_unknown_names_are_refused_and_the_demos_own_are_not():
    settings.refuse_unknown({"QW_PORT": "1", "QW_DEMO_LIVE_KEY": "k", "OTHER": "x"}, Example)
    with pytest.raises(SettingsError, match="QW_PROT"):
        settings.refuse_unknown({"QW_PROT": "1"}, Example)


def test_printing_hides_secrets():
    printed = settings.printable(Example(password="hunter2", networks=("a", "b")))
    assert "hunter2" not in printed
    assert "QW_PASSWORD=(redacted)" in printed
    assert "QW_NETWORKS=a,b" in printed


def test_a_secret_may_be_in_a_file(tmp_path):
    file = tmp_path / "password"
    file.write_text("hunter2\n")
    given = {"QW_PASSWORD_FILE": str(file)}
    settings.refuse_unknown(given, Example)
    assert settings.load(Example, given).password == "hunter2"


@pytest.mark.parametrize("given", [{"QW_PASSWORD_FILE": "/nowhere"}, {"QW_PASSWORD_FILE": "/", "QW_PASSWORD": "p"}])
def test_a_secret_that_is_said_twice_or_not_there_is_refused(given):
    with pytest.raises(SettingsError, match="QW_PASSWORD_FILE"):
        settings.load(Example, given)


def test_only_secrets_are_read_from_files():
    with pytest.raises(SettingsError, match="QW_PORT_FILE"):
        settings.refuse_unknown({"QW_PORT_FILE": "/etc/port"}, Example)
