"""The open seeks as one process knows them, which of them suit which, and what pages show of them; and which rating of
somebody counts for one. Knows no store.

A seek whose maker has gone stays open for a while, but hidden: nobody is paired with somebody who is not there.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence, Set
from typing import Final

from server.games.clocks.time_control import TimeControl, speed_of
from server.games.rating import Rating
from server.games.seeks import Seek, is_compatible
from server.games.state import Game
from server.games.status import Status
from server.realtime.moderation import Blocks
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscribers
from server.realtime.protocol.lobby_messages import SeekAdded, SeekGone, Seeks, SeekView
from server.realtime.protocol.wire import clock_text, side
from server.realtime.runtime.limits import BoundedDict
from server.storage.protocols.ratings import Perf

LATELY_MS: Final = 120_000
"""So long after the end of their game two have just played each other."""
OTHERS_FIRST_MS: Final = 15_000
"""So long after the younger of their seeks was made they are not paired."""
MAX_PAIRS: Final = 10_000


class OpenSeeks:
    """The open seeks, of which `pages` see every change; `blocks` hides seeks from people kept apart from the maker.
    `opponents`: the pairs who have just played each other.

    The seeks may be changed while one iterates over them.
    """

    def __init__(self, pages: Subscribers, blocks: Blocks, bots: Container[str] = ()) -> None:
        self._pages = pages
        self._blocks = blocks
        self._bots = bots
        self.opponents = RecentOpponents()
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
        return (seek for seek in self._suiting(wanted) if not self.opponents.others_first(seek, wanted, now))

    def may_suit_later(self, wanted: Seek, now: int) -> bool:
        """Is there one that suits, but whose maker has just played the maker of `wanted`?"""
        return any(self.opponents.others_first(seek, wanted, now) for seek in self._suiting(wanted))

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

    def get_seek(self, seek_id: str) -> Seek | None:
        """None: it is not open any more."""
        return self._by_id.get(seek_id)

    def add_seek(self, seek: Seek, visible: bool = True) -> None:
        """Adds an open seek; adding it again only shows or hides it."""
        self._by_id[seek.id] = seek
        if visible and seek.id not in self._visible:
            self._visible.add(seek.id)
            # While its maker was away somebody may have come whom it suits.
            self._fresh.add(seek.id)
            self._listed = None
            added = SeekAdded(seek=seek_view(seek, self._bots))
            self._pages.show_all(encode(added), self._blocks.apart_from(seek.maker.player.id))
        elif not visible:
            self._hide(seek.id)

    def drop_seek(self, seek_id: str) -> None:
        """Removes a seek, if it is still there."""
        self._hide(seek_id)
        self._by_id.pop(seek_id, None)

    def _hide(self, seek_id: str) -> None:
        self._fresh.discard(seek_id)
        if seek_id in self._visible:
            self._visible.discard(seek_id)
            self._listed = None
            self._pages.show_all(encode(SeekGone(id=seek_id)))

    @property
    def fresh(self) -> Sequence[Seek]:
        """Those not yet compared with all that wait beside them."""
        return tuple(seek for seek in self.waiting if seek.id in self._fresh)

    def mark_compared(self, seek_id: str) -> None:
        """Notes that it was compared with all that wait beside it."""
        self._fresh.discard(seek_id)

    def listed(self, reader: str | None) -> str:
        """The encoded message that lists the waiting seeks for `reader` (an id; None: somebody without a name).

        It is encoded once for all readers until something changes, except for readers kept apart from a maker.
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
            self._pages.show_people(self.listed(person), {person})

    def _list_of(self, seeks: Iterable[Seek]) -> str:
        return encode(Seeks(seeks=[seek_view(seek, self._bots) for seek in seeks]))


def seek_view(seek: Seek, bots: Container[str] = ()) -> SeekView:
    """An open seek as everybody may read it. `bots`: the ids of all bots."""
    return SeekView(
        id=seek.id,
        by=seek.maker.player.id,
        name=seek.maker.player.name,
        account=1 if seek.maker.registered else None,
        bot=1 if seek.maker.player.id in bots else None,
        variants=list(seek.variants) or None,
        chess960=1 if seek.chess960 else None,
        clock=clock_text(seek.control),
        color=None if seek.color is None else side(seek.color),
        rated=1 if seek.rated else None,
        rating=seek.rating or None,
        lowest=seek.lowest or None,
        highest=seek.highest or None,
    )


class RecentOpponents:
    """The pairs who have just played each other: quick pairing lets others come first.

    Two who both press "New opponent" want another one. So their seeks pass each other by for a while; if nobody else
    has come by then, they play each other again, which is better than waiting on. A player who takes the other's seek
    from the list gets the game at once. Kept in memory, for a limited number of pairs, by each process for games that
    it has followed.
    """

    def __init__(self) -> None:
        self._ended: BoundedDict[frozenset[str], tuple[str, int]] = BoundedDict(MAX_PAIRS)
        """By pair: their last game, and when (ms) it was seen to be over."""

    def note_game(self, game: Game, now: int) -> None:
        """Notes `game` if it is over; saying so again changes nothing."""
        if game.status is not Status.OVER or game.white is None or game.black is None or game.computer is not None:
            return
        pair = frozenset((game.white.id, game.black.id))
        if self._ended.get(pair, ("", 0))[0] != game.id:
            self._ended[pair] = game.id, now

    def others_first(self, one: Seek, other: Seek, now: int) -> bool:
        """Are the makers of these seeks to wait for somebody else at `now` (ms)?"""
        _, ended = self._ended.get(frozenset((one.maker.player.id, other.maker.player.id)), ("", None))
        if ended is None:
            return False
        made = max(one.created, other.created)
        return made < ended + LATELY_MS and now < made + OTHERS_FIRST_MS


def seek_rating(
    perfs: Sequence[Perf], variants: Collection[str], control: TimeControl, now: int, *, chess960: bool
) -> str:
    """What somebody with those ratings has in such games, with "?" if it is provisional at `now` (ms); that of a
    newcomer if they have played none.

    For several `variants` (none: any) it is that of the one in which they have most rated games.
    """
    speed = speed_of(control)
    fitting = [
        one.rating
        for one in perfs
        if one.rating.games
        and (one.category.speed, one.category.chess960) == (speed, chess960)
        and (not variants or one.category.variant in variants)
    ]
    shown = max(fitting, key=lambda rating: rating.games).aged(now) if fitting else Rating()
    return f"{shown.rounded}{'?' if shown.provisional else ''}"
