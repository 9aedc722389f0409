"""The message that says who is at a board."""

from typing import Literal

from server.realtime.protocol.wire import Message


class SeatPresence(Message):
    """Whether a player is here. `since`: for how many ms they have been away. `claim_in`: ms until the opponent may
    claim; 0: now; None: no claim."""

    here: Literal["here", "lost", "left", "away"]
    lag: int | None = None
    since: int | None = None
    claim_in: int | None = None


class PresenceOut(Message):
    """Who is here. Not numbered: only the latest counts. `invited`: somebody is here who may take the free seat.

    `resume_in`: ms until clocks paused by a restart resume; sooner if both players are here.
    """

    t: Literal["crowd"] = "crowd"
    white: SeatPresence
    black: SeatPresence
    watchers: int
    invited: bool | None = None
    resume_in: int | None = None
