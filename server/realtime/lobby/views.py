"""An open seek as everybody may read it. Pure."""

from collections.abc import Container

from server.games.clocks.time_control import ClockKind, TimeControl
from server.games.seeks.seek import Seek
from server.realtime.protocol.lobby_messages import SeekView
from server.realtime.protocol.wire import side


def seek_view(seek: Seek, bots: Container[str] = ()) -> SeekView:
    """`bots`: the ids of those who are."""
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
    )


def clock_text(control: TimeControl) -> str:
    """ "300+3": seconds at the start and a move; "3d": days a move; "10+1/30d": a time bank, up to 30 days.

    Without a clock it is "".
    """
    if control.kind is ClockKind.UNLIMITED:
        return ""
    if control.bank_days is not None:
        return "{}+{}/{}d".format(*control.bank_days)
    if control.by_days:
        return f"{control.days}d"
    return f"{control.initial_ms[0] // 1000}+{control.increment_ms[0] // 1000}"
