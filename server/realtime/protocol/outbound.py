"""Every message to the page of a game: answers to it, `snapshot`, `game_events`, and what concerns the connection."""

from typing import Annotated, Literal

from pydantic import Field

from server.realtime.protocol.game_events import GameEvent
from server.realtime.protocol.snapshot import Clocks, Snapshot
from server.realtime.protocol.wire import Message, TreeStep


class Ok(Message):
    """The command `id` is done and stored. `dup`: it had been done before."""

    t: Literal["ok"] = "ok"
    id: int
    v: int
    dup: bool | None = None


class Error(Message):
    """Nothing was done. `id` is absent if no command could be read.

    `refusal`: the stable id of the reason; `params`: its parameters; `message`: a sentence in English, which may
    change. `code` is coarser than `refusal`, and enough for most programs.

    Codes: bad_message, rate, busy, not_a_player, no_game, damaged, storage (nothing stored, send again), internal, and
    those of a game: over, not_started, not_your_turn, stale, illegal, not_allowed, deleted.
    """

    t: Literal["error"] = "error"
    id: int | None = None
    code: str
    message: str
    refusal: str
    params: dict[str, str | int] | None = None
    v: int | None = None


class Wait(Message):
    """The command `id` is accepted but cannot be stored yet; an `ok` or an `error` follows."""

    t: Literal["wait"] = "wait"
    id: int
    why: Literal["storage"]


class PongOut(Message):
    t: Literal["pong"] = "pong"


class PingOut(Message):
    t: Literal["ping"] = "ping"
    p: str


class Reload(Message):
    """This page speaks an older protocol than the server: reload it once."""

    t: Literal["reload"] = "reload"


class Resumed(Message):
    """All missed events have been sent again; these are the current clocks and legal moves.

    Not numbered. `v`: the last event. Events sent again have the clocks of their own time and no legal moves.
    """

    t: Literal["resumed"] = "resumed"
    v: int
    clock: Clocks
    legal: str | None = None
    conditional: list[TreeStep] | None = None


class ConditionalOut(Message):
    """Your own conditional moves have changed. Not numbered, and for nobody else.

    `steps`: the tree from the present position, moves in UCI and numbers of half-moves to take back. On your own turn,
    which an offer of your opponent can bring about, it begins with the answer that waits for you.
    """

    t: Literal["conditional"] = "conditional"
    steps: list[TreeStep]


class Restart(Message):
    """The server is restarting: reconnect after a random part of `within` ms."""

    t: Literal["restart"] = "restart"
    within: int


class NoticeOut(Message):
    """What the host has to say to everybody; absent: no longer anything.

    `restarts_in`: in how many ms the site is to be restarted, if the notice announces that.
    """

    t: Literal["notice"] = "notice"
    text: str | None
    restarts_in: int | None = None


class SeatPresence(Message):
    """Whether a player is here. `since`: for how many ms they have been away. `claim_in`: ms until the opponent may
    claim; 0: now; None: no claim."""

    here: Literal["here", "lost", "left", "elsewhere", "away"]
    lag: int | None = None
    since: int | None = None
    claim_in: int | None = None


class PresenceOut(Message):
    """Who is here. Not numbered: only the latest counts. `invited`: somebody is here who may take the free seat.

    `watchers`: how many watch; `names`: of some of them, those with an account who may be shown to the reader.

    `resume_in`: ms until clocks paused by a restart resume; sooner if both players are here.
    """

    t: Literal["crowd"] = "crowd"
    white: SeatPresence
    black: SeatPresence
    watchers: int
    names: list[str] | None = None
    invited: bool | None = None
    resume_in: int | None = None


Outbound = Annotated[
    Ok
    | Error
    | Wait
    | PongOut
    | PingOut
    | Reload
    | Snapshot
    | GameEvent
    | Resumed
    | ConditionalOut
    | PresenceOut
    | NoticeOut
    | Restart,
    Field(discriminator="t"),
]
