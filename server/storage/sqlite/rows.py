"""Reads and writes of the SQLite file, as plain functions.

They run on the store's thread. If a write raises Duplicate or NotStored, the caller rolls it back. `saves` writes the
changes of games.
"""

import sqlite3
from collections.abc import Mapping, Sequence

import orjson

from server.games.status import Status
from server.storage.documents import NONE, Document, Head
from server.storage.errors import Duplicate, NotStored, Unreadable
from server.storage.fields import LAST_MS, Fields
from server.storage.protocols.people import Session, User, session_of, user_of
from server.storage.stores import MARKS_KEPT_MS, ChatLine


def insert_game(connection: sqlite3.Connection, head: Head, moves: Sequence[str]) -> None:
    try:
        connection.execute(
            "INSERT INTO games (id, rev, token, white, black, created, deadline, remind_at, running, head)"
            " VALUES (?, ?, '', ?, ?, ?, ?, ?, ?, ?)",
            (
                head["_id"],
                head["rev"],
                head["white"],
                head["black"],
                head["created"],
                head["deadline"],
                head.get("remind_at", NONE),
                head["status"] != Status.OVER,
                orjson.dumps(head),
            ),
        )
    except sqlite3.IntegrityError as error:
        raise Duplicate(f"There is a game {head['_id']} already.") from error
    insert_moves(connection, [(str(head["_id"]), ply, move) for ply, move in enumerate(moves)])


def insert_moves(connection: sqlite3.Connection, moves: Sequence[tuple[str, int, str]]) -> None:
    """Inserts moves, each with its game and number (0 = first), in one statement."""
    connection.execute(
        "INSERT INTO moves (game, ply, move)"
        " SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')"
        " FROM json_each(?)",
        (orjson.dumps(moves).decode(),),
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
    (stored,) = connection.execute(
        "SELECT CAST(json_group_array(json_array(ply, move)) AS BLOB) FROM moves WHERE game = ?", (game_id,)
    ).fetchone()
    moves = sorted(orjson.loads(stored))
    for number, (ply, _) in enumerate(moves):
        if ply != number:
            raise Unreadable(f"The stored game {game_id} cannot be read (half-move {number + 1} is missing).")
    return Document(head, tuple(move for _, move in moves))


def head_of(game_id: str, stored: bytes) -> Head:
    """The head of that game. Raises ValueError if it is none."""
    head = orjson.loads(stored)
    if not isinstance(head, dict):
        raise ValueError("its head is no object")
    if head.get("_id") != game_id:
        raise ValueError("its head is that of another game")
    return head


def select_running(connection: sqlite3.Connection) -> Sequence[str]:
    return [game_id for (game_id,) in connection.execute("SELECT id FROM games WHERE deadline >= 0")]


def select_due(connection: sqlite3.Connection, before: int, limit: int) -> Sequence[str]:
    rows = connection.execute(
        "SELECT id FROM games WHERE deadline >= 0 AND deadline < ? ORDER BY deadline LIMIT ?", (before, limit)
    )
    return [game_id for (game_id,) in rows]


def select_to_remind(connection: sqlite3.Connection, by: int, limit: int) -> Sequence[str]:
    rows = connection.execute(
        "SELECT id FROM games WHERE remind_at >= 0 AND remind_at <= ? ORDER BY remind_at LIMIT ?", (by, limit)
    )
    return [game_id for (game_id,) in rows]


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


LINE = ("game", "room", "player", "name", "text", "at")


def insert_chat(connection: sqlite3.Connection, line: ChatLine) -> None:
    """Inserts a line. Raises NotStored if there is no such game."""
    written = connection.execute(
        "INSERT INTO chat (game, room, player, name, text, at) SELECT id, ?, ?, ?, ?, ? FROM games WHERE id = ?",
        (line.room, line.player, line.name, line.text, line.at, line.game),
    )
    if written.rowcount == 0:
        raise NotStored(f"There is no game {line.game}.")


def select_chat(connection: sqlite3.Connection, game_id: str, limit: int) -> Sequence[Fields]:
    rows = connection.execute(
        "SELECT game, room, player, name, text, at FROM chat WHERE game = ? ORDER BY number DESC LIMIT ?",
        (game_id, limit),
    ).fetchall()
    return [dict(zip(LINE, row, strict=True)) for row in reversed(rows)]


def count_chat(connection: sqlite3.Connection, game_id: str) -> int:
    (lines,) = connection.execute("SELECT count(*) FROM chat WHERE game = ?", (game_id,)).fetchone()
    return int(lines)


def count_games(connection: sqlite3.Connection, player_id: str) -> int:
    # Two indexed counts: one with OR would read every game.
    (games,) = connection.execute(
        "SELECT (SELECT count(*) FROM games WHERE white = ?1)"
        " + (SELECT count(*) FROM games WHERE black = ?1 AND white IS NOT ?1)",
        (player_id,),
    ).fetchone()
    return int(games)


def insert_guest(connection: sqlite3.Connection, user: User, session: Session) -> None:
    try:
        connection.execute(
            "INSERT INTO users (id, name, guest, created) VALUES (?, ?, ?, ?)",
            (user.id, user.name, user.guest, user.created),
        )
        connection.execute(
            "INSERT INTO sessions (token_hash, user, created, seen) VALUES (?, ?, ?, ?)",
            (session.token_hash, session.user, session.created, session.seen),
        )
    except sqlite3.IntegrityError as error:
        raise Duplicate("There is such a user or session already.") from error


USER, SESSION = ("id", "name", "guest", "created"), ("token_hash", "user", "created", "seen")


def select_session(connection: sqlite3.Connection, token_hash: str) -> tuple[User, Session] | None:
    """The session and its user, or None. Raises as `fields` says."""
    row = connection.execute(
        "SELECT id, name, guest, users.created, token_hash, user, sessions.created, seen"
        " FROM sessions JOIN users ON users.id = user WHERE token_hash = ?",
        (token_hash,),
    ).fetchone()
    if row is None:
        return None
    user, session = dict(zip(USER, row[:4], strict=True)), dict(zip(SESSION, row[4:], strict=True))
    return user_of(user, "id"), session_of(session, "token_hash")


def update_session(connection: sqlite3.Connection, token_hash: str, seen: int) -> None:
    connection.execute("UPDATE sessions SET seen = max(seen, ?) WHERE token_hash = ?", (seen, token_hash))


def delete_session(connection: sqlite3.Connection, token_hash: str) -> None:
    connection.execute("DELETE FROM sessions WHERE token_hash = ?", (token_hash,))


def upsert_alive(connection: sqlite3.Connection, node: str, at: int) -> None:
    connection.execute("DELETE FROM alive WHERE at < ?", (at - MARKS_KEPT_MS,))
    connection.execute(
        "INSERT INTO alive (node, at) VALUES (?, ?) ON CONFLICT (node) DO UPDATE SET at = max(at, excluded.at)",
        (node, at),
    )


def select_alive(connection: sqlite3.Connection) -> int | None:
    (at,) = connection.execute("SELECT max(at) FROM alive WHERE at <= ?", (LAST_MS,)).fetchone()
    return None if at is None else int(at)


def write_probe(connection: sqlite3.Connection) -> None:
    """Writes something meaningless, to see whether writing works."""
    connection.execute("INSERT OR REPLACE INTO probe (id) VALUES (1)")


def select_progress(
    connection: sqlite3.Connection, games: Sequence[str], since: int
) -> tuple[Mapping[str, int], Sequence[Fields]]:
    """The revisions of those games by id, and the chat in them since."""
    asked = orjson.dumps(list(games)).decode()
    revs = connection.execute("SELECT id, rev FROM games WHERE id IN (SELECT value FROM json_each(?))", (asked,))
    lines = connection.execute(
        "SELECT game, room, player, name, text, at FROM chat"
        " WHERE game IN (SELECT value FROM json_each(?)) AND at >= ? ORDER BY number",
        (asked, since),
    )
    return dict(revs), [dict(zip(LINE, line, strict=True)) for line in lines]
