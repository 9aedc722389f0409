"""Engines that speak UCI, as processes of their own: which program is one, how a bot asks it for moves, and how puzzles
have it look at positions. The site's own needs Node, which the server does not. Knows no site.
"""

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, cast

from server.cli.site_access import CommandRefused
from server.games.puzzle_mining import Thought
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen
from server.web.assets import PACKAGE

INSTALLED: Final = PACKAGE / "_assets/engine/engine.mjs"
IN_CHECKOUT: Final = PACKAGE.parent / "static/engine.mjs"
NO_NODE: Final = (
    "The site's own engine needs Node 20 or newer, and there is no `node` here. Install it, or Fairyhouse with an extra"
    " that brings it: pip install '.[puzzles]' (docs/install.md)."
)


@dataclass(frozen=True, slots=True)
class EngineProgram:
    """`name`: for people. `environment`: None for that of this process."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] | None = None


def engine_at(path: Path) -> EngineProgram:
    """The host's own UCI engine, not yet tried."""
    return EngineProgram(str(path), [str(path)])


def own_engine(variants_dir: Path | None) -> EngineProgram:
    """The site's own engine, which plays all its variants. Raises CommandRefused without Node."""
    known = os.environ | {"PYTHON": sys.executable}
    if variants_dir is not None:
        known["FAIRYHOUSE_VARIANTS_DIR"] = str(variants_dir.absolute())
    return EngineProgram("Fairyhouse", [_find_node(), str(_find_engine())], known)


def _find_node() -> str:
    """The machine's Node, or the one that a Python package has installed beside Python. Raises CommandRefused."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("node") or shutil.which("node", path=beside)
    if found is None:
        raise CommandRefused(NO_NODE)
    return found


def _find_engine() -> Path:
    """The engine's program inside the package, as in an installed wheel, or beside it, as in a checkout."""
    return INSTALLED if INSTALLED.is_file() else IN_CHECKOUT


SKILLS: Final = (-9, -5, -1, 3, 7, 11, 16, 20)
"""By level, on the scale of Fairy-Stockfish, which begins at -20; Stockfish's begins at 0."""
DEPTHS: Final = (2, 3, 4, 5, 6, 8, 12, 20)
THINKS_MS: Final = (50, 100, 150, 200, 300, 400, 600, 1_000)
ELOS: Final = (600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_800)
UNHURRIED_MS: Final = 10_000
"""An engine with levels of its own is limited by them, not by time."""


@dataclass(frozen=True, slots=True)
class Strength:
    """`options`: names and values to set. `depth`: in plies, 0: any. `most_ms`: for one move."""

    options: tuple[tuple[str, str], ...] = ()
    depth: int = 0
    most_ms: int = UNHURRIED_MS

    def __str__(self) -> str:
        """For the host, such as "Skill Level -1, depth 4, 150 ms"."""
        told = [f"{name} {value}" for name, value in self.options]
        told += [f"depth {self.depth}"] if self.depth else []
        return ", ".join([*told, f"{self.most_ms} ms"])


def strength_of(level: int, options: Mapping[str, str]) -> Strength:
    """How to limit an engine with these options (by name, what follows "type") to a level.

    By `Level`, as this site's own has it; else by `Skill Level`, depth and time; else by `UCI_Elo` and time; an engine
    with none of these by depth and time. A value outside what the engine allows becomes the nearest that it does.
    """
    at = level - 1
    if "Level" in options:
        return Strength((("Level", _within(level, options["Level"])),))
    if "Skill Level" in options:
        skill = _within(SKILLS[at], options["Skill Level"])
        return Strength((("Skill Level", skill),), DEPTHS[at], THINKS_MS[at])
    if "UCI_Elo" in options and "UCI_LimitStrength" in options:
        elo = _within(ELOS[at], options["UCI_Elo"])
        return Strength((("UCI_LimitStrength", "true"), ("UCI_Elo", elo)), 0, THINKS_MS[at])
    return Strength((), DEPTHS[at], THINKS_MS[at])


def _within(value: int, told: str) -> str:
    """The nearest value that "spin default 20 min -20 max 20" allows."""
    words = told.split()
    least, most = (int(words[words.index(word) + 1]) if word in words[:-1] else value for word in ("min", "max"))
    return str(max(least, min(most, value)))


BEGINNING: Final = 2
"""A position after fewer half-moves starts a new game: the engine forgets the previous one."""
SHARE: Final = 20
"""A move takes at most one part in this many of the time that is left."""
START_S: Final = 10.0
STUCK_S: Final = 20.0
"""How long an engine may overrun its time before it counts as stuck."""


class EngineFailed(Exception):
    """The engine has died, is stuck, or has no move."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A position: the first one, and the moves since. `left_ms`: on the own clock."""

    variant: str
    chess960: bool
    start_fen: str
    moves: tuple[str, ...]
    left_ms: int


class UciEngine:
    """An engine that plays at `level`, 1 to 8. Call `start` first; after a failure again."""

    def __init__(self, engine: EngineProgram, level: int) -> None:
        self._engine = engine
        self._level = level
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._options: dict[str, str] = {}
        self.strength = Strength()

    @property
    def variants(self) -> frozenset[str]:
        """The variants it says it plays; only chess if it names none."""
        listed = self._options.get("UCI_Variant", "").split(" var ")
        return frozenset(one.strip() for one in listed[1:]) or frozenset({"chess"})

    async def start(self) -> None:
        """Starts the program. Raises CommandRefused if there is none, or it does not speak UCI."""
        await self.stop()
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._engine.command, stdin=pipe, stdout=pipe, env=self._engine.environment
            )
        except OSError as error:
            raise CommandRefused(
                f"The engine {self._engine.name} cannot be started: {error.strerror}. Give its path with --engine, such"
                " as /usr/games/fairy-stockfish (Debian's package fairy-stockfish)."
            ) from None
        self._options = {}
        try:
            self._say("uci")
            while (line := await self._line(START_S)) != "uciok":
                words = line.removeprefix("option name ")
                if words != line:
                    name, _, rest = words.partition(" type ")
                    self._options[name] = rest
        except EngineFailed:
            await self.stop()
            raise CommandRefused(f"{self._engine.name} does not answer as a UCI engine.") from None
        self.strength = strength_of(self._level, self._options)
        for name, value in self.strength.options:
            self._set(name, value)

    async def best_move(self, turn: BotTurn) -> str:
        """Returns the move it chooses, in UCI. Raises EngineFailed."""
        think = max(10, min(self.strength.most_ms, turn.left_ms // SHARE))
        async with self._turn:
            self._set("UCI_Variant", turn.variant)
            self._set("UCI_Chess960", str(turn.chess960).lower())
            if len(turn.moves) < BEGINNING:
                self._say("ucinewgame")
            self._say(f"position fen {turn.start_fen} moves {' '.join(turn.moves)}".removesuffix(" moves "))
            depth = f" depth {self.strength.depth}" if self.strength.depth else ""
            self._say(f"go movetime {think}{depth}")
            while not (line := await self._line(STUCK_S + think / 1000)).startswith("bestmove "):
                pass
        move = line.split()[1]
        if move in ("(none)", "0000"):
            raise EngineFailed("it has no move")
        return move

    async def stop(self) -> None:
        """Ends the process if it runs."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _set(self, name: str, value: str) -> None:
        if name in self._options:
            self._say(f"setoption name {name} value {value}")

    def _say(self, line: str) -> None:
        if self._process is None or self._process.stdin is None or self._process.stdin.is_closing():
            raise EngineFailed("it is not running")
        self._process.stdin.write(f"{line}\n".encode())

    async def _line(self, seconds: float) -> str:
        if self._process is None or self._process.stdout is None:
            raise EngineFailed("it is not running")
        try:
            async with asyncio.timeout(seconds):
                line = await self._process.stdout.readline()
        except TimeoutError:
            raise EngineFailed("it does not answer") from None
        if not line:
            raise EngineFailed("it has ended")
        return line.decode(errors="replace").strip()


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
        """Collects its lines up to the best move."""
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
    """Starts an engine for the block and ends it afterwards. Raises CommandRefused without Node."""
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
