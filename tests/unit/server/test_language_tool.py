"""Promises of the optional grammar engine: it counts code points, and its absence is told at start."""

import importlib.util

import pytest

from process.log import Log
from process.settings import SettingsError
from process.telemetry import Telemetry
from server.app import Server
from server.config import ServerConfig
from server.languagetool import LanguageTool

INSTALLED = importlib.util.find_spec("lt_py") is not None


@pytest.mark.skipif(INSTALLED, reason="the extra is installed")
def test_asking_for_it_without_the_extra_is_told_at_start(tmp_path):
    with pytest.raises(SettingsError, match="languagetool"):
        Server(ServerConfig(data_dir=tmp_path, language_tool=True), Log("server"), Telemetry())


@pytest.mark.skipif(not INSTALLED, reason="takes the extra languagetool")
def test_its_findings_stand_where_they_say():
    text = "An \U0001f6e0 and e\u0301: water came form the pipe."
    (findings,) = LanguageTool().check([text], "US")
    (found,) = [one for one in findings if one.rule == "FROM_FORM"]
    assert text[found.start : found.end] == "form"
    assert found.replacements[0] == "from"
