"""Makes the puzzles that a new site begins with: `make puzzles`, from a checkout with Node.

The site's own engine plays itself, from the start of each form. In any position in which the side to move does not
stand worse, moves are tried that it might make, and some that it would not: if one is a mistake that lets exactly one
move win, this is a puzzle, verified like those from games of people. Nothing depends on time, and chance is drawn from
the number of the game: the same engine makes the same puzzles, so when the rules of a variant change, its files are
deleted and made anew. It goes on where it was ended: what is found is written game by game. The forms take turns, so
that all have some early.

A server that fills up its puzzles (`server.web.operation.puzzle_filling`) asks it for the puzzles of a few games, too.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.cli.engines import running_engine
from server.cli.site_access import CommandRefused
from server.games.puzzle_mining import MOST_LINES, NOT_WON, Analyst, Thought, is_mistake, winning_line
from server.games.shipped_puzzles import FOLDER, GAMES, NO_ENGINE, form_name, forms_of, puzzle_of_line
from server.rules.catalogue import load_catalogue
from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.moves import Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant

NODES: Final = 8_000
"""For each position of a puzzle; four times as many verify it."""
MOST: Final = 200
"""Puzzles of a form."""
A_TURN: Final = 20
"""Puzzles of a form, before the next one has its turn."""
A_GAME: Final = 4
"""At most, so that they do not resemble one another."""
PLAYS: Final = 250
"""Nodes with which the engine plays itself."""
GLANCES: Final = 200
"""Nodes with which a move is looked at that may be a mistake. Few are, and what is found is searched properly."""
CHOICE: Final = 3
"""Of so many of its best moves it takes any where it varies."""
VARIED: Final = 10
"""Half-moves of the opening in which it varies; no puzzle is as early."""
LONGEST: Final = 90
"""Half-moves: later than that, puzzles are endings without a story."""
VARIES: Final = 0.15
"""How often it varies afterwards."""
GLANCED: Final = 0.68
"""Chances of a second move, at a glance, from which on it may win, too."""
TRIED: Final = 5
"""Moves of a position that may be mistakes: so many of the engine's next best, and of any others."""


@dataclass(frozen=True, slots=True)
class PuzzleMaker:
    """Adds to the file of one form of a variant."""

    variant: Variant
    chess960: bool
    folder: Path

    def make_puzzles(self, analyst: Analyst, most: int) -> None:
        """Plays games until the file has at least `most` puzzles."""
        file = self.folder / f"{form_name(self.variant, self.chess960)}.txt"
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        number = int(lines[0].removeprefix(GAMES)) if lines else 0
        found = lines[1:]
        while len(found) < most:
            number += 1
            found += [line for line in self.puzzles_of_game(analyst, number) if line not in found]
            file.write_text("\n".join([f"{GAMES}{number}", *found]) + "\n", encoding="utf-8")
        sys.stdout.write(f"{file.stem}: {len(found)} puzzles from {number} games\n")
        sys.stdout.flush()

    def puzzles_of_game(self, analyst: Analyst, number: int) -> Iterator[str]:
        """Those from the game with that number of the engine against itself, each as a line of the file."""
        variant = self.variant
        chance = random.Random(f"{variant.id} {number}")
        fen = shuffled_fen(variant, chance) if self.chess960 else variant.start_fen
        position, found, beyond = parse_fen(variant, fen, self.chess960), 0, VARIED
        for ply in range(LONGEST):
            if outcome(position) is not None or found == A_GAME:
                return
            thoughts = analyst.look(position, PLAYS, MOST_LINES)
            if ply >= beyond and (line := _missed(position, thoughts, analyst, chance)):
                yield line
                # The next one is of another part of the game.
                found, beyond = found + 1, ply + VARIED
            varies = ply < VARIED or chance.random() < VARIES
            move = chance.choice(thoughts[:CHOICE]) if varies else thoughts[0]
            position = play(position, parse_uci(position, move.move))


def _missed(position: Position, thoughts: Sequence[Thought], analyst: Analyst, chance: random.Random) -> str | None:
    """A puzzle that a mistake in this position would make, of which the engine thinks `thoughts`."""
    had = thoughts[0].chances
    if had < 1 - NOT_WON:
        return None
    for move in _tempting(position, thoughts, chance):
        after = play(position, move)
        if outcome(after) is not None or not _promises(after, had, analyst):
            continue
        line = winning_line(after, analyst, NODES)
        # The solver had not been winning before, by as deep a look.
        if line and is_mistake(1 - analyst.look(position, NODES, 1)[0].chances, 1.0):
            text = "\t".join((format_fen(after), move.uci, " ".join(line)))
            # As the site will read it: it proves what it is.
            puzzle_of_line(position.variant, text, 0, position.chess960)
            return text
    return None


def _tempting(position: Position, thoughts: Sequence[Thought], chance: random.Random) -> Sequence[Move]:
    """The moves to try: those that the engine likes next, then any."""
    liked = [one.move for one in thoughts]
    others = sorted(uci for uci in (move.uci for move in legal_moves(position)) if uci not in liked)
    picked = [*liked[1:], *chance.sample(others, min(TRIED, len(others)))]
    return [parse_uci(position, uci) for uci in picked]


def _promises(position: Position, had: float, analyst: Analyst) -> bool:
    """At a glance, is this after a mistake, with one move that is much better than the others, and not easy to see?"""
    best, *others = analyst.look(position, GLANCES, 2)
    alone = not others or others[0].chances <= GLANCED or best.mate is not None or others[0].mate is not None
    return is_mistake(1 - had, best.chances) and alone and not _only_takes(position, best)


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
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help="puzzles of each form")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files are")
    parser.add_argument(
        "--games",
        type=int,
        nargs=2,
        metavar=("FIRST", "LAST"),
        help="write the puzzles of the games with these numbers to standard output instead, a line for each",
    )
    parser.add_argument("--shuffled", action="store_true", help="with --games: of the 960 form")
    parser.add_argument("--variants-dir", type=Path, help="the host's own variants")
    asked = parser.parse_args(arguments)
    variants = load_catalogue(asked.variants_dir)
    chosen = [variants[name] for name in asked.variants or variants]
    with ExitStack() as stack:
        try:
            engine = stack.enter_context(running_engine(asked.variants_dir))
        except CommandRefused as refused:
            parser.exit(NO_ENGINE, f"{refused}\n")
        if asked.games:
            maker = PuzzleMaker(chosen[0], asked.shuffled, asked.folder)
            for number in range(asked.games[0], asked.games[1] + 1):
                sys.stdout.writelines(f"{line}\n" for line in maker.puzzles_of_game(engine, number))
            return
        makers = [PuzzleMaker(one, chess960, asked.folder) for one in chosen for chess960 in forms_of(one)]
        for most in range(A_TURN, asked.most + A_TURN, A_TURN):
            for maker in makers:
                maker.make_puzzles(engine, min(most, asked.most))


if __name__ == "__main__":
    main()
