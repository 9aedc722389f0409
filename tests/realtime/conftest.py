"""What every test of live play starts from."""

from tests.support.realtime.fixtures import both, clock, lobby, node, nodes, store, variants

__all__ = ["both", "clock", "lobby", "node", "nodes", "store", "variants"]
