"""Promises of listening sockets: all addresses of a host or none, each of its family alone; several of a port are kept."""

import os
import socket
import subprocess
import sys

import pytest

from process import sockets
from tests.stack import free_port

SHOWN = """
import os
from process import sockets
print({port: sorted(one.getsockname()[0] for one in found) for port, found in sockets.inherited(os.environ).items()})
"""


@pytest.fixture
def opening():
    """`sockets.opened`, of sockets that the test's end closes."""
    open_now = []

    def opened(host, port):
        found = sockets.opened(host, port)
        open_now.extend(found)
        return found

    yield opened
    for one in open_now:
        one.close()


@pytest.mark.parametrize(
    ("host", "addresses"),
    [("127.0.0.1", ["127.0.0.1"]), ("::1", ["::1"]), ("::", ["::"]), ("", ["0.0.0.0", "::"])],
)
def test_a_host_is_listened_to_at_each_of_its_addresses(opening, host, addresses):
    port = free_port()
    found = opening(host, port)
    assert sorted(one.getsockname()[:2] for one in found) == [(address, port) for address in addresses]
    for one in found:
        here = "127.0.0.1" if one.family == socket.AF_INET else "::1"
        with socket.create_connection((here, port), timeout=5) as asking:
            taken, _ = one.accept()
            with taken:
                assert taken.getpeername()[:2] == asking.getsockname()[:2]


def test_an_ipv6_address_takes_no_ipv4(opening):
    port = free_port()
    opening("::", port)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_where_one_address_is_taken_none_is_listened_to(opening):
    port = free_port()
    opening("::1", port)
    with pytest.raises(OSError, match=f"cannot listen on :: port {port}"):
        opening("", port)
    assert [one.getsockname()[1] for one in opening("127.0.0.1", port)] == [port], "IPv4 was let go"


def test_sockets_of_one_port_are_handed_over_together(opening):
    port = free_port()
    numbers = [one.fileno() for one in opening("", port)]
    command = sockets.handing_over(numbers, [sys.executable, "-c", SHOWN])
    shown = subprocess.run(command, pass_fds=numbers, env=os.environ, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == str({port: ["0.0.0.0", "::"]})
