"""What a fuzz target is, and what holds for every one: only its own errors come out of a call, and soon.

Knows nothing of atheris, so that `make test` runs every target on its seeds without it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import thread_time
from typing import Any

from tests.support.machine_speed import costs_at_most

MAX_BYTES = 4096
"""Of one input."""
LIMIT = 50
"""Units of computing (`tests.support.machine_speed`) of one call with such an input."""
TRACED = 10
"""While atheris follows every branch, a call takes so many times as long."""
TRIES = 3
"""A collection of garbage is no finding."""


@dataclass(frozen=True, slots=True)
class Target:
    """`run` takes any bytes at all, and raises only when something is wrong with the program."""

    name: str
    run: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]


class TooSlow(AssertionError):
    pass


def answer(errors: type[Exception] | tuple[type[Exception], ...], call: Callable[..., Any], *arguments: Any) -> Any:
    """What `call` returns, or which of `errors` it raises. Raises TooSlow, and whatever else comes out of it."""
    for _ in range(TRIES):
        began = thread_time()
        try:
            found = call(*arguments)
        except errors as error:
            found = error
        took = thread_time() - began
        if costs_at_most(took, LIMIT * TRACED):
            return found
    raise TooSlow(f"{call.__name__} computed for {took * 1000:.0f} ms")


def text_of(data: bytes) -> str:
    """As a text comes in: it is UTF-8 by then."""
    return data.decode(errors="replace")
