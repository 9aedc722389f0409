"""A game between two programs that speak UCI, with the server's rules as the referee."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, play, repetition_key
from server.rules.movegen.position import Position
from server.rules.notation.fen import start_position
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from tests.support.engine.uci import Engine

OPENING = 6
"""Plies at random before the programs play, so that no two games are the same."""
LONGEST = 300
"""Plies after which a game is drawn."""


@dataclass(frozen=True)
class Contestant:
    """A program, and what it is told when it is to move."""

    engine: Engine
    limits: str


def opening(variant: Variant, seed: int) -> list[str]:
    """A few moves after which the game is not over."""
    draw = random.Random(seed)
    while True:
        position, moves = start_position(variant), []
        while len(moves) < OPENING and outcome(position) is None:
            move = draw.choice(legal_moves(position))
            moves.append(move.uci)
            position = play(position, move)
        if outcome(position) is None:
            return moves


def play_game(variant: Variant, white: Contestant, black: Contestant, moves: list[str]) -> float:
    """What White scores: 1, 0.5 or 0. Raises IllegalMove if a program plays one."""
    position = start_position(variant)
    seen = Counter([repetition_key(position)])
    for uci in moves:
        position = _next(position, uci, seen)
    played = list(moves)
    for contestant in (white, black):
        contestant.engine.ask("ucinewgame")
    while len(played) < LONGEST and (end := outcome(position, seen[repetition_key(position)])) is None:
        contestant = white if position.turn is Color.WHITE else black
        contestant.engine.say(f"position startpos moves {' '.join(played)}")
        uci = contestant.engine.go(contestant.limits).move
        position = _next(position, uci, seen)
        played.append(uci)
    if len(played) == LONGEST or end is None or end.winner is None:
        return 0.5
    return 1.0 if end.winner is Color.WHITE else 0.0


def _next(position: Position, uci: str, seen: Counter[object]) -> Position:
    after = play(position, parse_uci(position, uci))
    seen[repetition_key(after)] += 1
    return after


def scores(variant: Variant, one: Contestant, other: Contestant, seed: int = 1) -> Iterator[float]:
    """What `one` scores, game after game, without an end: each opening with both colours."""
    while True:
        moves = opening(variant, seed)
        yield play_game(variant, one, other, moves)
        yield 1 - play_game(variant, other, one, moves)
        seed += 1
