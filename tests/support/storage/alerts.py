"""Seek alerts to store."""

from server.games.clocks.time_control import Speed
from server.games.seeks import SeekAlert
from tests.support.storage.seeks import NOW

MINUTE = 60_000

GRAND = SeekAlert("a1", "anna", True, ("grand", "chess"), (Speed.BLITZ, Speed.CORRESPONDENCE), NOW + 2 * MINUTE)

ANY = SeekAlert("a2", "anna", False, (), (), NOW + MINUTE)

BENS = SeekAlert("b1", "ben", False, ("grand",), (), NOW + 3 * MINUTE)
