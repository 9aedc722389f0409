"""A mark on every write, by which its author recognises it when the answer was lost on the way. Knows no engine."""

import secrets
from hashlib import blake2b

import orjson

from server.storage.documents import Append, Change


class Signer:
    """Makes the marks of one store object.

    The same change from the same object gets the same mark, so it can be sent again without harm; the same change
    from another object gets another mark, so that of two nodes only one is told that it was first.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def sign(self, change: Change) -> str:
        """16 hexadecimal digits that stand for `change`."""
        moves = [change.moves.start, *change.moves.moves] if isinstance(change.moves, Append) else change.moves.moves
        content = orjson.dumps([dict(change.head), moves])
        return blake2b(content, key=self._key, digest_size=8).hexdigest()
