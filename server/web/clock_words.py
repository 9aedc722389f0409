"""How time controls, the time left and days are written for people, on pages, in mails and on pictures.

Knows no game.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from server.games.clocks.time_control import ClockKind, TimeControl
from server.language import Language

LATE_MIN: Final = 5
"""A reminder is sent at most so late; "12 hours left" is then still the better word."""


def day_of(ms: int) -> str:
    """The day (UTC) of an instant, as a form wants it."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).date().isoformat()


def clock_words(control: TimeControl, language: Language) -> str:
    """ "5+3", "5+3 against 1+0", "3 days a move", "10+1 days, up to 30", "no clock"."""
    if control.bank_days is not None:
        initial, increment, cap = control.bank_days
        return language.plain("terms.bank", initial=initial, increment=increment, cap=cap)
    if control.kind is ClockKind.CORRESPONDENCE:
        return language.plain("terms.days", n=control.days)
    if control.kind is ClockKind.UNLIMITED:
        return language.plain("terms.no_clock")
    white, black = paces(control)
    return language.plain("round.against", white=white, black=black) if control.has_odds else white


def paces(control: TimeControl) -> Sequence[str]:
    """ "5+3": minutes at the start and seconds a move of each side, White first. Quarters of a minute are decimals."""
    return [_pace(*side) for side in zip(control.initial_ms, control.increment_ms, strict=True)]


def _pace(initial_ms: int, increment_ms: int) -> str:
    minutes, seconds = divmod(initial_ms // 1000, 60)
    start = f"{minutes}:{seconds:02}" if seconds % 15 else f"{minutes + seconds / 60:g}"
    return f"{start}+{increment_ms // 1000}"


def time_left(ms: int, language: Language) -> str:
    """ "3 days left", "12 hours left": rounded down, but for the few minutes that a reminder is late."""
    minutes = ms // 60_000
    if (days := (minutes + LATE_MIN) // 1440) >= 2:
        return language.plain("your_games.days_left", n=days)
    if (hours := (minutes + LATE_MIN) // 60) >= 2:
        return language.plain("your_games.hours_left", n=hours)
    return language.plain("your_games.minutes_left", n=minutes)
