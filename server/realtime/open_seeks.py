"""The seeks that stand, as one process knows them, and what its pages are told of them. Knows no store."""

from collections.abc import Iterable, Iterator, Sequence

from server.games.seek import Seek
from server.realtime.codec import encode
from server.realtime.feed import Listeners
from server.realtime.lobby_messages import SeekAdded, SeekGone, Seeks
from server.realtime.lobby_views import shown


class OpenSeeks:
    """Oldest first. Whatever changes, `pages` are told. Going through them, one may change them."""

    __slots__ = ("_by_id", "_fresh", "_listed", "_pages")

    def __init__(self, pages: Listeners) -> None:
        self._pages = pages
        self._by_id: dict[str, Seek] = {}
        self._fresh: set[str] = set()
        self._listed: str | None = None

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Seek]:
        return iter(tuple(self._by_id.values()))

    def __contains__(self, seek_id: str) -> bool:
        return seek_id in self._by_id

    def get(self, seek_id: str) -> Seek | None:
        return self._by_id.get(seek_id)

    def fill(self, seeks: Iterable[Seek]) -> None:
        """These and no others stand. Before any page is here: none is told."""
        self._by_id = {seek.id: seek for seek in seeks}
        self._fresh = set(self._by_id)
        self._listed = None

    def add(self, seek: Seek) -> None:
        self._by_id[seek.id] = seek
        self._fresh.add(seek.id)
        self._listed = None
        self._pages.tell(encode(SeekAdded(seek=shown(seek))))

    def drop(self, seek_id: str) -> None:
        """Nothing happens if it is gone."""
        self._fresh.discard(seek_id)
        if self._by_id.pop(seek_id, None) is not None:
            self._listed = None
            self._pages.tell(encode(SeekGone(id=seek_id)))

    @property
    def fresh(self) -> Sequence[Seek]:
        """Those that have not been `compared` with all that stand beside them."""
        return tuple(seek for seek in self if seek.id in self._fresh)

    def compared(self, seek_id: str) -> None:
        self._fresh.discard(seek_id)

    @property
    def listed(self) -> str:
        """The message that tells all that stand. Encoded once for everybody who comes before something changes."""
        if self._listed is None:
            self._listed = encode(Seeks(seeks=[shown(seek) for seek in self]))
        return self._listed
