"""Attacks on rights are run against a whole site in this process, with people who visit it by HTTP and by socket."""

import pytest

from server.web.budgets.buckets import RateLimit
from server.web.budgets.limits import Limits
from server.web.site import SITE
from tests.web.conftest import anna, ben, carla, cheap_hashes, server, settings, visitor

__all__ = ["anna", "ben", "carla", "cheap_hashes", "server", "settings", "visitor"]


@pytest.fixture
def unlimited(server):
    """For attacks that must fail though nobody counts them: a limit would hide what it only delays."""
    for name in Limits.__slots__:
        setattr(server.app[SITE].limits, name, RateLimit(10**9, 1))
