"""Ratings and records in the SQLite file. A game is counted, and its mark removed, in one transaction."""

import sqlite3
from collections.abc import Sequence, Set
from functools import partial
from operator import itemgetter
from typing import Any

import orjson

from server.rules.variant.pieces import Color
from server.storage.damage import Damage
from server.storage.protocols.ratings import (
    FIELDS,
    MILLI,
    Category,
    FinishedGame,
    Leader,
    Perf,
    RatingChange,
    RatingChanges,
    Record,
    Score,
    change_of,
    counted,
    from_fields,
    record_of,
    to_fields,
)
from server.storage.sqlite.file import SqliteFile, Write
from server.storage.sqlite.rows import head_of
from server.storage.summaries import finished_game_of

COLUMNS = ", ".join(FIELDS)
STANDINGS = ", ".join(f"standings.{name}" for name in FIELDS)
CHANGE = ("game", "color", "number", "before", "deviation", "after", "at")


Row = Sequence[Any]


class SqliteRatings:
    """A `RatingStore`."""

    def __init__(self, file: SqliteFile, damage: Damage) -> None:
        self._file = file
        self._damage = damage

    async def uncounted(self, limit: int, but: Set[str] = frozenset()) -> Sequence[FinishedGame]:
        found: Sequence[FinishedGame] = []
        # A page of unreadable games only is not the end.
        while not found and (rows := await self._file.read(partial(_select_due, limit=limit, but=but))):
            found = self._damage.readable("games", rows, lambda row: finished_game_of(head_of(*row)), key=itemgetter(0))
            but = but | {game for game, _ in rows}
        return found

    async def count(self, finished: FinishedGame) -> None:
        await self._guarded(f"of {finished.white} or {finished.black}", partial(_count, finished=finished))

    async def _guarded(self, whose: str, write: Write) -> None:
        """Runs `write`. If a perf is unreadable, this write alone is rolled back, not others in its batch."""

        def guarded(connection: sqlite3.Connection) -> None:
            with self._damage.noted("standings", whose):
                write(connection)

        await self._file.write(guarded)

    async def changes(self, game_id: str) -> RatingChanges:
        rows = await self._file.read(partial(_select_changes, wanted="game = ?", values=(game_id,), limit=2))
        return {change.color: change for change in self._changes(rows)}

    def _changes(self, rows: Sequence[Sequence[Any]]) -> Sequence[RatingChange]:
        return self._damage.readable("changes", rows, _change, key=itemgetter(0))

    async def perf(self, player: str, category: Category) -> Perf:
        with self._damage.noted("standings", f"{player} {category.key}"):
            return await self._file.read(partial(_perf, player=player, category=category))

    async def perfs(self, player: str) -> Sequence[Perf]:
        rows = await self._file.read(partial(_select_standings, player=player))
        return self._damage.readable("standings", rows, _from_row, key=itemgetter(0))

    async def history(self, player: str, category: Category, limit: int) -> Sequence[RatingChange]:
        of = partial(_select_changes, wanted="player = ? AND category = ?", values=(player, category.key), limit=limit)
        return self._changes((await self._file.read(of))[::-1])

    async def scores(self, player: str, limit: int) -> Sequence[Score]:
        rows = await self._file.read(partial(_select_scores, player=player, limit=limit))
        return self._damage.readable("scores", rows, _score, key=itemgetter(0))

    async def leaders(self, category: Category, now: int, limit: int) -> Sequence[Leader]:
        sure = partial(_select_leaders, category=category, wanted="sure_until > ?", now=now)
        unsure = partial(_select_leaders, category=category, wanted="sure_until <= ?", now=now)
        first = await self._file.read(partial(sure, limit=limit))
        rows = [*first, *await self._file.read(partial(unsure, limit=limit - len(first)))]
        return self._damage.readable(
            "standings", rows, lambda row: Leader(row[0], _from_row(row[1:])), key=itemgetter(1)
        )

    async def latest_category(self) -> Category | None:
        rows = await self._file.read(_select_latest_category)
        found = self._damage.readable("standings", rows, lambda row: Category.from_key(row[1]), key=itemgetter(0))
        return found[0] if found else None

    async def names_starting_with(self, prefix: str, limit: int) -> Sequence[str]:
        return await self._file.read(partial(_select_names, prefix=prefix, limit=limit))

    async def forget(self, player: str) -> None:
        await self._file.write(partial(_forget, player=player))

    async def hand_over(self, guest: str, heir: str) -> None:
        await self._guarded(f"of {guest} or {heir}", partial(_hand_over, guest=guest, heir=heir))


def insert_uncounted(connection: sqlite3.Connection, game_id: str) -> None:
    """Marks a game as uncounted, as part of the write that ends it."""
    connection.execute("INSERT INTO uncounted (game) VALUES (?)", (game_id,))


def _select_due(connection: sqlite3.Connection, limit: int, but: Set[str]) -> Sequence[tuple[str, bytes]]:
    rows = connection.execute(
        "SELECT id, head FROM uncounted JOIN games ON id = game"
        " WHERE game NOT IN (SELECT value FROM json_each(?)) ORDER BY uncounted.rowid LIMIT ?",
        (orjson.dumps(sorted(but)).decode(), limit),
    )
    return rows.fetchall()


def _count(connection: sqlite3.Connection, finished: FinishedGame) -> None:
    if connection.execute("DELETE FROM uncounted WHERE game = ?", (finished.game,)).rowcount == 0:
        return
    before = {color: _perf(connection, finished.player(color), finished.category) for color in Color}
    for color in Color:
        player, opponent = finished.player(color), finished.player(color.other)
        if player:
            after, change = counted(before[color], before[color.other].rating, finished, color)
            _put(connection, after)
            _add_score(connection, player, opponent, Record().after(finished.score(color)))
            if change is not None:
                _insert_change(connection, finished, player, change)


def _perf(connection: sqlite3.Connection, player: str, category: Category) -> Perf:
    row = connection.execute(
        f"SELECT {COLUMNS} FROM standings WHERE player = ? AND category = ?", (player, category.key)
    ).fetchone()
    return Perf(player, category) if row is None else _from_row(row)


def _from_row(row: Sequence[int | str]) -> Perf:
    return from_fields(dict(zip(FIELDS, row, strict=True)))


def _put(connection: sqlite3.Connection, perf: Perf) -> None:
    connection.execute(
        f"INSERT OR REPLACE INTO standings ({COLUMNS}) VALUES ({', '.join('?' for _ in FIELDS)})",
        tuple(to_fields(perf).values()),
    )


def _add_score(connection: sqlite3.Connection, player: str, opponent: str, record: Record) -> None:
    if opponent:
        connection.execute(
            "INSERT INTO scores (player, opponent, games, won, drawn, lost) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET games = games + excluded.games, won = won + excluded.won,"
            " drawn = drawn + excluded.drawn, lost = lost + excluded.lost",
            (player, opponent, record.games, record.won, record.drawn, record.lost),
        )


def _insert_change(connection: sqlite3.Connection, finished: FinishedGame, player: str, change: RatingChange) -> None:
    connection.execute(
        "INSERT INTO changes (player, category, number, game, color, before, deviation, after, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(player, finished.category.key, change.number, finished.game, change.color.letter),
            *(round(one * MILLI) for one in (change.before, change.deviation, change.after)),
            change.at,
        ),
    )


def _select_changes(connection: sqlite3.Connection, wanted: str, values: Sequence[str], limit: int) -> Sequence[Row]:
    rows = connection.execute(
        f"SELECT {', '.join(CHANGE)} FROM changes WHERE {wanted} ORDER BY number DESC LIMIT ?",
        (*values, limit),
    )
    return rows.fetchall()


def _change(row: Row) -> RatingChange:
    return change_of(dict(zip(CHANGE, row, strict=True)))


def _select_standings(connection: sqlite3.Connection, player: str) -> Sequence[Row]:
    return connection.execute(f"SELECT {COLUMNS} FROM standings WHERE player = ?", (player,)).fetchall()


def _select_scores(connection: sqlite3.Connection, player: str, limit: int) -> Sequence[Row]:
    rows = connection.execute(
        "SELECT opponent, name, ifnull(guest, 1), won, drawn, lost FROM scores LEFT JOIN users ON users.id = opponent"
        " WHERE player = ? ORDER BY games DESC LIMIT ?",
        (player, limit),
    )
    return rows.fetchall()


def _score(row: Row) -> Score:
    opponent, name, guest, *record = row
    return Score(opponent, name, not guest, record_of(dict(zip(("won", "drawn", "lost"), record, strict=True))))


def _select_leaders(
    connection: sqlite3.Connection, category: Category, wanted: str, now: int, limit: int
) -> Sequence[Row]:
    # A join from standings, in the order of the index: the limit is reached after as many rows as are shown.
    rows = connection.execute(
        f"SELECT users.name, {STANDINGS} FROM standings INDEXED BY standings_by_value"
        f" CROSS JOIN users ON users.id = player WHERE category = ? AND rated > 0 AND {wanted}"
        " ORDER BY value DESC LIMIT ?",
        (category.key, now, limit),
    )
    return rows.fetchall()


def _select_latest_category(connection: sqlite3.Connection) -> Sequence[Row]:
    # A few, in case the first is unreadable.
    rows = connection.execute("SELECT player, category FROM standings WHERE rated > 0 ORDER BY at DESC LIMIT 10")
    return rows.fetchall()


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
    for theirs in map(_from_row, _select_standings(connection, guest)):
        mine = _perf(connection, heir, theirs.category)
        _put(connection, Perf(heir, theirs.category, mine.rating, mine.record + theirs.record))
    met = "SELECT player, opponent, won, drawn, lost FROM scores WHERE player = ?1 OR opponent = ?1"
    for player, opponent, *record in connection.execute(met, (guest,)).fetchall():
        one, other = (heir if known == guest else known for known in (player, opponent))
        if one != other:
            _add_score(connection, one, other, Record(*record))
    connection.execute("DELETE FROM scores WHERE opponent = ?", (guest,))
    _forget(connection, guest)
