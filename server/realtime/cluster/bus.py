"""How processes tell each other what has changed: ids, revisions, and where players are.

The bus only gives notice, the store decides: a lost, repeated or late notice causes no more than a short delay.

Notices about a game or a study, or to a person, have a topic, and only the processes that follow it hear them: one that
has neither the game in memory nor a page of the person or study open spends nothing. The rest is for everybody.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.games.state import Game
from server.games.status import Status
from server.realtime.cluster.presence import PresenceState
from server.rules.variant.pieces import Color


@dataclass(frozen=True, slots=True)
class GameStored:
    """`game` has been stored with revision `rev`.

    `players`: ids of its players if this is news to their open pages, too; a move of a real-time game is not.
    """

    game: str
    rev: int
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Where the player of `color` is, as far as the sending process knows. Repeated while they are here."""

    game: str
    color: Color
    state: PresenceState


@dataclass(frozen=True, slots=True)
class SeeksChanged:
    """The open seeks have changed."""


@dataclass(frozen=True, slots=True)
class BlocksChanged:
    """`person` (an id) has blocked or unblocked somebody, or is gone."""

    person: str


@dataclass(frozen=True, slots=True)
class PeopleOnNode:
    """`people` (ids) have pages open on the process `node`. Repeated every few seconds."""

    node: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SanctionsChanged:
    """The host has decided something about somebody, or lifted it."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The process `node` is there, and all that it has told of where players are has come before this.

    The only notice that its sender hears as well.
    """

    node: str


@dataclass(frozen=True, slots=True)
class NeverBegan:
    """`game` was over before it counted, by the fault of `players` (ids).

    `counts`: it came from the lobby, so that is counted. If the sender does not know, the process that paired it does.
    """

    game: str
    players: tuple[str, ...]
    counts: bool = False


@dataclass(frozen=True, slots=True)
class NoShow:
    """`game` was called off while `player` (an id) sat at its board alone."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class ChallengeMade:
    """`by` (a name) challenges `player` (an id) in `game`; `proposed`: rather, a game against them is proposed.

    `proposer`: the name of the person who has proposed it, "" for nobody.
    """

    game: str
    player: str
    by: str
    proposed: bool = False
    proposer: str = ""


@dataclass(frozen=True, slots=True)
class MessageLeft:
    """`by` (a name) has written to `player` (an id), who is not at the board of `game`."""

    game: str
    player: str
    by: str


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """`by` (a name) offers a rematch to `player` (an id), who is not at the board of `game`."""

    game: str
    player: str
    by: str


@dataclass(frozen=True, slots=True)
class RematchShown:
    """A page of `player` (an id) has shown that a rematch of `game` is offered: the next one need not."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """It has become the turn of `player` (an id) in `game`, which is not real-time."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class ChatPosted:
    """A chat line of `game` has been stored."""

    game: str


@dataclass(frozen=True, slots=True)
class SessionsEnded:
    """These sessions and personal tokens (digests) have ended: close their sockets and streams with `code`."""

    sessions: frozenset[str]
    code: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """`game` has been deleted. `players`: ids of its players."""

    game: str
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyStored:
    """The study with that id, or who may read it, has changed, or it is gone."""

    study: str


@dataclass(frozen=True, slots=True)
class ChapterStored:
    """A chapter of `study` has been stored with revision `rev`, by somebody (a name)."""

    study: str
    chapter: str
    rev: int
    by: str


@dataclass(frozen=True, slots=True)
class PeopleInStudy:
    """The members of `study` with these names have it open on the process `node`. Repeated every few seconds."""

    study: str
    node: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpectatorsOnNode:
    """Who watches `game` at the process `node`: ids and names of some, and how many `others`. Repeated now and then.

    `unnamed`: the ids of some of these others, so that who watches at two processes counts once.
    """

    game: str
    node: str
    named: tuple[tuple[str, str], ...]
    others: int
    unnamed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TournamentChanged:
    """Somebody has joined a tournament (an id) or stopped, people are paired, a game is over, or it has ended."""

    tournament: str


@dataclass(frozen=True, slots=True)
class TournamentSoon:
    """`tournament` (an id), which is called `name`, begins soon: its players (ids) are told on their open pages."""

    tournament: str
    name: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeopleInTournament:
    """These people (ids) have a page of `tournament` open on the process `node`. Repeated every few seconds."""

    tournament: str
    node: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WouldMeetAgain:
    """`person` (an id) would play their last opponent in `tournament` once more, since `at` (ms)."""

    tournament: str
    person: str
    at: int


Notice = (
    GameStored
    | PresenceChanged
    | SeeksChanged
    | BlocksChanged
    | SanctionsChanged
    | PeopleOnNode
    | ChallengeMade
    | MessageLeft
    | RematchOffered
    | RematchShown
    | TurnPassed
    | ChatPosted
    | SessionsEnded
    | Deleted
    | NoShow
    | Beat
    | NeverBegan
    | StudyStored
    | ChapterStored
    | PeopleInStudy
    | SpectatorsOnNode
    | TournamentChanged
    | TournamentSoon
    | PeopleInTournament
    | WouldMeetAgain
)


def game_stored(game: Game) -> GameStored:
    """That this is how it is stored now."""
    return GameStored(game.id, game.rev, () if just_goes_on(game) else _players(game))


def just_goes_on(game: Game) -> bool:
    """Is its last change no news but at its own board? In a real-time game the turn is none: its players sit there."""
    return game.terms.control.by_the_minute and game.status is Status.LIVE and bool(game.plies)


def deletion_of(game: Game) -> Deleted:
    """That it is no longer stored."""
    return Deleted(game.id, _players(game))


def _players(game: Game) -> tuple[str, ...]:
    return tuple(one.id for one in game.players)


@dataclass(frozen=True, slots=True)
class GameTopic:
    """The topic of notices about one game."""

    game: str


@dataclass(frozen=True, slots=True)
class PersonTopic:
    """The topic of notices to one person (an id), for every page they have open."""

    person: str


@dataclass(frozen=True, slots=True)
class StudyTopic:
    """The topic of notices about one study (an id)."""

    study: str


Topic = GameTopic | PersonTopic | StudyTopic
EVERYBODY: Final[tuple[Topic, ...]] = ()


def topics_of(notice: Notice) -> tuple[Topic, ...]:
    """The topics of `notice`, whose followers hear it; EVERYBODY: all processes do."""
    match notice:
        case GameStored(game, _, players):
            return (GameTopic(game), *map(PersonTopic, players))
        case ChatPosted(game) | SpectatorsOnNode(game):
            return (GameTopic(game),)
        case ChallengeMade(_, player) | MessageLeft(_, player) | RematchOffered(_, player) | TurnPassed(_, player):
            return (PersonTopic(player),)
        case RematchShown(game, player):
            # The process that keeps the offer for them has the game, and need not have a page of theirs.
            return (GameTopic(game), PersonTopic(player))
        case StudyStored(study) | ChapterStored(study) | PeopleInStudy(study):
            return (StudyTopic(study),)
        case _:
            return EVERYBODY


@dataclass(frozen=True, slots=True)
class Missed:
    """What notices may have been missed of: these games, people and studies (ids), and `rest`: what is for all."""

    games: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    rest: bool = False
    studies: frozenset[str] = frozenset()


class Bus:
    """The bus of a process. This one is for a process without others (`alone`): it sends and hears nothing."""

    alone = True

    def tell(self, notice: Notice) -> None:
        """Sends `notice` to the other processes as soon as possible. Never waits, never raises."""

    def follow(self, topic: Topic) -> None:
        """Notices of `topic` are heard from now on; `resync` says when that has begun. Twice is harmless."""

    def unfollow(self, topic: Topic) -> None:
        """Notices of `topic` need not be heard any more. Twice is harmless."""

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[Missed], None]) -> None:
        """Listens until cancelled. Calls `hear` with notices, and `resync` when some may have been missed."""
