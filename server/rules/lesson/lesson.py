"""What a lesson consists of: an introduction in a few steps, and tasks. Plain data, which judges nothing."""

from dataclasses import dataclass
from functools import cached_property

from server.rules.movegen.legal import play
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import parse_san
from server.rules.variant.variant import Variant

NOWHERE = -1
KEEP = "-"
"""In place of the piece to promote to: the move must not promote."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What one move must do. All that is given must hold; what is left out does not matter.

    Pieces are role ids, squares those of the variant's geometry.
    """

    castles: bool = False
    drops: bool = False
    piece: str = ""
    """The piece that moves or is dropped."""
    takes: str = ""
    promotes: str = ""
    """What it promotes to, or KEEP."""
    gates: str = ""
    gate_at: int = NOWHERE
    to: tuple[int, ...] = ()
    """Where it must arrive: one of these."""
    wins: str = ""
    """How the game must end, as a `server.rules.endings.Reason`: by this move, for its side."""
    checks: bool = False
    attacks: tuple[int, ...] = ()
    """What the piece must attack from where it arrives: all of these."""
    safe: bool = False
    """No reply may capture the piece."""
    holds: bool = False
    """The game must go on, and no reply may win it. (The side that moved may have won.)"""


@dataclass(frozen=True)
class Step:
    """A position, what is said about it, and what the reader is to do there; without a goal they only look."""

    id: str
    variant: Variant
    chess960: bool
    fen: str
    moves: tuple[str, ...]
    """In SAN: what is played from there to reach the position."""
    say: str
    goal: Goal | None = None
    name: str = ""
    """Of a task."""
    well: str = ""
    """What is said when it is done."""

    @property
    def position(self) -> Position:
        return self._reached[0]

    @property
    def last(self) -> str:
        """UCI of the move that led here, "" if there is none."""
        return self._reached[1]

    @cached_property
    def _reached(self) -> tuple[Position, str]:
        """Not before somebody wants to see it, as that compiles the rules of the variant."""
        position, last = parse_fen(self.variant, self.fen, self.chess960), ""
        for text in self.moves:
            move = parse_san(position, text)
            position, last = play(position, move), move.uci
        return position, last


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of one variant, or of its 960 form."""

    id: str
    """As in the address of the rules page."""
    intro: tuple[Step, ...]
    tasks: tuple[Step, ...]

    def step(self, step_id: str) -> Step | None:
        """The step of the introduction, or the task, with that id."""
        return next((step for step in (*self.intro, *self.tasks) if step.id == step_id), None)
