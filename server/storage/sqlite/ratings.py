"""Ratings and tallies in the SQLite file. A game is counted, and its mark removed, in one transaction."""

import sqlite3
from collections.abc import Sequence, Set
from functools import partial
from operator import itemgetter

from server.rules.variant.pieces import Color
from server.storage.fields import Fields, text
from server.storage.protocols.ratings import (
    MILLI,
    Category,
    FinishedGame,
    Leader,
    Perf,
    RatedOpponent,
    RatingChange,
    RatingChanges,
    Score,
    Tally,
    change_of,
    counted,
    from_fields,
    strongest,
    tally_of,
    to_fields,
)
from server.storage.sqlite.file import SqlitePart, Write
from server.storage.sqlite.rows import fields_of, head_of, insert, json_list
from server.storage.summaries import finished_game_of

PERFS = "SELECT * FROM standings WHERE player = ?"


class SqliteRatings(SqlitePart):
    """A `RatingStore`."""

    async def uncounted(self, limit: int, but: Set[str] = frozenset()) -> Sequence[FinishedGame]:
        found: Sequence[FinishedGame] = []
        # A page of unreadable games only is not the end.
        while not found and (rows := await self._uncounted(limit, but)):
            found = self._damage.readable("games", rows, lambda row: finished_game_of(head_of(*row)), key=itemgetter(0))
            but = but | {game for game, _ in rows}
        return found

    async def _uncounted(self, limit: int, but: Set[str]) -> Sequence[tuple[str, bytes]]:
        return await self._file.rows(
            "SELECT id, head FROM uncounted JOIN games ON id = game"
            " WHERE game NOT IN (SELECT value FROM json_each(?)) ORDER BY uncounted.rowid LIMIT ?",
            (json_list(but), limit),
        )

    async def count(self, finished: FinishedGame) -> None:
        await self._guarded(f"of {finished.white} or {finished.black}", partial(_count, finished=finished))

    async def _guarded(self, whose: str, write: Write) -> None:
        """Runs `write`. If a perf is unreadable, this write alone is rolled back, not others in its batch."""

        def guarded(connection: sqlite3.Connection) -> None:
            with self._damage.noted("standings", whose):
                write(connection)

        await self._file.write(guarded)

    async def changes(self, game_id: str) -> RatingChanges:
        found = await self._file.fields("SELECT * FROM changes WHERE game = ? LIMIT 2", (game_id,))
        return {change.color: change for change in self._changes(found)}

    def _changes(self, found: Sequence[Fields]) -> Sequence[RatingChange]:
        return self._damage.readable("changes", found, change_of, key=itemgetter("game"))

    async def perf(self, player: str, category: Category) -> Perf:
        with self._damage.noted("standings", f"{player} {category.key}"):
            return await self._file.read(partial(_perf, player=player, category=category))

    async def perfs(self, player: str) -> Sequence[Perf]:
        found = await self._file.fields(PERFS, (player,))
        return self._damage.readable("standings", found, from_fields, key=itemgetter("player"))

    async def perfs_of(self, players: Set[str]) -> Sequence[Perf]:
        among = "SELECT * FROM standings WHERE player IN (SELECT value FROM json_each(?)) AND rated > 0"
        found = await self._file.fields(among, (json_list(players),))
        return self._damage.readable("standings", found, from_fields, key=itemgetter("player"))

    async def history(self, player: str, category: Category, limit: int) -> Sequence[RatingChange]:
        latest_first = "SELECT * FROM changes WHERE player = ? AND category = ? ORDER BY number DESC LIMIT ?"
        return self._changes((await self._file.fields(latest_first, (player, category.key, limit)))[::-1])

    async def scores(self, player: str, limit: int) -> Sequence[Score]:
        found = await self._file.fields(
            "SELECT opponent, name, ifnull(guest, 1) AS guest, won, drawn, lost"
            " FROM scores LEFT JOIN users ON users.id = opponent WHERE player = ? ORDER BY games DESC LIMIT ?",
            (player, limit),
        )
        return self._damage.readable("scores", found, _score, key=itemgetter("opponent"))

    async def strongest(self, player: str, games: Sequence[str], limit: int) -> Sequence[RatedOpponent]:
        found = await self._file.fields(
            "SELECT changes.*, name FROM changes JOIN users ON id = player"
            " WHERE game IN (SELECT value FROM json_each(?)) AND player <> ?",
            (json_list(games), player),
        )
        return strongest(self._damage.readable("changes", found, _rated_opponent, key=itemgetter("game")), limit)

    async def leaders(self, category: Category, now: int, limit: int) -> Sequence[Leader]:
        found = await self._leaders(category, "sure_until > ?", now, limit)
        found += await self._leaders(category, "sure_until <= ?", now, limit - len(found))
        return self._damage.readable(
            "standings", found, lambda one: Leader(one["name"], from_fields(one)), key=itemgetter("player")
        )

    async def _leaders(self, category: Category, wanted: str, now: int, limit: int) -> list[Fields]:
        # A join from standings, in the order of the index: the limit is reached after as many rows as are shown.
        return await self._file.fields(
            "SELECT users.name, standings.* FROM standings INDEXED BY standings_by_value"
            f" CROSS JOIN users ON users.id = player WHERE category = ? AND rated > 0 AND {wanted}"
            " ORDER BY value DESC LIMIT ?",
            (category.key, now, limit),
        )

    async def latest_category(self) -> Category | None:
        # A few, in case the first is unreadable.
        rows = await self._file.rows("SELECT player, category FROM standings WHERE rated > 0 ORDER BY at DESC LIMIT 10")
        found = self._damage.readable("standings", rows, lambda row: Category.from_key(row[1]), key=itemgetter(0))
        return found[0] if found else None

    async def names_starting_with(self, prefix: str, limit: int) -> Sequence[str]:
        rows = await self._file.rows(
            "SELECT name FROM accounts WHERE folded >= ? AND folded < ? AND held_until = 0 ORDER BY folded LIMIT ?",
            (prefix, f"{prefix}~", limit),
        )
        return [name for (name,) in rows]

    async def forget(self, player: str) -> None:
        await self._file.write(partial(_forget, player=player))

    async def hand_over(self, guest: str, heir: str) -> None:
        await self._guarded(f"of {guest} or {heir}", partial(_hand_over, guest=guest, heir=heir))


def insert_uncounted(connection: sqlite3.Connection, game_id: str) -> None:
    """Marks a game as uncounted, as part of the write that ends it."""
    connection.execute("INSERT INTO uncounted (game) VALUES (?)", (game_id,))


def _count(connection: sqlite3.Connection, finished: FinishedGame) -> None:
    if connection.execute("DELETE FROM uncounted WHERE game = ?", (finished.game,)).rowcount == 0:
        return
    before = {color: _perf(connection, finished.player(color), finished.category) for color in Color}
    for color in Color:
        player, opponent = finished.player(color), finished.player(color.other)
        if player:
            after, change = counted(before[color], before[color.other].rating, finished, color)
            _put(connection, after)
            _add_score(connection, player, opponent, Tally().after(finished.score(color)))
            if change is not None:
                _insert_change(connection, finished, player, change)


def _perf(connection: sqlite3.Connection, player: str, category: Category) -> Perf:
    found = fields_of(connection.execute(f"{PERFS} AND category = ?", (player, category.key)))
    return from_fields(found[0]) if found else Perf(player, category)


def _put(connection: sqlite3.Connection, perf: Perf) -> None:
    insert(connection, "standings", to_fields(perf), "OR REPLACE")


def _add_score(connection: sqlite3.Connection, player: str, opponent: str, tally: Tally) -> None:
    if opponent:
        connection.execute(
            "INSERT INTO scores (player, opponent, games, won, drawn, lost) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET games = games + excluded.games, won = won + excluded.won,"
            " drawn = drawn + excluded.drawn, lost = lost + excluded.lost",
            (player, opponent, tally.games, tally.won, tally.drawn, tally.lost),
        )


def _insert_change(connection: sqlite3.Connection, finished: FinishedGame, player: str, change: RatingChange) -> None:
    values = {name: round(getattr(change, name) * MILLI) for name in ("before", "deviation", "after")}
    whose = {"player": player, "category": finished.category.key, "game": finished.game, "color": change.color.letter}
    insert(connection, "changes", {**whose, "number": change.number, **values, "at": change.at})


def _rated_opponent(one: Fields) -> RatedOpponent:
    return RatedOpponent(text(one, "game"), text(one, "name"), change_of(one))


def _score(one: Fields) -> Score:
    return Score(one["opponent"], one["name"], not one["guest"], tally_of(one))


def _forget(connection: sqlite3.Connection, player: str) -> None:
    for table in ("standings", "changes", "scores"):
        connection.execute(f"DELETE FROM {table} WHERE player = ?", (player,))


def _hand_over(connection: sqlite3.Connection, guest: str, heir: str) -> None:
    for theirs in map(from_fields, fields_of(connection.execute(PERFS, (guest,)))):
        mine = _perf(connection, heir, theirs.category)
        _put(connection, Perf(heir, theirs.category, mine.rating, mine.tally + theirs.tally))
    met = "SELECT player, opponent, won, drawn, lost FROM scores WHERE player = ?1 OR opponent = ?1"
    for player, opponent, *tally in connection.execute(met, (guest,)).fetchall():
        one, other = (heir if known == guest else known for known in (player, opponent))
        if one != other:
            _add_score(connection, one, other, Tally(*tally))
    connection.execute("DELETE FROM scores WHERE opponent = ?", (guest,))
    _forget(connection, guest)
