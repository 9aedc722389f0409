"""What happens to people. Each event is published once, by the process whose write caused it, when the store has it;
that somebody has come to a board, by the process to which they came.

Web push and open pages subscribe in `server.app`; another way to reach people only has to subscribe, too. What only
shows the current state (the lists of games, TV) needs no event: it looks again whenever a game has changed, on every
process. Knows no subscriber.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from server.games.changes.beginning import Join, RefuseChallenge, challenged_player
from server.games.command import Command, PlayerCommand
from server.games.events import Adjourned, ClockResumed, Ended, Event, Joined, Moved, OfferClosed, TookBack
from server.games.news import new_offers
from server.games.player import Player
from server.games.reminders import Remind, time_is_up
from server.games.seeks import Seek
from server.games.state import Game, OfferKind
from server.games.status import Status
from server.rules.variant.pieces import Color

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeekPosted:
    """`seek` waits for an opponent."""

    seek: Seek


@dataclass(frozen=True, slots=True)
class Challenged:
    """`by` asks `player`, by name, to play `game`; or somebody else does, its `proposer`, and `by` has accepted, or is
    asked next: `is_proposed`.
    """

    game: Game
    player: Player
    by: Player


@dataclass(frozen=True, slots=True)
class Paired:
    """`game` has both its players. `away`: those of them to whom neither an answer nor a page can show it."""

    game: Game
    away: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class YourTurn:
    """In `game`, which is not real-time, it has become the turn of `player`. `away`: they are not at its board.

    `answered`: their opponent, if a conditional move of theirs was played in the same change, and they are not there.
    `taken_back`: it is again, as moves were taken back.
    """

    game: Game
    player: Player
    away: bool
    answered: tuple[Player, ...] = ()
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class MoveReminder:
    """In `game`, a correspondence game, half or nine tenths of the time that `player` has for their move have passed.

    `away`: they are not at its board. The deadline is that of the game.
    """

    game: Game
    player: Player
    away: bool


@dataclass(frozen=True, slots=True)
class TimeIsUp:
    """In `game`, a correspondence game, the opponent of `player` has run out of time; `player`, who flags by hand, may
    claim.

    `away`: as in YourTurn.
    """

    game: Game
    player: Player
    away: bool


@dataclass(frozen=True, slots=True)
class OfferMade:
    """In `game`, the opponent of `player` has offered something; in a real-time game that can only be a rematch, as
    for all else its players sit at the board. `away`: as in YourTurn.
    """

    game: Game
    player: Player
    kind: OfferKind
    away: bool


@dataclass(frozen=True, slots=True)
class OfferDeclined:
    """In `game`, which is not real-time, the opponent of `player` has declined their offer. `away`: as in YourTurn."""

    game: Game
    player: Player
    kind: OfferKind
    away: bool


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The players of `game`, a correspondence game, have agreed to pause. `away`: those who neither did so just now nor
    are at its board.
    """

    game: Game
    away: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The pause of `game`, a correspondence game, is over. `away`: as in GamePaused."""

    game: Game
    away: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """`game` is over. `away`: those of its players who neither ended it nor are at its board."""

    game: Game
    away: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class MessageWritten:
    """In the chat of `game`, which is not real-time, the opponent of `player` has said something to them at `at` (ms).

    `speaker`: the id of the opponent. `away`: as in YourTurn.
    """

    game: Game
    player: Player
    speaker: str
    at: int
    away: bool


@dataclass(frozen=True, slots=True)
class CameToBoard:
    """`player` has opened the board of `game`, which is not real-time, and sees whatever is new."""

    game: Game
    player: Player


DomainEvent = (
    SeekPosted
    | Challenged
    | Paired
    | YourTurn
    | MoveReminder
    | TimeIsUp
    | OfferMade
    | OfferDeclined
    | GamePaused
    | GameResumed
    | GameEnded
    | MessageWritten
    | CameToBoard
)


class Publisher:
    """Passes every event to every subscriber, in the order of publishing."""

    def __init__(self) -> None:
        self._subscribers: list[Callable[[DomainEvent], None]] = []

    def subscribe(self, hear: Callable[[DomainEvent], None]) -> None:
        """`hear` is called within a move: it must not wait, nor keep ever more."""
        self._subscribers.append(hear)

    def publish(self, event: DomainEvent) -> None:
        """Every subscriber has heard it when this returns. It never raises: what has happened has happened."""
        for hear in self._subscribers:
            try:
                hear(event)
            except Exception:
                log.exception("a subscriber failed to take %s", type(event).__name__)


@dataclass(frozen=True, slots=True)
class StoredChange:
    """One stored change of a game: `command` made `after` of `before`, and `happened` are the events of it.

    `rematch`: the next game, if one was agreed on.
    """

    before: Game
    after: Game
    happened: Sequence[Event]
    command: Command
    rematch: Game | None = None


def events_of(change: StoredChange, sides_here: Callable[[], Collection[Color]]) -> Iterator[DomainEvent]:
    """What `change`, which is stored, means to people. `sides_here`: those whose players are at the board."""
    before, after = change.before, change.after
    if after.computer is not None:
        # It goes on only while its player is at the board, so there is no news for them elsewhere.
        return
    if after.terms.control.by_the_minute and all(type(event) is Moved for event in change.happened):
        # Players of a real-time game sit at its board, so its moves, which are most changes, are news to nobody.
        return
    here = sides_here()
    away = _away(after, change, here)
    if isinstance(change.command, Remind) and after.clock.reminded != before.clock.reminded:
        yield _reminder(after, away)
    turns = [event for event in change.happened if isinstance(event, Moved | TookBack)]
    for event in change.happened:
        match event:
            case Joined(_, player) if after.status is Status.OPEN and (asked := challenged_player(after)) is not None:
                yield Challenged(after, asked, player)
            case Joined() if before.status is Status.OPEN and after.status is Status.LIVE:
                yield Paired(after, away)
            case Moved() | TookBack() if event is turns[-1] and _is_waited_for(after):
                # A move that conditional moves have answered already is no news.
                mover = after.player(after.to_move)
                assert mover is not None
                yield YourTurn(after, mover, mover in away, _answered(change, away), isinstance(event, TookBack))
            case Adjourned() if after.terms.control.by_days:
                yield GamePaused(after, away)
            case ClockResumed() if before.adjourned is not None and after.terms.control.by_days:
                yield GameResumed(after, away)
            case Ended():
                yield GameEnded(after, away)
            case OfferClosed() if after.declined is not None and after.declined.id == event.offer:
                if (maker := after.player(after.declined.by)) is not None:
                    yield OfferDeclined(after, maker, event.kind, maker in away)
            case _:
                pass
    at_board = after.terms.control.by_the_minute and after.status is not Status.OVER
    for offer in () if at_board else new_offers(before, after):
        opponent = after.player(offer.by.other)
        assert opponent is not None
        yield OfferMade(after, opponent, offer.kind, opponent in away)
    if change.rematch is not None:
        yield Paired(change.rematch, _away(change.rematch, change, here))


def _away(game: Game, change: StoredChange, here: Collection[Color]) -> tuple[Player, ...]:
    """The players of `game` who neither made `change` nor are at its board."""
    at_board = {player.id for color in here if (player := change.after.player(color)) is not None}
    informed = at_board | {_asking(change.before, change.command)}
    return tuple(one for one in game.players if one.id not in informed)


def _answered(change: StoredChange, away: Collection[Player]) -> tuple[Player, ...]:
    """The player whose conditional move answered that of `change`, if they are away, as it is not their turn again."""
    after, command = change.after, change.command
    if not isinstance(command, PlayerCommand) or after.to_move is not command.color:
        return ()
    moved = any(isinstance(event, Moved) and event.color is not command.color for event in change.happened)
    player = after.player(command.color.other)
    return (player,) if moved and player is not None and player in away else ()


def _reminder(game: Game, away: Collection[Player]) -> TimeIsUp | MoveReminder:
    """A reminder of the move that is due; once its time is up, news for the opponent, who may claim."""
    is_up = time_is_up(game)
    told = game.player(game.to_move.other if is_up else game.to_move)
    assert told is not None
    return (TimeIsUp if is_up else MoveReminder)(game, told, told in away)


def _is_waited_for(game: Game) -> bool:
    """Does it go on with a move for which nobody sits at the board?"""
    return game.status is Status.LIVE and not game.terms.control.by_the_minute


def _asking(game: Game, command: Command) -> str | None:
    """The id of the player whose command it is; None: it is the server's own."""
    match command:
        case Join(player) | RefuseChallenge(player):
            return player.id
        case PlayerCommand(color) if (mover := game.player(color)) is not None:
            return mover.id
        case _:
            return None
