"""A UCI engine as a process of its own, asked for one move at a time. Knows no site."""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Final

from server.host.bot.strength import Strength, strength_of
from server.host.engine_program import EngineProgram
from server.host.site_access import CommandRefused

BEGINNING: Final = 2
"""A position after fewer half-moves starts a new game: the engine forgets the previous one."""
SHARE: Final = 20
"""A move takes at most one part in this many of the time that is left."""
START_S: Final = 10.0
STUCK_S: Final = 20.0
"""How long an engine may overrun its time before it counts as stuck."""


class EngineFailed(Exception):
    """It has died, is stuck, or has no move."""


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
        """Raises CommandRefused if there is no such program, or it does not speak UCI."""
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
        """The move it chooses, in UCI. Raises EngineFailed."""
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
        """Ends the process, if there is one."""
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
