"""What people send is sent to a whole site in this process, by HTTP and by socket, or to the table of live games."""

from tests.support.realtime.fixtures import clock, node, store, variants
from tests.support.web.fixtures import anna, server, settings, unlimited, visitor

__all__ = [
    "anna",
    "clock",
    "node",
    "server",
    "settings",
    "store",
    "unlimited",
    "variants",
    "visitor",
]
