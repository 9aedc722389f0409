"""The lobby through crashes, with a store that fails, and beside other processes: every seek is taken once."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from server.games.errors import Gone
from server.games.seeks import Pairing, Seeker
from server.realtime.lobby import GRACE_MS, LEASE_MS
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.storage.tables.seeks import LeasedSeek
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, BLITZ, CARLA, DAYS, Page, seek
from tests.support.realtime.node import Node
from tests.support.storage.memory_store import nobody_answers


async def test_a_changed_variant_does_not_keep_a_server_from_starting(node, store, clock, monkeypatch):
    standing = seek(node, chess960=True)
    await store.seeks.add(LeasedSeek(standing, clock() + LEASE_MS))
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    monkeypatch.setattr("server.realtime.play.creation.shuffled_fen", lambda *_: "8/8/8/8/8/8/8/8 w - - 0 1")
    await node.live.lobby.load_seeks()
    assert (store.games, await store.seeks.taken()) == ({}, [])


async def test_after_a_restart_a_seek_waits_again_as_soon_as_its_maker_is_back(node, lobby, store, clock):
    Page(node, ANNA)
    await lobby.post_seek(seek(node))
    clock.turn(10_000)
    reborn = Node(store, clock)
    await reborn.live.lobby.load_seeks()
    assert await reborn.live.lobby.post_seek(seek(node, BEN, variants=("chess",))) is None
    await reborn.tick(GRACE_MS - 20_000)
    await reborn.live.lobby.expire_seeks()
    assert [one.maker.player for one in reborn.live.lobby.seeks.waiting] == []
    Page(reborn, ANNA)
    await settle()
    assert [one.maker.player for one in reborn.live.lobby.seeks.waiting] == [ANNA]


async def test_a_long_downtime_loses_no_seek(node, lobby, store, clock):
    await lobby.post_seek(seek(node))
    clock.turn(10 * LEASE_MS)
    reborn = Node(store, clock)
    await reborn.live.lobby.load_seeks()
    Page(reborn, ANNA)
    await settle()
    await reborn.live.lobby.expire_seeks()
    assert len(reborn.live.lobby.seeks.waiting) == 1


async def test_the_people_of_a_process_that_dies_are_paired_by_another_only_until_their_lease_is_over(
    nodes, store, clock
):
    here, there = nodes
    Page(there, ANNA)
    await there.live.lobby.post_seek(seek(there))
    await there.live.lobby.refresh_seeks()
    await here.live.lobby.refresh_seeks()
    assert len(here.live.lobby.seeks.waiting) == 1
    await here.tick(LEASE_MS - GRACE_MS)
    await here.live.lobby.expire_seeks()
    assert (len(here.live.lobby.seeks.waiting), len(here.live.lobby.seeks)) == (0, 1)


async def test_a_seeker_who_leaves_one_process_and_is_at_another_waits_on(nodes, store):
    here, there = nodes
    gone, _ = Page(here, ANNA), Page(there, ANNA)
    standing = seek(here)
    await here.live.lobby.post_seek(standing)
    await there.live.lobby.refresh_seeks()
    gone.close()
    await settle()
    assert list(here.live.lobby.seeks.waiting) == []
    await there.live.lobby.refresh_seeks()
    await here.live.lobby.refresh_seeks()
    assert list(here.live.lobby.seeks.waiting) == list(there.live.lobby.seeks.waiting) == [standing]


async def test_a_player_who_leaves_while_the_store_is_away_is_not_paired(node, lobby, store):
    page = Page(node, ANNA)
    await lobby.post_seek(seek(node))
    with store.outage():
        page.close()
        await settle()
    await lobby.refresh_seeks()
    assert await lobby.post_seek(seek(node, BEN)) is None
    await lobby.expire_seeks()
    assert store.games == {}


async def test_a_crash_between_taking_and_playing_is_made_up_for(node, lobby, store, clock):
    standing = seek(node)
    await lobby.post_seek(standing)
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    for _ in range(2):
        reborn = Node(store, clock)
        await reborn.live.lobby.load_seeks()
        assert [(one.white, one.black) for one in store.games.values()] == [(ANNA, BEN)]
        assert (await store.seeks.taken(), list(reborn.live.lobby.seeks)) == ([], [])


async def test_two_at_two_processes_are_paired_as_soon_as_these_know_of_each_other(node, lobby, store, clock):
    there = Node(store, clock)
    mine, theirs = seek(node), replace(seek(node, BEN), created=clock() + 1)
    assert await lobby.post_seek(mine) is None
    assert await there.live.lobby.post_seek(theirs) is None
    await asyncio.gather(lobby.refresh_seeks(), there.live.lobby.refresh_seeks())
    (played,) = store.games.values()
    assert {played.white, played.black} == {ANNA, BEN}
    await asyncio.gather(lobby.refresh_seeks(), there.live.lobby.refresh_seeks())
    assert [*lobby.seeks, *there.live.lobby.seeks] == []


async def test_a_match_found_while_the_store_was_away_is_paired_later(node, lobby, store, clock, monkeypatch):
    there = Node(store, clock)
    await lobby.post_seek(seek(node))
    await there.live.lobby.post_seek(replace(seek(node, BEN), created=clock() + 1))
    with monkeypatch.context() as patch:
        patch.setattr(store.seeks, "take", nobody_answers)
        for one in (lobby, there.live.lobby):
            with pytest.raises(Unavailable):
                await one.refresh_seeks()
    await lobby.refresh_seeks()
    assert len(store.games) == 1


async def test_a_pairing_that_the_store_failed_is_reported_and_made_later(node, lobby, store, clock, monkeypatch):
    there, withdrawn = Node(store, clock), replace(seek(node, CARLA), created=clock() - 1)
    await lobby.post_seek(withdrawn)
    await there.live.lobby.post_seek(replace(seek(node, BEN, variants=("grand", "chess")), created=clock() + 1))
    await store.seeks.withdraw(withdrawn.id, CARLA.id)
    take, tried = store.seeks.take, []

    async def take_once(*asked):
        if tried:
            raise Unavailable("The store is down.")
        tried.append(asked)
        return await take(*asked)

    with monkeypatch.context() as patch:
        patch.setattr(store.seeks, "take", take_once)
        assert await lobby.post_seek(seek(node)) is None
        assert len(lobby.seeks) == 2
        with pytest.raises(Unavailable):
            await lobby.expire_seeks()
    await lobby.expire_seeks()
    assert [{game.white, game.black} for game in store.games.values()] == [{ANNA, BEN}]


@pytest.mark.parametrize("control", [BLITZ, DAYS])
@pytest.mark.parametrize("broken", ["take", "create", "remove"])
async def test_a_crash_while_two_are_paired_loses_neither(node, lobby, store, clock, monkeypatch, control, broken):
    async def crash(*_):
        raise Unavailable("The server died here.")

    there = Node(store, clock)
    await lobby.post_seek(seek(node, ANNA, control=control))
    await there.live.lobby.post_seek(replace(seek(node, BEN, control=control), created=clock() + 1))
    with monkeypatch.context() as patch:
        patch.setattr(store if broken == "create" else store.seeks, broken, crash)
        await asyncio.gather(lobby.refresh_seeks(), there.live.lobby.refresh_seeks(), return_exceptions=True)
    reborn = Node(store, clock)
    await reborn.live.lobby.load_seeks()
    played = {person for game in store.games.values() for person in (game.white, game.black)}
    waiting = {one.maker.player for one in reborn.live.lobby.seeks}
    assert (played | waiting, played & waiting) == ({ANNA, BEN}, set())
    assert len(store.games) == (0 if broken == "take" else 1)


async def test_a_refresh_keeps_seeks_that_came_meanwhile(node, lobby):
    page = Page(node, CARLA)
    await asyncio.gather(lobby.refresh_seeks(), lobby.post_seek(seek(node)))
    assert page.kinds() == ["seeks", "seek_added"]


async def test_a_game_that_could_not_be_made_is_made_later(node, lobby, store):
    page = Page(node, ANNA)
    standing = seek(node)
    await lobby.post_seek(standing)
    store.down = True
    with pytest.raises(Unavailable):
        await lobby.accept_seek(standing.id, Seeker(BEN, False))
    store.down = False
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    await lobby.expire_seeks()
    assert page.last("paired") == standing.game
    assert len(store.games) == 1


def without_answer(ask):
    """It is done, and nobody hears so."""

    async def lose_the_answer(*asked):
        await ask(*asked)
        raise Unavailable("The answer was lost.")

    return lose_the_answer


async def test_a_seek_that_was_taken_though_the_answer_was_lost_is_shown_no_more(node, lobby, store, monkeypatch):
    standing = seek(node)
    await lobby.post_seek(standing)
    with monkeypatch.context() as patch:
        patch.setattr(store.seeks, "take", without_answer(store.seeks.take))
        with pytest.raises(Unavailable):
            await lobby.accept_seek(standing.id, Seeker(BEN, False))
    await lobby.expire_seeks()
    assert (list(store.games), list(lobby.seeks)) == ([standing.game], [])


async def test_a_seek_that_was_withdrawn_though_the_answer_was_lost_is_shown_no_more(node, lobby, store, monkeypatch):
    standing = seek(node)
    await lobby.post_seek(standing)
    with monkeypatch.context() as patch:
        patch.setattr(store.seeks, "withdraw", without_answer(store.seeks.withdraw))
        with pytest.raises(Unavailable):
            await lobby.withdraw_seek(standing.id, ANNA)
    with pytest.raises(Gone):
        await lobby.withdraw_seek(standing.id, ANNA)
    assert list(lobby.seeks) == []


async def test_a_player_who_took_a_seek_learns_of_the_game_that_another_process_made(
    node, lobby, store, clock, monkeypatch
):
    there, take = Node(store, clock), store.seeks.take

    async def is_overtaken(*asked):
        await take(*asked)
        await there.live.lobby.expire_seeks()
        return await take(*asked)

    monkeypatch.setattr(store.seeks, "take", is_overtaken)
    standing = seek(node)
    await lobby.post_seek(standing)
    assert await lobby.accept_seek(standing.id, Seeker(BEN, False)) == standing.game
    theirs = seek(node)
    await lobby.post_seek(theirs)
    await take(theirs.id, Pairing(BEN, "grand", Color.WHITE))
    with pytest.raises(Gone):
        await lobby.accept_seek(theirs.id, Seeker(CARLA, False))
    assert theirs.game in store.games


async def test_a_player_paired_by_a_process_that_dies_learns_of_their_game_at_another(node, lobby, store, clock):
    there = Node(store, clock)
    page = Page(there, ANNA)
    standing = seek(node)
    await there.live.lobby.post_seek(standing)
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    await there.live.lobby.refresh_seeks()
    await lobby.expire_seeks()
    await there.live.lobby.refresh_seeks()
    assert page.kinds() == ["seeks", "seek_added", "seek_gone", "paired"]


async def test_two_processes_show_the_same_list_and_pair_the_same_players(node, lobby, store, clock):
    there = Node(store, clock)
    page, watching = Page(there, ANNA), Page(there, CARLA)
    standing = seek(node)
    await lobby.post_seek(standing)
    await there.live.lobby.refresh_seeks()
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    await there.live.lobby.refresh_seeks()
    assert page.kinds() == ["seeks", "seek_added", "seek_gone", "paired"]
    assert page.got[-1]["game"] == game
    assert watching.kinds() == ["seeks", "seek_added", "seek_gone"]


async def test_two_processes_show_the_same_start_of_chess960_whoever_made_the_game(node, lobby, store, clock):
    there = Node(store, clock)
    shown = {}
    for one in (node, there):
        keep = partial(shown.__setitem__, one)
        one.live.running_games.show_game = keep
    standing = seek(node, variants=("chess",), chess960=True)
    await lobby.post_seek(standing)
    pairing = Pairing(BEN, "chess", Color.WHITE)
    for one in (node, there):
        await one.live.lobby._new_games.make_game(standing, pairing, None)
    assert shown[node] == shown[there] == store.games[standing.game]
