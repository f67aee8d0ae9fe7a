"""Addresses of clients, as they are counted, trusted and logged."""

from __future__ import annotations

import ipaddress

#: Bits of an IPv6 address before the IPv4 address that is mapped into it.
_MAPPED = 96


def plain(address: str) -> str:
    """The address; an IPv4 one that a socket of both families or a proxy writes as IPv6 (``::ffff:192.0.2.1``, RFC 4291
    section 2.5.5.2) as IPv4. Raises `ValueError` where it is none."""
    parsed = ipaddress.ip_address(address)
    mapped = parsed.ipv4_mapped if parsed.version == 6 else None
    return address if mapped is None else str(mapped)


def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """The network; one of mapped addresses (``::ffff:10.0.0.0/104``) as that of the IPv4 addresses that `plain` makes
    of them. Raises `ValueError` where it is none."""
    parsed = ipaddress.ip_network(text)
    mapped = parsed.network_address.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Network) else None
    if mapped is None or parsed.prefixlen < _MAPPED:
        return parsed
    return ipaddress.IPv4Network((str(mapped), parsed.prefixlen - _MAPPED))
