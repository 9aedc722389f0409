"""A UCI engine as a process of its own, asked for one move at a time. Knows no site."""

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.host.site_access import CommandRefused

SKILLS: Final = (-9, -5, -1, 3, 7, 11, 16, 20)
"""By level: Fairy-Stockfish's `Skill Level`; an engine without that option is held back by time and depth alone."""
DEPTHS: Final = (2, 3, 4, 5, 6, 8, 12, 20)
THINKS_MS: Final = (50, 100, 150, 200, 300, 400, 600, 1_000)
SHARE: Final = 20
"""A move takes at most one part in so many of the time that is left."""
START_S: Final = 10.0
STUCK_S: Final = 20.0
"""How long past its time an engine may think before it is taken for stuck."""


class EngineFailed(Exception):  # noqa: N818 - says what has happened
    """It has died, is stuck, or has no move."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A position: the first one, and the moves since. `left_ms`: on the own clock."""

    variant: str
    chess960: bool
    start_fen: str
    moves: tuple[str, ...]
    left_ms: int


class UciEngine:
    """The engine at `path`, which plays at `level`, 1 to 8. Call `start` first; after a failure again."""

    def __init__(self, path: Path, level: int) -> None:
        self._path = path
        self._level = level
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._options: dict[str, str] = {}

    @property
    def variants(self) -> frozenset[str]:
        """Those that it says it plays; chess alone if it says nothing."""
        listed = self._options.get("UCI_Variant", "").split(" var ")
        return frozenset(one.strip() for one in listed[1:]) or frozenset({"chess"})

    async def start(self) -> None:
        """Raises CommandRefused if there is no such engine, or it is none."""
        await self.stop()
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(str(self._path), stdin=pipe, stdout=pipe)
        except OSError as error:
            raise CommandRefused(
                f"The engine {self._path} cannot be started: {error.strerror}. Give its path with --engine, such as"
                " /usr/games/fairy-stockfish (Debian's package fairy-stockfish)."
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
            raise CommandRefused(f"{self._path} does not answer as a UCI engine.") from None
        self._set("Skill Level", str(SKILLS[self._level - 1]))

    async def best_move(self, asked: Asked) -> str:
        """In UCI. Raises EngineFailed."""
        think = max(10, min(THINKS_MS[self._level - 1], asked.left_ms // SHARE))
        async with self._turn:
            self._set("UCI_Variant", asked.variant)
            self._set("UCI_Chess960", str(asked.chess960).lower())
            self._say(f"position fen {asked.start_fen} moves {' '.join(asked.moves)}".removesuffix(" moves "))
            self._say(f"go movetime {think} depth {DEPTHS[self._level - 1]}")
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
