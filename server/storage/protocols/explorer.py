"""The opening explorer of a store: which moves were played from a position, how often, and how those games ended.

A game between two people that ends with a result is marked as unexplored in the write that ends it. `take_in` counts it
once, however often it is called, and removes the mark, so a crash only delays it. Only counts are kept, and the ids of
two games beside each move: no names. What a deleted game has counted stays.

Positions are told apart as for repetition, so a transposition leads to the same counts. Times are ms since the epoch.
"""

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, Protocol

from server.games.state import Game
from server.games.status import Status
from server.rules.movegen.legal import repetition_key
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, start_position
from server.rules.variant.pieces import Color
from server.storage.documents import Head
from server.storage.fields import Fields, number, text
from server.storage.protocols.archive import key_at
from server.storage.protocols.ratings import SHUFFLED, RatingChanges

DEPTH: Final = 30
"""Half-moves of a game that are counted."""
RESULTS: Final = ("1-0", "1/2-1/2", "0-1")
MAX_COUNT: Final = 10**12
"""No count exceeds it: such a one is damaged."""
COUNTS: Final = ("white", "draws", "black", "rated", "ratings")
FIELDS: Final = ("position", "move", *COUNTS, "last", "best")
"""What is stored for each move: `rated` games with a rating, and the sum of those; keys of games in `last`, `best`."""


@dataclass(frozen=True, slots=True)
class ExploredGame:
    """What a game adds. `steps`: positions and the moves (UCI) that were played there, each once.

    `rating`: the average of both players before a rated game; None: unknown.
    """

    game: str
    steps: Sequence[tuple[str, str]]
    winner: Color | None
    rating: int | None
    ended: int


@dataclass(frozen=True, slots=True)
class MoveCount:
    """How often a move was played from a position, by result. `rating`: the average of those known; None: none is.

    `last`: the id of the latest of these games. `best`: of the one with the highest rating, which is `best_rating`.
    """

    move: str
    white: int
    draws: int
    black: int
    rating: int | None
    last: str
    ended: int
    best: str | None
    best_rating: int

    @property
    def games(self) -> int:
        return self.white + self.draws + self.black


class ExplorerStore(Protocol):
    """All methods raise Unavailable."""

    async def unexplored(self, limit: int, but: Set[str] = frozenset()) -> Sequence[str]:
        """Ids of games that are still to be counted, without those in `but` and those that ratings wait for."""

    async def take_in(self, games: Sequence[ExploredGame]) -> None:
        """Counts those of `games` that are marked as unexplored; does nothing with the others."""

    async def moves(self, position: str) -> Sequence[MoveCount]:
        """The moves that were played from a position (`position_key`), in no particular order."""


def position_key(position: Position) -> str:
    """The name of a position in the explorer: of one variant, of its 960 form or not, however it was reached."""
    return _key(f"{position.variant.id}{SHUFFLED if position.chess960 else ''}", repetition_key(position))


def _key(form: str, repetition: bytes) -> str:
    return f"{form}/{urlsafe_b64encode(repetition).decode().rstrip('=')}"


def is_unexplored(head: Head) -> bool:
    """Is it a game between two people, played here, with a result?"""
    alone = head.get("white_level") or head.get("black_level")
    over = head.get("status") == Status.OVER and head.get("result") in RESULTS
    return over and not head.get("imported") and not alone


def newly_unexplored(before: Game, after: Game, head: Head) -> bool:
    """Does the change end a game that is to be counted? `head`: of `after`."""
    return before.status is not Status.OVER and after.status is Status.OVER and is_unexplored(head)


def explored_game(game: Game, changes: RatingChanges) -> ExploredGame:
    """What a finished game adds: nothing if it was imported, played against the computer, or began from a position that
    somebody had set up.

    `changes`: of its players' ratings.
    """
    terms, before = game.terms, [change.before for change in changes.values()]
    usual = terms.chess960 or terms.start_fen == format_fen(start_position(terms.variant))
    counts = usual and game.result in RESULTS and game.computer is None and game.import_source is None
    plies = game.plies[:DEPTH] if counts else ()
    form = f"{terms.variant.id}{SHUFFLED if terms.chess960 else ''}"
    steps = {(_key(form, key), ply.uci): None for key, ply in zip(game.keys.first(len(plies)), plies, strict=True)}
    rating = round(sum(before) / len(before)) if len(before) == len(Color) else None
    winner = None if game.outcome is None else game.outcome.winner
    return ExploredGame(game.id, tuple(steps), winner, rating, game.ended or game.created)


def additions(games: Sequence[ExploredGame]) -> Sequence[Mapping[str, int | str]]:
    """What `games` add together, as `FIELDS`, once for each position and move."""
    found: dict[tuple[str, str], dict[str, int | str]] = {}
    for game in games:
        for position, move in game.steps:
            one = found.setdefault((position, move), _nothing(position, move))
            _add(one, game)
    return list(found.values())


def _nothing(position: str, move: str) -> dict[str, int | str]:
    return {"position": position, "move": move, **dict.fromkeys(COUNTS, 0), "last": "", "best": ""}


def _add(one: dict[str, int | str], game: ExploredGame) -> None:
    side = "draws" if game.winner is None else game.winner.name.lower()
    one[side] = int(one[side]) + 1
    one["last"] = max(str(one["last"]), key_at(game.ended, game.game))
    if game.rating is not None:
        one["rated"], one["ratings"] = int(one["rated"]) + 1, int(one["ratings"]) + game.rating
        one["best"] = max(str(one["best"]), f"{game.rating:05d}{game.game}")


def move_count_of(fields: Fields) -> MoveCount:
    """The count of stored fields; further fields do not matter. Raises as `fields` says."""
    white, draws, black, rated, ratings = (_count(fields, name) for name in COUNTS)
    last, best = text(fields, "last"), text(fields, "best")
    return MoveCount(
        move=text(fields, "move"),
        white=white,
        draws=draws,
        black=black,
        rating=round(ratings / rated) if rated else None,
        last=last[15:],
        ended=int(last[:15]) - int(key_at(0)),
        best=best[5:] or None,
        best_rating=int(best[:5] or 0),
    )


def _count(fields: Fields, name: str) -> int:
    value = number(fields, name)
    if not 0 <= value <= MAX_COUNT:
        raise ValueError(f"{name} is beyond reason")
    return value
