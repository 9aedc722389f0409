"""Who gave a game up before it began, and how long they wait for the next opponent. Pure; knows no lobby.

Now and then everybody aborts a game. Whoever does it again and again is looking for a certain opponent or colour, at
the cost of all who are paired with them.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from server.games.commands import Abort, Command
from server.games.game import Game
from server.games.player import Player
from server.rules.variant.pieces import Color

RECENT_MS: Final = 3 * 3_600_000
FREE_ABORTS: Final = 2
"""Recent games that may be aborted without a pause."""
FREE_ABORTS_OF_NETWORK: Final = 2 * FREE_ABORTS
"""The same of all guests of one network together, of whom each may have had bad luck."""
FIRST_BAN_MS: Final = 5 * 60_000
LONGEST_BAN_MS: Final = 3_600_000
ARRIVAL_MS: Final = 15_000
"""How long somebody who has been paired may take, on a slow line, to come to the board."""
MAX_KEPT: Final = 8
"""More need not be known: by then the pause is the longest."""


@dataclass(frozen=True, slots=True)
class Aborts:
    """One person's, oldest first: when (ms) each was. Only those are kept that were recent at the last one."""

    at: tuple[int, ...] = ()

    def one_more(self, now: int) -> "Aborts":
        return Aborts((*(at for at in self.at if now - at < RECENT_MS), now)[-MAX_KEPT:])

    @property
    def banned_until(self) -> int:
        """The instant (ms) from which on they may be paired again; 0: they need not wait."""
        return self.banned_after(FREE_ABORTS)

    def banned_after(self, free: int) -> int:
        """The same if so many may be aborted without a pause."""
        over = len(self.at) - free
        return self.at[-1] + min(LONGEST_BAN_MS, FIRST_BAN_MS << (over - 1)) if over > 0 else 0


def players_at_fault(
    before: Game, command: Command, after: Game, never_came: Collection[Color], now: int
) -> tuple[Player, ...]:
    """Who is to blame that this step ends the game before it has begun, though somebody sat opposite.

    Whoever has not come to the board at all, if they had time to; else whoever aborts, or makes no first move.
    `never_came`: the sides that were not seen there until `now` (ms).
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
