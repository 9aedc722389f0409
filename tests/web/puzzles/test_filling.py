"""A site with an engine makes puzzles until it has enough: each proved, none twice, none where the host wants none."""

import asyncio
import os
import sys

import pytest

from server.games.shipped_puzzles import NO_ENGINE, games_shipped
from server.settings import Settings
from server.storage.tables.puzzles import FOR_GOOD, Searched
from server.web.operation import puzzle_filling
from server.web.operation.puzzle_filling import GAMES_AT_ONCE, NoEngineHere, fill_form, next_batch, puzzle_lines
from tests.support.rules.built_in import VARIANTS

CHESS = VARIANTS["chess"]
WANTED = 3
RIGHT = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 30\tg7g8\ta1a8"
WRONG = RIGHT.replace("a1a8", "a1b2")


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"fill_puzzles": WANTED})


def engine_that(monkeypatch, does):
    """Instead of the real one; it is told what to do in Python, and sees in `sys.argv` what it is asked."""
    monkeypatch.setattr(puzzle_filling, "COMMAND", (sys.executable, "-c", f"import sys, time; {does}"))


async def number(site):
    return await site.store.puzzles.count_puzzles("chess", False)


async def test_what_it_finds_is_proved_and_kept_and_it_ends_when_there_are_enough(site, monkeypatch):
    kings = ("1K6", "2K5", "3K4")
    first, *others = [f"6k1/5ppp/8/8/8/8/{king}/R7 w - - 0 30\tg7g8\ta1a8" for king in kings]
    lines = [first, WRONG, *others]
    engine_that(monkeypatch, f"print({chr(10).join(lines)!r})")
    assert await fill_form(site, CHESS, False)
    assert await number(site) == WANTED
    assert not await fill_form(site, CHESS, False)


async def test_it_plays_games_that_nobody_has_played(site, monkeypatch):
    asked = []
    for _ in range(3):
        batch = await next_batch(site, CHESS, False)
        asked.append(batch.games)
    first = -(-games_shipped(CHESS, False) // GAMES_AT_ONCE) * GAMES_AT_ONCE + 1
    # They follow those of the shipped puzzles, and one another, as if three nodes had asked.
    assert first > games_shipped(CHESS, False)
    assert asked == [(first + at, first + at + GAMES_AT_ONCE - 1) for at in range(0, 3 * GAMES_AT_ONCE, GAMES_AT_ONCE)]
    both = await asyncio.gather(next_batch(site, CHESS, False), next_batch(site, CHESS, False))
    assert both[0] != both[1]


async def test_what_was_ended_in_the_middle_is_played_again_after_a_day_and_what_was_done_never(site, monkeypatch):
    left, done = await next_batch(site, CHESS, False), await next_batch(site, CHESS, False)
    await site.store.puzzles.keep_puzzles(Searched(done.note, "chess", FOR_GOOD), [])
    assert await next_batch(site, CHESS, False) not in (left, done)
    with monkeypatch.context() as later:
        later.setattr(puzzle_filling, "GIVEN_UP_MS", -1_000)
        assert await next_batch(site, CHESS, False) == left
    assert await next_batch(site, CHESS, False) not in (left, done)


async def test_without_an_engine_it_says_so_and_an_engine_that_fails_keeps_nothing(site, monkeypatch):
    engine_that(monkeypatch, f"print('no node', file=sys.stderr); sys.exit({NO_ENGINE})")
    with pytest.raises(NoEngineHere, match="no node"):
        await fill_form(site, CHESS, False)
    engine_that(monkeypatch, f"print({RIGHT!r}); raise ValueError('broken')")
    with pytest.raises(OSError, match="broken"):
        await fill_form(site, CHESS, False)
    assert await number(site) == 0


async def test_it_gives_way_to_the_server(site, monkeypatch):
    """Linux asks how nice a process is only within a session."""
    engine_that(monkeypatch, "import os; print(os.getsid(0))")
    batch = await next_batch(site, CHESS, False)
    assert await puzzle_lines(site.settings, batch) == [f"{os.getsid(0)}"]


async def test_a_server_that_stops_ends_the_process(site, monkeypatch):
    begun = asyncio.Event()
    processes = []
    make = asyncio.create_subprocess_exec

    async def noted(*command, **how):
        processes.append(await make(*command, **how))
        begun.set()
        return processes[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    engine_that(monkeypatch, "time.sleep(3600)")
    filling = asyncio.create_task(fill_form(site, CHESS, False))
    await begun.wait()
    filling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await filling
    assert await processes[0].wait() < 0


@pytest.mark.parametrize(("settings", "fills"), [({}, True), ({"fill_puzzles": 0}, False)])
def test_the_host_can_have_it_off(settings, fills):
    assert bool(Settings(**settings).fill_puzzles) is fills


@pytest.mark.slow
async def test_the_engine_makes_puzzles_for_the_site():
    batch = puzzle_filling.Batch(VARIANTS["kingofthehill"], False, 0)
    lines = await puzzle_filling.puzzle_lines(Settings(), batch)
    assert lines
    assert len(puzzle_filling.proved(batch, lines, 0)) == len(lines)
