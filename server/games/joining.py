"""Who may join a site: who may make an account, what guests may do, invitations, and requests to join. Pure; no store.

A host decides both apart: a site may be closed to new accounts and still let a friend's link lead a guest to a game. An
invitation is good for so many people until a certain time. Who asks to join gives the name and the password that they
will have; they are guests until somebody has answered, and read the answer when they sign in.
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
"""How many people an invitation with a limit is good for at most."""
MOST_HOURS: Final = 366 * 24
"""How long an invitation is good at most."""
MOST_INVITATIONS: Final = 200
"""Invitations of a site that are good at the same time."""
MOST_REQUESTS: Final = 5_000
"""Requests that wait for an answer at the same time."""
MOST_OF_NETWORK: Final = 60
"""The same of one network, a /24 or /48: two classes of a school."""
FEW_OF_NETWORK: Final = 5
"""The same while half of MOST_REQUESTS wait."""
CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that are easily mistaken for one another on paper."""
CODE_LENGTH: Final = 10
CODE_PATTERN: Final = rf"^[{CODE_LETTERS}]{{{CODE_LENGTH}}}$"
"""As it stands in links."""
UNFINISHED_MS: Final = HOUR_MS
"""How long a place is kept for somebody who has opened an invitation and has no account yet."""
NOBODY: Final = Player("", "")
NAME_HELD_MS: Final = 30 * DAY_MS
"""How long the name of somebody who was refused stays theirs."""
REQUEST_KEPT_MS: Final = 90 * DAY_MS
"""How long a request waits for an answer, and an accepted one for its owner."""
ENDED_KEPT_MS: Final = 90 * DAY_MS
"""How long an invitation is listed after its end, with who came by it."""


class NotWelcome(NotAllowed):
    """Somebody may not join, or not in this way, or cannot be let in. No script has the words: the answer says why."""

    area = "problems"


class SignUp(StrEnum):
    """Who may make an account."""

    OPEN = "open"
    ASKED = "asked"
    INVITED = "invited"
    CLOSED = "closed"


class Guests(StrEnum):
    """What people without an account may do: all that there is; take part by the link of somebody else; only watch."""

    ALL = "all"
    LINK = "link"
    NONE = "none"


class Way(StrEnum):
    """What somebody without an account may want: play with whoever is there or ask others in, play by the link of
    somebody else or against the computer, or bring games along.
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
    """What the host has decided. `question`: what who asks to join is asked, "" for the usual words."""

    sign_up: SignUp = SignUp.OPEN
    guests: Guests = Guests.ALL
    question: str = ""


def check_guest(guests: Guests, way: Way) -> None:
    """Raises NotWelcome if people without an account may not do that."""
    if way not in GUESTS_MAY[guests]:
        raise NotWelcome("guests_only_by_link" if GUESTS_MAY[guests] else "guests_only_watch")


# --- invitations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invitation:
    """Lets `uses` people (0: any number) make an account from `made` until `until` (ms). `note`: what whoever made it
    wrote for themselves.
    """

    code: str
    note: str
    by: Player
    uses: int
    made: int
    until: int


@dataclass(frozen=True, slots=True)
class Place:
    """The place with that number of an invitation, which `user` took at `at` (ms) to make an account called `name` (its
    folded form); both "": that account was deleted.
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
    """Where somebody joins the site at that address by that invitation."""
    return f"{address}/register?invitation={code}"


def read_code(text: str) -> str:
    """The code that somebody typed, perhaps from paper; "" if it can be none."""
    code = "".join(sign for sign in text.upper() if sign.isalnum())
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else ""


def written(code: str) -> str:
    """The code as it is shown: in two halves."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def check_invitation(invitation: Invitation | None, now: int) -> Invitation:
    """The invitation, if somebody can still join by it, as long as there is a place left. Raises NotWelcome."""
    if invitation is None or not invitation.made <= now < invitation.until:
        raise NotWelcome("invitation_over")
    return invitation


def next_place(invitation: Invitation, taken: Sequence[Place], gone: Collection[str], now: int) -> Place | int:
    """Where the next one may join: the number of a new place, or one that was taken by somebody who has made no account
    of it. `gone`: who of those has none. Raises NotWelcome if none is left.
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
    """What has become of a request."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """Somebody asked at `asked` (ms) to have an account called `name`, whose folded form is `id`. `password`: its hash.
    `words`: what they said to the host's question. `mailbox`: where they want the answer, "" for nowhere; in which
    `language`.

    `network`: the keyed hash of where they asked from, "" once they have an answer. `by` has answered at `answered`
    (ms), with `reason` to be read by who was refused; `untold`: that is still to be mailed. `rev` counts the changes.
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
    """Raises NotWelcome if nobody can ask any more: so many wait, of all and of their network, which gets a smaller
    share when there are many.
    """
    if waiting >= MOST_REQUESTS:
        raise NotWelcome("too_many_requests_to_join")
    if of_network >= (FEW_OF_NETWORK if waiting >= MOST_REQUESTS // 2 else MOST_OF_NETWORK):
        raise NotWelcome("too_many_of_network")


def with_answer(request: JoinRequest, answer: Answer, by: Player, now: int, reason: str = "") -> JoinRequest:
    """The request once somebody has answered it. Who was refused may be accepted after all; nothing else is answered
    twice. The same request if that is the answer already. Raises NotWelcome.
    """
    if (request.answer, request.reason) == (answer, reason) and request.by == by:
        return request
    if request.answer is not Answer.WAITING and (request.answer, answer) != (Answer.REFUSED, Answer.ACCEPTED):
        raise NotWelcome("request_answered", name=request.name)
    after = replace(request, answer=answer, by=by, answered=now, reason=reason, rev=request.rev + 1)
    return replace(after, network="", untold=bool(request.mailbox))
