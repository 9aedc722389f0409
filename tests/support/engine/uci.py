"""Speaks UCI with the engine, or another, as any program would: lines to its standard input, lines from its output."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
OURS = ("node", str(ROOT / "static/engine.mjs"))


@dataclass(frozen=True)
class Answer:
    """What it said to a `go`."""

    move: str
    infos: tuple[str, ...]

    def last(self, name: str) -> int:
        """The number behind that word in the last line of information; "mate" only if it sees one."""
        found = re.search(rf"\b{name} (-?\d+)", self.infos[-1])
        assert found, self.infos[-1]
        return int(found[1])


class Engine:
    """A running engine, ours if no other is named. To be closed by `with`."""

    def __init__(self, *command: str, **environment: str) -> None:
        self._process = subprocess.Popen(
            command or OURS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHON": sys.executable} | environment,
        )

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.say("quit")
        assert self.wait() == 0
        self.hang_up()

    def hang_up(self) -> None:
        """Closes its standard input."""
        assert self._process.stdin
        self._process.stdin.close()

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        assert self._process.stdout
        code = self._process.wait(timeout=30)
        self._process.stdout.close()
        return code

    def say(self, *lines: str) -> None:
        assert self._process.stdin
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def read_until(self, beginning: str) -> list[str]:
        """Its lines up to the first that begins so, that one included."""
        assert self._process.stdout
        lines: list[str] = []
        while not lines or not lines[-1].startswith(beginning):
            line = self._process.stdout.readline()
            assert line, f"it ended before it said {beginning!r}: {lines}"
            lines.append(line.rstrip("\n"))
        return lines

    def ask(self, *lines: str) -> list[str]:
        """What it says to `lines`, until it is ready for more."""
        self.say(*lines, "isready")
        return self.read_until("readyok")[:-1]

    def go(self, limits: str) -> Answer:
        self.say(f"go {limits}")
        *infos, best = self.read_until("bestmove")
        thoughts = tuple(line for line in infos if line.startswith("info depth"))
        return Answer(best.split()[1], thoughts)
