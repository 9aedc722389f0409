"""What a process may conclude alone: no result is decided by what it did not hear, and nobody pays for a slow node."""

import asyncio

import pytest

from server.games.changes.offers import DeclineOffer
from server.games.clocks.time_control import TimeControl
from server.games.seeks import Seeker
from server.games.status import Status
from server.realtime.play.round_timers import DOUBT_MS, KEEP_AFTER_MS, KEEP_BEFORE_MS
from server.realtime.services.recovery import BEAT_S
from server.realtime.shared import GAP_MS, Hearing
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, seek
from tests.support.realtime.node import BLACK, WHITE, Node
from tests.support.realtime.wire import Wire

MINUTE = TimeControl.realtime(60_000, 0)
LEFT_S = 10


@pytest.fixture
def wire():
    return Wire()


@pytest.fixture
async def joined(store, clock, wire):
    """Two processes on one store that hear each other."""
    both = []
    for _ in range(2):
        end = wire.end()
        both.append(Node(store, clock, end))
        wire.nodes[end] = both[-1]
    yield both
    for node in both:
        await node.live.services.background.finish(0)


def cut_off(wire, node):
    wire.cut = {end for end, joined in wire.nodes.items() if joined is node}


def stall(node, clock, ms):
    """This process alone stands still, and finds out."""
    watchdog = node.live._watchdog
    watchdog._beat_at, node.rounds.stopping = clock() - int(BEAT_S * 1_000), True
    clock.turn(ms)
    watchdog._beat()
    node.rounds.stopping = False


async def across(joined, variants, control=MINUTE):
    """A game that goes on, White at the first process and Black at the second: (id, white, black)."""
    here, there = joined
    game, white, black = await here.opened(variants, control=control)
    other = await there.seat(game, BLACK)
    black.close()
    await settle()
    return game, white, other


def clock_at(node, game, color, now):
    return node.rounds.in_memory(game).game.clock.remaining(color, now)


# --- time -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heard", [True, False])
async def test_time_given_back_after_a_stall_is_not_taken_by_another_process(
    joined, wire, store, clock, variants, heard
):
    here, there = joined
    game, _, _ = await across(joined, variants)
    if not heard:
        cut_off(wire, here)
    before = store.games[game].deadline
    stall(here, clock, 8_000)
    assert here.rounds.in_memory(game).game.deadline == before + 8_000
    clock.turn(before - clock() + 1_500)
    await there.rounds.check_deadlines()
    await there.tick()
    assert store.games[game].status is Status.LIVE
    await here.tick()
    assert store.games[game].deadline == before + 8_000, "everybody can know it now"
    await there.tick(6_499)
    assert store.games[game].status is Status.LIVE
    await here.tick(1)
    assert store.games[game].outcome.reason == "time"


async def test_a_stall_that_has_not_been_given_back_yet_ends_no_game_elsewhere(joined, store, clock, variants):
    here, there = joined
    game, _, black = await across(joined, variants)
    deadline = store.games[game].deadline
    clock.turn(deadline - clock() - 2_000)
    # The first process stands still from here on; the second does not.
    clock.turn(6_000)
    await there.tick()
    await there.rounds.check_deadlines()
    for command in ({"t": "resign"}, {"t": "offer", "kind": "draw"}):
        answer = await black.ask(command.pop("t"), **command)
        assert answer["t"] == "error"
    assert store.games[game].status is Status.LIVE
    here.live._watchdog._beat_at, here.rounds.stopping = clock() - 6_000 - int(BEAT_S * 1_000), True
    here.live._watchdog._beat()
    here.rounds.stopping = False
    assert here.rounds.in_memory(game).game.deadline == clock() + 2_000
    await here.tick()
    assert store.games[game].deadline == deadline + 6_000


async def test_a_process_that_is_gone_keeps_no_game_from_ending(joined, wire, store, clock, variants):
    here, there = joined
    game, _, _ = await across(joined, variants)
    cut_off(wire, here)
    clock.turn(store.games[game].deadline - clock() + DOUBT_MS - 1)
    await there.tick()
    assert store.games[game].status is Status.LIVE
    await there.tick(2_001)
    assert store.games[game].outcome.reason == "time"


@pytest.mark.parametrize("bye", [True, False])
async def test_the_flag_of_a_player_who_is_known_to_have_gone_falls_at_once(joined, wire, store, clock, variants, bye):
    _, there = joined
    game, white, _ = await across(joined, variants)
    white.close(bye=bye)
    await wire.beat(clock, 1)
    clock.turn(store.games[game].deadline - clock() - 1_000)
    there.live.services.hearing.hear_beat(there.live.services.hearing.node, clock())
    await there.tick(1_000)
    assert store.games[game].outcome.reason == "time"


@pytest.mark.parametrize("ms", [300, 8_000, 20_000])
async def test_a_slow_write_costs_an_opponent_at_another_process_nothing(joined, store, clock, variants, ms):
    game, white, black = await across(joined, variants)
    store.hold = gate = asyncio.Event()
    white.send("move", uci="g1f3", ply=2)
    await settle()
    clock.turn(ms)
    gate.set()
    store.hold = None
    await settle()
    black.read()
    assert black.last("moved")["clock"]["black"] == 60_000
    assert [clock_at(node, game, Color.BLACK, clock()) for node in joined] == [60_000, 60_000]
    clock.turn(4_000)
    assert (await black.move("b8c6", 3))["t"] == "ok"
    assert store.games[game].plies[3].left_ms == 56_000


async def test_what_was_given_back_of_a_turn_is_stored_in_time_unless_the_answer_comes_before(
    joined, store, clock, variants
):
    here, _ = joined
    game, white, black = await across(joined, variants)
    for ply, (mover, uci, ms) in enumerate([(white, "g1f3", 5_000), (black, "b8c6", 0)], 2):
        store.hold = gate = asyncio.Event()
        mover.send("move", uci=uci, ply=ply)
        await settle()
        clock.turn(ms)
        gate.set()
        store.hold = None
        await settle()
    writes = store.writes
    for node in joined:
        await node.tick(KEEP_AFTER_MS)
    assert store.writes == writes, "nothing was given back in this turn"
    store.hold = gate = asyncio.Event()
    white.send("move", uci="f1b5", ply=4)
    await settle()
    clock.turn(5_000)
    gate.set()
    store.hold = None
    await settle()
    shown, writes, known = clock(), store.writes, store.games[game].deadline
    await here.tick(known - KEEP_BEFORE_MS - 1 - clock())
    assert store.writes == writes, "a slow store is not asked for another write in each turn"
    await here.tick(1)
    assert store.games[game].clock.since == shown
    assert store.games[game].deadline == known + 5_000


async def test_a_move_whose_notice_was_lost_begins_the_turn_when_it_is_shown(joined, wire, store, clock, variants):
    _, there = joined
    _, white, black = await across(joined, variants)
    cut_off(wire, there)
    assert (await white.move("g1f3", 2))["t"] == "ok"
    clock.turn(3_000)
    await there.live.others.look()
    black.read()
    assert black.last("moved")["clock"]["black"] == 60_000


async def test_an_ordinary_move_is_one_write(joined, store, clock, variants):
    _, white, black = await across(joined, variants)
    writes = store.writes
    for ply, (mover, uci) in enumerate([(white, "g1f3"), (black, "b8c6"), (white, "f1b5"), (black, "a7a6")], 2):
        clock.turn(2_000)
        assert (await mover.move(uci, ply))["t"] == "ok"
        for node in joined:
            await node.tick(1)
    assert store.writes == writes + 4


async def test_another_write_meanwhile_takes_no_time_that_was_given_back(joined, wire, store, clock, variants):
    here, there = joined
    game, white, black = await across(joined, variants)
    cut_off(wire, here)
    stall(here, clock, 8_000)
    there.live.services.hearing.hear_beat(there.live.services.hearing.node, clock())
    assert (await black.ask("offer", kind="draw"))["t"] == "ok"
    assert (await white.move("g1f3", 2))["t"] == "ok"
    assert store.games[game].plies[2].left_ms == 60_000


# --- absence --------------------------------------------------------------------------------------------------------


def claim(player):
    return player.ask("claim", result="win")


async def test_a_win_is_claimed_of_an_opponent_who_has_left_another_process(joined, wire, store, clock, variants):
    game, white, black = await across(joined, variants, TimeControl.realtime(300_000, 0))
    await wire.beat(clock, 2)
    white.close(bye=True)
    await wire.beat(clock, LEFT_S * 2)
    assert (await claim(black))["t"] == "ok"
    assert store.games[game].outcome.reason == "left"


@pytest.mark.parametrize("whose", ["the claiming", "the other"])
async def test_no_absence_is_concluded_from_a_silent_bus(joined, wire, store, clock, variants, whose):
    here, there = joined
    game, _, black = await across(joined, variants, TimeControl.realtime(300_000, 0))
    await wire.beat(clock, 30)
    cut_off(wire, there if whose == "the claiming" else here)
    for _ in range(15):
        await wire.beat(clock, 10)
        there.rounds.in_memory(game).repeat_presence()
    answer = await claim(black)
    assert (answer["t"], store.games[game].status) == ("error", Status.LIVE)
    wire.cut = set()
    await wire.beat(clock, 1)
    assert (await claim(black))["t"] == "error", "nothing was heard while the opponent was awaited"
    here.rounds.in_memory(game).repeat_presence()
    assert (await claim(black))["t"] == "error", "they are here"
    assert store.games[game].status is Status.LIVE


async def test_the_wait_for_who_has_left_begins_anew_when_the_bus_is_back(joined, wire, store, clock, variants):
    _, there = joined
    _, white, black = await across(joined, variants, TimeControl.realtime(300_000, 0))
    await wire.beat(clock, 2)
    white.close(bye=True)
    cut_off(wire, there)
    await wire.beat(clock, 2 * LEFT_S)
    wire.cut = set()
    await wire.beat(clock, LEFT_S - 1)
    assert (await claim(black))["t"] == "error"
    await wire.beat(clock, 2)
    assert (await claim(black))["t"] == "ok"


async def test_the_opponent_of_a_process_that_died_can_claim(joined, wire, store, clock, variants):
    _, there = joined
    game, _, black = await across(joined, variants, TimeControl.realtime(300_000, 0))
    await wire.beat(clock, 2)
    wire.nodes = {end: node for end, node in wire.nodes.items() if node is there}
    for _ in range(12):
        await wire.beat(clock, 10)
        there.rounds.in_memory(game).repeat_presence()
    assert (await claim(black))["t"] == "ok"


async def test_without_the_store_no_absence_is_known(joined, wire, store, clock, variants, monkeypatch):
    game, white, black = await across(joined, variants, TimeControl.realtime(300_000, 0))
    await wire.beat(clock, 2)
    white.close(bye=True)
    await wire.beat(clock, LEFT_S * 2)
    with store.outage():
        assert (await claim(black))["t"] == "error"
    assert store.games[game].status is Status.LIVE


def test_a_gap_begins_the_hearing_anew():
    hearing = Hearing()
    for at in (0, GAP_MS, 2 * GAP_MS):
        hearing.hear_beat("other", at)
    assert hearing.since("other", 3 * GAP_MS) == 0
    assert hearing.since("other", 3 * GAP_MS + 1) is None
    hearing.hear_beat("other", 3 * GAP_MS + 1)
    assert hearing.since("other", 3 * GAP_MS + 1) == 3 * GAP_MS + 1
    assert hearing.hears_all(["other"], 3 * GAP_MS + 1) is None, "it does not hear itself"


# --- rematches and aborts -------------------------------------------------------------------------------------------


@pytest.fixture
async def over(joined, clock, variants):
    """A game of Chess960 that is over, with each player at both processes: (id, players by name and process)."""
    here, there = joined
    game, white, black = await here.pair(variants, chess960=True)
    assert (await white.ask("resign"))["t"] == "ok"
    return game, white, black, await there.seat(game, WHITE), await there.seat(game, BLACK)


def live(store):
    return [game for game in store.games.values() if game.status is not Status.OVER]


@pytest.mark.parametrize("heard", [True, False])
async def test_a_rematch_accepted_at_two_processes_at_once_is_one_game(joined, wire, store, over, heard):
    game, white, black, _, black_there = over
    assert (await white.ask("offer", kind="rematch"))["t"] == "ok"
    offer = store.games[game].offers[0].id
    if not heard:
        cut_off(wire, joined[0])
    await asyncio.gather(black.ask("accept", offer=offer), black_there.ask("accept", offer=offer))
    assert [one.id for one in live(store)] == [store.games[game].next]


async def test_a_rematch_offered_at_two_processes_at_once_is_one_game(store, over):
    game, white, _, _, black_there = over
    await asyncio.gather(white.ask("offer", kind="rematch"), black_there.ask("offer", kind="rematch"))
    assert [one.id for one in live(store)] == [store.games[game].next]


async def test_a_rematch_that_is_withdrawn_while_it_is_accepted_leaves_no_game(joined, store, clock, over, monkeypatch):
    game, white, _, _, black_there = over
    assert (await white.ask("offer", kind="rematch"))["t"] == "ok"
    offer, create = store.games[game].offers[0].id, store.create

    async def withdrawn_meanwhile(rematch):
        await create(rematch)
        await joined[0].rounds.in_memory(game).submit(DeclineOffer(Color.WHITE, offer), clock())

    monkeypatch.setattr(store, "create", withdrawn_meanwhile)
    assert (await black_there.ask("accept", offer=offer))["code"] == "stale"
    assert (store.games[game].next, live(store)) == (None, [])


@pytest.mark.parametrize("times", [1, 2])
async def test_aborts_are_counted_wherever_the_game_is_played(joined, wire, store, clock, times):
    paired, home = joined
    wire.times = times
    for number in range(3):
        wanted = seek(paired, variants=("chess",))
        await paired.live.lobby.post_seek(wanted)
        game = await paired.live.lobby.accept_seek(wanted.id, Seeker(BEN, False))
        client = await home.seat(game, BEN)
        await home.seat(game, ANNA)
        assert [node.live.services.playbans._left(BEN, clock()) > 0 for node in joined] == [False, False], number
        assert (await client.ask("abort"))["t"] == "ok"
        clock.turn(1_000)
    assert all(node.live.services.playbans._left(BEN, clock()) > 0 for node in joined)
    assert not any(node.live.services.playbans._left(ANNA, clock()) > 0 for node in joined)
