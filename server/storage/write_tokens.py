"""A mark on every write, by which its author recognises it when the answer was lost on the way. Knows no engine."""

import secrets
from hashlib import blake2b

from server.storage.documents import Append, Replace


class WriteTokens:
    """Makes the marks of one store object.

    The same change from the same object gets the same mark, so it can be sent again without harm; the same change
    from another object gets another mark, so that of two nodes only one is told that it was first.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def token_of(self, head: bytes, moves: Append | Replace) -> str:
        """16 hexadecimal digits that stand for a change: the new `head` as JSON, and its moves."""
        start = moves.start if isinstance(moves, Append) else 0
        mark = blake2b(head, key=self._key, digest_size=8)
        mark.update(f"\n{start} {moves.moves}".encode())
        return mark.hexdigest()
