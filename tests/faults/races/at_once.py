"""What races have in common: rated games a move before the mate, and messages that arrive in one instant."""

from server.games.clocks.time_control import TimeControl
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE

BEFORE_MATE = ("g1f3", "g8f6", "f3g1", "f6g8", "f2f3", "e7e5", "g2g4")
"""Both have moved twice, so that any end moves ratings."""
MATE = {"t": "move", "uci": "d8h4", "ply": 7}


def rated(variants, seconds=300):
    chess = variants["chess"]
    return Terms(chess, False, chess.start_fen, TimeControl.realtime(seconds * 1000, 0), rated=True)


async def before_mate(node, terms):
    """(id, white, black) of a game that Black, whose clock runs, can win by MATE."""
    created = await create_open_game(node.rounds.services, terms, WHITE, Color.WHITE)
    game = created.game.id
    await node.rounds.join(game, created.secret, BLACK)
    white, black = await node.seat(game, WHITE), await node.seat(game, BLACK)
    for ply, uci in enumerate(BEFORE_MATE):
        assert (await (white, black)[ply % 2].move(uci, ply))["t"] == "ok"
    return game, white, black


async def all_at_once(sent):
    """Sends each (client, message) before any of them is served."""
    for client, message in sent:
        client.send(**message)
    await settle()


def ended_once(store, game, *clients):
    """Has the game ended, and if so, once for everybody, with one rating change for each player?

    A game that has not ended has told nobody that it had.
    """
    over = store.games[game].outcome is not None
    for client in clients:
        assert len(client.all("over")) == over, client.all("over")
        changes = [seats for seats in client.all("rated") if "change" in seats["white"]]
        assert len(changes) == over, changes
    return over
