"""Texts that cost a careless reader much, and a reader held to a time."""

import time

import pytest

from server.rules.errors import RulesError

LIMIT = 0.050
"""Seconds of CPU for one text of at most 4 KB."""


def timed(ask, *arguments):
    """Calls, and fails if it takes longer than LIMIT each of three times."""
    for _ in range(3):
        begun = time.thread_time()
        try:
            answer = ask(*arguments)
        except RulesError as error:
            answer = error
        if time.thread_time() - begun <= LIMIT:
            return answer
    return pytest.fail(f"{ask.__name__} took over {LIMIT * 1000} ms for {arguments[-1]!r}")


BOMBS = ["{", "(", ")", "[", '[A "', '[A "\\', "$", "1.", "\n", "%", '"', "a", "1-0 ", "(e4)", "N", "9", "/", "-"]
