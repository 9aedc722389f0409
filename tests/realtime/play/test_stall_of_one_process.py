"""One of two processes stalled while the other carried on: nobody gets back time that they never lost."""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.realtime.cluster.bus import PresenceChanged
from server.realtime.cluster.presence import PresenceState
from server.realtime.play.round import ELSEWHERE_MS
from server.realtime.services.recovery import BEAT_S
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE, Deaf, Node

MINUTE = TimeControl.realtime(60_000, 0)


def wake(node, clock, since):
    """The loop of `node` goes on; it has stood still since then."""
    node.live._watchdog._beat_at = since - int(BEAT_S * 1_000)
    node.rounds.stopping = True
    node.live._watchdog._beat()
    node.rounds.stopping = False


async def stored_left(store, game, asking, clock):
    """White's time as it is stored with an offer of Black's."""
    assert (await asking.ask("offer", kind="draw"))["t"] == "ok"
    return store.games[game].clock.remaining(Color.WHITE, clock())


@pytest.mark.row("N4")
@pytest.mark.parametrize(("stood_ms", "given_ms"), [(4_000, 4_000), (30_000, ELSEWHERE_MS)])
async def test_a_player_connected_only_here_gets_the_stall_back(nodes, store, clock, variants, stood_ms, given_ms):
    node = nodes[0]
    game, _, black = await node.opened(variants, control=MINUTE)
    since = clock()
    clock.turn(stood_ms)
    wake(node, clock, since)
    assert await stored_left(store, game, black, clock) == 60_000 - stood_ms + given_ms


@pytest.mark.row("N4")
async def test_a_player_also_at_another_process_gets_nothing_back(nodes, store, clock, variants):
    node = nodes[0]
    game, _, black = await node.opened(variants, control=MINUTE)
    node.live.others.hear_notice(PresenceChanged(game, Color.WHITE, PresenceState.HERE))
    since = clock()
    clock.turn(30_000)
    wake(node, clock, since)
    assert await stored_left(store, game, black, clock) == 30_000


@pytest.mark.row("N4")
async def test_a_player_who_was_not_here_gets_nothing_back(nodes, store, clock, variants):
    node, other = nodes
    game, white, black = await node.opened(variants, control=MINUTE)
    white.close()
    await other.seat(game, WHITE)
    since = clock()
    clock.turn(5_000)
    wake(node, clock, since)
    assert await stored_left(store, game, black, clock) == 55_000


@pytest.mark.row("N4")
async def test_a_turn_that_began_elsewhere_meanwhile_is_not_given_back(nodes, store, clock, variants):
    node, other = nodes
    game, white, _ = await node.opened(variants, control=MINUTE)
    awake = await other.seat(game, WHITE)
    since, gate = clock(), asyncio.Event()
    store.hold = gate
    white.send("offer", kind="draw")
    await settle()
    store.hold = None
    clock.turn(20_000)
    assert (await awake.move("g1f3", 2))["t"] == "ok"
    clock.turn(9_000)
    wake(node, clock, since)
    gate.set()
    await settle()
    here = node.rounds.in_memory(game).game
    assert len(here.plies) == 3
    assert here.clock.remaining(Color.BLACK, clock()) == 51_000
    assert (await (await node.seat(game, BLACK)).move("b8c6", 3))["t"] == "ok"
    assert store.games[game].plies[3].left_ms == 51_000


class StoreLink:
    """The connection of one process to the store; `cut`: nothing gets through."""

    def __init__(self, store):
        self._store = store
        self.cut = False

    def __getattr__(self, name):
        return self._refuse if self.cut and name in ("save", "load") else getattr(self._store, name)

    async def _refuse(self, *_):
        raise Unavailable("The connection is cut.")


@pytest.mark.row("N4")
async def test_a_process_that_could_not_store_gives_back_no_time_of_moves_stored_elsewhere(store, clock, variants):
    link = StoreLink(store)
    node, other = Node(link, clock, Deaf()), Node(store, clock, Deaf())
    game, white, _ = await node.opened(variants, control=MINUTE)
    awake = await other.seat(game, WHITE)
    link.cut = True
    white.send("offer", kind="draw")
    await settle()
    clock.turn(20_000)
    assert (await awake.move("g1f3", 2))["t"] == "ok"
    clock.turn(9_000)
    link.cut = False
    await node.pass_time(5)
    assert white.last("ok")
    assert store.games[game].clock.remaining(Color.BLACK, clock()) <= 51_000
