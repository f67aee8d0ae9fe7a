"""The certificates are verified by what did not make them: the ssl module in a real handshake, and the openssl tool."""

from __future__ import annotations

import asyncio
import multiprocessing
import shutil
import ssl
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509

from gateway.tls import CertificatePaths, ensure_local_certificate, server_context

NOW = datetime.now(UTC).replace(microsecond=0)
DAY = timedelta(days=1)


def certificate_of(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def handshake(paths: CertificatePaths, client: ssl.SSLContext, address: str, name: str) -> ssl.SSLObject:
    """Connect to a server with these files on a loopback address and return the client's end."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(serve, address, 0, ssl=server_context(paths.certificate, paths.key))
    async with server:
        port = server.sockets[0].getsockname()[1]
        _, writer = await asyncio.open_connection(address, port, ssl=client, server_hostname=name)
        connection = writer.get_extra_info("ssl_object")
        writer.close()
        assert isinstance(connection, ssl.SSLObject)
        return connection


def client_trusting(ca: Path) -> ssl.SSLContext:
    client = ssl.create_default_context(cafile=str(ca))
    # What later Pythons check by default: key identifiers, criticality and the like, as RFC 5280 has it.
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    client.set_alpn_protocols(["h2", "http/1.1"])
    return client


@pytest.mark.parametrize(
    ("address", "name"), [("127.0.0.1", "localhost"), ("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "::1")]
)
async def test_a_client_that_trusts_the_authority_connects(tmp_path: Path, address: str, name: str) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW)
    connection = await handshake(paths, client_trusting(paths.ca), address, name)
    assert connection.selected_alpn_protocol() == "http/1.1"
    assert connection.version() in {"TLSv1.2", "TLSv1.3"}
    assert connection.compression() is None


async def test_a_name_that_is_not_in_the_certificate_is_refused(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW, hosts=["localhost"])
    with pytest.raises(ssl.SSLCertVerificationError, match=r"127\.0\.0\.1"):
        await handshake(paths, client_trusting(paths.ca), "127.0.0.1", "127.0.0.1")


async def test_a_client_that_trusts_another_authority_refuses(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path / "one", now=NOW)
    other = ensure_local_certificate(tmp_path / "other", now=NOW)
    with pytest.raises(ssl.SSLCertVerificationError):
        await handshake(paths, client_trusting(other.ca), "127.0.0.1", "localhost")


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated:DeprecationWarning")
async def test_old_protocol_versions_are_refused(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW)
    client = client_trusting(paths.ca)
    client.set_ciphers("ALL:@SECLEVEL=0")
    client.minimum_version = client.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await handshake(paths, client, "127.0.0.1", "localhost")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the openssl tool is not installed")
def test_openssl_verifies_the_chain_and_the_names(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW)

    def verify(*arguments: str) -> int:
        command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", str(paths.ca), *arguments]
        return subprocess.run([*command, str(paths.certificate)], check=False, capture_output=True).returncode

    assert verify("-verify_hostname", "localhost") == 0
    assert verify("-verify_ip", "127.0.0.1") == 0
    assert verify("-verify_ip", "::1") == 0
    assert verify("-verify_hostname", "example.com") != 0
    assert verify("-attime", str(int((NOW + 398 * DAY).timestamp()))) != 0


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the openssl tool is not installed")
def test_openssl_refuses_what_the_authority_s_key_signs_for_another_name(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW)

    def openssl(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["openssl", *arguments], check=False, capture_output=True, text=True, cwd=tmp_path)

    def verify_signed_for(name: str) -> subprocess.CompletedProcess[str]:
        new = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "k.pem", "-out", "c.pem", "-subj", "/O=x"]
        made = openssl(*new, "-addext", f"subjectAltName=DNS:{name}", "-CA", "ca.pem", "-CAkey", "ca-key.pem")
        assert made.returncode == 0, made.stderr
        return openssl("verify", "-CAfile", str(paths.ca), "c.pem")

    refused = verify_signed_for("bank.example")
    assert refused.returncode != 0
    assert "permitted subtree violation" in refused.stderr
    assert verify_signed_for("localhost").returncode == 0


def test_certificate_is_for_the_hosts_and_at_most_397_days(tmp_path: Path) -> None:
    certificate = certificate_of(ensure_local_certificate(tmp_path, now=NOW).certificate)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert names.get_values_for_type(x509.IPAddress) == [ip_address("127.0.0.1"), ip_address("::1")]
    life = certificate.not_valid_after_utc - certificate.not_valid_before_utc + timedelta(seconds=1)
    assert 390 * DAY < life <= 397 * DAY


def test_authority_lasts_ten_years_and_can_sign_no_other_authority(tmp_path: Path) -> None:
    authority = certificate_of(ensure_local_certificate(tmp_path, now=NOW).ca)
    assert authority.not_valid_after_utc - NOW == 3652 * DAY
    constraints = authority.extensions.get_extension_for_class(x509.BasicConstraints)
    assert constraints.critical
    assert (constraints.value.ca, constraints.value.path_length) == (True, 0)


def test_keys_are_for_the_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "tls"
    ensure_local_certificate(folder, now=NOW)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {
        "ca.pem": 0o644,
        "ca-key.pem": 0o600,
        "localhost.pem": 0o644,
        "localhost-key.pem": 0o600,
        "lock": 0o600,
    }
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    first = ensure_local_certificate(tmp_path, now=NOW)
    before = contents(tmp_path)
    assert ensure_local_certificate(tmp_path, now=NOW + 300 * DAY) == first
    assert contents(tmp_path) == before


def test_renews_in_the_last_thirty_days_under_the_same_authority(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW)
    before = contents(tmp_path)
    end = certificate_of(paths.certificate).not_valid_after_utc
    ensure_local_certificate(tmp_path, now=end - 30 * DAY)
    assert contents(tmp_path) == before
    ensure_local_certificate(tmp_path, now=end - 30 * DAY + timedelta(seconds=1))
    after = contents(tmp_path)
    assert after["ca.pem"] == before["ca.pem"]
    assert after["localhost.pem"] != before["localhost.pem"]
    assert after["localhost-key.pem"] != before["localhost-key.pem"]
    assert certificate_of(paths.certificate).not_valid_after_utc > end


def test_renews_when_the_hosts_differ(tmp_path: Path) -> None:
    ensure_local_certificate(tmp_path, now=NOW)
    before = contents(tmp_path)
    ensure_local_certificate(tmp_path, now=NOW, hosts=["::1", "127.0.0.1", "localhost"])
    assert contents(tmp_path) == before
    paths = ensure_local_certificate(tmp_path, now=NOW, hosts=["localhost", "api.localhost"])
    assert contents(tmp_path)["ca.pem"] == before["ca.pem"]
    names = certificate_of(paths.certificate).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "api.localhost"]


def test_an_authority_near_its_end_is_replaced_with_its_certificate(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW)
    before = contents(tmp_path)
    ensure_local_certificate(tmp_path, now=NOW + 3630 * DAY)
    assert contents(tmp_path)["ca.pem"] != before["ca.pem"]
    certificate_of(paths.certificate).verify_directly_issued_by(certificate_of(paths.ca))


def test_a_certificate_does_not_outlive_its_authority(tmp_path: Path) -> None:
    paths = ensure_local_certificate(tmp_path, now=NOW)
    ensure_local_certificate(tmp_path, now=NOW + 3600 * DAY)
    assert certificate_of(paths.certificate).not_valid_after_utc == certificate_of(paths.ca).not_valid_after_utc


@pytest.mark.parametrize("name", ["ca.pem", "ca-key.pem", "localhost.pem", "localhost-key.pem"])
@pytest.mark.parametrize("damage", ["missing", "empty", "torn", "foreign"])
async def test_a_damaged_file_is_made_anew(tmp_path: Path, name: str, damage: str) -> None:
    folder = tmp_path / "tls"
    paths = ensure_local_certificate(folder, now=NOW)
    file = folder / name
    if damage == "missing":
        file.unlink()
    elif damage == "foreign":
        ensure_local_certificate(tmp_path / "other", now=NOW)
        file.write_bytes((tmp_path / "other" / name).read_bytes())
    else:
        file.write_bytes(file.read_bytes()[: 100 if damage == "torn" else 0])
    ensure_local_certificate(folder, now=NOW)
    await handshake(paths, client_trusting(paths.ca), "127.0.0.1", "localhost")


@pytest.mark.parametrize("host", ["example.com", "notlocalhost", "10.0.0.1", "0.0.0.0", "2001:db8::1", ""])
def test_refuses_a_host_beyond_this_machine(tmp_path: Path, host: str) -> None:
    with pytest.raises(ValueError, match="no local certificate"):
        ensure_local_certificate(tmp_path / "tls", now=NOW, hosts=["localhost", host])
    assert not (tmp_path / "tls").exists()


def ensure_and_read(folder: Path) -> tuple[bytes, bytes, bytes]:
    paths = ensure_local_certificate(folder, now=NOW)
    return paths.ca.read_bytes(), paths.certificate.read_bytes(), paths.key.read_bytes()


def test_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        seen = pool.map(ensure_and_read, [tmp_path / "tls"] * 16, chunksize=1)
    assert len(set(seen)) == 1
    server_context(tmp_path / "tls" / "localhost.pem", tmp_path / "tls" / "localhost-key.pem")
