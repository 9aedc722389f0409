"""Ratings and records in the SQLite file. A game is counted in one transaction, which takes its mark away too."""

import sqlite3
from collections.abc import Sequence
from functools import partial

import orjson

from server.rules.pieces import Color
from server.storage.ratings import (
    FIELDS,
    MILLI,
    Category,
    Change,
    Changes,
    Due,
    Leader,
    Record,
    Score,
    Standing,
    counted,
    from_fields,
    to_fields,
)
from server.storage.replay import COLORS, due_of
from server.storage.sqlite_file import SqliteFile

COLUMNS = ", ".join(FIELDS)
STANDINGS = ", ".join(f"standings.{name}" for name in FIELDS)


class SqliteRatings:
    """A `RatingStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def uncounted(self, limit: int) -> Sequence[Due]:
        return await self._file.read(partial(_select_due, limit=limit))

    async def count(self, due: Due) -> None:
        await self._file.write(partial(_count, due=due))

    async def changes(self, game_id: str) -> Changes:
        found = await self._file.read(partial(_select_changes, wanted="game = ?", values=(game_id,), limit=2))
        return {change.color: change for change in found}

    async def standing(self, player: str, category: Category) -> Standing:
        return await self._file.read(partial(_standing, player=player, category=category))

    async def standings(self, player: str) -> Sequence[Standing]:
        return await self._file.read(partial(_select_standings, player=player))

    async def history(self, player: str, category: Category, limit: int) -> Sequence[Change]:
        of = partial(_select_changes, wanted="player = ? AND category = ?", values=(player, category.key), limit=limit)
        return (await self._file.read(of))[::-1]

    async def scores(self, player: str, limit: int) -> Sequence[Score]:
        return await self._file.read(partial(_select_scores, player=player, limit=limit))

    async def leaders(self, category: Category, now: int, limit: int) -> Sequence[Leader]:
        sure = partial(_select_leaders, category=category, wanted="sure_until > ?", now=now)
        unsure = partial(_select_leaders, category=category, wanted="sure_until <= ?", now=now)
        first = await self._file.read(partial(sure, limit=limit))
        return [*first, *await self._file.read(partial(unsure, limit=limit - len(first)))]

    async def liveliest(self) -> Category | None:
        return await self._file.read(_select_liveliest)

    async def named(self, prefix: str, limit: int) -> Sequence[str]:
        return await self._file.read(partial(_select_names, prefix=prefix, limit=limit))

    async def forget(self, player: str) -> None:
        await self._file.write(partial(_forget, player=player))

    async def hand_over(self, guest: str, heir: str) -> None:
        await self._file.write(partial(_hand_over, guest=guest, heir=heir))


def insert_uncounted(connection: sqlite3.Connection, game_id: str) -> None:
    """Part of the write that ends the game."""
    connection.execute("INSERT INTO uncounted (game) VALUES (?)", (game_id,))


def _select_due(connection: sqlite3.Connection, limit: int) -> Sequence[Due]:
    rows = connection.execute("SELECT head FROM uncounted JOIN games ON id = game LIMIT ?", (limit,))
    return [due_of(orjson.loads(head)) for (head,) in rows]


def _count(connection: sqlite3.Connection, due: Due) -> None:
    if connection.execute("DELETE FROM uncounted WHERE game = ?", (due.game,)).rowcount == 0:
        return
    before = {color: _standing(connection, due.player(color), due.category) for color in Color}
    for color in Color:
        player, opponent = due.player(color), due.player(color.other)
        if player:
            after, change = counted(before[color], before[color.other].rating, due, color)
            _put(connection, after)
            _add_score(connection, player, opponent, Record().after(due.score(color)))
            if change is not None:
                _insert_change(connection, due, player, change)


def _standing(connection: sqlite3.Connection, player: str, category: Category) -> Standing:
    row = connection.execute(
        f"SELECT {COLUMNS} FROM standings WHERE player = ? AND category = ?", (player, category.key)
    ).fetchone()
    return Standing(player, category) if row is None else _from_row(row)


def _from_row(row: Sequence[int | str]) -> Standing:
    return from_fields(dict(zip(FIELDS, row, strict=True)))


def _put(connection: sqlite3.Connection, standing: Standing) -> None:
    connection.execute(
        f"INSERT OR REPLACE INTO standings ({COLUMNS}) VALUES ({', '.join('?' for _ in FIELDS)})",
        tuple(to_fields(standing).values()),
    )


def _add_score(connection: sqlite3.Connection, player: str, opponent: str, record: Record) -> None:
    if opponent:
        connection.execute(
            "INSERT INTO scores (player, opponent, games, won, drawn, lost) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET games = games + excluded.games, won = won + excluded.won,"
            " drawn = drawn + excluded.drawn, lost = lost + excluded.lost",
            (player, opponent, record.games, record.won, record.drawn, record.lost),
        )


def _insert_change(connection: sqlite3.Connection, due: Due, player: str, change: Change) -> None:
    connection.execute(
        "INSERT INTO changes (player, category, number, game, color, before, deviation, after, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(player, due.category.key, change.number, due.game, change.color.letter),
            *(round(one * MILLI) for one in (change.before, change.deviation, change.after)),
            change.at,
        ),
    )


def _select_changes(connection: sqlite3.Connection, wanted: str, values: Sequence[str], limit: int) -> Sequence[Change]:
    rows = connection.execute(
        f"SELECT color, number, before, deviation, after, at FROM changes WHERE {wanted} ORDER BY number DESC LIMIT ?",
        (*values, limit),
    )
    return [
        Change(COLORS[color], number, before / MILLI, deviation / MILLI, after / MILLI, at)
        for color, number, before, deviation, after, at in rows
    ]


def _select_standings(connection: sqlite3.Connection, player: str) -> Sequence[Standing]:
    return [
        _from_row(row) for row in connection.execute(f"SELECT {COLUMNS} FROM standings WHERE player = ?", (player,))
    ]


def _select_scores(connection: sqlite3.Connection, player: str, limit: int) -> Sequence[Score]:
    rows = connection.execute(
        "SELECT opponent, name, ifnull(guest, 1), won, drawn, lost FROM scores LEFT JOIN users ON users.id = opponent"
        " WHERE player = ? ORDER BY games DESC LIMIT ?",
        (player, limit),
    )
    return [Score(opponent, name, not guest, Record(*record)) for opponent, name, guest, *record in rows]


def _select_leaders(
    connection: sqlite3.Connection, category: Category, wanted: str, now: int, limit: int
) -> Sequence[Leader]:
    # A join from standings, in the order of the index: the limit is reached after as many rows as are shown.
    rows = connection.execute(
        f"SELECT users.name, {STANDINGS} FROM standings INDEXED BY standings_by_value"
        f" CROSS JOIN users ON users.id = player WHERE category = ? AND rated > 0 AND {wanted}"
        " ORDER BY value DESC LIMIT ?",
        (category.key, now, limit),
    )
    return [Leader(name, _from_row(row)) for name, *row in rows]


def _select_liveliest(connection: sqlite3.Connection) -> Category | None:
    row = connection.execute("SELECT category FROM standings WHERE rated > 0 ORDER BY at DESC LIMIT 1").fetchone()
    return None if row is None else Category.from_key(row[0])


def _select_names(connection: sqlite3.Connection, prefix: str, limit: int) -> Sequence[str]:
    rows = connection.execute(
        "SELECT name FROM accounts WHERE folded >= ? AND folded < ? AND held_until = 0 ORDER BY folded LIMIT ?",
        (prefix, f"{prefix}~", limit),
    )
    return [name for (name,) in rows]


def _forget(connection: sqlite3.Connection, player: str) -> None:
    for table in ("standings", "changes", "scores"):
        connection.execute(f"DELETE FROM {table} WHERE player = ?", (player,))


def _hand_over(connection: sqlite3.Connection, guest: str, heir: str) -> None:
    for theirs in _select_standings(connection, guest):
        mine = _standing(connection, heir, theirs.category)
        _put(connection, Standing(heir, theirs.category, mine.rating, mine.record + theirs.record))
    met = "SELECT player, opponent, won, drawn, lost FROM scores WHERE player = ?1 OR opponent = ?1"
    for player, opponent, *record in connection.execute(met, (guest,)).fetchall():
        one, other = (heir if known == guest else known for known in (player, opponent))
        if one != other:
            _add_score(connection, one, other, Record(*record))
    connection.execute("DELETE FROM scores WHERE opponent = ?", (guest,))
    _forget(connection, guest)
