"""A site that an earlier release has written: only the server upgrades it, keeps it as it was, and one can go back."""

import asyncio
import logging
import os
import shutil
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest

from server.backends import open_store_of_site
from server.cli import site_access
from server.cli.admin import delete, list_reports, remove_notice
from server.cli.backup import back_up, restore
from server.cli.checking import check_all, check_upgrade
from server.cli.puzzles import list_puzzles
from server.cli.site_access import CommandRefused
from server.settings import Settings
from server.storage.admin_commands import DeleteGame
from server.storage.sqlite import copy as sqlite_copy
from server.storage.sqlite.copy import check, version_of
from server.storage.sqlite.scripts import SCRIPTS
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.old_files import make_old_file, old_games

OLD = len(SCRIPTS) - 2
GAME = next(old_games())[0]["_id"]


@pytest.fixture
def settings(tmp_path):
    make_old_file(tmp_path / "fairyhouse.sqlite3", OLD)
    return Settings(data_dir=tmp_path)


@pytest.fixture
def path(settings):
    return settings.data_dir / "fairyhouse.sqlite3"


def names(folder):
    return {one.name for one in folder.iterdir()}


def start(settings):
    """A server starts and stops."""

    async def run():
        store = await open_store_of_site(settings, VARIANTS)
        game = await store.load(GAME)
        await store.close()
        return game

    return asyncio.run(run())


@pytest.mark.parametrize(
    "read",
    [
        list_reports,
        check_upgrade,
        lambda settings: list_puzzles(settings, ""),
        lambda settings: delete(settings, DeleteGame(GAME, sure=False)),
        lambda settings: back_up(settings, settings.data_dir / "backup.sqlite3", replace=False),
    ],
)
def test_a_command_that_only_reads_leaves_an_older_file_as_it_is(settings, path, read):
    read(settings)
    assert version_of(path) == OLD
    assert names(settings.data_dir) <= {path.name, "backup.sqlite3"}


def test_commands_that_copy_the_file_do_so_side_by_side(settings, path):
    with site_access.place_for_copy(settings, "check") as one:
        one.write_text("the first one's")
        check_upgrade(settings)
        with site_access.place_for_copy(settings, "check") as other:
            other.write_text("the second one's")
        assert one.read_text() == "the first one's"
        assert not other.exists()
    assert names(settings.data_dir) == {path.name}


def test_no_copy_is_made_that_would_leave_the_site_too_little_room(settings, path, monkeypatch):
    free = SimpleNamespace(free=2 * path.stat().st_size - 1)
    monkeypatch.setattr(sqlite_copy.shutil, "disk_usage", lambda _: free)
    with pytest.raises(CommandRefused, match="has not twice the room"):
        check_upgrade(settings)
    assert names(settings.data_dir) == {path.name}
    free.free += 1
    check_upgrade(settings)


def test_what_a_killed_command_has_copied_is_removed_by_the_next(settings, path):
    left = settings.data_dir / "fairyhouse.check.copy-killed"
    left.mkdir()
    (left / path.name).write_text("all of the site")
    with site_access.place_for_copy(settings, "check") as copied:
        assert names(settings.data_dir) == {path.name, copied.parent.name}


@pytest.mark.parametrize("change", [remove_notice, lambda settings: delete(settings, DeleteGame(GAME, sure=True))])
def test_a_command_that_changes_something_asks_for_the_server_first(settings, path, change):
    with pytest.raises(CommandRefused, match="Start the server of this release first"):
        change(settings)
    assert version_of(path) == OLD
    assert start(settings) is not None


def test_a_server_that_upgrades_keeps_the_file_as_it_was_and_logs_each_step(settings, path, caplog):
    caplog.set_level(logging.INFO, "server.backends")
    assert start(settings).id == GAME
    former = path.with_name(f"fairyhouse.before-{len(SCRIPTS)}.sqlite3")
    check(former)
    assert (version_of(former), version_of(path)) == (OLD, len(SCRIPTS))
    assert former.stat().st_mode & 0o077 == 0
    first, *steps, last = caplog.messages
    assert first == f"upgrading {path} from schema version {OLD} to {len(SCRIPTS)}; as it was, it is kept in {former}"
    assert [step.split(":")[0] for step in steps] == [
        f"upgrade step to version {one}" for one in range(OLD + 1, len(SCRIPTS) + 1)
    ]
    assert last == f"upgraded {path} to schema version {len(SCRIPTS)}"
    caplog.clear()
    assert start(settings).id == GAME
    assert caplog.messages == [], "there is nothing to upgrade a second time"


def test_a_young_site_that_crashed_is_kept_as_well_though_its_version_is_in_its_log_only(tmp_path, caplog):
    running, crashed = tmp_path / "running", tmp_path / "crashed"
    running.mkdir()
    with closing(sqlite3.connect(running / "fairyhouse.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"BEGIN; {''.join(SCRIPTS[:OLD])} PRAGMA user_version = {OLD}; COMMIT;")
        shutil.copytree(running, crashed)
    (crashed / "fairyhouse.sqlite3-shm").unlink()
    start(Settings(data_dir=crashed))
    assert version_of(crashed / f"fairyhouse.before-{len(SCRIPTS)}.sqlite3") == OLD
    assert "did not shut down cleanly" in caplog.text


def test_a_new_site_has_no_former_self(tmp_path):
    settings = Settings(data_dir=tmp_path / "new")
    start(settings)
    assert names(settings.data_dir) == {"fairyhouse.sqlite3"}


def test_going_back_gives_the_older_release_what_it_had(settings, path, capsys):
    start(settings)
    restore(settings, path.with_name(f"fairyhouse.before-{len(SCRIPTS)}.sqlite3"), replace=True)
    check(path)
    assert version_of(path) == OLD
    assert start(settings).id == GAME, "and another upgrade works as the first one"


def test_an_older_release_puts_aside_what_a_newer_one_has_upgraded(settings, path):
    start(settings)
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {len(SCRIPTS) + 1}")
    restore(settings, path.with_name(f"fairyhouse.before-{len(SCRIPTS)}.sqlite3"), replace=True)
    assert start(settings).id == GAME
    (aside,) = settings.data_dir.glob("fairyhouse.until-*.sqlite3")
    with closing(sqlite3.connect(aside)) as kept:
        assert kept.execute("PRAGMA user_version").fetchone() == (len(SCRIPTS) + 1,)


def test_a_folder_of_another_user_is_refused_by_name(settings, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: settings.data_dir.stat().st_uid + 1)
    for command in (list_reports, check_all, lambda _: restore(settings, settings.data_dir / "x", replace=True)):
        with pytest.raises(CommandRefused, match="belongs to the user"):
            command(settings)


@pytest.mark.parametrize("command", [list_reports, check_all])
def test_a_server_of_another_release_is_named_as_the_reason_why_it_may_not_answer(settings, monkeypatch, command):
    monkeypatch.setattr(site_access, "ANSWER_S", site_access.LOOK_S)

    async def beside():
        store = await open_store_of_site(settings, VARIANTS)
        try:
            await asyncio.to_thread(command, settings)
        finally:
            await store.close()

    with pytest.raises(CommandRefused, match="use the commands of that release"):
        asyncio.run(beside())
