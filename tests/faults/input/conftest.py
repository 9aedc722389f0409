"""What people send is sent to a whole site in this process, by HTTP and by socket, or to the table of live games."""

from tests.faults.access.conftest import unlimited
from tests.realtime.conftest import clock, house, store, variants
from tests.web.conftest import anna, ben, carla, cheap_hashes, server, settings, visitor

__all__ = [
    "anna",
    "ben",
    "carla",
    "cheap_hashes",
    "clock",
    "house",
    "server",
    "settings",
    "store",
    "unlimited",
    "variants",
    "visitor",
]
