"""A whole server that takes replies by mail, on the event loop and with the port that the host has chosen."""

import socket

import pytest

from tests.support.free_port import free_port
from tests.support.mail.handing_over import hand_over
from tests.support.web.host import QuickHost


@pytest.fixture
async def host(tmp_path):
    host = QuickHost(tmp_path)
    yield host
    await host.kill()


async def test_a_server_takes_replies_and_stops_with_a_connection_open(host):
    port = free_port()
    mail = {"SMTP_URL": "smtp://127.0.0.1:1", "MAIL_FROM": "games@play.example.org", "MAIL_LMTP_PORT": str(port)}
    await host.start(**mail)
    assert (await hand_over(port, "play+token@play.example.org", b"")).startswith("550")
    with socket.create_connection(("127.0.0.1", port)) as idle:
        idle.settimeout(10)
        assert idle.recv(3) == b"220"
        code, errors = await host.stop()
    assert code == 0
    assert "Traceback" not in errors


async def test_a_port_that_is_taken_is_named(host):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        mail = {"SMTP_URL": "smtp://127.0.0.1:1", "MAIL_FROM": "games@play.example.org", "MAIL_LMTP_PORT": port}
        await host.run(**mail)
        code, errors = await host.end()
    assert code != 0
    assert f"MAIL_LMTP_PORT {port} cannot be used" in errors
