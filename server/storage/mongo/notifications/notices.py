"""The host's notice in MongoDB."""

from typing import Any

from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked
from server.storage.protocols.notifications.notices import THE_ONE, SiteNotice, notice_of, to_document


class MongoNotices:
    """A `NoticeStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._notices = database["notices"]

    async def current(self) -> SiteNotice | None:
        found = await checked(self._notices.find({"_id": THE_ONE}).to_list(1))
        return next(iter(self._damage.readable("notices", found, notice_of)), None)

    async def post(self, notice: SiteNotice) -> None:
        await checked(self._notices.replace_one({"_id": THE_ONE}, to_document(notice), upsert=True))

    async def remove(self) -> bool:
        gone = await checked(self._notices.delete_one({"_id": THE_ONE}))
        return int(gone.deleted_count) > 0
