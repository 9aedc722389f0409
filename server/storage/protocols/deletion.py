"""What is thrown away: games for good, and what was said in them. Knows no engine; a game's head decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from server.games.clock import DAY_MS
from server.storage.damage import WRONG
from server.storage.documents import Head
from server.storage.fields import number, text
from server.storage.protocols.archive import NO_GAME


@dataclass(frozen=True, slots=True)
class Retention:
    """For how many days games without a result are kept, what was said in finished ones, and games from files.

    0: for ever.
    """

    aborted_days: int
    chat_days: int
    imports_days: int = 0

    def drops_game(self, head: Head, now: int) -> bool:
        """Was the game aborted, declined or never begun, and that long ago (`now` in ms)? What is damaged stays."""
        return _over_for(head, now, self.aborted_days) and text(head, "reason") in NO_GAME

    def drops_chat(self, head: Head, now: int) -> bool:
        return _over_for(head, now, self.chat_days)

    def drops_import(self, taken_in: int, now: int) -> bool:
        """Was the game taken in from a file that long ago? Both in ms."""
        return self.imports_days > 0 and taken_in < now - self.imports_days * DAY_MS


def is_imported(head: Head) -> bool:
    """Is it a game from a file? What is damaged is none."""
    return head.get("imported") == 1


def _over_for(head: Head, now: int, days: int) -> bool:
    try:
        over = text(head, "status") == "over" and bool(text(head, "reason"))
        return days > 0 and over and number(head, "ended") < now - days * DAY_MS
    except WRONG:
        return False


class DeletionStore(Protocol):
    """All of it raises Unavailable."""

    async def heads(self, after: str, limit: int) -> Sequence[tuple[str, Head]]:
        """The games behind the id `after`, by their ids; {} for a head that cannot be read."""

    async def delete_games(self, games: Sequence[str]) -> None:
        """These are gone, with all that was said in them and their places in lists; what they did to ratings stays."""

    async def delete_chat(self, games: Sequence[str]) -> None:
        """What was said in these is gone."""
