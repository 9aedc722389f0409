"""The interface of a store, whatever the engine.

A write returns only when it is durable. A game is written by compare-and-set on its revision (`Game.rev`), which every
stored change raises by one. So two writers can never both win, and a takeback cannot make an old position current.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from server.games.clocks.time_control import DAY_MS
from server.games.state import Game
from server.storage.damage import Damage
from server.storage.fields import Fields, instant, text
from server.storage.protocols.archive import ArchiveStore, GameSummary
from server.storage.protocols.explorer import ExplorerStore
from server.storage.protocols.ratings import RatingStore
from server.storage.protocols.records import DeletionStore, RecordStore
from server.storage.running import RunningGame
from server.storage.tables.accounts import UserStore
from server.storage.tables.stores import TableParts

MARKS_KEPT_MS = 7 * DAY_MS
"""How long the heartbeat of a server that is gone is kept."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One line of chat. `room`: players or watchers. `at`: ms since the epoch."""

    game: str
    room: str
    player: str
    name: str
    text: str
    at: int


ROOMS = frozenset({"players", "watchers"})


def chat_line_of(fields: Fields) -> ChatLine:
    """The line of stored fields. Raises as `fields` says."""
    if text(fields, "room") not in ROOMS:
        raise ValueError("there is no such room")
    words = {name: text(fields, name) for name in ("game", "room", "player", "name", "text")}
    return ChatLine(**words, at=instant(fields, "at"))


@dataclass(frozen=True, slots=True)
class StoredProgress:
    """The stored revisions of games by id, and the latest chat in them."""

    revs: Mapping[str, int]
    said: Sequence[ChatLine]


class GameStore(Protocol):
    async def create(self, game: Game) -> None:
        """Store a new game. Raises Duplicate, Unavailable."""

    async def load(self, game_id: str, known: Game | None = None) -> Game | None:
        """The stored game, or None. Raises Unreadable, Unavailable.

        A `known` state of it saves replaying all moves when another server has stored one more.
        """

    async def save(self, before: Game, after: Game) -> None:
        """Stores `after`, whose `rev` is one higher, if the stored revision is `before.rev`.

        Returns when it is durable. Raises Conflict (another writer was first) or Unavailable. If the outcome is
        unknown it is read back first. Cancelling the caller does not cancel the write. A turn that begins with it, at
        a pace of days, is marked in the same write (see `outbox`), as it is by `create`.
        """

    async def running(self) -> Sequence[str]:
        """Ids of all games with a running or paused clock, or a deadline for the first move."""

    async def due(self, before: int, limit: int) -> Sequence[str]:
        """Ids of games whose deadline (ms) is before `before`, earliest first. Paused games have none."""

    async def to_remind(self, by: int, limit: int) -> Sequence[str]:
        """Ids of games in which a reminder to move is due by then (ms), earliest first."""

    async def progress(self, games: Sequence[str], since: int) -> StoredProgress:
        """The revisions of these games, without loading them, and the chat in them from `since` (ms) on.

        The lines are in the order of `chat`; unknown ids have no revision.
        """

    async def by_player(self, player_id: str, limit: int) -> Sequence[GameSummary]:
        """A player's games, newest first. Thousands of them take time, but hold nobody up."""

    async def count_by_player(self, player_id: str) -> int:
        """How many games this player has or had a seat in. Raises Unavailable."""

    async def running_of(self, player_id: str) -> Sequence[RunningGame]:
        """This player's running games, most urgent first. Raises Unavailable."""

    async def add_chat(self, line: ChatLine, untold: bool = False) -> None:
        """Stores a line, in the same write marked as `untold` (see `outbox`).

        Raises NotStored if the game does not exist (any more), Unavailable.
        """

    async def latest_chat(self, since: int, before: int, limit: int) -> Sequence[ChatLine]:
        """The newest lines in all games from `since` (ms) on and before `before`, the newest first, at most `limit`.
        Raises Unavailable.
        """

    async def count_chat(self, game_id: str) -> int:
        """The number of lines in both rooms. Raises Unavailable."""

    async def chat(self, game_id: str, limit: int) -> Sequence[ChatLine]:
        """The last `limit` lines of both rooms in the order they were added (on several nodes, by `at`)."""


class HeartbeatStore(Protocol):
    """When a server was last known to run, so that no player pays for its absence."""

    async def mark_alive(self, node: str, at: int) -> None:
        """Stores the heartbeat of `node` at `at` (ms), and forgets those older than a week."""

    async def nodes_alive(self, since: int) -> Set[str]:
        """The nodes that have stored a heartbeat at `since` (ms) or later. Raises Unavailable."""

    async def last_alive(self) -> int | None:
        """The latest heartbeat (ms) of any node; None on a new store."""

    async def time(self) -> int | None:
        """The time (ms) for all servers on this store; None if it cannot be shared. Raises Unavailable."""


class Store(GameStore, UserStore, HeartbeatStore, TableParts, Protocol):
    """The whole store."""

    @property
    def shared(self) -> bool:
        """Can another process, such as a second server or a host command, change what is stored?"""

    @property
    def damage(self) -> Damage:
        """The damaged records found so far."""

    @property
    def archive(self) -> ArchiveStore: ...

    @property
    def deletion(self) -> DeletionStore: ...

    @property
    def explorer(self) -> ExplorerStore: ...

    @property
    def ratings(self) -> RatingStore: ...

    @property
    def records(self) -> RecordStore: ...

    async def ping(self) -> None:
        """Raises Unavailable if the store cannot write."""

    async def copy_to(self, path: Path) -> None:
        """Copies everything to a new file at `path`, in the engine's own format, while the store is in use.

        Raises OSError, and Unavailable, also if the engine is a service with its own backups.
        """

    async def close(self) -> None:
        """Finishes what is queued and closes; twice is harmless. Later calls raise Unavailable."""
