"""Work that pauses after each short step, for callers who have other things to do; here it is done without a rest."""

from collections.abc import Generator
from typing import TypeVar

Made = TypeVar("Made")


def to_the_end(steps: Generator[object, None, Made]) -> Made:
    """What `steps` returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: Made = end.value
            return made
