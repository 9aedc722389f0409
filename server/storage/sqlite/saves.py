"""Writes the changes of many games into the SQLite file together.

Three statements do it for any number of games, because the file's thread has to wait for Python's lock between
statements: in a test with 400 fast games, four statements per game delayed their moves by 100 ms. What comes alone goes
without their lists, which a quiet move would wait for twice as long as for the rest.
"""

import sqlite3
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import accumulate

import orjson

from server.games.status import Status
from server.storage.documents import Append, GameUpdate, Replace
from server.storage.errors import Conflict
from server.storage.protocols.archive import ArchiveEntry
from server.storage.sqlite.archive import insert_entry
from server.storage.sqlite.explorer import insert_unexplored
from server.storage.sqlite.outbox import mark_untold, unmark
from server.storage.sqlite.ratings import insert_uncounted
from server.storage.sqlite.rows import insert_moves

# ?1 is a JSON list of lists; ?2 are all heads in one, of which each row names its part: in the list every head would be
# escaped, and parsed once for each column. A game that is not at the revision its change starts from is left alone.
UPDATE = """
    UPDATE games SET rev = step.rev, token = step.token, deadline = step.deadline,
        remind_at = step.remind_at, head = step.head
    FROM (
        SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS start,
            json_extract(value, '$[2]') AS rev, json_extract(value, '$[3]') AS token,
            json_extract(value, '$[4]') AS deadline, json_extract(value, '$[5]') AS remind_at,
            substr(?2, json_extract(value, '$[6]'), json_extract(value, '$[7]')) AS head
        FROM json_each(?1)
    ) AS step
    WHERE games.id = step.id AND games.rev = step.start
    RETURNING games.id
"""
UPDATE_ONE = """
    UPDATE games SET rev = ?3, token = ?4, deadline = ?5, remind_at = ?6, head = ?7 WHERE id = ?1 AND rev = ?2
    RETURNING id
"""


@dataclass(frozen=True, slots=True)
class Save:
    """One change of a game. `head`: its new head as JSON. `token`: identifies the write.

    `seated`: the players have changed. `entry`: for the archive. `ended`: the game is to be counted,
    `unexplored`: also by the explorer.
    `news`: somebody is to be told.
    """

    update: GameUpdate
    head: bytes
    token: str
    seated: bool
    entry: ArchiveEntry | None
    ended: bool
    unexplored: bool
    news: bool


def save_games(connection: sqlite3.Connection, saves: Sequence[Save]) -> Sequence[Conflict | None]:
    """Writes changes of different games; for each returns a Conflict if another writer was first."""
    written = _update(connection, saves)
    steps = [save for save in saves if save.update.id in written]
    _write_moves(connection, [save.update for save in steps])
    for save in steps:
        _write_rest(connection, save)
    mark_untold(connection, [(save.update.id, int(save.update.head["rev"])) for save in steps if save.news])
    return [None if save.update.id in written else _why_not(connection, save) for save in saves]


def _update(connection: sqlite3.Connection, saves: Sequence[Save]) -> Set[str]:
    """The games that were at the revision their change starts from, and have been changed."""
    if len(saves) == 1:
        found = connection.execute(UPDATE_ONE, (*_columns(saves[0]), saves[0].head))
    else:
        sizes = [len(save.head) for save in saves]
        # Where each head begins among all, whose first byte has the number 1.
        begins = accumulate(sizes[:-1], initial=1)
        rows = [(*_columns(save), begin, size) for save, begin, size in zip(saves, begins, sizes, strict=True)]
        found = connection.execute(UPDATE, (orjson.dumps(rows).decode(), b"".join([save.head for save in saves])))
    return {game for (game,) in found}


def _columns(save: Save) -> Sequence[int | str]:
    update, head = save.update, save.update.head
    return (update.id, update.rev, head["rev"], save.token, head["deadline"], head["remind_at"])


def _write_moves(connection: sqlite3.Connection, changes: Sequence[GameUpdate]) -> None:
    rows = []
    for update in changes:
        match update.moves:
            case Append(start, moves):
                first = start
            case Replace(moves):
                first = 0
                connection.execute("DELETE FROM moves WHERE game = ?", (update.id,))
        rows += [(update.id, ply, move) for ply, move in enumerate(moves, first)]
    insert_moves(connection, rows)


def _write_rest(connection: sqlite3.Connection, save: Save) -> None:
    """Writes what few changes have."""
    head = save.update.head
    if save.seated:
        connection.execute(
            "UPDATE games SET white = ?, black = ? WHERE id = ?", (head["white"], head["black"], save.update.id)
        )
    if head["status"] == Status.OVER:
        connection.execute("UPDATE games SET running = 0 WHERE id = ?", (save.update.id,))
        unmark(connection, save.update.id)
    if save.entry is not None:
        insert_entry(connection, save.entry)
    if save.ended:
        insert_uncounted(connection, save.update.id)
    if save.unexplored:
        insert_unexplored(connection, save.update.id)


def _why_not(connection: sqlite3.Connection, save: Save) -> Conflict | None:
    """The conflict; None if it was this very write that was stored before."""
    mine = connection.execute("SELECT 1 FROM games WHERE id = ? AND token = ?", (save.update.id, save.token))
    return None if mine.fetchone() else Conflict(f"The game {save.update.id} has gone on meanwhile.")
