"""TLS without set-up: an authority of this machine, the localhost certificate it signs, and the server's context.

Plain HTTP is refused (D20), so a first start needs a certificate. A client trusts ``ca.pem``; the authority's name
constraints (RFC 5280, 4.2.1.10) make it worthless for any name but localhost and the loopback addresses, so that
trusting it costs nothing even where its key leaks. Deployments with a name of their own bring their own certificate.
"""

from __future__ import annotations

import fcntl
import os
import ssl
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from process.channel_tls import ChannelFiles

AUTHORITY_LIFE = timedelta(days=3652)
#: The most that clients accept of a server certificate (CA/Browser Forum baseline requirements, 6.3.2: 398 days).
CERTIFICATE_LIFE = timedelta(days=397)
#: A certificate that ends sooner is made anew.
RENEW_BEFORE = timedelta(days=30)
#: Certificates start a little in the past, for clients whose clock is behind.
_CLOCK_SKEW = timedelta(hours=1)
_LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


@dataclass(frozen=True, slots=True)
class CertificatePaths:
    """PEM files: what a client trusts, and what the server presents. Only ``key`` is secret."""

    ca: Path
    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True)
class _Pair:
    """A certificate with its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def ensure_local_certificate(
    folder: Path,
    *,
    now: datetime,
    hosts: Sequence[str] = ("localhost", "127.0.0.1", "::1"),
    name: str = "localhost",
    purpose: x509.ObjectIdentifier = ExtendedKeyUsageOID.SERVER_AUTH,
) -> CertificatePaths:
    """Return the files ``name`` of a certificate for ``hosts``, made or renewed in ``folder`` where need be.

    The authority is kept over renewals, so that clients need not trust a new one. Processes that start at once wait
    for each other. ``now`` is aware. Raises ``ValueError`` for a host that is neither under localhost nor loopback,
    ``OSError`` where ``folder`` cannot be written.
    """
    names = [_loopback_name(host) for host in hosts]
    paths = CertificatePaths(folder / "ca.pem", folder / f"{name}.pem", folder / f"{name}-key.pem")
    authority_key = folder / "ca-key.pem"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        authority = _load(paths.ca, authority_key)
        if authority is None or not _lasts(authority.certificate, now):
            authority = _make_authority(now)
            _store(authority, paths.ca, authority_key)
        server = _load(paths.certificate, paths.key)
        if server is None or not _serves(server.certificate, authority.certificate, names, now):
            _store(_make_certificate(authority, names, purpose, now), paths.certificate, paths.key)
    return paths


def ensure_channel_certificates(folder: Path, *, now: datetime) -> tuple[ChannelFiles, ChannelFiles]:
    """The files of a server and of a gateway that calls it on this machine. Raises like `ensure_local_certificate`.

    They name localhost and no address, as BoringSSL, which grpc is built with, refuses every address under an
    authority whose names are constrained. Each is good for its own side only.
    """
    server = ensure_local_certificate(folder, now=now, hosts=["localhost"], name="server")
    gateway = ensure_local_certificate(
        folder, now=now, hosts=["localhost"], name="gateway", purpose=ExtendedKeyUsageOID.CLIENT_AUTH
    )
    return (
        ChannelFiles(server.ca, server.certificate, server.key),
        ChannelFiles(gateway.ca, gateway.certificate, gateway.key, server_name="localhost"),
    )


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS 1.2 or later, HTTP/1.1 by ALPN, no compression. Raises ``OSError`` (``ssl.SSLError``) for unfit files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate, key)
    return context


def _loopback_name(host: str) -> x509.GeneralName:
    try:
        address = ip_address(host)
    except ValueError:
        if host != "localhost" and not host.endswith(".localhost"):
            raise ValueError(f"no local certificate for {host!r}: only localhost and loopback addresses") from None
        return x509.DNSName(host)
    if not address.is_loopback:
        raise ValueError(f"no local certificate for {host!r}: not a loopback address")
    return x509.IPAddress(address)


def _lasts(certificate: x509.Certificate, now: datetime) -> bool:
    """True if ``certificate`` is valid now and needs no renewal yet."""
    return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - RENEW_BEFORE


def _serves(
    certificate: x509.Certificate, authority: x509.Certificate, names: Sequence[x509.GeneralName], now: datetime
) -> bool:
    """True if ``certificate`` lasts, comes from ``authority`` and is for exactly ``names``."""
    try:
        certificate.verify_directly_issued_by(authority)
        present = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False
    return set(present) == set(names) and _lasts(certificate, now)


def _make_authority(now: datetime) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Quotewright local authority")
    permitted = [x509.DNSName("localhost"), *(x509.IPAddress(network) for network in _LOOPBACK)]
    certificate = (
        _builder(name, name, key, now - _CLOCK_SKEW, now + AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(authority=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, excluded_subtrees=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _Pair(certificate, key)


def _make_certificate(
    authority: _Pair, names: Sequence[x509.GeneralName], purpose: x509.ObjectIdentifier, now: datetime
) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    start = now - _CLOCK_SKEW
    # The last second counts into the life, and no certificate outlives its authority.
    end = min(start + CERTIFICATE_LIFE - timedelta(seconds=1), authority.certificate.not_valid_after_utc)
    certificate = (
        _builder(_name("Quotewright on this machine"), authority.certificate.subject, key, start, end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()),
            critical=False,
        )
        .sign(authority.key, hashes.SHA256())
    )
    return _Pair(certificate, key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, start: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _key_usage(*, authority: bool) -> x509.KeyUsage:
    """An authority signs certificates and nothing else; a server signs handshakes and nothing else."""
    return x509.KeyUsage(
        digital_signature=not authority,
        key_cert_sign=authority,
        crl_sign=authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _load(certificate: Path, key: Path) -> _Pair | None:
    """The pair in two files; None where one is missing, damaged or not the other's: it is then made anew."""
    try:
        loaded = x509.load_pem_x509_certificate(certificate.read_bytes())
        private = load_pem_private_key(key.read_bytes(), password=None)
    except (FileNotFoundError, ValueError, TypeError):
        return None
    if not isinstance(private, ec.EllipticCurvePrivateKey) or _public(private) != _public(loaded):
        return None
    return _Pair(loaded, private)


def _public(owner: ec.EllipticCurvePrivateKey | x509.Certificate) -> bytes:
    return owner.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _store(pair: _Pair, certificate: Path, key: Path) -> None:
    """Write the key first: whoever finds the new certificate finds its key."""
    _write(key, pair.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), mode=0o600)
    _write(certificate, pair.certificate.public_bytes(Encoding.PEM), mode=0o644)


def _write(path: Path, content: bytes, *, mode: int) -> None:
    """Replace ``path`` at once and durably; until the end the content is in a file that only the owner can read."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path``; the system lets go of it when the process ends, however it ends."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
