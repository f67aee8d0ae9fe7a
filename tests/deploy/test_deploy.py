"""Promises of `deploy/`: every file is what its reader takes, and names only settings, metrics and files that exist."""

import itertools
import json
import re
import shutil
import subprocess
import sys
import urllib.request
from ipaddress import ip_address, ip_network
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from yarl import URL

from cli.processes import channel_files
from gateway.app import CUT_WITHIN, DRAIN_WITHIN
from gateway.config import GatewayConfig
from process.settings import load, refuse_unknown, variables
from server.config import ServerConfig
from server.delivery import egress
from tests import parts

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CHECKS = Path(__file__).parent
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and "requirements" not in path.name)
WHOLE, SPLIT = DEPLOY / "kubernetes", DEPLOY / "kubernetes-split"
#: Not objects, but what makes others of them.
PATCHES = {SPLIT / "gateway.yaml", SPLIT / "out.yaml"}
MANIFESTS = sorted({*WHOLE.glob("*.yaml"), *SPLIT.glob("*.yaml")} - PATCHES)
UNITS = sorted(path for path in (DEPLOY / "systemd").iterdir() if path.suffix != ".env")
#: Of the releases that Kubernetes maintains, the oldest and the newest that the validator knows.
KUBERNETES = ("1.33", "1.35")
#: How exposed a service may be, of 100 (systemd-analyze(1), security).
MOST_EXPOSED = 25
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()


def run(*command, cwd=ROOT):
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def documents(path):
    return [one for one in yaml.safe_load_all(path.read_text()) if one]


def everything(kind):
    """The Kubernetes objects of a kind, by name."""
    found = [one for path in MANIFESTS for one in documents(path) if one["kind"] == kind]
    return {one["metadata"]["name"]: one for one in found}


def applied(folder):
    """The Kubernetes objects that `kubectl apply --kustomize` makes of a folder, by kind and name."""
    (kustomization,) = documents(folder / "kustomization.yaml")
    found = {}
    for path in (folder / name for name in kustomization["resources"]):
        if path.is_dir():
            found |= applied(path.resolve())
        else:
            found |= {(one["kind"], one["metadata"]["name"]): one for one in documents(path)}
    for patch in kustomization.get("patches", ()):
        (changes,) = documents(folder / patch["path"])
        name = changes["kind"], changes["metadata"]["name"]
        found[name] = merged(found[name], changes)
    return found


def merged(old, changes):
    """As kustomize merges (its manual, "Strategic Merge Patch"): lists of named things thing by thing, others whole."""
    if isinstance(changes, dict):
        return old | {name: merged(old[name], one) if name in old else one for name, one in changes.items()}
    if isinstance(changes, list) and all(isinstance(one, dict) and "name" in one for one in old + changes):
        return list(merged({one["name"]: one for one in old}, {one["name"]: one for one in changes}).values())
    return changes


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_named_is_a_setting(path):
    named = set(re.findall(r"\bQW_[A-Z_]*[A-Z]", path.read_text()))
    assert named <= variables(ServerConfig) | variables(GatewayConfig)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_names_a_registry_or_an_unpinned_image(path):
    images = re.findall(r"^\s*(?:- )?(?:image:|FROM) *(\S+)", path.read_text(), re.MULTILINE)
    for image in images:
        assert re.fullmatch(r"[a-z]+:\d[\w.-]*", image), image


# Settings


def environments():
    """The settings that each way of running gives its processes."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    baked = dict(re.findall(r"\b(QW_\w+)=(\S+)", CONTAINERFILE))
    yield "compose", baked | compose["services"]["quotewright"]["environment"]
    yield "kubernetes", baked | everything("ConfigMap")["quotewright"]["data"]
    shared = dict(re.findall(r"^(QW_\w+)=(.*)$", (DEPLOY / "systemd" / "quotewright.env").read_text(), re.MULTILINE))
    for path in UNITS:
        if path.suffix == ".service":
            yield path.name, dict(re.findall(r"^Environment=(QW_\w+)=(.*)$", path.read_text(), re.MULTILINE)) | shared


@pytest.mark.parametrize(("name", "environment"), [pytest.param(*one, id=one[0]) for one in environments()])
def test_the_settings_fit(name, environment, tmp_path):
    for variable in environment:
        if variable.endswith("_FILE"):
            (tmp_path / variable).write_text("postgresql://user:password@host/name\n")
            environment = {**environment, variable: str(tmp_path / variable)}
    refuse_unknown(environment, ServerConfig, GatewayConfig)
    server, gateway = load(ServerConfig, environment), load(GatewayConfig, environment)
    assert server.database == "postgresql://user:password@host/name"
    if name != "quotewright-backup.service":
        assert gateway.private_port
        assert gateway.redis_url


def seconds_to_stop(drain):
    """What a gateway needs at most, with 10 s for what comes after it."""
    return drain + DRAIN_WITHIN + CUT_WITHIN + 10


def test_every_way_of_stopping_leaves_time_for_the_drain():
    given = dict(environments())
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["quotewright"]
    assert int(compose["stop_grace_period"].removesuffix("s")) >= seconds_to_stop(
        float(given["compose"]["QW_DRAIN_SECONDS"])
    )
    pod = everything("Deployment")["quotewright-serve"]["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] >= seconds_to_stop(float(given["kubernetes"]["QW_DRAIN_SECONDS"]))
    unit = (DEPLOY / "systemd" / "quotewright.service").read_text()
    seconds = float(given["quotewright.service"]["QW_DRAIN_SECONDS"])
    assert int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[1]) >= seconds_to_stop(seconds)


# The container


def test_the_container_file_passes_its_linter():
    parts.program("node")
    npm = parts.program("npm")
    linter = CHECKS / "node_modules" / ".bin" / "dockerfile-utils"
    if not linter.exists():
        run(npm, "ci", "--loglevel=error", "--no-audit", "--no-fund", cwd=CHECKS)
    assert run(linter, "lint", DEPLOY / "Containerfile").strip() == ""


def test_the_container_is_made_of_what_is_there_and_runs_as_nobody():
    _, _, last = re.split(r"^FROM ", CONTAINERFILE, flags=re.MULTILINE)
    copied = [
        path for line in re.findall(r"^COPY (?!--)(.*)$", CONTAINERFILE, re.MULTILINE) for path in line.split()[:-1]
    ]
    allowed = (DEPLOY / "Containerfile.dockerignore").read_text().splitlines()
    for path in copied:
        assert (ROOT / path).exists()
        assert f"!{path}" in allowed
    assert re.search(r"^USER 10001:10001$", last, re.MULTILINE)
    wheel = re.search(r"^only-include = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    assert set(re.findall(r'"(\w+)"', wheel)) <= set(copied)


def test_the_container_installs_the_locked_versions():
    def pins(path):
        return dict(re.findall(r"^([\w.-]+)==([^ ;]+)", path.read_text(), re.MULTILINE))

    image, tested = pins(DEPLOY / "requirements.lock"), pins(ROOT / "requirements.lock")
    assert image
    assert image.items() <= tested.items()
    assert {"psycopg", "opentelemetry-sdk"} <= image.keys()
    assert not {"pytest", "ruff", "mypy"} & image.keys()


def test_databases_are_held_against_authorities_that_are_in_the_image():
    """The OpenSSL of psycopg's wheel finds none by itself, so `sslrootcert=system` lets nobody connect."""
    texts = [path.read_text() for path in (*FILES, *(ROOT / "docs").glob("*.md"))]
    named = {file for text in texts for file in re.findall(r"[?&]sslrootcert=([^\s&`]+)", text)}
    assert named
    for file in named:
        assert re.search(rf"^RUN test -s {re.escape(file)}$", CONTAINERFILE, re.MULTILINE), file


# Compose


def test_the_compose_file_fits_its_schema():
    run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def test_services_of_compose_wait_for_health_and_every_secret_and_volume_is_declared():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for service in compose["services"].values():
        assert set(service.get("secrets", [])) <= compose["secrets"].keys()
        assert set(service["networks"]) <= compose["networks"].keys()
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source.startswith("./") or source in compose["volumes"]
        for name, how in service.get("depends_on", {}).items():
            asked = compose["services"][name]
            assert how["condition"] == "service_completed_successfully" or "test" in asked["healthcheck"]
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"deploy/secrets/", "deploy/tls/"} <= set(ignored)


# systemd


def test_systemd_takes_the_units(tmp_path):
    analyze = parts.program("systemd-analyze")
    for unit in UNITS:
        # verify wants the programs to be there.
        text = re.sub(r"/opt/quotewright/bin/quotewright", "/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    assert run(analyze, "verify", "--recursive-errors=no", "--man=no", *(tmp_path / unit.name for unit in UNITS)) == ""


def test_the_services_are_hardened():
    analyze = parts.program("systemd-analyze")
    services = [unit for unit in UNITS if unit.suffix == ".service"]
    run(analyze, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", *services)


def test_the_socket_unit_holds_the_ports_that_the_service_names():
    listening = re.findall(r"^ListenStream=\S+:(\d+)$", (DEPLOY / "systemd" / "quotewright.socket").read_text(), re.M)
    service = (DEPLOY / "systemd" / "quotewright.service").read_text()
    assert listening == [re.search(rf"QW_{name}_PORT=(\d+)", service)[1] for name in ("HTTPS", "HTTP")]


# Kubernetes


@pytest.mark.parametrize("version", KUBERNETES)
@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_every_manifest_fits_the_schema(path, version):
    for one in documents(path):
        # That one is no object of the API; the next test reads it.
        if one["kind"] != "Kustomization":
            kubernetes_validate.validate(one, version, strict=True)


@pytest.mark.parametrize(("folder", "base"), [(WHOLE, set()), (SPLIT, {"../kubernetes"})])
def test_the_kustomization_names_every_manifest_but_the_example(folder, base):
    (kustomization,) = documents(folder / "kustomization.yaml")
    others = {path.name for path in MANIFESTS if path.parent == folder} - {"kustomization.yaml", "secret.example.yaml"}
    assert set(kustomization["resources"]) == others | base
    assert {folder / one["path"] for one in kustomization.get("patches", ())} == {
        path for path in PATCHES if path.parent == folder
    }


@pytest.mark.parametrize("version", KUBERNETES)
def test_the_patch_makes_gateways_that_find_their_servers(version):
    deployment = applied(SPLIT)["Deployment", "quotewright-serve"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    kubernetes_validate.validate(deployment, version, strict=True)
    (server,) = everything("Deployment")["quotewright-server"]["spec"]["template"]["spec"]["containers"]
    assert (container["args"], server["args"]) == (["gateway"], ["server"])
    ours, theirs = ({one["name"]: one["value"] for one in each["env"]} for each in (container, server))
    service = everything("Service")["quotewright-server"]
    where = f"{service['metadata']['name']}.{everything('Namespace').popitem()[0]}.svc:{service['spec']['ports'][0]['port']}"
    assert ours["QW_SERVER_TARGET"] == f"dns:///{where}"
    assert {port["containerPort"] for port in server["ports"] if port["name"] == "grpc"} == {ServerConfig().grpc_port}
    for settings, kind, secret in ((ours, GatewayConfig, "gateway"), (theirs, ServerConfig, "server")):
        files = channel_files(load(kind, settings), for_server=kind is ServerConfig)
        named = everything("Secret")[f"quotewright-grpc-{secret}"]["stringData"]
        assert {files.ca.name, files.certificate.name, files.key.name} == named.keys()


def test_selectors_probes_and_mounts_meet_what_they_name():
    deployments = everything("Deployment")
    pods = {name: one["spec"]["template"] for name, one in (deployments | everything("Job")).items()}
    for name, one in deployments.items():
        selected = one["spec"]["selector"]["matchLabels"]
        assert selected == pods[name]["metadata"]["labels"]
        assert everything("PodDisruptionBudget")[name]["spec"]["selector"]["matchLabels"] == selected
        (container,) = pods[name]["spec"]["containers"]
        assert (container["readinessProbe"]["httpGet"]["path"], container["livenessProbe"]["httpGet"]["path"]) == (
            "/readyz",
            "/livez",
        )
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        assert str(ports["private"]) == everything("ConfigMap")["quotewright"]["data"]["QW_PRIVATE_PORT"]
    service = everything("Service")["quotewright"]["spec"]
    assert service["selector"] == pods["quotewright-serve"]["metadata"]["labels"]
    assert {port["targetPort"] for port in service["ports"]} <= {
        port["name"] for port in pods["quotewright-serve"]["spec"]["containers"][0]["ports"]
    }
    for pod in pods.values():
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        (container,) = pod["spec"]["containers"]
        assert {mount["name"] for mount in container["volumeMounts"]} == volumes.keys()
        secrets = {volume["secret"]["secretName"] for volume in volumes.values() if "secret" in volume}
        assert secrets <= everything("Secret").keys()
    autoscaled = everything("HorizontalPodAutoscaler")["quotewright-serve"]["spec"]["scaleTargetRef"]["name"]
    assert "replicas" not in deployments[autoscaled]["spec"], "each rollout would undo what the autoscaler did"


def test_every_file_of_a_secret_is_in_the_example():
    keys = everything("Secret")["quotewright"]["stringData"].keys()
    data = everything("ConfigMap")["quotewright"]["data"]
    assert {Path(value).name for name, value in data.items() if name.endswith("_FILE")} == set(keys)


#: Commands whose processes call nobody outside: one speaks to the store, the other to servers.
KEEP_INSIDE = {"migrate", "gateway"}
PUBLIC, PRIVATE = "203.0.113.9", "10.1.2.3"


def processes_of(objects):
    """The labels of each kind of pod, and the command that it runs."""
    for (kind, _), one in objects.items():
        if kind in ("Deployment", "Job"):
            pod = one["spec"]["template"]
            (container,) = pod["spec"]["containers"]
            yield pod["metadata"]["labels"], container["args"][0]


def selects(selector, labels):
    wanted = selector.get("matchLabels", {})
    assert {one["operator"] for one in selector.get("matchExpressions", ())} <= {"In"}
    return wanted.items() <= labels.items() and all(
        labels.get(one["key"]) in one["values"] for one in selector.get("matchExpressions", ())
    )


def is_at(peer, where):
    """Whether a peer of a rule is this address, or all pods of this namespace."""
    if "ipBlock" not in peer:
        return peer == {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": where}}}
    if not where[0].isdigit():
        return False
    block = peer["ipBlock"]
    out, *not_there = (ip_address(where) in ip_network(one) for one in (block["cidr"], *block.get("except", ())))
    return out and not any(not_there)


def let_out(objects, labels, where, port):
    """Whether pods with these labels may connect there, as any one of the policies that select them says."""
    rules = [
        rule
        for (kind, _), one in objects.items()
        if kind == "NetworkPolicy" and "Egress" in one["spec"]["policyTypes"]
        if selects(one["spec"]["podSelector"], labels)
        for rule in one["spec"].get("egress", ())
    ]
    return any(
        {"protocol": "TCP", "port": port} in rule["ports"]
        and ("to" not in rule or any(is_at(peer, where) for peer in rule["to"]))
        for rule in rules
    )


@pytest.mark.parametrize("folder", [WHOLE, SPLIT], ids=lambda folder: folder.name)
def test_pods_that_send_webhooks_reach_public_receivers_and_no_pod_reaches_private_ones(folder):
    """A challenge is sent by the process that answers VerifyWebhookEndpoint, which is not the worker."""
    objects = applied(folder)
    kubernetes_validate.validate(objects["NetworkPolicy", "quotewright-out"], KUBERNETES[0], strict=True)
    commands = set()
    for labels, command in processes_of(objects):
        commands.add(command)
        for port in egress.PORTS:
            assert let_out(objects, labels, PUBLIC, port) == (command not in KEEP_INSIDE), (command, port)
            assert not let_out(objects, labels, PRIVATE, port), (command, port)
    assert commands == {"migrate", "worker"} | ({"serve"} if folder == WHOLE else {"server", "gateway"})


@pytest.mark.parametrize("folder", [WHOLE, SPLIT], ids=lambda folder: folder.name)
def test_pods_reach_store_redis_collector_and_those_that_deliver_the_mail_server(folder):
    objects = applied(folder)
    examples = {name: URL(value) for name, value in everything("Secret")["quotewright"]["stringData"].items()}
    given = everything("ConfigMap")["quotewright"]["data"]
    delivers = load(ServerConfig, {"QW_WEBHOOK_WORKER": given["QW_WEBHOOK_WORKER"]}).webhook_worker
    for labels, command in processes_of(objects):
        assert let_out(objects, labels, PRIVATE, examples["database_url"].port or 5432)
        assert let_out(objects, labels, PRIVATE, examples["redis_url"].port)
        # Where the exporter sends to unless it is told otherwise (OTLP specification, "OTLP/HTTP default port").
        assert let_out(objects, labels, "monitoring", 4318)
        mails = command == "worker" or (command not in KEEP_INSIDE and delivers)
        assert let_out(objects, labels, PUBLIC, examples["smtp_url"].port) == mails, command


# Prometheus and Grafana

ALERTS = DEPLOY / "prometheus" / "alerts.yaml"
DASHBOARD = DEPLOY / "grafana" / "quotewright.json"


def expressions():
    rules = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [rule["expr"] for rule in rules] + [target["expr"] for panel in panels for target in panel["targets"]]


def test_promtool_takes_the_rules_and_the_alerts_do_what_they_say(tmp_path):
    promtool = parts.program("promtool")
    for path in (ALERTS, DEPLOY / "prometheus" / "prometheus.yaml", CHECKS / "alerts_test.yaml"):
        shutil.copy(path, tmp_path)
    run(promtool, "check", "rules", tmp_path / "alerts.yaml")
    run(promtool, "check", "config", tmp_path / "prometheus.yaml")
    run(promtool, "test", "rules", tmp_path / "alerts_test.yaml")


def test_promtool_takes_every_expression_of_the_dashboard(tmp_path):
    promtool = parts.program("promtool")
    rules = [
        {"record": f"panel:{number}", "expr": text.replace("$__rate_interval", "5m")}
        for number, text in enumerate(expressions())
    ]
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    run(promtool, "check", "rules", tmp_path / "rules.yaml")


def test_every_metric_and_label_named_exists_in_a_running_process(combined):
    (process,) = combined.processes
    with urllib.request.urlopen(f"{process.private}/metrics", timeout=10) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    there = set()
    for family in families:
        ends = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}.get(family.type, [""])
        there |= {family.name + end for end in ends}
    named = {name for text in expressions() for name in re.findall(r"\b(?:quotewright|process|python)_\w+", text)}
    assert named
    assert named <= there


def test_the_dashboard_is_one_that_grafana_can_place():
    board = json.loads(DASHBOARD.read_text())
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    taken = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        cells = set(
            itertools.product(range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"]))
        )
        assert place["x"] + place["w"] <= 24
        assert not cells & taken
        taken |= cells
        assert {target["datasource"]["uid"] for target in panel["targets"]} == {"${source}"}
