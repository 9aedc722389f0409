"""What a host does to a site, also to one on the stand-in for MongoDB."""

from tests.support.storage.fixtures import nx_address

__all__ = ["nx_address"]
