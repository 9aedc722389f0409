"""A game in play as TV shows it."""

from server.games.state import Game
from server.realtime.lobby.views import clock_text
from server.realtime.play.views import NO_RATINGS, PlayerRatings, clocks
from server.realtime.protocol.tv_messages import Board
from server.rules.notation.fen import format_fen


def board_of(game: Game, watchers: int, now: int, ratings: PlayerRatings = NO_RATINGS) -> Board:
    """The board of `game`, with the clocks as of `now` (ms)."""
    white, black = (f"{one.rating}{'?' if one.provisional else ''}" if one else "" for one in ratings)
    return Board(
        game=game.id,
        variant=game.terms.variant.id,
        chess960=1 if game.terms.chess960 else None,
        white=game.white.name if game.white else "",
        black=game.black.name if game.black else "",
        rated=1 if game.terms.rated else None,
        terms=clock_text(game.terms.control),
        fen=format_fen(game.position),
        last=game.plies[-1].uci if game.plies else None,
        clock=clocks(game, now),
        watchers=watchers,
        ratings=(white, black) if white or black else None,
    )
