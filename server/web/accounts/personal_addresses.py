"""Where people write to the site by mail, for their account page."""

from collections.abc import Sequence

from aiohttp import web

from server.mail.inbound.addresses.personal_address import PersonalAddresses
from server.storage.tables.addresses import MailAddress

PERSONAL_ADDRESSES = web.AppKey("PERSONAL_ADDRESSES", PersonalAddresses)
"""Only a site that takes mails has them."""


def write_to(request: web.Request, name: str, own: Sequence[MailAddress]) -> dict[str, str]:
    """Where its owner writes to the site, for each address in effect; none on a site that takes no mail."""
    personal = request.app.get(PERSONAL_ADDRESSES)
    return {one.address: personal.write(name, one) for one in own if one.in_effect} if personal else {}
