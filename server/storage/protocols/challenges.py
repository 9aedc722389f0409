"""Challenges by name in a store: which games wait for whom.

The game itself says whom it challenges; the note lets them find it. It is written before the game, so that no crash
hides one. A note that no longer applies is removed by whoever comes across it, or when it expires.
"""

from collections.abc import Sequence
from typing import Protocol

MAX_PER_PLAYER = 20
"""Challenges that one player is shown."""


class ChallengeStore(Protocol):
    async def note(self, game_id: str, player_id: str, at: int) -> None:
        """Notes that the game waits for this player since `at` (ms). Repeating it changes nothing."""

    async def pass_on(self, game_id: str, player_id: str, at: int) -> None:
        """Notes that the game waits for this player since `at` (ms), and for nobody else any more."""

    async def of(self, player_id: str) -> Sequence[str]:
        """Ids of the games that wait for them, newest first, at most MAX_PER_PLAYER."""

    async def waiting(self) -> Sequence[str]:
        """Ids of all games that wait for somebody, in no order."""

    async def drop(self, game_id: str) -> None:
        """Removes the note of that game."""

    async def expire(self, before: int) -> None:
        """Removes notes from before that instant (ms)."""
