"""Open seeks to store, one of every kind."""

from dataclasses import replace

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.seeks import Seek, Seeker
from server.rules.variant.pieces import Color
from server.storage.tables.seeks import LeasedSeek

NOW = 1_700_000_000_000

ANNA, BEN, CARLA = Player("a", "Anna"), Player("b", "Ben"), Player("c", "Carla")

LIVE, DAYS = TimeControl.realtime(180_000, 2_000), TimeControl.correspondence(3)


def standing(name="s1", until=NOW + 60_000, **changes):
    seek = Seek(name, f"game-{name}", Seeker(ANNA, True), ("grand", "chess"), False, LIVE, None, True, NOW)
    return LeasedSeek(replace(seek, **changes), until)


EVERY_KIND = [
    standing(),
    standing("s2", variants=(), color=Color.BLACK, rated=False, created=NOW + 1),
    standing(
        "s3",
        variants=("chess",),
        chess960=True,
        control=DAYS,
        maker=Seeker(BEN, False),
        created=NOW + 2,
        rating="1712?",
        lowest=1500,
        highest=1900,
    ),
]
