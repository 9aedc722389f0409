"""Who wants no invitations by mail, in a store. They may be strangers, so only marks of their addresses are kept."""

from typing import Protocol


class UnwantedMailStore(Protocol):
    async def add(self, mark: str, at: int) -> None:
        """Notes that the owner of the address with that mark wants none, since `at` (ms). Raises Unavailable."""

    async def is_unwanted(self, mark: str) -> bool:
        """Has its owner said so? Raises Unavailable."""
