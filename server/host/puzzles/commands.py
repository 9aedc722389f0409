"""`fairyhouse puzzles list` and `puzzles remove`. Work whether or not the server is running."""

import asyncio
import sys

from server.host.site_access import CommandRefused, carried_out, catalogue
from server.settings import Settings
from server.storage.admin_commands import ListPuzzles, RemovePuzzles


def list_puzzles(settings: Settings, variant: str) -> None:
    """Prints the puzzles of a variant ("": of all), a line for each. Raises CommandRefused."""
    check_variant(settings, variant)
    sys.stdout.write(f"{asyncio.run(carried_out(settings, ListPuzzles(variant)))}\n")


def remove_puzzles(settings: Settings, puzzles: list[str], variant: str, sure: bool) -> None:
    """Removes those with these ids, or all of a variant ("": of all); unless `sure`, only prints what would go.

    Raises CommandRefused.
    """
    check_variant(settings, variant)
    sys.stdout.write(f"{asyncio.run(carried_out(settings, RemovePuzzles(puzzles, variant, sure)))}\n")


def check_variant(settings: Settings, variant: str) -> None:
    """Raises CommandRefused if no variant here has that id; "" stands for any."""
    if variant and variant not in (known := catalogue(settings)):
        raise CommandRefused(f"There is no variant {variant!r} here. There are {', '.join(known)}.")
