"""All kinds of records that a site stores, independent of the engine, for moving a site from one to another.

A record is flat, with ints and strings; a game also has its moves. What follows from the rest (the archive) is rebuilt,
not moved. Nothing is left out for being secret: without sessions guests would lose their seats. So the records must be
guarded like the store itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.storage.documents import Document
from server.storage.fields import FlatRecord

INT64 = range(-(2**63), 2**63)
MOVES = "moves"


class InvalidRecord(ValueError):
    """It is not a record of that kind; the message says why."""


@dataclass(frozen=True, slots=True)
class RecordKind:
    """`fields`: names and types; the first `keys` of them identify a record.

    `added`: values of the fields that earlier releases did not have, for records that lack them.
    """

    name: str
    fields: Mapping[str, type[int] | type[str]]
    keys: int = 1
    added: Mapping[str, int | str] = field(default_factory=dict)

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


def _fields(text: str) -> Mapping[str, type[int] | type[str]]:
    """Names, those of numbers with a # before them."""
    return {name.lstrip("#"): int if name.startswith("#") else str for name in text.split()}


GAMES = "games"
USERS = RecordKind("users", _fields("id name #guest #created preferences"), added={"preferences": ""})
ACCOUNTS = RecordKind(
    "accounts",
    _fields("folded user name password #created #once_until #held_until places #by_hand #unlisted #bot"),
    added={"places": "", "by_hand": 0, "unlisted": 0, "bot": 0},
)
ACCOUNT_MERGES = RecordKind("handovers", _fields("user heir name #leaves"))
SESSIONS = RecordKind("sessions", _fields("token_hash user #created #seen"))
CHAT = RecordKind("chat", _fields("game room player name text #at"), keys=0)
SEEKS = RecordKind(
    "seeks",
    _fields(
        "_id game maker maker_name #registered variants #chess960 #days #initial #increment #cap color #rated #created"
        " #until taker taker_name variant maker_color rating"
    ),
    added={"cap": 0, "rating": ""},
)
CHALLENGES = RecordKind("challenges", _fields("game player #at"))
IMPORTS = RecordKind("imports", _fields("game #at #plies user place"))
ALERTS = RecordKind("alerts", _fields("_id owner #registered variants speeds #until"))
NOTIFICATIONS = RecordKind("calls", _fields("owner #at"))
DEVICES = RecordKind("devices", _fields("_id owner p256dh auth language"))
ADDRESSES = RecordKind(
    "addresses",
    _fields("_id owner address language #added #confirmed #refused wishes letters #bounced bounced_mail"),
    added={"letters": "", "bounced": 0, "bounced_mail": ""},
)
OUTBOX = RecordKind("outbox", _fields("_id owner address topic message #made #next_try #until #tries"))
NOTICES = RecordKind("notices", _fields("_id text #posted #until"))
NOTIFICATION_SETTINGS = RecordKind("how_told", _fields("_id zone #quiet_from #quiet_until silent"))
HELD = RecordKind("held", _fields("_id owner address game kind #rev #due digest"))
VACATIONS = RecordKind("vacations", _fields("_id owner #began #until #settled"))
REPORTS = RecordKind("reports", _fields("_id owner owner_name about about_name kind game text #at #closed"))
TIES = RecordKind("ties", _fields("_id owner kind other name #at"))
LESSONS = RecordKind("lessons", _fields("_id owner lesson step #at"))
STUDIES = RecordKind("studies", _fields("_id owner name chapters #created #changed #shared #rev"))
STUDY_CHAPTERS = RecordKind("study_chapters", _fields("_id study owner name variant #chess960 #rev #size pgn"))
TOKENS = RecordKind("tokens", _fields("_id owner name scopes #created #used"))
PUZZLES = RecordKind(
    "puzzles",
    _fields(
        "_id variant #chess960 fen last line themes game #ply #made #rating #deviation #volatility #tries #rated_at"
    ),
)
PUZZLE_GAMES = RecordKind("puzzle_games", _fields("_id variant #at"))
PUZZLE_TRIES = RecordKind("puzzle_tries", _fields("_id owner puzzle #solved #at"))
PUZZLE_STANDINGS = RecordKind(
    "puzzle_standings",
    _fields("_id owner variant #chess960 #solved #streak #best #rating #deviation #volatility #tries #rated_at"),
)
UNWANTED_MAIL = RecordKind("unwanted_mail", _fields("_id #at"))
SECRETS = RecordKind("secrets", _fields("name value"))
STANDINGS = RecordKind(
    "standings",
    _fields("player category #value #deviation #volatility #rated #at #sure_until #won #drawn #lost"),
    keys=2,
)
SCORES = RecordKind("scores", _fields("player opponent #games #won #drawn #lost"), keys=2)
CHANGES = RecordKind("changes", _fields("player category #number game color #before #deviation #after #at"), keys=3)
ALIVE = RecordKind("alive", _fields("node #at"))

ARCHIVE = RecordKind("archive", _fields("key line"))
"""It follows from the games, and is not carried."""

KINDS: Mapping[str, RecordKind] = {
    kind.name: kind
    for kind in (
        *(USERS, ACCOUNTS, ACCOUNT_MERGES, SESSIONS, CHAT, SEEKS, CHALLENGES, IMPORTS, ALERTS, NOTIFICATIONS, DEVICES),
        *(ADDRESSES, NOTIFICATION_SETTINGS, OUTBOX, HELD, NOTICES, REPORTS),
        *(TIES, UNWANTED_MAIL, VACATIONS, LESSONS, SECRETS),
        *(PUZZLES, PUZZLE_GAMES, PUZZLE_TRIES, PUZZLE_STANDINGS),
        *(STUDIES, STUDY_CHAPTERS, TOKENS, STANDINGS, SCORES, CHANGES, ALIVE),
    )
}
"""Every kind but games, which have a shape of their own (`documents`)."""


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
