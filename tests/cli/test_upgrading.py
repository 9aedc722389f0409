"""`fairyhouse upgrade --check` says what an upgrade would do to what is stored, and changes nothing."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from server.cli.checking import check_upgrade
from server.cli.site_access import CommandRefused
from server.settings import Settings
from server.storage.documents import SCHEMA
from server.storage.sqlite.scripts import SCRIPTS, steps_from
from tests.support.games import live_game
from tests.support.storage.engines import MongoPlace
from tests.support.storage.old_files import make_old_file, old_games
from tests.support.web.host import QuickHost, command

GAMES = [f"  {schema}: 1" for schema in sorted(range(1, SCHEMA + 1), key=str)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "fairyhouse.sqlite3"


@pytest.fixture
def told(path, capsys):
    def check(**settings):
        check_upgrade(Settings(data_dir=path.parent, **settings))
        return capsys.readouterr().out.splitlines()

    return check


@pytest.mark.parametrize("version", [1, 5, len(SCRIPTS) - 1, len(SCRIPTS)])
def test_the_versions_are_told_and_the_file_stays_as_it_was(version, path, told):
    make_old_file(path, version)
    lines = told()
    head, due, *steps = lines[: len(SCRIPTS) - version + 2]
    assert head == f"{path} has schema version {version}, this release has {len(SCRIPTS)}."
    assert [step.removeprefix("  to version ").split(":")[0] for step in steps] == [
        str(later) for later in range(version + 1, len(SCRIPTS) + 1)
    ]
    assert due.startswith("The start" if steps else "There is nothing")
    assert lines[-len(GAMES) - 1 :] == [*GAMES, "This release can open it."]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (version,)
    assert {one.name for one in path.parent.iterdir()} <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}


def test_every_step_says_what_it_does():
    assert all(step.partition(": ")[2] for step in steps_from(0))
    assert steps_from(len(SCRIPTS)) == []


def alter(path, statement):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("PRAGMA user_version = 99", f"version is 99, this release has {len(SCRIPTS)}"),
        ("DROP TABLE chat", "does not have the tables"),
        (
            "UPDATE games SET head = CAST(json_set(CAST(head AS TEXT), '$.s', 99) AS BLOB) WHERE id = 'schema3'",
            "1 games cannot be read",
        ),
        ("UPDATE games SET head = CAST('no JSON' AS BLOB) WHERE id = 'schema3'", "1 games cannot be read"),
    ],
)
def test_what_this_release_cannot_open_is_refused(statement, why, path, told):
    make_old_file(path, len(SCRIPTS))
    alter(path, statement)
    with pytest.raises(CommandRefused, match=why):
        told()


@pytest.mark.slow
def test_mongodb_is_looked_at_and_left_alone(secantus, told):
    place = MongoPlace(secantus.uri)

    async def fill(*heads):
        store = await place.open()
        await store.create(live_game())
        for head, moves in heads:
            await store._games.insert_one({**head, "moves": list(moves), "tokens": []})
        await store._client.get_default_database()["filled"].delete_one({"_id": "archive"})
        await place.leave()

    asyncio.run(fill(*old_games()))
    for _ in range(2):
        lines = told(mongodb_uri=place.uri)
        assert lines[1].endswith("once, for: archive.")
        assert f"  {SCHEMA}: 2" in lines
        assert lines[-1] == "This release can open it."


@pytest.mark.slow
async def test_it_works_while_the_server_runs_and_exits_as_it_says(tmp_path):
    host = QuickHost(tmp_path)
    await host.start()
    try:
        code, said, _ = await command(host, "upgrade", "--check")
        assert (code, said.splitlines()[-1]) == (0, "This release can open it.")
        await host.stop()
        alter(host.folder / "data" / "fairyhouse.sqlite3", "PRAGMA user_version = 99")
        code, _, error = await command(host, "upgrade", "--check")
        assert code == 1
        assert "newer release" in error
        assert (await command(host, "upgrade"))[0] == 2
    finally:
        await host.kill()
