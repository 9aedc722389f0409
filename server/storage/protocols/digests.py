"""What a store does with news that people are told of later, and with all that web push tells: what is due becomes one
mail, or one push.

It is stored by the write that removes the mark of the news (`outbox`), and deleted by the one that puts that mail into
the outbox, or when it was pushed. Whoever tells it first claims all that is in it, under the mail's id: if they die,
the next one writes the same mail under the same id, or pushes it again under the same topics. All times are ms since
the epoch.
"""

from collections.abc import Sequence
from typing import Protocol

from server.storage.protocols.held import HeldNews, Mailbox
from server.storage.protocols.outbox import OutboxMail


class DigestStore(Protocol):
    """All methods raise Unavailable."""

    async def hold(self, news: HeldNews) -> None:
        """Stores news, instead of older ones of the same mailbox and game."""

    async def heard(self, owner: str, game: str, address: str | None = None) -> None:
        """Deletes what is held for `owner` of what was said in that game, as they read it; None: at every address."""

    async def ripe(self, now: int, limit: int) -> Sequence[Mailbox]:
        """Mailboxes with something due at `now`, at most `limit`."""

    async def claim(self, mailbox: Mailbox, digest: str, now: int, until: int) -> Sequence[HeldNews]:
        """What is to be told in one mail, of which `HeldNews.digest` says the id, and which is due again at `until`.

        What was claimed before and is due again comes first, under the id that it has; else all that is due at `now`,
        and what else is held of these games, under the id `digest`. Of several who claim at once, one gets it.
        """

    async def put_off(self, mailbox: Mailbox, now: int, due: int) -> None:
        """Makes what is due there at `now` due at `due`."""

    async def tell(self, digest: str, mail: OutboxMail | None) -> bool:
        """Deletes what was claimed under that id, and puts `mail` into the outbox, which says it, if there is anything.

        Does nothing if it has been deleted. False, and nothing is changed, if too much mail waits.
        """
