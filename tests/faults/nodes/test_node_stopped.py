"""A node stands still as long as it likes and goes on with what it knew: nothing is written over (N4)."""

import asyncio
import signal

import pytest

from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import parse_fen
from tests.support.live.followers import Follower
from tests.support.redis_server import needs_redis
from tests.support.rules.built_in import VARIANTS

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]


class Pair:
    """A table whose White also has a page at the second node; their page at the first is the one that stands still."""

    def __init__(self, table, ledger):
        white, self.black = table.players
        self.table, self.frozen, self.awake = table, white, Follower(white.guest, table.game, ledger)
        self.pages = (self.frozen, self.awake, self.black)

    async def all_at(self, plies):
        for page in self.pages:
            await page.until(lambda: len(page.view.moves) >= plies)  # noqa: B023 - awaited right here

    def other_move(self, ply):
        """One that may be played now and is not the recorded one."""
        start = self.table.score.start
        position = parse_fen(VARIANTS[start.variant], self.awake.view.game["fen"], start.chess960)
        moves = (move.uci for move in legal_moves(position))
        return next(uci for uci in moves if uci != self.table.moves[ply])

    async def one_move_each(self, ply):
        assert (await self.awake.move(ply, self.table.moves[ply]))["t"] == "ok"
        await self.black.until(lambda: len(self.black.view.moves) > ply)
        assert (await self.black.move(ply + 1, self.table.moves[ply + 1]))["t"] == "ok"


@pytest.mark.row("N4")
@pytest.mark.timeout(1800)
async def test_a_node_that_stalled_overwrites_nothing(cluster, across, ledger, full, counted):
    games, rounds, pause_s = (50, 2, 30) if full else (20, 1, 3)
    pairs = [Pair(table, ledger) for table in await across(games)]
    for pair in pairs:
        await pair.awake.come(cluster.port(1))
    for ply in range(0, 2 * rounds, 2):
        for pair in pairs:
            await pair.all_at(ply)
        cluster.nodes[0].process.send_signal(signal.SIGSTOP)
        late = [asyncio.create_task(pair.frozen.move(ply, pair.other_move(ply), 2 * pause_s + 15)) for pair in pairs]
        await asyncio.sleep(pause_s)
        for pair in pairs:
            await pair.one_move_each(ply)
        cluster.nodes[0].process.send_signal(signal.SIGCONT)
        answers = await asyncio.gather(*late)
        assert {(answer["t"], answer["code"]) for answer in answers} == {("error", "stale")}, answers
        for pair in pairs:
            await pair.all_at(ply + 2)
    for pair in pairs:
        assert pair.frozen.view.game == pair.awake.view.game == pair.black.view.game
    stored = await cluster.stored([pair.table for pair in pairs])
    assert not ledger.complaints(stored)
    assert all(len(game.plies) == 2 * rounds for game in stored.values())
    counted("late moves", rounds * len(pairs))
    counted(f"times {pause_s} s", rounds)
