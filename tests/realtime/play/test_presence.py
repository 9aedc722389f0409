"""Who is here, and when an absent player's game may be claimed."""

import pytest

from server.games.clocks.time_control import TimeControl
from server.realtime.cluster.bus import PresenceChanged
from server.realtime.cluster.presence import PlayerPresence, PresenceState, claim_factor
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE

BLITZ = TimeControl.realtime(180_000, 2_000)


@pytest.mark.parametrize(
    ("control", "factor"),
    [
        (TimeControl.realtime(60_000, 0), 1),
        (TimeControl.realtime(180_000, 2_000), 1),
        (TimeControl.realtime(480_000, 0), 2),
        (TimeControl.realtime(300_000, 5_000), 2),
        (TimeControl.realtime(1_500_000, 0), 3),
        (TimeControl.correspondence(3), None),
        (TimeControl.unlimited(), None),
    ],
)
def test_the_allowance_grows_with_the_game(control, factor):
    assert claim_factor(control, Color.WHITE) == factor


def test_several_connections_count_once():
    seat = PlayerPresence(since=0)
    assert seat.arrive(10)
    assert not seat.arrive(20)
    assert not seat.depart(30, PresenceState.LEFT)
    assert seat.state is PresenceState.HERE
    assert seat.depart(40, PresenceState.LEFT)
    assert (seat.state, seat.claimable_at(BLITZ, Color.WHITE)) == (PresenceState.LEFT, 10_040)


@pytest.mark.parametrize(
    ("bye", "where", "allowance"),
    [({}, "left", 10_000), ({"within": 1}, "elsewhere", 40_000), (None, "lost", 40_000)],
)
async def test_an_absent_opponents_game_can_be_claimed_after_the_allowance(
    node, store, variants, bye, where, allowance
):
    game, white, black = await node.opened(variants)
    await node.tick(2_000)
    if bye is not None:
        black.send("bye", **bye)
    black.close()
    await node.tick(1_000)
    told = white.last("crowd")["black"]
    assert (told["here"], told["claim_in"]) == (where, allowance - 1_000)
    await node.tick(allowance - 1_001)
    assert (await white.ask("claim", result="win"))["code"] == "not_allowed"
    await node.tick(1)
    assert white.last("crowd")["black"]["claim_in"] == 0
    assert (await white.ask("claim", result="win"))["t"] == "ok"
    assert store.games[game].outcome.reason == "left"
    assert store.games[game].outcome.winner is Color.WHITE


async def test_a_win_cannot_be_claimed_from_a_player_who_comes_back_in_time(node, variants):
    game, white, black = await node.opened(variants)
    black.close(bye=True)
    await node.tick(5_000)
    await node.seat(game, BLACK)
    await node.tick(60_000)
    assert (await white.ask("claim", result="win"))["code"] == "not_allowed"
    assert "claim_in" not in white.last("crowd")["black"]


async def test_a_draw_can_be_claimed_instead(node, store, variants):
    game, white, black = await node.opened(variants)
    black.close(bye=True)
    await node.tick(10_000)
    await white.ask("claim", result="draw")
    assert store.games[game].outcome.winner is None


async def test_no_win_can_be_claimed_from_an_absent_correspondence_player(node, variants):
    _, white, black = await node.opened(variants, control=TimeControl.correspondence(2))
    black.close(bye=True)
    await node.tick(3_600_000)
    assert (await white.ask("claim", result="win"))["code"] == "not_allowed"


async def test_a_countdown_is_shown_only_if_it_ends_before_the_flag(node, variants):
    _, white, black = await node.opened(variants, control=TimeControl.realtime(15_000, 0))
    await white.move("g1f3", 2)
    await node.tick(2_000)
    black.close()
    await node.tick(1_000)
    assert "claim_in" not in white.last("crowd")["black"]


async def test_changes_of_the_crowd_are_sent_once_a_second(node, variants):
    game, white, _ = await node.pair(variants)
    await node.tick(2_000)
    white.read()
    watchers = [await node.seat(game, None) for _ in range(30)]
    await node.tick(1_000)
    told = [message for message in white.read() if message["t"] == "crowd"]
    assert len(told) <= 2
    assert told[-1]["watchers"] == 30
    for watcher in watchers:
        watcher.close()
    await node.tick(1_000)
    assert white.last("crowd")["watchers"] == 0


async def test_the_first_moves_are_due_soon_once_both_have_been_here(node, store, clock, variants):
    game = await node.new_game(variants, control=FIVE_MINUTES)
    day_away = store.games[game].deadline
    white = await node.seat(game, WHITE)
    assert store.games[game].deadline == day_away
    await node.seat(game, BLACK)
    assert store.games[game].both_met
    await node.tick(store.games[game].deadline - clock())
    assert white.last("over")["ended"] == {"result": "*", "reason": "expired"}


async def test_both_see_at_once_how_long_the_first_move_may_take(node, store, clock, variants):
    game = await node.new_game(variants, control=FIVE_MINUTES)
    white = await node.seat(game, WHITE)
    assert "begin" not in white.last("snapshot")["clock"]
    black = await node.seat(game, BLACK)
    for client in (white, black):
        assert (client.last("clock")["why"], client.last("clock")["clock"]["begin"]) == ("begin", 60_000)
    await node.tick(20_000)
    again = await node.seat(game, WHITE)
    assert again.last("snapshot")["clock"]["begin"] == 40_000
    await white.move("e2e4", 0)
    assert black.last("moved")["clock"]["begin"] == 60_000
    await black.move("e7e5", 1)
    assert "begin" not in white.last("moved")["clock"]


async def test_two_players_who_know_the_variant_have_less_time_to_begin(node, store, clock, variants):
    _, white, _ = await node.opened(variants, control=FIVE_MINUTES)
    await white.ask("resign")
    await settle()
    _, white, _ = await node.pair(variants, control=TimeControl.realtime(900_000, 0))
    assert white.last("clock")["clock"]["begin"] == 30_000
    _, white, _ = await node.pair(variants, control=FIVE_MINUTES, variant="crazyhouse")
    assert white.last("clock")["clock"]["begin"] == 60_000


async def test_without_an_answer_from_the_store_players_count_as_new(node, store, variants, monkeypatch):
    async def away(player):
        raise Unavailable("The store is down.")

    monkeypatch.setattr(store.ratings, "perfs", away)
    _, white, _ = await node.pair(variants, control=FIVE_MINUTES)
    assert white.last("clock")["clock"]["begin"] == 60_000


def test_another_process_can_vouch_for_a_player_for_a_while():
    seat = PlayerPresence(since=0)
    assert seat.hear(PresenceState.HERE, 0)
    assert not seat.forget(24_999)
    assert seat.arrive(20_000) is False
    assert seat.depart(21_000, PresenceState.LEFT) is False
    assert seat.state is PresenceState.HERE
    assert seat.forget(25_000)
    assert (seat.state, seat.since) == (PresenceState.LOST, 25_000)


def test_a_player_who_is_here_is_not_gone_because_another_process_says_so():
    seat = PlayerPresence(since=0)
    seat.arrive(0)
    assert not seat.hear(PresenceState.LEFT, 10)
    assert seat.state is PresenceState.HERE


def test_a_socket_that_does_not_answer_does_not_count_as_presence():
    seat = PlayerPresence(since=0)
    seat.arrive(0)
    seat.arrive(0)
    assert not seat.silence_changed(True, 7_500)
    assert seat.silence_changed(True, 8_000)
    assert (seat.state, seat.claimable_at(BLITZ, Color.WHITE)) == (PresenceState.LOST, 48_000)
    assert not seat.depart(22_000, PresenceState.LOST, silent=True)
    assert seat.since == 8_000, "they were lost when the socket fell silent, not when it was given up"
    assert seat.silence_changed(False, 23_000)
    assert seat.state is PresenceState.HERE


def test_a_silent_socket_does_not_hide_presence_at_another_process():
    seat = PlayerPresence(since=0)
    seat.arrive(0)
    seat.hear(PresenceState.HERE, 1_000)
    assert not seat.silence_changed(True, 2_000)
    assert seat.state is PresenceState.HERE
    assert seat.forget(26_000)
    assert seat.state is PresenceState.LOST


async def test_an_opponent_whose_socket_is_dead_is_shown_as_lost_until_it_answers(node, variants):
    game, white, black = await node.opened(variants)
    await node.tick(2_000)
    black.fall_silent()
    await node.tick(1_000)
    told = white.last("crowd")["black"]
    assert (told["here"], told["claim_in"]) == ("lost", 39_000)
    assert "lag" not in told
    other_tab = await node.seat(game, BLACK)
    await node.tick(1_000)
    assert white.last("crowd")["black"]["here"] == "here"
    other_tab.close()
    await node.tick(1_000)
    assert white.last("crowd")["black"]["here"] == "lost"
    black.answer()
    await node.tick(1_000)
    assert white.last("crowd")["black"]["here"] == "here"


async def test_processes_do_not_vouch_for_a_player_whose_socket_is_dead(nodes, variants):
    here, _ = nodes
    game, _, black = await here.pair(variants)
    told = []
    here.live.services.bus.tell = told.append
    here.rounds.in_memory(game).hear_presence(PresenceChanged(game, Color.BLACK, PresenceState.HERE))
    black.fall_silent()
    here.rounds.in_memory(game).repeat_presence()
    assert PresenceChanged(game, Color.BLACK, PresenceState.HERE) not in told
    await here.tick(25_000)
    here.live.services.hearing.hear_beat(here.live.services.hearing.node, here.clock())
    here.rounds.in_memory(game).repeat_presence()
    assert here.rounds.in_memory(game).presence[Color.BLACK].state is PresenceState.LOST
