"""Moves that nobody may make, and old ones sent again: refused with a code, and nothing changes."""

import asyncio
import itertools

import pytest

from tests.support.live.followers import Follower, Table, stored_games
from tests.support.live.guests import GAMES_EACH, Guest, Start
from tests.support.live.play import GUESTS_PER_S
from tests.support.live.recorded_games import Score, scores

PLIES = 11
"""On the board when the forgers begin; it is Black's turn."""
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
OTHER_OPENING = ("e2e4", "d7d5", "g1f3", "b8c6")
CHESS = Start("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False)


def forgers(table, watcher, rng):
    """(who sends, ply, move, codes of which one must come) without end; none of them may be done."""
    white, black = table.players
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    next_move, last_move = table.moves[PLIES], table.moves[PLIES - 1]
    while True:
        nonsense = rng.choice(squares) + rng.choice(squares)
        yield white, PLIES, next_move, {"not_your_turn"}
        yield white, PLIES + 1, table.moves[PLIES + 1], {"not_your_turn", "stale"}
        yield black, PLIES, f"{nonsense}x", {"illegal"}
        yield black, PLIES, f"{nonsense[:2]}{nonsense[:2]}", {"illegal"}
        yield black, PLIES - 1, last_move, {"not_your_turn", "stale"}
        yield black, PLIES + rng.randrange(1, 1900), next_move, {"stale"}
        yield watcher, PLIES, next_move, {"not_a_player"}


@pytest.mark.row("F7")
@pytest.mark.timeout(600)
async def test_forged_moves_of_all_variants_change_nothing(web, host, seated, ledger, rng, scale, counted):
    """The tables are of all variants in turn."""
    most, sent = scale(10_000), 0
    tables = await seated(max(len({score.start.variant for score in scores()}), most // 140))
    watchers = [Follower(Guest(web, host.port), table.game, ledger) for table in tables]
    for table, watcher in zip(tables, watchers, strict=True):
        await table.come()
        await watcher.come()
        await table.play(PLIES, 0, rng)
        for player in table.players:
            await player.until(lambda: len(player.view.moves) == PLIES)  # noqa: B023 - awaited right here
    before = [(dict(player.view.game), player.view.v) for table in tables for player in table.players]
    for table, watcher in zip(tables, watchers, strict=True):
        for who, ply, uci, codes in itertools.islice(forgers(table, watcher, rng), most // len(tables) + 1):
            answer = await who.move(ply, uci)
            assert answer["t"] == "error", (table.score.start.variant, ply, uci, answer)
            assert answer["code"] in codes, (table.score.start.variant, ply, uci, answer)
            sent += 1
    assert [(dict(player.view.game), player.view.v) for table in tables for player in table.players] == before
    assert len({table.score.start.variant for table in tables}) == len({score.start.variant for score in scores()})
    await host.stop()
    for game in (await stored_games(host.folder, tables)).values():
        assert len(game.plies) == PLIES
    counted("forged moves", sent)
    counted("tables of all variants", len(tables))


async def rematch(table, ledger):
    """The same two, with the colours swapped, at the game that follows from this one."""
    white, black = table.players
    offered = await white.ask("offer", kind="rematch")
    assert offered["t"] == "ok", offered
    await black.until(lambda: black.view.game["offers"])
    assert (await black.ask("accept", offer=black.view.game["offers"][0]))["t"] == "ok"
    await white.until(lambda: white.view.game["next"])
    game = white.view.game["next"]
    return Table(Score(CHESS, OTHER_OPENING), game, tuple(Follower(old.guest, game, ledger) for old in (black, white)))


@pytest.mark.row("F8")
@pytest.mark.timeout(600)
async def test_a_recorded_session_sent_again_moves_nothing(web, host, open_host, ledger, rng, scale, counted):
    games = scale(500)
    for number in range(games):
        if number % GAMES_EACH == 0:
            await asyncio.sleep(2 / GUESTS_PER_S)
            guests = Guest(web, host.port), Guest(web, host.port)
        made = await guests[0].challenge(CHESS)
        await guests[1].join(made)
        players = tuple(Follower(guest, made["id"], ledger) for guest in guests)
        old = Table(Score(CHESS, FOOLS_MATE), made["id"], players)
        await old.come()
        await old.play(4, 0, rng)
        live = await rematch(old, ledger)
        await live.come()
        await live.play(4, 0, rng)
        await live.players[0].until(lambda: len(live.players[0].view.moves) == 4)  # noqa: B023 - awaited right here
        for side, again in enumerate((live.players[1], live.players[0])):
            for ply in range(side, 4, 2):
                done_before = await players[side].move(ply, FOOLS_MATE[ply])
                assert done_before.get("dup") or done_before["code"] == "over"
                assert (await again.move(ply, FOOLS_MATE[ply]))["code"] in ("stale", "not_your_turn")
        assert live.players[0].view.moves == list(OTHER_OPENING)
        for player in (*players, *live.players):
            player.leave()
    counted("sessions", games)
