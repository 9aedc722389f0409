"""People who are paired while they ask for more, and pairings half done: each ends in one game, or waits for it."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from server.games.player import Player
from server.games.seeks import Pairing, Seeker
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, Page, seek
from tests.support.realtime.node import Node
from tests.support.storage.memory_store import nobody_answers

DORA = Player("dora-id-00", "Dora")


def played(store):
    return [{game.white, game.black} for game in store.games.values()]


async def test_a_match_for_a_seek_whose_game_is_still_being_made_waits_without_spinning(
    node, lobby, store, clock, monkeypatch
):
    taken = seek(node)
    await lobby.post_seek(taken)
    await store.seeks.take(taken.id, Pairing(BEN, "grand", Color.WHITE))
    take, tries = store.seeks.take, []

    async def counted(*given):
        tries.append(given)
        return await take(*given)

    monkeypatch.setattr(store.seeks, "take", counted)
    assert await lobby.post_seek(replace(seek(node, CARLA), created=clock() + 1)) is None
    await lobby.refresh_seeks()
    assert len(tries) <= 3
    await lobby.expire_seeks()
    assert played(store) == [{ANNA, BEN}]
    assert [one.maker.player for one in lobby.seeks] == [CARLA]
    assert await lobby.post_seek(replace(seek(node, DORA), created=clock() + 2)) is not None
    assert played(store) == [{ANNA, BEN}, {CARLA, DORA}]


async def test_a_seek_made_while_its_maker_is_being_paired_is_dropped(node, lobby, store, monkeypatch):
    standing = seek(node)
    await lobby.post_seek(standing)
    create, more = store.create, []

    async def create_late(game):
        more.append(asyncio.create_task(lobby.post_seek(seek(node, variants=("chess",)))))
        await settle()
        await create(game)

    monkeypatch.setattr(store, "create", create_late)
    await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert await more[0] == standing.game
    assert (list(lobby.seeks), await store.seeks.open()) == ([], [])


async def test_a_player_who_found_a_game_while_taking_a_seek_takes_no_other(node, lobby, store, clock, monkeypatch):
    for person in (ANNA, CARLA):
        await lobby.post_seek(seek(node, person, color=Color.WHITE))
    there, other = Node(store, clock), seek(node, BEN, variants=("chess",))
    Page(node, BEN)
    await lobby.post_seek(other)
    await there.live.lobby.refresh_seeks()
    take = store.seeks.take

    async def take_late(*given):
        monkeypatch.setattr(store.seeks, "take", take)
        await there.live.lobby.accept_seek(other.id, Seeker(DORA, False))
        return await take(*given)

    monkeypatch.setattr(store.seeks, "take", take_late)
    assert await lobby.post_seek(seek(node, BEN)) == other.game
    assert played(store) == [{BEN, DORA}]
    assert {one.maker.player for one in lobby.seeks} == {ANNA, CARLA}


@pytest.mark.parametrize("first", ["accept", "seek"])
async def test_paired_player_gets_no_second_game(node, lobby, store, first):
    standing = seek(node)
    await lobby.post_seek(standing)
    asked = {
        "accept": partial(lobby.accept_seek, standing.id, Seeker(BEN, False)),
        "seek": partial(lobby.post_seek, seek(node, variants=("chess",))),
    }
    found = await asyncio.gather(*(asked[one]() for one in sorted(asked, reverse=first == "seek")))
    assert found == ([standing.game] * 2 if first == "accept" else [None, standing.game])
    assert (list(lobby.seeks), await store.seeks.open()) == ([], [])
    assert list(store.games) == [standing.game]


async def test_matching_seeks_left_side_by_side_are_paired_after_a_restart(node, lobby, store, clock, monkeypatch):
    there = Node(store, clock)
    await lobby.post_seek(seek(node))
    await there.live.lobby.post_seek(replace(seek(node, BEN), created=clock() + 1))
    reborn = Node(store, clock)
    with monkeypatch.context() as patch:
        patch.setattr(store.seeks, "take", nobody_answers)
        await reborn.live.lobby.load_seeks()
        Page(reborn, ANNA), Page(reborn, BEN)
        await settle()
        with pytest.raises(Unavailable):
            await reborn.live.lobby.expire_seeks()
    await reborn.live.lobby.expire_seeks()
    assert played(store) == [{ANNA, BEN}]
