"""How long pictures take and how large they are.

    python -m tests.bench.pictures_bench

A still board, a card and a whole game of 100 and of 300 random half-moves, for each size of board. CPU milliseconds of
this process; the bytes of a film also as they travel, compressed.
"""

import random
import sys
from collections.abc import Callable
from gzip import compress
from statistics import median
from time import process_time
from typing import TypeVar

from server.pictures.board import board_svg
from server.pictures.card import WIDTH, Card, card_svg
from server.pictures.drawings import Drawings, read_drawings
from server.pictures.gif import plan_gif
from server.pictures.gif_file import draw_gif
from server.pictures.layout import Plate, View
from server.pictures.png_plan import PngPlan
from server.pictures.raster import png
from server.pictures.replay import Pace, replay_svg
from server.pictures.scene import Scene, scenes
from server.rules.catalogue import load_catalogue
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import start_position
from server.rules.variant.variant import Variant
from server.web.assets import find_assets

VARIANTS = ("chess", "crazyhouse", "grandhouse", "acedrex")
PLATES = (Plate("Ada", "1"), Plate("Ben", "0"))
Made = TypeVar("Made")


def timed(make: Callable[[], Made], times: int = 5) -> tuple[Made, float]:
    """What `make` makes, and the median of its CPU time in ms."""
    taken = []
    for _ in range(times):
        begin = process_time()
        made = make()
        taken.append((process_time() - begin) * 1000)
    return made, median(taken)


def random_moves(variant: Variant, plies: int) -> list[str]:
    chance, position, played = random.Random(1), start_position(variant), []
    while len(played) < plies and (moves := legal_moves(position)):
        move = chance.choice(moves)
        played.append(move.uci)
        position = play(position, move)
    return played


def measure(variant: Variant, drawings: Drawings) -> None:
    """Prints the lines of one variant."""
    view, scene = View(variant), Scene(start_position(variant))
    still, still_ms = timed(lambda: board_svg(scene, view, drawings))
    _, png_ms = timed(lambda: png(PngPlan(still, view.size)))
    card, card_ms = timed(lambda: png(PngPlan(card_svg(Card(variant.name), scene, view, drawings), WIDTH)))
    print(
        f"{variant.id:11} board.svg {still_ms:4.1f} ms {len(still):6} B   board.png {png_ms:5.1f} ms   "
        f"card.png {card_ms:5.1f} ms {len(card):6} B"
    )
    named = View(variant, plates=PLATES)
    small = View(variant, size=360, plates=PLATES)
    for plies in (100, 300):
        shown = list(scenes(start_position(variant), random_moves(variant, plies)))
        film, film_ms = timed(lambda shown=shown: replay_svg(shown, named, drawings))
        gif, gif_ms = timed(lambda shown=shown: draw_gif(plan_gif(shown, small, drawings, Pace())), 2)
        packed = len(compress(film.encode()))
        print(
            f"  {len(shown) - 1:3} plies   replay.svg {film_ms:4.0f} ms {len(film):6} B, gzip {packed:5} B   ", end=""
        )
        print(f"replay.gif {gif_ms:4.0f} ms {len(gif):7} B")


def main() -> int:
    drawings = read_drawings(find_assets().static)
    if drawings is None:
        print("The client is not built: npm run build")
        return 1
    variants = load_catalogue()
    for variant in VARIANTS:
        measure(variants[variant], drawings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
