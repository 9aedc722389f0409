"""How long the rules take for one move, beside python-chess and pyffish in the same run.

    python -m tests.bench.rules_bench

One move is all that a server does for it: read the UCI text, check that it is legal, play it, list the answers to it,
see whether it gives check, see whether the game is over, write its SAN and its FEN. The positions come from the middle
of recorded games (plies 40 to 160), where hands are full. The same moves are made by python-chess, where it knows the
variant, and by pyffish with the seven calls that a server built on it needs. The contestants take turns, move by move,
so that a busy machine slows all alike; what matters are the ratios.
"""

import random
from collections.abc import Callable, Mapping
from statistics import median, quantiles
from time import perf_counter

import chess
import chess.variant
import pyffish

from server.rules.catalogue import load_catalogue
from server.rules.endings import outcome
from server.rules.movegen.legal import in_check, legal_ucis
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci, parse_uci_trusted
from server.rules.variant.variant import Variant
from tests.support.rules.fairy_stockfish import PLAYABLE
from tests.support.rules.vectors import GAME_FILES, records

MOVES = 120
"""Moves measured for each variant."""
BOARDS: dict[str, type[chess.Board]] = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}


def our_move(position: Position, text: str) -> None:
    """One whole move with our rules."""
    move = parse_uci(position, text)
    after = play_trusted(position, move)
    legal_ucis(after)
    in_check(after)
    outcome(after, 1)
    format_san(position, move)
    format_fen(after)


def python_chess_move(board: chess.Board, text: str) -> None:
    """The same with python-chess."""
    move = board.parse_uci(text)
    board.san(move)
    board.push(move)
    for answer in board.legal_moves:
        board.uci(answer)
    board.is_check()
    board.outcome()
    board.fen()


def pyffish_move(name: str, fen: str, text: str, chess960: bool) -> None:
    """The same with pyffish: each call sets the position up anew from its FEN."""
    if text not in pyffish.legal_moves(name, fen, [], chess960):
        raise ValueError(text)
    pyffish.get_san(name, fen, text, chess960, pyffish.NOTATION_SAN)
    after = pyffish.get_fen(name, fen, [text], chess960)
    pyffish.legal_moves(name, after, [], chess960)
    pyffish.gives_check(name, after, [], chess960)
    pyffish.has_insufficient_material(name, after, [], chess960)
    pyffish.is_optional_game_end(name, after, [], chess960)


def middle_game(variants: Mapping[str, Variant], name: str) -> list[tuple[Position, str]]:
    """Positions of recorded games and the moves played there, picked at random but the same in each run."""
    found = []
    for game in records(name):
        position = parse_fen(variants[game["variant"]], game["start_fen"], game.get("chess960", False))
        for ply, text in enumerate(game["moves"][:160]):
            if ply >= 40:
                found.append((position, text))
            position = play_trusted(position, parse_uci_trusted(position, text))
    return random.Random(1).sample(found, MOVES)


Contestant = Callable[[Position, str], float]


def ours(position: Position, text: str) -> float:
    """Seconds for one move with our rules."""
    begun = perf_counter()
    our_move(position, text)
    return perf_counter() - begun


def python_chess(position: Position, text: str) -> float:
    """Seconds for one move with python-chess, its board set up beforehand as a server would have it."""
    board = BOARDS[position.variant.id](format_fen(position), chess960=position.chess960)
    begun = perf_counter()
    python_chess_move(board, text)
    return perf_counter() - begun


def pyffish_calls(position: Position, text: str) -> float:
    """Seconds for one move with pyffish."""
    fen = format_fen(position)
    begun = perf_counter()
    pyffish_move(position.variant.id, fen, text, position.chess960)
    return perf_counter() - begun


def measure(moves: list[tuple[Position, str]], contestants: dict[str, Contestant]) -> dict[str, list[float]]:
    """Seconds of every move for every contestant, in turns."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for position, text in moves:
        for name, contestant in contestants.items():
            times[name].append(contestant(position, text))
    return times


def main() -> None:
    variants = load_catalogue()
    print("Milliseconds for one whole move; a ratio says how many times longer the rival takes (medians).")
    print("                           p50     p95   slowest | python-chess p50  ratio | pyffish p50  ratio |")
    for name in GAME_FILES:
        moves = middle_game(variants, name)
        id_ = moves[0][0].variant.id
        contestants: dict[str, Contestant] = {"ours": ours}
        if id_ in BOARDS:
            contestants["python-chess"] = python_chess
        if id_ in PLAYABLE:
            contestants["pyffish"] = pyffish_calls
        times = measure(moves, contestants)
        mine = times.pop("ours")
        line = f"{name:20} {median(mine) * 1e3:9.3f} {quantiles(mine, n=20)[-1] * 1e3:7.3f} {max(mine) * 1e3:9.3f} |"
        for rival, width in (("python-chess", 16), ("pyffish", 11)):
            if rival in times:
                theirs = median(times[rival])
                line += f" {theirs * 1e3:{width}.3f} {theirs / median(mine):5.1f}x |"
            else:
                line += f" {'-':>{width}} {'-':>6} |"
        print(line)


if __name__ == "__main__":
    main()
