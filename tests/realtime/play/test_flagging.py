"""Flagging by hand as the players' pages see it, over restarts, and as it is told to those who are away."""

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.realtime.domain_events import MoveReminder, TimeIsUp
from server.realtime.play.rounds import MINUTE_MS
from server.realtime.protocol.inbound import Flagging
from server.rules.variant.pieces import Color
from tests.support.realtime.node import BLACK, WHITE, Node

DAYS = TimeControl.correspondence(3)


async def chosen(node, variants):
    """White has the move, and Black has chosen to flag by hand."""
    game, white, black = await node.opened(variants, control=DAYS)
    assert (await black.ask("flagging", by_hand=True))["t"] == "ok"
    white.read()
    return game, white, black


async def test_both_pages_show_the_choice_and_the_game_goes_on_over_time(node, store, variants):
    game, white, _ = await chosen(node, variants)
    assert white.last("flagging")["by_hand"] == [False, True]
    await node.tick(30 * DAY_MS)
    assert store.games[game].outcome is None
    again = await node.seat(game, WHITE)
    assert again.last("snapshot")["by_hand"] == [False, True]
    assert (await again.move("g1f3", 2))["t"] == "ok"


async def test_who_changes_their_mind_too_often_must_wait_whichever_tab_it_comes_from(node, store, clock, variants):
    game, white, black = await node.opened(variants, control=DAYS)
    tabs = black, await node.seat(game, BLACK)
    answers = [await tabs[n % 2].ask("flagging", by_hand=n % 2 == 0) for n in range(Flagging.a_minute + 1)]
    assert [answer["t"] for answer in answers] == ["ok"] * Flagging.a_minute + ["error"]
    assert answers[-1]["code"] == "rate"
    assert store.games[game].flags_by_hand == (False, False)
    assert (await white.ask("flagging", by_hand=True))["t"] == "ok"
    clock.turn(MINUTE_MS)
    assert (await black.ask("flagging", by_hand=True))["t"] == "ok"


@pytest.mark.parametrize(("result", "reason"), [("win", "time"), ("draw", "forgiven")])
async def test_the_claim_needs_nobody_absent(node, store, variants, result, reason):
    game, white, black = await chosen(node, variants)
    assert (await black.ask("claim", result=result))["refusal"] == "claim_in_time"
    await node.tick(3 * DAY_MS)
    assert (await black.ask("claim", result=result))["t"] == "ok"
    white.read()
    assert white.last("over")["ended"]["reason"] == store.games[game].outcome.reason == reason


async def test_a_restart_after_the_flag_has_fallen_ends_no_game_and_gives_the_time_back(node, store, clock, variants):
    game, _, _ = await chosen(node, variants)
    await node.tick(2 * DAY_MS)
    store.alive = clock()
    await node.live.services.background.finish(0)
    clock.turn(5 * DAY_MS)
    reborn = Node(store, clock)
    await reborn.recover()
    assert store.games[game].outcome is None
    assert store.games[game].clock.remaining(Color.WHITE, clock()) == DAY_MS
    await reborn.tick(2 * DAY_MS)
    assert store.games[game].outcome is None
    black = await reborn.seat(game, BLACK)
    assert (await black.ask("claim", result="win"))["t"] == "ok"


async def test_when_the_flag_falls_it_is_told_to_who_can_claim(node, store, variants):
    game, _, _ = await chosen(node, variants)
    told = []
    node.live.services.events.subscribe(told.append)
    await node.tick(3 * DAY_MS)
    await node.rounds.remind_players()
    await node.rounds.remind_players()
    assert [type(event) for event in told if isinstance(event, MoveReminder | TimeIsUp)] == [TimeIsUp]
    (event,) = (event for event in told if isinstance(event, TimeIsUp))
    assert (event.game.id, event.player, event.away) == (game, BLACK, False)


@pytest.mark.parametrize("control", [DAYS, TimeControl.realtime(300_000, 0)])
async def test_a_new_game_of_days_begins_as_its_players_have_chosen_on_their_accounts(node, store, variants, control):
    store.accounts.by_hand = {BLACK.id}
    game = await node.new_game(variants, control=control)
    assert store.games[game].flags_by_hand == (False, control is DAYS)
