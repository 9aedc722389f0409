"""News that people are told later, in MongoDB.

The first item due in a mailbox decides who has claimed all of it: it is changed in one write, which only one server can
make. It is deleted once the mail is in the outbox: a server that stops in between leaves a mail that is written again
under the same id.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked
from server.storage.mongo.mail.outbox import MongoOutbox
from server.storage.protocols.held import MESSAGE, HeldNews, Mailbox, held_of
from server.storage.protocols.outbox import OutboxMail


class MongoDigests:
    """A `DigestStore`."""

    def __init__(self, database: Any, outbox: MongoOutbox, damage: Damage) -> None:
        self._held = database["held"]
        self._outbox = outbox
        self._damage = damage

    async def hold(self, news: HeldNews) -> None:
        await self._outbox.hold(news)

    async def heard(self, owner: str, game: str, address: str | None = None) -> None:
        said = {"game": game, "kind": MESSAGE, "owner": owner}
        await checked(self._held.delete_many(said if address is None else {**said, "address": address}))

    async def ripe(self, now: int, limit: int) -> Sequence[Mailbox]:
        due = self._held.find({"due": {"$lte": now}}, {"owner": 1, "address": 1}).sort("due", 1).limit(limit)
        found = await checked(due.to_list(limit))
        return list(dict.fromkeys(Mailbox(str(one.get("owner")), str(one.get("address"))) for one in found))

    async def claim(self, mailbox: Mailbox, digest: str, now: int, until: int) -> Sequence[HeldNews]:
        theirs = {"owner": mailbox.owner, "address": mailbox.address}
        found = [one for one in await checked(self._held.find(theirs).sort("_id", 1).to_list(None)) if _is_whole(one)]
        due = sorted((one for one in found if one["due"] <= now), key=itemgetter("digest"), reverse=True)
        if not due or any(one["digest"] and one["due"] > now for one in found):
            # Nothing, or somebody is at it.
            return []
        begun = due[0]["digest"]
        claimed = {"$set": {"digest": begun or digest, "due": until}}
        if not await self._changed({"_id": due[0]["_id"], "digest": begun, "due": due[0]["due"]}, claimed):
            return []
        await checked(self._held.update_many({**theirs, "digest": begun, "due": {"$lte": now}}, claimed))
        told = await self._told(begun or digest)
        if not begun:
            games = {"game": {"$in": [one["game"] for one in told]}}
            await checked(self._held.update_many({**theirs, **games, "digest": ""}, claimed))
            told = await self._told(digest)
        return self._damage.readable("held", told, held_of)

    async def _told(self, digest: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await checked(self._held.find({"digest": digest}).sort("_id", 1).to_list(None))
        return found

    async def _changed(self, which: Mapping[str, Any], change: Mapping[str, Any]) -> bool:
        return bool((await checked(self._held.update_one(which, change))).matched_count)

    async def put_off(self, mailbox: Mailbox, now: int, due: int) -> None:
        theirs = {"owner": mailbox.owner, "address": mailbox.address, "due": {"$lte": now}}
        await checked(self._held.update_many(theirs, {"$set": {"due": due}}))

    async def tell(self, digest: str, mail: OutboxMail | None) -> bool:
        if await checked(self._held.find_one({"digest": digest}, {"_id": 1})) is None:
            return True
        if mail is not None and not await self._outbox.put(mail):
            return False
        await checked(self._held.delete_many({"digest": digest}))
        return True


def _is_whole(document: Mapping[str, Any]) -> bool:
    """Does it say when it is due, and who has claimed it?"""
    return isinstance(document.get("due"), int) and isinstance(document.get("digest"), str)
