"""The archive in the SQLite file. Every facet is a column with an index that ends in the key."""

import sqlite3
from collections.abc import Sequence, Set
from functools import partial
from operator import itemgetter

import orjson

from server.storage.fields import number
from server.storage.protocols.archive import (
    OF_A_PLAYER,
    SCAN,
    SEATS,
    ArchiveEntry,
    Beginning,
    Facets,
    Page,
    PlayedGame,
    Scan,
    Search,
    beginning_of,
    bounds,
    branches,
    candidate_facets,
    folded,
    merge_scans,
    newest_first,
    played_game,
)
from server.storage.record_kinds import GAMES
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import head_of, insert, json_list
from server.storage.summaries import readable_summaries, summary
from server.storage.time_slices import run_sliced


class SqliteArchive(SqlitePart):
    """An `ArchiveStore`."""

    async def file_the_rest(self) -> None:
        """There is none: a game and its entry are one write."""

    async def page(self, search: Search, limit: int, before: str = "") -> Page:
        since, until = bounds(search, before)
        # One after the other, so that a move to be stored waits for one only.
        scans = [
            await self._file.read(partial(_scan, facets=facets, since=since, before=until, limit=limit + 1))
            for facets in branches(search)
        ]
        lines, following = merge_scans(scans, limit)
        listed = readable_summaries(lines, self._damage)
        whole = await self._whole([one.id for one in listed])
        return Page([one for one in listed if one.id in whole], following)

    async def played_by(self, player: str, limit: int) -> Sequence[PlayedGame]:
        games: list[PlayedGame | None] = []
        for color, mine, theirs in SEATS:
            found = await self._file.fields(
                f"SELECT {', '.join(OF_A_PLAYER)}, {theirs} FROM archive INDEXED BY archive_by_{mine} WHERE {mine} = ?"
                " ORDER BY key DESC LIMIT ?",
                (folded(player), limit),
            )
            read = partial(played_game, color=color, opponent=theirs)
            games += await run_sliced(self._damage.readable_sliced("archive", found, read, key=itemgetter("key")))
        return newest_first(games)

    async def beginnings(self, games: Sequence[str], plies: int) -> Sequence[Beginning]:
        rows = await self._file.rows(
            "SELECT id, head, (SELECT json_group_array(json_array(ply, move)) FROM moves WHERE game = id AND ply < ?)"
            " FROM games WHERE id IN (SELECT value FROM json_each(?))",
            (plies, json_list(games)),
        )
        read = self._damage.readable_sliced(GAMES, rows, _beginning, key=itemgetter(0))
        return await run_sliced(read)

    async def _whole(self, games: Sequence[str]) -> Set[str]:
        """Those of `games` that can be opened, as far as can be told without replaying them."""
        # Of the half-moves, the number by the last one.
        rows = await self._file.rows(
            "SELECT id, head, (SELECT coalesce(max(ply) + 1, 0) FROM moves WHERE game = id)"
            " FROM games WHERE id IN (SELECT value FROM json_each(?))",
            (json_list(games),),
        )
        unknown = [row for row in rows if not self._damage.found_in(GAMES, row[0])]
        return set(self._damage.readable(GAMES, unknown, _check_head, key=itemgetter(0)))


def insert_entry(connection: sqlite3.Connection, entry: ArchiveEntry) -> None:
    """Inserts an entry, as part of the write that ends the game. Repeating it changes nothing."""
    insert(connection, "archive", {"key": entry.key, **entry.facets, "line": entry.line}, "OR REPLACE")


def _beginning(row: tuple[str, bytes, str]) -> Beginning:
    """Raises as `fields` says, or ValueError, if it is damaged."""
    game, stored, moves = row
    return beginning_of(game, head_of(game, stored), [move for _, move in sorted(orjson.loads(moves))])


def _check_head(row: tuple[str, bytes, int]) -> str:
    """The id of the row's game. Raises as `fields` says, or ValueError, if it is damaged."""
    game, stored, plies = row
    head = head_of(game, stored)
    summary(head)
    if number(head, "plies") != plies:
        raise ValueError(f"of {number(head, 'plies')} half-moves {plies} are stored")
    return game


def _scan(connection: sqlite3.Connection, facets: Facets, since: str, before: str, limit: int) -> Scan:
    driver, floor = _narrowest(connection, facets, since, before)
    index = f"INDEXED BY archive_by_{driver}" if driver else ""
    wanted = "".join(f"{name} = ? AND " for name in facets)
    rows = connection.execute(
        f"SELECT key, line FROM archive {index} WHERE {wanted} key < ? AND key >= ? ORDER BY key DESC LIMIT ?",
        (*facets.values(), before, floor or since, limit),
    ).fetchall()
    return Scan(rows, rows[-1][0] if len(rows) == limit else floor)


def _narrowest(connection: sqlite3.Connection, facets: Facets, since: str, before: str) -> tuple[str, str]:
    """The facet whose newest `SCAN` entries reach back furthest ("": none), and how far ("": to the end)."""
    floors = {}
    for name in candidate_facets(facets) or ("",):
        index, wanted = (f"INDEXED BY archive_by_{name}", f"{name} = ? AND") if name else ("", "")
        values = (facets[name],) if name else ()
        row = connection.execute(
            f"SELECT key FROM archive {index} WHERE {wanted} key < ? AND key >= ? ORDER BY key DESC LIMIT 1 OFFSET ?",
            (*values, before, since, SCAN),
        ).fetchone()
        if row is None:
            return name, ""
        floors[name] = row[0]
    name = min(floors, key=lambda one: floors[one])
    return name, floors[name]
