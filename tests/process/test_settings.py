"""Settings from the environment: what they become, and what is refused."""

import os
import signal
import subprocess
import sys

import pytest

from server import command_line
from server.setting_sources import OldNames, old_names, read_settings, shown_settings
from server.settings import InvalidSettings, RedisAddress, Settings, parse_redis_url
from tests.support.patience import PATIENCE_S


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in tuple(os.environ):
        if name.removeprefix("FAIRYHOUSE_").removesuffix("_FILE").lower() in Settings.model_fields:
            monkeypatch.delenv(name)


def test_nothing_need_be_set():
    settings = read_settings()
    assert settings.address == "http://localhost:8080"
    assert settings.origins == {"http://localhost:8080", "http://127.0.0.1:8080"}
    assert not settings.secure


def test_an_empty_setting_counts_as_unset(monkeypatch):
    monkeypatch.setenv("FAIRYHOUSE_MONGODB_URI", "")
    monkeypatch.setenv("FAIRYHOUSE_PORT", "")
    assert read_settings() == Settings()


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://Chess.Example.org/", "https://chess.example.org"),
        ("https://chess.example.org:443", "https://chess.example.org"),
        ("http://10.0.0.5:9000", "http://10.0.0.5:9000"),
        ("http://[::1]:80", "http://[::1]"),
        ("http://192.168.1.4", "http://192.168.1.4"),
        ("http://my_machine:8080", "http://my_machine:8080"),
        ("https://schäch.example", "https://xn--schch-ira.example"),
    ],
)
def test_the_public_address_is_an_origin_as_browsers_write_it(monkeypatch, given, address):
    monkeypatch.setenv("FAIRYHOUSE_PUBLIC_URL", given)
    settings = read_settings()
    assert settings.address == address
    assert settings.origins == {address}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "http"),
        ("PUBLIC_URL", "chess.example.org"),
        ("PUBLIC_URL", "ftp://chess.example.org"),
        ("PUBLIC_URL", "https://example.org/chess"),
        ("PUBLIC_URL", "https://me:secret@example.org"),
        ("PUBLIC_URL", "https://example.org:99999"),
        ("PUBLIC_URL", "changeme"),
        ("PUBLIC_URL", "https://exa mple.org"),
        ("PUBLIC_URL", "https://*.example.org"),
        ("PUBLIC_URL", "https://-example.org"),
        ("BOTS_RATED", "perhaps"),
        ("LOG_LEVEL", "loud"),
        ("VAPID_PRIVATE_KEY", "secret" * 100),
        ("TRUSTED_PROXIES", "10.0.0.0/8,proxy"),
        ("HOST_CONTACT", "mailto:"),
        ("HOST_CONTACT", "https://"),
        ("VAPID_CONTACT", "mailto:the host"),
        ("MONGODB_URI", "localhost:27017"),
        ("REDIS_URL", "localhost"),
        ("VARIANTS_DIR", "/no/such/folder"),
        ("VAPID_CONTACT", "the-host"),
        ("HOST_CONTACT", "javascript:alert(1)"),
        ("SMTP_URL", "localhost:25"),
        ("SMTP_URL", "smtp://"),
        ("SMTP_URL", "smtp://localhost/secret"),
        ("SMTP_URL", "smtp://me:secret@mail.example.org"),
        ("SMTP_URL", "smtps://me:secret@mail.example.org:99999"),
        ("SMTP_URL", "smtps://me:secret/word@mail.example.org"),
        ("REDIS_URL", "redis://:secret/word@redis.example.org:6379/0"),
        ("MAIL_FROM", "Chess <games@example.org>"),
        ("MAIL_FROM", "games@example.org\nBcc: a@b.cd"),
        ("MAIL_DOMAIN", "example"),
    ],
)
def test_absurd_values_are_refused_by_name_and_not_repeated(monkeypatch, name, value):
    monkeypatch.setenv(f"FAIRYHOUSE_{name}", value)
    with pytest.raises(InvalidSettings) as refusal:
        read_settings()
    assert str(refusal.value).startswith(f"FAIRYHOUSE_{name} cannot be used: ")
    assert "Input should" not in str(refusal.value), "the voice of a library"
    assert "secret" not in str(refusal.value)


def test_several_nodes_need_one_store(monkeypatch):
    monkeypatch.setenv("FAIRYHOUSE_REDIS_URL", "redis://localhost")
    with pytest.raises(InvalidSettings, match="MONGODB_URI"):
        read_settings()


def test_settings_do_not_change():
    with pytest.raises(ValueError, match="frozen"):
        read_settings().port = 1


def test_web_push_needs_key_and_contact(monkeypatch):
    monkeypatch.setenv("FAIRYHOUSE_VAPID_PRIVATE_KEY", "x" * 43)
    with pytest.raises(InvalidSettings, match="both FAIRYHOUSE_VAPID_PRIVATE_KEY and") as refused:
        read_settings()
    assert "xxx" not in str(refused.value)
    monkeypatch.setenv("FAIRYHOUSE_VAPID_CONTACT", "mailto:host@example.org")
    assert read_settings().vapid_contact == "mailto:host@example.org"


@pytest.mark.parametrize(
    "url", ["smtp://localhost:2525", "smtp://me:secret@127.0.0.1", "smtp+starttls://me:secret@m.org", "smtps://m.org"]
)
def test_mail_needs_a_server_and_a_sender(monkeypatch, url):
    monkeypatch.setenv("FAIRYHOUSE_SMTP_URL", url)
    with pytest.raises(InvalidSettings, match="both FAIRYHOUSE_SMTP_URL and FAIRYHOUSE_MAIL_FROM") as refused:
        read_settings()
    assert "secret" not in str(refused.value)
    monkeypatch.setenv("FAIRYHOUSE_MAIL_FROM", "games@Example.ORG")
    assert (read_settings().mail_from, read_settings().domain_of_mail) == ("games@example.org", "example.org")
    monkeypatch.setenv("FAIRYHOUSE_MAIL_DOMAIN", "chess.example.org")
    assert read_settings().domain_of_mail == "chess.example.org"


def refusal(**environment):
    with pytest.raises(InvalidSettings) as refused:
        read_settings(environment)
    assert "hunter2" not in str(refused.value)
    return str(refused.value)


# Names without the prefix: the settings of old sites, and what other programs mean by them.

OLD_SITE = {"PUBLIC_URL": "https://chess.example.org", "DATA_DIR": "/srv/chess"}
TODAY = {"FAIRYHOUSE_PUBLIC_URL": "https://chess.example.org"}
NAMES = [name.upper() for name in Settings.model_fields]
OTHERS_VALUES = (
    "tcp://10.0.0.1:6379",
    "x86_64-conda-linux-gnu",
    "3000",
    "/app",
    "https://cdn.example.org/app",
    "postgres://db/app",
    "redis://localhost:6379/1",
    "smtp://localhost:25",
    "0.0.0.0",
    "TRACE",
)


def test_old_names_are_read_where_a_site_has_no_others():
    environment = OLD_SITE | {"HOST_CONTACT": "mailto:a@example.org", "VACATION_DAYS": "3", "MAIL_FROM": ""}
    settings = read_settings(environment)
    assert (settings.address, str(settings.data_dir)) == ("https://chess.example.org", "/srv/chess")
    assert (settings.host_contact, settings.vacation_days) == ("mailto:a@example.org", 3)
    assert old_names(environment) == OldNames(("PUBLIC_URL", "DATA_DIR", "VACATION_DAYS", "HOST_CONTACT"), ())


@pytest.mark.parametrize("name", NAMES)
def test_what_other_programs_set_changes_no_site_of_today_and_none_without_settings(name):
    for value in OTHERS_VALUES:
        assert read_settings(TODAY | {name: value}) == read_settings(TODAY)
        assert read_settings({name: value}) == Settings()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OLD_SITE])
def test_what_other_programs_set_keeps_no_old_site_from_starting_where_it_is(name):
    kept = {"host", "port", "public_url", "data_dir", "mongodb_uri", "redis_url", "smtp_url"}
    for value in OTHERS_VALUES:
        settings = read_settings(OLD_SITE | {name: value})
        assert settings.model_dump(include=kept) == read_settings(OLD_SITE).model_dump(include=kept)


def test_settings_of_others_that_do_not_fit_together_are_left_out_together():
    mail = {"MAIL_DOMAIN": "example.org", "MAIL_LMTP_PORT": "8024"}
    one_port = {"METRICS_PORT": "9100", "MAIL_LMTP_PORT": "9100"}
    push = {"VAPID_PRIVATE_KEY": "key"}
    for others in (mail, one_port, push):
        assert read_settings(OLD_SITE | others) == read_settings(OLD_SITE)
        assert old_names(OLD_SITE | others).unread == tuple(name for name in NAMES if name in others)


def test_a_start_names_what_it_reads_and_does_not_read(monkeypatch, caplog):
    monkeypatch.setattr(command_line, "serve", lambda settings: None)
    for name, value in (OLD_SITE | {"HOST": "::1", "METRICS_PORT": "http"}).items():
        monkeypatch.setenv(name, value)
    command_line.run(command_line.parse_command([]), Settings(), [])
    assert caplog.messages == [
        "settings are called FAIRYHOUSE_… now; the old names are still read: PUBLIC_URL, DATA_DIR",
        "what may be meant for another program is not read: HOST (for this program: FAIRYHOUSE_HOST), METRICS_PORT (for"
        " this program: FAIRYHOUSE_METRICS_PORT)",
    ]


def test_a_name_that_says_the_same_as_the_one_with_the_prefix_needs_no_word():
    assert old_names({"FAIRYHOUSE_PORT": "9001", "PORT": "9001"}) == OldNames((), ())
    assert old_names({"FAIRYHOUSE_PORT": "9001", "PORT": "9002"}) == OldNames((), ("PORT",))


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("FAIRYHOUSE_PUBLC_URL", "FAIRYHOUSE_PUBLIC_URL"), ("FAIRYHOUSE_DATADIR", "FAIRYHOUSE_DATA_DIR")],
)
def test_a_name_with_the_prefix_that_is_no_setting_is_refused_with_the_nearest(name, nearest):
    assert refusal(**{name: "hunter2"}) == f"{name} is no setting. Do you mean {nearest}?"
    assert "lists all" in refusal(FAIRYHOUSE_XYZ="1")


def of_kubernetes(service):
    """What Kubernetes sets in each container beside a service with one port."""
    name = service.upper().replace("-", "_")
    link = f"{name}_PORT_8080_TCP"
    return {
        f"{name}_SERVICE_HOST": "10.0.0.1",
        f"{name}_SERVICE_PORT": "8080",
        f"{name}_SERVICE_PORT_HTTP": "8080",
        f"{name}_PORT": "tcp://10.0.0.1:8080",
        link: "tcp://10.0.0.1:8080",
        f"{link}_PROTO": "tcp",
        f"{link}_PORT": "8080",
        f"{link}_ADDR": "10.0.0.1",
    }


@pytest.mark.parametrize(
    "service",
    [
        "fairyhouse",
        "fairyhouse-redis",
        "fairyhouse-mongo",
        "fairyhouse-metrics",
        "fairyhouse-mail-lmtp",
        "metrics",
        "host",
    ],
)
def test_what_kubernetes_sets_for_a_service_is_no_setting(service):
    for own in ({}, TODAY, OLD_SITE):
        assert read_settings(own | of_kubernetes(service)) == read_settings(own)
    assert "is no setting" in refusal(FAIRYHOUSE_REDIS_PORT="6379"), "that is no link"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "http", "give a whole number from 1 to 65,535"),
        ("CHAT_KEPT_DAYS", "-1", "give a whole number from 0 to 36,500"),
        ("BOTS_RATED", "perhaps", "give true or false"),
        ("LOG_LEVEL", "loud", "give debug, info, warning or error"),
        ("VAPID_PRIVATE_KEY", "x" * 401, "give at most 400 characters"),
    ],
)
def test_what_may_be_set_is_said_in_plain_words(name, value, said):
    assert refusal(**{f"FAIRYHOUSE_{name}": value}).split("\n")[0] == f"FAIRYHOUSE_{name} cannot be used: {said}."


def test_a_secret_can_be_in_a_file_of_its_own(tmp_path):
    secret = tmp_path / "smtp"
    secret.write_text("smtps://me:hunter2@mail.example.org\n")
    environment = {"FAIRYHOUSE_SMTP_URL_FILE": str(secret), "FAIRYHOUSE_MAIL_FROM": "games@example.org"}
    assert read_settings(environment).smtp_url == "smtps://me:hunter2@mail.example.org"
    assert "both set" in refusal(**environment, FAIRYHOUSE_SMTP_URL="smtp://localhost")
    missing = tmp_path / "nothing"
    assert refusal(FAIRYHOUSE_SMTP_URL_FILE=str(missing)) == (
        f"FAIRYHOUSE_SMTP_URL_FILE cannot be used: {missing} cannot be read (No such file or directory)."
    )
    assert "is no setting" in refusal(FAIRYHOUSE_PORT_FILE=str(secret)), "only secrets are read from files"


def test_settings_can_be_in_a_toml_file_and_the_environment_goes_before_it(tmp_path):
    file = tmp_path / "fairyhouse.toml"
    file.write_text('port = 9001\nbots_rated = true\ntrusted_proxies = ["10.0.0.0/8"]\n')
    settings = read_settings({"FAIRYHOUSE_CONFIG": str(file), "FAIRYHOUSE_PORT": "9002"})
    assert (settings.port, settings.bots_rated, len(settings.trusted_proxies)) == (9002, True, 1)
    file.write_text('prot = "hunter2"\n')
    assert refusal(FAIRYHOUSE_CONFIG=str(file)) == f"prot in {file} is no setting. Do you mean port?"
    file.write_text("port = \n")
    assert f"{file} is no TOML" in refusal(FAIRYHOUSE_CONFIG=str(file))
    assert "cannot be read" in refusal(FAIRYHOUSE_CONFIG=str(tmp_path / "nothing"))


def test_one_port_has_one_use():
    said = refusal(FAIRYHOUSE_PORT="9001", FAIRYHOUSE_METRICS_PORT="9001")
    assert "FAIRYHOUSE_PORT and FAIRYHOUSE_METRICS_PORT are both 9001" in said


def test_settings_are_shown_without_secrets_and_can_be_read_again(tmp_path):
    given = {
        "FAIRYHOUSE_MONGODB_URI": "mongodb://me:hunter2@one,two/site?password=hunter2",
        "FAIRYHOUSE_REDIS_URL": "redis://:hunter2@redis:6379/0",
        "FAIRYHOUSE_VAPID_PRIVATE_KEY": "hunter2",
        "FAIRYHOUSE_VAPID_CONTACT": "mailto:a@example.org",
        "FAIRYHOUSE_BOTS_RATED": "true",
        "FAIRYHOUSE_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8",
    }
    shown = shown_settings(read_settings(given)).splitlines()
    assert "hunter2" not in " ".join(shown)
    assert "FAIRYHOUSE_MONGODB_URI=mongodb://***@one,two/site?***" in shown
    assert "FAIRYHOUSE_REDIS_URL=redis://***@redis:6379/0" in shown
    assert "FAIRYHOUSE_VAPID_PRIVATE_KEY=***" in shown
    assert "FAIRYHOUSE_TRUSTED_PROXIES=127.0.0.1/32,10.0.0.0/8" in shown
    assert "# FAIRYHOUSE_PORT=8080" in shown
    chosen = dict(line.split("=", 1) for line in shown if not line.startswith("#"))
    assert chosen.keys() == given.keys()
    assert read_settings({name: chosen[name] for name in ("FAIRYHOUSE_BOTS_RATED",)}).bots_rated


@pytest.mark.parametrize("password", ["hunter2/x", "x/hunter2", "hunter2[", "hunter2?x"])
def test_of_an_address_that_cannot_be_read_no_password_is_shown(password):
    shown = shown_settings(read_settings({"FAIRYHOUSE_MONGODB_URI": f"mongodb://me:{password}@one/site"}))
    assert "FAIRYHOUSE_MONGODB_URI=mongodb://***@one/site\n" in shown


def test_in_a_container_a_wrong_setting_is_said_once_and_waited_with():
    told = {"PATH": os.environ["PATH"], "FAIRYHOUSE_PORT": "none"}
    command = (sys.executable, "-m", "server", "--hold")
    with subprocess.Popen(command, env=told, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline() == "FAIRYHOUSE_PORT cannot be used: give a whole number from 1 to 65,535.\n"
        assert process.poll() is None, "it would be started again and again"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 78
        assert process.stderr.read() == ""


# What an address of Redis says, and what is none.


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("redis://:pw@one:6379/0", RedisAddress("redis://:pw@one:6379/0")),
        (
            "redis+sentinel://:p%40w@one:5000,two/mymaster/3",
            RedisAddress("redis://:p%40w@localhost/3", (("one", 5000), ("two", 26379)), "mymaster"),
        ),
        (
            "rediss+sentinel://anna:pw@[::1]/games?ssl_ca_certs=/etc/ca.pem",
            RedisAddress("rediss://anna:pw@localhost/?ssl_ca_certs=/etc/ca.pem", (("::1", 26379),), "games"),
        ),
    ],
)
def test_an_address_says_where_redis_is_or_who_knows(text, meant):
    assert parse_redis_url(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "redis+sentinel://:secret@one,two",
        "redis+sentinel://:secret@one,two/",
        "redis+sentinel://:secret@one,,two/mymaster",
        "redis+sentinel://:secret@one:99999/mymaster",
        "redis+sentinel://:secret@one:port/mymaster",
        "redis+sentinel://:secret@one/mymaster/zero",
        "redis+sentinel:///mymaster",
    ],
)
def test_an_address_of_sentinels_without_hosts_or_name_is_refused_and_not_repeated(text):
    with pytest.raises(ValueError, match="give") as refused:
        parse_redis_url(text)
    assert "secret" not in str(refused.value)
