"""The host's desk: who has a role at it, the link that makes somebody host, and what was done there. Pure; no store.

A site has no host until somebody opens a link that only who runs the server can make, and works without one. Once there
is a host there is always one: the last cannot lose the role. Everything that is done at the desk, or by the host's
commands, is written down, with who did it.
"""

import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.errors import NotAllowed
from server.games.frozen import replace
from server.games.player import Player

CLAIM_KEPT_MS: Final = 3_600_000
"""How long the link that makes somebody host is good."""
MOST_ROLES: Final = 200
"""People who have a role at one site."""


class Role(StrEnum):
    """A host may do everything at the desk."""

    HOST = "host"
    MODERATOR = "moderator"
    ORGANISER = "organiser"


class Room(StrEnum):
    """A page of the desk."""

    REPORTS = "reports"
    PEOPLE = "people"
    CHATS = "chats"
    JOINING = "joining"
    NOTICE = "notice"
    SETTINGS = "settings"
    SITE = "site"
    ROLES = "roles"
    LOG = "log"


ROOMS: Final = {
    Role.HOST: tuple(Room),
    Role.MODERATOR: (Room.REPORTS, Room.PEOPLE, Room.CHATS, Room.JOINING, Room.LOG),
    Role.ORGANISER: (Room.NOTICE,),
}
"""What each role has, in the order in which the desk shows it."""


class Deed(StrEnum):
    """What can be done at the desk, or was asked for on the command line."""

    CLAIM = "claim"
    ROLE = "role"
    REPORT = "report"
    NOTICE = "notice"
    NOTICE_REMOVED = "notice_removed"
    RESTART = "restart"
    JOINING = "joining"
    INVITED = "invited"
    REVOKED = "revoked"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    SETTINGS = "settings"
    LEAVES = "leaves"
    STAYS = "stays"
    LEFT = "left"
    EXPORTED = "exported"
    CORRECTED = "corrected"
    DELETED = "deleted"
    COMMAND = "command"
    SANCTION = "sanction"
    PARDON = "pardon"
    KEPT = "kept"
    HELD_WORDS = "held_words"
    SITE = "site"


NOBODY: Final = Player("", "")


@dataclass(frozen=True, slots=True)
class DeskEntry:
    """A line of the log: `by` did it at `at` (ms since the epoch). The same deed, repeated, has the same `id`.

    By a command: `by` has no id, and is called as the user who typed it. `whom`: NOBODY if it is about nobody.
    """

    id: str
    at: int
    by: Player
    deed: Deed
    whom: Player = NOBODY
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """`roles`: by the id of their bearer. `claim`: the SHA-256 of the code in the link that makes somebody host, good
    until `claim_until` (ms); "": there is none. `rev` counts the changes; 0: nothing has been stored yet.

    `leaving`: whose account is about to be deleted. They keep their role until it is, but nobody may rely on them as a
    host: of two who leave at once one is refused.
    """

    roles: tuple[tuple[str, Role], ...] = ()
    claim: str = ""
    claim_until: int = 0
    rev: int = 0
    leaving: frozenset[str] = frozenset()

    def role_of(self, person: str) -> Role | None:
        """The role of a person (an id)."""
        return dict(self.roles).get(person)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Who is host and stays."""
        return tuple(person for person, role in self.roles if role is Role.HOST and person not in self.leaving)


def with_claim(desk: Desk, claim: str, now: int) -> Desk:
    """The desk with a new link from `now` on, in place of the one before."""
    return replace(desk, claim=claim, claim_until=now + CLAIM_KEPT_MS, rev=desk.rev + 1)


def claimed(desk: Desk, person: str, claim: str, now: int) -> Desk:
    """The desk with that person as a host; the link is used up. Raises NotAllowed if it is another one, or too old."""
    if not desk.claim or not hmac.compare_digest(desk.claim, claim) or now >= desk.claim_until:
        raise NotAllowed("claim_over")
    # Even if too many have roles: by this link a site is taken back.
    return replace(_with_role(desk, person, Role.HOST), claim="", claim_until=0)


def with_role(desk: Desk, person: str, role: Role | None) -> Desk:
    """The desk with that role for the person, None for no role. Raises NotAllowed if nobody would be host any more, or
    too many have roles.
    """
    after = _with_role(desk, person, role)
    if desk.hosts and not after.hosts:
        raise NotAllowed("last_host")
    if len(after.roles) > MOST_ROLES:
        raise NotAllowed("too_many_roles", n=MOST_ROLES)
    return after


def about_to_leave(desk: Desk, person: str) -> Desk:
    """The desk once that person's account is about to be deleted. Raises NotAllowed if they are the last host."""
    if desk.role_of(person) is None or person in desk.leaving:
        return desk
    if desk.hosts == (person,):
        raise NotAllowed("last_host")
    return replace(desk, leaving=desk.leaving | {person}, rev=desk.rev + 1)


def staying(desk: Desk, person: str) -> Desk:
    """The desk once that person's account stays after all."""
    return replace(desk, leaving=desk.leaving - {person}, rev=desk.rev + 1) if person in desk.leaving else desk


def _with_role(desk: Desk, person: str, role: Role | None) -> Desk:
    others = tuple(one for one in desk.roles if one[0] != person)
    roles = others if role is None else (*others, (person, role))
    return replace(desk, roles=roles, leaving=desk.leaving - {person}, rev=desk.rev + 1)
