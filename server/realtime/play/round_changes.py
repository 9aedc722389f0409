"""What has happened to a round, and the one place that passes it on.

Three words say to whom: it is *shown* to viewers on this process, at the board and in lists of games; *told* to the
other nodes, on the bus; *published* as domain events, for people who are elsewhere. Decides nothing about the game.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, fields, replace
from typing import Any, Final, get_args

from server.games.events import Adjourned, Away, ClockResumed, Ended, Event, Joined, Moved, Ready, TookBack
from server.games.fair_play import players_at_fault
from server.games.news import is_played_at_board
from server.games.state import Game
from server.realtime.cluster.bus import NeverBegan, NoShow, game_stored
from server.realtime.domain_events import CameToBoard, StoredChange, TimeIsUp, events_of
from server.realtime.play.game_writer import WriteResult
from server.realtime.play.round_feed import RoundFeed
from server.realtime.play.round_presence import RoundPresence
from server.realtime.shared import Services
from server.rules.variant.pieces import Color

SEEN_ELSEWHERE: Final = {Joined, Moved, TookBack, Adjourned, Ready, Away, ClockResumed, Ended}
"""Events that matter to pages other than the game's own."""
EVENT_KINDS: Final[tuple[type[Event], ...]] = get_args(Event)
SHOWN_TO_NOBODY: Final = frozenset(
    {
        *("rev", "keys", "next_offer", "offer_limits", "declined", "pause_ended", "unhurried", "conditional"),
        *("proposer", "challenger"),
    }
)
"""The fields of a game of which no event tells: they count, or are for the eyes of one player."""
COUNTED_BY_THE_CLOCK: Final = frozenset({"quotas", "given_ms", "busy_ms", "reminded", "replaced", "since"})
"""The same of its clock. `since` is here because it may be later in this process, which has given back time that is not
stored yet; one that is later in the store is shown as ClockAdjusted.
"""


@dataclass(frozen=True, slots=True)
class RoundChange:
    """`events` have led to `game`, as its players see it now; None: too much has happened to say what.

    `write`: this process has stored it so; None: another one has, or it is time given back, which is not stored yet.
    """

    game: Game
    events: Sequence[Event] | None
    write: WriteResult | None = None


def pass_on_change(services: Services, feed: RoundFeed, presence: RoundPresence, change: RoundChange, now: int) -> None:
    """Shows `change` to all viewers; if this process wrote it, also tells the other nodes and publishes it.

    The players at fault for a game that never began are counted first, before anybody is paired again.
    """
    write = change.write
    if write is not None:
        if not services.bus.alone:
            services.bus.tell(game_stored(change.game))
        if write.game.outcome is not None:
            _tell_fault(services, write, presence, now)
    feed.show(change.game, change.events, now)
    _show_elsewhere(services, change, presence)
    if write is not None:
        _publish_write(services, write, change.game, presence)


def publish_arrival(services: Services, game: Game, color: Color | None) -> None:
    """Publishes that the player of `color`, if it is one, has come to the board of a game that goes on without them."""
    player = None if color is None else game.player(color)
    if player is not None and not is_played_at_board(game):
        services.events.publish(CameToBoard(game, player))


def count_aborts(services: Services, never_began: NeverBegan) -> bool:
    """Counts aborts, but only of games from the lobby: friends who play by link may leave as they like. Was it one?

    Only the process that paired them knows. It tells all others, as the players may look for opponents anywhere.
    """
    known = never_began.game in services.unstarted
    if not (known or never_began.counts):
        return False
    for player in never_began.players:
        services.playbans.count_abort(player, never_began.game, services.now())
    if known and not never_began.counts:
        services.bus.tell(replace(never_began, counts=True))
    return True


def _tell_fault(services: Services, write: WriteResult, presence: RoundPresence, now: int) -> None:
    """Has aborts counted, wherever the game was paired."""
    in_doubt = not services.has_heard_since(presence.opened)
    at_fault = players_at_fault(write.base, write.command, write.game, presence.never_came, now, in_doubt=in_doubt)
    if at_fault:
        never_began = NeverBegan(write.game.id, tuple(player.id for player in at_fault))
        if not count_aborts(services, never_began):
            services.bus.tell(never_began)


def _show_elsewhere(services: Services, change: RoundChange, presence: RoundPresence) -> None:
    """Shows the game to the other pages of this process, and has a seek reposted whose opponent never came."""
    kinds = {type(event) for event in change.events or ()}
    if change.events is None or not SEEN_ELSEWHERE.isdisjoint(kinds):
        services.show_game(change.game)
    if Ended in kinds and (waited := presence.no_show(change.game)) is not None:
        # To all nodes: only the one that paired them knows their seeks.
        notice = NoShow(change.game.id, waited.id)
        services.bus.tell(notice)
        services.report_no_show(notice)


def _publish_write(services: Services, write: WriteResult, shown: Game, presence: RoundPresence) -> None:
    """Publishes once what this process has made so. `shown`: the written game, as its players see it."""
    if write.rematch is not None:
        services.show_game(write.rematch)
        services.bus.tell(game_stored(write.rematch))
    change = StoredChange(write.base, shown, write.events, write.command, write.rematch)
    for event in events_of(change, lambda: presence.here):
        services.events.publish(event)
        if isinstance(event, TimeIsUp):
            services.show_game(shown)


def events_between(before: Game, after: Game) -> list[Event] | None:
    """The events from `before` to `after`, which another process has stored; None: viewers need a snapshot.

    They do if that is more than one move further, or if anything differs that none of the events tells of, as after an
    event that is new and not known here.
    """
    if len(after.plies) > len(before.plies) + 1 or not after.plies.starts_with(before.plies):
        return None
    events = [event for kind in EVENT_KINDS for event in kind.between(before, after)]
    told = frozenset[str]().union(*(event.tells for event in events))
    return events if _changed(before, after) <= told else None


def _changed(before: Game, after: Game) -> set[str]:
    """The fields that differ and are shown to somebody."""
    changed = _differing(before, after, SHOWN_TO_NOBODY)
    if "clock" in changed and not _differing(before.clock, after.clock, COUNTED_BY_THE_CLOCK):
        changed.remove("clock")
    return changed


def _differing(before: Any, after: Any, ignored: Set[str]) -> set[str]:
    names = {field.name for field in fields(before)} - ignored
    return {name for name in names if getattr(before, name) != getattr(after, name)}
