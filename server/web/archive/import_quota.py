"""How many half-moves can be imported in a day, by person and by network. Knows a store, but no request.

They are counted from the store's notes on imported games, so a restart or another server does not reset the count.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.storage.protocols.imports import ImportAllowance, ImportNote, ImportStore
from server.web.budgets.buckets import is_ipv6

MAX_BY_USER: Final = 20_000
"""A file of 200 games of 100 half-moves."""
MAX_BY_PLACE: Final = 60_000
LETTERS_A_PLY: Final = 64
"""A half-move with its number, clock and glyph takes about half of that; anything beyond it is comments."""
RETRY_S: Final = 3_600
"""Games drop out of the count one by one, a day after their import."""


def place_of(address: str) -> str:
    """A mark of the network of `address` (as `callers.address_key` writes it): of IPv6 the /48 that a customer has.

    16 bits of a hash: one network in 65,536 has the same, and whoever reads the store learns next to nothing.
    """
    network = address[:14] if is_ipv6(address) else address
    return blake2b(f"import {network}".encode(), digest_size=2).hexdigest()


def charged_for(plies: int, text: str) -> int:
    """How many half-moves a game counts for: its own, or as many as would fit into its text if that is more."""
    return max(plies, len(text) // LETTERS_A_PLY)


@dataclass(slots=True)
class ImportQuota:
    """What `user` at `place` may still import."""

    store: ImportStore
    user: str
    place: str
    _left: int | None = None

    async def is_used_up(self, now: int) -> bool:
        """Whether nothing is left. Asks the store once, when it is the import's turn. `now`: ms. Raises Unavailable."""
        if self._left is None:
            by_user = MAX_BY_USER - await self.store.plies_of_user(self.user, now - DAY_MS)
            by_place = MAX_BY_PLACE - await self.store.plies_of_place(self.place, now - DAY_MS)
            self._left = min(by_user, by_place)
        return self._left <= 0

    async def admit(self, game: str, plies: int, now: int) -> bool:
        """Notes a game that is about to be stored, and returns whether the quota allows it. Raises Unavailable."""
        allowance = ImportAllowance(now - DAY_MS, MAX_BY_USER, MAX_BY_PLACE)
        admitted = await self.store.admit(ImportNote(game, now, plies, self.user, self.place), allowance)
        self._left = (self._left or 0) - plies
        return admitted
