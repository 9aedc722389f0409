"""A site that also takes what people write, at a port where the host's mail server hands it over."""

import pytest

from tests.support.free_port import free_port
from tests.support.web.in_process import default_settings


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def settings(tmp_path, monkeypatch, post_office, port):
    more = {"smtp_url": post_office.url, "mail_from": "games@play.example.org", "mail_lmtp_port": port}
    return default_settings(tmp_path, monkeypatch, **more)
