"""One seat, several people who want it at once; and seeks that are taken and withdrawn at once (R4, R5, R8)."""

import asyncio
import random

import pytest

from server.games.errors import Gone, OwnChallenge, Refused
from server.games.player import Player
from server.games.seeks import Seeker
from server.games.status import Status
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from tests.faults.races.at_once import rated
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, seek
from tests.support.realtime.node import WHITE


@pytest.mark.row("R4")
async def test_of_two_who_open_one_link_one_plays_and_one_watches(node, store, variants, scale, seed, counted):
    rng, races = random.Random(f"{seed} R4"), scale(2_000)
    for number in range(races):
        created = await create_open_game(node.rounds.services, rated(variants), WHITE, Color.WHITE)
        game = created.game.id
        guests = [Player(f"guest-{number}-{n}", f"Guest {n}") for n in rng.sample(range(9), rng.choice((2, 2, 5)))]
        joins = [node.rounds.join(game, created.secret, guest) for guest in guests]
        answers = await asyncio.gather(*joins, return_exceptions=True)
        refused = [answer.code for answer in answers if isinstance(answer, Refused)]
        assert refused == ["seat_taken"] * (len(guests) - 1)
        seated = store.games[game].black
        assert [guest for guest, answer in zip(guests, answers, strict=True) if not isinstance(answer, Refused)] == [
            seated
        ]
        late = Client(node, next(guest for guest in guests if guest != seated))
        await late.hi(game)
        assert late.last("snapshot").get("you") is None, "the others watch"
        late.close()
    counted("races", races)


@pytest.mark.row("R5")
async def test_a_player_cannot_take_the_other_seat_of_their_own_game(node, store, lobby, variants, scale, counted):
    tries = scale(200)
    for _ in range(tries):
        created = await create_open_game(node.rounds.services, rated(variants), WHITE, Color.WHITE)
        joins = [node.rounds.join(created.game.id, created.secret, WHITE) for _ in range(2)]
        answers = await asyncio.gather(*joins, return_exceptions=True)
        assert all(isinstance(answer, OwnChallenge) for answer in answers)
        assert store.games[created.game.id].status is Status.OPEN
        mine = seek(node, ANNA)
        await lobby.post_seek(mine)
        with pytest.raises(Refused):
            await lobby.accept_seek(mine.id, Seeker(ANNA, True))
        await lobby.withdraw_seek(mine.id, ANNA)
    assert all(game.black is None for game in store.games.values())
    counted("tries", tries)


async def soon(doing, turns):
    """Begins after as many turns of the loop: the store takes some for each question."""
    for _ in range(turns):
        await asyncio.sleep(0)
    return await doing


@pytest.mark.row("R8")
async def test_a_seek_becomes_a_game_or_is_withdrawn_but_never_both(node, store, lobby, scale, seed, counted):
    rng, races, games, withdrawn = random.Random(f"{seed} R8"), scale(5_000), 0, 0
    for _ in range(races):
        mine = seek(node, ANNA)
        await lobby.post_seek(mine)
        both = [lobby.accept_seek(mine.id, Seeker(BEN, False)), lobby.withdraw_seek(mine.id, ANNA)]
        if rng.random() < 0.3:
            both.append(lobby.accept_seek(mine.id, Seeker(CARLA, False)))
        rng.shuffle(both)
        answers = await asyncio.gather(*(soon(each, rng.randrange(4)) for each in both), return_exceptions=True)
        assert all(answer is None or isinstance(answer, str | Gone) for answer in answers), answers
        assert sum(not isinstance(answer, Gone) for answer in answers) == 1
        assert (mine.game in store.games) == (mine.game in answers)
        games, withdrawn = games + (mine.game in answers), withdrawn + (None in answers)
        assert list(lobby.seeks) == []
    await settle()
    assert min(games, withdrawn) > races // 10
    counted("races", races)
