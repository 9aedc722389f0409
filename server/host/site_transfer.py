"""Copies a whole site between a store and a file, and makes sure that nothing was lost or changed on the way.

For each kind it compares the number of records and the sum of their digests, which does not depend on their order.
Every game is judged again by the rules, before anything is written and after everything is.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TypeVar

import orjson

from server.games.intake.judging import Misjudged, judge
from server.games.state import Game
from server.host.site_file import BrokenFile, SiteWriter, read_site
from server.rules.variant.variant import Variant
from server.storage.documents import to_document
from server.storage.errors import Unreadable
from server.storage.fields import FlatRecord
from server.storage.protocols.archive import entry_of
from server.storage.protocols.records import AT_ONCE, RecordStore, UnreadableRecord
from server.storage.record_kinds import GAMES, KINDS, InvalidRecord, game_document, game_record
from server.storage.replay import from_document

Variants = Mapping[str, Variant]
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


async def write_site(records: RecordStore, writer: SiteWriter) -> None:
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
    judge(game)
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
