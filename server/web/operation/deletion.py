"""Deletes games or a player for the host, after counting what would go. Knows a store, but no request."""

from collections.abc import AsyncIterator, Callable, Mapping

from server.games.clocks.time_control import DAY_MS
from server.realtime.process.bus import Deleted, deletion_of
from server.storage.admin_commands import DeleteGame, DeleteImports, Deletion
from server.storage.documents import Head
from server.storage.errors import NotStored, Unreadable
from server.storage.protocols.accounts import Account
from server.storage.protocols.deletion import is_imported
from server.storage.protocols.imports import ImportNote
from server.storage.stores import Store
from server.web.accounts.accounts import NAME_HELD

AT_ONCE = 100
"""Games read and deleted at a time, few enough to delay no move."""


async def carry_out_deletion(store: Store, command: Deletion, now: int, forget: Callable[[Deleted], None]) -> str:
    """Deletes if the command is `sure`, and returns a sentence that says what was or would be deleted.

    `forget` is called for each deleted game. Raises NotStored if there is nothing of that name, StoreError.
    """
    if isinstance(command, DeleteGame):
        return await _delete_game(store, command, forget)
    if isinstance(command, DeleteImports):
        return await _delete_imports(store, command, now, forget)
    account = await _account(store, command.name)
    told = await _told_of(store, account)
    if not command.sure:
        return f"This would delete {told}."
    # The server does the rest: it clears the seats, ratings, offers and push addresses.
    await store.accounts.delete(account, now + NAME_HELD)
    return f"Deleted {told}. The server clears the games and ratings within a minute of running."


async def _account(store: Store, name: str) -> Account:
    if (account := await store.accounts.find(name)) is None:
        raise NotStored(f"There is no account called {name}.")
    return account


async def _told_of(store: Store, account: Account) -> str:
    games = await store.count_by_player(account.user)
    sessions = await store.accounts.sessions(account.user)
    return f"the account of {account.name} with {len(sessions)} sessions; {games} games stay, without the name"


async def _delete_game(store: Store, command: DeleteGame, forget: Callable[[Deleted], None]) -> str:
    gone = Deleted(command.game)
    try:
        game = await store.load(command.game)
        if game is None:
            raise NotStored(f"There is no game {command.game}.")
        gone = deletion_of(game)
        said = await store.count_chat(command.game)
        told = f"the game {command.game} with {len(game.plies)} half-moves and {said} lines of chat"
    except Unreadable:
        told = f"the game {command.game}, which is damaged"
    if not command.sure:
        return f"This would delete {told}."
    await store.deletion.delete_games([command.game])
    forget(gone)
    return f"Deleted {told}."


async def _delete_imports(store: Store, command: DeleteImports, now: int, forget: Callable[[Deleted], None]) -> str:
    user = (await _account(store, command.name)).user if command.name else ""
    games, plies = 0, 0
    async for page in _imports(store, command, now, user):
        games, plies = games + len(page), plies + sum(page.values())
        if command.sure and page:
            await store.deletion.delete_games(list(page))
            for game in page:
                forget(Deleted(game))
    told = f"{games} imported games with {plies} half-moves"
    return f"Deleted {told}." if command.sure else f"This would delete {told}."


async def _imports(store: Store, command: DeleteImports, now: int, user: str) -> AsyncIterator[Mapping[str, int]]:
    """Yields the games that the command selects, page by page, each with its number of half-moves."""
    after: str | None = ""
    while after is not None:
        heads = await store.deletion.heads(after, AT_ONCE)
        after = heads[-1][0] if len(heads) == AT_ONCE else None
        lengths = {game: _length(head) for game, head in heads if is_imported(head)}
        notes = await store.imports.of_games(list(lengths))
        yield {game: plies for game, plies in lengths.items() if _is_meant(command, notes.get(game), now, user)}


def _length(head: Head) -> int:
    plies = head.get("plies")
    return plies if isinstance(plies, int) else 0


def _is_meant(command: DeleteImports, note: ImportNote | None, now: int, user: str) -> bool:
    """Whether the command selects a game. One without a note belongs to nobody and may be new."""
    old_enough = command.days == 0 or (note is not None and note.at < now - command.days * DAY_MS)
    return old_enough and (not user or (note is not None and note.user == user))
