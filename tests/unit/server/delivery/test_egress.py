"""Promises of the egress guard: no form of an address that is not public gets through, written, resolved or reached."""

import contextlib
import ipaddress
import socket
import threading

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver
from hypothesis import given
from hypothesis import strategies as st

from server.delivery import sender
from server.delivery.egress import PORTS, REFUSED, Egress, EgressError
from server.delivery.sender import Sender

GUARD = Egress()

#: Addresses by what they are, from the registries and RFCs, written down apart from the table.
NOT_PUBLIC = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
    "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1", "3fff::1", "5f00::1",
    "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "4000::1", "e000::1",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1", "198.17.0.1",
          "223.255.255.255", "2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001:80b::200e", "2400:cb00::1"]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_refused(address):
    with pytest.raises(EgressError):
        GUARD.check_address(address)
    host = f"[{address}]" if ":" in address else address
    for port in ("", ":443", ":8443"):
        with pytest.raises(EgressError):
            GUARD.check_url(f"https://{host}{port}/hook")


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_not(address):
    GUARD.check_address(address)
    GUARD.check_url(f"https://[{address}]/hook" if ":" in address else f"https://{address}/hook")


def addresses_in(network):
    return st.integers(int(network.network_address), int(network.broadcast_address)).map(type(network.network_address))


@given(st.sampled_from(sorted(REFUSED, key=str)).flatmap(addresses_in))
def test_no_address_of_the_table_passes(address):
    with pytest.raises(EgressError):
        GUARD.check_address(str(address))


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_what_passes_is_global_unicast_to_the_standard_library_as_well(address):
    try:
        GUARD.check_address(str(address))
    except EgressError:
        return
    assert address.is_global
    assert not address.is_multicast
    assert not getattr(address, "ipv4_mapped", None)
    assert not getattr(address, "sixtofour", None)
    assert not getattr(address, "teredo", None)


@given(st.ip_addresses(v=4))
def test_no_ipv4_address_passes_inside_an_ipv6_form(address):
    number = int(address)
    forms = [number, 0xFFFF << 32 | number, 0xFFFF << 48 | number, 0x64FF9B << 96 | number]
    forms += [0x2002 << 112 | number << 80 | 1, 0x20010000 << 96 | (number ^ 0xFFFFFFFF)]
    for form in forms:
        with pytest.raises(EgressError):
            GUARD.check_address(str(ipaddress.IPv6Address(form)))


@given(st.ip_addresses(v=4), st.integers(0, 6), st.sampled_from(["", "/hook", ":443/", ":8443/?a=b"]))
def test_an_ipv4_address_in_another_form_than_the_usual_is_refused(address, form, rest):
    number, parts = int(address), [int(one) for one in str(address).split(".")]
    host = [
        str(number),
        hex(number),
        f"0{number:o}",
        ".".join(hex(one) for one in parts),
        ".".join(f"0{one:o}" for one in parts),
        f"{parts[0]}.{number & 0xFFFFFF}",
        f"{address}.",
    ][form]
    with pytest.raises(EgressError):
        GUARD.check_url(f"https://{host}{rest}")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/hook",
        "ftp://example.com/",
        "example.com/hook",
        "https:///hook",
        "https://",
        "",
        "https://example.com:80/",
        "https://example.com:22/",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://@example.com/",
        "https://example.com/#part",
        "https://localhost/",
        "https://localhost./",
        "https://intranet/",
        "https://example.com./",
        "https://example..com/",
        "https://-a.example.com/",
        "https://exam ple.com/",
        "https://example.com\\@127.0.0.1/",
        "https://example.com/\r\nX: y",
        "https://exämple.com/",
        "https://127.0.0.1.1/",
        "https://a.0x7f/",
        "https://a.1/",
        "https://[::1/",
        "https://[v1.a]/",
        "https://example.com/" + "a" * 2000,
        "//example.com/",
        "https://%31%32%37.0.0.1/",
    ],
)
def test_a_url_that_is_not_plainly_public_https_is_refused(url):
    with pytest.raises(EgressError):
        GUARD.check_url(url)


@pytest.mark.parametrize(
    "url", ["https://example.com", "https://a.b.example.com:8443/x?y=z", "https://xn--exmple-cua.com/"]
)
def test_a_public_https_url_is_not(url):
    GUARD.check_url(url)


@given(st.text(max_size=60).map(lambda one: f"https://{one}"))
def test_any_text_is_refused_or_taken_and_nothing_else(text):
    with contextlib.suppress(EgressError):
        GUARD.check_url(text)


def test_an_operator_allows_networks_any_port_and_plain_http_there_and_nowhere_else():
    guard = Egress.allowing(["127.0.0.0/8", "fd00::/8"])
    for url in ("http://127.0.0.1:9000/", "https://[fd00::1]:1234/", "http://localhost:9000/", "https://example.com/"):
        guard.check_url(url)
    guard.check_address("127.0.0.1", scheme="http", port=9000)
    for address, scheme, port in (("8.8.8.8", "http", 80), ("8.8.8.8", "https", 9000), ("10.0.0.1", "https", 443)):
        with pytest.raises(EgressError):
            guard.check_address(address, scheme=scheme, port=port)
    for port in PORTS:
        guard.check_address("8.8.8.8", port=port)
    for url in ("http://10.0.0.1:9000/", "http://8.8.8.8/", "https://::ffff:127.0.0.1/", "https://u@127.0.0.1/"):
        with pytest.raises(EgressError):
            guard.check_url(url)
    with pytest.raises(ValueError, match="nonsense"):
        Egress.allowing(["nonsense"])


class Listening:
    """A socket that counts who connects to it."""

    def __enter__(self):
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(0.1)
        self.port = self._server.getsockname()[1]
        self.connected = 0
        self._going = True
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._going = False
        self._thread.join()
        self._server.close()

    def _accept(self):
        while self._going:
            try:
                self._server.accept()[0].close()
                self.connected += 1
            except TimeoutError:
                pass


class Names(AbstractResolver):
    """A resolver that answers one list after the other."""

    def __init__(self, *answers):
        self._answers = list(answers)

    async def resolve(self, host, port=0, family=socket.AF_UNSPEC):
        found = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return [
            {"hostname": host, "host": one, "port": port, "family": socket.AF_INET, "proto": 6, "flags": 0}
            for one in found
        ]

    async def close(self):
        pass


def unguarded_resolve(guarded, host, port=0, family=socket.AF_UNSPEC):
    return guarded._resolver.resolve(host, port, family)


def unguarded_socket(_connector, info):
    return socket.socket(info[0], info[1], info[2])


async def post(guard, resolver, url):
    sending = Sender(guard, 2.0, resolver)
    try:
        return await sending.post(url, b"{}", {})
    finally:
        await sending.close()


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["169.254.169.254"]])
async def test_a_name_with_an_address_that_is_not_public_is_not_connected_to(addresses):
    assert (await post(Egress(), Names(addresses), "https://example.com/")).error == "refused"


async def test_a_resolver_that_changes_its_mind_reaches_nothing(monkeypatch):
    """Public when it is checked, loopback when it is connected to: the socket is never made."""
    with Listening() as inside:
        monkeypatch.setattr("server.delivery.egress.PORTS", (443, inside.port))
        url = f"https://example.com:{inside.port}/"
        # The check of what was resolved is taken away: what is left must refuse by itself.
        monkeypatch.setattr(sender._GuardedResolver, "resolve", unguarded_resolve)
        assert (await post(Egress(), Names(["127.0.0.1"]), url)).error == "refused"
        # Both checks before the connection are taken away: nothing is said to the peer that was reached.
        monkeypatch.setattr(sender._GuardedConnector, "_socket", unguarded_socket)
        answer = await post(Egress(), Names(["127.0.0.1"]), url)
        assert answer.error in ("refused", "connection")
    assert inside.connected <= 1


async def test_the_peer_of_a_connection_is_looked_at_before_a_request_is_sent(monkeypatch):
    """Plain http to a server that records: with the earlier checks taken away it is reached, and hears nothing."""
    heard = []

    async def record(request):
        heard.append(request.path)
        return web.Response()

    runner = web.ServerRunner(web.Server(record))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    guard = Egress.allowing(["127.0.0.1/32"])
    url = f"http://example.com:{port}/"
    assert (await post(guard, Names(["127.0.0.1"]), url)).error == ""
    assert heard == ["/"]
    monkeypatch.setattr(sender._GuardedResolver, "resolve", unguarded_resolve)
    monkeypatch.setattr(sender._GuardedConnector, "_socket", unguarded_socket)
    elsewhere = Egress.allowing(["10.0.0.0/8"])
    assert (await post(elsewhere, Names(["127.0.0.1"]), url)).error == "refused"
    assert heard == ["/"]
    await runner.cleanup()


async def test_proxies_of_the_environment_are_not_used(monkeypatch):
    with Listening() as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        answer = await post(Egress.allowing(["127.0.0.0/8"]), Names(["127.0.0.1"]), "http://example.com:1/")
        assert answer.error == "connection"
    assert proxy.connected == 0
