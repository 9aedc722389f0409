"""What a store keeps of challenges to somebody by name: which games wait for whom. Knows no engine.

The game itself says whom it asks; this is only so that they find it. It is noted before there is the game, so that no
crash hides one. A note whose game does not ask them any more is removed by whoever meets it, or by its age.
"""

from collections.abc import Sequence
from typing import Protocol

MAX_PER_PLAYER = 20
"""Challenges that are looked at of one person."""


class ChallengeStore(Protocol):
    async def note(self, game_id: str, player_id: str, at: int) -> None:
        """The game waits for this player since `at` (ms). Noting it again changes nothing."""

    async def of(self, player_id: str) -> Sequence[str]:
        """Ids of the games that wait for them, newest first, MAX_PER_PLAYER at most."""

    async def drop(self, game_id: str) -> None:
        """It waits no longer."""

    async def expire(self, before: int) -> None:
        """Forget what was noted before that instant (ms)."""
