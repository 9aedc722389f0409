"""News of a game for one of its players, by mail or web push, as the game stands when it is delivered.

News that was held back may no longer be true, and of what was said only that counts which the reader has not answered
yet, neither by words nor by a move, of people whom they hear.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from server.games.changes.beginning import named_in, people_of
from server.games.news import concerned
from server.games.people import TieKind
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.mail.delivery import AtBoard
from server.mail.wishes import CHALLENGE, MESSAGE, REMINDER, RESULT, TURN
from server.storage.errors import Unreadable
from server.storage.stores import ChatLine, Store
from server.storage.tables.outbox import HeldNews

LINES_READ: Final = 20
"""Of the chat in a game."""
WORDS_SHOWN: Final = 3
"""Where they are not themselves the news."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """`player` is told of `game`. `heard`: what the opponent has said to them since they last spoke.

    `kinds`: of the news, at least one of `wishes.KINDS`, what was said last. `note`: the key of a sentence on what has
    just happened, "" for none.
    """

    game: Game
    player: Player
    heard: Sequence[str]
    kinds: Sequence[str]
    note: str = ""

    @property
    def only_said(self) -> bool:
        """Is nothing new but what was said?"""
        return self.kinds[0] == MESSAGE


def kind_of(game: Game) -> str:
    """What a letter about `game` tells as it stands, one of `wishes.KINDS`."""
    if game.status is Status.OPEN:
        return CHALLENGE
    # Also with the offer of a rematch, as that letter may take the place of one that said how the game ended.
    if game.status is Status.OVER:
        return RESULT
    # What was offered or declined since the reminder is news of its own; that of a move in between has gone with that.
    return REMINDER if game.clock.reminded and not game.offers and game.declined is None else TURN


async def read_unanswered(
    store: Store, game_id: str, reader: Player, most: int = WORDS_SHOWN, since: int = 0
) -> list[str]:
    """What was said to `reader` in that game since they last spoke, and not before `since` (ms), the last `most` times.

    Raises Unavailable.
    """
    ties = await store.ties.of(reader.id)
    blocked = {tie.other.id for tie in ties if tie.kind is TieKind.BLOCKS}
    lines = [line for line in await store.chat(game_id, LINES_READ) if line.at >= since]
    return unanswered_in(lines, reader, blocked, most)


def last_moved_at(game: Game, reader: Player) -> int:
    """When (ms) `reader` last moved, 0 if the clocks do not tell: what was said before that was told before."""
    if game.clock.turn is None or game.terms.control.keeps_time:
        return 0
    color = game.color_of(reader.id)
    if color is None or not game.has_the_move(color):
        return game.clock.since
    last, allowed = game.plies[-1], game.terms.control.turn_ms(game.to_move.other)
    return 0 if last.left_ms is None or allowed is None else game.clock.since - (allowed - last.left_ms)


def unanswered_in(
    lines: Sequence[ChatLine], reader: Player, blocked: Set[str] = frozenset(), most: int = WORDS_SHOWN
) -> list[str]:
    """What `lines`, oldest first, say to `reader` since they last spoke, the last `most` of it.

    `blocked`: the ids of those whom they do not hear.
    """
    said: list[str] = []
    for line in lines:
        if line.room == "players" and line.player not in blocked:
            said = [] if line.player == reader.id else [*said, line.text]
    return said[-most:]


def kinds_by_game(held: Iterable[HeldNews]) -> Mapping[str, Sequence[str]]:
    """The kinds of what is held, by the game, in the order of `held`."""
    kinds: dict[str, list[str]] = {}
    for one in held:
        kinds.setdefault(one.game, []).append(one.kind)
    return kinds


async def remaining_news(
    store: Store, at_board: AtBoard, owner: str, game_id: str, kinds: Sequence[str]
) -> GameNews | None:
    """What of news of these `kinds` is left to tell `owner`: what still waits for them, an ending that they are to
    hear of, what was said to them and they have not answered; None: nothing. Players with the board open need no news.

    Raises Unavailable.
    """
    try:
        game = await store.load(game_id)
    except Unreadable:
        # It has been logged, and counted as damaged.
        return None
    player = None if game is None else next((one for one in people_of(game) if one.id == owner), None)
    if game is None or player is None or await at_board(game.id, owner) or await is_kept_apart(store, game, owner):
        return None
    if MESSAGE in kinds:
        heard = await read_unanswered(store, game.id, player, LINES_READ)
    else:
        heard = await read_unanswered(store, game.id, player, WORDS_SHOWN, last_moved_at(game, player))
    stands = [kind for kind in kinds if kind != MESSAGE and player in concerned(game) and _is_about(kind, game)]
    said = [MESSAGE] if heard and MESSAGE in kinds else []
    left = (*stands, *said)
    return GameNews(game, player, heard, left) if left else None


async def is_kept_apart(store: Store, game: Game, person: str) -> bool:
    """Is `game` a challenge between `person` (an id) and somebody they block, or who blocks them? Raises Unavailable.

    Nobody is told of such a challenge, although it is stored, with its mark of news, like any other.
    """
    if game.status is not Status.OPEN:
        return False
    return any([await store.ties.are_apart(person, one.id) for one in named_in(game)])


def _is_about(kind: str, game: Game) -> bool:
    """Does the game still stand as news of that kind say?"""
    now = kind_of(game)
    return kind == now or {kind, now} == {TURN, REMINDER}
