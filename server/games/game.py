"""The game that two people play: how it begins, and the one door through which it changes.

`play(game, command, now)` gives the next game and what happened, or raises a Refused and changes nothing. `now` is
the instant at which the server received the command, so races are decided by receipt, not by who was served first.
Knows no I/O and no waiting.
"""

from typing import assert_never

from server.games.changes.adjourning import claim_adjourned, go_on, take_up
from server.games.changes.beginning import both_here, join, new_game, refuse, rematch_of
from server.games.changes.ending import abort, claim_gone, expire, flag, resign
from server.games.changes.moving import move, refuse_repeat
from server.games.changes.offers import accept, decline, offer
from server.games.changes.pausing import credit, pause, resume
from server.games.changes.reseating import reseat
from server.games.commands import (
    Abort,
    AcceptOffer,
    BothHere,
    ClaimGone,
    Command,
    CreditStall,
    DeclineOffer,
    Expire,
    Flag,
    Join,
    MakeOffer,
    Pause,
    PlayMove,
    RefuseChallenge,
    Reseat,
    Resign,
    Resume,
    TakeUp,
)
from server.games.events import Event
from server.games.frozen import replace
from server.games.state import Adjournment, Asked, Game, Offer, Ply
from server.games.status import Status, check_taken

__all__ = ["Adjournment", "Asked", "Game", "Offer", "Ply", "Status", "new_game", "play", "rematch_of"]

Change = tuple[Game, tuple[Event, ...]]


def play(game: Game, command: Command, now: int) -> Change:
    """The game after `command`, received at `now` (ms), and what happened, in order.

    `rev` is one higher if anything changed; if nothing did, the very same game comes back with no events (a flag
    that has not fallen, a rematch agreed on already). What a player asks when the time of either has run out is
    overtaken by that: the game ends by time and the command is dropped, so a PlayMove may come back without Moved.
    Raises a subclass of Refused.
    """
    if isinstance(command, PlayMove):
        refuse_repeat(game, command)
    check_taken(game.status, command)
    overtaken = not isinstance(command, Pause | Resume | CreditStall | Reseat) and game.clock.fallen(now)
    after, events = flag(game, now) if overtaken else _changed(game, command, now)
    return (game, ()) if after is game else (replace(after, rev=game.rev + 1), events)


def _changed(game: Game, command: Command, now: int) -> Change:
    match command:
        case Join():
            return join(game, command, now)
        case RefuseChallenge(player):
            return refuse(game, player, now)
        case Reseat():
            return reseat(game, command)
        case PlayMove():
            return move(game, command, now)
        case Resign(color):
            return resign(game, color, now)
        case Abort():
            return abort(game, now)
        case MakeOffer():
            return offer(game, command, now)
        case AcceptOffer():
            return accept(game, command, now)
        case DeclineOffer():
            return decline(game, command)
        case ClaimGone(color, as_draw):
            claim = claim_gone if game.adjourned is None else claim_adjourned
            return claim(game, color, now, as_draw=as_draw)
        case TakeUp(color):
            return take_up(game, color, now)
        case Flag():
            return flag(game, now)
        case BothHere(unhurried):
            return both_here(game, now, unhurried=unhurried)
        case Expire():
            return expire(game, now)
        case Pause(since):
            return pause(game, since)
        case Resume():
            return resume(game, now) if game.adjourned is None else go_on(game, now)
        case CreditStall(ms, busy):
            return credit(game, ms, now, busy=busy)
        case _:
            assert_never(command)
