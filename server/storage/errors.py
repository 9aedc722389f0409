"""What a store can raise."""


class StoreError(Exception):
    """Base of the errors of a store: nothing was changed, unless it says otherwise."""


class Conflict(StoreError):
    """Another writer changed this game first: load it and decide again."""


class Duplicate(StoreError):
    """The id exists already."""


class NotStored(StoreError):
    """What this belongs to does not exist (any more), such as a deleted game."""


class Unavailable(StoreError):
    """The store cannot be reached, or cannot write. Whether anything was stored is unknown.

    A write may still arrive. Repeating it is safe: it is stored once, and repeating a `save` through the same store
    object succeeds.
    """


class InUse(Unavailable):
    """Another process has the store locked, and could do the work itself."""


class Unreadable(StoreError):
    """A stored record is damaged, or needs a variant that this release does not have."""
