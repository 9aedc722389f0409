"""The answers about puzzles: their shapes, and how they are made. Knows no request."""

from typing_extensions import TypedDict

from server.games.puzzles.puzzle import Puzzle
from server.games.puzzles.solving import Reached, Verdict
from server.games.puzzles.standing import PuzzleStanding
from server.language import Language
from server.rules.movegen.legal import in_check, legal_ucis
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.variant.variant import Variant
from server.web.rules_pages.addresses import address_of


class ToldStanding(TypedDict):
    """What somebody has done at the puzzles of a form: their Glicko-2 rating as of `at` (ms), how many they have tried,
    and solved at the first try, how many in a row until now, and at most."""

    value: float
    deviation: float
    volatility: float
    tried: int
    at: int
    solved: int
    streak: int
    best: int


class ShownPuzzle(TypedDict):
    """What may be known of a puzzle before it is solved: neither its game nor its themes. Moves are in UCI."""

    id: str
    form: str
    chess960: bool
    fen: str
    check: bool
    last: str
    legal: list[str]
    turn: str
    say: str


class OnePuzzle(TypedDict):
    puzzle: ShownPuzzle


class NextPuzzle(TypedDict):
    """`puzzle`: null if there is none that they have not had."""

    puzzle: ShownPuzzle | None
    standing: ToldStanding


class SettledTry(TypedDict):
    """What a first try made of the standing, and by how many points the rating changed."""

    standing: ToldStanding
    gained: int


class SolvedPuzzle(TypedDict):
    """`rating`: the puzzle's. `game`: where it comes from; null if that has been deleted. `moves`: the whole line."""

    rating: int
    themes: list[str]
    game: str | None
    moves: list[str]


class ReachedPosition(TypedDict):
    """A position and the move that led to it."""

    uci: str
    fen: str
    check: bool


class PuzzleReply(ReachedPosition):
    """The opponent's move, and what is legal then."""

    legal: list[str]


class JudgedMoves(TypedDict):
    """`settled`: null unless this decided a first try. `about`: null unless it is solved."""

    right: bool
    solved: bool
    say: str
    after: ReachedPosition
    reply: PuzzleReply | None
    settled: SettledTry | None
    about: SolvedPuzzle | None


class PuzzleSolution(TypedDict):
    line: list[ReachedPosition]
    settled: SettledTry | None
    about: SolvedPuzzle


def told_standing(one: PuzzleStanding) -> ToldStanding:
    """The standing as the API and the account's export show it."""
    rating = one.rating
    return {
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "tried": rating.games,
        "at": rating.at,
        "solved": one.solved,
        "streak": one.streak,
        "best": one.best,
    }


def settled_try(before: PuzzleStanding, after: PuzzleStanding) -> SettledTry:
    """What a first try has made of the standing, in rounded points."""
    return {"standing": told_standing(after), "gained": after.rating.rounded - before.rating.rounded}


def shown_puzzle(puzzle: Puzzle, variant: Variant, language: Language) -> ShownPuzzle:
    """What may be known before it is solved."""
    position = parse_fen(variant, puzzle.fen, puzzle.chess960)
    side = position.turn.name.lower()
    return {
        "id": puzzle.id,
        "form": address_of(puzzle.variant, puzzle.chess960),
        "chess960": puzzle.chess960,
        "fen": puzzle.fen,
        "check": in_check(position),
        "last": puzzle.last,
        "legal": legal_ucis(position),
        "turn": side,
        "say": language.plain(f"puzzles.find_{side}"),
    }


def solved_puzzle(puzzle: Puzzle, has_game: bool, language: Language) -> SolvedPuzzle:
    """What may be known once it is solved or given up. `has_game`: is the game it comes from still there?"""
    return {
        "rating": puzzle.rating.rounded,
        "themes": [language.plain(f"puzzles.theme_{theme.replace('-', '_')}") for theme in sorted(puzzle.themes)],
        "game": f"/{puzzle.game}#{puzzle.ply}" if has_game else None,
        "moves": list(puzzle.line),
    }


def judged_moves(
    verdict: Verdict, settled: SettledTry | None, about: SolvedPuzzle | None, language: Language
) -> JudgedMoves:
    """`settled`: None if it was not the first try. `about`: None until it is solved."""
    said = "solved" if verdict.solved else "right" if verdict.right else "wrong"
    reply = verdict.reply
    return {
        "right": verdict.right,
        "solved": verdict.solved,
        "say": language.plain(f"puzzles.{said}"),
        "after": reached(verdict.after),
        "reply": None if reply is None else {**reached(reply), "legal": legal_ucis(reply.position)},
        "settled": settled,
        "about": about,
    }


def reached(one: Reached) -> ReachedPosition:
    """A move and the position after it, as the page shows them."""
    return {"uci": one.move.uci, "fen": format_fen(one.position), "check": in_check(one.position)}
