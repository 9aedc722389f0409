"""What a level, 1 to 8, means for a UCI engine, by the options that it says it has. Knows no process."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SKILLS: Final = (-9, -5, -1, 3, 7, 11, 16, 20)
"""By level, on the scale of Fairy-Stockfish, which begins at -20; Stockfish's begins at 0."""
DEPTHS: Final = (2, 3, 4, 5, 6, 8, 12, 20)
THINKS_MS: Final = (50, 100, 150, 200, 300, 400, 600, 1_000)
ELOS: Final = (600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_800)
UNHURRIED_MS: Final = 10_000
"""An engine with levels of its own is held back by them, not by time."""


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
