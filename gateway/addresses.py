"""Addresses of clients, as they are counted, trusted and logged."""

from __future__ import annotations

import ipaddress


def plain(address: str) -> str:
    """The address; an IPv4 one that a socket of both families or a proxy writes as IPv6 (``::ffff:192.0.2.1``, RFC 4291
    section 2.5.5.2) as IPv4. Raises `ValueError` where it is none."""
    parsed = ipaddress.ip_address(address)
    mapped = parsed.ipv4_mapped if parsed.version == 6 else None
    return address if mapped is None else str(mapped)
