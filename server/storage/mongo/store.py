"""The store in MongoDB: its own collections, and the parts that keep everything else."""

import logging
from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

import orjson
from pymongo import DeleteMany, UpdateOne
from pymongo.errors import ConfigurationError, PyMongoError

from server.games.state import Game
from server.rules.variant.variant import Variant
from server.storage.damage import Damage
from server.storage.documents import to_document, update_between
from server.storage.errors import NotStored, StoreError, Unavailable
from server.storage.fields import instant
from server.storage.group_commit import GroupCommit, WriteTokens
from server.storage.mongo.accounts import MongoAccounts
from server.storage.mongo.archive import UNFILED, MongoArchive
from server.storage.mongo.chat import MongoChat
from server.storage.mongo.client import (
    check_replica_set,
    checked,
    close_client,
    connect_client,
    insert,
    reason,
    unavailable,
)
from server.storage.mongo.explorer import UNEXPLORED, MongoExplorer
from server.storage.mongo.outbox import MongoOutbox, mark_between
from server.storage.mongo.people import MongoPeople
from server.storage.mongo.puzzle_tries import MongoPuzzleTries
from server.storage.mongo.ratings import UNCOUNTED, MongoRatings
from server.storage.mongo.records import MongoDeletion, MongoRecords, document_of
from server.storage.mongo.saves import Save, settle, update_of
from server.storage.mongo.seeks import MongoSeeks
from server.storage.mongo.table import MongoTables, create_indexes
from server.storage.protocols.archive import ArchiveEntry, GameSummary, entry_of, newly_over
from server.storage.protocols.explorer import newly_unexplored
from server.storage.protocols.ratings import newly_uncounted
from server.storage.record_kinds import GAMES
from server.storage.replay import from_document_sliced
from server.storage.running import GOING_ON, MAX_RUNNING, RunningGame, most_urgent_first, running_game
from server.storage.stores import MARKS_KEPT_MS, ChatLine, StoredProgress
from server.storage.summaries import newest, summary
from server.storage.tables.accounts import Session, User
from server.storage.tables.stores import TableStores
from server.storage.time_slices import run_sliced

log = logging.getLogger(__name__)

PATIENCE_S = 0.05
"""How long a batch of moves waits for the one before it."""
MAX_IN_FLIGHT = 10
DATABASE = "fairyhouse"
"""The database, unless the address names one."""


class MongoStore(TableStores):
    """A `Store` in MongoDB. Open it with `connect`; `close` before the event loop ends."""

    shared = True
    accounts: MongoAccounts
    seeks: MongoSeeks

    def __init__(self, client: Any, variants: Mapping[str, Variant]) -> None:
        database = client.get_default_database(DATABASE)
        super().__init__(
            *(MongoTables(database), Damage()),
            accounts=partial(MongoAccounts, database),
            outbox=partial(MongoOutbox, database),
            seeks=partial(MongoSeeks, database),
            puzzle_tries=partial(MongoPuzzleTries, database),
        )
        self.archive = MongoArchive(database, self.damage)
        self.deletion = MongoDeletion(database)
        self.explorer = MongoExplorer(database, self.damage)
        self.ratings = MongoRatings(database, self.damage)
        self.records = MongoRecords(database, self.archive)
        self._client = client
        self._database = database
        self._variants = variants
        self._games = database["games"]
        self._chat = MongoChat(database, self.damage)
        self._people = MongoPeople(database, self.damage)
        self._alive = database["alive"]
        self._probe = database["probe"]
        self._group: GroupCommit[Save] = GroupCommit(self._write, patience_s=PATIENCE_S, most=MAX_IN_FLIGHT)
        self._write_tokens = WriteTokens()

    @classmethod
    async def connect(
        cls, uri: str, variants: Mapping[str, Variant], allow_standalone: bool = False, prepare: bool = True
    ) -> Self:
        """The store at `uri`, with its indexes. `variants`: those that stored games may have.

        Unless `prepare`, nothing is changed: the indexes are as they were, and nothing is filled.

        A server outside a replica set is refused unless `allow_standalone`, as it has no majority writes. Raises
        Unavailable with a message for the host, which never contains the password.
        """
        try:
            client = connect_client(uri)
        except (ConfigurationError, ValueError) as error:
            raise Unavailable("FAIRYHOUSE_MONGODB_URI is no address of a MongoDB server.") from error
        try:
            store = cls(client, variants)
            if not allow_standalone:
                await check_replica_set(client)
            if prepare:
                await store._prepare()
        except PyMongoError as error:
            await close_client(client)
            raise Unavailable(f"MongoDB cannot be used ({reason(error)}).") from error
        except Unavailable:
            await close_client(client)
            raise
        return store

    async def _prepare(self) -> None:
        """Creates all indexes, and what earlier releases did not store. Raises PyMongoError, Unavailable."""
        await create_indexes(self._database)
        await self._fill()

    async def _fill(self) -> None:
        for part in (self.accounts, self.archive, self.explorer, self.ratings, self.seeks):
            await part.prepare()

    async def create(self, game: Game) -> None:
        document, entry = to_document(game), entry_of(game)
        mark = mark_between(None, game) | ({} if entry is None else {UNFILED: 1})
        await insert(self._games, {**document.head, **mark, "moves": list(document.moves), "tokens": []})
        await self._file(entry)

    async def load(self, game_id: str, known: Game | None = None) -> Game | None:
        found = await checked(self._games.find_one({"_id": game_id}, {"tokens": 0}))
        if found is None:
            return None
        with self.damage.noted(GAMES, game_id):
            return await run_sliced(from_document_sliced(document_of(found), self._variants, known))

    async def save(self, before: Game, after: Game) -> None:
        step, entry = update_between(before, after), newly_over(before, after)
        # A batch is applied in no particular order, so a game may be in it only once.
        marks = ({UNFILED: 1} if entry is not None else {}) | ({UNCOUNTED: 1} if newly_uncounted(before, after) else {})
        marks |= {UNEXPLORED: 1} if newly_unexplored(before, after, step.head) else {}
        token = self._write_tokens.token_of(orjson.dumps(step.head), step.moves)
        await self._group.submit(Save(step, token, marks | mark_between(before, after)), key=before.id)
        await self._file(entry)

    async def _file(self, entry: ArchiveEntry | None) -> None:
        if entry is None:
            return
        try:
            await self.archive.add([entry])
        except Unavailable as error:
            # The game is stored, with the mark that its entry is missing.
            log.info("game %s is filed later: %s", entry.id, error)

    async def running(self) -> Sequence[str]:
        found = self._games.find({"deadline": {"$gte": 0}}, {"_id": 1}).to_list(None)
        return [document["_id"] for document in await checked(found)]

    async def due(self, before: int, limit: int) -> Sequence[str]:
        return await self._earliest("deadline", {"$gte": 0, "$lt": before}, limit)

    async def to_remind(self, by: int, limit: int) -> Sequence[str]:
        return await self._earliest("remind_at", {"$gte": 0, "$lte": by}, limit)

    async def _earliest(self, due: str, when: Mapping[str, int], limit: int) -> Sequence[str]:
        """Ids of the games whose field `due` is as `when` says, earliest first."""
        found = await checked(self._games.find({due: when}, {"_id": 1}).sort(due, 1).limit(limit).to_list(limit))
        return [document["_id"] for document in found]

    async def progress(self, games: Sequence[str], since: int) -> StoredProgress:
        heads = await checked(self._games.find({"_id": {"$in": list(games)}}, {"rev": 1}).to_list(None))
        revs = {head["_id"]: head["rev"] for head in heads if isinstance(head.get("rev"), int)}
        return StoredProgress(revs, await self._chat.since(games, since))

    async def by_player(self, player_id: str, limit: int) -> Sequence[GameSummary]:
        heads = await self._heads(player_id, limit, {})
        work = self.damage.readable_sliced(GAMES, heads, summary)
        return newest(await run_sliced(work), limit)

    async def count_by_player(self, player_id: str) -> int:
        theirs = {"$or": [{"white": player_id}, {"black": player_id}]}
        return int(await checked(self._games.count_documents(theirs)))

    async def running_of(self, player_id: str) -> Sequence[RunningGame]:
        heads = await self._heads(player_id, MAX_RUNNING, {"status": {"$in": list(GOING_ON)}})
        work = self.damage.readable_sliced(GAMES, heads, lambda head: running_game(head, player_id))
        return most_urgent_first(await run_sliced(work))

    async def _heads(self, player_id: str, limit: int, only: Mapping[str, Any]) -> list[Any]:
        """Heads of a player's newest games, up to `limit` with each colour.

        Two indexed look-ups: a single one with $or would read and sort all their games.
        """
        heads: list[Any] = []
        for color in ("white", "black"):
            found = self._games.find({color: player_id, **only}, {"moves": 0, "tokens": 0})
            heads += await checked(found.sort("created", -1).limit(limit).to_list(limit))
        return heads

    async def add_chat(self, line: ChatLine, untold: bool = False) -> None:
        number = await self._chat.add(line, untold)
        if await checked(self._games.find_one({"_id": line.game}, {"_id": 1})) is None:
            # Checked only now: a later deletion removes the line, too.
            await self._chat.remove(number)
            raise NotStored(f"There is no game {line.game}.")

    async def chat(self, game_id: str, limit: int) -> Sequence[ChatLine]:
        return await self._chat.last(game_id, limit)

    async def latest_chat(self, since: int, before: int, limit: int) -> Sequence[ChatLine]:
        return await self._chat.latest(since, before, limit)

    async def count_chat(self, game_id: str) -> int:
        return await self._chat.count(game_id)

    async def add_guest(self, user: User, session: Session) -> None:
        await self._people.add_guest(user, session)

    async def session(self, token_hash: str) -> tuple[User, Session] | None:
        return await self._people.session(token_hash)

    async def touch_session(self, token_hash: str, seen: int) -> None:
        await self._people.touch_session(token_hash, seen)

    async def end_session(self, token_hash: str) -> None:
        await self._people.end_session(token_hash)

    async def mark_alive(self, node: str, at: int) -> None:
        mark = UpdateOne({"_id": node}, {"$max": {"at": at}}, upsert=True)
        await checked(self._alive.bulk_write([mark, DeleteMany({"at": {"$lt": at - MARKS_KEPT_MS}})]))

    async def nodes_alive(self, since: int) -> Set[str]:
        found = await checked(self._alive.find({"at": {"$gte": since}}, {"_id": 1}).to_list(None))
        return {str(document["_id"]) for document in found}

    async def last_alive(self) -> int | None:
        found = await checked(self._alive.find({}).sort("at", -1).limit(10).to_list(10))
        marks = self.damage.readable("alive", found, lambda one: instant(one, "at"))
        return marks[0] if marks else None

    async def time(self) -> int | None:
        hello = await checked(self._client.admin.command("hello"))
        told: datetime = hello["localTime"]
        return round(told.replace(tzinfo=UTC).timestamp() * 1000)

    async def ping(self) -> None:
        await checked(self._probe.update_one({"_id": "probe"}, {"$inc": {"count": 1}}, upsert=True))

    async def copy_to(self, path: Path) -> None:
        raise Unavailable("MongoDB is copied by its own tools (mongodump), or with the command export.")

    async def close(self) -> None:
        await self._group.close()
        await close_client(self._client)

    async def _write(self, batch: Sequence[Save]) -> Sequence[StoreError | None]:
        """Writes `batch` at once. If the answer is missing, or not everything was written, looks what was."""
        failure: PyMongoError | None = None
        try:
            result = await self._games.bulk_write([update_of(save) for save in batch], ordered=False)
            if result.matched_count == len(batch):
                return [None] * len(batch)
        except PyMongoError as error:
            failure = error
        ids = [save.update.id for save in batch]
        try:
            found = await self._games.find({"_id": {"$in": ids}}, {"rev": 1, "tokens": 1}).to_list(len(ids))
        except PyMongoError as error:
            return [unavailable(failure or error) for _ in batch]
        stored = {document["_id"]: document for document in found}
        return [settle(save, stored.get(save.update.id), failure) for save in batch]
