"""Fair play while a game goes on: those who play it get no help with it here, from no engine, explorer or study.

What the server answers, it refuses; the engine thinks in the browser, which keeps to the same rule
(static/js/explain/fair_play.js). It is about games with another person. Nobody is kept from reading their own game, and
nobody else learns what somebody has asked for.

A position may be typed, so it is compared by its squares: in whichever variant, one move or one piece away from the
game's, and seen in a mirror, it is still a position of that game.
"""

import re
from collections.abc import Mapping, Sequence
from operator import ne
from typing import Final, NamedTuple, TypeAlias

from aiohttp import web

from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_placement, start_position
from server.rules.notation.pgn import PgnGame
from server.rules.notation.pgn_line import PgnLine
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import SlicedWork
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.running import RunningGame
from server.storage.time_slices import run_sliced
from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.rendering.problems import Problem
from server.web.site import SITE

OPENING: Final = 10
"""Half-moves that many games have in common. A position after fewer is somebody's game only for a while."""
SOON: Final = 8
"""Half-moves that what follows from such a position still helps with."""


@cached_for_all
async def fair_play_page(request: web.Request) -> web.Response:
    """GET /fair-play: what nobody may do in a game, and what this site does about it."""
    return await as_page(request, "about/fair_play.html")


async def games_in_play(request: web.Request) -> Sequence[RunningGame]:
    """The games that the asker is playing against other people. Raises Unavailable."""
    visitor = await request.app[SITE].sessions.find(request)
    return [] if visitor is None else await _games_of(request, visitor.user.id)


async def _games_of(request: web.Request, person: str) -> Sequence[RunningGame]:
    return [one for one in await request.app[SITE].live.running_games.games_of(person) if one.has_opponent]


async def forbid_own_game(request: web.Request, game: str) -> None:
    """Raises Problem (403) if the asker plays the game of that id, and Unavailable."""
    if any(one.id == game for one in await games_in_play(request)):
        raise Problem(403, "in_play")


async def forbid_help(request: web.Request, variant: Variant, way: Sequence[Position]) -> None:
    """Raises Problem (403) if the last position of `way` has to do with a game of the asker, and Unavailable.

    `way`: the positions in order, at least one. A game by the minute leaves no time for anything else: nothing is
    looked up meanwhile of its variant, nor of another on a board of that size, where the same pieces could be set up.
    """
    games = await games_in_play(request)
    size = variant.files * variant.ranks
    if any(one.by_the_minute and (one.variant == variant.id or len(_squares(one.board)) == size) for one in games):
        raise Problem(403, "in_play_minute")
    if not games:
        return
    leads: bool = await run_sliced(_leads_from(games, request.app[SITE].variants, way))
    if leads:
        raise Problem(403, "in_play")


async def forbid_keeping(request: web.Request, study: str, owner: str, line: PgnGame) -> None:
    """Raises Problem (403) if that line goes through a game of the asker, or of whoever belongs to that study, and
    Unavailable. Openings are everybody's.
    """
    if await _is_in_play(request, await games_in_play(request), line):
        raise Problem(403, "in_play")
    members = [one.person.id for one in await request.app[SITE].store.studies.members_of(study)]
    # One walk through the line for all of them: it may be long, and they many.
    games = [game for person in (owner, *members) for game in await _games_of(request, person)]
    if await _is_in_play(request, games, line):
        raise Problem(403, "in_play_of_member")


async def _is_in_play(request: web.Request, playing: Sequence[RunningGame], line: PgnGame) -> bool:
    """Does the line say that it is one of these games, or go through one behind the opening?"""
    address = request.app[SITE].settings.address
    if any(line.tags.get("Site") == f"{address}/{game.id}" for game in playing):
        return True
    if not playing:
        return False
    opening = _opening(line.start)
    boards = _boards_of(playing, request.app[SITE].variants, mirrored=not opening)
    through: bool = await run_sliced(_goes_through(boards, line.start, line.line, opening))
    return through


Squares: TypeAlias = Sequence[str]
"""A board row by row as in a FEN, each square with its piece or ""."""


class Board(NamedTuple):
    """That of a game. `explodes`: a move there may empty squares without filling any."""

    squares: Squares
    whites_turn: bool
    explodes: bool


TOKENS: Final = re.compile(r"\d+|\+?[^\d/~]")
MOST_CHANGED: Final = 4
"""Squares that a move fills or empties: castling with a gate. An explosion empties more."""
MOST_EMPTIED: Final = 10
NEAR_START: Final = 5
"""Squares by which a position differs from the start at most if a piece is given as odds, and each side moves once."""


def _leads_from(
    games: Sequence[RunningGame], variants: Mapping[str, Variant], way: Sequence[Position]
) -> SlicedWork[bool]:
    """Is the last position of `way` that of one of the games, or does it follow from it?

    What comes long after a position of the opening is another game, and there only the very position counts, by the
    moves of whichever variant.
    """
    last, opening = len(way) - 1, _opening(way[0])
    boards = _boards_of(games, variants, mirrored=not opening)
    for at, position in enumerate(way):
        if at >= opening and _is_near(boards, position):
            return True
        if last - at <= SOON and _stands_at(boards, position):
            return True
        yield
    return False


def _goes_through(boards: Sequence[Board], position: Position, line: PgnLine, opening: int) -> SlicedWork[bool]:
    """Has the line from `position`, or one of its variations, a position near one of these boards? In the first
    `opening` half-moves it does not matter.
    """
    if opening <= 0 and _is_near(boards, position):
        return True
    for move in line:
        for variation in move.variations:
            if (yield from _goes_through(boards, position, variation, opening)):
                return True
        position, opening = play_trusted(position, parse_uci(position, move.uci)), opening - 1
        if opening <= 0 and _is_near(boards, position):
            return True
        yield
    return False


def _opening(start: Position) -> int:
    """How many of the half-moves from `start` are of the opening: none of those from a position that was set up."""
    placement, usual = format_placement(start), format_placement(start_position(start.variant))
    if start.chess960:
        placement, usual = _rows_sorted(placement), _rows_sorted(usual)
    return OPENING if placement == usual else 0


def _rows_sorted(placement: str) -> str:
    return "/".join("".join(sorted(row)) for row in placement.split("/"))


def _squares(placement: str) -> Squares:
    """A promoted piece is what it promoted to; pockets are left out, as they can be typed as one likes."""
    tokens: list[str] = TOKENS.findall(placement)
    return [square for token in tokens for square in ([""] * int(token) if token.isdecimal() else [token])]


def _boards_of(games: Sequence[RunningGame], variants: Mapping[str, Variant], *, mirrored: bool) -> Sequence[Board]:
    """Those of the games; a game in which nobody has moved gives nothing away. `mirrored`: with the sides exchanged,
    too, and both from left to right.
    """
    boards: list[Board] = []
    for game in games:
        if not game.last:
            continue
        squares, white = _squares(game.board), game.to_move is Color.WHITE
        seen = [(squares, white)]
        if mirrored:
            exchanged = _squares("/".join(reversed(game.board.split("/"))).swapcase())
            seen += [(exchanged, not white), (_backwards(squares), not white), (_backwards(exchanged), white)]
        explodes = game.variant in variants and variants[game.variant].explodes
        boards += [Board(*one, explodes) for one in seen]
    return boards


def _backwards(squares: Squares) -> Squares:
    """From the last square to the first, with the sides exchanged."""
    return [square.swapcase() for square in reversed(squares)]


def _is_near(boards: Sequence[Board], position: Position) -> bool:
    """Is the position that of one of the boards, or but a square or a move of whoever is to move there away?

    The start without a piece is a game at odds: it may be a square away from many games that have just begun.
    """
    squares, whites_turn = _squares(format_placement(position)), position.turn is Color.WHITE
    of_size = [board for board in boards if len(board.squares) == len(squares)]
    changes = [_changes(board.squares, squares) for board in of_size]
    if 0 in changes or any(_is_moved(board, squares, whites_turn) for board in of_size):
        return True
    if 1 not in changes:
        return False
    usual = _squares(format_placement(start_position(position.variant)))
    return _changes(usual, squares) > NEAR_START


def _changes(before: Squares, after: Squares) -> int:
    return sum(map(ne, before, after))


def _is_moved(board: Board, squares: Squares, whites_turn: bool) -> bool:
    """Can a move on the board have led to these squares?"""
    changed = _changes(board.squares, squares)
    if changed > MOST_EMPTIED or whites_turn is board.whites_turn:
        return False
    # A move puts pieces of its side on squares, and takes any away; one that explodes only takes away.
    filled = [new for old, new in zip(board.squares, squares, strict=True) if new != old and new]
    if not filled:
        return board.explodes
    return changed <= MOST_CHANGED and all(new.isupper() is board.whites_turn for new in filled)


def _stands_at(boards: Sequence[Board], position: Position) -> bool:
    """Are the same pieces on one of the boards, and the same side to move?"""
    squares, whites_turn = _squares(format_placement(position)), position.turn is Color.WHITE
    return any(board.squares == squares and board.whites_turn is whites_turn for board in boards)
