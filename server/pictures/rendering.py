"""Turns a plan into the bytes of a picture, in the process that renders.

The first picture loads the renderer and the image library, so the server, which only plans, never does.
"""

from importlib import import_module
from typing import assert_never

from server.pictures.film import Film
from server.pictures.gif import plan_gif
from server.pictures.png_plan import PngPlan
from server.pictures.replay import replay_svg


def render(plan: PngPlan | Film) -> bytes:
    """The PNG of the plan, or the SVG or GIF of the film."""
    picture: bytes
    match plan:
        case PngPlan():
            picture = import_module("server.pictures.raster").png(plan)
        case Film(format="svg"):
            picture = replay_svg(plan.scenes(), plan.view, plan.drawings, plan.pace).encode()
        case Film():
            planned = plan_gif(plan.scenes(), plan.view, plan.drawings, plan.pace)
            picture = import_module("server.pictures.gif_file").draw_gif(planned)
        case _:
            assert_never(plan)
    return picture
