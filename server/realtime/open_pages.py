"""Tells the open pages of people what has just happened to them, on this process and the others.

An event reaches one process; the bus takes it to the pages of the others. A lost notice costs a sound and a message:
every later change brings the list up to date. Knows no sockets.
"""

from server.games.changes.beginning import is_proposed
from server.games.state import Game, OfferKind
from server.realtime.lobby.lobby_feed import LobbyFeed
from server.realtime.process.bus import ChallengeMade, MessageLeft, RematchOffered, TurnPassed
from server.realtime.process.domain_events import (
    Challenged,
    DomainEvent,
    MessageWritten,
    OfferMade,
    Paired,
    YourTurn,
)
from server.realtime.process.services import Services
from server.realtime.your_games.your_games import YourGamesFeed

PersonalNotice = ChallengeMade | MessageLeft | RematchOffered | TurnPassed
"""What is told to one person."""


class OpenPages:
    """A subscriber to domain events."""

    def __init__(self, services: Services, lobby: LobbyFeed, games: YourGamesFeed) -> None:
        self._services = services
        self._lobby = lobby
        self._games = games

    def hear(self, event: DomainEvent) -> None:
        """Tells the pages here, and has the other processes tell theirs."""
        notice: PersonalNotice
        match event:
            case Challenged(game, player, by):
                proposer = "" if game.proposer is None else game.proposer.name
                notice = ChallengeMade(game.id, player.id, by.name, is_proposed(game), proposer)
            case YourTurn(game, player):
                notice = TurnPassed(game.id, player.id)
            case Paired(game) if not game.terms.control.by_the_minute and (mover := game.player(game.to_move)):
                notice = TurnPassed(game.id, mover.id)
            case MessageWritten(game, player, speaker, away=True) if self._is_heard(speaker, player.id):
                notice = MessageLeft(game.id, player.id, _name_of(speaker, game))
            case OfferMade(game, player, OfferKind.REMATCH, away=True):
                other = next((one for one in game.players if one.id != player.id), None)
                if other is None or not self._is_heard(other.id, player.id):
                    return
                notice = RematchOffered(game.id, player.id, other.name)
            case _:
                return
        self.show(notice)
        self._services.bus.tell(notice)

    def _is_heard(self, speaker: str, reader: str) -> bool:
        return speaker not in self._services.blocks.unheard_by(reader)

    def show(self, notice: PersonalNotice) -> None:
        """Tells the pages here."""
        match notice:
            case ChallengeMade():
                self._lobby.tell_challenged(notice)
            case MessageLeft(game, player, by):
                self._lobby.tell_written(game, player, by)
            case RematchOffered(game, player, by):
                self._lobby.tell_rematch_offered(game, player, by)
            case TurnPassed(game, player):
                self._games.turn_passed(game, player)


def _name_of(player: str, game: Game) -> str:
    return next((one.name for one in game.players if one.id == player), "")
