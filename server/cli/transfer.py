"""`export FILE` and `import FILE`: move a whole site to another host or another engine.

An export shows one instant: SQLite is copied first, and MongoDB must not be in use. An import fills an empty site: it
ends complete and verified, or leaves nothing behind. For each kind the number of records and the sum of their digests
are compared, and every game is judged again by the rules, before anything is written and after everything is.

The file is gzip; inside, one JSON array per line. The first is `["fairyhouse", {"format": 1, "at": ms}]`; then come
records, `[kind, {...}]` (`storage.record_kinds`), and last `["end", {"counts": {kind: n}, "sha256": hex}]`, with the
digest of all lines before it. Anything cut off, changed or added is found before it is acted on.
"""

import asyncio
import gzip
import os
import sys
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Any, Self, TypeVar

import orjson

from server import backends
from server.cli.backup import former_path, make_folder, publish, replaceable_file
from server.cli.site_access import WAIT_MS, CommandRefused, Variants, catalogue, closed_after, copy_site, require_site
from server.games.judging import Misjudged, judge_game
from server.games.state import Game
from server.realtime.play.player_ratings import count_finished
from server.realtime.runtime.timers import Now
from server.settings import Settings
from server.storage.documents import to_document
from server.storage.errors import StoreError, Unreadable
from server.storage.fields import Fields, FlatRecord
from server.storage.protocols.archive import entry_of
from server.storage.protocols.records import AT_ONCE, RecordStore, UnreadableRecord
from server.storage.record_kinds import GAMES, InvalidRecord, game_document, game_record
from server.storage.replay import from_document
from server.storage.sqlite.copy import put_in_place
from server.storage.sqlite.store import SqliteStore
from server.storage.stores import Store
from server.storage.tables.stores import KINDS

AT_REST_MS = 10_000
"""A database without a heartbeat for this long is at rest; a running server sends one every second."""


def export_site(settings: Settings, file: Path, replace: bool) -> None:
    """Writes everything that the site keeps to `file`, readable only by its owner. Raises CommandRefused."""
    variants = catalogue(settings)
    if file.exists() and not replace:
        raise CommandRefused(f"{file} exists already. Choose another name, or add --replace.")
    draft, copied = (file.with_name(f"{file.name}.{ending}") for ending in ("draft", "copy"))
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as opened, SiteWriter(opened, Now()()) as writer:
            asyncio.run(write_all(settings, variants, copied, writer))
        totals = check_file(draft, variants)
        publish(draft, file)
    except BrokenFile as error:
        raise CommandRefused(f"This site cannot be exported. {error}") from None
    except StoreError as error:
        raise CommandRefused(str(error)) from None
    except OSError as error:
        raise CommandRefused(f"{file} cannot be written ({error.strerror}).") from None
    finally:
        draft.unlink(missing_ok=True)
        copied.unlink(missing_ok=True)
    sys.stderr.write(f"{file} holds {contents(totals)}. Keep it as secret as the site's own store.\n")


def import_site(settings: Settings, file: Path, *, replace: bool) -> None:
    """Fills an empty site with everything in `file`. Raises CommandRefused."""
    variants = catalogue(settings)
    try:
        totals = check_file(file, variants)
        if settings.mongodb_uri:
            asyncio.run(import_to_mongo(settings, variants, file, totals))
        else:
            import_to_sqlite(settings, variants, file, totals, replace)
    except (BrokenFile, StoreError) as error:
        raise CommandRefused(f"{error} Nothing was imported.") from None
    except OSError as error:
        raise CommandRefused(
            f"{settings.data_dir} cannot be written ({error.strerror}). Nothing was imported."
        ) from None
    sys.stderr.write(f"The site has {contents(totals)}; all games were judged again.\n")


def contents(totals: "SiteTotals") -> str:
    """ "3 users, 12 games"; "nothing" if there are none."""
    return ", ".join(f"{count} {kind}" for kind, count in totals.counts.items() if count) or "nothing"


async def write_all(settings: Settings, variants: Variants, copied: Path, writer: "SiteWriter") -> None:
    """Raises CommandRefused, StoreError, OSError. `copied`: where the SQLite file may be copied to."""
    async with closed_after(await open_at_rest(settings, variants, copied)) as store:
        # The marks of uncounted games are not exported, so those games are counted first.
        await count_finished(store.ratings)
        await write_site(store.records, writer)


async def open_at_rest(settings: Settings, variants: Variants, copied: Path) -> Store:
    """Opens the site's store, or a copy of it, making sure that no server uses it. Raises CommandRefused, Unavailable,
    OSError.
    """
    if not settings.mongodb_uri:
        require_site(settings)
        await copy_site(settings, copied)
        return await SqliteStore.open(copied, variants, WAIT_MS)
    store = await backends.open_store(settings, variants, WAIT_MS)
    try:
        await check_at_rest(store)
    except BaseException:
        await store.close()
        raise
    return store


async def check_at_rest(store: Store) -> None:
    """Raises CommandRefused if a server uses this database, or did until just now."""
    alive, now = await store.last_alive(), Now(await store.time())
    if alive is not None and (since := now() - alive) < AT_REST_MS:
        raise CommandRefused(
            f"A server was using this database {since / 1000:.0f} s ago. Stop every server, and try again after"
            f" {AT_REST_MS // 1000} s."
        )


async def import_to_mongo(settings: Settings, variants: Variants, file: Path, totals: "SiteTotals") -> None:
    """Raises CommandRefused, BrokenFile, StoreError; then the database is as empty as before."""
    async with closed_after(await backends.open_store(settings, variants, WAIT_MS)) as store:
        await check_at_rest(store)
        if not await is_empty(store.records):
            raise CommandRefused(
                "This database already has a site. Name another one in FAIRYHOUSE_MONGODB_URI, or drop it yourself."
            )
        await fill_and_check(store, variants, file, totals)


def import_to_sqlite(settings: Settings, variants: Variants, file: Path, totals: "SiteTotals", replace: bool) -> None:
    """Raises CommandRefused, BrokenFile, StoreError, OSError; then nothing has changed."""
    path = replaceable_file(settings, replace)
    make_folder(settings)
    draft = path.with_name(f"{path.name}.import")
    draft.unlink(missing_ok=True)
    try:
        asyncio.run(fill_file(draft, variants, file, totals))
        put_in_place(draft, path, former_path(path), WAIT_MS)
    finally:
        draft.unlink(missing_ok=True)


async def fill_file(path: Path, variants: Variants, file: Path, totals: "SiteTotals") -> None:
    """Fills a new SQLite file at `path`. Raises as `fill_and_check` does, and OSError."""
    async with closed_after(await SqliteStore.open(path, variants, WAIT_MS)) as store:
        await fill_and_check(store, variants, file, totals)


async def fill_and_check(store: Store, variants: Variants, file: Path, totals: "SiteTotals") -> None:
    """Raises BrokenFile or StoreError, leaving the store empty, or CommandRefused if even that failed."""
    try:
        await store.records.clear()
        await fill(store.records, file, variants)
        await check_store(store.records, variants, totals)
    except BaseException as error:
        try:
            await store.records.clear()
        except StoreError:
            raise CommandRefused(
                f"{error} What was begun could not be removed: drop it before you try again."
            ) from error
        raise


Read = TypeVar("Read")


@dataclass(slots=True)
class SiteTotals:
    """How many records of each kind there are, and the sum of their digests."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*KINDS, GAMES), 0))
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*KINDS, GAMES), 0))

    def add(self, kind: str, record: Mapping[str, Any]) -> None:
        """Counts a record; the order in which they come does not matter."""
        text = orjson.dumps(record, option=orjson.OPT_SORT_KEYS)
        self.counts[kind] += 1
        self.sums[kind] = (self.sums[kind] + int.from_bytes(sha256(text).digest())) % 2**256


async def write_site(records: RecordStore, writer: "SiteWriter") -> None:
    """Writes everything in the store, people before games. Raises Unavailable."""
    async for name, record in everything(records):
        writer.write(name, record)
    writer.finish()


def check_file(path: Path, variants: Variants) -> SiteTotals:
    """Checks every record of the file, judges every game, and returns the totals. Raises BrokenFile."""
    totals = SiteTotals()
    for item in parsed(path, variants):
        if isinstance(item, Game):
            totals.add(GAMES, game_record(to_document(item)))
        else:
            totals.add(*item)
    return totals


def parsed(path: Path, variants: Variants) -> Iterator[Game | tuple[str, FlatRecord]]:
    """Yields the records of a file, and games as `Game`. Raises BrokenFile."""
    for name, fields in read_site(path):
        try:
            if name == GAMES:
                yield judged(fields, variants)
            elif name in KINDS:
                yield name, KINDS[name].check(fields)
            else:
                raise BrokenFile(f"{path} holds {name[:40]!r}, which this release does not know.")
        except (InvalidRecord, Unreadable, Misjudged) as error:
            raise BrokenFile(f"{path} holds what cannot be right. {error}") from None


def judged(fields: Mapping[str, Any], variants: Variants) -> Game:
    """The game of a record, judged again by the rules. Raises InvalidRecord, Unreadable, Misjudged."""
    game = from_document(game_document(fields), variants)
    judge_game(game)
    return game


async def fill(records: RecordStore, path: Path, variants: Variants) -> None:
    """Fills an empty store with everything in the file. Raises BrokenFile, Duplicate, Unavailable."""
    for name, group in groupby(parsed(path, variants), key=lambda item: GAMES if isinstance(item, Game) else item[0]):
        for batch in batches(group):
            if name == GAMES:
                games = [item for item in batch if isinstance(item, Game)]
                await records.add_games([(to_document(game), entry_of(game)) for game in games])
            else:
                await records.add(KINDS[name], [item[1] for item in batch if not isinstance(item, Game)])


def batches(items: Iterator[Game | tuple[str, FlatRecord]]) -> Iterator[Sequence[Game | tuple[str, FlatRecord]]]:
    """Yields `items` in lists of at most AT_ONCE."""
    while batch := list(islice(items, AT_ONCE)):
        yield batch


async def check_store(records: RecordStore, variants: Variants, expected: SiteTotals) -> None:
    """Compares the store with `expected` and judges every game once more. Raises BrokenFile, Unavailable."""
    found = SiteTotals()
    try:
        async for name, record in everything(records):
            if name == GAMES:
                record = game_record(to_document(judged(record, variants)))
            found.add(name, record)
    except (InvalidRecord, Unreadable, Misjudged) as error:
        raise BrokenFile(f"The store returns something that cannot be right. {error}") from None
    for kind, count in expected.counts.items():
        if (found.counts[kind], found.sums[kind]) != (count, expected.sums[kind]):
            raise BrokenFile(f"The store has {found.counts[kind]} of {count} {kind}, or different ones.")


async def everything(records: RecordStore) -> AsyncIterator[tuple[str, Mapping[str, Any]]]:
    """Every record with the name of its kind, games last. Raises BrokenFile for one that cannot be read."""
    for kind in KINDS.values():
        async for page in records.records(kind):
            for record in page:
                yield kind.name, readable(kind.name, record)
    async for documents in records.games():
        for document in documents:
            yield GAMES, game_record(readable(GAMES, document))


def readable(kind: str, one: Read | UnreadableRecord) -> Read:
    """Raises BrokenFile."""
    if isinstance(one, UnreadableRecord):
        raise BrokenFile(f"{kind} {one.key} cannot be read ({one.why}). `fairyhouse check` tells all that is wrong.")
    return one


async def is_empty(records: RecordStore) -> bool:
    """Whether nobody has used this store yet. Traces of servers that have run do not count."""
    async for name, _ in everything(records):
        if name != "alive":
            return False
    return True


FORMAT = 1
HEAD, END = "fairyhouse", "end"
LONGEST_LINE = 4_000_000
"""Bytes; no record of a site comes near."""
LEVEL = 6


class BrokenFile(Exception):
    """The file is incomplete or was changed; the message says how."""


class SiteWriter:
    """Writes records to an open binary file, which is complete only after `finish`. `at`: now, ms since the epoch."""

    def __init__(self, file: IO[bytes], at: int) -> None:
        self._packed = gzip.GzipFile(fileobj=file, mode="wb", compresslevel=LEVEL, mtime=0, filename="")
        self._digest = sha256()
        self.counts: Counter[str] = Counter()
        self._line(HEAD, {"format": FORMAT, "at": at})

    def write(self, kind: str, record: Fields) -> None:
        """Writes one record, flat and JSON-able. Raises OSError if the disk is full."""
        self.counts[kind] += 1
        self._line(kind, record)

    def finish(self) -> None:
        """Writes the counts and the digest, by which a file that was cut short is known."""
        self._line(END, {"counts": self.counts, "sha256": self._digest.hexdigest()})
        self._packed.close()

    def _line(self, name: str, fields: Fields) -> None:
        line = orjson.dumps([name, fields]) + b"\n"
        self._digest.update(line)
        self._packed.write(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._packed.close()


def read_site(path: Path) -> Iterator[tuple[str, Fields]]:
    """Yields the kind and the fields of each record, in order. Raises BrokenFile, possibly only at the end."""
    try:
        with gzip.open(path, "rb") as file:
            yield from _records(_lines(file, path), path)
    except FileNotFoundError:
        raise BrokenFile(f"There is no file {path}.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error, OSError) as error:
        raise BrokenFile(f"{path} cannot be read to its end ({error}).") from None


def _lines(file: gzip.GzipFile, path: Path) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise BrokenFile(f"{path} has a line that no site has.")
        yield line


def _records(lines: Iterator[bytes], path: Path) -> Iterator[tuple[str, Fields]]:
    head = next(lines, b"")
    _check_head(head, path)
    digest, counts = sha256(head), Counter[str]()
    for line in lines:
        name, fields = _parsed(line, path)
        if name == END:
            if fields != {"counts": counts, "sha256": digest.hexdigest()} or next(lines, b""):
                raise BrokenFile(f"{path} is not as it was written.")
            return
        digest.update(line)
        counts[name] += 1
        yield name, fields
    raise BrokenFile(f"{path} ends too early.")


def _check_head(line: bytes, path: Path) -> None:
    name, fields = _parsed(line, path)
    if name != HEAD:
        raise BrokenFile(f"{path} is not the export of a site.")
    if fields.get("format") != FORMAT:
        raise BrokenFile(f"{path} is of another format than this release reads ({FORMAT}).")


def _parsed(line: bytes, path: Path) -> tuple[str, Fields]:
    try:
        name, fields = orjson.loads(line)
    except (ValueError, TypeError):
        raise BrokenFile(f"{path} is not the export of a site.") from None
    if not isinstance(name, str) or not isinstance(fields, dict):
        raise BrokenFile(f"{path} is not the export of a site.")
    return name, fields
