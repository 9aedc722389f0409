"""How a game begins: it is created with one player or two, joined by invitation, and followed by a rematch.

Its seats can change hands at any time, even after the game: a guest registers or signs in, or an account is deleted.
"""

from collections.abc import Set
from dataclasses import dataclass
from hmac import compare_digest
from typing import ClassVar, Final

from server.games.append_only import AppendOnlySequence, RepetitionHistory
from server.games.changes.ending import end_game
from server.games.clocks.clock import Clock
from server.games.clocks.time_control import DAY_MS, for_color, with_color
from server.games.command import ALWAYS, LIVE, OPEN, Command
from server.games.errors import BadTerms, OwnChallenge, SeatTaken, WrongInvitation
from server.games.events import BothMet, Event, FlaggingChosen, Joined, Transition
from server.games.frozen import replace
from server.games.player import DELETED_NAME, Player
from server.games.state import Game, Invites, computer_side
from server.games.status import Status
from server.games.terms import Terms
from server.rules.endings import Outcome, outcome
from server.rules.errors import InvalidFen
from server.rules.movegen.legal import repetition_key
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.variant.pieces import Color

LONGEST_WAIT_MS: Final = 14 * DAY_MS
"""How long a challenge to a correspondence game stays open; any other does for a day."""


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Take the empty seat that `invite_hash`, the SHA-256 hex digest of the link's secret, opens.

    A player who was challenged by name needs none. `by_hand`: how they choose to flag, as in `with_flags_by_hand`.
    Repeating it changes nothing. Raises WrongInvitation, OwnChallenge, SeatTaken.
    """

    taken_in: ClassVar = OPEN | LIVE
    brings_together: ClassVar = True
    player: Player
    invite_hash: str = ""
    by_hand: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        color = _opened(game, self.player, self.invite_hash)
        seated = game.color_of(self.player.id) is not None
        if color is None:
            if seated:
                return game, ()
            if game.invites == (None, None):
                raise SeatTaken
            raise WrongInvitation
        if seated:
            raise OwnChallenge
        white, black = with_color((game.white, game.black), color, self.player)
        joined = replace(game, white=white, black=black, invites=with_color(game.invites, color, None))
        events: tuple[Event, ...] = (Joined(color, self.player),)
        flagged = with_flags_by_hand(joined, {self.player.id} if self.by_hand else frozenset())
        if flagged.flags_by_hand != joined.flags_by_hand:
            joined, events = flagged, (*events, FlaggingChosen(color, True))
        if white is not None and black is not None:
            due = game.terms.first_move_due(game.to_move, now, both_met=False)
            asked = isinstance(for_color(game.invites, color), Player) and game.proposer is None
            challenger = color.other if asked else None
            joined = replace(joined, status=Status.LIVE, expires=due, proposer=None, challenger=challenger)
        return joined, events


@dataclass(frozen=True, slots=True)
class RefuseChallenge(Command):
    """`player`, who was challenged by name, declines: the game is over. Raises WrongInvitation for anybody else.

    `reason`: of DECLINE_REASONS.
    """

    taken_in: ClassVar = OPEN
    player: Player
    reason: str = ""

    def apply(self, game: Game, now: int) -> Transition:
        if all(asked.id != self.player.id for asked in challenged_players(game)):
            raise WrongInvitation("challenge_of_another")
        return end_game(replace(game, declined_for=self.reason), Outcome(None, "declined"), now)


@dataclass(frozen=True, slots=True)
class BothHere(Command):
    """Both players have been seen at the board: the first moves are due soon. Repeating it changes nothing.

    `unhurried`: at least one of them plays this variant for the first time.
    """

    taken_in: ClassVar = LIVE
    unhurried: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        return both_here(game, now, unhurried=self.unhurried)


def new_game(
    game_id: str,
    terms: Terms,
    now: int,
    white: Player | None = None,
    black: Player | None = None,
    invites: Invites = (None, None),
    previous: str | None = None,
    proposer: Player | None = None,
) -> Game:
    """A new game. Each seat has a player, or waits for the person that `invites` names; `proposer` proposed it.

    Raises InvalidFen for a start that is not a position of the variant or has already ended, BadTerms for a time
    control that is not allowed or a rated game that cannot be rated, ValueError for impossible seats.
    """
    terms.control.validate()
    if terms.rated:
        terms.check_rated()
    _check_seats((white, black), invites)
    computer = check_computer(terms, white, black)
    live = white is not None and black is not None
    position = _start_of(terms)
    due = terms.first_move_due(position.turn, now, both_met=False)
    return Game(
        id=game_id,
        rev=0,
        terms=terms,
        white=white,
        black=black,
        invites=invites,
        status=Status.LIVE if live else Status.OPEN,
        position=position,
        plies=AppendOnlySequence(),
        keys=RepetitionHistory((repetition_key(position),)),
        clock=Clock.of(terms.control, spared=computer),
        created=now,
        expires=due if live else now + (LONGEST_WAIT_MS if terms.control.by_days else DAY_MS),
        previous=previous,
        proposer=proposer,
    )


def _start_of(terms: Terms) -> Position:
    """Raises InvalidFen."""
    position = parse_fen(terms.variant, terms.start_fen, chess960=terms.chess960)
    if outcome(position) is not None:
        raise InvalidFen("over")
    return position


def check_computer(terms: Terms, white: Player | None, black: Player | None) -> Color | None:
    """The side that the computer plays, if it plays one. Raises BadTerms for a game that it does not play.

    Nobody can vouch for its moves, as it thinks in its opponent's page; and it does not wait for days.
    """
    side = computer_side(white, black)
    if side is None:
        return None
    if terms.rated:
        raise BadTerms("computer_rated")
    if terms.control.by_days:
        raise BadTerms("computer_by_days")
    return side


def _check_seats(players: tuple[Player | None, Player | None], invites: Invites) -> None:
    """Raises ValueError for impossible seats."""
    if any((player is None) == (invite is None) for player, invite in zip(players, invites, strict=True)):
        raise ValueError("each seat needs a player or an invitation")
    if invites[0] is not None and invites[0] == invites[1]:
        raise ValueError("each seat needs an invitation of its own")
    people = [one for one in (*players, *invites) if isinstance(one, Player)]
    if any(person.level for person in people) and (None in players or all(person.level for person in people)):
        raise ValueError("the computer plays against a person who is there")
    if len({person.id for person in people}) < len(people):
        raise ValueError("nobody plays against themselves")


def rematch_of(game: Game, next_id: str, now: int, start_fen: str | None = None) -> Game:
    """The next game on the same terms with colours swapped. White's time stays White's; players flag as they did, and
    have as much time for the first move.

    A shuffled start should not be played twice: the caller gives a new `start_fen`.
    """
    terms = game.terms if start_fen is None else replace(game.terms, start_fen=start_fen)
    after = new_game(next_id, terms, now, white=game.black, black=game.white, previous=game.id)
    flags_by_hand = (game.flags_by_hand[1], game.flags_by_hand[0])
    return replace(after, flags_by_hand=flags_by_hand, unhurried=game.unhurried)


def with_flags_by_hand(game: Game, by_hand: Set[str]) -> Game:
    """The new game in which players with these ids decide themselves what happens when the opponent's flag has fallen.

    That is for correspondence games; any other stays as it is.
    """
    if not game.terms.control.by_days:
        return game
    white, black = (game.player(color) for color in Color)
    wish = (white is not None and white.id in by_hand, black is not None and black.id in by_hand)
    return replace(game, flags_by_hand=(wish[0] or game.flags_by_hand[0], wish[1] or game.flags_by_hand[1]))


def is_invited(game: Game, player: Player | None, invite_hash: str) -> bool:
    """Could `player` take a free seat, because they are named or know the secret with this digest?"""
    return _opened(game, player, invite_hash) is not None


def _opened(game: Game, player: Player | None, invite_hash: str) -> Color | None:
    """The free seat that `player` could take."""
    for color, invite in zip((Color.WHITE, Color.BLACK), game.invites, strict=True):
        match invite:
            case Player() if player is not None and invite.id == player.id:
                return color
            case str() if compare_digest(invite.encode(), invite_hash.encode()):
                return color
    return None


def challenged_players(game: Game) -> tuple[Player, ...]:
    """The players asked by name who have not answered yet. Of two, the second is notified when the first accepts."""
    return tuple(invite for invite in game.invites if isinstance(invite, Player))


def challenged_player(game: Game) -> Player | None:
    """The one of them who is asked now."""
    return next(iter(challenged_players(game)), None)


def people_of(game: Game) -> tuple[Player, ...]:
    """Those who have a seat, or are asked by name to take one."""
    return tuple(player for color in Color if (player := player_for(game, color)) is not None)


def named_in(game: Game) -> tuple[Player, ...]:
    """The people who are named to somebody who is asked to play: `people_of` the game, and its proposer."""
    return people_of(game) if game.proposer is None else (*people_of(game), game.proposer)


def is_proposed(game: Game) -> bool:
    """Was it proposed by somebody who does not play, and has neither player accepted yet?"""
    return len(challenged_players(game)) == len(Color)


def player_for(game: Game, color: Color) -> Player | None:
    """The player who has the seat of `color`, or is challenged by name to take it."""
    invite = for_color(game.invites, color)
    return invite if isinstance(invite, Player) else game.player(color)


def both_here(game: Game, now: int, *, unhurried: bool) -> Transition:
    """Both players have been at the board: each first move of a real-time game is now due soon, not within a day.

    An `unhurried` game allows more time for it, and so do its rematches.
    """
    unhurried |= game.unhurried
    if game.both_met or game.started or not game.terms.control.by_the_minute:
        return game, ()
    due = game.terms.first_move_due(game.to_move, now, both_met=True, unhurried=unhurried)
    return replace(game, both_met=True, unhurried=unhurried, expires=due), (BothMet(),)


@dataclass(frozen=True, slots=True)
class Reseat(Command):
    """Give the seat of `holder` (an id) to `player`, who may be the same person with a new name, or has proposed the
    game instead of them. Nothing changes if there is no such seat, or it is theirs already.

    Raises OwnChallenge if they would then play against themselves.
    """

    taken_in: ClassVar = ALWAYS
    outlasts_time: ClassVar = True
    holder: str
    player: Player

    def apply(self, game: Game, now: int) -> Transition:
        if game.proposer is not None and game.proposer.id == self.holder:
            after = None if self.player.name == DELETED_NAME else self.player
            return (game, ()) if after == game.proposer else (replace(game, proposer=after), ())
        color = game.color_of(self.holder)
        if color is None or game.player(color) == self.player:
            return game, ()
        if game.color_of(self.player.id) is color.other:
            raise OwnChallenge("against_oneself")
        white, black = with_color((game.white, game.black), color, self.player)
        return replace(game, white=white, black=black), (Joined(color, self.player),)
