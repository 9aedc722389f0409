"""From where the owner of an account has signed in: kept with the account, so that whoever tries passwords from
elsewhere never keeps the owner out, also after a restart. Knows no request.

A place is kept as 16 bits of a hash of person and network. Who steals the store learns next to nothing from it, as one
network in 65,536 has the same mark; and a stranger whose network has it by chance may only try as often as anybody.
"""

from hashlib import blake2b
from typing import Final

MOST: Final = 8


def mark_of(user: str, network: str) -> str:
    """The mark of `network` for that person."""
    return blake2b(f"{user} {network}".encode(), digest_size=2).hexdigest()


def with_place(places: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The places, of which `mark` is the latest."""
    return (*(each for each in places if each != mark), mark)[-MOST:]
