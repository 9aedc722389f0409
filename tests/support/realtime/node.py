"""One process of live play over a store and a clock turned by hand, without timers of its own."""

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.cluster.bus import Bus
from server.realtime.live import LivePlay
from server.realtime.play.creation import create_open_game
from server.realtime.services.recovery import recover
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.rules.built_in import VARIANTS

WHITE = Player("white-id", "Wanda")
BLACK = Player("black-id", "Boris")
FIVE_MINUTES = TimeControl.realtime(300_000, 0)


class Deaf(Bus):
    """There are other processes, and nothing that any of them tells arrives."""

    alone = False


class Node:
    """One process of the server. Its loops do not run: `tick` does what its timers would."""

    def __init__(self, store, clock, bus=None):
        self.store = store
        self.clock = clock
        self.live = LivePlay(store, VARIANTS, clock, bus, sleep=clock.sleep)
        self.published = []
        for hear in (self.live.pages.hear_event, self.published.append):
            self.live.services.events.subscribe(hear)
        # By this clock the tests take no time at all, so a process that stood still was not busy unless a test says so.
        self.live._watchdog._processor_s = lambda: 0

    @property
    def rounds(self):
        return self.live.rounds

    async def recover(self):
        """What a process does first: gives back the time in which there was none."""
        await recover(self.rounds, self.live._heartbeat)

    async def tick(self, ms=0):
        """Turn the clock by `ms` and let timers fire."""
        self.clock.turn(ms)
        self.live.services.timers.fire_due()
        await settle()
        self.live.services.timers.fire_due()
        await settle()

    async def pass_time(self, seconds):
        """Let `seconds` pass, one after the other."""
        for _ in range(seconds):
            await self.tick(1_000)

    async def new_game(self, variants, control=FIVE_MINUTES, variant="chess", chess960=False, fen=None):
        """A game that both have joined; returns its id."""
        chosen = variants[variant]
        terms = Terms(chosen, chess960, fen or chosen.start_fen, control, rated=False)
        created = await create_open_game(self.rounds.services, terms, WHITE, Color.WHITE)
        await self.rounds.join(created.game.id, created.secret, BLACK)
        return created.game.id

    async def seat(self, game, player):
        client = Client(self, player)
        await client.hi(game)
        return client

    async def pair(self, variants, **terms):
        """A new game with both players at the board: (id, white, black)."""
        game = await self.new_game(variants, **terms)
        return game, await self.seat(game, WHITE), await self.seat(game, BLACK)

    async def opened(self, variants, **terms):
        """As `pair`, after 1. e4 e5: the clock runs."""
        game, white, black = await self.pair(variants, **terms)
        assert (await white.move("e2e4", 0))["t"] == "ok"
        assert (await black.move("e7e5", 1))["t"] == "ok"
        return game, white, black
