"""Domain events: each is published once, by the process whose write it was, and not before that is stored."""

import asyncio
from dataclasses import fields

import pytest

from server.games.command import Command, PlayerCommand
from server.games.seeks import Pairing, Seeker
from server.games.terms import Terms
from server.realtime.cluster.bus import TurnPassed, game_stored
from server.realtime.domain_events import (
    CameToBoard,
    Challenged,
    GameEnded,
    MessageWritten,
    Paired,
    SeekPosted,
    YourTurn,
)
from server.realtime.play.creation import create_open_game, propose_game
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.storage.tables.accounts import Account
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, DAYS, Page, PageWithGames, seek
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE


def of(node, kind):
    """What this process has published of that kind."""
    return [event for event in node.published if isinstance(event, kind)]


async def test_a_seek_that_waits_is_published_and_one_that_is_answered_at_once_is_not(node, lobby):
    await lobby.post_seek(standing := seek(node, control=DAYS))
    await lobby.post_seek(seek(node, BEN, control=DAYS))
    assert of(node, SeekPosted) == [SeekPosted(standing)]


async def test_a_seek_that_is_put_back_is_published_again(node, lobby, store):
    page = Page(node, ANNA)
    standing = seek(node)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    await node.seat(game, ANNA)
    await node.tick(store.games[game].expires - node.clock())
    await settle()
    assert store.games[game].outcome.reason == "expired"
    first, second = of(node, SeekPosted)
    assert (first.seek.maker, first.seek.id == second.seek.id) == (second.seek.maker, False)
    page.close()


async def test_a_seek_taken_is_published_with_only_its_maker_away(node, lobby, store):
    standing = seek(node, control=DAYS)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert of(node, Paired) == [Paired(store.games[game], (ANNA,))]


async def test_a_pairing_that_the_server_makes_by_itself_is_published_once_by_two_processes(nodes, store):
    for node, person in zip(nodes, (ANNA, BEN), strict=True):
        await node.live.lobby.post_seek(seek(node, person, control=DAYS))
    for _ in range(2):
        await asyncio.gather(*(node.live.lobby.refresh_seeks() for node in nodes), return_exceptions=True)
        for node in nodes:
            await node.live.lobby.expire_seeks()
    (game,) = store.games.values()
    paired = [event for node in nodes for event in of(node, Paired)]
    assert [(event.game, set(event.away)) for event in paired] == [(game, {ANNA, BEN})]


async def test_a_game_that_two_processes_make_at_once_is_published_by_the_one_that_was_first(nodes, store):
    standing = seek(nodes[0], control=DAYS)
    await nodes[0].live.lobby.post_seek(standing)
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    nodes[1].clock.turn(1)
    await asyncio.gather(*(node.live.lobby.expire_seeks() for node in nodes))
    assert sum(len(of(node, Paired)) for node in nodes) == 1


async def test_a_game_whose_creation_was_not_confirmed_is_published_when_found(node, lobby, store, monkeypatch):
    standing, create = seek(node, control=DAYS), store.create
    await lobby.post_seek(standing)

    async def without_answer(game):
        await create(game)
        raise Unavailable("The answer was lost.")

    with monkeypatch.context() as patch:
        patch.setattr(store, "create", without_answer)
        with pytest.raises(Unavailable):
            await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert of(node, Paired) == []
    node.clock.turn(5_000)
    for _ in range(2):
        await lobby.expire_seeks()
    assert [set(event.away) for event in of(node, Paired)] == [{ANNA, BEN}]


async def test_an_invitation_that_is_taken_is_published_with_its_maker_away(node, store, variants):
    game = await node.new_game(variants)
    assert of(node, Paired) == [Paired(store.games[game], (WHITE,))]


async def test_a_challenge_by_name_is_published_when_it_is_stored(node, store, variants):
    terms = Terms(variants["chess"], False, variants["chess"].start_fen, DAYS, rated=False)
    made = await create_open_game(node.rounds.services, terms, ANNA, Color.WHITE, BEN)
    assert node.published == [Challenged(store.games[made.game.id], BEN, ANNA)]
    store.down = True
    with pytest.raises(Unavailable):
        await create_open_game(node.rounds.services, terms, ANNA, Color.WHITE, CARLA)
    assert len(node.published) == 1


async def test_a_turn_is_published_when_the_move_is_stored_and_says_who_is_at_the_board(node, store, variants):
    game = await node.new_game(variants, control=DAYS)
    white = await node.seat(game, WHITE)
    store.hold = asyncio.Event()
    white.send("move", uci="e2e4", ply=0)
    await settle()
    assert of(node, YourTurn) == []
    store.hold.set()
    await settle()
    assert [(event.player, event.away) for event in of(node, YourTurn)] == [(BLACK, True)]
    black = await node.seat(game, BLACK)
    await black.move("e7e5", 1)
    assert [(event.player, event.away) for event in of(node, YourTurn)[1:]] == [(WHITE, False)]


async def test_no_turn_is_published_in_a_real_time_game(node, variants):
    await node.opened(variants, control=FIVE_MINUTES)
    assert of(node, YourTurn) == []


async def test_a_takeback_publishes_the_turn_of_the_player_who_asked_for_it(node, variants):
    _, white, black = await node.pair(variants, control=DAYS)
    await white.move("e2e4", 0)
    await black.move("e7e5", 1)
    await white.ask("offer", kind="takeback")
    await black.ask("accept", offer=white.last("offered")["offer"])
    assert [event.player for event in of(node, YourTurn)] == [BLACK, WHITE, WHITE]


async def test_the_end_is_published_for_the_player_who_did_not_cause_it(node, store, variants):
    game = await node.new_game(variants, control=DAYS)
    white = await node.seat(game, WHITE)
    await white.move("e2e4", 0)
    await white.ask("resign")
    assert of(node, GameEnded) == [GameEnded(store.games[game], (BLACK,))]


async def test_only_the_process_that_stored_a_step_publishes_it(nodes, variants):
    here, there = nodes
    game = await here.new_game(variants, control=DAYS)
    white, _ = await here.seat(game, WHITE), await there.seat(game, BLACK)
    await white.move("e2e4", 0)
    await there.rounds.in_memory(game).refresh()
    await white.ask("resign")
    await there.rounds.in_memory(game).refresh()
    assert there.rounds.in_memory(game).game.outcome is not None
    assert [type(event) for event in there.published] == [CameToBoard]
    assert [type(event) for event in here.published] == [Paired, CameToBoard, YourTurn, GameEnded]


async def test_a_rematch_is_published_and_every_process_hears_of_its_game(node, store, variants, monkeypatch):
    game, white, black = await node.pair(variants, control=DAYS)
    await white.move("e2e4", 0)
    await white.ask("resign")
    await white.ask("offer", kind="rematch")
    white.close(bye=True)
    told = []
    monkeypatch.setattr(node.live.services.bus, "tell", told.append, raising=False)
    await black.ask("offer", kind="rematch")
    rematch = store.games[store.games[game].next]
    assert of(node, Paired)[1:] == [Paired(rematch, (WHITE,))]
    assert game_stored(rematch) in told


async def test_a_subscriber_that_fails_stops_no_move_and_no_other_subscriber(node, variants):
    def fail(_):
        raise RuntimeError("A mistake.")

    heard, events = [], node.live.services.events
    for hear in (fail, heard.append):
        events.subscribe(hear)
    game = await node.new_game(variants, control=DAYS)
    white = await node.seat(game, WHITE)
    assert (await white.move("e2e4", 0))["t"] == "ok"
    assert [type(event) for event in heard] == [Paired, CameToBoard, YourTurn]


async def test_a_message_is_published_to_the_opponent_and_says_whether_they_are_at_the_board(node, variants):
    game = await node.new_game(variants, control=DAYS)
    white = await node.seat(game, WHITE)
    assert (await white.ask("chat", text="Hello"))["t"] == "ok"
    await node.seat(game, BLACK)
    assert (await white.ask("chat", text="Good luck"))["t"] == "ok"
    played = node.rounds.in_memory(game).game
    assert of(node, CameToBoard) == [CameToBoard(played, one) for one in (played.white, played.black)]
    told = [(one.player, one.speaker, one.away) for one in of(node, MessageWritten)]
    assert told == [(played.black, played.white.id, away) for away in (True, False)]


async def test_what_is_said_in_games_by_the_minute_and_by_watchers_is_published_to_nobody(node, variants):
    game, white, _ = await node.pair(variants)
    assert (await white.ask("chat", text="Hello"))["t"] == "ok"
    game = await node.new_game(variants, control=DAYS)
    watcher = await node.seat(game, CARLA)
    assert (await watcher.ask("chat", text="Hello"))["t"] == "ok"
    assert of(node, MessageWritten) == of(node, CameToBoard) == []


async def test_pages_at_another_process_say_your_move_once_and_not_again_at_an_offer(nodes, store):
    here, there = nodes
    await here.live.lobby.post_seek(standing := seek(here, variants=("chess",), control=DAYS, color=Color.WHITE))
    game = await here.live.lobby.accept_seek(standing.id, Seeker(BEN, False))
    ben = PageWithGames(there, BEN)
    white = await here.seat(game, ANNA)
    await white.move("e2e4", 0)
    there.live.others.hear_notice(game_stored(store.games[game]))
    there.live.others.hear_notice(TurnPassed(game, BEN.id))
    await white.ask("offer", kind="draw")
    there.live.others.hear_notice(game_stored(store.games[game]))
    assert await ben.news() == [game]


def test_every_command_of_a_player_says_whose_it_is():
    direct = Command.__subclasses__()
    colored = {kind.__name__ for kind in direct if "color" in {one.name for one in fields(kind)}}
    assert colored == {PlayerCommand.__name__}


async def test_of_two_who_are_asked_to_play_each_other_the_second_is_told_when_the_first_accepts(node, store, variants):
    terms = Terms(variants["chess"], False, variants["chess"].start_fen, DAYS, rated=False)
    store.accounts.known[BEN.name] = Account(BEN.name.lower(), BEN.id, BEN.name, "", 0)
    game = await propose_game(node.rounds.services, terms, ANNA, BEN, CARLA)
    assert node.published == [Challenged(game, ANNA, BEN)]
    assert await store.challenges.of(ANNA.id) == [game.id]
    joined = await node.rounds.join(game.id, "", ANNA)
    assert of(node, Challenged)[1:] == [Challenged(joined, BEN, ANNA)]
    assert (await store.challenges.of(ANNA.id), await store.challenges.of(BEN.id)) == ([], [game.id])
    await node.rounds.join(game.id, "", BEN)
    assert (len(of(node, Challenged)), len(of(node, Paired))) == (2, 1)
