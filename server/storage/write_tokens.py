"""A token on every write, by which its writer recognises it if the answer was lost."""

import secrets
from hashlib import blake2b

from server.storage.documents import Append, Replace


class WriteTokens:
    """Makes the tokens of one store object.

    The same change from the same object gets the same token, so it can safely be sent again. From another object it
    gets another token, so that only one of two nodes is told that it was first.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def token_of(self, head: bytes, moves: Append | Replace) -> str:
        """16 hex digits for a change: the new `head` as JSON, and its moves."""
        start = moves.start if isinstance(moves, Append) else 0
        mark = blake2b(head, key=self._key, digest_size=8)
        mark.update(f"\n{start} {moves.moves}".encode())
        return mark.hexdigest()
