"""Asks Fairy-Stockfish, as pages load it, which moves there are: the npm package, running in Node."""

import json
import re
import subprocess
from pathlib import Path

PROGRAM = Path(__file__).parent / "shipped_engine.mjs"
MOVE = re.compile(r"(\S*\d\S*): (\d+)")


class ShippedEngine:
    """A running engine. To be closed by `with`."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(["node", str(PROGRAM)], stdin=pipe, stdout=pipe, text=True)
        self._options: dict[str, str] = {}

    def __enter__(self) -> "ShippedEngine":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def learn(self, ini: str) -> None:
        """Reads the sections of a variants.ini."""
        self._options.clear()
        self._say(f"variants {json.dumps(ini)}")

    def knows(self, section: str) -> bool:
        """Whether it has read the section."""
        self._say("uci")
        (options,) = [line for line in self._until("uciok") if line.startswith("option name UCI_Variant ")]
        return f" var {section} " in f"{options} "

    def divide(self, section: str, chess960: bool, fen: str, depth: int = 1) -> dict[str, int]:
        """Perft of `depth` by first move, in UCI."""
        self._set("UCI_Variant", section)
        self._set("UCI_Chess960", str(chess960).lower())
        self._say(f"position fen {fen}")
        self._say(f"go perft {depth}")
        found = [MOVE.fullmatch(line) for line in self._until("Nodes searched")]
        return {one[1]: int(one[2]) for one in found if one}

    def _set(self, option: str, value: str) -> None:
        """Unless it is so: a variant that is named makes all tables anew, which is most of what a question costs."""
        if self._options.get(option) != value:
            self._options[option] = value
            self._say(f"setoption name {option} value {value}")

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _until(self, start: str) -> list[str]:
        assert self._process.stdout
        found: list[str] = []
        while not found or not found[-1].startswith(start):
            line = self._process.stdout.readline()
            assert line, f"it has ended: {found[-5:]}"
            found.append(line.strip())
        return found
