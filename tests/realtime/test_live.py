"""What a process does again and again for all its games lets others go on in between."""

import asyncio

import pytest

from server.realtime.process.bus import Deleted
from server.storage import time_slices


@pytest.fixture
async def games(house, variants):
    return [await house.new_game(variants) for _ in range(20)]


@pytest.mark.usefixtures("games")
async def test_players_are_pinged_when_no_other_long_work_has_its_turn(house):
    async with time_slices.slice_lock():
        pinging = asyncio.create_task(house.live._ping())
        assert not (await asyncio.wait({pinging}, timeout=0.1))[0]
    await pinging


async def test_a_game_that_is_deleted_meanwhile_is_left_out(house, games):
    done = []

    def act(one):
        done.append(one.game.id)
        if len(done) == 1:
            house.rounds.forget(Deleted(games[-1], ("white-id", "black-id")))

    await house.live._do_in_each(act)
    assert done == games[:-1]
