"""The mail addresses of accounts, and which strangers want no invitations by mail, in a store.

Nobody but their owner is shown an address, and hosts who correct one for them. Of strangers' addresses only marks are
kept.

An address is in effect from the day its owner confirms it until mail cannot be delivered there. All times are ms since
the epoch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Final

from server.storage.errors import Unavailable
from server.storage.fields import Fields, FlatRecord, flat, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import OwnedTableStore, Table, TableStore

NEVER: Final = 0
"""The time of what has not happened."""
SIGNING_KEY: Final = "links"
KEY_BYTES: Final = 32
MOST_ADDRESSES: Final = 5
"""Addresses of one account."""
TRIES: Final = 8
"""Before a change of an address is given up that others change all the time."""


@dataclass(frozen=True, slots=True)
class MailAddress:
    """An address of the user `owner`, as it is written to; `language`: in which.

    `confirmed`: when its owner opened a link that was sent there. `refused`: when it was given up, as mail cannot be
    delivered there. `bounced`: when a mail to it failed for good, and which, if that was no reason to give it up
    (`server.mail.delivery`). `wishes`: what to tell there and how often, such as ("turn:at_once",). `letters`:
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


ADDRESSES: Final = RecordKind(
    "addresses",
    typed_fields("_id owner address language #added #confirmed #refused wishes letters #bounced bounced_mail"),
    added={"letters": "", "bounced": 0, "bounced_mail": ""},
    indexes=("owner",),
    read=address_of,
    people=("owner",),
)
SECRETS: Final = RecordKind(
    "secrets", typed_fields("name value"), read=lambda secret: bytes.fromhex(text(secret, "value"))
)


class AddressStore(OwnedTableStore):
    """Mail addresses, and the secret with which the links in mails are signed."""

    kinds = (ADDRESSES, QUOTAS, SECRETS)

    def __init__(self, table: Table, quotas: Table, secrets: Table) -> None:
        super().__init__(table)
        self._quotas = QuotaStore(quotas)
        self._secrets = secrets

    async def add(self, address: MailAddress) -> bool:
        """Stores a new address of an owner; one that is there stays as it is. False: they have MOST_ADDRESSES."""
        key = address_key(address.owner, address.address)
        new = await self._table.add_if_new(to_document(address))
        quota = Quota(address.owner, "addresses", MOST_ADDRESSES)
        return await self._quotas.admit_record(
            quota, self._table, key, address.added, "added _id", new=new, owner=address.owner
        )

    async def change(
        self, owner: str, address: str, decide: Callable[[MailAddress], MailAddress]
    ) -> MailAddress | None:
        """Stores what `decide` makes of an address as it is now, and returns it; None: its owner has removed it.

        Only the fields that differ are written, if they are still what `decide` saw: whatever is changed at the same
        time counts, too.
        """
        key = address_key(owner, address)
        for _ in range(TRIES):
            before = next(iter(await self._table.read(address_of, _id=key)), None)
            if before is None:
                return None
            after = decide(before)
            was, becomes = flat(before), flat(after)
            changed = {name: value for name, value in becomes.items() if value != was[name]}
            if not changed or await self._table.set(changed, _id=key, **{name: was[name] for name in changed}):
                return after
        raise Unavailable("This address is changed by others all the time.")

    async def of(self, owner: str) -> Sequence[MailAddress]:
        """The addresses of `owner`, in the order of the alphabet."""
        return await self._table.read(address_of, "_id", owner=owner)

    async def put_in_place_of(self, before: MailAddress, address: MailAddress) -> None:
        """Stores a new address of the same owner, and deletes `before`: in this order, so that they never have none."""
        new, old = to_document(address), address_key(before.owner, before.address)
        await self._table.write(self._table.add_if_new_step(new), self._table.delete_step(_id=old))

    async def drop(self, owner: str, address: str) -> None:
        """Deletes an address; does nothing if it is gone."""
        await self._table.delete(_id=address_key(owner, address))

    async def signing_key(self) -> bytes:
        """KEY_BYTES secret bytes to sign the links in mails with: the same on all nodes, made at first use."""
        if not (found := await self._secrets.find(_id=SIGNING_KEY)):
            await self._secrets.add_if_new({"_id": SIGNING_KEY, "value": token_hex(KEY_BYTES)})
            found = await self._secrets.find(_id=SIGNING_KEY)
        return bytes.fromhex(text(found[0], "value"))


UNWANTED_MAIL: Final = RecordKind("unwanted_mail", typed_fields("_id #at"), read=lambda mark: instant(mark, "at"))


class UnwantedMailStore(TableStore):
    """Marks of the addresses whose owners want no invitations by mail."""

    kinds = (UNWANTED_MAIL,)

    async def add(self, mark: str, at: int) -> None:
        """Notes that the owner of the address with that mark wants none, since `at` (ms)."""
        await self._table.add_if_new({"_id": mark, "at": at})

    async def is_unwanted(self, mark: str) -> bool:
        """Has its owner said so?"""
        return bool(await self._table.find(_id=mark))
