"""A player who sat alone at the board until a lobby game was called off gets their old place in the lobby back."""

import asyncio

import pytest

from server.games.seeks import Seeker
from server.realtime.cluster.bus import NoShow
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, Page, seek


async def called_off(node, game, *who):
    """`who` come to the board of `game`, and nobody moves in it until its first move is no longer waited for."""
    boards = [await node.seat(game, player) for player in who]
    await node.pass_time(60)
    await node.rounds.check_deadlines()
    await settle()
    return boards


async def test_the_seek_of_a_player_who_waited_comes_back_ahead_of_later_ones(node, lobby, store):
    page, first = Page(node, ANNA), seek(node, rated=False)
    await lobby.post_seek(first)
    await node.tick(1_000)
    later = seek(node, CARLA, variants=("chess",))
    await lobby.post_seek(later)
    game = await lobby.accept_seek(first.id, Seeker(BEN, False))
    await called_off(node, game, ANNA)
    again, other = lobby.seeks.waiting
    assert (again.maker, again.created, again.variants) == (first.maker, first.created, first.variants)
    assert other == later
    assert not {again.id, again.game} & {first.id, first.game}, "ids are used once"
    assert await lobby.accept_seek(again.id, Seeker(CARLA, False)) == page.last("paired") == again.game


async def test_a_player_paired_by_their_own_seek_gets_that_seek_back(node, lobby):
    await lobby.post_seek(seek(node))
    wanted = seek(node, BEN, variants=("grand", "chess"), created=node.clock() + 5)
    Page(node, BEN)
    game = await lobby.post_seek(wanted)
    await called_off(node, game, BEN)
    (again,) = lobby.seeks.waiting
    assert (again.maker, again.variants, again.created) == (wanted.maker, wanted.variants, wanted.created)


async def test_a_seek_comes_back_before_a_restart_too_and_finds_its_game_after_it(node, lobby):
    page, standing = Page(node, ANNA), seek(node)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    Page(node, CARLA)
    await lobby.post_seek(seek(node, CARLA, created=node.clock() + 1))
    node.live.services.restart.announced = True
    await called_off(node, game, ANNA)
    assert {one.maker.player for one in lobby.seeks.waiting} == {ANNA, CARLA}
    assert page.last("paired") == game
    node.live.services.restart.announced = False
    await lobby.refresh_seeks()
    assert page.last("paired") != game
    assert len(lobby.seeks) == 0


async def test_a_player_left_waiting_is_paired_at_once_with_a_match(node, lobby):
    page, standing = Page(node, ANNA), seek(node)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    Page(node, CARLA)
    await lobby.post_seek(seek(node, CARLA, created=node.clock() + 1))
    await called_off(node, game, ANNA)
    assert page.last("paired") not in (None, game)
    assert len(lobby.seeks) == 0


@pytest.mark.parametrize("who", [(), (ANNA, BEN), (BEN,)])
async def test_no_seek_comes_back_for_a_player_who_did_not_wait_alone_or_had_none(node, lobby, who):
    standing = seek(node)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    await called_off(node, game, *who)
    assert len(lobby.seeks) == 0


async def test_no_seek_comes_back_for_a_player_now_in_another_game(node, lobby):
    standing = seek(node)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    other = seek(node, CARLA, variants=("chess",))
    await lobby.post_seek(other)
    await lobby.accept_seek(other.id, Seeker(ANNA, False))
    board = await node.seat(other.game, ANNA)
    against = await node.seat(other.game, CARLA)
    white, black = (board, against) if node.store.games[other.game].white == ANNA else (against, board)
    await white.move("e2e4", 0)
    await black.move("e7e5", 1)
    await called_off(node, game, ANNA)
    assert len(lobby.seeks) == 0


async def test_the_process_that_paired_hears_from_another_that_the_game_was_called_off(nodes):
    here, there = nodes
    told = []
    there.live.services.bus.tell = told.append
    standing = seek(here, color=Color.WHITE)
    await here.live.lobby.post_seek(standing)
    game = await here.live.lobby.accept_seek(standing.id, Seeker(BEN, False))
    await called_off(there, game, ANNA)
    assert NoShow(game, ANNA.id) in told
    for notice in told:
        here.live.others.hear_notice(notice)
    await settle()
    assert [one.maker.player for one in here.live.lobby.seeks.waiting] == [ANNA]
    here.live.others.hear_notice(NoShow(game, ANNA.id))
    await settle()
    assert len(here.live.lobby.seeks) == 1, "and only once"


async def test_a_seeker_waits_again_when_their_game_is_called_off_before_the_pairing_ends(
    node, lobby, store, monkeypatch
):
    standing, wanted = seek(node), seek(node, BEN, created=node.clock() + 5)
    await lobby.post_seek(standing)
    remove, ended = store.seeks.remove, asyncio.Event()

    async def remove_late(seek_id):
        await ended.wait()
        await remove(seek_id)

    monkeypatch.setattr(store.seeks, "remove", remove_late)
    Page(node, BEN)
    pairing = asyncio.create_task(lobby.post_seek(wanted))
    await settle()
    await called_off(node, standing.game, BEN)
    ended.set()
    assert await pairing == standing.game
    await settle()
    assert [(one.maker, one.created) for one in lobby.seeks.waiting] == [(wanted.maker, wanted.created)]
