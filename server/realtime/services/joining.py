"""Who may join the site, invitations, and requests to join: changes of what the store has, each decided anew whenever
somebody else was quicker. What is decided is `games.joining`'s. All raise Unreadable and Unavailable, too.
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
"""So long the account of a place may still be about to be made by another request."""
TRIES: Final = 200
"""Before a change is given up that others keep overtaking: a class of 100 may open one invitation at once."""
AT_ONCE: Final = 200


class Stores(Protocol):
    """What knows who may join, and who has."""

    accounts: AccountStore
    desk: DeskStore
    joining: JoiningStore
    site_settings: SiteSettingsStore


async def choose_joining(store: Stores, joining: Joining, by: Player, now: int) -> None:
    """Says who may join from now on."""
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
    """Stores it; once it is there, nothing changes. Raises NotWelcome."""
    if await store.joining.invitation(invitation.code) is not None:
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
    """Ends it; nothing if it is over already. Raises NotWelcome: there is none."""
    found = await store.joining.invitation(code)
    if found is None:
        raise NotWelcome("invitation_over")
    entry = DeskEntry(f"revoked {digest(code)[:20]}", now, by, Deed.REVOKED, detail=_named(found))
    await store.joining.end_invitation(code, now, store.desk.entry_step(entry))


def _named(invitation: Invitation) -> str:
    """An invitation in the log, which moderators read for two years: not the whole code."""
    return f"{invitation.code[:4]}… {invitation.note}".strip()


async def take_place(store: Stores, code: str, user: str, name: str, now: int) -> None:
    """Takes a place of the invitation for somebody who is about to make an account of that name (folded), which nobody
    has: one place however often they try, even as another guest, whose cookie never reached them. Raises NotWelcome;
    Unavailable also while the account of that name may still be about to be made by another request.
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
    """The place that they have taken before, under another name or as another guest, if nobody has made an account of
    it: neither who took it nor anybody of the name that it was taken for, who may have been another guest, too.
    """
    for one in taken:
        mine = one.user == user or (one.name == name and now - one.at >= BETWEEN_WRITES_MS)
        if mine and not await store.accounts.names_of({one.user}) and await store.accounts.find(one.name) is None:
            return one
    return None


async def _may_be_theirs(store: Stores, taken: Sequence[Place], name: str) -> bool:
    """Is one of these places for that name (folded), of which there is no account yet?"""
    return any(one.name == name for one in taken) and await store.accounts.find(name) is None


# --- requests ---------------------------------------------------------------------------------------------------------


async def ask_to_join(store: Stores, request: JoinRequest) -> bool:
    """Stores it. False: there is one for that name already, or it is not free. Raises NotWelcome: too many wait."""
    if not await store.accounts.is_free(request.name):
        return False
    check_queue(await store.joining.count_waiting(), await store.joining.count_of_network(request.network))
    return await store.joining.add_request(request)


async def answer_request(
    store: Stores, id: str, answer: Answer, by: Player, now: int, reason: str = ""
) -> JoinRequest | None:
    """The request once `by` has answered it; None: it was answered so before. Raises NotWelcome: there is none, it was
    answered in another way, or nobody can be let in by that name.
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
    """Deletes it as it was read: who made it has an account now, or its time is over."""
    answered = request.answer is not Answer.WAITING
    await store.joining.drop_request(request, *([store.desk.entry_step(_entry_of(request))] if answered else []))


async def expire_joining(store: Stores, now: int) -> None:
    """Deletes the requests and invitations whose time is over, and the requests of people who have an account now."""
    for one in await store.joining.requests(Answer.ACCEPTED, AT_ONCE):
        if await store.accounts.find(one.name) is not None:
            # The process in which they signed in first did not come that far.
            await end_request(store, one)
    while old := await store.joining.old_requests(now, AT_ONCE):
        for one in old:
            await end_request(store, one)
    await store.joining.expire(now)


def _entry_of(request: JoinRequest) -> DeskEntry:
    """The line of its answer, which the request itself has with it, in case a crash kept it from the log."""
    deed = Deed.ACCEPTED if request.answer is Answer.ACCEPTED else Deed.REFUSED
    key = f"request {request.asked} {request.id} {request.rev}"
    return DeskEntry(key, request.answered, request.by, deed, detail=f"{request.name} {request.reason}".strip())
