"""Personal tokens in MongoDB."""

from collections.abc import Sequence
from typing import Any

from server.games.people.api_tokens import ApiToken
from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, insert
from server.storage.protocols.tokens import to_document, token_of


class MongoTokens:
    """A `TokenStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._tokens = database["tokens"]

    async def add(self, token: ApiToken) -> None:
        await insert(self._tokens, to_document(token))

    async def find(self, hashed: str) -> ApiToken | None:
        found = await self._read(self._tokens.find({"_id": hashed}))
        return found[0] if found else None

    async def of(self, owner: str) -> Sequence[ApiToken]:
        return await self._read(self._tokens.find({"owner": owner}).sort([("created", 1), ("_id", 1)]))

    async def _read(self, found: Any) -> Sequence[ApiToken]:
        return list(self._damage.readable("tokens", await checked(found.to_list(None)), token_of))

    async def note_use(self, hashed: str, at: int) -> None:
        await checked(self._tokens.update_one({"_id": hashed}, {"$set": {"used": at}}))

    async def revoke(self, owner: str, hashed: str) -> bool:
        return bool((await checked(self._tokens.delete_one({"_id": hashed, "owner": owner}))).deleted_count)

    async def forget(self, owner: str) -> None:
        await checked(self._tokens.delete_many({"owner": owner}))
