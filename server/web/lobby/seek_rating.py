"""The rating that others read beside the name of whoever seeks an opponent."""

from collections.abc import Collection, Sequence

from server.games.clocks.speed import speed_of
from server.games.clocks.time_control import TimeControl
from server.storage.protocols.ratings import Perf


def seek_rating(
    perfs: Sequence[Perf], variants: Collection[str], control: TimeControl, now: int, *, chess960: bool
) -> str:
    """With "?" if it is provisional at `now` (ms); "" for somebody without one in such games.

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
    if not fitting:
        return ""
    shown = max(fitting, key=lambda rating: rating.games).aged(now)
    return f"{shown.rounded}{'?' if shown.provisional else ''}"
