"""Makes the puzzles that a new site begins with: `python -m server.cli.shipped_puzzles`, from a checkout with Node.

The site's own engine plays itself. Where neither side stands better, moves are tried that it would not make: if one is
a mistake that lets exactly one move win, this is a puzzle, found and verified like those from games of people. Nothing
depends on time, and chance is drawn from the number of the game: the same engine makes the same puzzles, so when the
rules of a variant change, its file is deleted and made anew. It goes on where it was ended: what is found is written
game by game.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from server.cli.engines import running_engine
from server.games.puzzle_mining import NOT_WON, SCAN, Analyst, Thought, is_mistake, winning_line
from server.games.shipped_puzzles import FOLDER, puzzle_of_line
from server.rules.catalogue import load_catalogue
from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.moves import NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant

NODES: Final = 8_000
"""For each position of a puzzle; four times as many verify it."""
MOST: Final = 200
"""Puzzles of a variant."""
A_GAME: Final = 4
"""At most, so that they do not resemble one another."""
PLAYS: Final = 250
"""Nodes with which the engine plays itself."""
VARIED: Final = 10
"""Half-moves of the opening in which it takes any of its best three; no puzzle is as early."""
LONGEST: Final = 90
"""Half-moves: later than that, puzzles are endings without a story."""
CHOOSES: Final = 0.15
"""How often it takes another of its best three than the best afterwards."""
TRIED: Final = 5
"""Moves that may be mistakes, of a position."""


def make(variant: Variant, analyst: Analyst, most: int, file: Path) -> None:
    """Adds puzzles to the file of that variant until it has `most`."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    number = int(lines[0].removeprefix("# games: ")) if lines else 0
    found = lines[1:]
    while len(found) < most:
        number += 1
        for line in puzzles_of_game(variant, analyst, number):
            if line not in found:
                found.append(line)
        file.write_text("\n".join([f"# games: {number}", *found]) + "\n", encoding="utf-8")
        sys.stdout.write(f"{variant.id}: {len(found)} puzzles from {number} games\n")
        sys.stdout.flush()


def puzzles_of_game(variant: Variant, analyst: Analyst, number: int) -> Iterator[str]:
    """Those from the game with that number of the engine against itself, each as a line of the file."""
    chance = random.Random(f"{variant.id} {number}")
    position, found, beyond = start_position(variant), 0, VARIED
    for ply in range(LONGEST):
        if outcome(position) is not None or found == A_GAME:
            return
        thoughts = analyst.look(position, PLAYS, 3)
        if ply >= beyond and (line := _missed(position, analyst, chance)):
            yield line
            # The next one is of another part of the game.
            found, beyond = found + 1, ply + VARIED
        varies = ply < VARIED or chance.random() < CHOOSES
        move = chance.choice(thoughts) if varies else thoughts[0]
        position = play(position, parse_uci(position, move.move))


def _missed(position: Position, analyst: Analyst, chance: random.Random) -> str | None:
    """A puzzle that a mistake in this position would make, where neither side stands better."""
    had = analyst.look(position, NODES // SCAN, 1)[0].chances
    if not 1 - NOT_WON <= had <= NOT_WON:
        return None
    moves = sorted(legal_moves(position), key=lambda move: move.uci)
    for move in chance.sample(moves, min(TRIED, len(moves))):
        after = play(position, move)
        if outcome(after) is not None:
            continue
        best = analyst.look(after, NODES // SCAN, 1)[0]
        if not is_mistake(1 - had, best.chances) or _only_takes(after, best):
            continue
        if line := winning_line(after, analyst, NODES):
            text = "\t".join((format_fen(after), move.uci, " ".join(line)))
            # As the site will read it: it proves what it is.
            puzzle_of_line(position.variant, text, 0)
            return text
    return None


def _only_takes(position: Position, thought: Thought) -> bool:
    """Does the move take what nobody guards? Most mistakes allow that, and it takes no thought to find."""
    move = parse_uci(position, thought.move)
    if thought.mate or not isinstance(move, NormalMove) or position.board[move.target] == 0:
        return False
    return all(getattr(reply, "target", -1) != move.target for reply in legal_moves(play(position, move)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Makes puzzles of the variants that are named, or of all."""
    parser = argparse.ArgumentParser(prog="python -m server.cli.shipped_puzzles", description=main.__doc__)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help="puzzles of each")
    asked = parser.parse_args(arguments)
    variants = load_catalogue()
    with running_engine(None) as engine:
        for name in asked.variants or variants:
            make(variants[name], engine, asked.most, FOLDER / f"{name}.txt")


if __name__ == "__main__":
    main()
