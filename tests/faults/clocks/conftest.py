"""Clocks are judged at the table of the live games, with a clock by hand, or at a real server."""

from tests.support.realtime.fixtures import clock, node, store, variants

__all__ = ["clock", "node", "store", "variants"]
