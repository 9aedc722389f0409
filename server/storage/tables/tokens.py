"""Personal tokens in a store, by their hashes.

All times are ms since the epoch.
"""

from collections.abc import Sequence

from server.games.people.api_tokens import ApiToken, Scope
from server.storage.fields import Fields, flat, instant, number, text
from server.storage.tables.table import OwnedTableStore


class TokenStore(OwnedTableStore):
    """Tokens by their hashes."""

    async def add(self, token: ApiToken) -> None:
        """Raises Duplicate too."""
        await self._table.add(flat(token, key="hashed"))

    async def find(self, hashed: str) -> ApiToken | None:
        """The token with that hash."""
        return next(iter(await self._table.read(token_of, _id=hashed)), None)

    async def of(self, owner: str) -> Sequence[ApiToken]:
        """Those of `owner` (an id), the oldest first."""
        return await self._table.read(token_of, "created _id", owner=owner)

    async def note_use(self, hashed: str, at: int) -> None:
        """Notes when it was used last; nothing if it is gone."""
        await self._table.set({"used": at}, _id=hashed)

    async def revoke(self, owner: str, hashed: str) -> bool:
        """Deletes this token of `owner`. False: they have no such token."""
        return await self._table.delete(_id=hashed, owner=owner) > 0


def token_of(fields: Fields) -> ApiToken:
    """The token of stored fields. Raises as `fields` says."""
    scopes = frozenset(map(Scope, text(fields, "scopes").split()))
    hashed, owner, name = (text(fields, one) for one in ("_id", "owner", "name"))
    return ApiToken(hashed, owner, name, scopes, instant(fields, "created"), number(fields, "used"))
