"""Two who are kept apart, and commands that would bring them to one game in the same instant."""

from server.games.errors import WrongInvitation
from server.games.people import TieKind
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE


async def test_of_two_who_are_kept_apart_and_come_at_once_to_the_game_of_a_third_one_gets_a_seat(node, variants):
    chess = variants["chess"]
    terms = Terms(chess, False, chess.start_fen, FIVE_MINUTES, rated=False)
    created = await create_open_game(node.rounds.services, terms, None, Color.WHITE)
    await node.live.ties.make_tie(BLACK.id, TieKind.BLOCKS, WHITE)
    joins = [
        node.live.services.background.spawn(node.rounds.join(created.game.id, created.secrets[color], player))
        for color, player in ((Color.WHITE, WHITE), (Color.BLACK, BLACK))
    ]
    await settle()
    first, second = (join.exception() for join in joins)
    assert first is None
    # Whoever has blocked the other reads that, and whoever is blocked another reason.
    assert not isinstance(second, WrongInvitation)
    assert second.id == "blocked_by_you"
    found = await node.rounds.get(created.game.id)
    assert (found.game.white, found.game.black) == (WHITE, None)
