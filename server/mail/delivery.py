"""What can come of handing a mail to a mail server. Knows no server and no library."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from enum import Enum, auto

Deliver = Callable[[str, str, str], Awaitable["DeliveryOutcome"]]
"""Hands a mail over: address, return path ("" for that of the site), text. Raises ServerAway."""
Connect = Callable[[], AbstractAsyncContextManager[Deliver]]
"""Connects to the mail server for as many mails as there are. Raises ServerAway."""


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
