"""Who aborts games, and how long they are banned from pairing for it (a playban).

Everybody aborts a game now and then. Those who do it again and again are picking their opponents or their colour, at
the expense of everybody who is paired with them.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from server.games.changes.ending import Abort
from server.games.command import Command
from server.games.player import Player
from server.games.state import Game
from server.rules.variant.pieces import Color

RECENT_MS: Final = 3 * 3_600_000
FREE_ABORTS: Final = 2
"""Recent aborts that bring no ban."""
FREE_ABORTS_OF_NETWORK: Final = 2 * FREE_ABORTS
"""The same for all guests of one network together: each of them may have had bad luck."""
FIRST_BAN_MS: Final = 5 * 60_000
LONGEST_BAN_MS: Final = 3_600_000
ARRIVAL_MS: Final = 15_000
"""How long somebody who has been paired may take to reach the board on a slow connection."""
MAX_KEPT: Final = 8
"""By then the ban is the longest there is."""


@dataclass(frozen=True, slots=True)
class Aborts:
    """When (ms) one person aborted, oldest first. Those that were no longer recent at the latest one are dropped."""

    at: tuple[int, ...] = ()

    def one_more(self, now: int) -> "Aborts":
        """The same with an abort at `now` (ms)."""
        return Aborts((*(at for at in self.at if now - at < RECENT_MS), now)[-MAX_KEPT:])

    @property
    def banned_until(self) -> int:
        """When (ms) they may be paired again; 0 if they are not banned."""
        return self.banned_after(FREE_ABORTS)

    def banned_after(self, free: int) -> int:
        """The same if `free` recent aborts bring no ban."""
        over = len(self.at) - free
        return self.at[-1] + min(LONGEST_BAN_MS, FIRST_BAN_MS << (over - 1)) if over > 0 else 0


def players_at_fault(
    before: Game, command: Command, after: Game, never_came: Collection[Color], now: int
) -> tuple[Player, ...]:
    """The players to blame if this step ends the game before it began; () if it does not, or a seat was empty.

    Those who never came to the board, if they had time to; otherwise whoever aborts or fails to make the first move.
    `never_came`: the sides that had not been seen at the board by `now` (ms).
    """
    if before.outcome is not None or after.outcome is None or after.white is None or after.black is None:
        return ()
    missing = tuple(after.player(color) for color in never_came) if now - before.created >= ARRIVAL_MS else ()
    match after.outcome.reason:
        case "abort" if isinstance(command, Abort):
            return _known(missing) or _known((after.player(command.color),))
        case "expired":
            return _known(missing) or _known((after.player(before.to_move),))
        case _:
            return ()


def _known(players: Iterable[Player | None]) -> tuple[Player, ...]:
    return tuple(one for one in players if one is not None)
