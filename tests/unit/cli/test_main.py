"""Promises of the command line: each command is found, in a module that is loaded for it alone."""

import subprocess
import sys

import pytest

from cli import main


def choices(parser):
    return {name for action in parser._actions for name in (action.choices or ()) if not isinstance(name, bool)}


def test_every_command_is_listed_with_the_module_that_makes_it():
    assert choices(main.parser()) == set(main.MODULES)
    for command, module in main.MODULES.items():
        assert command in choices(main.parser([command])), module


@pytest.mark.parametrize("arguments", [["admin", "--help"], ["--print-config"], ["mail", "--help"]])
def test_a_command_loads_no_other_and_no_engine(arguments):
    code = f"""
import sys
from cli import main
try:
    main.main({arguments!r})
except SystemExit:
    pass
sys.exit(any(name in sys.modules for name in ("server.app", "gateway.app", "server.domain.drafting.engine")))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
