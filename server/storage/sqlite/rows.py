"""Reads and writes of the SQLite file that take more than one statement, as plain functions.

They run on the file's thread. If a write raises a StoreError, the caller rolls it back. `saves` writes the changes of
games.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

import orjson

from server.games.status import Status
from server.storage.documents import NONE, Document, Head, in_brief, in_full
from server.storage.errors import Duplicate, Unreadable
from server.storage.fields import Fields
from server.storage.record_kinds import SESSIONS, USERS
from server.storage.stores import MARKS_KEPT_MS
from server.storage.tables.accounts import Session, User, session_of, user_of


def fields_of(found: sqlite3.Cursor) -> list[Fields]:
    """The rows of a query, each as its values by the names of the columns."""
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def json_list(values: Iterable[object]) -> str:
    """Many values as one, for `json_each`."""
    return orjson.dumps(list(values)).decode()


def insert(connection: sqlite3.Connection, table: str, fields: Fields, or_else: str = "") -> int:
    """Inserts a row with these values by column. `or_else`: OR REPLACE or OR IGNORE. How many? Raises Duplicate."""
    names, places = ", ".join(fields), ", ".join("?" for _ in fields)
    try:
        statement = f"INSERT {or_else} INTO {table} ({names}) VALUES ({places})"
        return connection.execute(statement, tuple(fields.values())).rowcount
    except sqlite3.IntegrityError as error:
        raise Duplicate(f"Two of {table} are the same.") from error


def insert_game(connection: sqlite3.Connection, head: Head, moves: Sequence[str]) -> None:
    """Inserts a new game. Raises Duplicate."""
    columns = {name: head[name] for name in ("rev", "white", "black", "created", "deadline")}
    own = {
        "id": head["_id"],
        "token": "",
        "remind_at": head.get("remind_at", NONE),
        "running": head["status"] != Status.OVER,
        "head": orjson.dumps(in_brief(head)),
    }
    insert(connection, "games", {**columns, **own})
    insert_moves(connection, [(str(head["_id"]), ply, move) for ply, move in enumerate(moves)])


def insert_moves(connection: sqlite3.Connection, moves: Sequence[tuple[str, int, str]]) -> None:
    """Inserts moves, each with its game and number (0 = first), in one statement."""
    if len(moves) == 1:
        connection.execute("INSERT INTO moves (game, ply, move) VALUES (?, ?, ?)", moves[0])
        return
    connection.execute(
        "INSERT INTO moves (game, ply, move)"
        " SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')"
        " FROM json_each(?)",
        (json_list(moves),),
    )


def select_game(connection: sqlite3.Connection, game_id: str) -> Document | None:
    """The document of a game, or None. Raises Unreadable, ValueError if it is damaged."""
    row = connection.execute("SELECT head, rev FROM games WHERE id = ?", (game_id,)).fetchone()
    if row is None:
        return None
    head = head_of(game_id, row[0])
    if head.get("rev") != row[1]:
        # No change could ever be stored: changes are compared with the column.
        raise ValueError("its revision is not that of its head")
    # As one row: after each row the file's thread waits for the interpreter lock, and all writes wait with it.
    # A damaged file can hold values of any type, and not all of them fit into JSON.
    (stored,) = connection.execute(
        "SELECT CAST(json_group_array(json_array(CAST(ply AS INTEGER), CAST(move AS TEXT))) AS BLOB)"
        " FROM moves WHERE game = ?",
        (game_id,),
    ).fetchone()
    moves = sorted(orjson.loads(stored))
    for number, (ply, _) in enumerate(moves):
        if ply != number:
            raise Unreadable(f"The stored game {game_id} cannot be read (half-move {number + 1} is missing).")
    return Document(head, tuple(move for _, move in moves))


def head_of(game_id: str, stored: bytes) -> Head:
    """The head of that game, in full. Raises ValueError if it is none."""
    head = orjson.loads(stored)
    if not isinstance(head, dict):
        raise ValueError("its head is no object")
    if head.get("_id") != game_id:
        raise ValueError("its head is that of another game")
    return in_full(head)


def select_heads(
    connection: sqlite3.Connection, player_id: str, limit: int, only: str = ""
) -> Sequence[tuple[str, bytes]]:
    """Ids and heads of a player's newest games, up to `limit` with each colour.

    `only`: a condition in SQL. Two indexed look-ups: one with OR would read and sort all their games.
    """
    return [
        row
        for color in ("white", "black")
        for row in connection.execute(
            f"SELECT id, head FROM games WHERE {color} = ? {only} ORDER BY created DESC LIMIT ?", (player_id, limit)
        )
    ]


def insert_guest(connection: sqlite3.Connection, user: User, session: Session) -> None:
    """Inserts both. Raises Duplicate."""
    insert(connection, "users", asdict(user))
    insert(connection, "sessions", asdict(session))


def select_session(connection: sqlite3.Connection, token_hash: str) -> tuple[User, Session] | None:
    """The session and its user, or None. Raises as `fields` says."""
    row = connection.execute(
        "SELECT id, users.name, guest, users.created, preferences, token_hash, sessions.user, sessions.created, seen,"
        " sessions.generation, browser FROM sessions JOIN users ON users.id = sessions.user"
        " LEFT JOIN accounts ON accounts.user = users.id AND held_until = 0"
        " WHERE token_hash = ? AND (guest <> 0 OR accounts.generation = sessions.generation)",
        (token_hash,),
    ).fetchone()
    if row is None:
        return None
    user, session = dict(zip(USERS.fields, row[:5], strict=True)), dict(zip(SESSIONS.fields, row[5:], strict=True))
    return user_of(user, "id"), session_of(session, "token_hash")


def upsert_alive(connection: sqlite3.Connection, node: str, at: int) -> None:
    """Stores the heartbeat (ms) of `node`, never an earlier one than is there, and forgets old ones."""
    connection.execute("DELETE FROM alive WHERE at < ?", (at - MARKS_KEPT_MS,))
    connection.execute(
        "INSERT INTO alive (node, at) VALUES (?, ?) ON CONFLICT (node) DO UPDATE SET at = max(at, excluded.at)",
        (node, at),
    )


def select_progress(
    connection: sqlite3.Connection, games: Sequence[str], since: int
) -> tuple[Mapping[str, int], Sequence[Fields]]:
    """The revisions of those games by id, and the chat in them since."""
    asked = json_list(games)
    revs = connection.execute("SELECT id, rev FROM games WHERE id IN (SELECT value FROM json_each(?))", (asked,))
    lines = connection.execute(
        "SELECT * FROM chat WHERE game IN (SELECT value FROM json_each(?)) AND at >= ? ORDER BY number", (asked, since)
    )
    return dict(revs), fields_of(lines)
