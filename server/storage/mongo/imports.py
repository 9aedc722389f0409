"""The notes of imported games in MongoDB."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import itemgetter
from typing import Any

from pymongo import UpdateOne

from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked
from server.storage.protocols.imports import MAX_PLIES, ImportAllowance, ImportNote, import_note_of
from server.storage.record_kinds import IMPORTS


class MongoImports:
    """An `ImportStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._imports = database[IMPORTS.name]
        self._damage = damage

    async def note(self, notes: Sequence[ImportNote]) -> None:
        await checked(self._imports.bulk_write([_insert_if_new(one) for one in notes], ordered=False))

    async def admit(self, note: ImportNote, allowance: ImportAllowance) -> bool:
        done = await checked(self._imports.bulk_write([_insert_if_new(note)]))
        if not done.upserted_count:
            return True
        # Counted after noting: if two note at once, at least one of them sees both, and backs out.
        by_user = await self.plies_of_user(note.user, allowance.since)
        by_place = await self.plies_of_place(note.place, allowance.since)
        if by_user <= allowance.by_user and by_place <= allowance.by_place:
            return True
        await checked(self._imports.delete_one({"_id": note.game}))
        return False

    async def plies_of_user(self, user: str, since: int) -> int:
        return await self._sum({"user": user, "at": {"$gte": since}})

    async def plies_of_place(self, place: str, since: int) -> int:
        return await self._sum({"place": place, "at": {"$gte": since}})

    async def _sum(self, wanted: Mapping[str, Any]) -> int:
        # The notes of one day are few: that is what the limit is for.
        found = await checked(self._imports.find(wanted, {"plies": 1}).to_list(None))
        plies = (one["plies"] for one in found if isinstance(one.get("plies"), int))
        return sum(int(one) for one in plies if 0 <= one <= MAX_PLIES)

    async def of_games(self, games: Sequence[str]) -> Mapping[str, ImportNote]:
        found = await checked(self._imports.find({"_id": {"$in": list(games)}}).to_list(None))
        fields = [{**one, "game": one["_id"]} for one in found]
        notes = self._damage.readable(IMPORTS.name, fields, import_note_of, key=itemgetter("game"))
        return {one.game: one for one in notes}


def _insert_if_new(one: ImportNote) -> UpdateOne:
    fields = asdict(one)
    return UpdateOne({"_id": fields.pop("game")}, {"$setOnInsert": fields}, upsert=True)
