"""Texts that cost a careless reader much, and a reader held to a cost."""

import time

import pytest

from server.rules.errors import RulesError
from tests.support.machine_speed import costs_at_most

LIMIT = 50
"""Units of computing for one text of at most 4 KB."""


def timed(ask, *arguments):
    """Calls, and fails if it computes for more than LIMIT each of three times."""
    for _ in range(3):
        begun = time.thread_time()
        try:
            answer = ask(*arguments)
        except RulesError as error:
            answer = error
        if costs_at_most(time.thread_time() - begun, LIMIT):
            return answer
    return pytest.fail(f"{ask.__name__} took over {LIMIT} units for {arguments[-1]!r}")


BOMBS = ["{", "(", ")", "[", '[A "', '[A "\\', "$", "1.", "\n", "%", '"', "a", "1-0 ", "(e4)", "N", "9", "/", "-"]
