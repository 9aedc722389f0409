"""Personal tokens in a store, by their hashes.

All times are ms since the epoch.
"""

from collections.abc import Collection, Sequence
from typing import Final

from server.games.people import MAX_TOKENS, ApiToken, Scope
from server.storage.fields import Fields, flat, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import OwnedTableStore, Table


def token_of(fields: Fields) -> ApiToken:
    """The token of stored fields. Raises as `fields` says."""
    fields = {**TOKENS.added, **fields}
    scopes = frozenset(map(Scope, text(fields, "scopes").split()))
    hashed, owner, name = (text(fields, one) for one in ("_id", "owner", "name"))
    created, used, generation = instant(fields, "created"), number(fields, "used"), number(fields, "generation")
    return ApiToken(hashed, owner, name, scopes, created, used, generation)


TOKENS: Final = RecordKind(
    "tokens",
    typed_fields("_id owner name scopes #created #used #generation"),
    added={"generation": 0},
    indexes=("owner",),
    read=token_of,
    people=("owner",),
)


class TokenStore(OwnedTableStore):
    """Tokens by their hashes."""

    kinds = (TOKENS, QUOTAS)

    def __init__(self, table: Table, quotas: Table) -> None:
        super().__init__(table)
        self._quotas = QuotaStore(quotas)

    async def add(self, token: ApiToken) -> bool:
        """False: its owner has MAX_TOKENS others, and it is not stored. Raises Duplicate too."""
        await self._table.add(flat(token, key="hashed"))
        quota = Quota(token.owner, "tokens", MAX_TOKENS)
        return await self._quotas.admit_record(
            quota, self._table, token.hashed, token.created, "created _id", owner=token.owner
        )

    async def find(self, hashed: str) -> ApiToken | None:
        """The token with that hash."""
        return next(iter(await self._table.read(token_of, _id=hashed)), None)

    async def find_all(self, hashes: Collection[str]) -> Sequence[ApiToken]:
        """Those with these hashes."""
        return await self._table.read(token_of, _id=frozenset(hashes))

    async def of(self, owner: str) -> Sequence[ApiToken]:
        """Those of `owner` (an id), the oldest first."""
        return await self._table.read(token_of, "created _id", owner=owner)

    async def note_use(self, hashed: str, at: int) -> None:
        """Notes when it was used last; nothing if it is gone."""
        await self._table.set({"used": at}, _id=hashed)

    async def revoke(self, owner: str, hashed: str) -> bool:
        """Deletes this token of `owner`. False: they have no such token."""
        return await self._table.delete(_id=hashed, owner=owner) > 0

    async def end_before(self, owner: str, generation: int) -> None:
        """Deletes those of `owner` of a password before that of `generation`."""
        await self._table.delete(owner=owner, generation=range(generation))
