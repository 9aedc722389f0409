"""How people want to be told what concerns them, in MongoDB."""

from typing import Any

from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, upsert
from server.storage.protocols.how_told import HowTold, how_told_of, to_document


class MongoHowTold:
    """A `HowToldStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._chosen = database["how_told"]
        self._damage = damage

    async def keep(self, how: HowTold) -> None:
        await upsert(self._chosen, to_document(how))

    async def of(self, owner: str) -> HowTold:
        found = await checked(self._chosen.find({"_id": owner}).to_list(1))
        return next(iter(self._damage.readable("how_told", found, how_told_of)), HowTold(owner))

    async def forget(self, owner: str) -> None:
        await checked(self._chosen.delete_many({"_id": owner}))
