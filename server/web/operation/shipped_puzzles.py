"""Brings the puzzles that come with the program to a site, once: a new site has some before anybody has played there.

It is noted in the store which were brought, so those that the host removes, one or all, stay away until a release has
others of that variant. It can be stopped anywhere, and done by several nodes at once: a puzzle exists only once.
"""

import asyncio
import logging
from collections.abc import Iterator
from typing import Final

from server.games.puzzles import Puzzle
from server.games.shipped_puzzles import shipped_puzzles, shipped_version
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError
from server.storage.tables.puzzles import FOR_GOOD, Searched
from server.storage.time_slices import run_sliced
from server.web.site import Site

log = logging.getLogger(__name__)

RETRY_S: Final = 30.0
REST_S: Final = 0.01
"""After each slice of the work of reading them: players come first."""


async def bring_shipped_puzzles(site: Site) -> None:
    """Brings all that were not brought yet; tries again while the store is away.

    Where files cannot be read now, the next start brings the rest.
    """
    number = 0
    for variant in site.variants.values():
        while True:
            try:
                number += await bring_puzzles_of(site, variant)
                break
            except StoreError as error:
                log.info("puzzles of %s were not brought yet: %s", variant.id, error)
                await asyncio.sleep(RETRY_S)
            except OSError as error:
                log.error("the puzzles that come with %s cannot be read: %s", variant.id, error)
                return
            except Exception:
                log.exception("the puzzles that come with %s cannot be read", variant.id)
                break
    if number:
        log.info("%d puzzles came with this release", number)


async def bring_puzzles_of(site: Site, variant: Variant) -> int:
    """The same for one variant; how many there were to bring.

    Raises Unavailable, and as `shipped_puzzles` does if they do not suit the variant.
    """
    version = shipped_version(variant)
    # Such an id has no game.
    note = f"shipped {variant.id} {version}"
    if not version or await site.store.puzzles.searched_games([note]):
        return 0
    now = site.now()
    found: list[Puzzle] = await run_sliced(_listed(shipped_puzzles(variant, now)), REST_S)
    await site.store.puzzles.keep_puzzles(Searched(note, variant.id, FOR_GOOD), found)
    return len(found)


def _listed(puzzles: Iterator[Puzzle]) -> SlicedWork[list[Puzzle]]:
    found = []
    for puzzle in puzzles:
        found.append(puzzle)
        yield
    return found
