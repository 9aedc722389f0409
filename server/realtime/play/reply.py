"""How the sender of a command learns of its outcome."""

from typing import Final, Protocol


class Reply(Protocol):
    """The reply to a command."""

    def waiting(self) -> None:
        """The command cannot be stored yet. May be called several times."""

    def done(self, v: int, dup: bool) -> None:
        """It is stored, or already was (`dup`). `v`: the number of its last event."""


class NoReply:
    """For commands whose sender only waits for `submit` to return."""

    def waiting(self) -> None:
        """Nobody is there to be told."""

    def done(self, v: int, dup: bool) -> None:
        """Nobody is there to be told."""


NO_REPLY: Final = NoReply()
