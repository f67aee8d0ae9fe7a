"""Where deliveries may go: public addresses, by https, on two ports, and nowhere else. Pure: it opens no connection.

A URL is held against these rules three times: as it is written (`Egress.check_url`), every address that its name
resolves to, and the peer that a connection has reached (`Egress.check_address`). `ipaddress.is_global` will not do: on
Python 3.11 it calls IPv6 forms of loopback global (NAT64, 6to4). The table is of the IANA special-purpose registries
(https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from yarl import URL

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

PORTS = (443, 8443)
LONGEST_URL = 2000

#: Networks that no delivery reaches, each with what it is.
REFUSED: dict[Network, str] = {
    ip_network(network): meaning
    for network, meaning in (
        ("0.0.0.0/8", "this network (RFC 791)"),
        ("10.0.0.0/8", "private (RFC 1918)"),
        ("100.64.0.0/10", "carrier-grade NAT (RFC 6598)"),
        ("127.0.0.0/8", "loopback (RFC 1122)"),
        ("169.254.0.0/16", "link-local (RFC 3927)"),
        ("172.16.0.0/12", "private (RFC 1918)"),
        ("192.0.0.0/24", "protocol assignments (RFC 6890)"),
        ("192.0.2.0/24", "documentation (RFC 5737)"),
        ("192.31.196.0/24", "AS112 (RFC 7535)"),
        ("192.52.193.0/24", "AMT (RFC 7450)"),
        ("192.88.99.0/24", "6to4 relay (RFC 7526)"),
        ("192.168.0.0/16", "private (RFC 1918)"),
        ("192.175.48.0/24", "AS112 (RFC 7534)"),
        ("198.18.0.0/15", "benchmarking (RFC 2544)"),
        ("198.51.100.0/24", "documentation (RFC 5737)"),
        ("203.0.113.0/24", "documentation (RFC 5737)"),
        ("224.0.0.0/4", "multicast (RFC 5771)"),
        ("240.0.0.0/4", "reserved and broadcast (RFC 1112)"),
        ("::/128", "unspecified (RFC 4291)"),
        ("::1/128", "loopback (RFC 4291)"),
        ("::/96", "IPv4-compatible (RFC 4291)"),
        ("::ffff:0:0/96", "IPv4-mapped (RFC 4291)"),
        ("::ffff:0:0:0/96", "IPv4-translated (RFC 2765)"),
        ("64:ff9b::/96", "NAT64 (RFC 6052)"),
        ("64:ff9b:1::/48", "local NAT64 (RFC 8215)"),
        ("100::/64", "discard (RFC 6666)"),
        ("2001::/23", "protocol assignments, Teredo and ORCHID among them (RFC 2928, RFC 4380)"),
        ("2001:db8::/32", "documentation (RFC 3849)"),
        ("2002::/16", "6to4 (RFC 3056)"),
        ("2620:4f:8000::/48", "AS112 (RFC 7534)"),
        ("3fff::/20", "documentation (RFC 9637)"),
        ("5f00::/16", "segment routing (RFC 9602)"),
        ("fc00::/7", "unique local (RFC 4193)"),
        ("fe80::/10", "link-local (RFC 4291)"),
        ("fec0::/10", "site-local (RFC 3879)"),
        ("ff00::/8", "multicast (RFC 4291)"),
        # What IANA has not given out for global unicast at all (RFC 4291 section 2.4).
        ("::/3", "not global unicast"),
        ("4000::/2", "not global unicast"),
        ("8000::/1", "not global unicast"),
    )
}

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?")
#: What C libraries read as a number in the last part of an IPv4 address: decimal, octal or hexadecimal.
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_VISIBLE_ASCII = re.compile(r"[!-~]+")


class EgressError(Exception):
    """A delivery must not go there; the message says why."""


@dataclass(frozen=True, slots=True)
class Egress:
    """The rules. In ``allowed`` networks, which an operator names, any port and plain http are good, too."""

    allowed: tuple[Network, ...] = ()

    @classmethod
    def allowing(cls, networks: Iterable[str]) -> Egress:
        """The rules with exceptions in CIDR notation. Raises `ValueError`."""
        return cls(tuple(ip_network(one) for one in networks))

    def check_url(self, text: str) -> None:
        """Raise `EgressError` for a URL that no delivery may go to, as far as it shows without asking a resolver."""
        url = _parsed(text)
        host, port = url.raw_host, url.port
        assert host is not None, "checked by _parsed"
        assert port is not None, "http and https have one"
        try:
            address = ip_address(host)
        except ValueError:
            if "[" in text:
                raise EgressError("brackets are for IPv6 addresses") from None
            self._check_name(host)
            if not self.allowed:
                _check_way(url.scheme, port)
        else:
            self.check_address(str(address), scheme=url.scheme, port=port)

    def check_address(self, text: str, *, scheme: str = "https", port: int = PORTS[0]) -> None:
        """Raise `EgressError` for an address that no delivery may reach in that way."""
        try:
            address = ip_address(text)
        except ValueError:
            raise EgressError(f"{text} is not an address") from None
        if any(address in network for network in self.allowed):
            return
        for network, meaning in REFUSED.items():
            if address in network:
                raise EgressError(f"{address} is not public: {meaning}")
        _check_way(scheme, port)

    def _check_name(self, host: str) -> None:
        labels = host.split(".")
        if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
            raise EgressError("the host is not a name")
        if _NUMBER.fullmatch(labels[-1]):
            raise EgressError("the host is a number, and not an address in its usual form")
        if len(labels) == 1 and not self.allowed:
            raise EgressError("the host is not a public name")


def _parsed(text: str) -> URL:
    if len(text) > LONGEST_URL or not _VISIBLE_ASCII.fullmatch(text) or "\\" in text:
        raise EgressError("the URL has characters that do not belong there, or too many")
    try:
        url = URL(text)
        port = url.port
    except ValueError as error:
        raise EgressError(f"not a URL: {error}") from None
    if url.scheme not in ("http", "https") or not url.raw_host or not port:
        raise EgressError("not an https URL")
    authority = text.partition("//")[2].partition("/")[0]
    if url.raw_user is not None or url.raw_password is not None or "@" in authority:
        raise EgressError("a URL with a user or password")
    if url.raw_fragment:
        raise EgressError("a URL with a fragment")
    return url


def _check_way(scheme: str, port: int) -> None:
    if scheme != "https":
        raise EgressError("only https is delivered to")
    if port not in PORTS:
        raise EgressError(f"only the ports {' and '.join(map(str, PORTS))} are delivered to")
