"""Promises of the shared secret: whoever comes first makes it, everybody reads the same, nobody else may."""

import stat
from concurrent.futures import ThreadPoolExecutor

from server.keys import secret_file


def test_processes_that_start_at_once_get_the_same_secret(tmp_path):
    path = tmp_path / "new" / "gateway.secret"
    with ThreadPoolExecutor(16) as threads:
        secrets = set(threads.map(lambda _: secret_file(path), range(64)))
    assert len(secrets) == 1
    assert len(secrets.pop()) == 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["gateway.secret"]
