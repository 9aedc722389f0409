"""Turns a plan into the bytes of a picture, in the process that renders.

The first picture loads the renderer and the image library, so the server, which only plans, never does.
"""

from dataclasses import replace
from importlib import import_module
from typing import assert_never

from server.pictures.film import Film
from server.pictures.gif import plan_gif
from server.pictures.png_plan import PngPlan
from server.pictures.replay import replay_svg
from server.rules.variant.variant import Variant

_variants: dict[str, Variant] = {}
"""By id. Each film brings its own copy of a variant, whose tables are slow to make and kept for good."""


def render(plan: PngPlan | Film) -> bytes:
    """The PNG of the plan, or the SVG or GIF of the film."""
    picture: bytes
    match plan:
        case PngPlan():
            picture = import_module("server.pictures.raster").png(plan)
        case Film():
            variant = _variants.setdefault(plan.view.variant.id, plan.view.variant)
            picture = _replay(replace(plan, view=replace(plan.view, variant=variant)))
        case _:
            assert_never(plan)
    return picture


def _replay(film: Film) -> bytes:
    if film.format == "svg":
        return replay_svg(film.scenes(), film.view, film.drawings, film.pace).encode()
    gif: bytes = import_module("server.pictures.gif_file").draw_gif(
        plan_gif(film.scenes(), film.view, film.drawings, film.pace)
    )
    return gif
