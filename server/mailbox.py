"""The addresses of mailboxes, name@example.org: which of them this server writes to. Standard library only.

Only the plain form of RFC 5321 is taken: without quotes, comments or an IP address as the domain, and with the name in
ASCII. So no address can end a header or a command early. A domain in another script is written in its ASCII form.
"""

import re
from typing import Final

LONGEST: Final = 254
NAME: Final = re.compile(r"(?=.{1,64}\Z)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")


def mailbox(text: str) -> str:
    """The address, with its domain in lower case. Raises ValueError with a sentence."""
    name, at, given = text.strip().rpartition("@")
    address = f"{name}@{domain(given)}" if at else ""
    if not NAME.fullmatch(name) or len(address) > LONGEST:
        raise ValueError("give an address such as name@example.org")
    return address


def domain(text: str) -> str:
    """The domain, in lower case and ASCII. Raises ValueError with a sentence."""
    try:
        found = text.strip().encode("idna").decode().lower()
    except UnicodeError:
        found = ""
    if not DOMAIN.fullmatch(found):
        raise ValueError("give a domain such as example.org")
    return found
