"""A night in a place without summer time, in which people who live there are not to be disturbed."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

ZONE = "Asia/Kolkata"
NIGHT = {"zone": ZONE, "quiet_from": "22:00", "quiet_until": "07:00"}
"""As the form sends it."""


def turn_to(clock, hour, minute=0):
    """Turns the clock to the next instant at which it is so late there."""
    now = datetime.fromtimestamp(clock() / 1000, ZoneInfo(ZONE))
    then = datetime.combine(now.date(), time(hour, minute), ZoneInfo(ZONE))
    if then <= now:
        then += timedelta(days=1)
    clock.turn(round(then.timestamp() * 1000) - clock())
