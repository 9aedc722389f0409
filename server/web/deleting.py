"""Deleting a game or a player for the host: what goes is counted first. Knows a store, and no request."""

from server.storage.accounts import Account
from server.storage.errors import Unreadable
from server.storage.orders import DeleteGame, DeletePlayer
from server.storage.stores import Store
from server.web.people.accounts import NAME_HELD

MOST_COUNTED = 100_000


async def carry_out_deletion(store: Store, order: DeleteGame | DeletePlayer, now: int) -> str:
    """A sentence that says what went, or would go if the order were sure. Raises StoreError."""
    if isinstance(order, DeleteGame):
        return await _delete_game(store, order)
    account = await store.accounts.find(order.name)
    if account is None:
        return f"There is no account called {order.name}."
    told = await _told_of(store, account)
    if not order.sure:
        return f"This would delete {told}."
    # What follows, the server does: the seats become nobody's, and ratings, offers and push addresses go.
    await store.accounts.delete(account, now + NAME_HELD)
    return f"Deleted {told}. The server clears the games and ratings within a minute of running."


async def _told_of(store: Store, account: Account) -> str:
    games = await store.by_player(account.user, MOST_COUNTED)
    sessions = await store.accounts.sessions(account.user)
    return f"the account of {account.name} with {len(sessions)} sessions; {len(games)} games stay, without the name"


async def _delete_game(store: Store, order: DeleteGame) -> str:
    try:
        game = await store.load(order.game)
        if game is None:
            return f"There is no game {order.game}."
        said = await store.chat(order.game, MOST_COUNTED)
        told = f"the game {order.game} with {len(game.plies)} half-moves and {len(said)} lines of chat"
    except Unreadable:
        told = f"the game {order.game}, which is damaged"
    if not order.sure:
        return f"This would delete {told}."
    await store.disposal.delete_games([order.game])
    return f"Deleted {told}."
