"""The kinds of records that a site stores, independent of the engine, for moving a site from one to another. Those of
tables are declared where they are read and written (`tables`).

A record is flat, with ints and strings; a game also has its moves. What follows from the rest (the archive) is rebuilt,
not moved. Nothing is left out for being secret: without sessions guests would lose their seats. So the records must be
guarded like the store itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from server.storage.documents import Document
from server.storage.fields import Fields, FlatRecord

INT64 = range(-(2**63), 2**63)
MOVES = "moves"


class InvalidRecord(ValueError):
    """It is not a record of that kind; the message says why."""


@dataclass(frozen=True, slots=True)
class RecordKind:
    """`fields`: names and types; the first `keys` of them identify a record.

    `added`: values of the fields that earlier releases did not have, for records that lack them.
    Of a table: `indexes`: the fields of each; `read`: what the server reads a record with, which raises only what
    `damage.WRONG` lists; `people`: the fields that are ids of people; `beside`: fields of MongoDB's documents that are
    not part of the record, by which what a crash has left half done is found.
    """

    name: str
    fields: Mapping[str, type[int] | type[str]]
    keys: int = 1
    added: Mapping[str, int | str] = field(default_factory=dict)
    indexes: Sequence[str] = ()
    read: Callable[[Fields], object] | None = None
    people: Sequence[str] = ()
    beside: Sequence[str] = ()

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(self.fields)[: self.keys]

    def check(self, record: Mapping[str, Any]) -> FlatRecord:
        """The record, completed with `added`. Raises InvalidRecord."""
        record = {**self.added, **record}
        if record.keys() != self.fields.keys():
            odd = sorted(map(str, record.keys() ^ self.fields.keys()))
            raise InvalidRecord(f"{self.name} have {', '.join(self.fields)}; {odd[0]!r} is amiss")
        for name, kind in self.fields.items():
            check_value(name, record[name], kind)
        return record


def check_value(name: str, value: object, kind: type[int] | type[str]) -> None:
    """Raises InvalidRecord."""
    if type(value) is not kind:
        raise InvalidRecord(f"{name} is no {'number' if kind is int else 'text'}")
    if isinstance(value, int) and value not in INT64:
        raise InvalidRecord(f"{name} is too large")


def typed_fields(text: str) -> Mapping[str, type[int] | type[str]]:
    """Names, those of numbers with a # before them."""
    return {name.lstrip("#"): int if name.startswith("#") else str for name in text.split()}


GAMES = "games"
USERS = RecordKind("users", typed_fields("id name #guest #created preferences"), added={"preferences": ""})
ACCOUNTS = RecordKind(
    "accounts",
    typed_fields(
        "folded user name password #created #once_until #held_until places #by_hand #unlisted #bot #generation"
    ),
    added={"places": "", "by_hand": 0, "unlisted": 0, "bot": 0, "generation": 0},
)
ACCOUNT_MERGES = RecordKind("handovers", typed_fields("user heir name #leaves"))
SESSIONS = RecordKind(
    "sessions",
    typed_fields("token_hash user #created #seen #generation browser"),
    added={"generation": 0, "browser": ""},
)
CHAT = RecordKind("chat", typed_fields("game room player name text #at"), keys=0)
STANDINGS = RecordKind(
    "standings",
    typed_fields("player category #value #deviation #volatility #rated #at #sure_until #won #drawn #lost"),
    keys=2,
)
SCORES = RecordKind("scores", typed_fields("player opponent #games #won #drawn #lost"), keys=2)
CHANGES = RecordKind(
    "changes", typed_fields("player category #number game color #before #deviation #after #at"), keys=3
)
ALIVE = RecordKind("alive", typed_fields("node #at"))

ARCHIVE = RecordKind("archive", typed_fields("key line"))
"""It follows from the games, and is not carried."""

OTHER_KINDS: Final = (
    *(USERS, ACCOUNTS, ACCOUNT_MERGES, SESSIONS, CHAT),
    *(STANDINGS, SCORES, CHANGES, ALIVE),
)
"""Those of no table (`tables`), but games, which have a shape of their own (`documents`)."""


def game_record(document: Document) -> Mapping[str, Any]:
    """A game as one record: its head, and its moves."""
    return {**document.head, MOVES: list(document.moves)}


def game_document(record: Mapping[str, Any]) -> Document:
    """The document of a record. Raises InvalidRecord if its head is not flat."""
    moves = record.get(MOVES)
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise InvalidRecord("a game has a list of moves")
    head = {name: value for name, value in record.items() if name != MOVES}
    for name, value in head.items():
        check_value(name, value, int if isinstance(value, int) else str)
    return Document(head, tuple(moves))
