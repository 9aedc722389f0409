"""Games as SQLite files of earlier releases hold them, without the columns that came since."""

import orjson

from server.storage.sqlite.rows import insert_moves

KEPT = ("_id", "rev", "white", "black", "created", "deadline")


def insert_old_game(connection, head, moves):
    connection.execute(
        "INSERT INTO games (id, rev, token, white, black, created, deadline, head) VALUES (?, ?, '', ?, ?, ?, ?, ?)",
        (*(head[field] for field in KEPT), orjson.dumps(head)),
    )
    insert_moves(connection, [(str(head["_id"]), ply, move) for ply, move in enumerate(moves)])
