"""Turns a plan into the bytes of a picture, in the process that renders.

The first picture loads the renderer and the image library, so the server, which only plans, never does. Nor does that
process load anything of the server that it does not need. A whole game is described by a few small values (`Film`): to
draw 5,000 half-moves takes most of a second, for which every move would have to wait in a thread of the server.
"""

import os
import signal
import threading
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Literal

from server.pictures.drawings import Drawings
from server.pictures.gif import plan_gif
from server.pictures.markup import PngPlan
from server.pictures.replay import Pace, replay_svg
from server.pictures.scene import Scene, View, scenes
from server.rules.notation.fen import parse_fen
from server.rules.variant.variant import Variant


@dataclass(frozen=True, slots=True)
class Film:
    """The game of the view's variant that begins with `start_fen` and has the moves `ucis`, known to be legal."""

    format: Literal["svg", "gif"]
    start_fen: str
    chess960: bool
    ucis: str
    view: View
    drawings: Drawings
    pace: Pace

    def scenes(self) -> list[Scene]:
        """The start, then the position after each move."""
        start = parse_fen(self.view.variant, self.start_fen, self.chess960)
        return list(scenes(start, self.ucis.split()))


_variants: dict[str, Variant] = {}
"""By id. Each film brings its own copy of a variant, whose tables are slow to make and kept for good."""

LESS_URGENT = 5


def settle() -> None:
    """Begins the process: it leaves Ctrl-C to the server, lets moves go first, and ends however the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(LESS_URGENT)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = import_module("multiprocessing").parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def render(plan: PngPlan | Film) -> bytes:
    """The PNG of the plan, or the SVG or GIF of the film."""
    picture: bytes
    if isinstance(plan, PngPlan):
        picture = import_module("server.pictures.raster").png(plan)
        return picture
    view = replace(plan.view, variant=_variants.setdefault(plan.view.variant.id, plan.view.variant))
    scenes = replace(plan, view=view).scenes()
    if plan.format == "svg":
        return replay_svg(scenes, view, plan.drawings, plan.pace).encode()
    picture = import_module("server.pictures.raster").draw_gif(plan_gif(scenes, view, plan.drawings, plan.pace))
    return picture
