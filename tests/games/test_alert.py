"""Whom a standing offer calls, and for what."""

from dataclasses import replace

import pytest

from server.games.alert import Alert, answers
from server.games.clock import TimeControl
from server.games.seek import Seek, Seeker
from server.games.speed import Speed
from tests.games.builders import BORIS, FIVE_MINUTES, START, WANDA

ALERT = Alert("a", BORIS.id, registered=False, variants=("grand", "chess"), speeds=(Speed.BLITZ,), until=START)
SEEK = Seek("s", "g", Seeker(WANDA, True), ("grand",), False, FIVE_MINUTES, None, rated=False, created=START)


@pytest.mark.parametrize(
    ("alert", "seek", "called"),
    [
        ({}, {}, True),
        ({"owner": WANDA.id}, {}, False),
        ({"variants": ()}, {"variants": ("acedrex",)}, True),
        ({}, {"variants": ()}, True),
        ({}, {"variants": ("acedrex", "gothic")}, False),
        ({}, {"control": TimeControl.realtime(60_000, 0)}, False),
        ({"speeds": ()}, {"control": TimeControl.realtime(60_000, 0)}, True),
        ({"speeds": (Speed.CORRESPONDENCE,)}, {"control": TimeControl.correspondence(3)}, True),
        ({}, {"rated": True}, False),
        ({"registered": True}, {"rated": True}, True),
    ],
)
def test_who_is_called(alert, seek, called):
    assert answers(replace(ALERT, **alert), replace(SEEK, **seek)) is called
