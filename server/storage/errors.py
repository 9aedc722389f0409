"""What a store can raise."""


class StoreError(Exception):
    """Base of the errors of a store: nothing was changed, unless it says otherwise."""


class Conflict(StoreError):  # noqa: N818 - says what is so
    """Another writer changed this game first: load it and decide again."""


class Duplicate(StoreError):  # noqa: N818 - says what is so
    """The id exists already."""


class NotStored(StoreError):  # noqa: N818 - says what is so
    """What this belongs to does not exist (any more), such as a deleted game."""


class Unavailable(StoreError):  # noqa: N818 - says what is so
    """The store cannot be reached, or cannot write. Whether anything was stored is unknown.

    A write may still arrive. Repeating it is safe: it is stored once, and repeating a `save` through the same store
    object succeeds.
    """


class InUse(Unavailable):
    """Another process has the store locked, and could do the work itself."""


class Unreadable(StoreError):  # noqa: N818 - says what is so
    """A stored record is damaged, or needs a variant that this release does not have."""
