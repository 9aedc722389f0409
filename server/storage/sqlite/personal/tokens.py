"""Personal tokens in the SQLite file."""

from collections.abc import Sequence
from functools import partial

from server.games.people.api_tokens import ApiToken
from server.storage.protocols.tokens import to_document, token_of
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteTokens(SqlitePart):
    """A `TokenStore`."""

    async def add(self, token: ApiToken) -> None:
        await self._file.write(partial(insert, table="tokens", fields=to_document(token)))

    async def find(self, hashed: str) -> ApiToken | None:
        found = await self._read("_id = ?", hashed)
        return found[0] if found else None

    async def of(self, owner: str) -> Sequence[ApiToken]:
        return await self._read("owner = ? ORDER BY created, _id", owner)

    async def _read(self, wanted: str, value: str) -> Sequence[ApiToken]:
        found = await self._file.fields(f"SELECT * FROM tokens WHERE {wanted}", (value,))
        return list(self._damage.readable("tokens", found, token_of))

    async def note_use(self, hashed: str, at: int) -> None:
        await self._file.change("UPDATE tokens SET used = ? WHERE _id = ?", (at, hashed))

    async def revoke(self, owner: str, hashed: str) -> bool:
        return await self._file.change("DELETE FROM tokens WHERE _id = ? AND owner = ?", (hashed, owner)) > 0

    async def forget(self, owner: str) -> None:
        await self._file.change("DELETE FROM tokens WHERE owner = ?", (owner,))
