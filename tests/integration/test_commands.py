"""Promises of the command line: the demo works from nothing, settings are checked, local commands need no server."""

import asyncio
import json
import shutil
import stat
import subprocess

import pytest

from cli.main import main
from server import administration
from server.store import mail
from server.store.audit import Act
from server.store.database import Store
from server.store.mail import NewMail
from tests import stack
from tests.stack import QUOTEWRIGHT, environment, free_port


def quotewright(*arguments, data_dir, **settings):
    return subprocess.run(
        [*QUOTEWRIGHT, *arguments], env=environment(data_dir, **settings), capture_output=True, text=True, check=False
    )


def test_the_demo_drafts_a_real_request_over_https_and_exits(tmp_path):
    ports = {"QW_HTTPS_PORT": free_port(), "QW_HTTP_PORT": 0, "QW_GRPC_PORT": free_port()}
    for _ in range(2):
        done = quotewright("demo", "--exit", data_dir=tmp_path, **ports)
        assert done.returncode == 0, done.stderr
        assert "Q-" in done.stdout
        assert "curl --cacert" in done.stdout
        assert "12  m" in done.stdout
        assert "as demo@quotewright.example; the password is QW_DEMO_PASSWORD in" in done.stdout
    assert stat.S_IMODE((tmp_path / "demo.env").stat().st_mode) == 0o600
    names = [line.split("=")[0] for line in (tmp_path / "demo.env").read_text().splitlines()]
    assert names == ["QW_DEMO_LIVE_KEY", "QW_DEMO_TEST_KEY", "QW_DEMO_EMAIL", "QW_DEMO_PASSWORD", "QW_DEMO_SESSION"]
    pdfs = sorted((tmp_path / "demo").glob("*.pdf"))
    assert [pdf.name[-8:] for pdf in pdfs] == ["0001.pdf", "0002.pdf"]
    assert all(pdf.read_bytes().startswith(b"%PDF-") for pdf in pdfs)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed; .ci/run installs it")
def test_the_curl_line_works_as_pasted(tmp_path):
    with stack.combined(tmp_path) as running:
        from cli.demo import curl_line, ensure

        store = Store(tmp_path / "quotewright.db")
        ensure(store, tmp_path)
        store.close()
        line = curl_line(running.base, tmp_path)
        done = subprocess.run(["bash", "-c", line + " --silent --fail"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["line_items"]


async def test_the_password_of_the_demo_signs_in_also_after_its_file_was_lost(tmp_path):
    from cli.demo import ensure

    with stack.combined(tmp_path) as running:
        for _ in range(2):
            store = Store(tmp_path / "quotewright.db")
            found = ensure(store, tmp_path)
            store.close()
            async with stack.Client(running) as client:
                given = {"email": found.email, "password": found.password}
                answer = await client.request("POST", "/api/v1/account/sign-in", json=given)
            assert answer.status == 200
            assert len(answer.json()["session"]["workspaces"]) == 1
            (tmp_path / "demo.env").unlink()


async def test_who_lost_a_password_gets_another_and_every_session_of_theirs_ends(tmp_path):
    email, lost, another = "lost@quotewright.example", "a password of decent length", "another one of decent length"
    with stack.combined(tmp_path) as running:
        made = stack.run("admin", "create-organization", "--name", "Acme", data_dir=tmp_path)
        place = ("--organization", str(made["organization_id"]), "--email", email)
        stack.run("admin", "create-user", *place, "--role", "owner", data_dir=tmp_path, stdin=f"{lost}\n")
        async with stack.Client(running) as client:
            signed_in = await client.request("POST", "/api/v1/account/sign-in", json={"email": email, "password": lost})
            session = signed_in.json()["session_token"]
            assert (await client.request("GET", "/api/v1/account/session", session=session)).status == 200
            done = stack.run("admin", "set-password", "--email", email, data_dir=tmp_path, stdin=f"{another}\n")
            assert done == {"sessions_ended": 1}
            async with asyncio.timeout(5):
                while (await client.request("GET", "/api/v1/account/session", session=session)).status != 401:  # noqa: ASYNC110 - told by another process
                    await asyncio.sleep(0.05)
            for password, status in ((lost, 401), (another, 200)):
                given = {"email": email, "password": password}
                assert (await client.request("POST", "/api/v1/account/sign-in", json=given)).status == status


def test_an_unknown_or_unfit_setting_is_refused(tmp_path):
    unknown = quotewright("serve", data_dir=tmp_path, QW_HTPS_PORT=1)
    assert (unknown.returncode, "QW_HTPS_PORT" in unknown.stderr) == (2, True)
    unfit = quotewright("serve", data_dir=tmp_path, QW_HTTPS_PORT="many")
    assert (unfit.returncode, "QW_HTTPS_PORT" in unfit.stderr) == (2, True)


def test_what_keeps_the_service_from_starting_is_said_in_one_line(tmp_path):
    ports = {"QW_HTTPS_PORT": free_port(), "QW_HTTP_PORT": 0, "QW_GRPC_PORT": free_port()}
    proxies = quotewright("serve", data_dir=tmp_path / "a", QW_TRUSTED_PROXIES="nowhere", **ports)
    assert (proxies.returncode, "QW_TRUSTED_PROXIES" in proxies.stderr) == (2, True)
    certificate = quotewright("serve", data_dir=tmp_path / "b", QW_TLS_CERTIFICATE="/nowhere.pem", **ports)
    assert certificate.returncode == 1
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "quotewright.db").write_bytes(b"this is no database" * 100)
    database = quotewright("serve", data_dir=tmp_path / "c", **ports)
    assert (database.returncode, "quotewright.db" in database.stderr) == (1, True)
    for done in (proxies, certificate, database):
        assert "Traceback" not in done.stderr


def test_the_settings_in_force_are_printed_without_secrets(tmp_path):
    done = quotewright("--print-config", data_dir=tmp_path, QW_GATEWAY_SECRET="hunter2hunter2")
    assert "QW_HTTPS_PORT=8443" in done.stdout
    assert "QW_GATEWAY_SECRET=(redacted)" in done.stdout
    assert "hunter2" not in done.stdout


def test_a_taken_port_is_said_in_one_line(combined, tmp_path):
    done = quotewright(
        "serve", data_dir=tmp_path, QW_HTTPS_PORT=combined.https_port, QW_HTTP_PORT=0, QW_GRPC_PORT=free_port()
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_draft_and_a_price_are_made_without_a_server(tmp_path):
    draft = quotewright("draft", "Replace 12 m of guttering in Nashville", data_dir=tmp_path)
    assert draft.returncode == 0
    assert "12  m" in draft.stdout
    assert json.loads(quotewright("draft", "Paint 60 m2 of walls", "--json", data_dir=tmp_path).stdout)["line_items"]
    price = quotewright("price", "asphalt shingle roof", "--location", "Chicago", "--json", data_dir=tmp_path)
    assert json.loads(price.stdout)["options"]
    assert not (tmp_path / "quotewright.db").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("admin", "create-key", "--organization", "999", "--name", "x", "--mode", "live"),
        ("admin", "revoke-key", "nosuchkey123"),
        ("admin", "create-session", "--email", "nobody@quotewright.example"),
    ],
)
def test_what_an_operator_cannot_do_is_said(tmp_path, arguments):
    done = quotewright(*arguments, data_dir=tmp_path)
    assert done.returncode == 1
    assert done.stderr.lower().startswith("quotewright: there is no")


def test_the_outbox_of_mail_is_looked_into_and_what_failed_begun_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("QW_DATA_DIR", str(tmp_path))
    store = Store(tmp_path / "quotewright.db")
    number = administration.create_organization(store, "Acme", "Starter")
    new = NewMail("<1@x>", "quote", "quote:7", "quotes@x", "ann@customer.example.com", "Grüße\r\n".encode())

    def fail():
        mail.post(Act(number, True, "operator", "", 1), new)
        (claimed,) = mail.claim("lease", now=1, until=2, most=1)
        mail.finish(claimed, "550 no such user", now=3, wait=None)

    store.write_now(fail)
    store.close()

    def said(*arguments):
        assert main([*arguments, "--organization", str(number)]) == 0
        return capsys.readouterr().out

    (listed,) = json.loads(said("mail", "list", "--status", "failed", "--json"))["data"]
    assert (listed["about"], listed["error"], listed["next_try_at"]) == ("quote:7", "550 no such user", None)
    assert "550 no such user" in said("mail", "list")
    assert "Grüße" in said("mail", "show", "1")
    assert json.loads(said("mail", "retry", "1", "--json")) == {"mail_id": 1, "status": "pending"}
    for arguments in (("mail", "retry", "1"), ("mail", "show", "2")):
        assert main([*arguments, "--organization", str(number)]) == 1
    assert main(["mail", "show", "1", "--organization", str(number + 1)]) == 1
