"""Changes the host's desk. Each change is decided again if another write was quicker, so that none is lost and the last
host stays.

`games.desk` decides.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from server.games.desk import (
    NOBODY,
    Deed,
    Desk,
    DeskEntry,
    Role,
    about_to_leave,
    claimed,
    staying,
    with_claim,
    with_role,
)
from server.games.errors import DecisionRefused, FormRefused, NotAllowed
from server.games.player import DELETED_NAME, Player
from server.games.sanctions import SHUT_OUT
from server.realtime.runtime.ids import digest
from server.storage.errors import Unavailable
from server.storage.tables.accounts import Account, AccountStore, PasswordChanged
from server.storage.tables.desk import DeskStore
from server.storage.tables.sanctions import SanctionStore

TRIES: Final = 20
"""Attempts before a change gives way to others."""


async def change_desk(
    store: DeskStore,
    decide: Callable[[Desk], Desk],
    by: Player,
    now: int,
    deed: Deed,
    *,
    whom: Player = NOBODY,
    say: Callable[[Desk], str] = lambda _: "",
    check: Callable[[], Awaitable[None]] | None = None,
) -> Desk:
    """Stores the desk that `decide` makes, with its line in the log, and returns it.

    `say`: the line's detail, from the desk before. `check`: verifies, after the desk was read, what never changes
    without it. Raises what these raise, Unreadable and Unavailable.
    """
    for _ in range(TRIES):
        before = await store.read()
        if check is not None:
            await check()
        try:
            after = decide(before)
        except NotAllowed:
            await store.file_last()
            raise
        if after == before:
            # Who repeats what was stored, or is told that it is done, completes the log.
            await store.file_last()
            return before
        if await store.change(before, after, DeskEntry(f"desk {after.rev:09}", now, by, deed, whom, say(before))):
            return after
    raise Unavailable("The desk is changed by others all the time.")


async def make_claim(store: DeskStore, claim: str, by: Player, now: int) -> None:
    """Makes the code with the SHA-256 `claim` good for making one person host."""
    await change_desk(store, partial(with_claim, claim=claim, now=now), by, now, Deed.CLAIM, say=lambda _: "made")


async def use_claim(store: DeskStore, sanctions: SanctionStore, code: str, by: Player, now: int) -> None:
    """Makes `by` a host, if the code is good. Raises NotAllowed, also for a person who is shut out."""

    def decide(desk: Desk) -> Desk:
        return claimed(desk, by.id, digest(code), now)

    check = partial(_check_comes_in, sanctions, by, now)
    await change_desk(store, decide, by, now, Deed.CLAIM, whom=by, say=lambda _: "used", check=check)


async def _check_comes_in(sanctions: SanctionStore, whom: Player, now: int) -> None:
    """Raises DecisionRefused if the person is shut out and could not use a role; Unavailable."""
    if any(one.measure in SHUT_OUT and one.holds(now) for one in await sanctions.of(whom.id)):
        raise DecisionRefused("role_shut_out")


async def give_role(
    store: DeskStore,
    whom: Player,
    role: Role | None,
    by: Player,
    now: int,
    check: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Gives a person that role, or none. `check` as in `change_desk`. Raises NotAllowed if no host would be left, or if
    `by` is a person and not a host (any more).
    """

    def decide(desk: Desk) -> Desk:
        if by.id and desk.role_of(by.id) is not Role.HOST:
            raise FormRefused("no_host_any_more")
        same = desk.role_of(whom.id) == role and whom.id not in desk.leaving
        return desk if same else with_role(desk, whom.id, role)

    def say(before: Desk) -> str:
        return f"{before.role_of(whom.id) or '-'} {role or '-'}"

    await change_desk(store, decide, by, now, Deed.ROLE, whom=whom, say=say, check=check)


async def give_role_to_account(
    desk: DeskStore,
    accounts: AccountStore,
    sanctions: SanctionStore,
    account: Account,
    role: Role | None,
    by: Player,
    now: int,
) -> None:
    """Gives the owner of an account that role, or none. If the account is deleted meanwhile, the role goes with it.
    Raises NotAllowed also for a role for a person who is shut out and could not use it.
    """
    whom = Player(account.user, account.name)
    check = None if role is None else partial(_check_comes_in, sanctions, whom, now)
    await give_role(desk, whom, role, by, now, check)
    if role is not None and await accounts.of_user(account.user) is None:
        with suppress(NotAllowed):
            await leave_desk(desk, whom, now)


async def delete_account(
    desk: DeskStore, accounts: AccountStore, account: Account, held_until: int, now: int, by: Player
) -> None:
    """Deletes an account and its role at the desk, as `by` has decided, perhaps its owner. Raises NotAllowed for the
    last host; PasswordChanged, Unavailable.

    The role goes last: if the store fails, the person who stays still has it. If the process dies in between, the merge
    of the account takes the role away.
    """
    whom = Player(account.user, account.name)
    if (await desk.read()).role_of(whom.id) is not None:
        await _change_leaving(desk, whom, now, about_to_leave, Deed.LEAVES, by)
    try:
        await accounts.delete(account, held_until)
    except PasswordChanged:
        await _change_leaving(desk, whom, now, staying, Deed.STAYS, by)
        raise
    # The account is gone, whatever becomes of this.
    with suppress(NotAllowed, Unavailable):
        await leave_desk(desk, whom, now, by)


async def _change_leaving(
    store: DeskStore, whom: Player, now: int, change: Callable[[Desk, str], Desk], deed: Deed, by: Player
) -> None:
    await change_desk(store, lambda desk: change(desk, whom.id), by, now, deed, whom=whom)


async def leave_desk(store: DeskStore, whom: Player, now: int, by: Player | None = None) -> None:
    """Takes away the role of a deleted account; `by` deleted it (None: its owner). Raises NotAllowed if it is the last
    host's: somebody gave them the role again meanwhile.
    """

    def decide(desk: Desk) -> Desk:
        return desk if desk.role_of(whom.id) is None else with_role(desk, whom.id, None)

    await change_desk(store, decide, by or whom, now, Deed.LEFT, whom=whom, say=lambda desk: str(desk.role_of(whom.id)))


async def drop_role_of_deleted(store: DeskStore, person: str, now: int) -> None:
    """Takes away the role of a deleted account (a user id), if the process that deleted it died before doing so."""
    if (await store.read()).role_of(person) is None:
        await store.file_last()
        return
    known = [one.whom for one in await store.entries_about(person) if one.whom.id == person]
    with suppress(NotAllowed):
        await leave_desk(store, known[-1] if known else Player(person, DELETED_NAME), now)
