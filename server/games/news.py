"""What of a game is worth telling people who are not at its board: that something waits for them, or that it is over.

Only of games that need not be played at once: those who play by the minute, or against the computer, are at the board.
"""

from server.games.changes.beginning import challenged_player, people_of
from server.games.player import Player
from server.games.reminders import time_is_up
from server.games.state import Game, Offer, OfferKind
from server.games.status import Status
from server.rules.variant.pieces import Color


def is_played_at_board(game: Game) -> bool:
    """Do those who play it sit at its board, so that nobody need tell them of it elsewhere?"""
    return game.terms.control.by_the_minute or game.computer is not None


def is_news(before: Game | None, after: Game) -> bool:
    """Does the change from `before` (None: it is new) to `after` concern somebody who need not be there?"""
    if is_played_at_board(after):
        return False
    if before is None:
        return after.status is Status.LIVE or challenged_player(after) is not None
    if new_offers(before, after) or after.clock.reminded > before.clock.reminded:
        return True
    if after.declined is not None and after.declined != before.declined:
        return True
    if after.status is Status.OPEN:
        # Of two who are asked to play each other, one has accepted.
        return challenged_player(before) != challenged_player(after)
    if after.status is Status.ADJOURNED:
        return before.status is Status.LIVE
    if after.status is Status.LIVE:
        return before.status is not Status.LIVE or len(before.plies) != len(after.plies)
    return after.status is Status.OVER and before.status is not Status.OVER


def new_offers(before: Game, after: Game) -> tuple[Offer, ...]:
    """The offers made by that change that want an answer now.

    A draw offered by the side to move is announced with their move, as it is meant.
    """
    made = (offer for offer in after.offers if offer.id >= before.next_offer)
    return tuple(offer for offer in made if not (offer.kind is OfferKind.DRAW and offer.by is after.to_move))


def was_declined(game: Game, color: Color) -> bool:
    """Is the last news of `game` that an offer of the player of `color` was declined?"""
    return game.declined is not None and game.declined.by is color


def concerned(game: Game) -> tuple[Player, ...]:
    """For whom something waits in `game`, and whose offer was just declined; those who play it if it has just begun,
    is paused or goes on again; if it is over and nothing waits, those who played it.
    """
    if game.status is Status.OPEN:
        challenged = challenged_player(game)
        return () if challenged is None else (challenged,)
    if game.status is Status.ADJOURNED or game.goes_on_again or has_just_begun(game):
        colors = [*Color]
    else:
        claims = game.to_move.other if game.status is Status.LIVE and time_is_up(game) else None
        told = [color for color in Color if color is claims or was_declined(game, color)]
        colors = [color for color in Color if color in told or game.has_the_move(color) or game.offers_to(color)]
    if game.status is Status.OVER and not colors:
        colors = [*Color]
    return tuple(player for color in colors if (player := game.player(color)) is not None)


def has_just_begun(game: Game) -> bool:
    """Has nothing happened in it yet? Where a first move was taken back, that was asked for."""
    return game.status is Status.LIVE and not game.plies and game.next_offer == 1


def spoken_to(game: Game, speaker: str) -> Player | None:
    """Who is told what the player of that id says in the chat of the players; None: nobody, as in games by the minute
    they are there, and the computer reads nothing.
    """
    people = people_of(game)
    if is_played_at_board(game) or speaker not in {one.id for one in people}:
        return None
    return next((one for one in people if one.id != speaker), None)
