"""Who wants no invitations by mail, in a store. They may be strangers, so only marks of their addresses are kept."""

from server.storage.tables.table import TableStore


class UnwantedMailStore(TableStore):
    """Marks of addresses."""

    async def add(self, mark: str, at: int) -> None:
        """Notes that the owner of the address with that mark wants none, since `at` (ms)."""
        await self._table.add_if_new({"_id": mark, "at": at})

    async def is_unwanted(self, mark: str) -> bool:
        """Has its owner said so?"""
        return bool(await self._table.find(_id=mark))
