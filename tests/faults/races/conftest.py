"""Races are run at the table of the live games: real connections and rounds, a store and a clock by hand."""

from tests.support.realtime.fixtures import clock, lobby, node, store, variants

__all__ = ["clock", "lobby", "node", "store", "variants"]
