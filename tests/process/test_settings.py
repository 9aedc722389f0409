"""Settings from the environment: what they become, and what is refused."""

import pytest

from server.settings import InvalidSettings, Settings, read_settings


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def test_nothing_need_be_set():
    settings = read_settings()
    assert settings.address == "http://localhost:8080"
    assert settings.origins == {"http://localhost:8080", "http://127.0.0.1:8080"}
    assert not settings.secure


def test_an_empty_setting_counts_as_unset(monkeypatch):
    monkeypatch.setenv("MONGODB_URI", "")
    monkeypatch.setenv("PORT", "")
    assert read_settings() == Settings()


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://Chess.Example.org/", "https://chess.example.org"),
        ("https://chess.example.org:443", "https://chess.example.org"),
        ("http://10.0.0.5:9000", "http://10.0.0.5:9000"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_the_public_address_is_an_origin_as_browsers_write_it(monkeypatch, given, address):
    monkeypatch.setenv("PUBLIC_URL", given)
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
        ("MAIL_FROM", "Chess <games@example.org>"),
        ("MAIL_FROM", "games@example.org\nBcc: a@b.cd"),
        ("MAIL_DOMAIN", "example"),
    ],
)
def test_absurd_values_are_refused_by_name_and_not_repeated(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidSettings) as refusal:
        read_settings()
    assert str(refusal.value).startswith(f"{name} cannot be used: ")
    assert "secret" not in str(refusal.value)


def test_several_nodes_need_one_store(monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://localhost")
    with pytest.raises(InvalidSettings, match="MONGODB_URI"):
        read_settings()


def test_settings_do_not_change():
    with pytest.raises(ValueError, match="frozen"):
        read_settings().port = 1


def test_web_push_needs_key_and_contact(monkeypatch):
    monkeypatch.setenv("VAPID_PRIVATE_KEY", "x" * 43)
    with pytest.raises(InvalidSettings, match="both VAPID_PRIVATE_KEY and VAPID_CONTACT") as refused:
        read_settings()
    assert "xxx" not in str(refused.value)
    monkeypatch.setenv("VAPID_CONTACT", "mailto:host@example.org")
    assert read_settings().vapid_contact == "mailto:host@example.org"


@pytest.mark.parametrize(
    "url", ["smtp://localhost:2525", "smtp://me:secret@127.0.0.1", "smtp+starttls://me:secret@m.org", "smtps://m.org"]
)
def test_mail_needs_a_server_and_a_sender(monkeypatch, url):
    monkeypatch.setenv("SMTP_URL", url)
    with pytest.raises(InvalidSettings, match="both SMTP_URL and MAIL_FROM") as refused:
        read_settings()
    assert "secret" not in str(refused.value)
    monkeypatch.setenv("MAIL_FROM", "games@Example.ORG")
    assert (read_settings().mail_from, read_settings().domain_of_mail) == ("games@example.org", "example.org")
    monkeypatch.setenv("MAIL_DOMAIN", "chess.example.org")
    assert read_settings().domain_of_mail == "chess.example.org"
