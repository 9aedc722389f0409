"""The web push that reminds players in correspondence games of their move: to whom, when, and what it says."""

import pytest

from server.games.changes.beginning import new_game
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.commands import PlayMove
from server.games.game import play
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.process.domain_events import MoveReminder
from server.web.notifications.messages import GAME_STALE_S
from server.web.notifications.notifier import NOTIFIER
from server.web.site import SITE
from tests.web.notifications.push_service import NOW, Browser

LATE_MS = 240_000
"""How late a reminder may be."""


@pytest.fixture
def game_of_days(server):
    """Anna, who plays White, has ten days for her move from NOW on."""
    chess = server.app[SITE].variants["chess"]
    terms = Terms(chess, False, chess.start_fen, TimeControl.correspondence(10), rated=False)
    game = new_game("game", terms, NOW, Player("anna", "Anna"), Player("ben", "Ben"))
    for ply, uci in enumerate(("e2e4", "e7e5")):
        game, _ = play(game, PlayMove(game.to_move, uci, ply), NOW)
    return game


class TestReminders:
    """A player in a correspondence game is reminded of their move."""

    async def reminded(self, server, reached, game, device, passed_ms, *, away=True):
        """What the browser reads `passed_ms` into the turn, each with how long it is worth delivering."""
        site, notifier = server.app[SITE], server.app[NOTIFIER]
        service, notifier.push = reached
        notifier._now = lambda: NOW + passed_ms
        await site.store.push.keep(device)
        notifier.hear(MoveReminder(game, game.white, away))
        await site.live.services.background.finish(5)
        return [(body, headers["TTL"]) for _, headers, body in service.got]

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
    async def test_says_how_much_time_is_left_in_the_players_language(
        self, server, reached, game_of_days, language, passed_ms, title
    ):
        browser = Browser()
        device = browser.device("anna", language)
        ((body, ttl),) = await self.reminded(server, reached, game_of_days, device, passed_ms)
        said = browser.read(body)
        assert (said["title"], said["url"]) == (title, "/game")
        assert int(ttl) == min(GAME_STALE_S, (10 * DAY_MS - passed_ms) // 1000)

    async def test_nobody_is_reminded_who_has_the_board_open(self, server, reached, game_of_days):
        device = Browser().device("anna")
        assert await self.reminded(server, reached, game_of_days, device, 5 * DAY_MS, away=False) == []

    async def test_only_the_player_to_move_is_reminded(self, server, reached, game_of_days):
        device = Browser().device("ben")
        assert await self.reminded(server, reached, game_of_days, device, 5 * DAY_MS) == []
