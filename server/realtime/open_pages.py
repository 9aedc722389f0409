"""Tells the open pages of people what has just happened to them, on this process and the others.

An event reaches one process; the bus takes it to the pages of the others. A lost hint costs a sound and a message:
every later change brings the list up to date. Knows no sockets.
"""

from server.games.changes.beginning import is_proposed
from server.realtime.lobby.lobby_feed import LobbyFeed
from server.realtime.process.bus import Bus, ChallengeMade, TurnPassed
from server.realtime.process.domain_events import Challenged, DomainEvent, Paired, YourTurn
from server.realtime.your_games.your_games import YourGamesFeed


class OpenPages:
    """A subscriber to domain events."""

    __slots__ = ("_bus", "_games", "_lobby")

    def __init__(self, bus: Bus, lobby: LobbyFeed, games: YourGamesFeed) -> None:
        self._bus = bus
        self._lobby = lobby
        self._games = games

    def hear(self, event: DomainEvent) -> None:
        """Tells the pages here, and has the other processes tell theirs."""
        notice: ChallengeMade | TurnPassed
        match event:
            case Challenged(game, player, by):
                proposer = "" if game.proposer is None else game.proposer.name
                notice = ChallengeMade(game.id, player.id, by.name, is_proposed(game), proposer)
            case YourTurn(game, player):
                notice = TurnPassed(game.id, player.id)
            case Paired(game) if not game.terms.control.by_the_minute and (mover := game.player(game.to_move)):
                notice = TurnPassed(game.id, mover.id)
            case _:
                return
        self.show(notice)
        self._bus.tell(notice)

    def show(self, notice: ChallengeMade | TurnPassed) -> None:
        """Tells the pages here."""
        match notice:
            case ChallengeMade():
                self._lobby.tell_challenged(notice)
            case TurnPassed(game, player):
                self._games.turn_passed(game, player)
