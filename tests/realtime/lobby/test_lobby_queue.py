"""The lobby decides one thing at a time: what waits meanwhile keeps its order, is bounded, leaves nothing behind."""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.errors import Gone
from server.games.player import Player
from server.games.seeks import Seeker
from server.realtime.lobby import MAX_WAITING, PATIENCE_MS
from server.realtime.play.command_queue import Busy
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, DAYS, Page, seek


class Held:
    """Holds every call of `name` of `owner` from now on, until it is let go."""

    def __init__(self, monkeypatch, owner, name):
        do, self._gate = getattr(owner, name), asyncio.Event()

        async def held(*given):
            await self._gate.wait()
            return await do(*given)

        monkeypatch.setattr(owner, name, held)

    def let_go(self):
        self._gate.set()


@pytest.fixture
def held(store, monkeypatch):
    """The store takes no new seek until this is let go."""
    return Held(monkeypatch, store.seeks, "add")


async def begun(doing):
    """A task that has come as far as it can."""
    task = asyncio.create_task(doing)
    await settle()
    return task


async def refusal(task):
    """What kind of refusal `task` ends with, None if it was not refused."""
    (result,) = await asyncio.gather(task, return_exceptions=True)
    return type(result) if isinstance(result, Exception) else None


def standing(lobby, store):
    """Whose seeks stand: as this process knows, and as the store does."""
    return [one.maker.player for one in lobby.seeks], [one.seek.maker.player for one in store.seeks.untaken]


async def test_a_crowd_with_the_same_wish_is_paired_in_order_of_arrival(node, lobby, store, monkeypatch):
    reads = []
    look = store.seeks.open
    monkeypatch.setattr(store.seeks, "open", lambda: reads.append(1) or look())
    people = [Player(f"guest-{n:02}", f"Guest {n}") for n in range(20)]
    games = await asyncio.gather(*(lobby.post_seek(seek(node, one)) for one in people))
    assert [game is None for game in games] == [True, False] * 10
    pairs = [{game.white, game.black} for game in store.games.values()]
    assert pairs == [{people[n], people[n + 1]} for n in range(0, 20, 2)]
    assert reads == [], "nobody has to look again what stands"


async def test_the_commands_of_one_person_are_carried_out_in_order(node, lobby, store, held):
    wanted = seek(node)
    asked = [await begun(lobby.post_seek(wanted)), await begun(lobby.withdraw_seek(wanted.id, ANNA))]
    held.let_go()
    assert await asyncio.gather(*asked) == [None, None]
    assert standing(lobby, store) == ([], [])


async def test_while_the_store_is_stuck_waiting_players_are_told_to_try_again(node, lobby, store, held):
    first = await begun(lobby.post_seek(seek(node)))
    second = await begun(lobby.post_seek(seek(node, BEN, control=DAYS)))
    await node.tick(PATIENCE_MS - 1)
    assert not second.done()
    await node.tick(1)
    assert second.done()
    assert await refusal(second) is Busy
    assert await refusal(lobby.post_seek(seek(node, CARLA))) is Busy, "and who comes now at once"
    held.let_go()
    assert await first is None
    assert standing(lobby, store) == ([ANNA], [ANNA])
    assert await lobby.post_seek(seek(node, BEN)) is not None


async def test_the_queue_is_bounded(node, lobby, held):
    crowd = [Player(f"guest-{n:03}", f"Guest {n}") for n in range(MAX_WAITING + 2)]
    asked = [await begun(lobby.post_seek(seek(node, one, control=DAYS))) for one in crowd]
    assert await refusal(asked[-1]) is Busy
    held.let_go()
    assert [await refusal(one) for one in asked[:-1]] == [None] * (MAX_WAITING + 1)


async def test_a_store_that_never_answers_does_not_block_the_lobby_for_ever(node, lobby, store, held, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("server.realtime.lobby.LONGEST_TURN_S", 0)
        assert await refusal(lobby.post_seek(seek(node))) is Unavailable
    held.let_go()
    assert await lobby.post_seek(seek(node, BEN)) is None
    assert standing(lobby, store) == ([BEN], [BEN])


@pytest.mark.parametrize("leave", [Page.close, lambda page: page.connection.silence_changed(True, 0)])
async def test_leaving_while_a_command_waits_leaves_nothing_behind(node, lobby, store, monkeypatch, leave):
    mine = seek(node, CARLA, color=Color.WHITE)
    await lobby.post_seek(mine)
    held, page = Held(monkeypatch, store.seeks, "add"), Page(node, BEN)
    first = await begun(lobby.post_seek(seek(node, ANNA, color=Color.WHITE, variants=("chess",))))
    asked = [
        await begun(lobby.post_seek(seek(node, BEN, variants=("shogun",)))),
        await begun(lobby.accept_seek(mine.id, Seeker(BEN, False))),
        await begun(lobby.post_seek(seek(node, BEN, control=DAYS))),
    ]
    leave(page)
    held.let_go()
    await first
    assert [await refusal(one) for one in asked] == [Gone, Gone, None], "a correspondence game needs no page"
    assert standing(lobby, store) == ([CARLA, ANNA, BEN], [CARLA, ANNA, BEN])
    assert store.games == {}


async def test_a_player_who_leaves_while_their_seek_is_stored_is_not_paired(node, lobby, store, held):
    page = Page(node, ANNA)
    asked = await begun(lobby.post_seek(seek(node)))
    page.close()
    held.let_go()
    await asked
    assert list(lobby.seeks.waiting) == []
    assert await lobby.post_seek(seek(node, BEN)) is None
    assert store.games == {}


async def test_a_command_cancelled_while_it_waits_is_never_carried_out(node, lobby, store, held):
    first, second = await begun(lobby.post_seek(seek(node))), await begun(lobby.post_seek(seek(node, BEN)))
    second.cancel()
    held.let_go()
    assert await first is None
    assert standing(lobby, store) == ([ANNA], [ANNA])


async def test_a_player_who_takes_two_seeks_at_once_plays_one_game(node, lobby, store):
    both = [seek(node, one, color=Color.WHITE) for one in (ANNA, CARLA)]
    for one in both:
        await lobby.post_seek(one)
    results = await asyncio.gather(
        *(lobby.accept_seek(one.id, Seeker(BEN, False)) for one in both), return_exceptions=True
    )
    assert results[0] == both[0].game
    assert isinstance(results[1], Gone)
    assert list(store.games) == [both[0].game]


async def test_many_notices_at_once_cause_one_refresh(node, lobby, store, monkeypatch):
    looks = []
    look = store.seeks.open
    monkeypatch.setattr(store.seeks, "open", lambda: looks.append(1) or look())
    control = TimeControl.realtime(60_000, 0)
    await asyncio.gather(lobby.post_seek(seek(node, control=control)), *(lobby.refresh_seeks() for _ in range(10)))
    assert len(looks) == 1
    await lobby.refresh_seeks()
    assert len(looks) == 2
