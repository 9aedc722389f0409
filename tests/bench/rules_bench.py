"""What is decided without waiting: a move by the rules, beside python-chess and pyffish; whom a tournament pairs.

    python -m tests.bench.rules_bench [moves] [tournaments]

One move is all that a server does for it: read the UCI text, check that it is legal, play it, list the answers to it,
see whether it gives check, see whether the game is over, write its SAN and its FEN. The positions come from the middle
of recorded games (plies 40 to 160), where hands are full. The same moves are made by python-chess, where it knows the
variant, and by pyffish with the seven calls that a server built on it needs. The contestants take turns, move by move,
so that a busy machine slows all alike; what matters are the ratios.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from random import Random
from statistics import median, quantiles
from time import perf_counter

import chess
import chess.variant
import pyffish

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.arena import ARENA
from server.games.tournaments.tournament import (
    MINUTE_MS,
    Candidate,
    Entrant,
    Field,
    GameResult,
    Pairing,
    TournamentTerms,
    announced,
    standings,
)
from server.rules.catalogue import load_catalogue
from server.rules.endings import outcome
from server.rules.movegen.legal import in_check, legal_ucis
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci, parse_uci_trusted
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color
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
    return Random(1).sample(found, MOVES)


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


def moves() -> None:
    """Milliseconds for one whole move; a ratio says how many times longer the rival takes (medians)."""
    variants = load_catalogue()
    print("                           p50     p95   slowest | python-chess p50  ratio | pyffish p50  ratio |")
    for name in GAME_FILES:
        played = middle_game(variants, name)
        id_ = played[0][0].variant.id
        contestants: dict[str, Contestant] = {"ours": ours}
        if id_ in BOARDS:
            contestants["python-chess"] = python_chess
        if id_ in PLAYABLE:
            contestants["pyffish"] = pyffish_calls
        times = measure(played, contestants)
        mine = times.pop("ours")
        line = f"{name:20} {median(mine) * 1e3:9.3f} {quantiles(mine, n=20)[-1] * 1e3:7.3f} {max(mine) * 1e3:9.3f} |"
        for rival, width in (("python-chess", 16), ("pyffish", 11)):
            if rival in times:
                theirs = median(times[rival])
                line += f" {theirs * 1e3:{width}.3f} {theirs / median(mine):5.1f}x |"
            else:
                line += f" {'-':>{width}} {'-':>6} |"
        print(line)


CUP_TERMS = TournamentTerms("Cup", "arena", "chess", False, TimeControl.realtime(180_000, 2_000), True, 0, 60)
CUP = announced("cup", Player("o", "Olga"), CUP_TERMS, 0)
NOW = 10 * MINUTE_MS
WAVES = ((50, 20), (200, 150), (1_000, 1_500))
"""People who wait, and the milliseconds that pairing them may take."""


def waiting(people: int, random: Random) -> Iterator[Candidate]:
    """So many who have each played somebody near them in the table."""
    colors = tuple(Color)
    for place in range(1, people + 1):
        met = tuple((f"p{max(1, place + random.randint(-3, 3))}", random.choice(colors)) for _ in range(6))
        yield Candidate(f"p{place}", place, 2_200 - place, NOW - 20_000 - place, met)


def results(people: int, each: int, random: Random) -> Iterator[GameResult]:
    """So many games of each of them."""
    for wave in range(1, each + 1):
        order = random.sample(range(people), people)
        for board in range(people // 2):
            pairing = Pairing(f"{wave}-{board}", wave, board, f"p{order[2 * board]}", f"p{order[2 * board + 1]}", NOW)
            yield GameResult(pairing, random.choice((Color.WHITE, Color.BLACK, None)), 40, NOW)


def best_ms(work: Callable[[], object]) -> float:
    """The least of three times."""
    taken = []
    for _ in range(3):
        begun = perf_counter()
        work()
        taken.append((perf_counter() - begun) * 1_000)
    return min(taken)


def tournaments() -> None:
    """Milliseconds to pair a wave of an arena, with the most that it may take, and to make its table."""
    for people, most in WAVES:
        field = Field(tuple(waiting(people, Random(people))))
        ms = best_ms(lambda field=field: run_at_once(ARENA.pair(CUP, field, NOW)))
        print(f"a wave of {people:5,}: {ms:7.1f} ms of {most:5,} ms")
    entrants = {f"p{n}": Entrant(Player(f"p{n}", f"P{n}"), 1_500, False, n) for n in range(1_000)}
    played = list(results(1_000, 8, Random(8)))
    ms = best_ms(lambda: standings(ARENA, CUP, entrants, played))
    print(f"a table of 1,000 people and 4,000 games: {ms:.1f} ms")


PARTS: dict[str, Callable[[], None]] = {"moves": moves, "tournaments": tournaments}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        print(PARTS[name].__doc__)
        PARTS[name]()


if __name__ == "__main__":
    main()
