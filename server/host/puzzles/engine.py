"""The site's own engine as a subprocess: an `Analyst`, spoken with in UCI. It needs Node, which the server does not."""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from server.games.puzzles.mining import Thought
from server.host.engine_program import own_engine
from server.host.site_access import CommandRefused
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen

INFO: Final = re.compile(r"info depth \d+ .*?multipv (\d+) score (cp|mate) (-?\d+) .*?pv (\S+)")


class UciAnalyst:
    """A running engine. It starts anew for each position, so the same question always has the same answer."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._told: Mapping[str, str] = {}

    def look(self, position: Position, nodes: int, lines: int) -> Sequence[Thought]:
        """As `Analyst` says. Raises CommandRefused if the engine fails."""
        if not legal_moves(position):
            return []
        self._set(
            {
                "UCI_Variant": position.variant.id,
                "UCI_Chess960": str(position.chess960).lower(),
                "MultiPV": str(lines),
            }
        )
        self._say("ucinewgame", f"position fen {format_fen(position)}", f"go nodes {nodes}")
        found: dict[int, Thought] = {}
        said = []
        for line in self._answer():
            said.append(line)
            if told := INFO.match(line):
                rank, kind, number, move = told.groups()
                mate = int(number) if kind == "mate" else None
                found[int(rank)] = Thought(move, int(number) if mate is None else 0, mate)
        if not found:
            raise CommandRefused(f"The engine does not understand {format_fen(position)}: {said[-1]}.")
        return [found[rank] for rank in sorted(found)]

    def _set(self, options: Mapping[str, str]) -> None:
        """Tells it what has changed; the variant first, as it begins a position."""
        for name, value in options.items():
            if self._told.get(name) != value:
                self._say(f"setoption name {name} value {value}")
        self._told = options

    def _say(self, *lines: str) -> None:
        try:
            self._input.write("".join(f"{line}\n" for line in lines))
            self._input.flush()
        except OSError:
            raise _gone() from None

    def _answer(self) -> Iterator[str]:
        """Its lines up to the best move."""
        output = cast(IO[str], self._process.stdout)
        while True:
            line = output.readline()
            if not line:
                raise _gone()
            yield line.rstrip()
            if line.startswith("bestmove"):
                return

    @property
    def _input(self) -> IO[str]:
        return cast(IO[str], self._process.stdin)


def _gone() -> CommandRefused:
    return CommandRefused("The engine has stopped by itself; what it wrote to standard error says why. Run this again.")


@contextmanager
def running_engine(variants_dir: Path | None) -> Iterator[UciAnalyst]:
    """A new engine, which is ended afterwards. Raises CommandRefused without Node."""
    program = own_engine(variants_dir)
    known = program.environment
    try:
        process = subprocess.Popen(program.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=known)
    except OSError as error:
        raise CommandRefused(f"{program.command[0]} cannot be run ({error.strerror}).") from None
    with process:
        try:
            yield UciAnalyst(process)
        finally:
            process.kill()
