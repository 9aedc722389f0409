"""What people have and decide outside of any game: names, ties, personal tokens, reports. Pure; knows no store.

*Names.* Guests are given one, short and friendly, or choose one, which then stands behind `GUEST_MARK`. Nobody can
register under the name of a guest (`web.accounts.credentials`), and nobody's name has brackets like those of deleted
accounts and of the computer, or a colon. So a name says by itself whether a page belongs to it, wherever it stands and
however old the game is. That is why words may be added here, but none taken away.

*Ties.* Whom somebody follows, and whom they have blocked. Two people between whom there is a block, whoever of them
made it, are kept apart: the site brings them to no new game. Nobody is told that they are blocked; whoever blocked them
simply does not hear them. A tie belongs to the person who made it, the `owner`; whom it is about, the `other`, never
sees it.

*Personal tokens* let a program act for somebody with an account. A token is 256 random bits that only its owner has;
everybody else knows its SHA-256.

*A profile text* is what somebody with an account says about themselves on their page: everybody may read it, but those
who have blocked them do not.

*Notes* are what somebody writes for themselves about a person, or about a game of days that they play.

*Reports* tell the host about another person.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from server.games.errors import FormRefused, NotAllowed
from server.games.frozen import replace
from server.games.player import DELETED_NAME, Player, level_named

# fmt: off
MANNERS: Final = (
    "Amber", "Bold", "Brave", "Bright", "Brisk", "Calm", "Clever", "Cosy", "Eager", "Early", "Gentle", "Glad",
    "Golden", "Happy", "Hasty", "Jolly", "Keen", "Kind", "Lively", "Lucky", "Mellow", "Merry", "Misty", "Nimble",
    "Noble", "Patient", "Plucky", "Polite", "Proud", "Quick", "Quiet", "Royal", "Rusty", "Sleepy", "Sly", "Snowy",
    "Steady", "Sunny", "Swift", "Witty",
)
ANIMALS: Final = (
    "Badger", "Bear", "Beaver", "Bison", "Camel", "Crane", "Crow", "Deer", "Eagle", "Falcon", "Ferret", "Finch",
    "Fox", "Gecko", "Giraffe", "Goose", "Hare", "Hawk", "Heron", "Horse", "Lark", "Lion", "Lynx", "Magpie", "Mole",
    "Moose", "Newt", "Otter", "Owl", "Panda", "Raven", "Robin", "Seal", "Shrew", "Stork", "Swan", "Tiger", "Toad",
    "Weasel", "Wren",
)
# fmt: on
GUEST_NAME: Final = re.compile(rf"(?:{'|'.join(MANNERS)})(?:{'|'.join(ANIMALS)})[1-9][0-9]")
"""Such as QuietHeron27, one of some 140,000."""


GUEST_MARK: Final = "guest: "
"""Before a name that a guest has chosen, as it is stored; no account can have a name like that."""


def is_account_name(name: str) -> bool:
    """Has a person of this site who is called so an account? A name of an imported game means nobody of this site."""
    marked = name == DELETED_NAME or name.startswith(GUEST_MARK)
    return not (marked or level_named(name) or GUEST_NAME.fullmatch(name))


def has_account(player: Player) -> bool:
    """Has that player an account, and so a page of their own?"""
    return bool(player.id) and is_account_name(player.name)


class TieKind(StrEnum):
    FOLLOWS = "follows"
    BLOCKS = "blocks"


MAX_TIES: Final = {TieKind.FOLLOWS: 200, TieKind.BLOCKS: 500}
"""Ties of each kind that one person may have."""


@dataclass(frozen=True, slots=True)
class Tie:
    """`owner` (an id) follows or has blocked `other`, since `at` (ms since the epoch)."""

    owner: str
    kind: TieKind
    other: Player
    at: int


def check_tie(tie: Tie) -> None:
    """Raises NotAllowed if `tie` is about its owner."""
    if tie.other.id == tie.owner:
        raise NotAllowed("tie_to_oneself")


def too_many_ties(kind: TieKind) -> NotAllowed:
    """What somebody is told who has as many ties of that kind as they may have."""
    return NotAllowed("too_many_follows" if kind is TieKind.FOLLOWS else "too_many_blocks", n=MAX_TIES[kind])


def handed_over(tie: Tie, user: str, heir: Player) -> Tie | None:
    """The tie once everything of `user` belongs to `heir`; None if it would be about its own owner."""
    owner = heir.id if tie.owner == user else tie.owner
    other = heir if tie.other.id == user else tie.other
    return None if owner == other.id else replace(tie, owner=owner, other=other)


MAX_TOKENS: Final = 20
"""Tokens that one account can have; each is one more thing to lose."""
LONGEST_TOKEN_NAME: Final = 40


class Scope(StrEnum):
    """What a token allows, by the names that lichess gave it."""

    BOT_PLAY = "bot:play"
    CHALLENGE_READ = "challenge:read"
    CHALLENGE_WRITE = "challenge:write"
    TOURNAMENT_WRITE = "tournament:write"


@dataclass(frozen=True, slots=True)
class ApiToken:
    """`hashed`: the SHA-256 of the token, in hex. `owner`: the id of a person. `name`: what its owner calls it.

    `created` and `used`, the last use as far as it was noted (0: none), are ms since the epoch. `generation`: that of
    the account's password when it was made; it is good for nothing after a new one.
    """

    hashed: str
    owner: str
    name: str
    scopes: frozenset[Scope]
    created: int
    used: int = 0
    generation: int = 0


def check_token(token: ApiToken, own: Sequence[ApiToken]) -> None:
    """Raises NotAllowed if it has no name or allows nothing, or its owner has enough (`own`)."""
    if not token.name:
        raise FormRefused("token_unnamed")
    if not token.scopes:
        raise FormRefused("token_for_nothing")
    if len(own) >= MAX_TOKENS:
        raise too_many_tokens()


def too_many_tokens() -> FormRefused:
    """What somebody is told who has as many tokens as they may have."""
    return FormRefused("too_many_tokens", n=MAX_TOKENS)


LONGEST_PROFILE_TEXT: Final = 400
"""Characters that somebody may say about themselves."""

LONGEST_NOTE: Final = 1_000
"""Characters of a note."""
MAX_NOTES: Final = 1_000
"""Notes that one person may have."""


def too_many_notes() -> NotAllowed:
    """What somebody is told who has as many notes as they may have."""
    return NotAllowed("too_many_notes", n=MAX_NOTES)


LONGEST_REPORT: Final = 1_000
"""Characters of the text of a report."""


class ReportKind(StrEnum):
    CHEATING = "cheating"
    INSULTS = "insults"
    OTHER = "other"


class Outcome(StrEnum):
    """What came of a report. One that is unclear counts neither for nor against who made it."""

    UPHELD = "upheld"
    NOT_UPHELD = "not_upheld"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class SaidLine:
    """What `person` (an id), then called `name`, said at `at` (ms)."""

    at: int
    person: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """`by` tells the host about `about`, perhaps in `game` (an id, "" for none). Who has deleted their account since
    has no id, and DELETED_NAME.

    `at`: ms since the epoch. `closed`: when the host has dealt with it; 0: it is open. `outcome`: what came of it.
    `lines`: what was said in the game just before.
    """

    id: str
    by: Player
    about: Player
    kind: ReportKind
    game: str
    text: str
    at: int
    closed: int = 0
    outcome: Outcome | Literal[""] = ""
    lines: tuple[SaidLine, ...] = ()


KIND_WEIGHT: Final = {ReportKind.CHEATING: 50, ReportKind.INSULTS: 40, ReportKind.OTHER: 25}
"""What a report weighs that comes from somebody of whom nothing is known."""
HEAVIEST: Final = 100


USUAL_AT_ONCE: Final = 2
"""People whom somebody may have reported before each further one makes all that they report weigh less."""


def weight_of(reports: Iterable[Report], records: Mapping[str, tuple[int, int]], spread: Mapping[str, int]) -> int:
    """How much reports about one person weigh together, at most HEAVIEST: by kind, by how many different people made
    them, by how often each was right, and about how many people each has open reports. By their ids, `records`: how
    many of their reports were upheld, of how many; `spread`: about how many people.
    """
    weights: dict[str, float] = {}
    for one in reports:
        upheld, decided = records.get(one.by.id, (0, 0))
        # Laplace: who has reported nothing before is right half of the time.
        weight = KIND_WEIGHT[one.kind] * 2 * (upheld + 2) / (decided + 4)
        weight /= 1 + max(0, spread.get(one.by.id, 1) - USUAL_AT_ONCE)
        weights[one.by.id] = max(weight, weights.get(one.by.id, 0))
    return max(1, min(HEAVIEST, round(sum(weights.values()))))


def check_report(report: Report) -> None:
    """Raises NotAllowed if it is about its own maker, or says nothing."""
    if report.by.id == report.about.id:
        raise NotAllowed("report_oneself")
    if not report.text:
        raise NotAllowed("report_empty")
