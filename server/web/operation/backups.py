"""Copies of the site's file that the server makes by itself: one a day, if the host keeps some, and one whenever the
host asks for it. They stay in the folder `backups` beside the file, each checked before it counts.

Only for a site that is kept in a file, which one process has: so nobody else makes one at the same time.
"""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.realtime.runtime.background import every, running
from server.settings import Settings
from server.storage.errors import StoreError
from server.storage.sqlite.copy import Unusable, check, lacks_room, sync_folder
from server.storage.stores import Store
from server.web.site import SITE

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 600.0
FEWEST: Final = 3
"""Kept of those that the host has asked for, on a site that makes none by itself."""
OLD_MS: Final = 8 * DAY_MS
"""A site whose last backup is older has none that is of much use."""
JUST_MADE_MS: Final = 60_000
"""Whoever asks for another so soon has pressed twice."""
NAME: Final = "fairyhouse-%Y%m%d-%H%M%S.sqlite3"
NAMED: Final = re.compile(r"fairyhouse-[0-9]{8}-[0-9]{6}\.sqlite3")


@dataclass(frozen=True, slots=True)
class Copy:
    """A backup: when it was made (ms), and its size in bytes."""

    name: str
    at: int
    size: int


class Backups:
    """The backups of a site that is kept in a file. `problem`: why the last one was not made, "" if it was: "no_room"
    or "failed".
    """

    def __init__(self, settings: Settings, store: Store) -> None:
        self._file = settings.site_file
        self._folder = settings.data_dir / "backups"
        self._store = store
        self._one = asyncio.Lock()
        self.problem = ""

    @property
    def under_way(self) -> bool:
        """Is one being made?"""
        return self._one.locked()

    async def made(self) -> Sequence[Copy]:
        """Those that there are, the newest first. Raises OSError."""
        return await asyncio.to_thread(self._made)

    async def make_due(self, kept: int, now: int) -> None:
        """Makes one if the host keeps that many (0: none), and the last is a day old."""
        made = await self.made()
        if kept and (not made or now - made[0].at >= DAY_MS):
            await self.make(kept, now)

    async def make(self, kept: int, now: int) -> None:
        """Makes one, unless one was made just now, and deletes those beyond what is kept. `problem`: see there."""
        async with self._one:
            try:
                made = await self.made()
                if made and 0 <= now - made[0].at < JUST_MADE_MS:
                    return
                if await asyncio.to_thread(lacks_room, self._file):
                    self.problem = "no_room"
                    log.warning("no backup was made: %s has not enough room", self._folder)
                    return
                draft = self._folder / "draft"
                try:
                    await asyncio.to_thread(self._clear, draft)
                    await self._store.copy_to(draft)
                    await asyncio.to_thread(self._keep, draft, now, kept or FEWEST)
                finally:
                    with suppress(OSError):
                        draft.unlink(missing_ok=True)
            except (OSError, StoreError, Unusable) as error:
                self.problem = "failed"
                log.warning("no backup was made: %s", error)
                return
            self.problem = ""

    def _made(self) -> Sequence[Copy]:
        if not self._folder.is_dir():
            return ()
        names = sorted((one.name for one in self._folder.iterdir() if NAMED.fullmatch(one.name)), reverse=True)
        return [Copy(name, _made_at(name), (self._folder / name).stat().st_size) for name in names]

    def _clear(self, draft: Path) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        draft.unlink(missing_ok=True)

    def _keep(self, draft: Path, now: int, kept: int) -> None:
        """Puts a checked copy in its place, for good when this returns. Raises OSError, Unusable."""
        check(draft)
        draft.chmod(0o600)
        with draft.open("rb+") as written:
            os.fsync(written.fileno())
        draft.replace(self._folder / f"{datetime.fromtimestamp(now / 1000, UTC):{NAME}}")
        sync_folder(self._folder)
        for old in self._made()[kept:]:
            (self._folder / old.name).unlink(missing_ok=True)


def _made_at(name: str) -> int:
    with suppress(ValueError):
        return int(datetime.strptime(name, NAME).replace(tzinfo=UTC).timestamp() * 1000)
    return 0


@dataclass(frozen=True, slots=True)
class BackupAge:
    """Whole days since the last backup; None: there is none."""

    days: int | None

    @property
    def is_old(self) -> bool:
        """Should the host be warned?"""
        return self.days is None or self.days * DAY_MS >= OLD_MS


def age_of(made: Sequence[Copy], now: int) -> BackupAge:
    """How old the newest of those backups is at `now` (ms)."""
    return BackupAge(max(0, now - made[0].at) // DAY_MS if made else None)


BACKUPS: Final = web.AppKey("BACKUPS", Backups)
"""Not there on a site that is kept in MongoDB."""


@asynccontextmanager
async def backing_up(app: web.Application) -> AsyncIterator[None]:
    """Makes the daily backups of a site that is kept in a file, until the block ends."""
    site = app[SITE]
    app[BACKUPS] = backups = Backups(site.settings, site.store)

    async def back_up() -> None:
        await backups.make_due(site.live.settings.current.house.backups_kept, site.now())

    async with running(every(LOOK_EVERY_S, back_up)):
        yield
