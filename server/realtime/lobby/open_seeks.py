"""The open seeks as one process knows them, and what its pages are told of them. Knows no store.

A seek whose maker has gone stays open for a while, but hidden: nobody is paired with somebody who is not there.
"""

from collections.abc import Container, Iterable, Iterator, Sequence, Set

from server.games.seeks.seek import Seek, is_compatible
from server.realtime.lobby.recent_opponents import RecentOpponents
from server.realtime.lobby.views import seek_view
from server.realtime.process.blocks import Blocks
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscribers
from server.realtime.protocol.lobby_messages import SeekAdded, SeekGone, Seeks


class OpenSeeks:
    """`pages` are told of every change, but not of seeks whose makers `blocks` keeps apart from their readers.
    `opponents`: who has just played whom.

    The seeks may be changed while one iterates over them.
    """

    def __init__(
        self, pages: Subscribers, blocks: Blocks, opponents: RecentOpponents, bots: Container[str] = ()
    ) -> None:
        self._pages = pages
        self._blocks = blocks
        self._bots = bots
        self._opponents = opponents
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
        """Can it be taken?"""
        return seek_id in self._visible

    def compatible_with(self, wanted: Seek, now: int) -> Iterator[Seek]:
        """Those that can be taken and suit `wanted` and its maker at `now` (ms), oldest first.

        Some may go while one iterates.
        """
        return (seek for seek in self._suiting(wanted) if not self._opponents.others_first(seek, wanted, now))

    def may_suit_later(self, wanted: Seek, now: int) -> bool:
        """Is there one that suits, but whose maker has just played the maker of `wanted`?"""
        return any(self._opponents.others_first(seek, wanted, now) for seek in self._suiting(wanted))

    def _suiting(self, wanted: Seek) -> Iterator[Seek]:
        return (
            seek
            for seek in self.waiting
            if is_compatible(seek, wanted)
            and self.is_waiting(seek.id)
            and not (seek.rated and (self._is_bots(seek) or self._is_bots(wanted)))
            and not self._blocks.are_apart(seek.maker.player.id, wanted.maker.player.id)
        )

    def _is_bots(self, seek: Seek) -> bool:
        """Has its maker become a bot? A bot makes no rated seek, but may have made one before."""
        return seek.maker.player.id in self._bots

    def get(self, seek_id: str) -> Seek | None:
        """None: it is not open any more."""
        return self._by_id.get(seek_id)

    def add(self, seek: Seek, visible: bool = True) -> None:
        """Adds an open seek; adding it again only shows or hides it."""
        self._by_id[seek.id] = seek
        if visible and seek.id not in self._visible:
            self._visible.add(seek.id)
            # While its maker was away somebody may have come whom it suits.
            self._fresh.add(seek.id)
            self._listed = None
            added = SeekAdded(seek=seek_view(seek, self._bots))
            self._pages.tell(encode(added), self._blocks.apart_from(seek.maker.player.id))
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
        """Notes that it was compared with all that wait beside it."""
        self._fresh.discard(seek_id)

    def listed(self, reader: str | None) -> str:
        """The encoded message that lists the waiting seeks for `reader` (an id; None: somebody without a name).

        It is made once for all who come before something changes, but for those who are kept apart from a maker.
        """
        apart = self._blocks.apart_from(reader)
        if any(seek.maker.player.id in apart for seek in self.waiting) if apart else False:
            return self._list_of(seek for seek in self.waiting if seek.maker.player.id not in apart)
        if self._listed is None:
            self._listed = self._list_of(self.waiting)
        return self._listed

    def blocks_changed(self, people: Set[str]) -> None:
        """Shows these people the list anew, and has their seeks compared again: they may suit somebody now."""
        self._fresh |= {seek.id for seek in self.waiting if seek.maker.player.id in people}
        for person in people & self._pages.people:
            self._pages.tell_people(self.listed(person), {person})

    def _list_of(self, seeks: Iterable[Seek]) -> str:
        return encode(Seeks(seeks=[seek_view(seek, self._bots) for seek in seeks]))
