"""Seeks: open offers in the lobby. Who may take one, which ones match, and the game that results.

How long a seek stays open, and who sees it, is for the lobby (`realtime.lobby`).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import ClockKind, Speed, TimeControl
from server.games.errors import BadSeek, NotAllowed, OwnSeek, RegisteredOnly
from server.games.player import Player
from server.rules.variant.pieces import Color

MAX_VARIANTS = 4
"""More than this many variants count as any variant."""
MAX_SEEKS = 5
"""Open seeks per person."""
MAX_OPEN = 500
"""Open seeks in all: the list is one message, which must fit into an outbox."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who looks for a game. Rated games are for `registered` players only."""

    player: Player
    registered: bool


@dataclass(frozen=True, slots=True)
class Seek:
    """`variants`: ids of those that the maker would play; empty: any. `color`: the maker's; None: either.

    `game`: the id that the game will have, so that creating it twice makes one game; unlike `id` it is told to nobody
    before. `created`: ms since the epoch.
    `rating`: the maker's in such games, as others read it, with "?" if it is provisional; "": a guest has none.
    `lowest`, `highest`: what an opponent's must be in such games at least and at most; 0: anything.
    """

    id: str
    game: str
    maker: Seeker
    variants: tuple[str, ...]
    chess960: bool
    control: TimeControl
    color: Color | None
    rated: bool
    created: int
    rating: str = ""
    lowest: int = 0
    highest: int = 0

    @property
    def has_range(self) -> bool:
        """Does it ask for opponents of some ratings only?"""
        return self.lowest > 0 or self.highest > 0

    @property
    def waits_for_days(self) -> bool:
        """A correspondence seek stays open when the maker closes the browser."""
        return self.control.by_days


@dataclass(frozen=True, slots=True)
class Pairing:
    """What is decided when a seek is taken: enough to create the game, even after a crash."""

    taker: Player
    variant: str
    maker_color: Color


def check_seek(seek: Seek) -> None:
    """Raises BadSeek or BadClock for a game that cannot be sought, RegisteredOnly for what a guest cannot seek."""
    seek.control.validate()
    if seek.control.kind is ClockKind.UNLIMITED:
        raise BadSeek("seek_untimed")
    if seek.control.has_odds:
        raise BadSeek("seek_odds")
    if len(seek.variants) > MAX_VARIANTS:
        raise BadSeek("seek_variants", most=MAX_VARIANTS)
    if seek.chess960 and len(seek.variants) != 1:
        raise BadSeek("seek_960")
    if 0 < seek.highest < seek.lowest:
        raise BadSeek("seek_range")
    _check_account(seek, seek.maker)


def check_not_repeated(seek: Seek, standing: Iterable[Seek]) -> None:
    """Raises NotAllowed if its maker has the same seek open already."""
    if any(is_of(other, seek.maker.player) and asks_the_same(other, seek) for other in standing):
        raise NotAllowed("seek_repeated")


def check_room(player: Player, standing: Collection[Seek]) -> None:
    """Raises NotAllowed if `player`, or the lobby, has too many open seeks."""
    if sum(is_of(other, player) for other in standing) >= MAX_SEEKS:
        raise NotAllowed("too_many_seeks")
    if len(standing) >= MAX_OPEN:
        raise NotAllowed("lobby_full")


def check_taker(seek: Seek, taker: Seeker, rating: str = "") -> None:
    """Raises OwnSeek, RegisteredOnly, and NotAllowed if the seek is not for their `rating`, which is as in `Seek`."""
    if taker.player.id == seek.maker.player.id:
        raise OwnSeek
    _check_account(seek, taker)
    if is_for(seek, rating):
        return
    told = rating or "?"
    if not seek.highest:
        raise NotAllowed("seek_from", lowest=seek.lowest, rating=told)
    if not seek.lowest:
        raise NotAllowed("seek_up_to", highest=seek.highest, rating=told)
    raise NotAllowed("seek_between", lowest=seek.lowest, highest=seek.highest, rating=told)


def _check_account(seek: Seek, seeker: Seeker) -> None:
    """Guests have no rating, and tomorrow they could be somebody else."""
    if (seek.rated or seek.has_range) and not seeker.registered:
        raise RegisteredOnly


def is_for(seek: Seek, rating: str) -> bool:
    """Is an opponent with that rating, as in `Seek`, one of those whom the seek asks for?"""
    if not seek.has_range:
        return True
    points = int(rating.removesuffix("?") or 0)
    return points > 0 and seek.lowest <= points and (not seek.highest or points <= seek.highest)


def is_of(seek: Seek, player: Player) -> bool:
    """Did `player` make this seek?"""
    return seek.maker.player.id == player.id


def is_compatible(standing: Seek, wanted: Seek) -> bool:
    """Could the makers of the two seeks be paired?"""
    return (
        standing.maker.player.id != wanted.maker.player.id
        and standing.control == wanted.control
        and (standing.rated, standing.chess960) == (wanted.rated, wanted.chess960)
        and (standing.color is None or standing.color is not wanted.color)
        and is_for(standing, wanted.rating)
        and is_for(wanted, standing.rating)
        and (_same_games(standing, wanted) or not (standing.has_range or wanted.has_range))
        and (not standing.variants or not wanted.variants or bool(set(standing.variants) & set(wanted.variants)))
    )


def _same_games(one: Seek, other: Seek) -> bool:
    """Is the rating of each maker that in the games of the other's seek, too?"""
    return set(one.variants) == set(other.variants)


def is_answered(other: Seek, taken: Seek, taker: Player) -> bool:
    """Does `other` no longer need an opponent once `taker` has taken `taken`?

    Nobody needs two real-time games at once, and two compatible seeks of the pair result in one game.
    """
    if other.id == taken.id or other.maker.player.id not in (taken.maker.player.id, taker.id):
        return False
    by_the_minute = not (taken.waits_for_days or other.waits_for_days)
    return by_the_minute or (other.maker.player.id == taker.id and is_compatible(taken, other))


def asks_the_same(one: Seek, other: Seek) -> bool:
    """Do both seek the same game, whoever made them?"""
    return _terms(one) == _terms(other)


def _terms(seek: Seek) -> tuple[object, ...]:
    return (frozenset(seek.variants), seek.chess960, seek.control, seek.color, seek.rated, seek.lowest, seek.highest)


def common_variants(standing: Seek, wanted: Sequence[str], all_variants: Sequence[str]) -> Sequence[str]:
    """The variants that both would play, in the site's order. `wanted`: those of the taker; empty: any.

    Raises NotAllowed if there are none.
    """
    both = [
        variant
        for variant in all_variants
        if (not standing.variants or variant in standing.variants) and (not wanted or variant in wanted)
    ]
    if not both:
        raise NotAllowed("other_variants")
    return both


def seats(seek: Seek, pairing: Pairing) -> tuple[Player, Player]:
    """The players of White and Black."""
    maker, taker = seek.maker.player, pairing.taker
    return (maker, taker) if pairing.maker_color is Color.WHITE else (taker, maker)


MAX_ALERTS: Final = 5
"""Per person. One alert can name several variants."""
MAX_VARIANTS_OF_ALERT: Final = 14
"""More than this many variants count as any variant."""


@dataclass(frozen=True, slots=True)
class SeekAlert:
    """A request to be notified when somebody seeks a game that one would play.

    `variants` (ids) and `speeds` that the owner would play; empty: any.

    `registered`: may they play rated games? `until`: when the alert ends, ms since the epoch.
    """

    id: str
    owner: str
    registered: bool
    variants: tuple[str, ...]
    speeds: tuple[Speed, ...]
    until: int

    def is_for_same_games(self, other: "SeekAlert") -> bool:
        """Are both alerts for the same seeks?"""
        return set(self.variants) == set(other.variants) and set(self.speeds) == set(other.speeds)
