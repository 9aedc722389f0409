"""From a plan to the bytes of a picture, for the process that renders.

The renderer and the image library are loaded by the first picture, and so not by the server, which only plans.
"""

from importlib import import_module
from typing import assert_never

from server.pictures.gif import GifPlan
from server.pictures.png_plan import PngPlan


def render(plan: PngPlan | GifPlan) -> bytes:
    """A PNG or a GIF, as the plan is."""
    picture: bytes
    match plan:
        case PngPlan():
            picture = import_module("server.pictures.raster").png(plan)
        case GifPlan():
            picture = import_module("server.pictures.gif_file").draw_gif(plan)
        case _:
            assert_never(plan)
    return picture
