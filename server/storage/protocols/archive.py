"""Searching finished games in bounded time.

A finished game leaves a small entry in the archive, in the same write that ends it; the games themselves are never
searched. An entry has a key, which sorts by the time the game ended, and facets: short texts, each with an index that
ends in the key. A page is read newest first along the rarest facet of the search, and over at most `SCAN` entries. So a
search that matches hardly anything returns a short page and a key to continue from, but never takes long.

Aborted, declined and unstarted games leave no entry, nor do running ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

import orjson

from server.games.clocks.time_control import TimeControl
from server.games.rating import long_enough
from server.games.state import Game
from server.games.status import Status
from server.rules.variant.pieces import Color
from server.storage.documents import to_head
from server.storage.fields import Fields, text

SCAN = 3_000
"""Entries read at most by one scan along a facet."""
YEAR_ONE_MS = 62_135_596_800_000
"""From the year 1 to 1970. Keys sort as text, so times must not be negative; imported games can be old."""
END = "~"
"""Sorts after every key."""
NO_GAME = frozenset({"abort", "expired", "declined"})

PEOPLE = ("pair", "white", "black")
"""Facets of the players, the rarest first."""
FACETS = (*PEOPLE, "variant", "shuffled", "winner", "reason", "rated", "source")

Facets = Mapping[str, str]
ResultFilter = Literal["white", "black", "draw", "unfinished", "won", "lost"]
SourceFilter = Literal["played", "imported"]

LINE = (
    *("_id", "variant", "chess960", "white_name", "black_name", "rated", "control", "initial", "increment", "days"),
    *("cap", "status", "result", "reason", "plies", "created", "ended", "imported", "board"),
)
"""What lists show of a game: these fields of its document."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in a list. `white`, `black`: names; None for an empty seat.

    `board`: the pieces on the board as a FEN begins with them; "" in documents of releases that did not note it.
    """

    id: str
    variant: str
    chess960: bool
    white: str | None
    black: str | None
    rated: bool
    control: TimeControl
    status: str
    result: str | None
    reason: str | None
    plies: int
    created: int
    ended: int | None
    imported: bool
    board: str

    @property
    def too_short(self) -> bool:
        """Was it to be rated, and is over before both had moved twice, so that it changed no rating?"""
        ended = self.rated and self.result not in (None, "*")
        return ended and not long_enough(self.plies, self.reason or "")


@dataclass(frozen=True, slots=True)
class Search:
    """A search; all given conditions must hold. `since` and `until` (exclusive) are ms.

    Names match as a whole, ignoring case. `color`: of `player`. `opponent` and the outcomes won and lost need `player`.
    """

    player: str = ""
    color: Color | None = None
    opponent: str = ""
    variant: str = ""
    chess960: bool | None = None
    outcome: ResultFilter | None = None
    reason: str = ""
    rated: bool | None = None
    source: SourceFilter | None = None
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some games, newest first. `next`: the key to continue from; None: no more.

    A page may be short or even empty and still have a next one: it is what was found in bounded time.
    """

    games: Sequence[GameSummary]
    next: str | None


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """The archive entry of a finished game, as of its revision `rev`. `line`: JSON, for lists."""

    id: str
    rev: int
    key: str
    facets: Facets
    line: str


@dataclass(frozen=True, slots=True)
class Scan:
    """Keys and lines found along one facet, newest first: all those newer than `reached` ("": all)."""

    found: Sequence[tuple[str, str]]
    reached: str


class PlayedGame(NamedTuple):
    """A game that was played here, as one of its players sees it; there can be thousands.

    `at`: when it ended (ms). `opponent`: their name as it is compared. `score`: 1 won, 0.5 drawn, 0 lost; None: it has
    no result.
    """

    id: str
    at: int
    color: Color
    variant: str
    chess960: bool
    opponent: str
    rated: bool
    score: float | None


class Beginning(NamedTuple):
    """How a game began: the full FEN, and the first half-moves in UCI."""

    id: str
    start_fen: str
    moves: Sequence[str]


class ArchiveStore(Protocol):
    async def played_by(self, player: str, limit: int) -> Sequence[PlayedGame]:
        """The games of the player with that name, newest first: the newest `limit` of each colour, of which imported
        games are left out. Raises Unavailable.
        """

    async def beginnings(self, games: Sequence[str], plies: int) -> Sequence[Beginning]:
        """How these games began, up to `plies` half-moves of each, in no particular order. Damaged and deleted games
        are left out. Raises Unavailable.
        """

    async def page(self, search: Search, limit: int, before: str = "") -> Page:
        """Up to `limit` games older than the key `before` ("": from the newest). Raises Unavailable.

        Damaged and deleted games are left out.
        """

    async def file_the_rest(self) -> None:
        """Adds the finished games that are missing, because the store failed when they ended. Raises Unavailable."""


def key_at(ms: int, game_id: str = "") -> str:
    """The key of a game that ended at `ms`; without an id, a key before all of that instant."""
    return f"{ms + YEAR_ONE_MS:015d}{game_id}"


def time_of(key: str) -> int:
    """The instant (ms) in a key."""
    return int(key[:15]) - YEAR_ONE_MS


def folded(name: str) -> str:
    """A name in the form that is compared."""
    return " ".join(name.split()).casefold()


def entry_of(game: Game) -> ArchiveEntry | None:
    """The archive entry of `game`; None if it has none."""
    outcome = game.outcome
    if game.status is not Status.OVER or outcome is None or outcome.reason in NO_GAME or game.ended is None:
        return None
    head = to_head(game)
    return entry({name: head[name] for name in LINE}, game.rev)


def newly_over(before: Game, after: Game) -> ArchiveEntry | None:
    """The entry to add to the archive after a change, or to replace there if a player was renamed; None: none."""
    named = (before.white, before.black) == (after.white, after.black)
    return None if before.status is Status.OVER and named else entry_of(after)


def entry(line: Mapping[str, int | str], rev: int) -> ArchiveEntry:
    """The entry of a game whose list fields are `line` at its revision `rev`."""
    white, black = folded(str(line["white_name"])), folded(str(line["black_name"]))
    facets = {
        "pair": f"{white}|{black}",
        "white": white,
        "black": black,
        "variant": str(line["variant"]),
        "shuffled": str(line["chess960"]),
        "winner": str(line["result"]),
        "reason": str(line["reason"]),
        "rated": str(line["rated"]),
        "source": "imported" if line["imported"] else "played",
    }
    game_id = str(line["_id"])
    return ArchiveEntry(game_id, rev, key_at(int(line["ended"]), game_id), facets, orjson.dumps(line).decode())


RESULTS: Mapping[str, str] = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2", "unfinished": "*"}
WINS = ("1-0", "0-1")
"""The results by which White and Black win."""
SCORES: Final[Mapping[str, tuple[float, float]]] = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}
"""What White and Black score by each result."""
SEATS: Final = ((Color.WHITE, "white", "black"), (Color.BLACK, "black", "white"))
"""Each colour, the facet of whoever has it, and that of their opponent."""
OF_A_PLAYER: Final = ("key", "variant", "shuffled", "winner", "rated", "source")
"""What `played_game` reads of an entry, besides its opponent."""


def played_game(stored: Fields, color: Color, opponent: str) -> PlayedGame | None:
    """The game of an entry as the player of `color` sees it; None if it was imported. `opponent`: the facet of theirs.

    Raises as `fields` says.
    """
    key, scores = text(stored, "key"), SCORES.get(text(stored, "winner"))
    if text(stored, "source") != "played":
        return None
    return PlayedGame(
        *(key[15:], time_of(key), color, text(stored, "variant"), text(stored, "shuffled") == "1"),
        opponent=text(stored, opponent),
        rated=text(stored, "rated") == "1",
        score=None if scores is None else scores[color is Color.BLACK],
    )


def newest_first(games: Iterable[PlayedGame | None]) -> Sequence[PlayedGame]:
    """Those that were played here. A game against somebody of the same name is there twice, once for each colour."""
    return sorted((one for one in games if one is not None), key=lambda one: (one.at, one.id), reverse=True)


def beginning_of(game_id: str, head: Fields, moves: Sequence[str]) -> Beginning:
    """The beginning of the game with that stored head and those moves. Raises as `fields` says."""
    return Beginning(game_id, text(head, "start"), [move.split(" ")[0] for move in moves])


def branches(search: Search) -> Sequence[Facets]:
    """The facets to search for: one set, or two if the player may have had either colour."""
    asked = {
        "variant": search.variant,
        "shuffled": "" if search.chess960 is None else str(int(search.chess960)),
        "winner": RESULTS.get(search.outcome or "", ""),
        "reason": search.reason,
        "rated": "" if search.rated is None else str(int(search.rated)),
        "source": search.source or "",
    }
    given = {name: value for name, value in asked.items() if value}
    if not search.player:
        return (given,)
    colors = Color if search.color is None else (search.color,)
    return tuple({**given, **_seated(search, color)} for color in colors)


def _seated(search: Search, color: Color) -> Facets:
    """The facets of `player` with that colour."""
    player, opponent = folded(search.player), folded(search.opponent)
    mine, theirs = ("white", "black") if color is Color.WHITE else ("black", "white")
    facets = {mine: player}
    if opponent:
        seats = {mine: player, theirs: opponent}
        facets = {"pair": f"{seats['white']}|{seats['black']}", **seats}
    if search.outcome in ("won", "lost"):
        facets["winner"] = WINS[color.value if search.outcome == "won" else color.other.value]
    return facets


def candidate_facets(facets: Facets) -> Sequence[str]:
    """The facets worth scanning: those of a player if given, since one person's games are few."""
    for name in PEOPLE:
        if name in facets:
            return (name,)
    return tuple(name for name in FACETS if name in facets)


def bounds(search: Search, before: str) -> tuple[str, str]:
    """The range of keys: from the first on, below the second."""
    until = END if search.until is None else key_at(search.until)
    return "" if search.since is None else key_at(search.since), min(before or END, until)


def merge_scans(scans: Iterable[Scan], limit: int) -> tuple[Sequence[str], str | None]:
    """The lines of one page from several scans, each for `limit` + 1, and the key to continue from."""
    scans = tuple(scans)
    reached = max(scan.reached for scan in scans)
    # A game between two players of one name is found twice.
    lines = {key: line for scan in scans for key, line in scan.found if key >= reached}
    keys = sorted(lines, reverse=True)
    if len(keys) > limit:
        return [lines[key] for key in keys[:limit]], keys[limit - 1]
    return [lines[key] for key in keys], reached or None
