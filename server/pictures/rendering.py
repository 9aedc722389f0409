"""From a plan to the bytes of a picture, for the process that draws.

The renderer and the image library are loaded by the first drawing, and so not by the server, which only plans.
"""

from importlib import import_module
from typing import assert_never

from server.pictures.gif import GifPlan
from server.pictures.png_plan import Sheet


def drawn(plan: Sheet | GifPlan) -> bytes:
    """The sheet as a PNG, the other plan as a GIF."""
    picture: bytes
    match plan:
        case Sheet():
            picture = import_module("server.pictures.raster").png(plan)
        case GifPlan():
            picture = import_module("server.pictures.gif_file").draw_gif(plan)
        case _:
            assert_never(plan)
    return picture
