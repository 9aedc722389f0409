"""The log tells the life of a site: that it started, why it stopped, that it crashed, what is lost and found again."""

import asyncio
import json
import logging
import os
import shutil
import signal

import pytest
from aiohttp import web

from server.backends import open_store_of_site
from server.cli import audit
from server.cli.audit import operator, record_command
from server.cli.commands import run_recorded
from server.cli.site_access import CommandRefused
from server.command_line import parse_command
from server.realtime.cluster.redis_bus import RedisBus
from server.release import release
from server.serving import announce
from server.settings import Settings
from server.storage.errors import Unavailable
from server.storage.sqlite.scripts import SCRIPTS
from server.web.edge import STOPPING, serve_until_told
from tests.support.free_port import free_port
from tests.support.realtime.hand_clock import HandClock
from tests.support.realtime.node import Node
from tests.support.redis_server import needs_redis, running_redis
from tests.support.storage.memory_store import MemoryStore

redis = pytest.fixture(running_redis)


@pytest.fixture(autouse=True)
def everything_logged(caplog):
    caplog.set_level(logging.INFO, "server")


def test_the_first_line_says_what_runs_where(tmp_path, caplog, capsys):
    announce(Settings(data_dir=tmp_path, host="127.0.0.1", port=8081, metrics_port=9100, smtp_url="smtp://localhost",
                      mail_from="a@example.org"))  # fmt: skip
    assert caplog.messages == [
        f"started: Fairyhouse {release()} at http://localhost:8081, listening on 127.0.0.1 port 8081;"
        f" {tmp_path}/fairyhouse.sqlite3, schema version {len(SCRIPTS)}; with mail, metrics"
    ]
    assert capsys.readouterr().out == "Fairyhouse is running at http://localhost:8081\n"


def test_the_first_line_has_no_secret(caplog):
    announce(Settings(mongodb_uri="mongodb://me:secret@d/x", redis_url="redis://:secret@d", vapid_private_key="secret",
                      vapid_contact="mailto:a@example.org"))  # fmt: skip
    assert "MongoDB" in caplog.text
    assert "with web push, several nodes" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("name", STOPPING)
async def test_every_way_to_stop_it_is_named_and_ends_in_good_order(name, caplog):
    closed = []
    app = web.Application()
    app.on_cleanup.append(lambda _: asyncio.sleep(0, closed.append(True)))
    loop = asyncio.get_running_loop()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
    await serve_until_told(app, "127.0.0.1", free_port(), lambda: os.kill(os.getpid(), signal.Signals[name]))
    for one in STOPPING:
        loop.remove_signal_handler(signal.Signals[one])
    assert closed == [True]
    assert caplog.messages == [f"stopping: {name}", "stopped"]


async def test_a_server_that_nohup_has_started_outlives_its_terminal(caplog):
    def close_terminal_then_stop():
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        await serve_until_told(web.Application(), "127.0.0.1", free_port(), close_terminal_then_stop)
    finally:
        for one in STOPPING:
            asyncio.get_running_loop().remove_signal_handler(signal.Signals[one])
        signal.signal(signal.SIGHUP, before)
    assert caplog.messages == ["stopping: SIGTERM", "stopped"]


async def test_a_server_says_that_the_one_before_crashed_and_only_then(tmp_path, caplog):
    lived, crashed = tmp_path / "lived", tmp_path / "crashed"
    store = await open_store_of_site(Settings(data_dir=lived), {})
    shutil.copytree(lived, crashed)
    await store.close()
    for folder, said in ((lived, False), (crashed, True), (crashed, False)):
        caplog.clear()
        await (await open_store_of_site(Settings(data_dir=folder), {})).close()
        assert ("did not shut down cleanly" in caplog.text) is said


@pytest.mark.parametrize(
    ("error", "why"), [(Unavailable("The disk is full."), "The disk is full."), (TimeoutError(), "it takes too long")]
)
async def test_a_store_that_is_lost_and_found_again_is_told_once_each(caplog, monkeypatch, error, why):
    clock = HandClock()
    node = Node(MemoryStore(), clock)
    heartbeat = node.live._heartbeat

    async def away(*_):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(node.live.services.store, "mark_alive", away)
        for _ in range(3):
            with pytest.raises(type(error)):
                await heartbeat.beat()
            clock.turn(1_000)
    await heartbeat.beat()
    await heartbeat.beat()
    assert caplog.messages == [f"the store is lost: {why}", "the store is found again after 3000 ms"]


async def test_a_redis_that_is_away_is_told_once(caplog):
    bus = await RedisBus.join(f"redis://127.0.0.1:{free_port()}")
    await bus.publish(())
    await bus.publish(())
    assert [message.split(":")[0] for message in caplog.messages] == ["Redis is lost"]


@needs_redis
@pytest.mark.slow
async def test_a_redis_that_is_found_again_is_told(redis, caplog):
    bus = RedisBus(redis.url)
    bus._note_loss(OSError("gone"))
    heard = asyncio.Event()
    running = asyncio.create_task(bus.run(lambda _: None, lambda _: heard.set()))
    await heard.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert caplog.messages == ["Redis is lost: gone", "Redis is found again"]


def test_each_command_of_the_host_is_recorded_with_who_and_how_it_ended(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUDO_USER", "anna")
    typed = ["notice", "We move on Sunday.", "--days", "2"]
    with pytest.raises(CommandRefused):
        run_recorded(parse_command(typed), Settings(data_dir=tmp_path), typed)
    record_command(Settings(data_dir=tmp_path), ["reports"], "done")
    refused, done = map(json.loads, (tmp_path / "commands.log").read_text().splitlines())
    assert refused["by"] == done["by"] == operator()
    assert operator().startswith("anna-as-")
    assert refused["command"] == "notice 'We move on Sunday.' --days 2"
    assert (refused["outcome"], done["outcome"]) == ("refused", "done")
    assert (tmp_path / "commands.log").stat().st_mode & 0o077 == 0


def test_a_command_where_there_is_no_site_makes_no_record(tmp_path):
    record_command(Settings(data_dir=tmp_path / "nowhere"), ["reports"], "refused")
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_root_begins_belongs_to_the_owner_of_the_folder(tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda _, *owner: given.append(owner))
    for _ in range(2):
        record_command(Settings(data_dir=tmp_path), ["reports"], "refused")
    owner = tmp_path.stat()
    assert given == [(owner.st_uid, owner.st_gid)]
    assert len((tmp_path / "commands.log").read_text().splitlines()) == 2


def test_a_record_is_written_to_no_file_elsewhere(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch()
    (tmp_path / "commands.log").symlink_to(elsewhere)
    record_command(Settings(data_dir=tmp_path), ["reports"], "done")
    assert elsewhere.read_text() == ""


def test_a_command_ends_as_it_does_where_there_is_no_room_for_its_record(tmp_path, monkeypatch):
    monkeypatch.setattr(audit, "_open_record", lambda _: os.open("/dev/full", os.O_WRONLY))
    record_command(Settings(data_dir=tmp_path), ["reports"], "done")
