"""The image and the services around it, as far as their files tell: what runs there can write and reach but little.

No container engine is needed, and none has run them here.
"""

import re
from pathlib import Path

import pytest
import yaml

from server.settings import Settings, read_settings

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


def test_the_image_ends_as_a_user_without_rights_and_without_a_shell():
    lines = (ROOT / "Dockerfile").read_text().split("\n")
    last_stage = lines[max(number for number, line in enumerate(lines) if line.startswith("FROM ")) :]
    assert "USER fairyhouse" in last_stage
    assert last_stage.index("USER fairyhouse") < next(n for n, line in enumerate(last_stage) if line.startswith("CMD"))
    assert any("--uid 10001" in line and "nologin" in line for line in last_stage)
    assert [line for line in last_stage if line.startswith("CMD")] == ['CMD ["/opt/fairyhouse/bin/fairyhouse"]']


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
def test_the_servers_start_with_what_they_are_told(name, monkeypatch):
    told = {key: interpolated(value, REDIS_PASSWORD="secret") for key, value in SERVICES[name]["environment"].items()}
    for field in Settings.model_fields:
        monkeypatch.delenv(field.upper(), raising=False)
    assert {key.lower() for key in told} <= set(Settings.model_fields)
    for key, value in told.items():
        monkeypatch.setenv(key, value)
    settings = read_settings()
    assert settings.address == "http://localhost:8080"
    assert "replicaSet=rs0" in settings.mongodb_uri
    assert not settings.mongodb_standalone
    assert settings.redis_url == (None if name == "server" else "redis://:secret@redis:6379/0")


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
