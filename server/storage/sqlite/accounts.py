"""Accounts and their sessions in the SQLite file. Each write is one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from operator import itemgetter

from server.games.player import DELETED_NAME
from server.storage.errors import Duplicate
from server.storage.fields import flat
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import insert
from server.storage.tables.accounts import (
    Account,
    AccountMerge,
    AccountStore,
    NameTaken,
    PasswordChanged,
    Session,
    UserChatLine,
    account_keys,
    account_of,
    fold,
    user_chat_line_of,
)
from server.storage.tables.table import Table

OF_GUESTS = (
    *(("alerts", "owner"), ("calls", "owner"), ("devices", "owner"), ("ties", "owner"), ("ties", "other")),
    *(("reports", "owner"), ("reports", "about"), ("notes", "owner")),
    *(("report_cases", "_id"), ("sanctions", "owner"), ("guest_networks", "_id")),
    *(("standings", "player"), ("changes", "player"), ("scores", "player")),
)
"""Tables with what is deleted with a guest, and their column with the owner."""


class SqliteAccounts(AccountStore):
    """Accounts in the SQLite file."""

    def __init__(self, file: SqliteFile, table: Table, users: Table, sessions: Table, merges: Table) -> None:
        super().__init__(table, users, sessions, merges)
        self._file = file
        self._damage = table.damage

    async def find(self, name: str) -> Account | None:
        alike = "SELECT * FROM accounts WHERE folded IN (?1, ?2) AND held_until = 0 ORDER BY folded <> ?1"
        with self._damage.noted("accounts", name):
            found = await self._file.fields(alike, account_keys(name))
            return account_of(found[0], "folded") if found else None

    async def is_free(self, name: str) -> bool:
        return not await self._file.fields("SELECT 1 FROM accounts WHERE folded = ?", (fold(name),))

    async def register(self, account: Account, session: Session, instead_of: str) -> None:
        await self._file.write(partial(_register, account=account, session=session, instead_of=instead_of))

    async def sign_in(self, account: Account, session: Session, instead_of: str) -> None:
        await self._file.write(partial(_sign_in, account=account, session=session, instead_of=instead_of))

    async def chat_lines(self, user: str) -> Sequence[UserChatLine]:
        found = await self._file.fields("SELECT * FROM chat WHERE player = ? ORDER BY number", (user,))
        return self._damage.readable("chat", found, user_chat_line_of, key=itemgetter("game"))

    async def delete(self, account: Account, held_until: int) -> None:
        await self._file.write(partial(_delete, account=account, held_until=held_until))

    async def end_merge(self, merge: AccountMerge) -> None:
        await self._file.write(partial(_end_merge, merge=merge))

    async def purge(self, idle_since: int, begun: int, now: int, limit: int) -> int:
        return await self._file.write(partial(_purge, idle_since=idle_since, begun=begun, now=now, limit=limit))


def _register(connection: sqlite3.Connection, account: Account, session: Session, instead_of: str) -> None:
    taken = connection.execute("SELECT 1 FROM accounts WHERE folded = ?", (account.folded,)).fetchone()
    if taken is not None:
        raise NameTaken(f"The name {account.name} is taken.")
    insert(connection, "accounts", {**flat(account), "held_until": 0})
    goes = connection.execute("SELECT 1 FROM handovers WHERE user = ?1 AND heir <> ?1", (account.user,)).fetchone()
    if goes is not None:
        raise Duplicate("The guest has signed in to another account.")
    named = connection.execute(
        "UPDATE users SET name = ?, guest = 0 WHERE id = ? AND guest = 1", (account.name, account.user)
    )
    if named.rowcount == 0:
        raise Duplicate("There is no such guest any more.")
    _note(connection, AccountMerge(account.user, account.user, account.name))
    _exchange(connection, account, session, instead_of)


def _sign_in(connection: sqlite3.Connection, account: Account, session: Session, instead_of: str) -> None:
    found = connection.execute(
        "UPDATE accounts SET password = CASE once_until WHEN 0 THEN password ELSE '' END, places = ?"
        " WHERE folded = ? AND user = ? AND password = ? AND held_until = 0",
        (" ".join(account.places), account.folded, account.user, account.password),
    )
    if found.rowcount == 0:
        raise PasswordChanged("The password has changed meanwhile.")
    _exchange(connection, account, session, instead_of)


def _exchange(connection: sqlite3.Connection, account: Account, session: Session, instead_of: str) -> None:
    insert(connection, "sessions", asdict(session))
    connection.execute("DELETE FROM sessions WHERE user = ? AND generation < ?", (account.user, account.generation))
    guest = connection.execute(
        "SELECT users.id FROM sessions JOIN users ON users.id = user WHERE token_hash = ? AND guest = 1", (instead_of,)
    ).fetchone()
    connection.execute("DELETE FROM sessions WHERE token_hash = ?", (instead_of,))
    if guest is not None:
        _note(connection, AccountMerge(guest[0], account.user, account.name))


def _note(connection: sqlite3.Connection, merge: AccountMerge) -> None:
    # Of two merges of one user the later counts: they registered, and then left.
    insert(connection, "handovers", asdict(merge), "OR REPLACE")


def _end_merge(connection: sqlite3.Connection, merge: AccountMerge) -> None:
    connection.execute(
        "DELETE FROM handovers WHERE user = ? AND heir = ? AND name = ?", (merge.user, merge.heir, merge.name)
    )
    _forget_guest(connection, merge.user)


def _end_sessions(connection: sqlite3.Connection, user: str, but: str = "") -> Sequence[str]:
    """The digests of the tokens of the sessions that it ends: all but one."""
    ended = "DELETE FROM sessions WHERE user = ? AND token_hash <> ? RETURNING token_hash"
    return [token_hash for (token_hash,) in connection.execute(ended, (user, but)).fetchall()]


def _delete(connection: sqlite3.Connection, account: Account, held_until: int) -> None:
    found = connection.execute(
        "UPDATE accounts SET password = '', places = '', held_until = ? WHERE folded = ? AND user = ?"
        " AND (password = ? OR held_until > 0)",
        (held_until, account.folded, account.user, account.password),
    )
    if found.rowcount == 0:
        raise PasswordChanged("The password has changed meanwhile.")
    connection.execute("DELETE FROM users WHERE id = ?", (account.user,))
    _note(connection, AccountMerge(account.user, account.user, DELETED_NAME, leaves=True))
    _end_sessions(connection, account.user)


def _purge(connection: sqlite3.Connection, idle_since: int, begun: int, now: int, limit: int) -> int:
    # Two indexed look-ups: a single one with OR would read every session.
    idle = connection.execute("SELECT token_hash, user FROM sessions WHERE seen < ? LIMIT ?", (idle_since, limit))
    aged = connection.execute("SELECT token_hash, user FROM sessions WHERE created < ? LIMIT ?", (begun, limit))
    old = list(dict.fromkeys([*idle, *aged]))[:limit]
    connection.executemany("DELETE FROM sessions WHERE token_hash = ?", [(token_hash,) for token_hash, _ in old])
    for user in {user for _, user in old}:
        _forget_guest(connection, user)
    connection.execute("DELETE FROM accounts WHERE held_until > 0 AND held_until < ?", (now,))
    return len(old)


def _forget_guest(connection: sqlite3.Connection, user: str) -> None:
    """Deletes a guest who has no session and no game, with everything of theirs."""
    forgotten = connection.execute(
        "DELETE FROM users WHERE id = ?1 AND guest = 1"
        " AND NOT EXISTS (SELECT 1 FROM sessions WHERE user = ?1)"
        " AND NOT EXISTS (SELECT 1 FROM games WHERE white = ?1) AND NOT EXISTS (SELECT 1 FROM games WHERE black = ?1)",
        (user,),
    )
    for table, column in OF_GUESTS if forgotten.rowcount else ():
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (user,))
