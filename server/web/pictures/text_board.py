"""A game as plain text for terminals and mail: names, a board drawn in letters, pockets, clocks and the last moves."""

from collections.abc import Iterator

from aiohttp import web

from server.games.clocks.time_control import for_color
from server.games.clocks.vacations import last_day
from server.games.state import Game
from server.language import Language
from server.pictures.text_board import letter_board
from server.rules.notation.letters import OWN, Letters
from server.rules.variant.pieces import Color
from server.web.languages import language_of, names_for
from server.web.pictures.captions import clock_text, headline
from server.web.rendering.answers import in_language
from server.web.site import SITE, find_round
from server.web.variant_words import Names, counts_in_words, goal_in_words, legend, letters_in_words

LAST_PLIES = 10
HOUR_MS = 60 * 60 * 1_000
LATE_MS = 5 * 60 * 1_000
"""So little less than a full hour is rounded up."""


async def game_as_text(request: web.Request) -> web.Response:
    """GET /{game}.txt"""
    game = (await find_round(request)).game
    language, called = language_of(request), names_for(request)[game.terms.variant.id]
    lines = text_of(game, language, called, request.app[SITE].now())
    answer = web.Response(text="\n".join(lines) + "\n", content_type="text/plain", charset="utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    return in_language(request, answer)


def text_of(game: Game, language: Language, called: Names, now: int, letters: Letters = OWN) -> Iterator[str]:
    """The lines of a game as everybody may see it; clocks as they stand at `now` (ms). `letters`: of its pieces."""
    yield headline(game, language, called.name).unescape()
    yield ""
    explained = letters_in_words(letters, game.terms.variant, called, language.plain)
    yield from _board_and_moves(game, language, called, now, letters, explained)


def text_for(
    game: Game,
    color: Color,
    language: Language,
    called: Names,
    now: int,
    letters: Letters = OWN,
    *,
    with_moves: bool = True,
) -> Iterator[str]:
    """The same for a mail to the player of `color`: from their side, and with the letters of all strange pieces."""
    flipped = color is Color.BLACK
    explained = legend(letters, game.terms.variant, called, language.plain)
    yield from _board_and_moves(game, language, called, now, letters, explained, flipped=flipped, with_moves=with_moves)


def _board_and_moves(
    game: Game,
    language: Language,
    called: Names,
    now: int,
    letters: Letters,
    explained: Iterator[str],
    *,
    flipped: bool = False,
    with_moves: bool = True,
) -> Iterator[str]:
    """The board, and below it what letters mean (`explained`), what wins, pockets, clocks and, `with_moves`, moves."""
    white, black = (_seat(game, color, language) for color in Color)
    yield from letter_board(game.position, white, black, letters, flipped=flipped)
    yield ""
    yield from explained
    if goal := goal_in_words(game.terms.variant, called, language.plain):
        yield goal
    yield from counts_in_words(game.position, called, language.plain)
    yield from _clocks(game, language, now)
    yield from away_lines(game, language)
    if with_moves and (moves := last_moves(game, letters=letters)):
        yield f"{language.plain('board.moves')}: {moves}"
    if game.outcome is None:
        turn = "rules.try_turn_white" if game.position.turn is Color.WHITE else "rules.try_turn_black"
        yield language.plain(turn)


def _seat(game: Game, color: Color, language: Language) -> str:
    side = language.plain("terms.white" if color is Color.WHITE else "terms.black")
    player = game.player(color)
    return f"{side} ({language.person(player.name)})" if player else side


def _clocks(game: Game, language: Language, now: int) -> Iterator[str]:
    left = [game.clock.remaining(color, now) for color in Color]
    if left[0] is not None and left[1] is not None:
        white, black = (
            days_and_hours(ms, language) if game.terms.control.by_days else clock_text(ms)
            for ms in left
            if ms is not None
        )
        yield language.plain("round.clocks_in_text", white=white, black=black)


def days_and_hours(ms: int, language: Language) -> str:
    """ "9 days 23 hours", without what is 0; less than an hour as a clock shows it."""
    # Rounded as "3 days left" is (`clock_words.time_left`).
    hours = (ms + LATE_MS) // HOUR_MS
    parts = (("terms.n_days", hours // 24), ("round.time_hours", hours % 24))
    return " ".join(language.plain(unit, n=n) for unit, n in parts if n) or clock_text(ms)


def away_lines(game: Game, language: Language) -> Iterator[str]:
    """Who is on vacation, and until when: "Anna is away until 3 August."."""
    for color in Color:
        if (until := for_color(game.away, color)) and (player := game.player(color)) is not None:
            name, day = language.person(player.name), language.day(last_day(until))
            yield language.plain("vacation.they_are", name=name, day=day)


def last_moves(game: Game, most: int = LAST_PLIES, letters: Letters = OWN) -> str:
    """The last plies, at most so many, with their numbers: "3... Nf6 4. O-O"; "" when nothing was played."""
    later = game.position.fullmove * 2 + game.position.side
    first = max(0, len(game.plies) - most)
    words: list[str] = []
    for nth, ply in enumerate(game.plies[first:], first - len(game.plies)):
        number, black = divmod(later + nth, 2)
        if not black or not words:
            words.append(f"{number}{'...' if black else '.'}")
        words.append(letters.san(ply.san))
    return " ".join(words)
