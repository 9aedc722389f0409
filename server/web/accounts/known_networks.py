"""The networks from which the owner of an account has signed in. They are kept with the account, so that strangers who
try passwords never lock the owner out, not even after a restart. Knows no request.

A network is kept as 16 bits of a hash of person and network. Somebody who steals the store learns next to nothing from
it, as one network in 65,536 has the same mark; and a stranger who has it by chance gets only the usual attempts.
"""

from hashlib import blake2b
from typing import Final

MOST: Final = 8


def mark_of(user: str, network: str) -> str:
    """The mark of `network` for that person."""
    return blake2b(f"{user} {network}".encode(), digest_size=2).hexdigest()


def with_network(places: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The places, of which `mark` is the latest."""
    return (*(each for each in places if each != mark), mark)[-MOST:]
