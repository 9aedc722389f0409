"""A game in play as TV shows it."""

from collections.abc import Container

from server.games.people.guest_names import has_account
from server.games.state import Game
from server.realtime.lobby.views import clock_text
from server.realtime.play.views import NO_RATINGS, PlayerRatings
from server.realtime.protocol.snapshot import Clocks
from server.realtime.protocol.tv_messages import Board
from server.realtime.protocol.wire import side
from server.rules.notation.fen import format_fen
from server.rules.variant.pieces import Color


def board_of(
    game: Game, watchers: int, now: int, ratings: PlayerRatings = NO_RATINGS, bots: Container[str] = ()
) -> Board:
    """The board of `game`, with the clocks as of `now` (ms). `bots`: the ids of those who are."""
    white, black = (f"{one.rating}{'?' if one.provisional else ''}" if one else "" for one in ratings)
    accounts = [side(color) for color in Color if (player := game.player(color)) is not None and has_account(player)]
    programs = [side(color) for color in Color if (player := game.player(color)) is not None and player.id in bots]
    return Board(
        game=game.id,
        variant=game.terms.variant.id,
        chess960=1 if game.terms.chess960 else None,
        white=game.white.name if game.white else "",
        black=game.black.name if game.black else "",
        accounts=accounts or None,
        bots=programs or None,
        rated=1 if game.terms.rated else None,
        terms=clock_text(game.terms.control),
        fen=format_fen(game.position),
        last=game.plies[-1].uci if game.plies else None,
        clock=Clocks.of(game, now),
        watchers=watchers,
        ratings=(white, black) if white or black else None,
    )
