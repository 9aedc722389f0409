"""The mail addresses of accounts, in MongoDB."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.mongo.driver_errors import checked, insert
from server.storage.protocols.addresses import KEY_BYTES, SIGNING_KEY, MailAddress, address_key, address_of, to_document


class MongoAddresses:
    """An `AddressStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._addresses = database["addresses"]
        self._secrets = database["secrets"]

    async def keep(self, address: MailAddress) -> None:
        await self._write(address, upsert=True)

    async def update(self, before: MailAddress, after: MailAddress) -> bool:
        return await self._write(after, upsert=False)

    async def _write(self, address: MailAddress, upsert: bool) -> bool:
        document = dict(to_document(address))
        key = {"_id": document.pop("_id")}
        found = await checked(self._addresses.update_one(key, {"$set": document}, upsert=upsert))
        return bool(found.matched_count)

    async def of(self, owner: str) -> Sequence[MailAddress]:
        found = await checked(self._addresses.find({"owner": owner}).sort("_id", 1).to_list(None))
        return self._damage.readable("addresses", found, address_of)

    async def drop(self, owner: str, address: str) -> None:
        await checked(self._addresses.delete_many({"_id": address_key(owner, address)}))

    async def forget(self, owner: str) -> None:
        await checked(self._addresses.delete_many({"owner": owner}))

    async def signing_key(self) -> bytes:
        found = await self._find_key()
        if found is None:
            with suppress(Duplicate):
                await insert(self._secrets, {"_id": SIGNING_KEY, "value": secrets.token_hex(KEY_BYTES)})
            found = await self._find_key()
        assert found is not None
        return bytes.fromhex(found["value"])

    async def _find_key(self) -> Any:
        return await checked(self._secrets.find_one({"_id": SIGNING_KEY}))
