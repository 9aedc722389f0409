"""Work that can be done in slices: a generator that yields wherever its caller may do something else."""

from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

Made = TypeVar("Made")

SlicedWork: TypeAlias = Generator[None, None, Made]


def in_one_slice(make: Callable[[], Made]) -> SlicedWork[Made]:
    """What `make` returns, in one slice."""
    yield from ()
    return make()


def run_at_once(work: Generator[object, None, Made]) -> Made:
    """What `work` returns, without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            made: Made = end.value
            return made
