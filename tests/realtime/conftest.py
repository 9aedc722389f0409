"""What every test of live play starts from."""

from tests.support.realtime.fixtures import clock, lobby, node, nodes, store, variants

__all__ = ["clock", "lobby", "node", "nodes", "store", "variants"]
