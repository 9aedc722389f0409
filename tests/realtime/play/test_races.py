"""Commands that arrive in the same instant: exactly one of them counts, and everybody hears the same."""

import itertools
from contextlib import suppress

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.errors import Refused, SeatTaken
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game
from server.realtime.play.round import MAX_WAITING
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE, Node


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::3])
async def test_four_rematch_clicks_make_one_game(node, store, variants, order):
    game, white, black = await node.opened(variants)
    second_white, second_black = await node.seat(game, WHITE), await node.seat(game, BLACK)
    await white.ask("resign")
    games = len(store.games)
    clicks = [white, second_white, black, second_black]
    for index in order:
        clicks[index].send("offer", kind="rematch")
    await settle()
    assert len(store.games) == games + 1
    following = {client.last("rematch")["next"] for client in clicks}
    assert len(following) == 1
    next_game = store.games[following.pop()]
    assert (next_game.white, next_game.black) == (BLACK, WHITE)
    assert next_game.previous == game


async def test_a_shuffled_game_is_played_again_from_a_fresh_start(node, store, variants):
    _, white, black = await node.pair(variants, chess960=True)
    await white.ask("abort")
    await white.ask("offer", kind="rematch")
    await black.ask("accept", offer=black.last("offered")["offer"])
    fresh = store.games[white.last("rematch")["next"]]
    assert fresh.terms.chess960


async def test_of_two_friends_with_one_link_one_gets_the_seat(node, variants):
    chess = variants["chess"]
    terms = Terms(chess, False, chess.start_fen, FIVE_MINUTES, rated=False)
    for _ in range(20):
        created = await create_open_game(node.rounds.services, terms, WHITE, Color.BLACK)
        guests = [Player(f"guest-{n}", f"Guest {n}") for n in range(2)]
        tasks = [node.live.services.background.spawn(_join(node, created, guest)) for guest in guests]
        await settle()
        assert all(task.done() for task in tasks)
        found = await node.rounds.get(created.game.id)
        assert found.game.white in guests
        assert found.game.black == WHITE


async def _join(node, created, player):
    with suppress(SeatTaken):
        await node.rounds.join(created.game.id, created.secret, player)


@pytest.mark.row("T6")
async def test_a_move_received_before_the_flag_wins_even_if_it_waits(node, clock, variants):
    game, white, black = await node.opened(variants, control=TimeControl.realtime(20_000, 0))
    found = node.rounds.in_memory(game)
    deadline = found.game.deadline
    clock.at = deadline - 1_000
    request = white.send("move", uci="g1f3", ply=2)
    clock.at = deadline + 5
    node.live.services.timers.fire_due()
    await settle()
    assert white.last("ok")["id"] == request
    assert black.last("over") is None


async def test_a_move_waiting_for_its_turn_is_decided_before_the_flag(node, clock, variants):
    """It came in time; that many others send at once is not its sender's fault."""
    game, white, black = await node.opened(variants, control=TimeControl.realtime(20_000, 0))
    deadline = clock.at = node.rounds.in_memory(game).game.deadline
    throttle = node.live.services.throttle

    throttle.wait_turn(lambda: white.connection.receive('{"t":"move","id":7,"ply":2,"uci":"g1f3"}', deadline - 1_000))
    clock.at = deadline + 5
    node.live.services.timers.fire_due()
    await settle()
    assert white.last("ok")["id"] == 7
    assert black.last("over") is None


async def test_a_move_received_after_the_flag_ends_the_game_by_time(node, clock, variants):
    _, white, black = await node.opened(variants, control=TimeControl.realtime(20_000, 0))
    clock.turn(25_000)
    answer = await white.move("g1f3", 2)
    assert answer["code"] == "over"
    assert black.last("over")["ended"]["reason"] == "time"
    assert len(black.all("moved")) == 2


@pytest.mark.row("T7")
async def test_the_flag_falls_with_nobody_connected(node, store, clock, variants):
    game, white, black = await node.opened(variants, control=TimeControl.realtime(20_000, 0))
    white.close()
    black.close()
    await node.tick(store.games[game].deadline - clock() - 1)
    assert store.games[game].outcome is None
    await node.tick(1)
    assert store.games[game].outcome.reason == "time"


async def test_everything_ending_at_once_gives_one_ending(node, store, clock, variants):
    """R6: resign, resign, flag, move and claim in one instant."""
    game, white, black = await node.opened(variants, control=TimeControl.realtime(20_000, 0))
    clock.turn(25_000)
    white.send("resign")
    black.send("resign")
    node.live.services.timers.fire_due()
    white.send("move", uci="g1f3", ply=2)
    black.send("claim", result="win")
    await settle()
    assert len(white.all("over")) == len(black.all("over")) == 1
    assert store.games[game].outcome.reason == "time"


async def test_of_two_moves_for_one_ply_from_two_tabs_one_is_played(node, store, variants):
    game, white, black = await node.opened(variants)
    second = await node.seat(game, WHITE)
    moves = [("g1f3", "b1c3"), ("b8c6", "g8f6"), ("f1c4", "f1b5"), ("a7a6", "h7h6")]
    tabs = [(white, second), (black, await node.seat(game, BLACK))]
    for ply, (one, other) in enumerate(moves, start=2):
        first_tab, second_tab = tabs[ply % 2]
        first_tab.send("move", uci=one, ply=ply)
        second_tab.send("move", uci=other, ply=ply)
        await settle()
        assert first_tab.last("ok") is not None
        assert second_tab.last("error")["code"] == "stale"
    assert [ply.uci for ply in store.games[game].plies[2:]] == [one for one, _ in moves]


async def test_commands_beyond_the_queue_are_refused_as_busy(node, store, variants):
    game, _, _ = await node.opened(variants)
    found = node.rounds.in_memory(game)
    tabs = [await node.seat(game, WHITE) for _ in range(2)]
    requests = [tab.send("offer", kind="draw") for tab in tabs for _ in range(MAX_WAITING)]
    await settle()
    answers = [message for tab in tabs for message in tab.read() if message.get("id") in requests]
    assert len(answers) == len(requests)
    assert sum(answer["t"] == "ok" for answer in answers) == 1
    assert sum(answer.get("code") == "busy" for answer in answers) >= 1
    assert not found.game.outcome


async def test_joining_ones_own_game_or_with_a_wrong_secret_is_refused(node, variants):
    chess = variants["chess"]
    terms = Terms(chess, False, chess.start_fen, FIVE_MINUTES, rated=False)
    created = await create_open_game(node.rounds.services, terms, WHITE, Color.WHITE)
    with pytest.raises(Refused) as own:
        await node.rounds.join(created.game.id, created.secret, WHITE)
    assert own.value.code == "own_challenge"
    with pytest.raises(Refused) as wrong:
        await node.rounds.join(created.game.id, created.secret[:-1], BLACK)
    assert wrong.value.code == "wrong_invitation"
    assert created.secret not in repr(created.game)


async def test_a_round_is_loaded_once_for_simultaneous_requests(node, store, clock, variants):
    game = await node.new_game(variants)
    fresh = Node(store, clock)
    loads = store.loads
    clients = [Client(fresh, None) for _ in range(20)]
    for client in clients:
        client.send("hi", proto=1, game=game)
    await settle()
    assert store.loads == loads + 1
    assert all(client.last("snapshot") for client in clients)
