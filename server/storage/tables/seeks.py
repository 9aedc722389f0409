"""Open seeks in a store: their leases, and how they were taken.

The store decides who takes a seek, so one of two takers gets it, whichever server they are on. The other seeks that the
pairing answers are removed in the same step, so nobody is paired by two of their own seeks at once. The game is created
afterwards, under the id in the seek; until then the seek stays as `taken`, and whoever finds it creates the game
(again). All times are ms since the epoch.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.player import Player
from server.games.seeks import MAX_SEEKS, Pairing, Seek, Seeker, is_answered
from server.rules.variant.pieces import Color
from server.storage.fields import Fields, FlatRecord, flag, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import After, Table, TableStore, at_least, below

BANK = -1
"""Stored as the `days` of a time bank. Seeks by the minute have 0 there, and are searched for it."""
COLORS = {"w": Color.WHITE, "b": Color.BLACK}


@dataclass(frozen=True, slots=True)
class LeasedSeek:
    """A seek, and until when it stands unless its lease is renewed."""

    seek: Seek
    until: int


def to_document(standing: LeasedSeek) -> FlatRecord:
    """The seek as a flat document of ints and strings."""
    seek, control = standing.seek, standing.seek.control
    return {
        "_id": seek.id,
        "game": seek.game,
        "maker": seek.maker.player.id,
        "maker_name": seek.maker.player.name,
        "registered": int(seek.maker.registered),
        "variants": " ".join(seek.variants),
        "chess960": int(seek.chess960),
        "days": BANK if control.cap_ms is not None else control.days or 0,
        "initial": control.initial_ms[0],
        "increment": control.increment_ms[0],
        "cap": control.cap_ms or 0,
        "color": "" if seek.color is None else seek.color.letter,
        "rated": int(seek.rated),
        "created": seek.created,
        "rating": seek.rating,
        "lowest": seek.lowest,
        "highest": seek.highest,
        "until": standing.until,
        **NOT_TAKEN,
    }


def answered(seek: Seek, taker: Player, standing: Iterable[LeasedSeek]) -> Sequence[str]:
    """The ids of the open seeks that no longer need an opponent once `taker` has taken `seek`."""
    return [other.seek.id for other in standing if is_answered(other.seek, seek, taker)]


NOT_TAKEN: Mapping[str, str] = {"taker": "", "taker_name": "", "variant": "", "maker_color": ""}


def taking(pairing: Pairing) -> Mapping[str, str]:
    """The changes to the document of a seek that is taken."""
    return {
        "taker": pairing.taker.id,
        "taker_name": pairing.taker.name,
        "variant": pairing.variant,
        "maker_color": pairing.maker_color.letter,
    }


def leased_seek_of(document: Fields) -> LeasedSeek:
    """The seek of a document. Raises as `fields` says, also for an impossible clock."""
    document = {**SEEKS.added, **document}
    color = text(document, "color")
    seek = Seek(
        id=text(document, "_id"),
        game=text(document, "game"),
        maker=Seeker(Player(text(document, "maker"), text(document, "maker_name")), flag(document, "registered")),
        variants=tuple(text(document, "variants").split()),
        chess960=flag(document, "chess960"),
        control=_control_of(document),
        color=COLORS[color] if color else None,
        rated=flag(document, "rated"),
        created=instant(document, "created"),
        rating=text(document, "rating"),
        lowest=number(document, "lowest"),
        highest=number(document, "highest"),
    )
    seek.control.validate()
    return LeasedSeek(seek, instant(document, "until"))


def _control_of(document: Fields) -> TimeControl:
    days = number(document, "days")
    if days == BANK:
        spans = (number(document, name) // DAY_MS for name in ("initial", "increment", "cap"))
        return TimeControl.bank(*spans)
    if days:
        return TimeControl.correspondence(days)
    return TimeControl.realtime(number(document, "initial"), number(document, "increment"))


def pairing_of(document: Fields) -> Pairing:
    """How the seek of a document was taken. Raises as `fields` says."""
    taker = Player(text(document, "taker"), text(document, "taker_name"))
    return Pairing(taker, text(document, "variant"), COLORS[text(document, "maker_color")])


def taken_seek_of(document: Fields) -> tuple[Seek, Pairing]:
    """The seek of a document, and how it was taken. Raises as `fields` says."""
    return leased_seek_of(document).seek, pairing_of(document)


def _any_seek_of(document: Fields) -> object:
    return taken_seek_of(document) if document["taker"] else leased_seek_of(document)


SEEKS: Final = RecordKind(
    "seeks",
    typed_fields(
        "_id game maker maker_name #registered variants #chess960 #days #initial #increment #cap color #rated #created"
        " #until taker taker_name variant maker_color rating #lowest #highest"
    ),
    added={"cap": 0, "rating": "", "lowest": 0, "highest": 0},
    indexes=("taker created",),
    read=_any_seek_of,
    people=("maker", "taker"),
)


class SeekStore(TableStore):
    """Seeks that stand, or were taken. How one is taken depends on whether the engine has transactions."""

    kinds = (SEEKS, QUOTAS)

    def __init__(self, table: Table, quotas: Table) -> None:
        super().__init__(table)
        self._quotas = QuotaStore(quotas)

    async def add(self, standing: LeasedSeek) -> None:
        """Raises Duplicate too."""
        await self._table.add(to_document(standing))

    async def admit(self, seek: Seek, now: int) -> bool:
        """Is the seek, which was just added, among the MAX_SEEKS that its maker may have open at `now`? If not it is
        withdrawn, unless somebody has taken it.
        """
        maker = seek.maker.player.id
        quota, open_now = Quota(maker, "seeks", MAX_SEEKS), at_least(now + 1)
        admitted = await self._quotas.admit_record(
            quota, self._table, seek.id, now, "created _id", new=False, maker=maker, taker="", until=open_now
        )
        return admitted or not await self.withdraw(seek.id, maker)

    async def open(self) -> Sequence[LeasedSeek]:
        """All seeks that nobody has taken, oldest first, without damaged ones."""
        return await self._table.read(leased_seek_of, "created", taker="")

    async def prolong(self, maker: str, until: int) -> None:
        """Extends all real-time seeks of that maker at least until then."""
        await self._table.set({"until": until}, maker=maker, days=0, taker="", until=below(until))

    async def shorten(self, maker: str, until: int) -> None:
        """Shortens the same seeks to end then at the latest."""
        await self._table.set({"until": until}, maker=maker, days=0, taker="", until=at_least(until + 1))

    @abstractmethod
    async def take(self, seek_id: str, pairing: Pairing, known: Set[str] = frozenset(), beyond: int = 0) -> bool:
        """Takes the seek with `pairing`, and removes the other seeks that it answers in the same step. Was it taken so?

        `known`: ids of seeks that it answers as far as the caller knows. False: the seek or one of these was gone, its
        lease ended before `beyond`, or somebody else was first. Asking again with the same taker gives the same answer.
        """

    async def taken(self) -> Sequence[tuple[Seek, Pairing]]:
        """Seeks whose game may not have been created yet, without damaged ones."""
        return await self._table.read(taken_seek_of, "created", taker=After(""))

    async def remove(self, seek_id: str) -> None:
        """Removes a seek whose game has been created; does nothing if it is gone."""
        await self._table.delete(_id=seek_id)

    async def withdraw(self, seek_id: str, maker: str) -> bool:
        """Withdraws a seek of `maker` that nobody has taken. Was there one?"""
        return await self._table.delete(_id=seek_id, maker=maker, taker="") > 0

    async def expire(self, now: int) -> Sequence[str]:
        """Removes the open seeks whose lease ended before `now`, and returns their ids."""
        over = [str(one["_id"]) for one in await self._table.find(only=("until",), taker="", until=below(now))]
        if not over:
            return []
        # A lease may just have been renewed.
        await self._table.delete(_id=frozenset(over), taker="", until=below(now))
        there = {str(one["_id"]) for one in await self._table.find(only=("until",), _id=frozenset(over))}
        return [one for one in over if one not in there]
