"""What the host has chosen while the site runs, as every node has it: read from the store each second, so that it does
not matter on which node, or by which command, it was changed.
"""

from collections.abc import Callable
from typing import Final

from server.games.desk import Deed, DeskEntry
from server.games.player import Player
from server.games.site_settings import House, SiteSettings, changes_of, with_house
from server.storage.errors import Unavailable
from server.storage.tables.site_settings import SiteSettingsStore

READ_EVERY_S: Final = 1.0
TRIES: Final = 20
"""Before a change is given up that others keep overtaking."""


class LiveSettings:
    """`current`: as they were read last. `follow` is called with what is new."""

    def __init__(self, store: SiteSettingsStore, follow: Callable[[SiteSettings], None]) -> None:
        self._store = store
        self._follow = follow
        self.current = SiteSettings()

    async def refresh(self) -> None:
        """Takes over what the store has now. Raises Unreadable, Unavailable."""
        found = await self._store.read()
        # An answer that was long under way may be an older one.
        if found.rev > self.current.rev:
            self.current = found
            self._follow(found)


async def change_house(
    store: SiteSettingsStore, decide: Callable[[House], House], by: Player, now: int, rev: int | None = None
) -> bool:
    """Stores what `decide` makes of what the host had chosen, with its line in the log: which of it has changed, and
    from what to what. `rev`: of the settings that they have seen. False: there are others by now, and nothing is
    changed. Raises Unreadable, Unavailable.
    """
    for _ in range(TRIES):
        before = await store.read()
        after = with_house(before, decide(before.house))
        if after == before:
            # Asked for again, perhaps as the first answer was lost.
            await store.file_last()
            return True
        if rev is not None and rev != before.rev:
            return False
        detail = " ".join(changes_of(before.house, after.house))
        entry = DeskEntry(f"settings {after.rev:09}", now, by, Deed.SETTINGS, detail=detail)
        if await store.change(before, after, entry):
            return True
    raise Unavailable("The settings are changed by others all the time.")
