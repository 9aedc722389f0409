"""Mail that is to be sent, in MongoDB.

A game's mark lies in its own document, so that the write that is news marks it. The mark is removed last: whoever
stops in between leaves mails that are put in again under the same ids.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from server.games.news import is_news
from server.games.state import Game
from server.games.status import Status
from server.storage.damage import Damage
from server.storage.documents import NONE
from server.storage.errors import Duplicate
from server.storage.mongo.driver_errors import checked, insert, upsert
from server.storage.protocols.held import MESSAGE, HeldNews
from server.storage.protocols.held import to_document as to_held_document
from server.storage.protocols.outbox import MAX_WAITING, News, OutboxMail, UntoldChat, mail_of, to_document

UNTOLD = "untold"
"""A field of a game: the revision that is still to be told; NONE: nothing is. Of a line of chat: 1 until it is told."""


class MongoOutbox:
    """An `OutboxStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._games = database["games"]
        self._outbox = database["outbox"]
        self._held = database["held"]
        self._chat = database["chat"]

    async def untold(self, limit: int) -> Sequence[News]:
        found = await checked(self._games.find({UNTOLD: {"$gte": 0}}, {UNTOLD: 1}).limit(limit).to_list(limit))
        return [News(one["_id"], int(one[UNTOLD])) for one in found]

    async def tell(
        self, news: News, mails: Sequence[OutboxMail], held: Sequence[HeldNews] = (), spared: Collection[str] = ()
    ) -> None:
        marked = {"_id": news.game, UNTOLD: news.rev}
        if await checked(self._games.find_one(marked, {"_id": 1})) is None:
            return
        if mails and await self.waiting() >= MAX_WAITING:
            return
        kept, owner = [mail.id for mail in mails], {"$nin": list(spared)}
        await checked(self._outbox.delete_many({"topic": news.game, "_id": {"$nin": kept}, "owner": owner}))
        await checked(self._held.delete_many({"game": news.game, "owner": owner, "kind": {"$ne": MESSAGE}}))
        for mail in mails:
            await self._insert(mail)
        for one in held:
            await self.hold(one)
        await checked(self._games.update_one(marked, {"$set": {UNTOLD: NONE}}))

    async def unheard(self, limit: int) -> Sequence[UntoldChat]:
        found = await checked(self._chat.find({UNTOLD: 1}).sort("_id", 1).limit(limit).to_list(limit))
        latest = {(one["game"], one["player"]): int(one["at"]) for one in found}
        return [UntoldChat(*whose, at) for whose, at in latest.items()]

    async def tell_said(self, said: UntoldChat, held: Sequence[HeldNews]) -> None:
        marked = {UNTOLD: 1, "game": said.game, "player": said.player, "at": {"$lte": said.at}}
        if await checked(self._chat.find_one(marked, {"_id": 1})) is None:
            return
        for one in held:
            await self.hold(one)
        await checked(self._chat.update_many(marked, {"$set": {UNTOLD: 0}}))

    async def hold(self, news: HeldNews) -> None:
        """See `DigestStore`."""
        await upsert(self._held, to_held_document(news))

    async def put(self, mail: OutboxMail) -> bool:
        if await self.waiting() >= MAX_WAITING:
            return False
        await self._insert(mail)
        return True

    async def _insert(self, mail: OutboxMail) -> None:
        with suppress(Duplicate):
            await insert(self._outbox, dict(to_document(mail)))

    async def waiting(self) -> int:
        return int(await checked(self._outbox.count_documents({})))

    async def due(self, now: int, limit: int) -> Sequence[OutboxMail]:
        wanted = {"next_try": {"$lte": now}}
        found = await checked(self._outbox.find(wanted).sort([("next_try", 1), ("_id", 1)]).limit(limit).to_list(limit))
        return self._damage.readable("outbox", found, mail_of)

    async def claim(self, mail: OutboxMail, next_try: int) -> bool:
        as_seen = {"_id": mail.id, "next_try": mail.next_try, "tries": mail.tries}
        now = {"next_try": next_try, "tries": mail.tries + 1}
        found = await checked(self._outbox.update_one(as_seen, {"$set": now}))
        return bool(found.matched_count)

    async def drop(self, mail_id: str) -> None:
        await checked(self._outbox.delete_many({"_id": mail_id}))

    async def forget(self, owner: str) -> None:
        for collection in (self._outbox, self._held):
            await checked(collection.delete_many({"owner": owner}))


def mark_between(before: Game | None, after: Game) -> dict[str, int]:
    """The mark of a game of which there is news, or that is over, as the write from `before` to `after` sets it."""
    if is_news(before, after):
        return {UNTOLD: after.rev}
    return {UNTOLD: NONE} if after.status is Status.OVER else {}
