"""`fairyhouse check`: is everything that the site has stored intact and consistent?

Judges every game again by the rules, reads every record as the server does, and looks up every person and game that it
names. Keeps one page of records in memory at a time. Changes nothing: with SQLite it reads a copy, which the running
server makes as for a backup.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from server.backends import sqlite_path
from server.games.intake.judging import Misjudged, judge
from server.games.player import DELETED_NAME
from server.games.state import Game
from server.host.read_only_copy import copy_if_file, open_to_read, place_for_copy
from server.host.site_access import CommandRefused, catalogue
from server.host.site_transfer import Variants
from server.settings import Settings
from server.storage import record_kinds
from server.storage.damage import WRONG, reason
from server.storage.documents import Document
from server.storage.errors import StoreError, Unreadable
from server.storage.fields import Fields, flag, instant, text
from server.storage.protocols.accounts import account_merge_of, account_of
from server.storage.protocols.alerts import alert_of
from server.storage.protocols.archive import entry_of
from server.storage.protocols.held import held_of
from server.storage.protocols.imports import import_note_of
from server.storage.protocols.outbox import mail_of
from server.storage.protocols.people import session_of, user_of
from server.storage.protocols.puzzles.puzzles import puzzle_of, searched_of
from server.storage.protocols.puzzles.tries import standing_of, try_of
from server.storage.protocols.ratings import change_of, from_fields, tally_of
from server.storage.protocols.records import RecordStore, UnreadableRecord
from server.storage.protocols.seeks import leased_seek_of, pairing_of
from server.storage.protocols.studies import study_of, written_of
from server.storage.record_kinds import ACCOUNT_MERGES, ARCHIVE, GAMES, KINDS, USERS, RecordKind
from server.storage.replay import from_document
from server.storage.sqlite.copy import Unusable
from server.storage.sqlite.copy import check as check_file
from server.storage.stores import chat_line_of
from server.storage.summaries import summary
from server.storage.tables.addresses import address_of
from server.storage.tables.lessons import step_done_of
from server.storage.tables.notices import notice_of
from server.storage.tables.notification_settings import notification_settings_of
from server.storage.tables.push import device_of
from server.storage.tables.reports import report_of
from server.storage.tables.ties import tie_of
from server.storage.tables.tokens import token_of
from server.storage.tables.vacations import vacation_of


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
    # Whoever is just changing their name, or leaving, may be gone already while the rest follows.
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
            judge(game)
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
    """Yields the kind and the key of everybody and everything that a record names."""
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
    record_kinds.SESSIONS.name: {USERS.name: ["user"]},
    record_kinds.SEEKS.name: {USERS.name: ["maker", "taker"]},
    record_kinds.ALERTS.name: {USERS.name: ["owner"]},
    record_kinds.DEVICES.name: {USERS.name: ["owner"]},
    record_kinds.ADDRESSES.name: {USERS.name: ["owner"]},
    record_kinds.REPORTS.name: {USERS.name: ["owner", "about"]},
    record_kinds.TIES.name: {USERS.name: ["owner", "other"]},
    record_kinds.VACATIONS.name: {USERS.name: ["owner"]},
    record_kinds.LESSONS.name: {USERS.name: ["owner"]},
    record_kinds.STUDIES.name: {USERS.name: ["owner"]},
    record_kinds.STUDY_CHAPTERS.name: {USERS.name: ["owner"]},
    record_kinds.TOKENS.name: {USERS.name: ["owner"]},
    record_kinds.PUZZLE_TRIES.name: {USERS.name: ["owner"]},
    record_kinds.PUZZLE_STANDINGS.name: {USERS.name: ["owner"]},
    record_kinds.STANDINGS.name: {USERS.name: ["player"]},
    record_kinds.SCORES.name: {USERS.name: ["player"]},
    record_kinds.CHANGES.name: {USERS.name: ["player"]},
    record_kinds.CHAT.name: {GAMES: ["game"]},
}


def _read_seek(one: Fields) -> object:
    return leased_seek_of(one), pairing_of(one) if one["taker"] else None


READ: Mapping[str, Callable[[Fields], object]] = {
    record_kinds.USERS.name: lambda one: user_of(one, "id"),
    record_kinds.ACCOUNTS.name: lambda one: account_of(one, "folded"),
    record_kinds.ACCOUNT_MERGES.name: lambda one: account_merge_of(one, "user"),
    record_kinds.SESSIONS.name: lambda one: session_of(one, "token_hash"),
    record_kinds.CHAT.name: chat_line_of,
    record_kinds.SEEKS.name: _read_seek,
    record_kinds.IMPORTS.name: import_note_of,
    record_kinds.CHALLENGES.name: lambda one: instant(one, "at"),
    record_kinds.ALERTS.name: alert_of,
    record_kinds.NOTIFICATIONS.name: lambda one: instant(one, "at"),
    record_kinds.DEVICES.name: device_of,
    record_kinds.ADDRESSES.name: address_of,
    record_kinds.OUTBOX.name: mail_of,
    record_kinds.NOTICES.name: notice_of,
    record_kinds.HELD.name: held_of,
    record_kinds.VACATIONS.name: vacation_of,
    record_kinds.REPORTS.name: report_of,
    record_kinds.TIES.name: tie_of,
    record_kinds.NOTIFICATION_SETTINGS.name: notification_settings_of,
    record_kinds.LESSONS.name: step_done_of,
    record_kinds.STUDIES.name: study_of,
    record_kinds.STUDY_CHAPTERS.name: written_of,
    record_kinds.TOKENS.name: token_of,
    record_kinds.PUZZLES.name: puzzle_of,
    record_kinds.PUZZLE_GAMES.name: searched_of,
    record_kinds.PUZZLE_TRIES.name: try_of,
    record_kinds.PUZZLE_STANDINGS.name: standing_of,
    record_kinds.UNWANTED_MAIL.name: lambda one: instant(one, "at"),
    record_kinds.SECRETS.name: lambda one: bytes.fromhex(text(one, "value")),
    record_kinds.STANDINGS.name: from_fields,
    record_kinds.SCORES.name: tally_of,
    record_kinds.CHANGES.name: change_of,
    record_kinds.ALIVE.name: lambda one: instant(one, "at"),
    ARCHIVE.name: lambda one: (summary(orjson.loads(one["line"])), flag(orjson.loads(one["line"]), "rated")),
}
"""How the server reads a record of each kind; each raises only what `damage.WRONG` lists."""
