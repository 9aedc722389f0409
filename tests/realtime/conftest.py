"""What every test of live play starts from."""

from tests.support.realtime.fixtures import clock, house, houses, lobby, store, variants

__all__ = ["clock", "house", "houses", "lobby", "store", "variants"]
