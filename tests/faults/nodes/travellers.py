"""Players who come back by themselves when a node is gone, and play on. Knows not why it is gone."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from tests.support.live.followers import Follower, Table

PAUSE_S = 0.4


class Journey:
    """One player. `home` is the number of the node where they began, `at` that of the one where they are."""

    def __init__(self, player: Follower, home: int) -> None:
        self.player, self.home, self.at = player, home, home
        self.stays: list[int] = []
        """The node they came back to, each time."""
        self.there = asyncio.Event()
        self.there.set()

    async def go_on(self, choose: Callable[["Journey"], int], ports: Sequence[int]) -> None:
        """Reconnects to the node that `choose` names whenever the socket is gone; `there` is set while connected."""
        while True:
            await self.player.socket.closed
            self.there.clear()
            self.at = choose(self)
            await self.player.come(ports[self.at])
            self.stays.append(self.at)
            self.there.set()


@asynccontextmanager
async def journeys(
    tables: Sequence[Table], choose: Callable[[Journey], int], ports: Sequence[int]
) -> AsyncIterator[list[tuple[Journey, Journey]]]:
    """The players of each table, who come back wherever `choose` says until this is over."""
    pairs = [tuple(Journey(player, home) for home, player in enumerate(table.players)) for table in tables]
    going = [asyncio.create_task(journey.go_on(choose, ports)) for pair in pairs for journey in pair]
    try:
        yield pairs
    finally:
        for task in going:
            task.cancel()
        ended = await asyncio.gather(*going, return_exceptions=True)
    assert all(isinstance(each, asyncio.CancelledError) for each in ended), ended


async def play_on(table, pair, plies, rng):
    """Play on to so many half-moves through whatever happens to the nodes."""
    while len(table.followed) < plies:
        await asyncio.gather(*(journey.there.wait() for journey in pair))
        await table.play(plies, PAUSE_S, rng)
        # Whose socket is gone learns it before the next try.
        await asyncio.sleep(0)
