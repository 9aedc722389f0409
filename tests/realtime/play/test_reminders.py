"""Players in correspondence games are reminded of their move: each time once, by one process, only if away."""

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.realtime import live
from server.realtime.domain_events import MoveReminder
from server.realtime.play.rounds import OVERDUE_MS
from tests.support.games import running_game
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE, Node
from tests.support.storage.stored_games import game_called

TEN_DAYS = TimeControl.correspondence(10)
HALF, TENTH = 5 * DAY_MS, 9 * DAY_MS


async def opened(node, variants):
    """A game in which White has ten days from now on and nobody is at the board. Its id."""
    game, white, black = await node.opened(variants, control=TEN_DAYS)
    for client in (white, black):
        client.close(bye=True)
    await node.rounds.unload_idle()
    return game


async def looked(*nodes):
    """What these processes publish at their next look: to whom, whether they are away, and the share of the time."""
    before = [len(node.published) for node in nodes]
    for node in nodes:
        await node.rounds.remind_players()
    return [
        (event.player, event.away, event.game.clock.reminded)
        for node, known in zip(nodes, before, strict=True)
        for event in node.published[known:]
        if isinstance(event, MoveReminder)
    ]


async def test_a_player_is_reminded_at_half_and_at_a_tenth_of_the_time_once_each(node, clock, variants):
    await opened(node, variants)
    clock.turn(HALF - 1)
    assert await looked(node) == []
    clock.turn(1)
    assert await looked(node) == [(WHITE, True, 2)]
    clock.turn(TENTH - HALF - 1)
    assert await looked(node) == []
    clock.turn(1)
    assert await looked(node) == [(WHITE, True, 10)]
    clock.turn(DAY_MS - 1)
    assert await looked(node) == []


async def test_a_move_made_in_time_leaves_nothing_to_remind_of(node, clock, variants):
    game = await opened(node, variants)
    clock.turn(HALF - 1)
    white = await node.seat(game, WHITE)
    await white.move("g1f3", 2)
    clock.turn(1)
    assert await looked(node) == []
    clock.turn(HALF - 1)
    assert await looked(node) == [(BLACK, True, 2)]


async def test_a_move_that_another_process_has_stored_is_not_reminded_of(nodes, store, clock, variants, monkeypatch):
    here, there = nodes
    game = await opened(here, variants)
    await here.rounds.get(game)
    clock.turn(HALF)
    white = await there.seat(game, WHITE)
    await white.move("g1f3", 2)
    # As if this process had looked just before that move.
    monkeypatch.setattr(store, "to_remind", finding(game))
    assert await looked(here) == []


def finding(*games):
    async def to_remind(_by, _limit):
        return games

    return to_remind


async def test_a_player_at_the_board_is_not_away_and_hears_of_it_once(node, clock, variants):
    game = await opened(node, variants)
    white = await node.seat(game, WHITE)
    clock.turn(HALF)
    assert await looked(node) == [(WHITE, False, 2)]
    white.close(bye=True)
    assert await looked(node) == []


async def test_a_restart_repeats_no_reminder_and_loses_none(node, store, clock, variants):
    await opened(node, variants)
    clock.turn(HALF)
    assert len(await looked(node)) == 1
    for due in ([], [(WHITE, True, 10)], []):
        store.alive = clock()
        node = Node(store, clock)
        await node.recover()
        assert await looked(node) == due
        clock.turn(TENTH - HALF if due == [] else 1)


async def test_a_restart_that_gives_time_back_repeats_no_reminder(node, store, clock, variants):
    await opened(node, variants)
    clock.turn(HALF)
    assert len(await looked(node)) == 1
    store.alive = clock()
    clock.turn(4 * DAY_MS)
    reborn = Node(store, clock)
    await reborn.recover()
    assert await looked(reborn) == []
    clock.turn(TENTH - HALF)
    assert await looked(reborn) == [(WHITE, True, 10)]


async def test_after_an_outage_over_both_only_the_later_is_given(node, clock, variants):
    await opened(node, variants)
    clock.turn(TENTH + 1)
    assert await looked(node) == [(WHITE, True, 10)]
    assert await looked(node) == []


async def test_a_player_who_is_out_of_time_has_lost_and_is_not_reminded(node, store, clock, variants):
    game = await opened(node, variants)
    clock.turn(10 * DAY_MS)
    assert await looked(node) == []
    assert store.games[game].outcome.reason == "time"


async def test_a_reminder_whose_storing_was_not_confirmed_is_published_once(node, store, clock, variants, monkeypatch):
    game = await opened(node, variants)
    await node.rounds.get(game)
    clock.turn(HALF)
    store.lose_answers = 1
    assert await looked(node) == []
    assert store.games[game].clock.reminded == 2
    # The answer was lost, not the note: whoever finds out publishes it.
    monkeypatch.setattr(store, "to_remind", finding(game))
    assert await looked(node) == [(WHITE, True, 2)]
    assert await looked(node) == []


async def test_two_processes_that_follow_a_game_remind_once(nodes, store, clock, variants, monkeypatch):
    game = await opened(nodes[0], variants)
    for node in nodes:
        await node.rounds.get(game)
    clock.turn(HALF)
    assert await looked(*nodes) == [(WHITE, True, 2)]
    # The second has looked before the first had stored its note.
    monkeypatch.setattr(store, "to_remind", finding(game))
    assert await looked(nodes[1]) == []


async def test_the_process_where_the_player_is_comes_before_those_that_do_not_know(nodes, clock, variants):
    here, there = nodes
    game = await opened(here, variants)
    clock.turn(60_000)
    await here.rounds.unload_idle()
    await there.seat(game, WHITE)
    clock.turn(HALF - 60_000)
    assert await looked(here) == []
    assert await looked(there) == [(WHITE, False, 2)]
    clock.turn(OVERDUE_MS)
    assert await looked(here, there) == []


async def test_what_nobody_follows_is_reminded_of_by_any_process_a_little_later(nodes, clock, variants):
    await opened(nodes[0], variants)
    clock.turn(60_000)
    await nodes[0].rounds.unload_idle()
    clock.turn(HALF - 60_000 + OVERDUE_MS - 1)
    assert await looked(*nodes) == []
    clock.turn(1)
    assert await looked(*nodes) == [(WHITE, True, 2)]


async def test_idle_games_are_neither_loaded_nor_timed(node, store, clock):
    for number in range(201):
        await store.create(game_called(f"game{number}", running_game(control=TEN_DAYS)))
    timers = len(node.live.services.timers)
    clock.at = store.games["game0"].clock.since + HALF - 1
    assert await looked(node) == []
    assert (store.loads, len(node.rounds), len(node.live.services.timers)) == (0, 0, timers)
    clock.turn(1)
    assert (len(await looked(node)), len(await looked(node))) == (200, 1)


async def test_a_running_server_looks_by_itself(node, clock, variants, monkeypatch):
    monkeypatch.setattr(live, "REMIND_EVERY_S", 0)
    await opened(node, variants)
    clock.turn(HALF)
    await node.live.start()
    await settle()
    await node.live.stop()
    assert [type(event) for event in node.published].count(MoveReminder) == 1
