"""What the rest of the site is told of a live game: other processes, lists of games, and whoever is elsewhere.

The round calls it after a write; it decides nothing about the game, and knows none of those who are told. Whose fault
it is that a game never began is told to the one place that counts it, before anybody is paired again.
"""

from collections.abc import Sequence
from typing import Final

from server.games.clock_events import Away, ClockResumed
from server.games.events import Adjourned, Ended, Event, Joined, Moved, Ready, TookBack
from server.games.fair_play.aborts import players_at_fault
from server.games.news import is_played_at_board
from server.games.state import Game
from server.realtime.play.game_writer import WriteResult
from server.realtime.play.round_presence import RoundPresence
from server.realtime.process.bus import WaitedInVain, game_stored
from server.realtime.process.domain_events import CameToBoard, StoredChange, TimeIsUp, events_of
from server.realtime.process.services import Services
from server.rules.variant.pieces import Color

SEEN_ELSEWHERE: Final = {Joined, Moved, TookBack, Adjourned, Ready, Away, ClockResumed, Ended}
"""Events that matter to pages other than the game's own."""


def announce_write(services: Services, result: WriteResult, shown: Game, presence: RoundPresence) -> None:
    """Publishes once what this process has made so. `shown`: the written game, as its players see it."""
    if result.rematch is not None:
        services.game_changed(result.rematch)
        services.bus.tell(game_stored(result.rematch))
    change = StoredChange(result.base, shown, result.events, result.command, result.rematch)
    for event in events_of(change, lambda: presence.here):
        services.events.publish(event)
        if isinstance(event, TimeIsUp):
            services.game_changed(shown)


def announce_arrival(services: Services, game: Game, color: Color | None) -> None:
    """Publishes that the player of `color`, if it is one, has come to the board of a game that goes on without them."""
    player = None if color is None else game.player(color)
    if player is not None and not is_played_at_board(game):
        services.events.publish(CameToBoard(game, player))


def announce_events(services: Services, shown: Game, events: Sequence[Event] | None, presence: RoundPresence) -> None:
    """Tells other pages of this process that the game is now as `shown`; `events` as in `RoundFeed.show`."""
    kinds = {type(event) for event in events or ()}
    if events is None or not SEEN_ELSEWHERE.isdisjoint(kinds):
        services.game_changed(shown)
    if Ended in kinds:
        waited = presence.waited_in_vain(shown)
        if waited is not None:
            services.waited_in_vain(WaitedInVain(shown.id, waited.id))


def note_fault(services: Services, result: WriteResult, presence: RoundPresence, now: int) -> None:
    """Counts aborts, but only of games from the lobby: friends who play by link may leave as they like."""
    if result.game.id in services.unstarted:
        for player in players_at_fault(result.base, result.command, result.game, presence.never_came, now):
            services.playbans.add(player, now)
