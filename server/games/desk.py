"""The host's desk: who has a role, the link that makes a person host, and the log. Pure; no store.

A site has no host until somebody opens a link that only the person who runs the server can make, and it works without
one. Once there is a host there always is: the last one cannot lose the role. Everything done at the desk, or by the
host's commands, is logged with its author.
"""

import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.errors import FormRefused
from server.games.frozen import replace
from server.games.player import Player

CLAIM_KEPT_MS: Final = 3_600_000
"""How long a link that makes its reader host is good."""
MOST_ROLES: Final = 200
"""The most people with a role at one site."""


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
"""The rooms of each role, in the order in which the desk shows them."""


class Deed(StrEnum):
    """An action at the desk or on the command line, as the log names it."""

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

DEEDS_BY_SUBJECT: Final = {
    "people": (Deed.SANCTION, Deed.PARDON, Deed.KEPT),
    "reports": (Deed.REPORT,),
    "joining": (Deed.JOINING, Deed.INVITED, Deed.REVOKED, Deed.ACCEPTED, Deed.REFUSED),
    "roles": (Deed.CLAIM, Deed.ROLE, Deed.LEAVES, Deed.STAYS, Deed.LEFT),
    "data": (Deed.EXPORTED, Deed.CORRECTED, Deed.DELETED),
    "settings": (Deed.SETTINGS, Deed.HELD_WORDS),
    "notice": (Deed.NOTICE, Deed.NOTICE_REMOVED, Deed.RESTART),
    "site": (Deed.SITE,),
    "command": (Deed.COMMAND,),
}
"""What the log can be looked through for; each deed is in one of them."""


@dataclass(frozen=True, slots=True)
class DeskEntry:
    """A line of the log: `by` did it at `at` (ms since the epoch). The same deed, repeated, has the same `id`. For a
    command, `by` has no id and the name of the system user. `whom`: NOBODY if it is about nobody.
    """

    id: str
    at: int
    by: Player
    deed: Deed
    whom: Player = NOBODY
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LogSearch:
    """Which lines of the log: by and about whom, NOBODY for anybody, without an id whoever was called so; of which
    deeds, none for all; done at `since` or later (ms).
    """

    by: Player = NOBODY
    about: Player = NOBODY
    deeds: frozenset[Deed] = frozenset()
    since: int = 0

    def finds(self, entry: DeskEntry) -> bool:
        """Is that line one of them?"""
        return (
            _is_meant(self.by, entry.by)
            and _is_meant(self.about, entry.whom)
            and (not self.deeds or entry.deed in self.deeds)
            and entry.at >= self.since
        )


def _is_meant(wanted: Player, found: Player) -> bool:
    return wanted.id == found.id if wanted.id else wanted.name in ("", found.name)


@dataclass(frozen=True, slots=True)
class Desk:
    """`roles`: by user id. `claim`: the SHA-256 of the code in the link that makes its reader host, good until
    `claim_until` (ms); "": there is none. `rev` counts the changes; 0: nothing is stored yet.

    `leaving`: people whose accounts are about to be deleted. They keep their role until then, but no longer count as
    hosts, so that of two hosts who leave at once one is refused.
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
        """The hosts who are not leaving."""
        return tuple(person for person, role in self.roles if role is Role.HOST and person not in self.leaving)


def with_claim(desk: Desk, claim: str, now: int) -> Desk:
    """The desk with a new link from `now` on, which replaces the one before; the same link stays as it is."""
    if desk.claim == claim:
        return desk
    return replace(desk, claim=claim, claim_until=now + CLAIM_KEPT_MS, rev=desk.rev + 1)


def claimed(desk: Desk, person: str, claim: str, now: int) -> Desk:
    """The desk with that person as host and the link used up. Raises NotAllowed if it is not the link of this code, or
    too old.
    """
    if not desk.claim or not hmac.compare_digest(desk.claim, claim) or now >= desk.claim_until:
        raise FormRefused("claim_over")
    # Even if too many have roles: by this link a site is taken back.
    return replace(_with_role(desk, person, Role.HOST), claim="", claim_until=0)


def with_role(desk: Desk, person: str, role: Role | None) -> Desk:
    """The desk with that role for the person, None for no role. Raises NotAllowed if no host would be left, or too many
    people have roles.
    """
    after = _with_role(desk, person, role)
    if desk.hosts and not after.hosts:
        raise FormRefused("last_host")
    if len(after.roles) > MOST_ROLES:
        raise FormRefused("too_many_roles", n=MOST_ROLES)
    return after


def about_to_leave(desk: Desk, person: str) -> Desk:
    """The desk with that person leaving. Raises NotAllowed if they are the last host."""
    if desk.role_of(person) is None or person in desk.leaving:
        return desk
    if desk.hosts == (person,):
        raise FormRefused("last_host")
    return replace(desk, leaving=desk.leaving | {person}, rev=desk.rev + 1)


def staying(desk: Desk, person: str) -> Desk:
    """The desk with that person staying after all."""
    return replace(desk, leaving=desk.leaving - {person}, rev=desk.rev + 1) if person in desk.leaving else desk


def _with_role(desk: Desk, person: str, role: Role | None) -> Desk:
    others = tuple(one for one in desk.roles if one[0] != person)
    roles = others if role is None else (*others, (person, role))
    return replace(desk, roles=roles, leaving=desk.leaving - {person}, rev=desk.rev + 1)
