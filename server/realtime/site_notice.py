"""What the host has to say to everybody, as this process shows it: on every page, and at once on those that are open.

The store is looked at every few seconds, so it does not matter which process, or which command line, has changed it.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from server.realtime.protocol.codec import encode
from server.realtime.protocol.outbound import NoticeOut
from server.storage.tables.notices import NoticeStore, SiteNotice

LOOK_EVERY_S: Final = 5.0


class ShownNotice:
    """`current`: the notice to be shown now. `tell`: sends a text to every open page."""

    def __init__(self, store: NoticeStore, now: Callable[[], int], tell: Callable[[str], Awaitable[None]]) -> None:
        self._store = store
        self._now = now
        self._tell = tell
        self.current: SiteNotice | None = None

    async def look(self) -> None:
        """Shows what the store has now, and tells the open pages if that is new. Raises Unavailable."""
        found = await self._store.current()
        due = found if found is not None and self._now() < found.until else None
        if due != self.current:
            self.current = due
            await self._tell(encode(NoticeOut(text=None if due is None else due.text)))
