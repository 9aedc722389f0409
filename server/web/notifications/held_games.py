"""Whether news that was held back is still true when it is to be delivered."""

from collections.abc import Iterable, Mapping, Sequence

from server.games.changes.beginning import people_of
from server.games.news import concerned
from server.games.state import Game
from server.mail.at_board import AtBoard
from server.mail.wishes import MESSAGE, REMINDER, TURN
from server.storage.errors import Unreadable
from server.storage.protocols.held import HeldNews
from server.storage.stores import Store
from server.web.notifications.game_letter import kind_of
from server.web.notifications.game_news import GameNews
from server.web.notifications.heard import LINES_READ, WORDS_SHOWN, heard_in


def kinds_by_game(held: Iterable[HeldNews]) -> Mapping[str, Sequence[str]]:
    """The kinds of what is held, by the game, in the order of `held`."""
    kinds: dict[str, list[str]] = {}
    for one in held:
        kinds.setdefault(one.game, []).append(one.kind)
    return kinds


async def still_so(store: Store, at_board: AtBoard, owner: str, game_id: str, kinds: Sequence[str]) -> GameNews | None:
    """What of news of these `kinds` is left to tell `owner`: what still waits for them, an ending that they are to
    hear of, what was said to them and they have not answered; None: nothing.

    Whoever has the board open sees for themselves.

    Raises Unavailable.
    """
    try:
        game = await store.load(game_id)
    except Unreadable:
        # It has been logged, and counted as damaged.
        return None
    player = None if game is None else next((one for one in people_of(game) if one.id == owner), None)
    if game is None or player is None or await at_board(game.id, owner):
        return None
    heard = await heard_in(store, game.id, player, LINES_READ if MESSAGE in kinds else WORDS_SHOWN)
    stands = [kind for kind in kinds if kind != MESSAGE and player in concerned(game) and _is_about(kind, game)]
    said = [MESSAGE] if heard and MESSAGE in kinds else []
    left = (*stands, *said)
    return GameNews(game, player, heard, left) if left else None


def _is_about(kind: str, game: Game) -> bool:
    """Does the game still stand as news of that kind say?"""
    now = kind_of(game)
    return kind == now or {kind, now} == {TURN, REMINDER}
