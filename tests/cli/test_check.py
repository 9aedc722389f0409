"""`fairyhouse check` names whatever is wrong with what a site has stored, and nothing else; it changes nothing."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from server.cli.checking import check_all
from server.cli.site_access import CommandRefused
from server.settings import Settings
from tests.support.storage.filled_site import contents, fill_site
from tests.support.web.host import QuickHost, command
from tests.support.web.people import Person

pytestmark = pytest.mark.slow

SPOILT = {
    "games random-chess": "UPDATE games SET head = CAST('no JSON' AS BLOB) WHERE id = 'random-chess'",
    "games random-grand": "DELETE FROM moves WHERE game = 'random-grand' AND ply = 3",
    "games running": "UPDATE moves SET move = 'e2e5 300000 0 e5' WHERE game = 'running' AND ply = 0",
    "games rated2": "UPDATE moves SET move = replace(move, ' e4', ' Ne4') WHERE game = 'rated2' AND ply = 0",
    "games rated0": "DELETE FROM archive WHERE line LIKE '%rated0%'",
    "sessions guest's": "UPDATE sessions SET user = 'nobody' WHERE token_hash = 'guest''s'",
    "standings id-berta": "UPDATE standings SET value = -5 WHERE player = 'id-berta'",
    "alerts": "UPDATE alerts SET speeds = 'slowest'",
    "seeks s1": "UPDATE seeks SET maker_color = 'green' WHERE _id = 's1'",
    "archive": "UPDATE archive SET line = '{}' WHERE line LIKE '%rated1%'",
    "chat": "UPDATE chat SET game = 'none such'",
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    asyncio.run(fill_site(folder / "fairyhouse.sqlite3"))
    with closing(sqlite3.connect(folder / "fairyhouse.sqlite3", isolation_level=None)) as connection:
        # Nobody has made these in `fill_site`.
        for person in ("a", "b", "w", "anna", "ben"):
            connection.execute("INSERT INTO users (id, name, guest, created) VALUES (?, ?, 1, 5)", (person, person))
    return folder


@pytest.fixture
def path(filled, tmp_path):
    copy = tmp_path / "fairyhouse.sqlite3"
    copy.write_bytes((filled / "fairyhouse.sqlite3").read_bytes())
    return copy


def told(folder, capsys):
    """What is printed, line by line, after the summary was looked at."""
    with pytest.raises(CommandRefused) as refused:
        check_all(Settings(data_dir=folder))
    lines = capsys.readouterr().out.splitlines()
    assert str(refused.value).startswith(f"{len(lines)} ")
    return lines


def test_an_intact_site_passes_and_is_left_as_it_is(path, capsys):
    before = contents(path)
    check_all(Settings(data_dir=path.parent))
    assert "intact" in capsys.readouterr().out
    assert contents(path) == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("named", SPOILT)
def test_what_is_damaged_is_named(path, capsys, named):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(SPOILT[named])
    lines = told(path.parent, capsys)
    assert lines
    assert all(line.startswith((named, "chat")) for line in lines), lines
    assert all("estore a backup" in line for line in lines)


def test_a_damaged_file_is_reported_with_the_remedy(path, capsys):
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    lines = told(path.parent, capsys)
    assert lines[0].startswith(f"file {path}")
    assert "fairyhouse restore" in lines[0]


async def test_it_works_beside_the_running_server(tmp_path):
    host = QuickHost(tmp_path)
    await host.start()
    try:
        async with Person(host.site) as anna:
            await anna.challenge()
            code, said, errors = await command(host, "check")
            assert (code, errors) == (0, ""), said
    finally:
        await host.kill()
