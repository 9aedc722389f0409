"""Has the site's own engine make puzzles while the site runs, until each form of a variant has enough: a new site has a
few of each, and regulars have soon solved those.

A process of the lowest priority, as long as it lasts, plays a few numbered games of the engine against itself, and
says what it has found; this one proves each puzzle by the rules, and keeps them together with the note that these games
were searched. So it can be stopped anywhere, and of several nodes each plays other games. Without Node nothing happens.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Final

from server.games.puzzles import InvalidPuzzle, Puzzle
from server.games.shipped_puzzles import NO_ENGINE, form_name, forms_of, games_shipped, puzzle_of_line
from server.rules.errors import RulesError
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.errors import StoreError
from server.storage.tables.puzzles import FOR_GOOD, Searched
from server.web.site import Site

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "server.cli.shipped_puzzles")
GIVES_WAY: Final = 19
"""By how much it is nicer than other processes: the most there is."""
FIRST_AFTER_S: Final = 120.0
"""After the start, which has more to do."""
REST_S: Final = 5.0
LOOK_AGAIN_S: Final = 3600.0
"""After something went wrong, or when all have enough: some may be removed."""
GAMES_AT_ONCE: Final = 5
"""Games of a process: some minutes where nothing else is done, some hours where much is."""
GIVEN_UP_MS: Final = 24 * 3_600_000
"""Games that somebody has had for so long are played by others."""
LOOKED_AT: Final = 100
"""Batches whose notes are read at a time."""
LONGEST_LINE: Final = 1 << 16


class NoEngineHere(Exception):
    """There is no Node, or the engine does not run; the message is for the host."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some games of a form, from 1; as which note it stands in the store."""

    variant: Variant
    chess960: bool
    number: int

    @property
    def note(self) -> str:
        """No game has such an id."""
        return f"played {form_name(self.variant, self.chess960)} {self.number}"

    @property
    def games(self) -> tuple[int, int]:
        """The numbers of the first and the last."""
        return self.number * GAMES_AT_ONCE + 1, (self.number + 1) * GAMES_AT_ONCE


async def fill_puzzles(site: Site) -> None:
    """Makes puzzles until it is cancelled, as long as there is an engine; the forms take turns."""
    await asyncio.sleep(FIRST_AFTER_S)
    forms = [(variant, chess960) for variant in site.variants.values() for chess960 in forms_of(variant)]
    while True:
        played = False
        for variant, chess960 in forms:
            try:
                played |= await fill_form(site, variant, chess960)
            except NoEngineHere as error:
                log.info("no puzzles are made here: %s", error)
                return
            except (StoreError, OSError) as error:
                log.info("no puzzles of %s were made: %s", form_name(variant, chess960), error)
            except Exception:
                log.exception("no puzzles of %s could be made", form_name(variant, chess960))
        await asyncio.sleep(REST_S if played else LOOK_AGAIN_S)


async def fill_form(site: Site, variant: Variant, chess960: bool) -> bool:
    """Plays some games of a form, and keeps what is found. False: it has enough puzzles.

    Raises StoreError, OSError, NoEngineHere.
    """
    if await site.store.puzzles.count_puzzles(variant.id, chess960) >= site.settings.fill_puzzles:
        return False
    batch = await next_batch(site, variant, chess960)
    found = proved(batch, await puzzle_lines(site.settings, batch), site.now())
    await site.store.puzzles.keep_puzzles(Searched(batch.note, variant.id, FOR_GOOD), found)
    log.info("%s: %d puzzles were made", batch.note, len(found))
    return True


async def next_batch(site: Site, variant: Variant, chess960: bool) -> Batch:
    """The first batch of a form that nobody has played or plays now, beyond the games that the shipped puzzles are of;
    from then on this process plays it. Raises StoreError.
    """
    beyond = site.now() - GIVEN_UP_MS
    for start in count(-(-games_shipped(variant, chess960) // GAMES_AT_ONCE), LOOKED_AT):
        batches = [Batch(variant, chess960, number) for number in range(start, start + LOOKED_AT)]
        known = await site.store.puzzles.searches([one.note for one in batches])
        for batch in batches:
            is_free = batch.note not in known or FOR_GOOD < known[batch.note] < beyond
            search = Searched(batch.note, variant.id, site.now())
            if is_free and await site.store.puzzles.begin_search(search, beyond):
                return batch
    raise AssertionError("numbers do not end")


async def puzzle_lines(settings: Settings, batch: Batch) -> Sequence[str]:
    """What a process finds in these games, a line for each puzzle; ends with it. Raises OSError, NoEngineHere.

    It stays in this one's session: Linux shares a processor among sessions first, and asks how nice a process is only
    within one.
    """
    first, last = batch.games
    own = ["--variants-dir", str(settings.variants_dir)] if settings.variants_dir else []
    form = ["--shuffled"] if batch.chess960 else []
    nothing, pipe = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, batch.variant.id, *form, *own, "--games", str(first), str(last)),
        stdin=nothing,
        stdout=pipe,
        stderr=pipe,
        limit=LONGEST_LINE,
    )
    try:
        with suppress(OSError):
            # The engine, which it starts later, is as nice as it is.
            os.setpriority(os.PRIO_PROCESS, process.pid, GIVES_WAY)
        said, problem = await process.communicate()
    finally:
        if process.returncode is None:
            # The engine ends when nobody reads what it says.
            with suppress(ProcessLookupError):
                process.kill()
    why = (problem.decode(errors="replace").strip().splitlines() or [f"exit code {process.returncode}"])[-1]
    if process.returncode == NO_ENGINE:
        raise NoEngineHere(why)
    if process.returncode != 0:
        raise OSError(why)
    return said.decode(errors="replace").splitlines()


def proved(batch: Batch, lines: Sequence[str], now: int) -> Sequence[Puzzle]:
    """The puzzles of these lines; what the rules do not confirm is none."""
    found = []
    for line in lines:
        try:
            found.append(puzzle_of_line(batch.variant, line, now, batch.chess960))
        except (InvalidPuzzle, RulesError, ValueError) as error:
            log.warning("%s: %r is no puzzle: %s", batch.note, line, error)
    return found
