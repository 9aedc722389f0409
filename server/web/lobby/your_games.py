"""The games that somebody is in the middle of, for his front page: against whom, and whose turn it is."""

from dataclasses import dataclass

from server.games.clock import ClockKind
from server.games.player import Player
from server.games.status import Status
from server.realtime.rounds import Rounds
from server.storage.errors import Unreadable
from server.storage.stores import GameStore

LOOKED_AT = 60
"""Of his newest games."""
MOST = 8


@dataclass(frozen=True, slots=True)
class YourGame:
    """`variant` is an id; `opponent` a name, None while nobody has the other seat. `days`: no need to hurry."""

    id: str
    variant: str
    opponent: str | None
    your_turn: bool
    days: bool


async def running_games(store: GameStore, rounds: Rounds, player: Player) -> list[YourGame]:
    """His running games, those first that wait for him. Raises Unavailable."""
    found: list[YourGame] = []
    for summary in await store.by_player(player.id, LOOKED_AT):
        if summary.status == Status.OVER or len(found) == MOST:
            continue
        try:
            round_ = await rounds.get(summary.id)
        except Unreadable:
            continue
        if round_ is None or (color := round_.game.color_of(player.id)) is None:
            continue
        game = round_.game
        opponent = game.white if game.black is not None and game.black.id == player.id else game.black
        found.append(
            YourGame(
                id=game.id,
                variant=game.terms.variant.id,
                opponent=None if opponent is None else opponent.name,
                your_turn=game.status is Status.LIVE and game.to_move is color,
                days=game.terms.control.kind is not ClockKind.REALTIME,
            )
        )
    return sorted(found, key=lambda one: not one.your_turn)
