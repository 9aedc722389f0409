"""The mail addresses of accounts, in a store. Nobody but their owner is ever shown one.

An address is in effect from the day its owner confirms it until mail cannot be delivered there. All times are ms since
the epoch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Final

from server.storage.fields import Fields, FlatRecord, flat, instant, text
from server.storage.record_kinds import ADDRESSES
from server.storage.tables.table import OwnedTableStore, Table

NEVER: Final = 0
"""The time of what has not happened."""
SIGNING_KEY: Final = "links"
KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class MailAddress:
    """An address of the user `owner`, as it is written to; `language`: in which.

    `confirmed`: when its owner opened a link that was sent there. `refused`: when it was given up, as mail cannot be
    delivered there. `bounced`: when a mail to it failed for good, and which, if that was no reason to give it up
    (`server.mail.failures`). `wishes`: what to tell there and how often, such as ("turn:at_once",). `letters`:
    whose letters the pieces have in mails there, "" for the site's own.
    """

    owner: str
    address: str
    language: str
    added: int
    confirmed: int = NEVER
    refused: int = NEVER
    bounced: int = NEVER
    bounced_mail: str = ""
    wishes: tuple[str, ...] = ()
    letters: str = ""

    @property
    def in_effect(self) -> bool:
        """May anything but the link that confirms it be sent there?"""
        return self.confirmed != NEVER and self.refused == NEVER


class AddressStore(OwnedTableStore):
    """Mail addresses, and the secret with which the links in mails are signed."""

    def __init__(self, table: Table, secrets: Table) -> None:
        super().__init__(table)
        self._secrets = secrets

    async def keep(self, address: MailAddress) -> None:
        """Stores an address of an owner, instead of what was stored of the same."""
        await self._table.put(to_document(address))

    async def update(self, before: MailAddress, after: MailAddress) -> bool:
        """Stores `after` if the owner still has the address; False if it was removed."""
        return await self._table.set(flat(after), _id=address_key(before.owner, before.address)) > 0

    async def of(self, owner: str) -> Sequence[MailAddress]:
        """The addresses of `owner`, in the order of the alphabet."""
        return await self._table.read(address_of, "_id", owner=owner)

    async def drop(self, owner: str, address: str) -> None:
        """Deletes an address; does nothing if it is gone."""
        await self._table.delete(_id=address_key(owner, address))

    async def signing_key(self) -> bytes:
        """KEY_BYTES secret bytes to sign the links in mails with: the same on all nodes, made at first use."""
        if not (found := await self._secrets.find(_id=SIGNING_KEY)):
            await self._secrets.add_if_new({"_id": SIGNING_KEY, "value": token_hex(KEY_BYTES)})
            found = await self._secrets.find(_id=SIGNING_KEY)
        return bytes.fromhex(text(found[0], "value"))


def address_key(owner: str, address: str) -> str:
    """The key of the only record of this address of `owner`."""
    return f"{owner} {address}"


def to_document(address: MailAddress) -> FlatRecord:
    """The address as a record."""
    return {"_id": address_key(address.owner, address.address), **flat(address)}


def address_of(document: Fields) -> MailAddress:
    """The address of a document. Raises as `fields` says."""
    document = {**ADDRESSES.added, **document}
    return MailAddress(
        owner=text(document, "owner"),
        address=text(document, "address"),
        language=text(document, "language"),
        added=instant(document, "added"),
        confirmed=instant(document, "confirmed"),
        refused=instant(document, "refused"),
        bounced=instant(document, "bounced"),
        bounced_mail=text(document, "bounced_mail"),
        wishes=tuple(text(document, "wishes").split()),
        letters=text(document, "letters"),
    )
