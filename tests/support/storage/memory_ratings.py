"""Ratings in memory, as far as live play asks for them."""

from server.rules.variant.pieces import Color
from server.storage.documents import to_head
from server.storage.protocols.ratings import Perf, counted
from server.storage.summaries import finished_game_of


class MemoryRatings:
    """`due`: games that are over and not counted yet."""

    def __init__(self, store):
        self._store = store
        self.finished = []
        self.kept = {}
        self.done = {}

    async def uncounted(self, limit, but=frozenset()):
        await self._store._reach()
        return [finished_game_of(to_head(game)) for game in self.finished if game.id not in but][:limit]

    async def count(self, finished):
        await self._store._reach()
        if finished.game not in [game.id for game in self.finished]:
            return
        self.finished = [game for game in self.finished if game.id != finished.game]
        before = {color: self._perf(finished.player(color), finished.category) for color in Color}
        self.done[finished.game] = {}
        for color in Color:
            after, change = counted(before[color], before[color.other].rating, finished, color)
            self.kept[finished.player(color), finished.category] = after
            if change is not None:
                self.done[finished.game][color] = change

    async def changes(self, game_id):
        await self._store._reach()
        return self.done.get(game_id, {})

    async def perf(self, player, category):
        await self._store._reach()
        return self._perf(player, category)

    def _perf(self, player, category):
        return self.kept.get((player, category), Perf(player, category))

    async def perfs(self, player):
        await self._store._reach()
        return [perf for (who, _), perf in self.kept.items() if who == player]
