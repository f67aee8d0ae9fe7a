"""Promises of the log: it never fails what it tells of."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

from process.log import Log, printed


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


def test_a_line_is_one_json_object_of_what_is_printed_already_and_of_what_is_not():
    stream = io.StringIO()
    log = Log("gateway", stream)
    who = {"organization_id": 7, "livemode": None, "credential": 'a"b\n\u2028\0'}
    log("request", printed(**who), status=200, client="::1", path=Path("/x"))
    log("request", printed(**who))
    log("stop")
    log.flush()
    lines = [json.loads(line) for line in stream.getvalue().split("\n")[:-1]]
    times = [line.pop("time") for line in lines]
    common = {"component": "gateway", "event": "request", **who}
    assert lines == [
        {**common, "status": 200, "client": "::1", "path": "/x"},
        common,
        {"component": "gateway", "event": "stop"},
    ]
    assert all(datetime.fromisoformat(one).tzinfo is UTC for one in times)


class Nameless:
    """Has no text."""

    def __str__(self):
        raise ValueError("no name")


def test_what_cannot_be_printed_is_replaced_and_keeps_no_other_line_from_being_written():
    stream = io.StringIO()
    log = Log("gateway", stream)
    log("request", number=1)
    log("request", number=2, client="a\udcff", sizes=[2**64], path={Path("/x"): "\udcff"}, who=Nameless())
    for number in range(3, 1001):
        log("request", number=number)
    log.flush()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["number"] for line in lines] == list(range(1, 1001))
    assert (lines[1]["client"], lines[1]["sizes"], lines[1]["who"]) == (r"a\udcff", f"[{2**64}]", "<Nameless>")
