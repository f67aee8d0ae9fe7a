"""What is installed is what was looked at: pinned, by hash, one version everywhere, under licences that ask for nothing.
All of it without a network; `make audit` asks for known vulnerabilities besides.
"""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = sorted(
    path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("requirements*.lock"), *ROOT.glob("deploy/*.lock")]
)
WHOLE = "requirements.lock"
#: Words of licences that ask for no more than to be named.
PERMISSIVE = {
    *("MIT", "MIT-0", "MIT-CMU", "BSD", "BSD-2-Clause", "BSD-3-Clause", "3-Clause BSD", "0BSD", "Apache", "Apache-2.0"),
    *("Apache Software", "ISC", "ISC License (ISCL)", "PSF-2.0", "Python Software Foundation", "The Unlicense (Unlicense)"),
    *("Zlib", "CC0-1.0", "HPND"),
}  # fmt: skip
#: What has another one, and why it may be there.
OTHERWISE = {
    "orjson": "MPL-2.0 beside MIT and Apache-2.0: of its own files, which we do not change",
    "certifi": "MPL-2.0: a list of certificates; only where spans are exported",
    "psycopg": "LGPL-3.0: the optional extra postgresql, linked dynamically",
    "psycopg-binary": "LGPL-3.0: the same",
    "peewee": "MIT; its metadata say nothing, its file LICENSE does",
    "pypdfium2": "BSD-3-Clause and Apache-2.0, with those of PDFium",
}


def locked(name):
    """The requirements of a lock file with their hashes."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        assert not line.startswith(("-", "#")) and "://" not in line and " @ " not in line, line
        requirement, *hashes = re.split(r"\s+--hash=", line)
        found.append((Requirement(requirement), hashes))
    return found


def pins(name):
    """Name and version of what a lock installs here."""
    return {
        canonicalize_name(one.name): next(iter(one.specifier)).version
        for one, _ in locked(name)
        if one.marker is None or one.marker.evaluate()
    }


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_one_version_by_its_hash(name):
    for one, hashes in locked(name):
        assert [each.operator for each in one.specifier] == ["=="], str(one)
        assert hashes and all(re.fullmatch("sha256:[0-9a-f]{64}", each) for each in hashes), str(one)
        assert not one.url


@pytest.mark.parametrize("name", LOCKS)
def test_every_lock_has_the_same_versions(name):
    whole = pins(WHOLE)
    assert {each: version for each, version in pins(name).items() if whole.get(each, version) != version} == {}


def test_what_is_deployed_was_tested():
    assert pins("deploy/requirements.lock").keys() <= pins(WHOLE).keys()


def test_what_is_installed_is_what_is_locked():
    installed = {}
    for name, version in pins(WHOLE).items():
        installed[name] = (metadata.version(name), version)
    assert {name: both for name, both in installed.items() if both[0] != both[1]} == {}


def closure(*requirements):
    """The names of these and of all that they need here."""
    found = {}
    todo = [Requirement(one) for one in requirements]
    while todo:
        one = todo.pop()
        name = canonicalize_name(one.name)
        if name in found and found[name] >= one.extras:
            continue
        found[name] = found.get(name, set()) | one.extras
        for text in metadata.requires(name) or ():
            needed = Requirement(text)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *found[name])):
                todo.append(needed)
    return set(found)


def licences(name):
    """What a package says of its licence, in words."""
    said = metadata.metadata(name)
    expression = said.get("License-Expression")
    if not expression:
        classified = [
            one.rpartition(" :: ")[2] for one in said.get_all("Classifier") or () if one.startswith("License ::")
        ]
        classified = [one for one in classified if one not in ("OSI Approved", "DFSG approved")]
        expression = " AND ".join(classified) or (said.get("License") or "none")
    return {one.strip().removesuffix(" License") for one in re.split(r" AND | OR |, | and ", expression)}


def test_what_serves_is_under_permissive_licences():
    extras = PROJECT["optional-dependencies"]
    serving = closure(*PROJECT["dependencies"], *extras["otel"], *extras["postgresql"])
    assert len(serving) > 40
    other = {name: licences(name) for name in serving if not licences(name) <= PERMISSIVE}
    assert {name: said for name, said in other.items() if name not in OTHERWISE} == {}
    assert set(OTHERWISE) <= serving, "an exception that nothing needs any more"


def test_what_is_under_the_lgpl_is_optional():
    required = closure(*PROJECT["dependencies"])
    assert not [name for name in required if any("LGPL" in word or "GPL" in word for word in licences(name))]
