"""Conditional moves in every store: kept with the game, and a move is stored with its answers or not at all."""

import asyncio
import subprocess
import sys
from random import Random

import pytest

from server.games.changes.ending import Resign
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import TimeControl
from server.games.conditional import NO_MOVES
from server.games.game import play
from server.storage.errors import Conflict
from tests.support.games import START, WHITE, after, live_game, moved
from tests.support.move_trees import after_move, prepared, random_lines
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import SqlitePlace, place_of
from tests.support.storage.stored_games import game_called, stepped, stored

DAYS = TimeControl.correspondence(3)
LINES = ("c7c5 g1f3 d7d6 d2d4", "e7e6 d2d4")


def first_move(**changes):
    return moved(live_game(control=DAYS, **changes), "e2e4")


async def test_conditional_moves_come_back_after_a_restart_and_are_played(place):
    store = await place.open()
    game = await stored(store, first_move())
    ready = prepared(game, *LINES)
    await store.save(game, ready)
    await store.close()
    store = await place.open()
    found = await store.load(game.id)
    assert found == ready
    answered = moved(found, "c7c5")
    await store.save(found, answered)
    assert await store.load(game.id) == answered
    assert [ply.uci for ply in answered.plies] == ["e2e4", "c7c5", "g1f3"]
    over = after(answered, Resign(WHITE))
    await store.save(answered, over)
    assert (await store.load(game.id)).conditional == NO_MOVES


async def test_a_move_that_was_stored_first_leaves_no_conditional_moves_behind(store):
    game = await stored(store, first_move())
    await store.save(game, moved(game, "e7e5"))
    with pytest.raises(Conflict):
        await store.save(game, prepared(game, *LINES))
    assert (await store.load(game.id)).conditional == NO_MOVES


async def test_of_two_servers_one_plays_the_answer(store):
    game = await stored(store, first_move())
    ready = prepared(game, *LINES)
    await store.save(game, ready)
    await store.save(ready, moved(ready, "e7e6"))
    with pytest.raises(Conflict):
        await store.save(ready, moved(ready, "c7c5"))
    assert [ply.uci for ply in (await store.load(game.id)).plies] == ["e2e4", "e7e6", "d2d4"]


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_stored_is_what_the_tree_says_with_a_restart_before_every_move(place, seed, full):
    random = Random(seed)
    store = await place.open()
    game = await stored(store, game_called("game", control=DAYS, variant=random.choice(sorted(VARIANTS))))
    for _ in range(6 if full or isinstance(place, SqlitePlace) else 3):
        moved_on = stepped(game, random.randrange(1000))
        await store.save(game, moved_on)
        lines = random_lines(moved_on.position, random)
        game = prepared(moved_on, *lines)
        if game is not moved_on:
            await store.save(moved_on, game)
        while lines and game.outcome is None:
            await store.close()
            store = await place.open()
            game = await store.load("game")
            uci = random.choice(lines)[0]
            answered, _ = play(game, PlayMove(game.to_move, uci, len(game.plies)), START)
            await store.save(game, answered)
            played = [ply.uci for ply in (await store.load("game")).plies[len(game.plies) :]]
            lines = after_move(lines, uci)
            assert played == [uci, lines[0][0]][: len(played)]
            assert len(played) == 2 or answered.outcome is not None
            lines, game = after_move(lines, lines[0][0]), answered
        if game.outcome is not None:
            break


@pytest.mark.slow
@pytest.mark.row("F19")
@pytest.mark.parametrize("engine", ["sqlite", "SecantusDB"])
async def test_after_repeated_kills_every_move_is_stored_with_its_answer(engine, request, full, counted):
    place = place_of(engine, request)
    where = str(place.path) if isinstance(place, SqlitePlace) else place.uri
    await place.open()
    await place.leave()
    random, games, answers = Random(3), [], 0
    lives = 4 if full else 2
    for life in range(lives):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.storage.every_store.answers_to_kill", where, f"life{life}"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        first = await process.stdout.readline()
        await asyncio.sleep(random.uniform(0.2, 0.6))
        process.kill()
        rest, errors = await process.communicate()
        assert not errors.decode()
        games += (first + rest).decode().split()
    store = await place.open()
    for game_id in games:
        game = await store.load(game_id)
        # White has moved, and then answered every move of Black.
        assert len(game.plies) % 2 == 1 or game.outcome is not None
        answers += len(game.plies) // 2
    await place.leave()
    assert answers > 5 * lives
    counted("answers", answers)
