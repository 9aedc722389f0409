"""Changes of the host's desk: decided anew whenever somebody else was quicker, so that none is lost and the last host
stays. What is decided is `games.desk`'s.
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
from server.games.errors import DecisionRefused, NotAllowed
from server.games.player import DELETED_NAME, Player
from server.games.sanctions import SHUT_OUT
from server.realtime.runtime.ids import digest
from server.storage.errors import Unavailable
from server.storage.tables.accounts import Account, AccountStore, PasswordChanged
from server.storage.tables.desk import DeskStore
from server.storage.tables.sanctions import SanctionStore

TRIES: Final = 20
"""Before a change is given up that others keep overtaking."""


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
    """Stores what `decide` makes of the desk, with its line in the log, and returns it. `say`: the line's detail, from
    the desk as it was. `check` looks, after the desk was read, for what changes only with it. Raises what these do, and
    Unreadable, Unavailable.
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
    """From now on the code with the SHA-256 `claim` makes who gives it a host, once."""
    await change_desk(store, partial(with_claim, claim=claim, now=now), by, now, Deed.CLAIM, say=lambda _: "made")


async def use_claim(store: DeskStore, sanctions: SanctionStore, code: str, by: Player, now: int) -> None:
    """Makes `by` a host, if the code is good. Raises NotAllowed, also for somebody who is shut out."""

    def decide(desk: Desk) -> Desk:
        return claimed(desk, by.id, digest(code), now)

    check = partial(_check_comes_in, sanctions, by, now)
    await change_desk(store, decide, by, now, Deed.CLAIM, whom=by, say=lambda _: "used", check=check)


async def _check_comes_in(sanctions: SanctionStore, whom: Player, now: int) -> None:
    """Raises DecisionRefused if they are shut out, and could not use a role; Unavailable."""
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
    """Gives a person that role, or none. `check` as in `change_desk`. Raises NotAllowed if nobody would be host any
    more, or `by` is a person who is no host (any more).
    """

    def decide(desk: Desk) -> Desk:
        if by.id and desk.role_of(by.id) is not Role.HOST:
            raise NotAllowed("no_host_any_more")
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
    """The same for the owner of an account, which may be deleted meanwhile: then the role goes with it. Raises
    NotAllowed also for a role for somebody who is shut out, as they could not use it.
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
    """Deletes an account and its role at the desk, as `by` has decided, which may be its owner. Raises NotAllowed: the
    last host; PasswordChanged, Unavailable.

    The role goes last, so that whoever stays, as the store was away, has it still. Who dies in between leaves it to the
    merge of the account, which takes it away, too.
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
    """Takes away the role of somebody whose account is gone, deleted by `by` (None: themselves). Raises
    NotAllowed if they are the last host: somebody has given them that role again meanwhile.
    """

    def decide(desk: Desk) -> Desk:
        return desk if desk.role_of(whom.id) is None else with_role(desk, whom.id, None)

    await change_desk(store, decide, by or whom, now, Deed.LEFT, whom=whom, say=lambda desk: str(desk.role_of(whom.id)))


async def drop_role_of_deleted(store: DeskStore, person: str, now: int) -> None:
    """Takes away the role of somebody (an id) whose account is gone, if the process that deleted it died before."""
    if (await store.read()).role_of(person) is None:
        await store.file_last()
        return
    known = [one.whom for one in await store.entries_about(person) if one.whom.id == person]
    with suppress(NotAllowed):
        await leave_desk(store, known[-1] if known else Player(person, DELETED_NAME), now)
