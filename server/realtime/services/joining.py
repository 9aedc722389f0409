"""Changes who may join, invitations, and requests for an account. What another process has changed meanwhile is read
again.

`games.joining` decides. Everything here also raises Unreadable and Unavailable.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from server.games.desk import Deed, DeskEntry
from server.games.joining import (
    MOST_INVITATIONS,
    Answer,
    Invitation,
    Joining,
    JoinRequest,
    NotWelcome,
    Place,
    check_invitation,
    check_queue,
    is_same_invitation,
    next_place,
    with_answer,
)
from server.games.player import Player
from server.games.site_settings import with_joining
from server.realtime.runtime.ids import digest
from server.storage.errors import Unavailable
from server.storage.tables.accounts import AccountStore
from server.storage.tables.desk import DeskStore
from server.storage.tables.joining import JoiningStore
from server.storage.tables.site_settings import SiteSettingsStore

BETWEEN_WRITES_MS: Final = 10_000
"""How long another request may need to make the account of a place that it has taken."""
TRIES: Final = 200
"""Attempts before a change gives way to others: a class of 100 may open one invitation at once."""
AT_ONCE: Final = 200


class Stores(Protocol):
    """The stores that a change of these needs."""

    accounts: AccountStore
    desk: DeskStore
    joining: JoiningStore
    site_settings: SiteSettingsStore


async def choose_joining(store: Stores, joining: Joining, by: Player, now: int) -> None:
    """Changes who may join."""
    for _ in range(TRIES):
        before = await store.site_settings.read()
        after = with_joining(before, joining)
        if after == before:
            # Asked for again, perhaps as the first answer was lost.
            await store.site_settings.file_last()
            return
        detail = f"{joining.sign_up} {joining.guests} {joining.question}".strip()
        entry = DeskEntry(f"settings {after.rev:09}", now, by, Deed.JOINING, detail=detail)
        if await store.site_settings.change(before, after, entry):
            return
    raise Unavailable("The settings are changed by others all the time.")


# --- invitations ------------------------------------------------------------------------------------------------------


async def make_invitation(store: Stores, invitation: Invitation) -> None:
    """Stores the invitation; if it exists, nothing changes. Raises NotWelcome, also if another one has its code."""
    if (found := await store.joining.invitation(invitation.code)) is not None:
        if not is_same_invitation(found, invitation):
            raise NotWelcome("invitation_other")
        return
    if await store.joining.count_good(invitation.made) >= MOST_INVITATIONS:
        raise NotWelcome("too_many_invitations", n=MOST_INVITATIONS)
    entry = DeskEntry(
        f"invitation {digest(invitation.code)[:20]}",
        invitation.made,
        invitation.by,
        Deed.INVITED,
        detail=_named(invitation),
    )
    await store.joining.add_invitation(invitation, store.desk.entry_step(entry))


async def revoke_invitation(store: Stores, code: str, by: Player, now: int) -> None:
    """Ends the invitation, if it is not over. Raises NotWelcome if there is none."""
    found = await store.joining.invitation(code)
    if found is None:
        raise NotWelcome("invitation_over")
    entry = DeskEntry(f"revoked {digest(code)[:20]}", now, by, Deed.REVOKED, detail=_named(found))
    await store.joining.end_invitation(code, now, store.desk.entry_step(entry))


def _named(invitation: Invitation) -> str:
    """How the log names an invitation: not by the whole code, as moderators read it for two years."""
    return f"{invitation.code[:4]}… {invitation.note}".strip()


async def take_place(store: Stores, code: str, user: str, name: str, now: int) -> None:
    """Takes a place of the invitation for a person who is about to register as `name` (folded), which is free.

    Trying again takes no second place, even from another guest session whose cookie never reached the browser. Raises
    NotWelcome; Unavailable also while another request may still be making the account of that name.
    """
    for _ in range(TRIES):
        invitation = check_invitation(await store.joining.invitation(code), now)
        taken = await store.joining.places(code)
        if any((one.user, one.name) == (user, name) for one in taken):
            return
        before = await _own_place(store, taken, user, name, now)
        if before is None:
            full = invitation.uses and len(taken) >= invitation.uses
            users = {one.user for one in taken if one.user} if full else set()
            gone = users - set(await store.accounts.names_of(users)) if users else users
            try:
                found = next_place(invitation, taken, gone, now)
            except NotWelcome:
                if await _may_be_theirs(store, taken, name):
                    raise Unavailable("Another request makes an account of this name just now.") from None
                raise
            before = found if isinstance(found, Place) else None
            number = found.number if isinstance(found, Place) else found
        else:
            number = before.number
        if await store.joining.take_place(Place(code, number, user, name, now), before):
            return
    raise Unavailable("This invitation is used by others all the time.")


async def _own_place(store: Stores, taken: Sequence[Place], user: str, name: str, now: int) -> Place | None:
    """The place that this person took before, under another name or in another guest session, if no account was made of
    it, neither by the guest who took it nor under the name it was taken for.
    """
    for one in taken:
        mine = one.user == user or (one.name == name and now - one.at >= BETWEEN_WRITES_MS)
        if mine and not await store.accounts.names_of({one.user}) and await store.accounts.find(one.name) is None:
            return one
    return None


async def _may_be_theirs(store: Stores, taken: Sequence[Place], name: str) -> bool:
    """Was one of these places taken for that name (folded), of which there is no account yet?"""
    return any(one.name == name for one in taken) and await store.accounts.find(name) is None


# --- requests ---------------------------------------------------------------------------------------------------------


async def ask_to_join(store: Stores, request: JoinRequest) -> bool:
    """Stores the request. False: the name is taken, or has a request. Raises NotWelcome: too many wait."""
    if not await store.accounts.is_free(request.name):
        return False
    check_queue(await store.joining.count_waiting(), await store.joining.count_of_network(request.network))
    return await store.joining.add_request(request)


async def answer_request(
    store: Stores, id: str, answer: Answer, by: Player, now: int, reason: str = ""
) -> JoinRequest | None:
    """Answers the request, and returns it; None: it had that answer before. Raises NotWelcome: there is no such
    request, it has another answer, or the name can have no account.
    """
    for _ in range(TRIES):
        found = await store.joining.request(id)
        if found is None:
            raise NotWelcome("no_request")
        after = with_answer(found, answer, by, now, reason)
        if found.answer is not Answer.WAITING:
            await store.desk.record(_entry_of(found))
        if after == found:
            return None
        if answer is Answer.ACCEPTED and not await store.accounts.is_free(found.name):
            raise NotWelcome("name_held", name=found.name)
        if await store.joining.change_request(after, store.desk.entry_step(_entry_of(after))):
            return after
    raise Unavailable("This request is changed by others all the time.")


async def end_request(store: Stores, request: JoinRequest) -> None:
    """Deletes the request at the revision that was read: its person has an account now, or its time is over."""
    answered = request.answer is not Answer.WAITING
    await store.joining.drop_request(request, *([store.desk.entry_step(_entry_of(request))] if answered else []))


async def expire_joining(store: Stores, now: int) -> None:
    """Deletes requests and invitations whose time is over, and requests of people who have an account now."""
    for one in await store.joining.requests(Answer.ACCEPTED, AT_ONCE):
        if await store.accounts.find(one.name) is not None:
            # The process in which they signed in first did not come that far.
            await end_request(store, one)
    while old := await store.joining.old_requests(now, AT_ONCE):
        for one in old:
            await end_request(store, one)
    await store.joining.expire(now)


def _entry_of(request: JoinRequest) -> DeskEntry:
    """The line of the log about its answer. The request carries it, in case a crash keeps it from the log."""
    deed = Deed.ACCEPTED if request.answer is Answer.ACCEPTED else Deed.REFUSED
    key = f"request {request.asked} {request.id} {request.rev}"
    return DeskEntry(key, request.answered, request.by, deed, detail=f"{request.name} {request.reason}".strip())
