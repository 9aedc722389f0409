"""Carries sanctions out: stores each with its line in the log, tells every process, and lets it end in time.

A sanction that shuts a person out also changes the revision of the desk, and a role is given only at the revision at
which its bearer was found free of such sanctions: two decisions at once never make a host of somebody who cannot sign
in. Nothing here knows of requests.
"""

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final

from server.games.desk import Deed, Desk, DeskEntry
from server.games.errors import DecisionRefused, NotAllowed
from server.games.frozen import replace
from server.games.player import Player
from server.games.sanctions import Measure, Sanction, check_appeal, check_sanction, is_same_decision, kept_out_until
from server.realtime.cluster.bus import SanctionsChanged
from server.realtime.lobby import Lobby
from server.realtime.play.command_queue import Busy
from server.realtime.services.desk import TRIES, delete_account
from server.realtime.shared import Services
from server.settings import reader_of
from server.storage.errors import StoreError, Unavailable
from server.storage.stores import Store
from server.storage.tables.accounts import PasswordChanged
from server.storage.tables.addresses import AddressStore
from server.storage.tables.table import Step

log = logging.getLogger(__name__)

READ_EVERY_S: Final = 4.0


class SanctionWatch:
    """The sanctions in force, as this process knows them. `on_shut_out` is called with a person who has been shut out,
    to close their sockets.
    """

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby
        self._reading = asyncio.Lock()
        self._out: frozenset[str] = frozenset()
        self.on_shut_out: Callable[[], Awaitable[None]] | None = None

    async def tell(self) -> None:
        """Has every process read what has been stored. Raises Unavailable."""
        self._services.bus.tell(SanctionsChanged())
        await self.read_sanctions()

    async def load_sanctions(self) -> None:
        """Reads the sanctions in force before the first request. Raises Unavailable. Seeks of people who are shut out
        are withdrawn soon afterwards: the process that should have done it may have died.
        """
        await self._read()

    async def read_sanctions(self) -> None:
        """Reads the sanctions in force from the store. Raises Unavailable."""
        services = self._services
        # One at a time, so that the last to come in is what was read last.
        async with self._reading:
            await self._read()
            out = frozenset(services.sanctions.who_is_shut_out(services.now()))
            new = out - self._out
            if new and self.on_shut_out is not None:
                await self.on_shut_out()
            if new:
                # Whatever stands was made before; nothing of it would find them.
                try:
                    await self._lobby.withdraw_seeks_of_people(new)
                except (Busy, StoreError) as error:
                    log.info("what people seek who are shut out is withdrawn later: %s", error)
                    return
            self._out = out

    async def _read(self) -> None:
        store = self._services.store
        standing = await store.sanctions.standing(self._services.now())
        self._services.sanctions.replace_all(standing, (await store.held_words.read()).words)


async def impose_sanction(
    store: Store,
    sanction: Sanction,
    now: int,
    *written: Step,
    network: str = "",
    block_until: int = 0,
    once: bool = False,
) -> Sanction:
    """Stores a sanction with its line in the log, together with the steps `written` (idempotent), and returns it as it
    stands. Repeating it changes nothing. No new guests are accepted from `network` until `block_until`. `once`: the
    same that was decided before and holds, under whatever id, is it. Raises NotAllowed if `sanction.by` may not impose
    it, Unreadable, Unavailable.
    """
    steps = (
        store.sanctions.add_step(sanction),
        *store.sanctions.block_steps(sanction, network, block_until),
        *written,
    )
    for _ in range(TRIES):
        desk = await store.desk.read()
        if (found := await store.sanctions.find(sanction.id)) is not None:
            # An id comes from a form, and may be that of any other decision.
            if not is_same_decision(found, sanction):
                raise DecisionRefused("sanction_other")
            await store.desk.record(_line_of(found), *steps)
            return found
        others = [one for one in await store.sanctions.of(sanction.person.id) if one.holds(now)]
        if once:
            same = next((one for one in others if is_same_decision(one, sanction)), None)
            if same or (same := await _noted(store, sanction, now)):
                return await impose_sanction(store, same, now, *written, network=network, block_until=block_until)
        check_sanction(sanction, desk, others)
        if await store.desk.change(desk, replace(desk, rev=desk.rev + 1), _line_of(sanction), *steps):
            return sanction
    raise Unavailable("The desk is changed by others all the time.")


def _line_of(sanction: Sanction) -> DeskEntry:
    """Its line in the log."""
    detail = f"{sanction.measure} {sanction.reason} {sanction.until} {sanction.place}".rstrip()
    return DeskEntry(f"sanction {sanction.id}", sanction.at, sanction.by, Deed.SANCTION, sanction.person, detail)


async def _noted(store: Store, sanction: Sanction, now: int) -> Sanction | None:
    """The same decision as the desk has noted it before, if a crash kept it from being stored and it still holds."""
    for line in await store.desk.entries_about(sanction.person.id):
        until = sanction.until and line.at + sanction.until - sanction.at
        noted = replace(sanction, id=line.id.removeprefix("sanction "), at=line.at, until=until)
        if line == _line_of(noted) and noted.holds(now) and await store.sanctions.find(noted.id) is None:
            return noted
    return None


async def lift_sanction(store: Store, sanction: Sanction, by: Player, now: int) -> bool:
    """Lifts a sanction and its block of a network. False: it is over already. Raises NotAllowed, Unavailable."""
    desk = await store.desk.read()
    check_may_lift(sanction, desk, by)
    if sanction.measure is Measure.CLOSE and sanction.until <= now:
        return False
    entry = DeskEntry(
        *(f"lifted {sanction.id}", now, by, Deed.PARDON, sanction.person),
        detail=f"{sanction.measure} {sanction.reason}",
    )
    return await store.sanctions.lift(sanction, now, store.desk.entry_step(entry))


async def keep_sanction(store: Store, sanction: Sanction, by: Player, now: int) -> bool:
    """Rejects the appeal. False: it was decided before. Raises as above."""
    check_may_lift(sanction, await store.desk.read(), by)
    entry = DeskEntry(
        *(f"kept {sanction.id}", now, by, Deed.KEPT, sanction.person), detail=f"{sanction.measure} {sanction.reason}"
    )
    return await store.sanctions.keep(sanction, now, store.desk.entry_step(entry))


def check_may_lift(sanction: Sanction, desk: Desk, by: Player) -> None:
    """Raises NotAllowed if `by` may not decide about that person."""
    check_sanction(replace(sanction, by=by), desk, ())


async def appeal_sanction(store: Store, sanction_id: str, person: str, text: str, now: int) -> None:
    """Stores the appeal of a person (an id) against a sanction of theirs. Raises NotAllowed, Unavailable."""
    own = await store.sanctions.of(person)
    found = next((one for one in own if one.id == sanction_id), None)
    if found is None:
        raise DecisionRefused("appeal_over")
    if found.appealed and found.appeal == text:
        return
    check_appeal(found, text, now, own)
    if not await store.sanctions.appeal(sanction_id, person, text, now):
        raise DecisionRefused("appeal_once")


async def keep_out_deleted(store: Store, person: str, now: int) -> None:
    """Has no other account use the confirmed addresses of a person (an id) who is shut out while their account is
    deleted. Call it before what is stored about them goes; repeating it changes nothing. Raises Unavailable.
    """
    until = kept_out_until(await store.sanctions.of(person), now)
    if until:
        own = [one.address for one in await store.addresses.of(person) if one.confirmed]
        await store.sanctions.keep_out([await mark_of_address(store.addresses, one) for one in own], until)


async def mark_of_address(store: AddressStore, address: str) -> str:
    """The keyed hash of the reader of that address, by which it is kept out. Raises Unavailable."""
    key = await store.signing_key()
    return hmac.new(key, f"kept out {reader_of(address)}".encode(), sha256).hexdigest()[:32]


async def delete_closed_accounts(store: Store, held_for: int, now: int) -> int:
    """Deletes the accounts that were closed long enough ago, and returns their number. Raises Unavailable."""
    deleted = 0
    for one in await store.sanctions.standing(now):
        if one.measure is not Measure.CLOSE or now < one.until:
            continue
        account = await store.accounts.of_user(one.person.id)
        if account is not None:
            try:
                await delete_account(store.desk, store.accounts, account, now + held_for, now, one.by)
            except (NotAllowed, PasswordChanged) as error:
                log.info("the account of %s stays closed, but is there: %s", one.person.id, error)
                continue
            deleted += 1
        # What is left about them goes with the account, a minute later.
    return deleted
