"""How a time control is written for people, the same on pages, in mails and on pictures. Knows no game."""

from collections.abc import Sequence

from server.games.clocks.time_control import ClockKind, TimeControl
from server.language import Language


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
