"""`fairyhouse check` and `upgrade --check`: is everything that is stored intact, and can this release open it?

The first judges every game again by the rules, reads every record as the server does, and looks up every person and
game that it names, one page of records at a time. The second tells what the start of this release would do to what is
stored. Neither changes anything: with SQLite they read a copy, which the running server makes as for a backup. MongoDB
has no version of its own, so there the second looks at the games.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from server import backends
from server.backends import sqlite_path
from server.cli.site_access import (
    CommandRefused,
    Variants,
    catalogue,
    closed_after,
    copy_if_file,
    open_to_read,
    place_for_copy,
)
from server.games.judging import Misjudged, judge_game
from server.games.player import DELETED_NAME
from server.games.state import Game
from server.settings import Settings
from server.storage import record_kinds
from server.storage.damage import WRONG, reason
from server.storage.documents import SCHEMA, Document
from server.storage.errors import StoreError, Unreadable
from server.storage.fields import Fields, flag, instant, text
from server.storage.protocols.archive import entry_of
from server.storage.protocols.ratings import change_of, from_fields, tally_of
from server.storage.protocols.records import RecordStore, UnreadableRecord
from server.storage.record_kinds import ACCOUNT_MERGES, ARCHIVE, GAMES, USERS, RecordKind
from server.storage.replay import from_document
from server.storage.sqlite.copy import Unusable, check, version_of
from server.storage.sqlite.copy import check as check_file
from server.storage.sqlite.scripts import SCRIPTS, steps_from
from server.storage.stores import chat_line_of
from server.storage.summaries import summary
from server.storage.tables.accounts import account_merge_of, account_of, session_of, user_of
from server.storage.tables.stores import KINDS, TABLE_KINDS


@dataclass(frozen=True, slots=True)
class Flaw:
    """`kind` and `key` name the record; `what` is what is wrong with it, a sentence without its full stop."""

    kind: str
    key: str
    what: str

    def __str__(self) -> str:
        if self.kind == GAMES:
            mend = f"Restore a backup, or run `fairyhouse delete game {self.key}`."
        elif self.kind == "file":
            mend = "Restore a backup: `fairyhouse restore FILE --replace`."
        else:
            mend = "Restore a backup, or leave it: the server can do without it."
        return f"{self.kind} {self.key}: {self.what}. {mend}"


def check_all(settings: Settings) -> None:
    """Prints every flaw and what mends it. Raises CommandRefused if there is any, or nothing can be read."""
    variants = catalogue(settings)
    count = asyncio.run(_check(settings, variants))
    if count:
        raise CommandRefused(f"{count} {'thing is' if count == 1 else 'things are'} wrong.")
    sys.stdout.write("Everything that is stored is intact and consistent.\n")


async def _check(settings: Settings, variants: Variants) -> int:
    """Prints every flaw and returns how many there are."""
    count = 0
    with place_for_copy(settings, "check") as copied:
        async for flaw in flaws_of_site(settings, variants, copied):
            count += 1
            sys.stdout.write(f"{flaw}\n")
    return count


async def flaws_of_site(settings: Settings, variants: Variants, copied: Path) -> AsyncIterator[Flaw]:
    """`copied`: where the SQLite file may be copied to. Raises CommandRefused, OSError."""
    try:
        await copy_if_file(settings, copied)
        if not settings.mongodb_uri:
            try:
                await asyncio.to_thread(check_file, copied)
            except Unusable as error:
                yield Flaw("file", str(sqlite_path(settings)), str(error).replace(str(copied), "it").rstrip("."))
        store = await open_to_read(settings, variants, copied)
    except StoreError as error:
        if settings.mongodb_uri:
            raise CommandRefused(str(error)) from None
        yield Flaw("file", str(sqlite_path(settings)), str(error).rstrip("."))
        return
    try:
        async for flaw in flaws_of(store.records, variants):
            yield flaw
    except StoreError as error:
        yield Flaw("file" if not settings.mongodb_uri else "store", "", str(error).rstrip("."))
    finally:
        await store.close()


async def flaws_of(records: RecordStore, variants: Variants) -> AsyncIterator[Flaw]:
    """Yields everything that is wrong with what is stored. Raises Unavailable."""
    for kind in (*KINDS.values(), ARCHIVE):
        async for page in records.records(kind):
            for flaw in _unread(kind, page):
                yield flaw
            async for flaw in _lost(records, kind, page):
                yield flaw
    async for games in records.games():
        async for flaw in _flaws_of_games(records, games, variants):
            yield flaw


def _unread(kind: RecordKind, page: Sequence[Fields | UnreadableRecord]) -> Iterator[Flaw]:
    for one in page:
        if isinstance(one, UnreadableRecord):
            yield Flaw(kind.name, one.key, f"it cannot be read ({one.why})")
            continue
        try:
            kind.check(one)
            READ[kind.name](one)
        except (*WRONG, Unreadable) as error:
            yield Flaw(kind.name, _key(kind, one), f"it cannot be read ({reason(error)})")


async def _lost(
    records: RecordStore, kind: RecordKind, page: Sequence[Fields | UnreadableRecord]
) -> AsyncIterator[Flaw]:
    """Yields a flaw for each record that names somebody or something that does not exist."""
    named = [(one, *found) for one in page if not isinstance(one, UnreadableRecord) for found in _named(kind, one)]
    for target in (USERS.name, GAMES):
        asked = {key for _, kind_named, key in named if kind_named == target}
        there = await _there(records, target, asked)
        for one, kind_named, key in named:
            if kind_named == target and key not in there:
                yield Flaw(kind.name, _key(kind, one), f"it names {target} {key}, and there is none")


async def _there(records: RecordStore, kind: str, keys: set[str]) -> set[str]:
    there = await records.known(kind, keys)
    # While somebody changes their name or deletes their account, their own record may be gone before those that name
    # them.
    return there | (await records.known(ACCOUNT_MERGES.name, keys - there) if kind == USERS.name else set())


async def _flaws_of_games(
    records: RecordStore, page: Sequence[Document | UnreadableRecord], variants: Variants
) -> AsyncIterator[Flaw]:
    games: list[Game] = []
    for one in page:
        if isinstance(one, UnreadableRecord):
            yield Flaw(GAMES, one.key, f"it cannot be read ({one.why})")
            continue
        try:
            game = from_document(one, variants)
            judge_game(game)
        except (Unreadable, Misjudged) as error:
            yield Flaw(GAMES, str(one.head.get("_id")), str(error).rstrip("."))
        else:
            games.append(game)
    people = {player.id: game for game in games for player in game.players if _is_known(player.id, player.name)}
    for player_id in people.keys() - await _there(records, USERS.name, set(people)):
        yield Flaw(GAMES, people[player_id].id, f"player {player_id} has a seat, and there is no such person")
    entries = {entry.key: entry.id for game in games if (entry := entry_of(game)) is not None}
    for key in entries.keys() - await records.known(ARCHIVE.name, set(entries)):
        yield Flaw(GAMES, entries[key], "it is over, and the archive does not list it")


def _is_known(player_id: str, name: str) -> bool:
    return bool(player_id) and name != DELETED_NAME


def _key(kind: RecordKind, one: Fields) -> str:
    if kind is ARCHIVE:
        return str(one.get("key"))
    return " ".join(str(one.get(name)) for name in (kind.key or ("game", "at")))


def _named(kind: RecordKind, one: Fields) -> Iterator[tuple[str, str]]:
    """Yields the kind and the key of every person and thing that a record names."""
    for target, fields in NAMES.get(kind.name, {}).items():
        for name in fields:
            if isinstance(value := one.get(name), str) and value:
                yield target, value
    if kind is record_kinds.ACCOUNTS and not one.get("held_until"):
        yield USERS.name, str(one.get("user"))
    if kind is ARCHIVE:
        try:
            yield GAMES, text(orjson.loads(one["line"]), "_id")
        except WRONG:
            return


NAMES: Mapping[str, Mapping[str, Sequence[str]]] = {
    **{kind.name: {USERS.name: kind.people} for kind in TABLE_KINDS if kind.people},
    record_kinds.SESSIONS.name: {USERS.name: ["user"]},
    record_kinds.STANDINGS.name: {USERS.name: ["player"]},
    record_kinds.SCORES.name: {USERS.name: ["player"]},
    record_kinds.CHANGES.name: {USERS.name: ["player"]},
    record_kinds.CHAT.name: {GAMES: ["game"]},
}


READ: Mapping[str, Callable[[Fields], object]] = {
    **{kind.name: kind.read for kind in TABLE_KINDS if kind.read is not None},
    record_kinds.USERS.name: lambda one: user_of(one, "id"),
    record_kinds.ACCOUNTS.name: lambda one: account_of(one, "folded"),
    record_kinds.ACCOUNT_MERGES.name: lambda one: account_merge_of(one, "user"),
    record_kinds.SESSIONS.name: lambda one: session_of(one, "token_hash"),
    record_kinds.CHAT.name: chat_line_of,
    record_kinds.STANDINGS.name: from_fields,
    record_kinds.SCORES.name: tally_of,
    record_kinds.CHANGES.name: change_of,
    record_kinds.ALIVE.name: lambda one: instant(one, "at"),
    ARCHIVE.name: lambda one: (summary(orjson.loads(one["line"])), flag(orjson.loads(one["line"]), "rated")),
}
"""How the server reads a record of each kind; each raises only what `damage.WRONG` lists."""


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
    unknown = sum(count for schema, count in schemas.items() if not _can_be_read(schema))
    if unknown:
        raise CommandRefused(
            f"{unknown:,} games cannot be read, perhaps as a newer release has written them: run that release or a"
            " later. `fairyhouse check` names each."
        )


def _can_be_read(schema: object) -> bool:
    return isinstance(schema, int) and 1 <= schema <= SCHEMA


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
