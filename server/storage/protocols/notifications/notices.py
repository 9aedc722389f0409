"""What the host has to say to everybody, in a store: at most one notice, until a certain time."""

from dataclasses import dataclass
from typing import Final, Protocol

from server.storage.fields import Fields, flat, instant, text

THE_ONE: Final = "site"
"""The key of the only record."""


@dataclass(frozen=True, slots=True)
class SiteNotice:
    """`posted`, `until`: ms since the epoch; it is shown between them."""

    text: str
    posted: int
    until: int


class NoticeStore(Protocol):
    async def current(self) -> SiteNotice | None:
        """The notice that was posted last, even if its time is over. Raises Unavailable."""

    async def post(self, notice: SiteNotice) -> None:
        """Replaces the notice. Raises Unavailable."""

    async def remove(self) -> bool:
        """Removes the notice. Was there one? Raises Unavailable."""


def notice_of(fields: Fields) -> SiteNotice:
    """The notice of stored fields. Raises as `fields` says."""
    return SiteNotice(text(fields, "text"), instant(fields, "posted"), instant(fields, "until"))


def to_document(notice: SiteNotice) -> dict[str, int | str]:
    return {"_id": THE_ONE, **flat(notice)}
