"""Parts of the machine that some tests need and not every machine has."""

import os
import shutil

import pytest

#: Where this is 1 a missing part fails the test instead of skipping it; CI sets it.
REQUIRE_ALL = "TEST_REQUIRE_ALL"


def program(name: str) -> str:
    """The path of an installed program. Skips the test, or module, that asks where there is none."""
    path = shutil.which(name)
    if path is None:
        missing(f"{name} is not installed")
    return path


def missing(what: str) -> None:
    """Skip for want of a part, or fail where all must be there."""
    if os.environ.get(REQUIRE_ALL) == "1":
        pytest.fail(f"{what}, and {REQUIRE_ALL}=1")
    pytest.skip(what, allow_module_level=True)
