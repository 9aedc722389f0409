"""Joining a site: who may register, what guests may do, invitations, and requests for an account. Pure; no store.

The host chooses registration and guests separately: a site may take no new accounts, and still let guests play by a
friend's link. An invitation is good for a number of people until a certain time. A request names the account and has
its password; the person stays a guest until it is answered, and reads the answer when they sign in.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.errors import NotAllowed
from server.games.frozen import replace
from server.games.player import Player

HOUR_MS: Final = DAY_MS // 24
LONGEST_ANSWER: Final = 1_000
LONGEST_QUESTION: Final = 200
LONGEST_REASON: Final = 300
LONGEST_INVITATION_NOTE: Final = 80
MOST_USES: Final = 100
"""The most people for whom an invitation with a limit is good."""
MOST_HOURS: Final = 366 * 24
"""The longest that an invitation is good."""
MOST_INVITATIONS: Final = 200
"""The most invitations of a site that are good at the same time."""
MOST_REQUESTS: Final = 5_000
"""The most requests that wait for an answer."""
MOST_OF_NETWORK: Final = 60
"""The most of them from one network, a /24 or /48: two classes of a school."""
FEW_OF_NETWORK: Final = 5
"""The same while half of MOST_REQUESTS wait."""
CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters of a code: none that are easily confused on paper."""
CODE_LENGTH: Final = 10
CODE_PATTERN: Final = rf"^[{CODE_LETTERS}]{{{CODE_LENGTH}}}$"
"""A code as it is written in links."""
UNFINISHED_MS: Final = HOUR_MS
"""How long a place is kept for a person who has opened an invitation but not registered yet."""
NOBODY: Final = Player("", "")
NAME_HELD_MS: Final = 30 * DAY_MS
"""How long the name in a rejected request stays reserved."""
REQUEST_KEPT_MS: Final = 90 * DAY_MS
"""How long an unanswered request is kept, and an accepted one whose person has not signed in."""
ENDED_KEPT_MS: Final = 90 * DAY_MS
"""How long an invitation that is over stays listed, with the people who registered by it."""


class NotWelcome(NotAllowed):
    """Joining is refused: this person, this way, or at all. No script has the words: the response says why."""

    area = "problems"


class SignUp(StrEnum):
    """Who may register."""

    OPEN = "open"
    ASKED = "asked"
    INVITED = "invited"
    CLOSED = "closed"


class Guests(StrEnum):
    """What guests may do: everything; play by another person's link; or only watch."""

    ALL = "all"
    LINK = "link"
    NONE = "none"


class Way(StrEnum):
    """What a guest asks for: to play anybody or invite others, to play by another person's link or against the
    computer, or to import games.
    """

    LOBBY = "lobby"
    LINK = "link"
    COMPUTER = "computer"
    IMPORT = "import"


GUESTS_MAY: Final = {
    Guests.ALL: frozenset(Way),
    Guests.LINK: frozenset({Way.LINK, Way.COMPUTER}),
    Guests.NONE: frozenset[Way](),
}


@dataclass(frozen=True, slots=True)
class Joining:
    """The host's choices. `question`: the question to people who request an account; "": the usual one."""

    sign_up: SignUp = SignUp.OPEN
    guests: Guests = Guests.ALL
    question: str = ""


def check_guest(guests: Guests, way: Way) -> None:
    """Raises NotWelcome if guests may not do that."""
    if way not in GUESTS_MAY[guests]:
        raise NotWelcome("guests_only_by_link" if GUESTS_MAY[guests] else "guests_only_watch")


# --- invitations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invitation:
    """Lets `uses` people (0: any number) register from `made` until `until` (ms). `note`: its author's own note about
    it.
    """

    code: str
    note: str
    by: Player
    uses: int
    made: int
    until: int


def is_same_invitation(one: Invitation, other: Invitation) -> bool:
    """Are they what one form asks for, sent twice?"""
    alike = all(getattr(one, name) == getattr(other, name) for name in ("code", "note", "by", "uses"))
    return alike and one.until - one.made == other.until - other.made


@dataclass(frozen=True, slots=True)
class Place:
    """Place `number` of an invitation, which `user` took at `at` (ms) to register as `name` (folded); both are "" once
    that account was deleted.
    """

    code: str
    number: int
    user: str
    name: str
    at: int


def new_code() -> str:
    """A code that nobody can guess."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def invitation_link(address: str, code: str) -> str:
    """The address at which a person joins that site by the invitation."""
    return f"{address}/register?invitation={code}"


def read_code(text: str) -> str:
    """The code that a person typed, perhaps from paper; "" if it cannot be one."""
    code = "".join(sign for sign in text.upper() if sign.isalnum())
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else ""


def written(code: str) -> str:
    """The code as people see it, in two halves."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def check_invitation(invitation: Invitation | None, now: int) -> Invitation:
    """The invitation, if it exists and is not over; `next_place` says if it has a place left. Raises NotWelcome."""
    if invitation is None or not invitation.made <= now < invitation.until:
        raise NotWelcome("invitation_over")
    return invitation


def next_place(invitation: Invitation, taken: Sequence[Place], gone: Collection[str], now: int) -> Place | int:
    """The place for the next person: the number of a new one, or one whose person never registered. `gone`: the users
    without an account. Raises NotWelcome if there is none left.
    """
    number = max((one.number for one in taken), default=0) + 1
    if not invitation.uses or number <= invitation.uses:
        return number
    for one in taken:
        if one.user in gone and now - one.at >= UNFINISHED_MS:
            return one
    raise NotWelcome("invitation_used_up")


# --- requests ---------------------------------------------------------------------------------------------------------


class Answer(StrEnum):
    """The answer to a request."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A request made at `asked` (ms) for an account with the name `name`, whose folded form is `id`.

    `password`: its hash. `words`: the reply to the host's question. `mailbox`: the address for the answer, "" for none,
    in `language`. `network`: the keyed hash of the person's network, "" once it is answered. `by` answered it at
    `answered` (ms), with `reason` for a rejection; `untold`: the answer is still to be mailed. `rev` counts the
    changes.
    """

    id: str
    name: str
    password: str
    words: str
    asked: int
    mailbox: str = ""
    language: str = "en"
    answer: Answer = Answer.WAITING
    by: Player = NOBODY
    answered: int = 0
    reason: str = ""
    network: str = ""
    untold: bool = False
    rev: int = 1


def check_queue(waiting: int, of_network: int) -> None:
    """Raises NotWelcome if too many requests wait, of all or of this network, whose share shrinks when many do."""
    if waiting >= MOST_REQUESTS:
        raise NotWelcome("too_many_requests_to_join")
    if of_network >= (FEW_OF_NETWORK if waiting >= MOST_REQUESTS // 2 else MOST_OF_NETWORK):
        raise NotWelcome("too_many_of_network")


def with_answer(request: JoinRequest, answer: Answer, by: Player, now: int, reason: str = "") -> JoinRequest:
    """The request with this answer; unchanged if it has it already. A rejected request may be accepted later, and no
    other answer changes. Raises NotWelcome.
    """
    if (request.answer, request.reason) == (answer, reason) and request.by == by:
        return request
    if request.answer is not Answer.WAITING and (request.answer, answer) != (Answer.REFUSED, Answer.ACCEPTED):
        raise NotWelcome("request_answered", name=request.name)
    after = replace(request, answer=answer, by=by, answered=now, reason=reason, rev=request.rev + 1)
    return replace(after, network="", untold=bool(request.mailbox))
