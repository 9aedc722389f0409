"""Why a store did not do what was asked. Knows no engine."""


class StoreError(Exception):
    """The store did not do what was asked."""


class Conflict(StoreError):  # noqa: N818 - says what is so
    """Somebody else wrote this game first: load it again and decide again."""


class Duplicate(StoreError):  # noqa: N818 - says what is so
    """The id exists already."""


class NotStored(StoreError):  # noqa: N818 - says what is so
    """What this is about, or belongs to, is not there; a game was deleted."""


class Unavailable(StoreError):  # noqa: N818 - says what is so
    """The store cannot be reached or cannot write; nothing is known to have been stored.

    A write that was on its way may still arrive. Doing it again is safe: it is stored once, and a `save` of the very
    same step by the same store object is answered as a success.
    """


class InUse(Unavailable):
    """Another process keeps the store to itself, and could do what is to be done."""


class Unreadable(StoreError):  # noqa: N818 - says what is so
    """A game is stored that this release, with the variants it has, cannot read."""
