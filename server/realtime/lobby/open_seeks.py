"""The open seeks as one process knows them, and what its pages are told of them. Knows no store.

A seek whose maker has gone stays open for a while, but hidden: nobody is paired with somebody who is not there.
"""

from collections.abc import Iterator, Sequence

from server.games.seeks.seek import Seek, is_compatible
from server.realtime.lobby.views import seek_view
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscribers
from server.realtime.protocol.lobby_messages import SeekAdded, SeekGone, Seeks


class OpenSeeks:
    """`pages` are told of every change. The seeks may be changed while one iterates over them."""

    __slots__ = ("_by_id", "_fresh", "_listed", "_pages", "_visible")

    def __init__(self, pages: Subscribers) -> None:
        self._pages = pages
        self._by_id: dict[str, Seek] = {}
        self._visible: set[str] = set()
        self._fresh: set[str] = set()
        self._listed: str | None = None

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Seek]:
        """All of them, including those whose maker has gone."""
        return iter(tuple(self._by_id.values()))

    @property
    def waiting(self) -> Sequence[Seek]:
        """Those that can be taken, oldest first."""
        return sorted((seek for seek in self if seek.id in self._visible), key=lambda seek: seek.created)

    def is_waiting(self, seek_id: str) -> bool:
        return seek_id in self._visible

    def compatible_with(self, wanted: Seek) -> Iterator[Seek]:
        """Those that can be taken and suit `wanted`, oldest first; some may go while one iterates."""
        return (seek for seek in self.waiting if is_compatible(seek, wanted) and self.is_waiting(seek.id))

    def get(self, seek_id: str) -> Seek | None:
        return self._by_id.get(seek_id)

    def add(self, seek: Seek, visible: bool = True) -> None:
        """Adds an open seek; adding it again only shows or hides it."""
        self._by_id[seek.id] = seek
        if visible and seek.id not in self._visible:
            self._visible.add(seek.id)
            # While its maker was away somebody may have come whom it suits.
            self._fresh.add(seek.id)
            self._listed = None
            self._pages.tell(encode(SeekAdded(seek=seek_view(seek))))
        elif not visible:
            self._hide(seek.id)

    def drop(self, seek_id: str) -> None:
        """Removes a seek, if it is still there."""
        self._hide(seek_id)
        self._by_id.pop(seek_id, None)

    def _hide(self, seek_id: str) -> None:
        self._fresh.discard(seek_id)
        if seek_id in self._visible:
            self._visible.discard(seek_id)
            self._listed = None
            self._pages.tell(encode(SeekGone(id=seek_id)))

    @property
    def fresh(self) -> Sequence[Seek]:
        """Those that have not been `compared` with all that wait beside them."""
        return tuple(seek for seek in self.waiting if seek.id in self._fresh)

    def compared(self, seek_id: str) -> None:
        self._fresh.discard(seek_id)

    @property
    def listed(self) -> str:
        """The encoded message that lists all waiting seeks, made once for all who come before something changes."""
        if self._listed is None:
            self._listed = encode(Seeks(seeks=[seek_view(seek) for seek in self.waiting]))
        return self._listed
