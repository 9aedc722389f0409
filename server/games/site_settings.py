"""What a host may change of a site while it runs, at the desk or by a command. Pure; no store."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

from server.games.frozen import replace
from server.games.joining import Joining

USUAL: Final = Joining()
LONGEST_NAME: Final = 30
LONGEST_LEAD: Final = 300
LONGEST_CONTACT: Final = 200
LONGEST_PAGE_TEXT: Final = 4_000
RETENTIONS: Final = ("aborted_kept_days", "chat_kept_days", "imports_kept_days")
"""Those of `House`, which the environment may set instead, by the same names."""


@dataclass(frozen=True, slots=True)
class House:
    """What the site says of itself, "" for the usual words or nothing: the `lead` of the front page, the `contact` of
    the host, an address, and on the page about the site the `imprint` and what is said about `privacy`.

    `bots_rated`: bots may play rated games against one another. `backups_kept`: so many daily backups, 0 for none.
    RETENTIONS: for how many days what is called so is kept, 0 for ever.

    `name`: what the site is called, and `accent`, the colour of its buttons and links as six hexadecimal digits; "" for
    the usual ones. `chat`: people may write to each other in games. `languages`: the codes of those of the pages;
    `variants`: the ids of those of new games, in the order in which they are shown; none: all, in the usual order.
    """

    lead: str = ""
    contact: str = ""
    imprint: str = ""
    privacy: str = ""
    bots_rated: bool = False
    backups_kept: int = 0
    aborted_kept_days: int = 7
    chat_kept_days: int = 365
    imports_kept_days: int = 0
    name: str = ""
    accent: str = ""
    chat: bool = True
    languages: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()


PLAIN_HOUSE: Final = House()


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """`rev` counts the changes; 0: nothing has been changed yet."""

    joining: Joining = USUAL
    house: House = PLAIN_HOUSE
    rev: int = 0


def with_joining(settings: SiteSettings, joining: Joining) -> SiteSettings:
    """The settings with who may join; the same if nothing changes."""
    return settings if settings.joining == joining else replace(settings, joining=joining, rev=settings.rev + 1)


def with_house(settings: SiteSettings, house: House) -> SiteSettings:
    """The settings with what the site says of itself; the same if nothing changes."""
    return settings if settings.house == house else replace(settings, house=house, rev=settings.rev + 1)


def changes_of(before: House, after: House) -> tuple[str, ...]:
    """What differs, by the names of the fields; of numbers and switches also `:before:after`, both as whole numbers."""
    changed: list[str] = []
    for name in (one.name for one in fields(House)):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            changed.append(name if isinstance(new, str | tuple) else f"{name}:{int(old)}:{int(new)}")
    return tuple(changed)


def parts_of(changes: Iterable[str]) -> list[list[str]]:
    """The name of each of such changes, and what it was before and is after, if they say that."""
    return [one.split(":") for one in changes]
