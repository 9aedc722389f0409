"""Clocks are judged at the table of the live games: real connections and rounds, a store and a clock by hand."""

from tests.realtime.conftest import clock, house, store, variants

__all__ = ["clock", "house", "store", "variants"]
