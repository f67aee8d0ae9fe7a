"""Promises of the log: it never fails what it tells of."""

import io
import json

from process.log import Log


class FullDisk(io.StringIO):
    """A stream that takes nothing while ``full``."""

    full = True

    def flush(self):
        if self.full:
            raise OSError(28, "No space left on device")


def test_a_full_disk_fails_nobody_and_the_lost_lines_are_counted():
    stream = FullDisk()
    log = Log("gateway", stream)
    for number in range(1200):
        log("request", number=number)
    stream.full = False
    stream.truncate(0), stream.seek(0)
    log("request", number=1200)
    log.flush()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["request", "log_lost"]
    assert lines[1]["lines"] == 1200
