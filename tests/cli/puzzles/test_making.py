"""`fairyhouse puzzles`: made by the engine from games of every variant, listed, removed, and made on after a kill."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from server.cli import engines
from server.cli.commands import run
from server.cli.engines import running_engine
from server.cli.site_access import CommandRefused
from server.command_line import parse_command
from server.games.puzzle_mining import DEEPER, only_winning_move
from server.games.puzzles import Theme, prove_puzzle
from server.rules.catalogue import load_catalogue
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.settings import Settings
from server.storage.sqlite.store import SqliteStore
from tests.support.puzzles import BEFORE_CASTLING, CASTLED, fill_with_games, games_with_puzzles, mistaken
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import MongoPlace
from tests.support.storage.rated_games import ANNA, BERTA, count_all, farm, register
from tests.support.web.host import QuickHost, command

pytestmark = pytest.mark.slow
NODES = "2000"
THOROUGHLY = "4000"
MAKE = ["puzzles", "make", "--nodes", NODES]
FEW = ("seirawan", "shouse", "acedrex")
OWN = """
parent = "chess"
name = "Tiny"
tagline = "No other."
differences = ["None.", "None at all."]
pgn_tag = "Tiny"
"""
FOOLS_MATE = "f2f3 e7e5 g2g4"


def site_with(folder, games, variants=VARIANTS):
    async def fill():
        store = await SqliteStore.open(folder / "fairyhouse.sqlite3", variants)
        await fill_with_games(store, games)
        await store.close()

    asyncio.run(fill())
    return Settings(data_dir=folder)


def puzzles_of(settings, variants=VARIANTS):
    async def read():
        store = await SqliteStore.open(settings.data_dir / "fairyhouse.sqlite3", variants)
        found = await store.puzzles.page_of_puzzles("", "", 500)
        await store.close()
        return found

    return asyncio.run(read())


def few():
    return [game for variant, game in games_with_puzzles().items() if variant in FEW]


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """A site with a few games whose puzzles have been made; for reading."""
    settings = site_with(tmp_path_factory.mktemp("searched"), few())
    run(parse_command(MAKE), settings)
    return settings


@pytest.fixture
def with_puzzles(searched, tmp_path):
    """The same for a test alone."""
    for file in searched.data_dir.iterdir():
        shutil.copy(file, tmp_path)
    return Settings(data_dir=tmp_path)


def test_every_variant_has_puzzles_and_the_rules_and_a_deeper_search_confirm_each(tmp_path, capsys):
    settings = site_with(tmp_path, games_with_puzzles().values())
    run(parse_command([*MAKE[:-1], THOROUGHLY]), settings)
    assert f"from {len(VARIANTS)} games" in capsys.readouterr().out
    found = puzzles_of(settings)
    assert {puzzle.variant for puzzle in found} == set(VARIANTS)
    themes = {theme for puzzle in found for theme in puzzle.themes}
    assert {Theme.MATE, Theme.DROP, Theme.BARE_KING, Theme.ADVANTAGE} <= themes
    with running_engine(None) as analyst:
        for puzzle in found:
            prove_puzzle(puzzle, VARIANTS[puzzle.variant])
            position = parse_fen(VARIANTS[puzzle.variant], puzzle.fen, puzzle.chess960)
            assert parse_uci(position, puzzle.line[0]).uci == only_winning_move(
                position, analyst, int(THOROUGHLY) * DEEPER
            )
    run(parse_command(MAKE), settings)
    assert capsys.readouterr().out.startswith("There is no finished game to search")
    assert puzzles_of(settings) == found
    assert [file.name for file in tmp_path.iterdir()] == ["fairyhouse.sqlite3"]


def test_960_forms_have_puzzles_in_which_one_castles(tmp_path, capsys):
    games = [
        mistaken(f"960-{name}", VARIANTS[name], CASTLED.last, BEFORE_CASTLING, chess960=True)
        for name in ("chess", "crazyhouse")
    ]
    settings = site_with(tmp_path, games)
    run(parse_command(MAKE), settings)
    found = puzzles_of(settings)
    assert {(one.variant, one.chess960, one.line, one.themes) for one in found} == {
        (name, True, CASTLED.line, CASTLED.themes) for name in ("chess", "crazyhouse")
    }
    capsys.readouterr()
    run(parse_command(["puzzles", "list"]), settings)
    assert "960-crazyhouse#1" in capsys.readouterr().out


def test_a_variant_of_the_hosts_own_has_puzzles(tmp_path):
    folder = tmp_path / "variants"
    folder.mkdir()
    (folder / "tiny.toml").write_text(OWN)
    variants = load_catalogue(folder)
    settings = site_with(tmp_path, [mistaken("own", variants["tiny"], FOOLS_MATE)], variants)
    settings = settings.model_copy(update={"variants_dir": folder})
    run(parse_command([*MAKE, "--variant", "tiny"]), settings)
    (puzzle,) = puzzles_of(settings, variants)
    assert (puzzle.variant, puzzle.line, puzzle.last) == ("tiny", ("d8h4",), "g2g4")


def test_a_run_that_is_killed_is_gone_on_with(tmp_path, searched):
    settings = site_with(tmp_path, few())
    known = os.environ | {"FAIRYHOUSE_DATA_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "server", *MAKE], env=known, stdout=subprocess.PIPE, text=True
    ) as process:
        assert "so far" in process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert puzzles_of(settings)
    run(parse_command(MAKE), settings)
    made, expected = ([replace(one, made=0) for one in puzzles_of(site)] for site in (settings, searched))
    assert made == expected
    assert [file.name for file in tmp_path.iterdir()] == ["fairyhouse.sqlite3"]


def test_it_stops_when_enough_were_made_and_makes_none_of_what_looks_farmed(tmp_path, capsys):
    settings = site_with(tmp_path, few())
    run(parse_command([*MAKE, "--limit", "1"]), settings)
    assert len(puzzles_of(settings)) == 1
    assert "from 1 game" in capsys.readouterr().out

    async def farmed():
        store = await SqliteStore.open(tmp_path / "fairyhouse.sqlite3", VARIANTS)
        await register(store, ANNA, BERTA)
        await farm(store, ANNA, BERTA, 10)
        await count_all(store)
        await store.close()

    asyncio.run(farmed())
    run(parse_command([*MAKE, "--variant", "chess"]), settings)
    assert capsys.readouterr().out.startswith("There is no finished game to search")
    run(parse_command([*MAKE, "--variant", "chess", "--suspicious"]), settings)
    assert "from 10 games" in capsys.readouterr().out


def test_puzzles_are_listed_and_removed(with_puzzles, capsys):
    settings = with_puzzles
    found = puzzles_of(settings)
    capsys.readouterr()
    run(parse_command(["puzzles", "list", "--variant", "shouse"]), settings)
    said = capsys.readouterr().out
    assert [one.id for one in found if one.id in said] == [one.id for one in found if one.variant == "shouse"]
    run(parse_command(["puzzles", "remove", found[0].id]), settings)
    assert "This would remove 1 puzzle" in capsys.readouterr().out
    assert puzzles_of(settings) == found
    run(parse_command(["puzzles", "remove", found[0].id, "--yes"]), settings)
    assert puzzles_of(settings) == found[1:]
    run(parse_command(MAKE), settings)
    assert puzzles_of(settings) == found[1:], "a puzzle that was removed does not come back"
    run(parse_command(["puzzles", "remove", "--all", "--yes"]), settings)
    run(parse_command(["puzzles", "list"]), settings)
    assert "There are no puzzles. `fairyhouse puzzles make`" in capsys.readouterr().out
    run(parse_command(MAKE), settings)
    assert [one.id for one in puzzles_of(settings)] == [one.id for one in found]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["puzzles", "remove", "nothing"], "There is no puzzle nothing"),
        (["puzzles", "remove"], "Name the puzzles"),
        (["puzzles", "remove", "x", "--all"], "Name the puzzles"),
        (["puzzles", "list", "--variant", "nonsense"], "There is no variant 'nonsense' here"),
        (["puzzles", "make", "--variant", "nonsense"], "There is no variant 'nonsense' here"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(tmp_path, arguments, why):
    settings = site_with(tmp_path, [])
    with pytest.raises(CommandRefused, match=why):
        run(parse_command(arguments), settings)


def test_without_node_it_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(engines.shutil, "which", lambda *_, **__: None)
    with pytest.raises(CommandRefused, match=r"pip install '\.\[puzzles\]'"):
        run(parse_command(MAKE), site_with(tmp_path, []))


async def test_it_works_beside_the_running_server(tmp_path):
    host = QuickHost(tmp_path)
    (host.folder / "data").mkdir(mode=0o700, parents=True, exist_ok=True)
    store = await SqliteStore.open(host.folder / "data" / "fairyhouse.sqlite3", VARIANTS)
    await fill_with_games(store, few())
    await store.close()
    await host.start()
    try:
        code, said, errors = await command(host, *MAKE)
        assert (code, errors) == (0, ""), said
        assert "from 3 games" in said
        code, listed, errors = await command(host, "puzzles", "list")
        assert (code, errors) == (0, "")
        assert f"{host.site.replace('127.0.0.1', 'localhost')}/game-shouse#20" in listed
        code, said, errors = await command(host, "puzzles", "remove", "--all", "--yes")
        assert (code, errors) == (0, ""), said
    finally:
        await host.kill()


async def test_puzzles_are_made_in_mongodb(secantus):
    place = MongoPlace(secantus.uri)
    store = await place.open()
    await fill_with_games(store, few())
    await store.close()
    settings = Settings(mongodb_uri=place.uri)
    try:
        await asyncio.to_thread(run, parse_command(MAKE), settings)
        store = await place.open()
        assert {puzzle.variant for puzzle in await store.puzzles.page_of_puzzles("", "", 100)} == set(FEW)
        assert await store.puzzles.searched_games([f"game-{one}" for one in FEW]) == {f"game-{one}" for one in FEW}
    finally:
        await place.leave()
