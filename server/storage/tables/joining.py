"""Stores invitations, the people who registered by them, and requests for an account. Times are ms since the epoch."""

from collections.abc import Sequence
from typing import Final

from server.games.joining import (
    ENDED_KEPT_MS,
    NAME_HELD_MS,
    REQUEST_KEPT_MS,
    Answer,
    Invitation,
    JoinRequest,
    Place,
)
from server.games.player import Player
from server.storage.fields import Fields, FlatRecord, flag, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import OwnedTableStore, Step, Table, at_least, below


def invitation_of(fields: Fields) -> Invitation:
    """The invitation of stored fields. Raises as `fields` says."""
    return Invitation(
        *(text(fields, "_id"), text(fields, "note"), Player(text(fields, "author"), text(fields, "author_name"))),
        *(number(fields, "uses"), instant(fields, "made"), instant(fields, "until")),
    )


def place_of(fields: Fields) -> Place:
    """The place of stored fields. Raises as `fields` says."""
    return Place(
        text(fields, "code"),
        number(fields, "number"),
        text(fields, "owner"),
        text(fields, "name"),
        instant(fields, "at"),
    )


def request_of(fields: Fields) -> JoinRequest:
    """The request of stored fields. Raises as `fields` says."""
    fields = {**JOIN_REQUESTS.added, **fields}  # a node of an earlier release may have written them
    name, password, words = (text(fields, each) for each in ("name", "password", "words"))
    return JoinRequest(
        *(text(fields, "_id"), name, password, words, instant(fields, "asked")),
        mailbox=text(fields, "mailbox"),
        language=text(fields, "language"),
        answer=Answer(text(fields, "answer")),
        by=Player(text(fields, "author"), text(fields, "author_name")),
        answered=instant(fields, "answered"),
        reason=text(fields, "reason"),
        network=text(fields, "network"),
        untold=flag(fields, "untold"),
        rev=number(fields, "rev"),
    )


def _invitation_fields(one: Invitation) -> FlatRecord:
    by: FlatRecord = {"author": one.by.id, "author_name": one.by.name}
    return {"_id": one.code, "note": one.note, "uses": one.uses, "made": one.made, "until": one.until, **by}


def _place_fields(one: Place) -> FlatRecord:
    return {
        "_id": f"{one.code} {one.number}",
        "code": one.code,
        "number": one.number,
        "owner": one.user,
        "name": one.name,
        "at": one.at,
    }


def _request_fields(one: JoinRequest) -> FlatRecord:
    return {
        "_id": one.id,
        "name": one.name,
        "password": one.password,
        "words": one.words,
        "asked": one.asked,
        "mailbox": one.mailbox,
        "language": one.language,
        "answer": one.answer.value,
        "author": one.by.id,
        "author_name": one.by.name,
        "answered": one.answered,
        "reason": one.reason,
        "network": one.network,
        "untold": int(one.untold),
        "rev": one.rev,
    }


INVITATIONS: Final = RecordKind(
    "invitations",
    typed_fields("_id note author author_name #uses #made #until"),
    indexes=("until _id",),
    read=invitation_of,
)
INVITED: Final = RecordKind(
    "invited", typed_fields("_id code #number owner name #at"), indexes=("code number", "owner"), read=place_of
)
JOIN_REQUESTS: Final = RecordKind(
    "join_requests",
    typed_fields(
        "_id name password words #asked mailbox language answer author author_name #answered reason network #untold"
        " #rev"
    ),
    indexes=("answer asked _id", "answer answered _id", "network", "untold answered _id"),
    added={"network": "", "untold": 0},
    read=request_of,
)


class JoiningStore(OwnedTableStore):
    """Invitations, their places, and requests."""

    kinds = (INVITATIONS, INVITED, JOIN_REQUESTS)

    def __init__(self, table: Table, places: Table, requests: Table) -> None:
        super().__init__(table)
        self._places = places
        self._requests = requests

    # --- invitations --------------------------------------------------------------------------------------------------

    async def add_invitation(self, invitation: Invitation, *written: Step) -> None:
        """Stores the invitation, together with the steps `written` (idempotent). Repeating it changes nothing."""
        await self._table.write(*written, self._table.add_if_new_step(_invitation_fields(invitation)))

    async def invitation(self, code: str) -> Invitation | None:
        """The invitation with that code. Raises Unreadable, Unavailable."""
        return await self._table.read_one(invitation_of, code)

    async def invitations(self, limit: int) -> Sequence[Invitation]:
        """All invitations, the last to end first."""
        return await self._table.read(invitation_of, "until- _id-", limit)

    async def count_good(self, now: int) -> int:
        """The number of invitations that are not over."""
        return await self._table.count(until=at_least(now + 1))

    async def end_invitation(self, code: str, now: int, *written: Step) -> bool:
        """Ends the invitation, together with the steps `written` (idempotent). False: it was over already."""
        later = at_least(now + 1)
        if not await self._table.count(_id=code, until=later):
            return False
        await self._table.settle(self._table.set_step({"until": now}, _id=code, until=later), *written)
        return True

    async def places(self, *codes: str) -> Sequence[Place]:
        """The places taken by those invitations, each invitation's first place first."""
        return await self._places.read(place_of, "code number", code=frozenset(codes))

    async def take_place(self, place: Place, instead_of: Place | None = None) -> bool:
        """Stores that the place is taken, if it still belongs to `instead_of`. False: another request was quicker."""
        if instead_of is None:
            return await self._places.add_if_new(_place_fields(place))
        to: FlatRecord = {"owner": place.user, "name": place.name, "at": place.at}
        key = f"{place.code} {place.number}"
        return await self._places.set(to, _id=key, owner=instead_of.user, name=instead_of.name, at=instead_of.at) > 0

    async def forget(self, owner: str) -> None:
        """Keeps the person's places taken, but no longer says by whom."""
        await self._places.set({"owner": "", "name": ""}, owner=owner)

    # --- requests -----------------------------------------------------------------------------------------------------

    async def request(self, id: str) -> JoinRequest | None:
        """The request for the name with this folded form. Raises Unreadable, Unavailable."""
        return await self._requests.read_one(request_of, id)

    async def requests(self, answer: Answer, limit: int) -> Sequence[JoinRequest]:
        """The requests with that answer: the open ones oldest first, the others by the newest answer."""
        order = "asked _id" if answer is Answer.WAITING else "answered- _id-"
        return await self._requests.read(request_of, order, limit, answer=answer.value)

    async def count_waiting(self) -> int:
        """The number of open requests."""
        return await self._requests.count(answer=Answer.WAITING.value)

    async def count_of_network(self, network: str) -> int:
        """The number of open requests from that network; 0 for "", which is none."""
        return await self._requests.count(network=network) if network else 0

    async def untold(self, limit: int) -> Sequence[JoinRequest]:
        """Some requests whose answer is still to be mailed, the oldest first."""
        return await self._requests.read(request_of, "answered _id", limit, untold=1)

    async def note_told(self, request: JoinRequest) -> None:
        """Records that the answer was mailed, unless the request has another one by now."""
        await self._requests.set({"untold": 0}, _id=request.id, rev=request.rev)

    async def add_request(self, request: JoinRequest) -> bool:
        """Stores the request. False: there is one for that name already."""
        return await self._requests.add_if_new(_request_fields(request))

    async def change_request(self, after: JoinRequest, *written: Step) -> bool:
        """Stores `after` in place of the revision before it, and then the steps `written` (idempotent). False: another
        write was quicker.
        """
        return await self._requests.write_if(self._requests.replace_step(_request_fields(after)), *written)

    async def drop_request(self, request: JoinRequest, *written: Step) -> None:
        """Deletes the request at the revision that was read, together with the steps `written` (idempotent)."""
        await self._requests.settle(self._requests.delete_step(_id=request.id, rev=request.rev), *written)

    async def old_requests(self, now: int, limit: int) -> Sequence[JoinRequest]:
        """Some of the requests whose time is over."""
        long_ago, read = below(now - REQUEST_KEPT_MS), self._requests.read
        return [
            *await read(request_of, limit=limit, answer=Answer.WAITING.value, asked=long_ago),
            *await read(request_of, limit=limit, answer=Answer.ACCEPTED.value, answered=long_ago),
            *await read(request_of, limit=limit, answer=Answer.REFUSED.value, answered=below(now - NAME_HELD_MS)),
        ]

    async def expire(self, now: int) -> None:
        """Deletes the invitations that ended long ago, with their places."""
        for one in await self._table.read(invitation_of, until=below(now - ENDED_KEPT_MS)):
            await self._places.delete(code=one.code)
            await self._table.delete(_id=one.code)
