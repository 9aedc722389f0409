"""Everything in MongoDB as records that are independent of the engine, and deleting games.

Most collections are named like their kinds, with the first field as `_id`. Fields that a document has beyond its
record, for queries or for counting a game once, are computed here as the store would.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence, Set
from functools import partial
from itertools import count
from typing import Any, TypeVar

from pymongo import InsertOne
from pymongo.errors import BulkWriteError, PyMongoError

from server.storage.damage import WRONG, reason
from server.storage.documents import Document, Head
from server.storage.errors import Duplicate
from server.storage.fields import Fields, FlatRecord
from server.storage.mongo.archive import UNFILED, MongoArchive
from server.storage.mongo.client import checked, unavailable
from server.storage.mongo.explorer import UNEXPLORED
from server.storage.mongo.outbox import UNTOLD
from server.storage.mongo.ratings import NO_CHANGE, UNCOUNTED, perf_fields, score_fields
from server.storage.protocols.archive import ArchiveEntry
from server.storage.protocols.explorer import is_unexplored
from server.storage.protocols.ratings import from_fields, tally_of
from server.storage.protocols.records import AT_ONCE, UnreadableRecord
from server.storage.record_kinds import ARCHIVE, CHANGES, CHAT, GAMES, MOVES, SCORES, STANDINGS, RecordKind
from server.storage.tables.stores import KINDS

Made = TypeVar("Made")
DUPLICATE_KEY = 11000
MARKS = ("tokens", UNFILED, UNCOUNTED, UNEXPLORED, UNTOLD)
"""Fields of a game that belong to this engine."""
MADE = ("archive", "explorer", "explorer_batch")
"""Collections that are derived from others."""
FILLS = ("archive", "ratings", "explorer")
"""What is made of stored games, once, by the first start of a release that knows it."""
CARRIED = {"last": "carried", "taken": 1}
"""`last` and `taken` (see `ratings`) of a perf or score that comes from another store."""


class MongoRecords:
    """A `RecordStore`."""

    def __init__(self, database: Any, archive: MongoArchive) -> None:
        self._database = database
        self._archive = archive
        self._line_numbers = count()

    async def due_fills(self) -> Sequence[str]:
        """What is still to be filled with the games of earlier releases."""
        found = await checked(self._database["filled"].find({"_id": {"$in": list(FILLS)}}).to_list(len(FILLS)))
        return [name for name in FILLS if name not in {one["_id"] for one in found}]

    async def records(self, kind: RecordKind) -> AsyncIterator[Sequence[FlatRecord | UnreadableRecord]]:
        unpack = partial(UNPACK.get(kind.name, _unpacked), kind)
        async for page in self._pages(_collection(kind), {}):
            found = [_readable(document, unpack) for document in page]
            yield [record for record in found if record is not None]

    async def games(self) -> AsyncIterator[Sequence[Document | UnreadableRecord]]:
        async for page in self._pages(GAMES, {}):
            found = [_readable(game, document_of) for game in page]
            yield [game for game in found if game is not None]

    async def known(self, kind: str, keys: Set[str]) -> set[str]:
        name = "key" if kind == ARCHIVE.name else "_id"
        found = self._database[kind].find({name: {"$in": sorted(keys)}}, {name: 1}) if keys else None
        return set() if found is None else {one[name] for one in await checked(found.to_list(None))}

    async def _pages(self, collection: str, without: Fields) -> AsyncIterator[list[dict[str, Any]]]:
        wanted: Fields = {}
        while page := await checked(
            self._database[collection].find(wanted, without).sort("_id", 1).limit(AT_ONCE).to_list(AT_ONCE)
        ):
            # The driver has its own type for large numbers.
            yield [{name: int(one) if isinstance(one, int) else one for name, one in it.items()} for it in page]
            wanted = {"_id": {"$gt": page[-1]["_id"]}}

    async def add(self, kind: RecordKind, records: Sequence[FlatRecord]) -> None:
        if kind is CHAT:
            documents = [_line(record, next(self._line_numbers)) for record in records]
        else:
            pack = PACK.get(kind.name, _packed)
            documents = [pack(kind, record) for record in records]
        await self._insert(_collection(kind), documents)

    async def add_games(self, games: Sequence[tuple[Document, ArchiveEntry | None]]) -> None:
        documents = [{**game.head, **_marks(game.head), MOVES: list(game.moves), "tokens": []} for game, _ in games]
        await self._insert(GAMES, documents)
        await self._archive.add([entry for _, entry in games if entry is not None])

    async def _insert(self, collection: str, documents: Sequence[Fields]) -> None:
        try:
            await self._database[collection].bulk_write([InsertOne(one) for one in documents], ordered=True)
        except BulkWriteError as error:
            if any(one.get("code") == DUPLICATE_KEY for one in (error.details or {}).get("writeErrors", ())):
                raise Duplicate(f"Two of {collection} are the same.") from error
            raise unavailable(error) from error
        except PyMongoError as error:
            raise unavailable(error) from error

    async def clear(self) -> None:
        for name in (*map(_collection, KINDS.values()), GAMES, *MADE):
            await checked(self._database[name].delete_many({}))


def _marks(head: Fields) -> Fields:
    return {UNEXPLORED: 1} if is_unexplored(head) else {}


def _readable(document: Fields, read: Callable[[Fields], Made | None]) -> Made | UnreadableRecord | None:
    try:
        return read(document)
    except WRONG as error:
        return UnreadableRecord(str(document["_id"]), reason(error))


def document_of(stored: Mapping[str, Any]) -> Document:
    """The game of a document, without the fields of this engine. Raises LookupError, TypeError."""
    moves = stored[MOVES]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise TypeError("its moves are no list of texts")
    return Document({name: value for name, value in stored.items() if name not in (MOVES, *MARKS)}, tuple(moves))


def _collection(kind: RecordKind) -> str:
    return "counted" if kind is CHANGES else kind.name


def _packed(kind: RecordKind, record: FlatRecord) -> Fields:
    first, *rest = kind.fields
    return {"_id": record[first], **{name: record[name] for name in rest}}


def _unpacked(kind: RecordKind, document: Fields) -> FlatRecord | None:
    first, *rest = kind.fields
    # An earlier release may have stored it.
    document = {**kind.added, **document}
    return {first: document["_id"], **{name: document[name] for name in rest}}


def _line(record: FlatRecord, number: int) -> Fields:
    # As `MongoChat.add` numbers them: by time, then by order of arrival.
    key = f"{record['at']:015d}-{number:09d}-imported"
    return {"_id": key, "number": key, **record}


def _as_named(kind: RecordKind, document: Fields) -> FlatRecord | None:
    """The record of a document with all its fields by name."""
    return {name: document[name] for name in kind.fields}


def _standing(_: RecordKind, record: FlatRecord) -> Fields:
    fields = perf_fields(from_fields(record))
    return {"_id": f"{record['player']}|{record['category']}", **fields, **NO_CHANGE, **CARRIED}


def _score(_: RecordKind, record: FlatRecord) -> Fields:
    player, opponent = str(record["player"]), str(record["opponent"])
    fields = score_fields(None, player=player, opponent=opponent, tally=tally_of(record))
    return {"_id": f"{player}|{opponent}", **fields, **CARRIED}


def _unpacked_score(kind: RecordKind, document: Fields) -> FlatRecord | None:
    return _as_named(kind, {**document, "games": tally_of(document).games})


def _change(_: RecordKind, record: FlatRecord) -> Fields:
    player, category, number, game = (record[name] for name in ("player", "category", "number", "game"))
    return {
        "_id": f"{game}|{player}|{category}",
        **{name: record[name] for name in SAME_IN_CHANGES},
        "doubt": record["deviation"],
        "when": record["at"],
        "chart": f"{player}|{category}|{number:08d}",
    }


def _unpacked_change(_: RecordKind, note: Fields) -> FlatRecord | None:
    """The record of a rating change; None if the game changed no rating."""
    if not note["chart"]:
        return None
    category = note["chart"].rsplit("|", 2)[1]
    same = {name: note[name] for name in SAME_IN_CHANGES}
    return {**same, "category": category, "deviation": note["doubt"], "at": note["when"]}


SAME_IN_CHANGES = ("player", "number", "game", "color", "before", "after")
UNPACK: Mapping[str, Callable[[RecordKind, Fields], FlatRecord | None]] = {
    ARCHIVE.name: _as_named,
    CHAT.name: _as_named,
    STANDINGS.name: _as_named,
    SCORES.name: _unpacked_score,
    CHANGES.name: _unpacked_change,
}
PACK: Mapping[str, Callable[[RecordKind, FlatRecord], Fields]] = {
    STANDINGS.name: _standing,
    SCORES.name: _score,
    CHANGES.name: _change,
}


OF_GAMES = (
    *(
        ("notes", "game"),
        ("archive", "_id"),
        ("chat", "game"),
        ("challenges", "_id"),
        ("imports", "_id"),
        ("outbox", "topic"),
    ),
    ("held", "game"),
)
"""Deleted before the game, so that a deletion that was cut short can be repeated; and again after it, since other
servers write these first and then check that the game exists."""


class MongoDeletion:
    """A `DeletionStore`."""

    def __init__(self, database: Any) -> None:
        self._database = database

    async def heads(self, after: str, limit: int) -> Sequence[tuple[str, Head]]:
        cursor = self._database["games"].find({"_id": {"$gt": after}}, {"moves": 0, "tokens": 0})
        return [(head["_id"], head) for head in await checked(cursor.sort("_id", 1).limit(limit).to_list(limit))]

    async def delete_games(self, games: Sequence[str]) -> None:
        for collection, key in (*OF_GAMES, ("games", "_id"), *OF_GAMES):
            await self._delete(collection, key, games)

    async def delete_chat(self, games: Sequence[str]) -> None:
        await self._delete("chat", "game", games)

    async def _delete(self, collection: str, key: str, games: Sequence[str]) -> None:
        await checked(self._database[collection].delete_many({key: {"$in": list(games)}}))
