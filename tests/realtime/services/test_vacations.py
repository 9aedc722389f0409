"""Somebody goes on vacation: all their correspondence games wait, whatever is killed in between, and go on again."""

import asyncio
from datetime import date, timedelta

import pytest

from server.games.changes.beginning import new_game
from server.games.changes.pausing import GoAway
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.clocks.vacations import NoVacation, Vacation, day_at, end_of
from server.games.terms import Terms
from server.realtime.play.command_queue import Busy
from server.realtime.play.creation import create_open_game
from server.realtime.play.round import Round
from server.realtime.services.vacations import DAYS_A_YEAR, SETTLED_AFTER_MS, Vacations
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.storage.tables.vacations import TakenVacation
from tests.support.games import moved
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE, Deaf, Node

DAYS = TimeControl.correspondence(3)


@pytest.fixture
def today(clock):
    return day_at(clock())


@pytest.fixture
async def games(store, clock, variants):
    """Ids by name; in each White has moved last. WHITE plays in all but one."""
    chess = variants["chess"]
    people = {"days": (WHITE, BLACK), "as Black": (BLACK, WHITE), "others'": (BLACK, None), "unbegun": (WHITE, BLACK)}
    controls = {"minutes": FIVE_MINUTES, "untimed": TimeControl.unlimited()}
    made = {}
    for number, name in enumerate((*people, *controls)):
        terms = Terms(chess, False, chess.start_fen, controls.get(name, DAYS), rated=False)
        white, black = people.get(name, (WHITE, BLACK))
        invites = (None, None) if black else (None, "ab" * 32)
        game = new_game(f"{number:010}", terms, clock(), white=white, black=black, invites=invites)
        made[name] = game.id
        await store.create(game if name in ("unbegun", "others'") else moved(game, "e2e4 e7e5", now=clock()))
    return made


def away(store, games):
    """The names of the games that wait, with until when each side is away."""
    return {name: store.games[game].away for name, game in games.items() if store.games[game].on_vacation}


async def test_all_games_of_days_wait_until_the_end_of_the_last_day_and_go_on_by_themselves(
    node, store, clock, games, today
):
    last = today + timedelta(5)
    vacation = await node.live.vacations.go_away(WHITE.id, last)
    assert vacation == Vacation(clock(), end_of(last))
    until = vacation.until
    assert away(store, games) == {"days": (until, 0), "as Black": (0, until), "unbegun": (until, 0)}
    left = {name: DAYS.turn_ms(Color.WHITE) for name in away(store, games)}
    clock.turn(until - clock())
    await node.rounds.check_deadlines()
    assert away(store, games) == {}
    for name, ms in left.items():
        assert store.games[games[name]].deadline == clock() + ms


async def test_an_opponent_who_keeps_a_game_busy_does_not_keep_it_from_waiting(
    node, store, clock, games, today, monkeypatch
):
    busy, submit = [games["days"]] * 3, Round.submit

    async def often_busy(self, command, *args, **more):
        if self.game.id in busy:
            busy.remove(self.game.id)
            raise Busy("game_busy")
        await submit(self, command, *args, **more)

    monkeypatch.setattr(Round, "submit", often_busy)
    going = asyncio.create_task(node.live.vacations.go_away(WHITE.id, today))
    while not going.done():
        await settle()
        clock.turn(100)
    assert (await going).until == end_of(today)
    assert set(away(store, games)) == {"days", "as Black", "unbegun"}


async def test_who_comes_back_early_plays_on_and_keeps_the_days_that_have_not_begun(node, store, clock, games, today):
    vacations = node.live.vacations
    await vacations.go_away(WHITE.id, today + timedelta(9))
    assert (await vacations.allowance_of(WHITE.id)).left == DAYS_A_YEAR - 10
    clock.turn(2 * DAY_MS)
    await vacations.come_back(WHITE.id)
    assert away(store, games) == {}
    assert store.games[games["days"]].deadline == clock() + 3 * DAY_MS
    now = await vacations.allowance_of(WHITE.id)
    assert (now.left, now.until) == (DAYS_A_YEAR - 3, 0)
    writes = store.writes
    await vacations.come_back(WHITE.id)
    assert store.writes == writes


async def test_another_last_day_changes_the_games_too(node, store, games, today):
    vacations = node.live.vacations
    for days in (5, 9, 2):
        vacation = await vacations.go_away(WHITE.id, today + timedelta(days))
        assert store.games[games["days"]].away == (vacation.until, 0)
    assert len(store.kept["vacations"]) == 1


async def test_a_game_that_begins_meanwhile_waits_within_a_minute(node, store, games, today):
    await node.live.vacations.go_away(WHITE.id, today + timedelta(5))
    begun = await create_open_game(
        node.rounds.services, store.games[games["days"]].terms, BLACK, Color.WHITE, asked=WHITE
    )
    await node.rounds.join(begun.game.id, "", WHITE)
    await node.live.vacations.follow()
    assert store.games[begun.game.id].away == (0, end_of(today + timedelta(5)))


async def test_what_a_killed_process_left_undone_is_done_by_the_next(store, clock, games, today):
    vacation = Vacation(clock(), end_of(today + timedelta(5)))
    await store.vacations.begin(TakenVacation(WHITE.id, vacation))
    await Node(store, clock).live.vacations.follow()
    assert set(away(store, games)) == {"days", "as Black", "unbegun"}
    clock.turn(DAY_MS)
    await store.vacations.end(TakenVacation(WHITE.id, vacation), vacation.ended(clock()).until)
    clock.turn(30 * DAY_MS)
    await Node(store, clock).live.vacations.follow()
    assert away(store, games) == {}


async def test_a_process_that_had_read_an_older_record_is_put_right(node, store, clock, games, today):
    vacation = await node.live.vacations.go_away(WHITE.id, today + timedelta(5))
    await node.live.vacations.come_back(WHITE.id)
    await node.live.vacations.follow()
    late = await node.rounds.get(games["days"])
    await late.submit(GoAway(Color.WHITE, vacation.until), clock())
    clock.turn(SETTLED_AFTER_MS)
    await node.live.vacations.follow()
    assert away(store, games) == {}


async def test_a_vacation_is_looked_at_until_a_while_after_its_end_and_then_no_more(node, store, clock, games, today):
    vacations = node.live.vacations
    await vacations.go_away(WHITE.id, today)
    clock.turn(end_of(today) - clock())
    await node.rounds.check_deadlines()
    clock.turn(SETTLED_AFTER_MS)
    await vacations.follow()
    assert await store.vacations.unsettled()
    clock.turn(1)
    found = await node.rounds.get(games["days"])
    await found.submit(GoAway(Color.WHITE, clock() + DAY_MS), clock())
    await vacations.follow()
    assert (away(store, games), len(await store.vacations.unsettled())) == ({}, 1)
    await vacations.follow()
    assert await store.vacations.unsettled() == []


async def test_a_look_costs_nothing_for_games_whose_players_are_here(node, store, clock, games, today):
    read = []
    running_of = store.running_of

    async def counted(player):
        read.append(player)
        return await running_of(player)

    store.running_of = counted
    await node.live.vacations.follow()
    assert (read, store.loads) == ([], 0)
    await node.live.vacations.go_away(WHITE.id, today)
    loads = store.loads
    read.clear()
    await node.live.vacations.follow()
    assert (read, store.loads) == ([WHITE.id], loads)


async def test_a_store_that_is_away_is_followed_later(node, store, games, today):
    with store.outage(), pytest.raises(Unavailable):
        await node.live.vacations.go_away(WHITE.id, today)
    assert store.kept["vacations"] == {}
    save = store.save

    async def broken(*_):
        raise Unavailable("The store is down.")

    store.save = broken
    await node.live.vacations.go_away(WHITE.id, today)
    assert away(store, games) == {}
    store.save = save
    await node.live.vacations.follow()
    assert set(away(store, games)) == {"days", "as Black", "unbegun"}


async def test_both_players_can_be_away_and_another_node_does_the_same(node, store, clock, games, today):
    await node.live.vacations.go_away(WHITE.id, today)
    other = Node(store, clock)
    await other.live.vacations.go_away(BLACK.id, today + timedelta(3))
    assert store.games[games["days"]].away == (end_of(today), end_of(today + timedelta(3)))
    await node.live.vacations.come_back(WHITE.id)
    assert store.games[games["days"]].away == (0, end_of(today + timedelta(3)))
    await node.live.vacations.come_back(BLACK.id)
    await settle()
    assert away(store, games) == {}


async def test_a_node_that_has_not_heard_what_another_did_looks_again(store, clock, games, today):
    here, there = (Node(store, clock, Deaf()).live.vacations for _ in range(2))
    until = (await here.go_away(WHITE.id, today)).until
    await there.come_back(WHITE.id)
    await here.go_away(WHITE.id, today)
    assert store.games[games["days"]].away == (until, 0)


async def test_more_than_a_year_allows_is_refused_and_changes_nothing(node, store, games, today):
    with pytest.raises(NoVacation, match="vacation_too_long"):
        await node.live.vacations.go_away(WHITE.id, today + timedelta(3 * DAYS_A_YEAR))
    assert (away(store, games), store.kept["vacations"]) == ({}, {})


async def test_a_site_without_vacations_ends_those_that_go_on(node, store, games, today):
    await node.live.vacations.go_away(WHITE.id, today)
    without = Vacations(node.rounds, 0)
    with pytest.raises(NoVacation, match="vacation_off"):
        await without.go_away(WHITE.id, date.max)
    await without.follow()
    assert "days" in away(store, games)
    await without.come_back(WHITE.id)
    assert away(store, games) == {}


async def test_of_vacations_begun_in_two_tabs_at_once_one_stays_and_can_be_shortened(store, node, clock, today):
    """Both read that nobody was away."""
    first, second = (Vacation(clock() + number, end_of(today + timedelta(5 + number))) for number in (0, 1))
    for one in (first, second):
        await store.vacations.begin(TakenVacation(WHITE.id, one))
    clock.turn(10)
    last = today + timedelta(2)
    assert (await node.live.vacations.go_away(WHITE.id, last)).until == end_of(last)
    assert (await node.live.vacations.allowance_of(WHITE.id)).last == last
    await node.live.vacations.come_back(WHITE.id)
    assert (await node.live.vacations.allowance_of(WHITE.id)).last is None


async def test_a_vacation_that_another_tab_has_given_another_end_is_decided_again(
    store, node, clock, today, monkeypatch
):
    await node.live.vacations.go_away(WHITE.id, today + timedelta(5))
    end, ends = type(store.vacations).end, []

    async def end_after_another_tab(self, record, until):
        ends.append(until)
        if len(ends) == 1:
            await end(self, record, end_of(today + timedelta(9)))
        return await end(self, record, until)

    monkeypatch.setattr(type(store.vacations), "end", end_after_another_tab)
    await node.live.vacations.come_back(WHITE.id)
    assert len(ends) == 2
    assert (await node.live.vacations.allowance_of(WHITE.id)).last is None
