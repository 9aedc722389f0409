"""What a host may change of a site while it runs, at the desk or by a command. Pure; no store."""

from dataclasses import dataclass
from typing import Final

from server.games.frozen import replace
from server.games.joining import Joining

USUAL: Final = Joining()


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """`rev` counts the changes; 0: nothing has been changed yet."""

    joining: Joining = USUAL
    rev: int = 0


def with_joining(settings: SiteSettings, joining: Joining) -> SiteSettings:
    """The settings with who may join; the same if nothing changes."""
    return settings if settings.joining == joining else replace(settings, joining=joining, rev=settings.rev + 1)
