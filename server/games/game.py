"""The game that two people play: how it begins, and the one door through which it changes.

`play(game, command, now)` gives the next game and what happened, or raises a Refused and changes nothing. `now` is
the instant at which the server received the command, so races are decided by receipt, not by who was served first.
Knows no I/O and no waiting.
"""

from server.games.changes.beginning import new_game, rematch_of
from server.games.changes.ending import Transition, flag
from server.games.changes.moving import refuse_repeat
from server.games.commands import Command, CreditStall, MakeOffer, Pause, PlayMove, Reseat, Resume
from server.games.errors import GameOver, NotAllowed, NotStarted
from server.games.frozen import replace
from server.games.state import Adjournment, Game, Offer, OfferLimits, Ply
from server.games.status import Status

__all__ = ["Adjournment", "Game", "Offer", "OfferLimits", "Ply", "Status", "new_game", "play", "rematch_of"]


def play(game: Game, command: Command, now: int) -> Transition:
    """The game after `command`, received at `now` (ms), and what happened, in order.

    `rev` is one higher if anything changed; if nothing did, the very same game comes back with no events (a flag
    that has not fallen, a rematch agreed on already). What a player asks when the time of either has run out is
    overtaken by that: the game ends by time and the command is dropped, so a PlayMove may come back without Moved.
    Raises a subclass of Refused.
    """
    if isinstance(command, PlayMove):
        refuse_repeat(game, command.color, command.uci, command.ply)
    check_taken(game.status, command)
    overtaken = not isinstance(command, Pause | Resume | CreditStall | Reseat) and game.clock.out_of_time(now)
    after, events = flag(game, now) if overtaken else command.apply(game, now)
    return (game, ()) if after is game else (replace(after, rev=game.rev + 1), events)


def check_taken(status: Status, command: Command) -> None:
    """Raises NotStarted, GameOver or NotAllowed for a command that a game in `status` never takes."""
    if command.is_taken(status):
        return
    match status:
        case Status.OPEN:
            raise NotStarted
        case Status.OVER:
            raise GameOver
        case Status.LIVE if isinstance(command, MakeOffer):
            raise NotAllowed("rematch_too_early")
        case Status.LIVE:
            raise NotAllowed("going_on")
        case Status.ADJOURNED:
            raise NotAllowed("adjourned")
