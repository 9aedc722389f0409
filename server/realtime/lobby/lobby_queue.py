"""The bounded queue of the lobby's commands, which are decided one at a time, in order of arrival.

What a command has read of the open seeks holds until it ends, however often it waits for the store meanwhile; the store
only has to judge between processes. Nobody waits for long: as soon as somebody has waited for PATIENCE_MS, because the
store does not answer or there is too much to do, everybody who waits is told to try again. Decides nothing about seeks.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from server.games.errors import Gone
from server.games.player import Player
from server.games.seeks.seek import Seek, is_answered
from server.realtime.play.command_queue import CommandQueue
from server.realtime.process.services import Services
from server.realtime.protocol.feed import Subscribers
from server.storage.errors import Unavailable

MAX_WAITING: Final = 256
PATIENCE_MS: Final = 5_000
LONGEST_TURN_S: Final = 20.0
"""What the store has not answered by then may be done or not, as when an answer is lost."""


@dataclass(eq=False, slots=True)
class Turn:
    """One command, from the moment `player` (an id; None: the lobby itself) asks for it until it ends.

    `came`: they had one of `pages` open then. `taken`: the seeks by which they have been paired since.
    """

    player: str | None
    pages: Subscribers
    came: bool
    taken: list[Seek] = field(default_factory=list)

    @property
    def left(self) -> bool:
        """Has their last page been closed or fallen silent since they asked?"""
        return self.came and not self.pages.answers(self.player)

    def game_instead(self, wanted: Seek) -> str | None:
        """The game they have been paired into since they asked, if it makes `wanted` pointless."""
        return next((taken.game for taken in self.taken if is_answered(wanted, taken, wanted.maker.player)), None)

    def check_free(self, seek: Seek) -> None:
        """Raises Gone if they seek a game by the minute and have left, or have been paired into one meanwhile."""
        if self.left and not seek.waits_for_days:
            raise Gone("page_lost")
        if not (seek.waits_for_days or all(taken.waits_for_days for taken in self.taken)):
            raise Gone("paired_meanwhile")


class LobbyQueue:
    """The turns of one lobby. `pages` are those that show it."""

    def __init__(self, services: Services, pages: Subscribers) -> None:
        self._services = services
        self._pages = pages
        self._commands = CommandQueue(MAX_WAITING)
        self._turns: set[Turn] = set()

    @asynccontextmanager
    async def turn(self, player: Player | None = None) -> AsyncIterator[Turn]:
        """For `async with`, never within another turn. Raises Busy; Unavailable when it has lasted too long."""
        asking, timers = None if player is None else player.id, self._services.timers
        turn = Turn(asking, self._pages, self._pages.answers(asking))
        self._turns.add(turn)
        timers.set(turn, self._services.now() + PATIENCE_MS, self._commands.reject_waiting)
        try:
            async with self._commands, asyncio.timeout(LONGEST_TURN_S):
                timers.clear(turn)
                yield turn
        except TimeoutError as error:
            raise Unavailable("The store has not answered.") from error
        finally:
            timers.clear(turn)
            self._turns.discard(turn)

    def paired(self, taken: Seek, *people: Player) -> None:
        """Notes that these people have been paired by `taken`: they did not know it when they asked for their turns."""
        for turn in self._turns:
            if turn.player in {person.id for person in people}:
                turn.taken.append(taken)
