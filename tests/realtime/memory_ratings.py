"""Ratings in memory, as far as live play asks for them."""

from server.rules.variant.pieces import Color
from server.storage.documents import to_head
from server.storage.protocols.ratings import Standing, counted
from server.storage.summaries import due_of


class MemoryRatings:
    """`due`: games that are over and not counted yet."""

    def __init__(self, store):
        self._store = store
        self.due = []
        self.kept = {}
        self.done = {}

    async def uncounted(self, limit, but=frozenset()):
        await self._store._reach()
        return [due_of(to_head(game)) for game in self.due if game.id not in but][:limit]

    async def count(self, due):
        await self._store._reach()
        if due.game not in [game.id for game in self.due]:
            return
        self.due = [game for game in self.due if game.id != due.game]
        before = {color: self._standing(due.player(color), due.category) for color in Color}
        self.done[due.game] = {}
        for color in Color:
            after, change = counted(before[color], before[color.other].rating, due, color)
            self.kept[due.player(color), due.category] = after
            if change is not None:
                self.done[due.game][color] = change

    async def changes(self, game_id):
        await self._store._reach()
        return self.done.get(game_id, {})

    async def standing(self, player, category):
        await self._store._reach()
        return self._standing(player, category)

    def _standing(self, player, category):
        return self.kept.get((player, category), Standing(player, category))

    async def standings(self, player):
        await self._store._reach()
        return [standing for (who, _), standing in self.kept.items() if who == player]
