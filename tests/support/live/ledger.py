"""What every simulated client asked for and heard, and whether the store agrees with it. Knows no sockets.

A move is `ok` when it was acknowledged, `failed` when it was refused, and `unknown` when the socket broke before the
answer: then it may be stored or not.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from server.games.state import Game

Move = tuple[int, str]
"""Its ply (0 is the first) and its text."""


@dataclass(slots=True)
class Ledger:
    """By game."""

    ok: defaultdict[str, list[Move]] = field(default_factory=lambda: defaultdict(list))
    failed: defaultdict[str, list[Move]] = field(default_factory=lambda: defaultdict(list))
    unknown: defaultdict[str, list[Move]] = field(default_factory=lambda: defaultdict(list))

    def write(self, game: str, move: Move, answer: Mapping[str, object] | None) -> None:
        """`answer` to `move`; None: the socket broke before it came."""
        match answer and answer["t"]:
            case "ok":
                self.ok[game].append(move)
            case "error":
                self.failed[game].append(move)
            case _:
                self.unknown[game].append(move)

    @property
    def acknowledged(self) -> int:
        """How many different moves."""
        return sum(len(set(moves)) for moves in self.ok.values())

    def complaints(self, stored: Mapping[str, Game]) -> list[str]:
        """Everything that the store and the clients do not agree on; nothing when all is well."""
        found = []
        for game in stored.keys() | self.ok.keys() | self.failed.keys():
            found += self._complaints_of(game, [ply.uci for ply in stored[game].plies] if game in stored else [])
        return found

    def _complaints_of(self, game: str, moves: list[str]) -> list[str]:
        lost = [move for move in self.ok[game] if move not in set(enumerate(moves))]
        asked = {*self.ok[game], *self.unknown[game]}
        invented = [move for move in enumerate(moves) if move not in asked]
        return [f"{game} lost {move}" for move in lost] + [f"{game} invented {move}" for move in invented]
