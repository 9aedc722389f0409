"""What can come of handing a mail to a mail server. Knows no server and no library."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from enum import Enum, auto

Deliver = Callable[[str, str], Awaitable["Outcome"]]
"""Hands a mail (address and text) over. Raises ServerAway."""
Connect = Callable[[], AbstractAsyncContextManager[Deliver]]
"""Connects to the mail server for as many mails as there are. Raises ServerAway."""


class Outcome(Enum):
    """TAKEN: the mail is the server's now. LATER: not now. REFUSED: never at this address."""

    TAKEN = auto()
    LATER = auto()
    REFUSED = auto()


class ServerAway(Exception):  # noqa: N818 - says what is so
    """The server cannot be reached or used at all. The message says why, and holds no password."""
