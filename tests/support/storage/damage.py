"""Damaging one record of a store at random: deleted, cut, of another type or value, or no JSON any more."""

import sqlite3
from contextlib import closing

import orjson
from pymongo import MongoClient

from server.storage.documents import to_document
from server.storage.mongo.client import OPTIONS

WILD = ["", "x", "\0", "}{", "💥" * 50, "1 2", "-1", "over", "live", "w", "[]", "null"]
NUMBERS = [-1, 0, 1, 2, 7, 2**31, 2**53, 2**62, -(2**62)]
TABLES = (
    *("games", "moves", "chat", "users", "sessions", "accounts", "handovers", "archive", "seeks", "standings"),
    *("changes", "scores", "alerts", "devices", "calls", "challenges", "alive", "imports"),
    *("addresses", "how_told", "lessons", "outbox", "held", "notices", "unwanted_mail", "secrets", "reports"),
    *(
        "ties",
        "vacations",
        "tokens",
        "studies",
        "study_chapters",
        "study_members",
        "puzzles",
        "puzzle_games",
        "puzzle_tries",
        "puzzle_standings",
        "quotas",
        "received_mail",
        "tournaments",
        "tournament_entrants",
        "tournament_waves",
        "tournament_results",
        "tournament_acts",
    ),
)


def damage_row(path, random, table):
    """Damages a row of the SQLite file at `path`; what was done, for whoever reads why a test failed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        columns = [(name, kind) for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")]
        keys = [name for _, name, _, _, _, key in connection.execute(f"PRAGMA table_info({table})") if key]
        rows = connection.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
        row = random.choice(rows)
        where = " AND ".join(f"{key} IS ?" for key in keys)
        if random.random() < 0.15:
            connection.execute(f"DELETE FROM {table} WHERE {where}", row)
            return f"{table} {row} deleted"
        name, kind = random.choice(columns)
        (old,) = connection.execute(f"SELECT {name} FROM {table} WHERE {where}", row).fetchone()
        new = _other(old, kind, random)
        cast = "CAST(? AS TEXT)" if kind == "TEXT" else "?"
        connection.execute(f"UPDATE OR IGNORE {table} SET {name} = {cast} WHERE {where}", (new, *row))
        return f"{table} {row}: {name} = {new!r}"


def _other(old, kind, random):
    if kind == "INTEGER":
        return random.choice(NUMBERS)
    raw = old if isinstance(old, bytes) else old.encode()
    cut = raw[: random.randrange(len(raw) + 1)]
    at = random.randrange(len(raw) + 1)
    changed = raw[:at] + bytes([random.randrange(256)]) + raw[at + 1 :]
    return random.choice([cut, changed, changed, b"\xff\xfe", random.choice(WILD).encode()])


def damage_document(uri, database, random, collection):
    """The same to a document of a MongoDB database, whose fields may become of any type."""
    with MongoClient(uri, **OPTIONS) as client:
        documents = client[database][collection]
        found = list(documents.find({}))
        one = random.choice(found)
        if random.random() < 0.15:
            documents.delete_one({"_id": one["_id"]})
            return f"{collection} {one['_id']} deleted"
        name = random.choice([key for key in one if key != "_id"])
        new = random.choice([*WILD, *NUMBERS, 1.5, "GONE"])
        documents.delete_one({"_id": one["_id"]})
        broken = {key: value for key, value in one.items() if key != name or new != "GONE"}
        if new != "GONE":
            broken[name] = new
        documents.insert_one(broken)
        return f"{collection} {one['_id']}: {name} = {new!r}"


async def spoil(store, table, key, **fields):
    """Writes over fields of a record, as a bad disk would. `key`: its first field, by which it is told."""
    if hasattr(store, "_client"):
        collection = store._client.get_default_database("fairyhouse")[table]
        await collection.update_one({"_id": key}, {"$set": fields})
        return
    name = {"games": "id", "archive": "line"}.get(table, "_id")
    changes = ", ".join(f"{field} = ?" for field in fields)
    await store._file.write(
        lambda connection: connection.execute(f"UPDATE {table} SET {changes} WHERE {name} = ?", (*fields.values(), key))
    )


async def spoil_head(store, game, **fields):
    """Changes fields in the head of a game; no field at all: the head is nothing that can be read."""
    if hasattr(store, "_client"):
        await spoil(store, "games", game.id, **(fields or {"status": 7}))
    else:
        head = orjson.dumps({**to_document(game).head, **fields}) if fields else b"no JSON"
        await spoil(store, "games", game.id, head=head)
