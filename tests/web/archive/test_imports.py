"""Taking in games that were played elsewhere, without a request: game by game, in turns, and no more than may come."""

import asyncio
from contextlib import suppress

import pytest

from server.storage.errors import Unreadable
from server.web.archive.imports import (
    LONG_MS,
    MAX_GAMES,
    ImportedGame,
    Imports,
    RejectedGame,
    SkippedGames,
)
from server.web.budgets.heavy import FairQueue
from server.web.rendering.problems import Problem
from tests.support.games import START
from tests.support.realtime.listener import until
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.memory_store import MemoryStore

NEWCOMER = "203.0.113.9"
AT_ONCE, SMALL = 16, 150
"""Of the imports here so many are under way at once; more letters make a file large. Real ones are many more."""


def imports(now=lambda: START, waiting=AT_ONCE - 1):
    return Imports(MemoryStore(), VARIANTS, now, FairQueue(1, waiting, SMALL))


class Asked:
    """An admission that is open as long as the test says, and admits everything."""

    def __init__(self, may):
        self._may = may

    async def is_open(self):
        return self._may()

    async def admit_game(self, game, text):
        return True

    def charge_refused(self, text):
        pass


async def taken(one, text, may=lambda: True, address="here", **who):
    return [outcome async for outcome in one.import_games(text, address, Asked(may), **who)]


def many(games):
    return "\n\n".join(f'[Round "{each}"]\n\n1. e4 *' for each in range(games))


async def test_another_game_with_the_same_id_does_not_hide_this_one(monkeypatch):
    one = imports()
    (first,) = await taken(one, "1. e4 *")
    (other,) = await taken(one, "1. d4 *")
    kept = one.store.games[first.id]
    one.store.games[first.id] = one.store.games[other.id]
    (second,) = await taken(one, "1. e4 *")
    assert second.id not in (first.id, other.id)
    assert (second.known, one.store.games[second.id].plies) == (False, kept.plies)
    (third,) = await taken(one, "1. e4 *")
    assert (third.known, third.id) == (True, second.id)


FEW = range(1, 5)
ALIKE = {
    "clocks": [f"1. e4 {{[%clk 0:0{each}:00]}} *" for each in range(1, 9)],
    "boards": [f'[Board "{each}"]\n\n1. e4 *' for each in range(1, 9)],
    "both": [f'[Board "{board}"]\n\n1. e4 {{[%clk 0:0{clock}:00]}} *' for board in FEW for clock in FEW],
    "comments": [f"1. e4 {{{each}}} *" for each in range(1, 9)],
}


@pytest.mark.parametrize("alike", ALIKE.values(), ids=ALIKE)
async def test_whatever_others_have_imported_before_nobody_is_kept_out(alike):
    """All that makes two games different to us makes their ids different, too."""
    one = imports()
    for nth, text in enumerate(alike):
        (stored,) = await taken(one, text)
        assert (stored.known, len(one.store.games)) == (False, nth + 1)
    for text in alike:
        (again,) = await taken(one, text)
        assert again.known


async def test_a_damaged_record_costs_nobody_the_file(monkeypatch):
    one = imports()
    (damaged,) = await taken(one, "1. e4 *")
    load = one.store.load

    async def load_readable(game):
        if game == damaged.id:
            raise Unreadable("damaged")
        return await load(game)

    monkeypatch.setattr(one.store, "load", load_readable)
    first, second = await taken(one, "1. e4 *\n\n1. d4 *")
    assert first.id not in (damaged.id, second.id)


async def test_outcomes_come_one_by_one_and_stop_when_no_more_may_be_taken():
    left = iter([True, True, False])
    outcomes = await taken(imports(), "1. e4 *\n\n1. Ke3 *\n\n1. d4 *", lambda: next(left))
    assert [type(outcome) for outcome in outcomes] == [ImportedGame, RejectedGame, SkippedGames]
    assert outcomes[-1].games == 1


async def test_a_network_imports_one_file_at_a_time():
    one = imports()
    first = one.import_games(many(2), "2001:0db8:0001:0001", Asked(lambda: True))
    assert type(await anext(first)) is ImportedGame
    with pytest.raises(Problem, match="import_under_way"):
        await taken(one, "1. a4 *", address="2001:0db8:0001:0002")
    await first.aclose()
    assert type((await taken(one, "1. a4 *", address="2001:0db8:0001:0002"))[0]) is ImportedGame


NETWORKS = [f"{nth}.1.1.1" for nth in range(AT_ONCE)]


class Crowd:
    """As many long files as may be under way, each from one of `addresses`; `reports` has what is known of each so far.

    `under_way` is set when each has had a turn.
    """

    def __init__(self, one, addresses=NETWORKS):
        self.one, self.reports, self.under_way = one, [], asyncio.Event()
        self.tasks = [asyncio.create_task(self.take(address)) for address in addresses]

    async def take(self, address):
        self.reports.append(report := [])
        async for outcome in self.one.import_games(many(6), address, Asked(lambda: True)):
            report.append(outcome)
            if len(self.reports) == AT_ONCE and all(self.reports):
                self.under_way.set()

    async def ended(self):
        """The last that became known of each."""
        await asyncio.gather(*self.tasks)
        return [report[-1] for report in self.reports]


async def test_a_newcomer_has_a_turn_among_many_files():
    """One of the others gives way, and what it has imported stays."""
    one = imports()
    crowd = Crowd(one)
    await crowd.under_way.wait()
    assert [type(outcome) for outcome in await taken(one, "1. a4 *", address=NEWCOMER)] == [ImportedGame]
    assert sum(not task.done() for task in crowd.tasks) == AT_ONCE - 1, "long before the end of the others"
    last = await crowd.ended()
    (gave_way,) = [outcome for outcome in last if isinstance(outcome, SkippedGames)]
    assert gave_way.busy
    assert 0 < gave_way.games < 6


async def test_a_flood_of_one_network_takes_no_turns_from_another():
    """Whoever is alone in theirs, a guest or not, waits for one other game between two of their own."""
    one = imports()
    crowd = Crowd(one, [f"5.5.{nth}.1" for nth in range(AT_ONCE)])
    await crowd.under_way.wait()
    before = sum(map(len, crowd.reports))
    assert len(await taken(one, many(4), address=NEWCOMER)) == 4
    cut, gave_way = 1, 1
    assert sum(map(len, crowd.reports)) <= before + 4 + cut + gave_way
    await crowd.ended()


async def test_a_flood_of_as_many_networks_as_files_keeps_out_no_small_file_and_nobody_who_is_known():
    """Nobody of the flood has had a turn, as who gives way begins anew from elsewhere."""
    one, ended = imports(), []

    async def take(address, games, known=False):
        with suppress(Problem):
            async for outcome in one.import_games(many(games), address, Asked(lambda: True), known=known):
                ended.append((address, outcome))

    flood = [asyncio.create_task(take(f"{10 + nth}.1.1.1", 40)) for nth in range(AT_ONCE)]
    others = [asyncio.create_task(take(NEWCOMER, 2)), asyncio.create_task(take("198.51.100.1", 60, known=True))]
    flood += [asyncio.create_task(take(f"{100 + nth}.1.1.1", 40)) for nth in range(AT_ONCE)]
    await asyncio.gather(*flood, *others)
    for address, games in ((NEWCOMER, 2), ("198.51.100.1", 60)):
        assert [type(outcome) for who, outcome in ended if who == address] == [ImportedGame] * games


async def test_however_many_come_anew_a_small_file_is_taken_and_large_ones_get_on():
    """A flood whose every file comes from another network, as fast as one after the other is turned away.

    As in life, there is room for AT_ONCE of the largest files, and for what a small one may have.
    """
    one, flood, ends = imports(waiting=AT_ONCE * len(many(40)) // SMALL + 1), [], []

    async def take(address):
        with suppress(Problem):
            ends.append(await taken(one, many(40), address=address))

    async def come_anew(count):
        for _ in range(count):
            flood.append(asyncio.create_task(take(f"{10 + len(flood) % 200}.{len(flood) // 200}.1.1")))
            await asyncio.sleep(0)

    await come_anew(AT_ONCE)
    newcomer = asyncio.create_task(taken(one, many(3), address=NEWCOMER))
    await come_anew(400)
    assert [type(outcome) for outcome in await newcomer] == [ImportedGame] * 3
    await asyncio.gather(*flood)
    assert len(ends) >= AT_ONCE
    assert all(isinstance(outcomes[0], ImportedGame) for outcomes in ends)


class Flood:
    """Files of `games` games, again from each network as soon as it has an answer, or another has had a turn."""

    def __init__(self, one, networks, games):
        self.one, self.games, self.over = one, games, False
        self.got, self.had_all, self.turn = set(), asyncio.Event(), asyncio.Event()
        self.tasks = [asyncio.create_task(self.come_again(f"{10 + n}.1.1.1")) for n in range(networks)]

    async def come_again(self, address):
        while not self.over:
            turn = self.turn
            try:
                async for _ in self.one.import_games(many(self.games), address, Asked(lambda: True)):
                    self.noted(address)
            except Problem:
                await turn.wait()

    def noted(self, address):
        self.got.add(address)
        if len(self.got) == len(self.tasks):
            self.had_all.set()
        self.turn.set()
        self.turn = asyncio.Event()

    async def end(self):
        self.over = True
        while not all(task.done() for task in self.tasks):
            self.turn.set()
            await asyncio.wait(self.tasks, timeout=0)
        await asyncio.gather(*self.tasks)


@pytest.mark.parametrize("games", [1, 2, 3])
@pytest.mark.parametrize("mine", [1, 2, 3])
async def test_as_many_small_files_as_may_be_under_way_are_all_taken(games, mine):
    """However often the others come again, and whoever has the smallest file: nobody is turned away."""
    one = imports()
    flood = Flood(one, AT_ONCE - 2, games)
    for nth in range(4):
        outcomes = await taken(one, many(mine), address=f"{200 + nth}.1.1.1")
        assert [type(outcome) for outcome in outcomes] == [ImportedGame] * mine
    await flood.end()


@pytest.mark.parametrize(("mine", "games"), [(mine, games) for mine in (1, 3, 8) for games in (1, 3, 8)])
async def test_newcomers_get_a_game_in_though_more_networks_keep_coming_than_may_wait(mine, games):
    """As soon as each of those has had one, unless they ask for more than those and than their share."""
    one = imports()
    flood = Flood(one, 3 * AT_ONCE, games)
    await flood.had_all.wait()
    for nth in range(4):
        if len(many(mine)) <= max(SMALL, len(many(games))):
            outcomes = await taken(one, many(mine), address=f"{200 + nth}.1.1.1")
            assert type(outcomes[0]) is ImportedGame
    await flood.end()


async def test_a_long_file_says_what_it_has_before_browsers_hang_up_but_goes_on_if_nobody_waits():
    at = START
    one = imports(lambda: at)
    alone = one.import_games(many(5), NEWCOMER, Asked(lambda: True))
    await anext(alone)
    at += 2 * LONG_MS
    assert type(await anext(alone)) is ImportedGame
    async with one.turns.place("2.1.1.1"):
        other = asyncio.create_task(taken(one, many(5), address="1.1.1.1"))
        await until(lambda: len(one.turns))
        rest = [outcome async for outcome in alone]
    assert rest == [SkippedGames(3, busy=True)]
    assert len(await other) == 5


async def test_files_take_turns_game_by_game():
    one, order = imports(), []

    async def take(address, games):
        async for _ in one.import_games(many(games), address, Asked(lambda: True)):
            order.append(address)

    await asyncio.gather(take("long", 12), take("short", 2))
    assert order.index("short") <= 2
    assert order[-6:] == ["long"] * 6, "whoever came second did not wait for the end of the first"


async def test_no_game_of_a_file_with_too_many_is_imported():
    one = imports()
    with pytest.raises(Problem, match="too_many_games"):
        await taken(one, '[A "1"]\n1. e4 *\n' * (MAX_GAMES + 1))
    assert one.store.games == {}
