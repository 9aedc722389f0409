"""The game that two people play, and `play`, the only way to change it.

`play(game, command, now)` returns the next game and the events, or raises Refused. `now` is when the server received
the command, so races are decided by time of receipt, not by who was served first.
"""

from server.games.changes.ending import flag_running_side, is_flagged
from server.games.changes.offers import seeks_rematch
from server.games.changes.playing import PlayMove, refuse_repeat
from server.games.command import Command
from server.games.errors import GameOver, NotAllowed, NotStarted
from server.games.events import Transition
from server.games.frozen import replace
from server.games.news import is_news
from server.games.state import Game
from server.games.status import Status


def play(game: Game, command: Command, now: int) -> Transition:
    """The game after `command`, received at `now` (ms), and its events in order.

    `rev` is one higher if anything changed. If nothing did (a flag that has not fallen, a rematch already agreed on),
    `game` itself is returned, with no events. If either side was out of time by `now`, the game ends on time and the
    command is dropped, so a PlayMove may come back without Moved. Raises Refused.
    """
    if isinstance(command, PlayMove):
        refuse_repeat(game, command.color, command.uci, command.ply)
    check_taken(game, command)
    overtaken = not command.outlasts_time and is_flagged(game, now)
    after, events = flag_running_side(game, now) if overtaken else command.apply(game, now)
    if after is game:
        return game, ()
    if after.declined is not None and after.declined is game.declined and is_news(game, after):
        after = replace(after, declined=None)
    return replace(after, rev=game.rev + 1), events


def check_taken(game: Game, command: Command) -> None:
    """Raises NotStarted, GameOver or NotAllowed for a command that is never allowed in the status of `game`."""
    if command.is_taken(game.status):
        return
    match game.status:
        case Status.OPEN:
            raise NotStarted
        case Status.OVER:
            raise GameOver
        case Status.LIVE if seeks_rematch(game, command):
            raise NotAllowed("rematch_too_early")
        case Status.LIVE:
            raise NotAllowed("going_on")
        case Status.ADJOURNED:
            raise NotAllowed("paused" if game.terms.control.by_days else "adjourned")
