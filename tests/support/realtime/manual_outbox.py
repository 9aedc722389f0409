"""An outbox that sends nothing until it is read: everything that is put in waits."""

from server.realtime.protocol.outbox import Outbox


class ManualOutbox(Outbox):
    """`aborted`: it was ended at once. `wakes`: how often its writer was told that something waits."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted = False
        self.wakes = 0

    def send(self, text: str, *, more: bool = False) -> bool:
        return False

    def wake(self, *, in_turn: bool = False) -> None:
        self.wakes += 1

    def abort(self) -> None:
        self.aborted = True

    def read_all(self) -> list[str]:
        """Everything that waits, oldest first."""
        found = []
        while (text := self.take()) is not None:
            found.append(text)
        return found
