"""The archive in MongoDB: a collection of its own, one small document for each finished game.

MongoDB changes one document at a time. So the write that ends a game marks it (`UNFILED`), and the mark is removed when
its entry is stored; whatever a crash or a failure between the two has left is filed by a chore.

Another server may change a name meanwhile, and file the game first. So an entry has the revision of the game that it
tells of, and never replaces one of a later revision; and the mark is removed only while the game is at that revision.

Each facet is also stored with the key in one text, with an index of its own: every server, even a small one for tests,
reads a range of such texts in order, which is not so for compound indexes.
"""

from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Any

from pymongo import UpdateOne

from server.storage.damage import Damage
from server.storage.fields import FlatRecord, instant, number
from server.storage.mongo.client import checked
from server.storage.protocols.archive import (
    END,
    LINE,
    NO_GAME,
    OF_A_PLAYER,
    SCAN,
    SEATS,
    ArchiveEntry,
    Beginning,
    Facets,
    Page,
    PlayedGame,
    Scan,
    Search,
    beginning_of,
    bounds,
    branches,
    candidate_facets,
    entry,
    folded,
    merge_scans,
    newest_first,
    played_game,
)
from server.storage.record_kinds import GAMES
from server.storage.summaries import readable_summaries, summary
from server.storage.time_slices import run_sliced

UNFILED = "unfiled"
"""A field of a game: 1 while its entry may be missing."""
BATCH = 500


class MongoArchive:
    """An `ArchiveStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._entries = database["archive"]
        self._games = database["games"]
        self._filled = database["filled"]

    async def prepare(self) -> None:
        """Creates missing entries. Raises Unavailable."""
        if await checked(self._filled.find_one({"_id": "archive"})) is None:
            # Games that ended before there was an archive.
            await self._file({"status": "over"})
            await checked(self._filled.update_one({"_id": "archive"}, {"$set": {"done": 1}}, upsert=True))
        await self.file_the_rest()

    async def file_the_rest(self) -> None:
        await self._file({UNFILED: 1})

    async def _file(self, wanted: Mapping[str, Any]) -> None:
        found = await checked(self._games.find(wanted, {"moves": 0, "tokens": 0}).to_list(None))
        # Their last boards are unknown here: that would take replaying them.
        ended = self._damage.readable("games", found, lambda head: (_line(head), number(head, "rev")))
        entries = [entry(line, rev) for line, rev in ended if line["reason"] not in NO_GAME]
        for start in range(0, len(entries), BATCH):
            await self.add(entries[start : start + BATCH])

    async def add(self, entries: Sequence[ArchiveEntry]) -> None:
        """Stores entries of finished games; a newer entry of the same game stays. Idempotent.

        A game that has changed since keeps its mark: the node that changed it, or the chore, files it again. Raises
        Unavailable.
        """
        if not entries:
            return
        await checked(self._entries.bulk_write([step for one in entries for step in _steps(one)], ordered=True))
        filed = [UpdateOne({"_id": one.id, "rev": one.rev}, {"$set": {UNFILED: 0}}) for one in entries]
        found = await checked(self._games.bulk_write(filed, ordered=False))
        if found.matched_count < len(entries):
            await self._drop_without_game([one.id for one in entries])

    async def _drop_without_game(self, games: Sequence[str]) -> None:
        """Removes the entries of games that were deleted while these were stored."""
        there = {
            one["_id"] for one in await checked(self._games.find({"_id": {"$in": games}}, {"_id": 1}).to_list(None))
        }
        await checked(self._entries.delete_many({"_id": {"$in": [one for one in games if one not in there]}}))

    async def page(self, search: Search, limit: int, before: str = "") -> Page:
        since, until = bounds(search, before)
        scans = [await self._scan(facets, since, until, limit + 1) for facets in branches(search)]
        lines, following = merge_scans(scans, limit)
        listed = readable_summaries(lines, self._damage)
        whole = await self._whole([one.id for one in listed])
        return Page([one for one in listed if one.id in whole], following)

    async def played_by(self, player: str, limit: int) -> Sequence[PlayedGame]:
        games: list[PlayedGame | None] = []
        for color, mine, theirs in SEATS:
            field, between = _range(mine, {mine: folded(player)}, "", "")
            asked = dict.fromkeys((*OF_A_PLAYER, theirs), 1)
            found = await checked(
                self._entries.find({field: between}, asked).sort(field, -1).limit(limit).to_list(limit)
            )
            read = partial(played_game, color=color, opponent=theirs)
            games += await run_sliced(self._damage.readable_sliced("archive", found, read))
        return newest_first(games)

    async def beginnings(self, games: Sequence[str], plies: int) -> Sequence[Beginning]:
        if not games:
            return ()
        asked = {"start": 1, "moves": {"$slice": plies}}
        found = await checked(self._games.find({"_id": {"$in": list(games)}}, asked).to_list(len(games)))
        read = self._damage.readable_sliced(GAMES, found, lambda one: beginning_of(one["_id"], one, one["moves"]))
        return await run_sliced(read)

    async def _whole(self, games: Sequence[str]) -> Set[str]:
        """Those of `games` that can be opened, as far as can be told without replaying them."""
        if not games:
            return set()
        found = self._games.find({"_id": {"$in": games}}, {"moves": 0, "tokens": 0})
        heads = await checked(found.to_list(len(games)))
        unknown = [head for head in heads if not self._damage.found_in(GAMES, head["_id"])]
        return {one.id for one in self._damage.readable(GAMES, unknown, summary)}

    async def _scan(self, facets: Facets, since: str, before: str, limit: int) -> Scan:
        driver, floor = await self._narrowest(facets, since, before)
        field, between = _range(driver, facets, floor or since, before)
        found = self._entries.find({**facets, field: between}, {"key": 1, "line": 1}).sort(field, -1).limit(limit)
        rows = [(one["key"], one["line"]) for one in await checked(found.to_list(limit))]
        return Scan(rows, rows[-1][0] if len(rows) == limit else floor)

    async def _narrowest(self, facets: Facets, since: str, before: str) -> tuple[str, str]:
        """The facet whose newest `SCAN` entries reach back furthest ("": none), and how far ("": to the end)."""
        floors = {}
        for name in candidate_facets(facets) or ("",):
            field, between = _range(name, facets, since, before)
            last = self._entries.find({field: between}, {"key": 1}).sort(field, -1).skip(SCAN).limit(1)
            found = await checked(last.to_list(1))
            if not found:
                return name, ""
            floors[name] = found[0]["key"]
        name = min(floors, key=lambda one: floors[one])
        return name, floors[name]


def _line(head: Mapping[str, Any]) -> FlatRecord:
    """The list fields of a game. Raises as `fields` says if it is damaged."""
    line = {"imported": 0, "board": "", **{name: head[name] for name in LINE if name in head}}
    summary(line)
    instant(line, "ended")
    return line


def _range(name: str, facets: Facets, since: str, before: str) -> tuple[str, Mapping[str, str]]:
    """The field to read in order, and the range of its values."""
    if not name:
        return "key", {"$gte": since, "$lt": before}
    return f"by_{name}", {"$gte": f"{facets[name]}|{since}", "$lt": f"{facets[name]}|{before or END}"}


def _steps(one: ArchiveEntry) -> Sequence[UpdateOne]:
    """Store the entry if there is none, or one of no later revision. Earlier releases noted no revision.

    An upsert with the condition would collide with the later entry instead of leaving it.
    """
    fields = stored(one)
    no_later = {"_id": one.id, "$or": [{"rev": None}, {"rev": {"$lte": one.rev}}]}
    return UpdateOne({"_id": one.id}, {"$setOnInsert": fields}, upsert=True), UpdateOne(no_later, {"$set": fields})


def stored(one: ArchiveEntry) -> Mapping[str, int | str]:
    """An entry as stored, without its id."""
    ordered = {f"by_{name}": f"{value}|{one.key}" for name, value in one.facets.items()}
    return {"key": one.key, "rev": one.rev, **one.facets, **ordered, "line": one.line}
