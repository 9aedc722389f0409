"""Turns a plan into the bytes of a picture, in the process that renders.

The first picture loads the renderer and the image library, so the server, which only plans, never does.
"""

from importlib import import_module
from typing import assert_never

from server.pictures.gif import GifPlan
from server.pictures.png_plan import PngPlan


def render(plan: PngPlan | GifPlan) -> bytes:
    """The PNG or GIF of the plan."""
    picture: bytes
    match plan:
        case PngPlan():
            picture = import_module("server.pictures.raster").png(plan)
        case GifPlan():
            picture = import_module("server.pictures.gif_file").draw_gif(plan)
        case _:
            assert_never(plan)
    return picture
