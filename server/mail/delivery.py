"""Outcomes of handing a mail to a mail server, and what they mean for its address. Knows no server. Pure."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.storage.tables.addresses import NEVER, MailAddress

Deliver = Callable[[str, str, str], Awaitable["DeliveryOutcome"]]
"""Hands a mail over: address, return path ("" for that of the site), text. Raises ServerAway."""
Connect = Callable[[], AbstractAsyncContextManager[Deliver]]
"""Connects to the mail server, for any number of mails. Raises ServerAway."""
AtBoard = Callable[[str, str], Awaitable[bool]]
"""Is this player (the second id) at the board of the game (the first), where they see what is new? Raises
Unavailable."""
TWICE_WITHIN_MS: Final = 7 * DAY_MS


class DeliveryOutcome(Enum):
    """TAKEN: the mail is the server's now. LATER: not now. REFUSED: never this mail to this address.

    NO_MAILBOX: nor any other, as there is no such address.
    """

    TAKEN = auto()
    LATER = auto()
    REFUSED = auto()
    NO_MAILBOX = auto()


class ServerAway(Exception):
    """The server cannot be reached or used at all. The message says why, and holds no password."""


def after_failure(address: MailAddress, mail: str, at: int, *, no_mailbox: bool) -> MailAddress:
    """The address after a mail to it failed for good at `at` (ms). `mail` tells that mail apart from others.

    Nothing more is sent there if there is no such mailbox (`no_mailbox`), or if it was the second mail within a week: a
    single mail may be refused for good also where a mailbox is only full.
    """
    if address.refused != NEVER:
        return address
    again = address.bounced != NEVER and at - address.bounced <= TWICE_WITHIN_MS
    if no_mailbox or (again and address.bounced_mail != mail):
        return replace(address, refused=at)
    if again:
        # The same mail is reported twice.
        return address
    return replace(address, bounced=at, bounced_mail=mail)
