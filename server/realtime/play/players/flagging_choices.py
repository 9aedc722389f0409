"""How players have chosen, on their accounts, to flag in new correspondence games; looked up before one begins.

So the choice is stored with the game. A player can still choose otherwise in each game.
"""

from server.games.changes.beginning import with_flags_by_hand
from server.games.player import Player
from server.games.state import Game
from server.storage.protocols.accounts import AccountStore


async def with_chosen_flagging(game: Game, accounts: AccountStore) -> Game:
    """The new `game`, in which those who have a seat flag as they have chosen. Raises Unavailable."""
    seated = {player.id for player in game.players}
    if not seated or not game.terms.control.by_days:
        return game
    return with_flags_by_hand(game, await accounts.who_flags_by_hand(seated))


async def flags_by_hand(player: Player, game: Game, accounts: AccountStore) -> bool:
    """Does `player`, who takes a seat in `game`, flag by hand? Raises Unavailable."""
    return game.terms.control.by_days and player.id in await accounts.who_flags_by_hand({player.id})
