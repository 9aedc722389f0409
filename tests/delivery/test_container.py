"""The image and the services around it, as far as their files tell: what runs there can write and reach but little.

No container engine is needed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from server.setting_sources import read_settings
from server.settings import InvalidSettings
from tests.support.documents import blocks
from tests.support.web.balancers import needs

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OURS = ("server", "node1", "node2")
VARIABLE = re.compile(r"(?<!\$)\$\{([A-Z_]+):-([^}]*)\}")


def in_profile(profile):
    return {name for name, service in SERVICES.items() if profile in service.get("profiles", [profile])}


def interpolated(text, **values):
    """As compose fills in a text."""
    return VARIABLE.sub(lambda found: values.get(found[1], found[2]), text).replace("$$", "$")


def test_the_services_are_written_as_compose_reads_them():
    checked = (
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.compose-spec",
        ROOT / "docker-compose.yml",
    )
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_ends_as_a_user_without_rights_and_without_a_shell():
    lines = (ROOT / "Dockerfile").read_text().split("\n")
    last_stage = lines[max(number for number, line in enumerate(lines) if line.startswith("FROM ")) :]
    assert "USER 10001" in last_stage
    assert last_stage.index("USER 10001") < next(n for n, line in enumerate(last_stage) if line.startswith("CMD"))
    assert any("--uid 10001" in line and "nologin" in line for line in last_stage)
    assert [line for line in last_stage if line.startswith("CMD")] == ['CMD ["fairyhouse", "--hold"]']
    assert any(line.startswith("ENV PATH=/opt/fairyhouse/bin:$PATH ") for line in last_stage)


def test_the_image_sets_what_are_settings():
    (line,) = re.findall(r"^ENV (?:.*\\\n)*.*$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    told = dict(word.split("=", 1) for word in line.split()[1:] if "=" in word)
    settings = read_settings(told)
    assert (settings.host, settings.port, str(settings.data_dir)) == ("0.0.0.0", 8080, "/data")


def test_both_stages_stand_on_the_base_that_can_be_chosen():
    text = (ROOT / "Dockerfile").read_text()
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${BASE}"}
    assert re.findall(r"^ARG (.*)", text, re.MULTILINE) == ["BASE=python:3.11-slim"]
    assert text.index("ARG BASE") < text.index("FROM ")


def test_the_step_of_a_release_names_every_image_by_its_digest(tmp_path):
    """With a registry that is invented; the files stay what they are otherwise."""
    (step,) = [text for text in blocks("releasing.md", "sh") if "imagetools" in text]
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text('#!/bin/sh\necho "sha256:$(echo "$6" | sha256sum | cut -c1-64)"\n')
    docker.chmod(0o755)
    for name in ("Dockerfile", "docker-compose.yml"):
        shutil.copy(ROOT / name, tmp_path)
    told = os.environ | {"PATH": f"{docker.parent}:{os.environ['PATH']}"}
    subprocess.run(["bash", "-euc", step], cwd=tmp_path, env=told, check=True)
    theirs = {service["image"] for service in SERVICES.values()} - {"fairyhouse"}
    pinned = {
        service["image"]
        for service in yaml.safe_load((tmp_path / "docker-compose.yml").read_text())["services"].values()
    }
    assert {re.sub("@sha256:[0-9a-f]{64}$", "", image) for image in pinned - {"fairyhouse"}} == theirs
    assert not pinned & theirs
    assert re.search(
        r"^ARG BASE=python:3.11-slim@sha256:[0-9a-f]{64}$", (tmp_path / "Dockerfile").read_text(), re.MULTILINE
    )
    undone = re.findall(r"`(sed -i [^`]+)`", (ROOT / "docs" / "releasing.md").read_text())
    subprocess.run(["bash", "-euc", *undone], cwd=tmp_path, check=True)
    for name in ("Dockerfile", "docker-compose.yml"):
        assert (tmp_path / name).read_text() == (ROOT / name).read_text()


def test_what_the_image_copies_and_nothing_else_is_sent_to_the_engine():
    lines = (ROOT / ".dockerignore").read_text().split("\n")
    assert "*" in lines
    sent = {line[1:] for line in lines if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--)(.*) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert sent == set(" ".join(copied).split())
    assert {"static/dist", "**/__pycache__"} <= set(lines)


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_locked_up(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"] > 0
    assert service["mem_limit"]
    assert "/tmp" in service["tmpfs"]
    assert not service.get("privileged")
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert service.get("build") == "." or not service["user"].startswith("0")
    assert not any(volume.startswith(("/", ".")) for volume in service.get("volumes", []))


def test_only_servers_can_reach_the_stores():
    for name in ("mongo", "redis"):
        (network,) = SERVICES[name]["networks"]
        assert COMPOSE["networks"][network] == {"internal": True}
        assert "ports" not in SERVICES[name]
        assert {other for other in SERVICES if network in SERVICES[other]["networks"]} <= {name, *OURS}


def test_each_profile_is_a_whole_site_at_one_port():
    assert in_profile("single") == {"server", "mongo"}
    assert in_profile("cluster") == {"node1", "node2", "proxy", "redis", "mongo"}
    for profile in ("single", "cluster"):
        names = in_profile(profile)
        assert [port for name in names for port in SERVICES[name].get("ports", [])] == ["127.0.0.1:8080:8080"]
        assert {needed for name in names for needed in SERVICES[name].get("depends_on", {})} <= names
    assert "COMPOSE_PROFILES=single" in (ROOT / ".env").read_text().split("\n")


@pytest.mark.parametrize("name", OURS)
def test_the_servers_start_with_what_they_are_told(name):
    told = {key: interpolated(value, REDIS_PASSWORD="secret") for key, value in SERVICES[name]["environment"].items()}
    settings = read_settings(told)
    assert settings.address == "http://localhost:8080"
    assert "replicaSet=rs0" in settings.mongodb_uri
    assert not settings.mongodb_standalone
    assert settings.redis_url == (None if name == "server" else "redis://:secret@redis:6379/0")


@pytest.mark.parametrize("name", OURS)
def test_more_settings_come_from_a_file_that_need_not_be_there(name):
    assert SERVICES[name]["env_file"] == [{"path": "fairyhouse.env", "required": False}]


def test_a_node_without_the_password_of_redis_does_not_start():
    told = {key: interpolated(value) for key, value in SERVICES["node1"]["environment"].items()}
    with pytest.raises(InvalidSettings, match="let it ask for a password"):
        read_settings(told)


def test_no_password_is_in_the_file_or_on_a_command_line():
    assert re.findall(r"PASSWORD:-[^}]", (ROOT / "docker-compose.yml").read_text()) == []
    script = SERVICES["redis"]["command"][-1]
    assert "${" not in script
    assert 'test -n "$$REDIS_PASSWORD"' in script
    assert "exec redis-server /tmp/redis.conf" in script


def test_the_proxy_knows_both_nodes_and_passes_on_the_address():
    proxy = interpolated(COMPOSE["configs"]["proxy"]["content"])
    assert re.findall(r"server (node\d):8080 resolve", proxy) == ["node1", "node2"] * 2
    for header in ("Host $http_host", "X-Forwarded-For $remote_addr", "Upgrade $http_upgrade"):
        assert f"proxy_set_header {header};" in proxy
    assert proxy.count("{") == proxy.count("}")


@needs("nginx")
def test_the_nginx_of_debian_takes_the_configuration_for_several_nodes_which_is_the_proxys(tmp_path):
    (text,) = blocks("cluster.md", "nginx")
    proxy = interpolated(COMPOSE["configs"]["proxy"]["content"]).replace(" resolve ", " ")
    kept = [line.strip() for line in proxy.splitlines()]
    assert [line for line in text.splitlines() if line.strip() not in kept] == []
    places = "".join(f"{each}_temp_path {tmp_path}/{each};" for each in ("proxy", "fastcgi", "uwsgi", "scgi"))
    text = re.sub(r"node\d:", "127.0.0.1:", text)
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}}"
        f" http {{ access_log off; client_body_temp_path {tmp_path}/body; {places} {text} }}"
    )
    checked = ("nginx", "-t", "-q", "-c", str(tmp_path / "nginx.conf"))
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
