"""Who wants no invitations by mail, in the SQLite file."""

from server.storage.sqlite.file import SqliteFile


class SqliteUnwantedMail:
    """An `UnwantedMailStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def add(self, mark: str, at: int) -> None:
        await self._file.change("INSERT OR IGNORE INTO unwanted_mail (_id, at) VALUES (?, ?)", (mark, at))

    async def is_unwanted(self, mark: str) -> bool:
        return bool(await self._file.rows("SELECT 1 FROM unwanted_mail WHERE _id = ?", (mark,)))
