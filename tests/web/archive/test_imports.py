"""Taking in games that were played elsewhere, without a request: game by game, in turns, and no more than may come."""

import asyncio

import pytest

from server.web.archive.imports import (
    MAX_AT_ONCE,
    MAX_GAMES,
    ImportedGame,
    Imports,
    RejectedGame,
    SkippedGames,
)
from server.web.rendering.problems import Problem
from tests.support.games import START
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.memory_store import MemoryStore


def imports():
    return Imports(MemoryStore(), VARIANTS, lambda: START)


class Asked:
    """An admission that is open as long as the test says, and admits everything."""

    def __init__(self, may):
        self._may = may

    async def is_open(self):
        return self._may()

    async def admit_game(self, game, text):
        return True

    def charge_refused(self, text):
        pass


async def taken(one, text, may=lambda: True, network="here"):
    return [outcome async for outcome in one.import_games(text, network, Asked(may))]


async def test_another_game_with_the_same_id_does_not_hide_this_one(monkeypatch):
    one = imports()
    (first,) = await taken(one, "1. e4 *")
    (other,) = await taken(one, "1. d4 *")
    kept = one.store.games[first.id]
    one.store.games[first.id] = one.store.games[other.id]
    (second,) = await taken(one, "1. e4 *")
    assert second.id not in (first.id, other.id)
    assert (second.known, one.store.games[second.id].plies) == (False, kept.plies)
    (third,) = await taken(one, "1. e4 *")
    assert (third.known, third.id) == (True, second.id)


async def test_outcomes_come_one_by_one_and_stop_when_no_more_may_be_taken():
    left = iter([True, True, False])
    outcomes = await taken(imports(), "1. e4 *\n\n1. Ke3 *\n\n1. d4 *", lambda: next(left))
    assert [type(outcome) for outcome in outcomes] == [ImportedGame, RejectedGame, SkippedGames]
    assert outcomes[-1].games == 1


async def test_a_network_imports_one_file_at_a_time_and_a_crowd_is_refused():
    one = imports()
    one.store.hold = asyncio.Event()
    waiting = [asyncio.create_task(taken(one, "1. e4 *", network=str(each))) for each in range(MAX_AT_ONCE)]
    await asyncio.sleep(0)
    with pytest.raises(Problem, match="import_under_way"):
        await taken(one, "1. a4 *", network="0")
    with pytest.raises(Problem, match="imports_busy"):
        await taken(one, "1. a4 *")
    one.store.hold.set()
    assert all(type(outcome) is ImportedGame for outcomes in await asyncio.gather(*waiting) for outcome in outcomes)
    assert type((await taken(one, "1. a4 *", network="0"))[0]) is ImportedGame


async def test_files_take_turns_game_by_game():
    one, order = imports(), []

    async def take(network, games):
        async for _ in one.import_games(
            "\n\n".join(f'[Round "{each}"]\n\n1. e4 *' for each in range(games)), network, Asked(lambda: True)
        ):
            order.append(network)

    await asyncio.gather(take("long", 12), take("short", 2))
    assert order.index("short") <= 2
    assert order[-6:] == ["long"] * 6, "whoever came second did not wait for the end of the first"


async def test_no_game_of_a_file_with_too_many_is_imported():
    one = imports()
    with pytest.raises(Problem, match="too_many_games"):
        await taken(one, '[A "1"]\n1. e4 *\n' * (MAX_GAMES + 1))
    assert one.store.games == {}
