"""`fairyhouse upgrade --check`: what the start of this release would do to what is stored, and whether it can.

A server upgrades what is stored when it starts; this tells beforehand. It changes nothing: a SQLite file is copied, and
the copy is upgraded as the file would be. MongoDB has no version of its own, so there it looks at the games.
"""

import asyncio
import sys
from collections import Counter
from pathlib import Path

from server import backends
from server.backends import sqlite_path
from server.host.read_only_copy import copy_if_file, open_to_read, place_for_copy
from server.host.site_access import CommandRefused, catalogue, closed_after
from server.host.site_transfer import Variants
from server.settings import Settings
from server.storage.documents import SCHEMA
from server.storage.errors import StoreError
from server.storage.protocols.records import RecordStore, UnreadableRecord
from server.storage.sqlite.copy import Unusable, check, version_of
from server.storage.sqlite.scripts import SCRIPTS
from server.storage.sqlite.scripts.steps import steps_from


def check_upgrade(settings: Settings) -> None:
    """Prints what an upgrade would do. Raises CommandRefused if this release cannot open everything."""
    variants = catalogue(settings)
    try:
        asyncio.run(_check_mongo(settings, variants) if settings.mongodb_uri else _check_file(settings, variants))
    except (StoreError, Unusable) as error:
        raise CommandRefused(f"This release cannot open what is stored. {error}") from None
    _say("This release can open it.")


async def _check_file(settings: Settings, variants: Variants) -> None:
    path = sqlite_path(settings)
    with place_for_copy(settings, "upgrade") as copied:
        await copy_if_file(settings, copied)
        _tell_of_file(path, copied)
        async with closed_after(await open_to_read(settings, variants, copied)) as store:
            await _tell_of_games(store.records)


def _tell_of_file(path: Path, copied: Path) -> None:
    try:
        check(copied)
    except Unusable as error:
        raise Unusable(str(error).replace(str(copied), str(path))) from None
    version = version_of(copied)
    _say(f"{path} has schema version {version}, this release has {len(SCRIPTS)}.")
    steps = steps_from(version)
    _say("The start of the server would upgrade it:" if steps else "There is nothing to upgrade.")
    for step in steps:
        _say(f"  to version {step}")


async def _check_mongo(settings: Settings, variants: Variants) -> None:
    async with closed_after(await backends.open_unprepared(settings, variants)) as store:
        due = await store.records.due_fills()
        _say("The start of the server would make the indexes that are missing.")
        if due:
            _say(f"It would also read all finished games once, for: {', '.join(due)}.")
        await _tell_of_games(store.records)


async def _tell_of_games(records: RecordStore) -> None:
    """Prints how many games there are of each schema. Raises CommandRefused if this release cannot read one of them."""
    schemas: Counter[object] = Counter()
    async for page in records.games():
        schemas.update("?" if isinstance(one, UnreadableRecord) else one.head.get("s") for one in page)
    _say(f"Games have schema version {SCHEMA} in this release; older ones are read, and stored anew when they change.")
    for schema, count in sorted(schemas.items(), key=str):
        _say(f"  {schema}: {count:,}")
    unknown = sum(count for schema, count in schemas.items() if not _is_known(schema))
    if unknown:
        raise CommandRefused(
            f"{unknown:,} games cannot be read, perhaps as a newer release has written them: run that release or a"
            " later. `fairyhouse check` names each."
        )


def _is_known(schema: object) -> bool:
    return isinstance(schema, int) and 1 <= schema <= SCHEMA


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
