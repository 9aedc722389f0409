"""News of a game for one of its players, by mail or web push, as the game stands when it is delivered. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.games.player import Player
from server.games.state import Game
from server.mail.wishes import MESSAGE


@dataclass(frozen=True, slots=True)
class GameNews:
    """`player` is told of `game`. `heard`: what the opponent has said to them since they last spoke.

    `kinds`: of the news, at least one of `wishes.KINDS`, what was said last.
    """

    game: Game
    player: Player
    heard: Sequence[str]
    kinds: Sequence[str]

    @property
    def only_said(self) -> bool:
        """Is nothing new but what was said?"""
        return self.kinds[0] == MESSAGE
