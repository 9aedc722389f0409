"""How one process tells the others that a game has changed. Knows no games: only ids and revisions.

The bus only hints, the store decides: a hint that is lost, doubled or late does no harm beyond a short delay.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Hint:
    """`game` has been stored with the revision `rev`."""

    game: str
    rev: int


class Bus(Protocol):
    """What live play asks of a bus. `alone`: there are no other processes."""

    @property
    def alone(self) -> bool: ...

    def tell(self, hint: Hint) -> None:
        """Pass `hint` on to the other processes as soon as possible. Never waits, never raises."""

    async def run(self, hear: Callable[[Hint], None], resync: Callable[[], None]) -> None:
        """Listen until cancelled: `hear` each hint of another process; `resync` when hints may have been missed."""


class LocalBus:
    """The bus of a process that is alone."""

    alone = True

    def tell(self, hint: Hint) -> None:
        """Nobody else is there."""

    async def run(self, hear: Callable[[Hint], None], resync: Callable[[], None]) -> None:
        """There is nothing to hear."""
