"""Where the sender of a command hears of it. Knows no command and no line."""

from typing import Final, Protocol


class Reply(Protocol):
    """The sender's end."""

    def waiting(self) -> None:
        """It cannot be stored yet; called once or more."""

    def done(self, v: int, dup: bool) -> None:
        """It is stored, or had been (`dup`); `v` is the number of the last event that came of it."""


class NoReply:
    """For commands whose sender only waits for `submit` to return."""

    def waiting(self) -> None:
        """Nobody is there to be told."""

    def done(self, v: int, dup: bool) -> None:
        """Nobody is there to be told."""


NO_REPLY: Final = NoReply()
