"""Who wants no invitations by mail, in MongoDB."""

from contextlib import suppress
from typing import Any

from server.storage.errors import Duplicate
from server.storage.mongo.driver_errors import checked, insert


class MongoUnwantedMail:
    """An `UnwantedMailStore`."""

    def __init__(self, database: Any) -> None:
        self._unwanted = database["unwanted_mail"]

    async def add(self, mark: str, at: int) -> None:
        with suppress(Duplicate):
            await insert(self._unwanted, {"_id": mark, "at": at})

    async def is_unwanted(self, mark: str) -> bool:
        return await checked(self._unwanted.find_one({"_id": mark}, {"_id": 1})) is not None
