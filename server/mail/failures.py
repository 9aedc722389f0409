"""What happens to an address to which mail cannot be delivered. Pure."""

from dataclasses import replace
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.storage.tables.addresses import NEVER, MailAddress

TWICE_WITHIN_MS: Final = 7 * DAY_MS


def after_failure(address: MailAddress, mail: str, at: int, *, no_mailbox: bool) -> MailAddress:
    """The address when the mail that `mail` tells apart from others has failed for good at `at` (ms).

    `no_mailbox`: because there is no such mailbox. Then nothing more is sent there; else if it was the second mail
    within a week, as also a mailbox that is only full may be refused for good.
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
