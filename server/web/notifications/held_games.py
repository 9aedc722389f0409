"""What has become of news that somebody is told of later: is it still so when it is told?"""

from server.games.news import concerned
from server.games.player import Player
from server.games.state import Game
from server.mail.at_board import AtBoard
from server.mail.wishes import REMINDER, TURN
from server.storage.errors import Unreadable
from server.storage.protocols.held import HeldNews
from server.storage.stores import Store
from server.web.notifications.game_letter import kind_of


async def still_so(store: Store, at_board: AtBoard, held: HeldNews) -> tuple[Game, Player] | None:
    """The game, and who is told of it, if it still waits for them, or has ended as they are to hear; else None.

    Whoever has its board open sees for themselves.

    Raises Unavailable.
    """
    try:
        game = await store.load(held.game)
    except Unreadable:
        # It has been logged, and counted as damaged.
        return None
    if game is None or not _is_about(held.kind, game) or await at_board(game.id, held.mailbox.owner):
        return None
    return next(((game, player) for player in concerned(game) if player.id == held.mailbox.owner), None)


def _is_about(kind: str, game: Game) -> bool:
    """Does the game still stand as news of that kind say?"""
    now = kind_of(game)
    return kind == now or {kind, now} == {TURN, REMINDER}
