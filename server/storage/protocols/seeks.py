"""What a store keeps of open seeks: until when each stands, and how it was taken. Knows no engine.

Who takes a seek is settled by the store, so of two who want it one gets it, on whatever server they are; and the other
seeks that the pairing answers go in the same step, so nobody is paired by two of their own at once. The game is made
afterwards, under the id that the seek carries; until that is done the seek stays as `taken`, and whoever finds it so
makes the game (again). All times are ms since the epoch.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from server.games.clock import TimeControl
from server.games.player import Player
from server.games.seek import Pairing, Seek, Seeker, is_answered
from server.rules.variant.pieces import Color
from server.storage.damage import Damage
from server.storage.fields import Fields, flag, instant, number, text

KIND = "seeks"
COLORS = {"w": Color.WHITE, "b": Color.BLACK}


@dataclass(frozen=True, slots=True)
class LeasedSeek:
    """A seek, and until when it stands if nobody says again that its maker is there."""

    seek: Seek
    until: int


class SeekStore(Protocol):
    async def add(self, standing: LeasedSeek) -> None:
        """Raises Duplicate, Unavailable."""

    async def open(self) -> Sequence[LeasedSeek]:
        """All that nobody has taken, oldest first; but for those that cannot be read."""

    async def prolong(self, maker: str, until: int) -> None:
        """All open seeks of that player that do not wait for days stand at least until then."""

    async def shorten(self, maker: str, until: int) -> None:
        """The same seeks stand until then at most."""

    async def take(self, seek_id: str, pairing: Pairing, known: Set[str] = frozenset(), beyond: int = 0) -> bool:
        """Is it `pairing` that the seek ends with? Then what else it answers is removed in the same step.

        `known`: ids of seeks that it would answer as far as the caller knows. False: the seek or one of these was gone,
        it would not have stood `beyond` that instant, or somebody else was first. Asking again with the same taker is
        answered alike.
        """

    async def taken(self) -> Sequence[tuple[Seek, Pairing]]:
        """Those whose game may not have been made yet; but for those that cannot be read."""

    async def remove(self, seek_id: str) -> None:
        """Its game is made. Nothing happens if it is gone."""

    async def withdraw(self, seek_id: str, maker: str) -> bool:
        """Take it back, if it is theirs and nobody has taken it. Was it?"""

    async def expire(self, now: int) -> Sequence[str]:
        """Remove the open ones that stood until before `now`; their ids."""


def to_document(standing: LeasedSeek) -> Mapping[str, int | str]:
    """Flat, of ints and strings only, as every engine speaks them."""
    seek, control = standing.seek, standing.seek.control
    return {
        "_id": seek.id,
        "game": seek.game,
        "maker": seek.maker.player.id,
        "maker_name": seek.maker.player.name,
        "registered": int(seek.maker.registered),
        "variants": " ".join(seek.variants),
        "chess960": int(seek.chess960),
        "days": control.days or 0,
        "initial": control.initial_ms[0],
        "increment": control.increment_ms[0],
        "color": "" if seek.color is None else seek.color.letter,
        "rated": int(seek.rated),
        "created": seek.created,
        "until": standing.until,
        **NOT_TAKEN,
    }


def answered(seek: Seek, taker: Player, standing: Iterable[LeasedSeek]) -> Sequence[str]:
    """The ids of those of the open seeks `standing` that need no opponent any more when `taker` has taken `seek`."""
    return [other.seek.id for other in standing if is_answered(other.seek, seek, taker)]


NOT_TAKEN: Mapping[str, str] = {"taker": "", "taker_name": "", "variant": "", "maker_color": ""}


def taking(pairing: Pairing) -> Mapping[str, str]:
    """What taking a seek changes in its document."""
    return {
        "taker": pairing.taker.id,
        "taker_name": pairing.taker.name,
        "variant": pairing.variant,
        "maker_color": pairing.maker_color.letter,
    }


def leased_seek_of(document: Fields) -> LeasedSeek:
    """The seek of a document. Raises as `fields` says, also for a clock that nobody could ask for."""
    days, color = number(document, "days"), text(document, "color")
    control = TimeControl.realtime(number(document, "initial"), number(document, "increment"))
    seek = Seek(
        id=text(document, "_id"),
        game=text(document, "game"),
        maker=Seeker(Player(text(document, "maker"), text(document, "maker_name")), flag(document, "registered")),
        variants=tuple(text(document, "variants").split()),
        chess960=flag(document, "chess960"),
        control=TimeControl.correspondence(days) if days else control,
        color=COLORS[color] if color else None,
        rated=flag(document, "rated"),
        created=instant(document, "created"),
    )
    seek.control.validate()
    return LeasedSeek(seek, instant(document, "until"))


def pairing_of(document: Fields) -> Pairing:
    """How the seek of a document was taken. Raises as `fields` says."""
    taker = Player(text(document, "taker"), text(document, "taker_name"))
    return Pairing(taker, text(document, "variant"), COLORS[text(document, "maker_color")])


def leased_seeks_of(documents: Iterable[Fields], damage: Damage) -> Sequence[LeasedSeek]:
    """The seeks of those documents that can be read."""
    return damage.readable(KIND, documents, leased_seek_of, key=_id_of)


def taken_of(documents: Iterable[Fields], damage: Damage) -> Sequence[tuple[Seek, Pairing]]:
    """The taken seeks of those documents that can be read."""
    return damage.readable(KIND, documents, lambda one: (leased_seek_of(one).seek, pairing_of(one)), key=_id_of)


def _id_of(document: Fields) -> object:
    return document["_id"]
