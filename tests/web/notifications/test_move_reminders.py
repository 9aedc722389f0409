"""The web push that reminds players in correspondence games of their move: to whom, when, and what it says."""

import pytest

from server.games.changes.beginning import new_game
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.game import play
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.domain_events import MoveReminder
from server.web.notifications.notifier import GAME_STALE_S, NOTIFIER
from server.web.notifications.teller import TELLER
from server.web.site import SITE
from tests.support.web.push_service import Browser

LATE_MS = 240_000
"""How late a reminder may be."""


class TestReminders:
    """A player in a correspondence game is reminded of their move: Anna, who plays White, has ten days for it."""

    @pytest.fixture
    async def site(self, server, reached, clock):
        site, self.clock = server.app[SITE], clock
        # What a server that has just started tells from before must not be this game.
        await site.live.services.background.finish(5)
        self.service, server.app[NOTIFIER].push = reached
        chess = site.variants["chess"]
        terms = Terms(chess, False, chess.start_fen, TimeControl.correspondence(10), rated=False)
        game = new_game("game", terms, clock(), Player("anna", "Anna"), Player("ben", "Ben"))
        await site.store.create(game)
        for ply, uci in enumerate(("e2e4", "e7e5")):
            before = game
            game, _ = play(before, PlayMove(before.to_move, uci, ply), clock())
            await site.store.save(before, game)
        return site

    async def pushed(self, site):
        """What the browser reads, each with how long it is worth delivering."""
        await site.live.services.background.finish(5)
        return [(body, headers["TTL"]) for _, headers, body in self.service.got]

    async def reminded(self, site, device, passed_ms):
        """The same `passed_ms` into the turn."""
        await site.store.push.keep(device)
        self.clock.turn(passed_ms)
        await site.rounds.remind_players()
        return await self.pushed(site)

    @pytest.mark.parametrize(
        ("language", "passed_ms", "title"),
        [
            ("en", 5 * DAY_MS, "It is your move against Ben: 5 days left."),
            ("en", 5 * DAY_MS + LATE_MS, "It is your move against Ben: 5 days left."),
            ("en", 9 * DAY_MS, "It is your move against Ben: 24 hours left."),
            ("es", 8 * DAY_MS, "Te toca jugar contra Ben: quedan 2 días."),
            ("es", 9 * DAY_MS + LATE_MS, "Te toca jugar contra Ben: quedan 24 horas."),
            ("es", 10 * DAY_MS - 60_000, "Te toca jugar contra Ben: queda 1 minuto."),
        ],
    )
    async def test_says_how_much_time_is_left_in_the_players_language(self, site, language, passed_ms, title):
        browser = Browser()
        pushed = await self.reminded(site, browser.device("anna", language), passed_ms)
        said = [browser.read(body) for body, _ in pushed]
        assert [(one["title"], one["url"]) for one in said] == [(title, "/game")]
        assert int(pushed[0][1]) == min(GAME_STALE_S, (10 * DAY_MS - passed_ms) // 1000)

    async def test_nobody_is_reminded_who_has_the_board_open(self, site, server):
        await site.store.push.keep(Browser().device("anna"))
        game = await site.store.load("game")
        server.app[TELLER].hear(MoveReminder(game, game.white, away=False))
        assert await self.pushed(site) == []

    async def test_only_the_player_to_move_is_reminded(self, site):
        assert await self.reminded(site, Browser().device("ben"), 5 * DAY_MS) == []
