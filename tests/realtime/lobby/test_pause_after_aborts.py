"""A player who aborts game after game waits before the lobby pairs them again."""

import pytest

from server.games.errors import Gone, Playbanned
from server.games.fair_play import ARRIVAL_MS
from server.games.player import Player
from server.games.seeks import Seeker
from server.realtime.moderation import MAX_PEOPLE, Playbans
from server.realtime.shared import MAX_GAMES, UnstartedGames
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, DAYS, Page, seek
from tests.support.realtime.node import WHITE

MINUTE = 60_000


async def begun(node, lobby, maker=ANNA, taker=BEN):
    standing = seek(node, maker, color=Color.WHITE)
    await lobby.post_seek(standing)
    return await lobby.accept_seek(standing.id, Seeker(taker, False))


async def aborted(node, lobby, by, **people):
    game = await begun(node, lobby, **people)
    page = Client(node, by)
    await page.hi(game)
    assert (await page.ask("abort"))["t"] == "ok"
    page.close()


async def paused(node, lobby, player):
    """The minutes that stand in the refusal, None if there is none."""
    try:
        wanted = seek(node, player)
        await lobby.post_seek(wanted)
    except Playbanned as refusal:
        return refusal.params["n"]
    await lobby.withdraw_seek(wanted.id, player)
    return None


@pytest.fixture
async def pages(node):
    return [Page(node, player) for player in (ANNA, BEN, CARLA)]


@pytest.mark.usefixtures("pages")
async def test_after_three_aborts_the_lobby_pairs_nobody_for_five_minutes_and_then_longer(node, lobby):
    for _ in range(2):
        await aborted(node, lobby, ANNA)
    assert await paused(node, lobby, ANNA) is None
    await aborted(node, lobby, ANNA)
    assert (await paused(node, lobby, ANNA), await paused(node, lobby, BEN)) == (5, None)
    await node.tick(5 * MINUTE - 1)
    assert await paused(node, lobby, ANNA) == 1
    await node.tick(1)
    await aborted(node, lobby, ANNA)
    assert await paused(node, lobby, ANNA) == 10


@pytest.mark.usefixtures("pages")
async def test_a_paused_player_takes_no_seek_and_nobody_takes_theirs(node, lobby):
    old = seek(node, ANNA, control=DAYS)
    await lobby.post_seek(old)
    for _ in range(3):
        await aborted(node, lobby, ANNA)
    theirs = seek(node, BEN)
    await lobby.post_seek(theirs)
    with pytest.raises(Playbanned):
        await lobby.accept_seek(theirs.id, Seeker(ANNA, False))
    with pytest.raises(Gone):
        await lobby.accept_seek(old.id, Seeker(CARLA, False))
    assert await lobby.post_seek(seek(node, CARLA, control=DAYS)) is None
    await node.tick(5 * MINUTE)
    assert await lobby.accept_seek(old.id, Seeker(CARLA, False)) == old.game


@pytest.mark.usefixtures("pages")
async def test_a_first_move_that_never_comes_counts_against_the_one_whose_turn_it_was(node, lobby, store):
    for _ in range(3):
        game = await begun(node, lobby)
        clients = [Client(node, ANNA), Client(node, BEN)]
        for client in clients:
            await client.hi(game)
        await node.tick(store.games[game].expires - node.clock() + 1)
        await settle()
        assert store.games[game].outcome.reason == "expired"
        for client in clients:
            client.close()
    assert (await paused(node, lobby, ANNA), await paused(node, lobby, BEN)) == (5, None)


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("how", ["aborts", "waits"])
async def test_a_player_who_never_comes_is_paused_and_not_the_one_who_waits(node, lobby, store, how):
    for _ in range(3):
        game = await begun(node, lobby)
        waiting = Client(node, ANNA)
        await waiting.hi(game)
        if how == "aborts":
            await node.tick(ARRIVAL_MS)
            assert (await waiting.ask("abort"))["t"] == "ok"
        else:
            await node.tick(store.games[game].expires - node.clock() + 1)
        assert store.games[game].outcome is not None
        waiting.close()
        await settle()
        # What they sought stands again, as nobody came.
        await lobby.withdraw_seeks_of(ANNA.id)
    assert (await paused(node, lobby, ANNA), await paused(node, lobby, BEN)) == (None, 5)


@pytest.mark.usefixtures("pages")
async def test_friends_who_play_by_link_abort_as_often_as_they_like(node, lobby, variants):
    for _ in range(4):
        game = await node.new_game(variants)
        page = await node.seat(game, WHITE)
        assert (await page.ask("abort"))["t"] == "ok"
    assert await paused(node, lobby, WHITE) is None


def test_the_memory_of_lobby_games_is_bounded():
    unstarted = UnstartedGames()
    for number in range(MAX_GAMES + 1):
        unstarted.note_game(str(number), ())
    assert ("0" in unstarted, "1" in unstarted) == (False, True)


def test_the_memory_of_people_is_bounded():
    playbans = Playbans()
    for number in range(MAX_PEOPLE + 10):
        playbans.count_abort(str(number), f"game {number}", 1)
    assert len(playbans) == MAX_PEOPLE
    for number in range(2):
        playbans.count_abort("0", f"another {number}", 1)
    playbans.check(Player("0", "Somebody"), 1)


def aborted_by(playbans, guests, each):
    """Every guest, who was made at that instant in one network, aborts so many games at instant 10."""
    for name, created in guests.items():
        playbans.note_guest(Player(name, name), "network", created)
        for number in range(each):
            playbans.count_abort(name, f"game {number}", 10)


def test_a_new_cookie_does_not_end_a_pause():
    playbans = Playbans()
    aborted_by(playbans, {"first": 1, "second": 5, "third": 7}, 2)
    new = Player("fourth", "fourth")
    playbans.note_guest(new, "network", 11)
    with pytest.raises(Playbanned):
        playbans.check(new, 11)
    with pytest.raises(Gone):
        playbans.check_both(BEN, new, 11)
    playbans.check(new, 11 + 60 * MINUTE)


def test_aborts_of_a_guest_pause_no_earlier_guest_other_network_or_account():
    playbans = Playbans()
    aborted_by(playbans, {"first": 1, "second": 5, "third": 7}, 2)
    here, elsewhere = Player("here", "here"), Player("elsewhere", "elsewhere")
    playbans.note_guest(here, "network", 9)
    playbans.note_guest(elsewhere, "another network", 11)
    for one in (here, elsewhere, Player("account", "account")):
        playbans.check(one, 11)


def test_an_abort_by_each_of_a_few_guests_pauses_nobody():
    playbans = Playbans()
    aborted_by(playbans, {"first": 1, "second": 5, "third": 7, "fourth": 8}, 1)
    playbans.note_guest(Player("new", "new"), "network", 11)
    playbans.check(Player("new", "new"), 11)


def test_the_memory_of_guests_and_networks_is_bounded():
    playbans = Playbans()
    for number in range(MAX_PEOPLE + 10):
        playbans.note_guest(Player(str(number), "Somebody"), str(number), 1)
        playbans.count_abort(str(number), f"game {number}", 1)
    assert len(playbans._guests) == len(playbans._by_network) == MAX_PEOPLE


UNSEEN_MS = 10 * MINUTE
"""By then a game that nobody begins is over."""


class Blamed(list):
    """Who was counted, in the order of it."""

    def count_abort(self, player, game, now):
        self.append(player)


def hear(nodes):
    for node in nodes:
        nodes[0].live.services.hearing.hear_beat(node.live.services.hearing.node, node.clock())


async def begun_here(nodes, monkeypatch):
    """Anna sits at the first process, Ben at the second."""
    here, there = nodes
    blamed = Blamed()
    monkeypatch.setattr(here.live.services.playbans, "count_abort", blamed.count_abort)
    for player in (ANNA, BEN):
        Page(here, player)
    game = await begun(here, here.live.lobby)
    anna, ben = Client(here, ANNA), Client(there, BEN)
    await anna.hi(game)
    await ben.hi(game)
    return game, anna, blamed


async def pass_arrival(nodes, *, heard):
    """`heard`: the first process hears the second, which does not say that anybody is there."""
    for _ in range(ARRIVAL_MS // 1_000):
        await nodes[0].tick(1_000)
        if heard:
            hear(nodes)


@pytest.mark.parametrize("heard", [False, True])
async def test_nobody_is_blamed_for_an_absence_that_a_process_only_did_not_hear_of(nodes, monkeypatch, heard):
    if heard:
        hear(nodes)
    _, anna, blamed = await begun_here(nodes, monkeypatch)
    await pass_arrival(nodes, heard=heard)
    assert (await anna.ask("abort"))["t"] == "ok"
    assert blamed == ([BEN.id] if heard else [])


async def test_who_is_to_move_and_does_not_is_blamed_also_by_a_process_that_hears_nothing(nodes, monkeypatch):
    game, anna, blamed = await begun_here(nodes, monkeypatch)
    assert (await anna.move("e3e4", 0))["t"] == "ok"
    await nodes[0].tick(UNSEEN_MS)
    assert nodes[0].rounds.in_memory(game).game.outcome.reason == "expired"
    assert blamed == [BEN.id]


async def test_a_process_that_is_alive_and_not_heard_leaves_it_in_doubt(nodes, monkeypatch):
    hear(nodes)
    _, anna, blamed = await begun_here(nodes, monkeypatch)
    await pass_arrival(nodes, heard=True)
    await nodes[0].store.mark_alive("one whose way to the bus is cut", nodes[0].clock())
    await nodes[0].live.others.keep_in_touch()
    assert (await anna.ask("abort"))["t"] == "ok"
    assert blamed == []
