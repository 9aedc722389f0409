"""Mail that is to be sent, in the SQLite file. Each write is one transaction."""

import sqlite3
from collections.abc import Collection, Sequence
from functools import partial

from server.storage.protocols.held import MESSAGE, HeldNews
from server.storage.protocols.held import to_document as to_held_document
from server.storage.protocols.outbox import MAX_WAITING, News, OutboxMail, UntoldChat, mail_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert, json_list


class SqliteOutbox(SqlitePart):
    """An `OutboxStore`."""

    async def untold(self, limit: int) -> Sequence[News]:
        rows = await self._file.rows("SELECT game, rev FROM untold ORDER BY game LIMIT ?", (limit,))
        return [News(game, rev) for game, rev in rows]

    async def tell(
        self, news: News, mails: Sequence[OutboxMail], held: Sequence[HeldNews] = (), spared: Collection[str] = ()
    ) -> None:
        await self._file.write(partial(_tell, news=news, mails=mails, held=held, spared=spared))

    async def unheard(self, limit: int) -> Sequence[UntoldChat]:
        rows = await self._file.rows(
            "SELECT game, player, max(at) FROM chat WHERE untold = 1 GROUP BY game, player LIMIT ?", (limit,)
        )
        return [UntoldChat(*row) for row in rows]

    async def tell_said(self, said: UntoldChat, held: Sequence[HeldNews]) -> None:
        await self._file.write(partial(_tell_said, said=said, held=held))

    async def put(self, mail: OutboxMail) -> bool:
        return await self._file.write(partial(put_mail, mail=mail))

    async def waiting(self) -> int:
        return await self._file.read(_count)

    async def due(self, now: int, limit: int) -> Sequence[OutboxMail]:
        wanted = "SELECT * FROM outbox WHERE next_try <= ? ORDER BY next_try, _id LIMIT ?"
        found = await self._file.fields(wanted, (now, limit))
        return self._damage.readable("outbox", found, mail_of)

    async def claim(self, mail: OutboxMail, next_try: int) -> bool:
        claimed = await self._file.change(
            "UPDATE outbox SET next_try = ?, tries = ? WHERE _id = ? AND next_try = ? AND tries = ?",
            (next_try, mail.tries + 1, mail.id, mail.next_try, mail.tries),
        )
        return claimed > 0

    async def drop(self, mail_id: str) -> None:
        await self._file.change("DELETE FROM outbox WHERE _id = ?", (mail_id,))

    async def forget(self, owner: str) -> None:
        await self._file.write(partial(_forget, owner=owner))


def mark_untold(connection: sqlite3.Connection, news: Sequence[tuple[str, int]]) -> None:
    """Marks revisions of games, each as (game, rev), as news, in one statement and in the write that makes them."""
    if news:
        connection.execute(
            "INSERT INTO untold (game, rev)"
            " SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE true"
            " ON CONFLICT (game) DO UPDATE SET rev = excluded.rev",
            (json_list(news),),
        )


def unmark(connection: sqlite3.Connection, game_id: str) -> None:
    """Nobody needs to be told of that game any more."""
    connection.execute("DELETE FROM untold WHERE game = ?", (game_id,))


def _tell(
    connection: sqlite3.Connection,
    news: News,
    mails: Sequence[OutboxMail],
    held: Sequence[HeldNews],
    spared: Collection[str],
) -> None:
    marked = "SELECT 1 FROM untold WHERE game = ? AND rev = ?"
    if connection.execute(marked, (news.game, news.rev)).fetchone() is None:
        return
    if mails and _count(connection) >= MAX_WAITING:
        return
    unmark(connection, news.game)
    older = "owner NOT IN (SELECT value FROM json_each(?))"
    connection.execute(f"DELETE FROM outbox WHERE topic = ? AND {older}", (news.game, json_list(spared)))
    connection.execute(
        f"DELETE FROM held WHERE game = ? AND kind != ? AND {older}", (news.game, MESSAGE, json_list(spared))
    )
    for mail in mails:
        _insert(connection, mail)
    _hold(connection, held)


def _tell_said(connection: sqlite3.Connection, said: UntoldChat, held: Sequence[HeldNews]) -> None:
    told = connection.execute(
        "UPDATE chat SET untold = 0 WHERE untold = 1 AND game = ? AND player = ? AND at <= ?",
        (said.game, said.player, said.at),
    )
    if told.rowcount:
        _hold(connection, held)


def _hold(connection: sqlite3.Connection, held: Sequence[HeldNews]) -> None:
    for one in held:
        insert(connection, "held", to_held_document(one), "OR REPLACE")


def put_mail(connection: sqlite3.Connection, mail: OutboxMail) -> bool:
    """Adds a mail, unless there is one of its id. False if too many wait."""
    room = _count(connection) < MAX_WAITING
    if room:
        _insert(connection, mail)
    return room


def _forget(connection: sqlite3.Connection, owner: str) -> None:
    for table in ("outbox", "held"):
        connection.execute(f"DELETE FROM {table} WHERE owner = ?", (owner,))


def _insert(connection: sqlite3.Connection, mail: OutboxMail) -> None:
    insert(connection, "outbox", to_document(mail), "OR IGNORE")


def _count(connection: sqlite3.Connection) -> int:
    (mails,) = connection.execute("SELECT count(*) FROM outbox").fetchone()
    return int(mails)
