"""What the server asks of a store, whatever engine is behind it. Knows no engine.

A write is acknowledged only when it is durable. A game is written by compare-and-set on its
revision (`Game.rev`), which every stored change raises by one; so two writers can never both win,
and a takeback cannot make an old position look current again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from server.games.clock import DAY_MS
from server.games.game import Game
from server.storage.damage import Damage
from server.storage.fields import Fields, instant, text
from server.storage.protocols.accounts import AccountStore
from server.storage.protocols.alerts import AlertStore
from server.storage.protocols.archive import ArchiveStore, GameSummary
from server.storage.protocols.challenges import ChallengeStore
from server.storage.protocols.deletion import DeletionStore
from server.storage.protocols.imports import ImportStore
from server.storage.protocols.people import UserStore
from server.storage.protocols.push import PushStore
from server.storage.protocols.ratings import RatingStore
from server.storage.protocols.seeks import SeekStore
from server.storage.record_kinds import RecordStore
from server.storage.running import RunningGame

MARKS_KEPT_MS = 7 * DAY_MS
"""How long the mark of a server that is gone is kept."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One line of chat. `room` is players or watchers, `at` is ms since the epoch."""

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
class Progress:
    """How far games have got: the stored revision of each, by id, and what was said in them lately."""

    revs: Mapping[str, int]
    said: Sequence[ChatLine]


class GameStore(Protocol):
    async def create(self, game: Game) -> None:
        """Store a new game. Raises Duplicate, Unavailable."""

    async def load(self, game_id: str, known: Game | None = None) -> Game | None:
        """The game as last acknowledged, equal to the one that was saved, or None. Raises Unreadable, Unavailable.

        It is quicker when a state of it is `known`: a move that another server has stored costs no whole replay.
        """

    async def save(self, before: Game, after: Game) -> None:
        """Store the step from `before` to `after`, whose `rev` is one higher, if the stored one is `before.rev`.

        Returns only when it is durable. Raises Conflict (another writer was first) or Unavailable. An unknown
        outcome is settled by reading back before this returns or raises. Cancelling the caller does not stop a write.
        """

    async def running(self) -> Sequence[str]:
        """Ids of all games where something happens by itself: a clock runs or is paused, or time to begin runs out."""

    async def due(self, before: int, limit: int) -> Sequence[str]:
        """Ids of games whose deadline (ms) is before `before`, earliest first. Paused games have none."""

    async def progress(self, games: Sequence[str], since: int) -> Progress:
        """How far these games have got, without loading them, and what was said in them from `since` (ms) on.

        The lines are in the order of `chat`; of an id that names no game there is no revision.
        """

    async def by_player(self, player_id: str, limit: int) -> Sequence[GameSummary]:
        """Newest first. Of thousands it takes its time, and holds nobody up."""

    async def count_by_player(self, player_id: str) -> int:
        """How many games this player sits in, or sat. Raises Unavailable."""

    async def running_of(self, player_id: str) -> Sequence[RunningGame]:
        """The games of this player that go on, the most urgent first. Raises Unavailable."""

    async def add_chat(self, line: ChatLine) -> None:
        """Raises NotStored when there is no such game (any more): then nothing of the line stays. Unavailable."""

    async def count_chat(self, game_id: str) -> int:
        """How many lines were said in both rooms. Raises Unavailable."""

    async def chat(self, game_id: str, limit: int) -> Sequence[ChatLine]:
        """The last `limit` lines of both rooms, oldest first (as they were added; on several nodes, by `at`)."""


class HeartbeatStore(Protocol):
    """When a server was last known to run, so that its absence is charged to nobody."""

    async def mark_alive(self, node: str, at: int) -> None:
        """Note that `node` runs at `at` (ms). Marks older than a week are forgotten."""

    async def last_alive(self) -> int | None:
        """The latest mark (ms) of any node, or None on a new store."""

    async def time(self) -> int | None:
        """What time it is (ms) for all servers on this store; None: no other can share it. Raises Unavailable."""


class Store(GameStore, UserStore, HeartbeatStore, Protocol):
    """All of it, and its life."""

    @property
    def shared(self) -> bool:
        """Can anybody but this process change what is stored: another server, or a command of the host's?"""

    @property
    def damage(self) -> Damage:
        """What could not be read so far, and was left out."""

    @property
    def accounts(self) -> AccountStore: ...

    @property
    def alerts(self) -> AlertStore: ...

    @property
    def archive(self) -> ArchiveStore: ...

    @property
    def deletion(self) -> DeletionStore: ...

    @property
    def imports(self) -> ImportStore: ...

    @property
    def push(self) -> PushStore: ...

    @property
    def ratings(self) -> RatingStore: ...

    @property
    def seeks(self) -> SeekStore: ...

    @property
    def challenges(self) -> ChallengeStore: ...

    @property
    def records(self) -> RecordStore: ...

    async def ping(self) -> None:
        """Raises Unavailable when the store cannot write."""

    async def copy_to(self, path: Path) -> None:
        """All that is stored, as a new file at `path` in the engine's own form, while everything goes on.

        Raises Unavailable, also where the engine is a service with copies of its own; OSError.
        """

    async def close(self) -> None:
        """Finish what is queued, then let go; twice is harmless. What is asked afterwards raises Unavailable."""
