"""Tournaments in play: who is present is paired, results count once, and no crash or second process matters."""

import asyncio
import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.changes.ending import Resign
from server.games.changes.pausing import CreditStall
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import NotAllowed, Playbanned, RegisteredOnly
from server.games.player import DELETED_NAME, Player
from server.games.sanctions import Measure, Reason, Sanction
from server.games.seeks import Seeker
from server.games.status import Status
from server.games.tournaments.arena import longest_wait_ms
from server.games.tournaments.swiss import ALONE_MS
from server.games.tournaments.tournament import (
    CORRECTED_MS,
    FREE,
    HALF,
    MINUTE_MS,
    Correction,
    Entrant,
    Manager,
    Scoring,
    Standing,
    TournamentTerms,
    WaitReason,
    announced,
    placings,
    result_without_game,
    standings,
    winner_of,
)
from server.realtime import tournaments as running
from server.realtime.cluster.bus import Deleted
from server.realtime.play.connection import FeedConnection
from server.realtime.tournaments import FRESH_MS, GRACE_MS, KEPT_MS, LOOK_EVERY_MS, NEXT_MS, format_of
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import START as NOW
from tests.support.realtime.hand_clock import HandClock, settle
from tests.support.realtime.manual_outbox import ManualOutbox
from tests.support.realtime.node import Deaf, Node
from tests.support.storage.memory_store import MemoryStore

OLGA, *PEOPLE = (Player(f"{name}-id-00", name) for name in ("Olga", "Anna", "Ben", "Carla", "Dora", "Emil"))
ANNA, BEN, CARLA, DORA, EMIL = PEOPLE
BLITZ = TimeControl.realtime(180_000, 2_000)
STARTS = NOW + 2 * MINUTE_MS
TERMS = TournamentTerms("Cup", "arena", "chess", False, BLITZ, False, STARTS, 30)
SWISS = TournamentTerms(
    "Swiss", "swiss", "chess", False, BLITZ, False, STARTS, 0, Scoring.PLAIN, berserk=False, rounds=4, rest_s=10
)


class Page:
    """The page of a tournament."""

    def __init__(self, node, player, tournament):
        self.outbox = ManualOutbox()
        services = node.live.services
        self.connection = FeedConnection(node.live.tournaments, services.timers, player, self.outbox, services.now())
        self.connection.receive(json.dumps({"t": "hi", "proto": 1, "tournament": tournament}), 0)

    def told(self):
        return [json.loads(text) for text in self.outbox.read_all()]

    def games(self):
        return [message["game"] for message in self.told() if message["t"] == "tournament_paired"]

    def close(self):
        self.connection.closed(0)


class Cup:
    """An arena on one process or more, and the pages of those who play."""

    def __init__(self, store, clock, *nodes):
        self.store, self.clock, self.nodes, self.pages = store, clock, list(nodes), {}

    @classmethod
    async def begin(cls, store, clock, *nodes, people=PEOPLE, terms=TERMS):
        cup = cls(store, clock, *nodes)
        cup.id = (await cup.live.announce(OLGA, terms, "key")).id
        for person in people:
            await cup.live.join(cup.id, Seeker(person, True))
            await cup.come(person)
        clock.turn(STARTS - clock.at)
        return cup

    @property
    def live(self):
        return self.nodes[0].live.tournaments

    async def come(self, person, node=0):
        self.pages[person.id] = Page(self.nodes[node], person, self.id)
        await settle()

    async def leave(self, person):
        if (page := self.pages.pop(person.id, None)) is not None:
            page.close()
            await settle()

    async def pass_time(self, seconds):
        for _ in range(seconds):
            self.clock.turn(1_000)
            for node in self.nodes:
                for page in self.pages.values():
                    page.connection.receive('{"t":"ping"}', self.clock.at)
                await node.rounds.check_deadlines()
                node.live.services.timers.fire_due()
                await settle()
                await node.live.tournaments.tick()
                await settle()

    async def view(self):
        return await self.live.look(self.id)

    async def under_way(self):
        return {frozenset((one.white, one.black)): one for one in (await self.view()).under_way}

    async def resign(self, game):
        found = await self.nodes[0].rounds.get(game)
        if found is None:
            return  # its wave is stored and was not carried out
        await found.submit(Resign(found.game.to_move), self.clock.at)
        await settle()

    async def finish(self):
        for node in self.nodes:
            await node.live.services.background.finish(0)


@pytest.fixture
async def cup(store, clock, node):
    made = await Cup.begin(store, clock, node)
    yield made
    await made.finish()


def names(pairs):
    return {frozenset(one.split("-")[0] for one in pair) for pair in pairs}


async def test_all_who_are_present_play_within_seconds_of_the_start_and_each_is_told_their_game(cup):
    await cup.pass_time(4)
    playing = await cup.under_way()
    assert len(playing) == 2
    for pair, pairing in playing.items():
        assert await cup.store.load(pairing.game)
        assert all(cup.pages[person].games() == [pairing.game] for person in pair)


async def test_before_a_restart_nobody_is_paired_and_after_it_all_are(cup):
    restart = cup.nodes[0].live.services.restart
    restart.announced = True
    await cup.pass_time(6)
    assert not await cup.under_way()
    restart.announced = False
    await cup.pass_time(4)
    assert len(await cup.under_way()) == 2


async def test_a_page_that_comes_while_its_reader_plays_is_told_the_game(cup):
    await cup.pass_time(4)
    pairing = next(iter((await cup.under_way()).values()))
    person = next(one for one in PEOPLE if one.id == pairing.white)
    await cup.come(person)
    assert cup.pages[person.id].games() == [pairing.game]


async def test_who_has_gone_is_not_paired_and_a_phone_that_sleeps_for_a_moment_is(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.leave(ANNA)
    clock.turn(GRACE_MS + 1)
    await cup.pass_time(4)
    assert not await cup.under_way()
    told = (await cup.view()).wait_of(BEN.id, clock.at)
    assert told.reason is WaitReason.ALONE
    await cup.come(ANNA)
    await cup.pass_time(1)
    await cup.leave(ANNA)
    await cup.pass_time(4)
    assert names(await cup.under_way()) == {frozenset({"Anna", "Ben"})}


async def test_a_game_that_is_over_counts_and_both_are_paired_anew_with_somebody_else(cup):
    await cup.pass_time(4)
    first = await cup.under_way()
    for pairing in first.values():
        await cup.resign(pairing.game)
    await cup.pass_time(2)
    view = await cup.view()
    assert sorted(sheet.points for sheet in view.sheets)[-2:] == [2, 2]
    await cup.pass_time(20)
    again = await cup.under_way()
    assert len(again) == 2
    assert not set(again) & set(first)


async def test_who_pauses_is_not_paired_and_goes_on_by_joining_again(cup):
    for person in (ANNA, BEN, CARLA):
        await cup.live.stand_down(cup.id, person.id, Standing.PAUSED)
    await cup.pass_time(20)
    assert names(await cup.under_way()) == {frozenset({"Dora", "Emil"})}
    await cup.live.join(cup.id, Seeker(ANNA, True))
    await cup.live.join(cup.id, Seeker(BEN, True))
    await cup.pass_time(20)
    assert frozenset({"Anna", "Ben"}) in names(await cup.under_way())


async def test_who_does_not_come_to_the_board_loses_and_rests_until_they_say_that_they_are_back(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.pass_time(4)
    (pairing,) = (await cup.under_way()).values()
    game = await store.load(pairing.game)
    await cup.pass_time((game.expires - clock.at) // 1_000 + 1)
    view = await cup.view()
    assert {sheet.person: sheet.points for sheet in view.sheets} == {pairing.black: 2, pairing.white: 0}
    await cup.pass_time(30)
    assert not await cup.under_way()
    await cup.live.join(cup.id, Seeker(next(one for one in PEOPLE if one.id == pairing.white), True))
    await cup.pass_time(20)
    assert len(await cup.under_way()) == 1


async def test_it_ends_when_its_time_is_over_and_a_game_under_way_still_counts(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.pass_time(4)
    (pairing,) = (await cup.under_way()).values()
    found = await node.rounds.get(pairing.game)
    for ply, uci in enumerate(("e2e4", "e7e5")):
        await found.submit(PlayMove(found.game.to_move, uci, ply), clock.at)
    ends = (await cup.view()).tournament.ends
    for _ in range((ends - clock.at) // 4_000):
        clock.turn(4_000)
        await cup.live.tick()
        found = await node.rounds.get(pairing.game)
        await found.submit(CreditStall(4_000), clock.at)
    await cup.pass_time(5)
    assert not (await cup.view()).tournament.over
    await cup.resign(pairing.game)
    await cup.pass_time(2)
    view = await cup.view()
    assert view.tournament.over
    assert view.sheets[0].points == 2


@pytest.mark.parametrize("times", [1, 2])
async def test_the_organiser_ends_it_and_nobody_else(cup, times):
    with pytest.raises(NotAllowed, match="tournament_not_yours"):
        await cup.live.call_off(cup.id, Manager(ANNA))
    for _ in range(times):
        await cup.live.call_off(cup.id, Manager(OLGA))
    await cup.pass_time(20)
    view = await cup.view()
    assert view.tournament.called_off
    assert not view.under_way


async def test_whom_the_organiser_takes_out_does_not_come_back(cup):
    with pytest.raises(NotAllowed, match="tournament_not_yours"):
        await cup.live.take_out(cup.id, Manager(BEN), ANNA.id)
    await cup.live.take_out(cup.id, Manager(OLGA), ANNA.id)
    with pytest.raises(NotAllowed, match="tournament_out"):
        await cup.live.join(cup.id, Seeker(ANNA, True))


@pytest.mark.parametrize("terms", [TERMS, SWISS], ids=lambda terms: terms.format)
@pytest.mark.parametrize("ended", ["called off", "its time is over"])
async def test_once_it_is_over_nobody_leaves_rests_or_is_taken_out_any_more(store, clock, node, terms, ended):
    cup = await Cup.begin(store, clock, node, terms=terms)
    await cup.live.stand_down(cup.id, EMIL.id, Standing.LEFT)
    if ended == "called off":
        await cup.live.call_off(cup.id, Manager(OLGA))
    else:
        clock.turn((await cup.view()).tournament.ends - clock.at)
    before = await store.tournaments.entrants_of(cup.id)
    for standing in (Standing.PAUSED, Standing.LEFT):
        with pytest.raises(NotAllowed, match="tournament_over"):
            await cup.live.stand_down(cup.id, ANNA.id, standing)
    with pytest.raises(NotAllowed, match="tournament_over"):
        await cup.live.take_out(cup.id, Manager(OLGA), ANNA.id)
    await cup.live.stand_down(cup.id, EMIL.id, Standing.LEFT)
    assert await store.tournaments.entrants_of(cup.id) == before, "who had left is told nothing new"
    await cup.finish()


async def test_guests_do_not_enter_and_the_same_key_announces_once(cup):
    with pytest.raises(RegisteredOnly):
        await cup.live.join(cup.id, Seeker(Player("guest", "SwiftOwl42"), False))
    assert (await cup.live.announce(OLGA, TERMS, "key")).id == cup.id


async def test_berserk_halves_the_clock_of_whoever_asks(cup):
    await cup.pass_time(4)
    pairing = next(iter((await cup.under_way()).values()))
    await cup.live.go_berserk(cup.id, pairing.white)
    game = await cup.store.load(pairing.game)
    assert game.clock.left_ms == (90_000, 180_000)
    with pytest.raises(NotAllowed, match="no_berserk"):
        await cup.live.go_berserk(cup.id, OLGA.id)


async def test_a_wave_that_a_crash_cut_short_is_carried_out_by_the_next_process(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.pass_time(2)
    create = store.create

    async def away(game):
        raise Unavailable("gone")

    store.create = away
    with pytest.raises(Unavailable):
        await cup.pass_time(2)
    store.create = create
    ((pairing,),) = await store.tournaments.waves_of(cup.id)
    assert await store.load(pairing.game) is None
    other = Cup(store, clock, Node(store, clock))
    other.id = cup.id
    clock.turn(6_000)
    await other.pass_time(1)
    game = await store.load(pairing.game)
    assert (game.white.id, game.black.id, game.tournament) == (pairing.white, pairing.black, cup.id)
    await other.finish()


async def test_a_result_that_nobody_noted_is_found_by_the_next_process(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.pass_time(4)
    (pairing,) = (await cup.under_way()).values()
    node.live.services.observers.remove(cup.live)
    await cup.resign(pairing.game)
    other = Cup(store, clock, Node(store, clock))
    other.id = cup.id
    clock.turn(6_000)
    await other.pass_time(1)
    (result,) = await store.tournaments.results_of(cup.id)
    assert result.winner is not None
    await other.finish()


async def test_a_game_that_the_host_deletes_counts_for_nobody_and_both_play_on(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.pass_time(4)
    (pairing,) = (await cup.under_way()).values()
    del store.games[pairing.game]
    node.live.deleted(Deleted(pairing.game))
    await cup.pass_time(20)
    (again,) = (await cup.under_way()).values()
    assert again.game != pairing.game
    assert [sheet.played for sheet in (await cup.view()).sheets] == [(), ()]


async def test_a_deleted_game_is_not_made_again_though_nobody_was_told_that_it_is_gone(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.pass_time(4)
    (pairing,) = (await cup.under_way()).values()
    del store.games[pairing.game]
    other = Cup(store, clock, Node(store, clock))
    other.id = cup.id
    clock.turn(6_000)
    await other.pass_time(1)
    assert await store.load(pairing.game) is None
    (result,) = await store.tournaments.results_of(cup.id)
    assert result.void
    await other.finish()


async def test_who_comes_back_from_the_board_is_not_led_there_again_nor_to_a_game_that_is_over(cup, clock):
    await cup.pass_time(4)
    first, second = (await cup.under_way()).values()
    await cup.resign(first.game)
    clock.turn(FRESH_MS)
    for pairing in (first, second):
        person = next(one for one in PEOPLE if one.id == pairing.white)
        await cup.come(person)
        assert cup.pages[person.id].games() == []


async def test_a_page_that_comes_while_the_store_is_away_is_paired_once_it_is_back(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA,))
    await cup.live.join(cup.id, Seeker(BEN, True))
    other = Node(store, clock)
    find = store.tournaments.find_tournament

    async def away(tournament):
        raise Unavailable("gone")

    store.tournaments.find_tournament = away
    page = Page(other, BEN, cup.id)
    await settle()
    store.tournaments.find_tournament = find
    cup.nodes, cup.pages = [other], {BEN.id: page}
    await cup.come(ANNA)
    await cup.pass_time(6)
    assert len(page.games()) == 1
    await node.live.services.background.finish(0)
    await cup.finish()


async def test_one_that_cannot_be_run_holds_up_no_other(cup, store, clock, caplog):
    broken = await cup.live.announce(CARLA, replace(TERMS, starts=clock.at + MINUTE_MS), "broken")
    clock.turn(MINUTE_MS)
    run = cup.live._run

    async def fail(room):
        if room.tournament.id == broken.id:
            raise ZeroDivisionError
        await run(room)

    cup.live._run = fail
    await cup.pass_time(4)
    assert len(await cup.under_way()) == 2
    assert f"tournament {broken.id} waits" in caplog.text


async def test_who_has_blocked_somebody_is_not_paired_with_them(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    node.live.services.blocks.replace_of(ANNA.id, [(ANNA.id, BEN.id)])
    await cup.pass_time(30)
    assert not await cup.under_way()
    await cup.live.join(cup.id, Seeker(CARLA, True))
    await cup.come(CARLA)
    await cup.pass_time(20)
    assert len(await cup.under_way()) == 1


async def test_a_playban_keeps_out_of_a_tournament_as_of_the_lobby(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    for n in range(9):
        node.live.services.playbans.count_abort(ANNA.id, f"game {n}", clock.at)
    await cup.pass_time(20)
    assert not await cup.under_way()
    assert (await cup.view()).wait_of(ANNA.id, clock.at).reason is WaitReason.BANNED
    await cup.live.stand_down(cup.id, ANNA.id, Standing.PAUSED)
    with pytest.raises(Playbanned):
        await cup.live.join(cup.id, Seeker(ANNA, True))


@pytest.mark.parametrize("terms", [TERMS, replace(TERMS, rated=True), SWISS], ids=["casual", "rated", "swiss"])
async def test_who_becomes_a_bot_after_they_joined_is_paired_with_nobody(store, clock, node, terms):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=terms)
    node.live.services.bots.add_bot(ANNA.id, ANNA.name)
    await cup.pass_time(30)
    assert not await cup.under_way()
    assert not await store.tournaments.results_of(cup.id), "nor did anybody lose their turn for it"
    await cup.live.join(cup.id, Seeker(CARLA, True))
    await cup.come(CARLA)
    await cup.pass_time(30)
    assert set(await cup.under_way()) == {frozenset((BEN.id, CARLA.id))}
    await cup.finish()


async def test_who_would_meet_the_last_opponent_again_is_heard_by_the_process_that_pairs(store, clock):
    here, there = (Node(store, clock, Line()) for _ in range(2))
    here.live.services.bus.others.append(there)
    cup = await Cup.begin(store, clock, here, people=(ANNA,))
    await there.live.tournaments.look(cup.id)
    await cup.live.meet_again(cup.id, ANNA.id)
    assert there.live.tournaments._rooms[cup.id].again == {ANNA.id: clock.at}
    await cup.finish()


async def test_a_swiss_of_those_whom_something_keeps_apart_or_out_ends_after_an_hour(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN, CARLA), terms=SWISS)
    node.live.services.blocks.replace_of(ANNA.id, [(ANNA.id, BEN.id)])
    kept_out = Sanction("s", CARLA, Measure.TOURNAMENTS, Reason.CHEATING, "", "", OLGA, NOW)
    node.live.services.sanctions.replace_all([kept_out], [])
    await cup.pass_time(2)
    assert not await cup.under_way()
    clock.turn(ALONE_MS)
    await cup.pass_time(1)
    assert (await store.tournaments.find_tournament(cup.id)).over
    await cup.finish()


async def test_those_in_which_nothing_happens_keep_no_other_from_its_turn(store, clock, node, monkeypatch):
    monkeypatch.setattr(running, "MOST_AT_ONCE", 2)
    for at, person in enumerate(PEOPLE):
        starts = NOW + MINUTE_MS + at // 2
        await node.live.tournaments.announce(person, replace(SWISS, starts=starts), "idle")
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=SWISS)
    await cup.pass_time(3)
    assert len(await cup.under_way()) == 1
    await cup.finish()


async def test_everybody_is_told_of_the_one_that_most_have_joined_and_of_nobody_s_who_may_not_be_read(
    store, clock, node
):
    live = node.live.tournaments

    async def told():
        clock.turn(NEXT_MS)
        found = await live.next_up()
        return found and (found.tournament.terms.name, found.joined)

    async def listed_to(person):
        lists = await live.listed(9, person.id if person else "")
        assert lists.joined.keys() == {one.id for one in (*lists.running, *lists.coming)}
        return {one.terms.name for one in (*lists.running, *lists.coming, *lists.finished)}

    for at, (name, organiser, people) in enumerate((("Big", ANNA, 2), ("Small", BEN, 1), ("Late", BEN, 0))):
        made = await live.announce(organiser, replace(TERMS, name=name, starts=STARTS + at), name)
        for person in (CARLA, DORA)[:people]:
            await live.join(made.id, Seeker(person, True))
    assert await told() == ("Big", 2)
    for measure in (Measure.MUTE, Measure.HIDE, Measure.SUSPEND):
        kept_out = Sanction("s", ANNA, measure, Reason.SPAM, "", "", OLGA, NOW)
        node.live.services.sanctions.replace_all([kept_out], [])
        assert await told() == ("Small", 1)
        assert await listed_to(None) == await listed_to(BEN) == {"Small", "Late"}
        for own in (ANNA, CARLA, DORA):
            assert await listed_to(own) == {"Big", "Small", "Late"}, "who takes part has to find it"
    clock.turn(STARTS - clock.at)
    assert await told() is None  # nobody can play in what is left
    node.live.services.sanctions.replace_all([], [])
    assert await told() == ("Big", 2)
    assert "Big" in await listed_to(None)
    await node.live.services.background.finish(0)


async def test_until_the_next_one_is_known_all_are_told_the_last_one(store, clock, node):
    live, waits = node.live.tournaments, asyncio.Event()
    made = await live.announce(ANNA, TERMS, "key")
    clock.turn(NEXT_MS)
    assert (await live.next_up()).tournament == made
    all_begun = store.tournaments.all_begun

    async def slow(now):
        await waits.wait()
        return await all_begun(now)

    store.tournaments.all_begun = slow
    clock.turn(NEXT_MS)
    asking = asyncio.create_task(live.next_up())
    await settle()
    assert (await live.next_up()).tournament == made
    waits.set()
    assert (await asking).tournament == made


async def test_what_nobody_can_play_is_ended_a_day_after_its_time_and_what_nobody_looks_at_is_forgotten(
    store, clock, node
):
    cup = await Cup.begin(store, clock, node, people=())
    odd = await cup.live.announce(OLGA, replace(TERMS, starts=clock.at + MINUTE_MS), "odd")
    await store.tournaments._table.set({"variant": "gone"}, _id=odd.id)
    clock.turn(31 * MINUTE_MS + 1)
    await cup.live.tick()
    clock.turn(61 * MINUTE_MS)
    await cup.live.tick()
    assert (await cup.view()).tournament.over
    assert cup.id in cup.live._rooms
    clock.turn(KEPT_MS + 1)
    await cup.live.tick()
    assert cup.id not in cup.live._rooms
    assert not (await store.tournaments.find_tournament(odd.id)).over
    clock.turn(DAY_MS + MINUTE_MS)
    await cup.live.tick()
    assert (await store.tournaments.find_tournament(odd.id)).called_off
    await cup.live.call_off(odd.id, Manager(OLGA))
    assert not await store.tournaments.acts_of(odd.id)
    await cup.finish()


async def test_the_end_moves_by_the_time_for_which_nobody_paired(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN))
    await cup.pass_time(1)
    ends = (await cup.view()).tournament.ends
    clock.turn(60_000)
    other = Cup(store, clock, Node(store, clock))
    other.id = cup.id
    await other.pass_time(1)
    moved = (await other.view()).tournament.ends - ends
    assert 50_000 <= moved <= 62_000
    await other.finish()


# --- whatever happens -------------------------------------------------------------------------------------------------

STEPS = st.one_of(
    st.tuples(st.sampled_from(["come", "go", "join", "pause", "leave", "delete"]), st.sampled_from(PEOPLE)),
    st.tuples(st.sampled_from(["resign", "wait", "long", "crash", "cut", "second", "back"]), st.integers(0, 3)),
)


class Line(Deaf):
    """What is told on it arrives at the other node at once."""

    def __init__(self):
        self.others = []

    def tell(self, notice):
        for node in self.others:
            node.live.others.hear_notice(notice)


async def carry_out(cup, step):
    what, which = step
    try:
        match what:
            case "come":
                await cup.come(which, len(cup.pages) % len(cup.nodes))
            case "go":
                await cup.leave(which)
            case "join":
                await cup.live.join(cup.id, Seeker(which, True))
            case "pause" | "leave":
                standing = Standing.PAUSED if what == "pause" else Standing.LEFT
                await cup.live.stand_down(cup.id, which.id, standing)
            case "delete":
                await cup.store.forget_owned(which.id)
                cup.clock.turn(LOOK_EVERY_MS)
            case "resign":
                if playing := list((await cup.under_way()).values()):
                    await cup.resign(playing[which % len(playing)].game)
            case "wait" | "long":
                await cup.pass_time(which if what == "wait" else 10 * which)
            case "crash" | "cut":
                if what == "cut":
                    await cut_short(cup)
                cup.pages.clear()
                cup.nodes[:] = [Node(cup.store, cup.clock)]
                cup.clock.turn(6_000)
            case "second" if len(cup.nodes) == 1:
                cup.pages.clear()
                cup.nodes[:] = [Node(cup.store, cup.clock, Line()) for _ in range(2)]
                for node, other in (cup.nodes, cup.nodes[::-1]):
                    node.live.services.bus.others.append(other)
                cup.clock.turn(6_000)
            case "back":
                cup.clock.turn(-1_000 * which)
    except NotAllowed:
        pass


async def cut_short(cup):
    """The store takes no game any more, so the next wave is stored and not carried out."""
    create = cup.store.create

    async def away(game):
        raise Unavailable("gone")

    cup.store.create = away
    with suppress(Unavailable):
        await cup.pass_time(6)
    cup.store.create = create


async def check(cup):
    """No double game, nobody in two games at once, and the table is the fold of what is stored."""
    waves = await cup.store.tournaments.waves_of(cup.id)
    pairings = [one for wave in waves for one in wave]
    assert [wave[0].wave for wave in waves] == list(range(1, len(waves) + 1))
    assert len({one.game for one in pairings}) == len(pairings)
    live = Counter()
    for pairing in pairings:
        game = await cup.store.load(pairing.game)
        if game is not None and game.status is Status.LIVE:
            live.update((pairing.white, pairing.black))
    assert max(live.values(), default=0) <= 1, "somebody plays two games"
    view = await cup.view()
    entrants = {one.person.id: one for one in await cup.store.tournaments.entrants_of(cup.id)}
    results = [*await cup.store.tournaments.results_of(cup.id)]
    results += [result_without_game(one) for one in pairings if not one.is_game]
    fold = standings(format_of(view.tournament), view.tournament, entrants, results)
    assert list(view.sheets) == list(fold)
    return view


def test_of_two_tables_that_are_made_at_once_the_one_that_knows_more_stays():
    room = running.Room(announced("cup", OLGA, SWISS, NOW))
    room.keep_entrants([Entrant(one, 1500, False, NOW) for one in (ANNA, BEN)])
    older = room.fold()
    for _ in range(3):
        next(older)
    room.keep_entrants([Entrant(CARLA, 1600, False, NOW)])
    run_at_once(room.fold())
    assert len(room.sheets) == 3
    run_at_once(older)
    assert len(room.sheets) == 3


async def whatever_happens_in_swiss(steps):
    clock = HandClock()
    store = MemoryStore()
    cup = await Cup.begin(store, clock, Node(store, clock), terms=SWISS)
    for step in steps:
        await carry_out(cup, step)
        await check_rounds(cup)
    clock.turn(max(0, NOW + 5 * MINUTE_MS - clock.at))
    for _ in range(SWISS.rounds):
        await cup.pass_time(SWISS.rest_s + 8)
        await play_round(cup)
    await cup.pass_time(2)
    view = await check_rounds(cup)
    if view.tournament.over and not view.tournament.called_off:
        assert view.tournament.winner == winner_of(view.sheets)
        await check_places(cup)
    # Every round has begun for which two were there.
    assert view.tournament.over or len(view.field.waiting) < 2
    await cup.finish()


async def play_round(cup):
    """Somebody resigns in every game."""
    for pairing in (await cup.under_way()).values():
        await cup.resign(pairing.game)


async def check_rounds(cup):
    """As `check`; and nobody is in a round twice, or left over twice."""
    view = await check(cup)
    free = Counter()
    for wave in await cup.store.tournaments.waves_of(cup.id):
        people = [person for one in wave for person in (one.white, one.black) if person not in (FREE, HALF)]
        assert len(people) == len(set(people))
        free.update(one.white for one in wave if one.black == FREE)
    assert max(free.values(), default=0) <= 1
    return view


async def check_places(cup):
    """What everybody has come to is stored as the table says it, and for nobody else."""
    view = await cup.view()
    stored = {one.person.id: one.placing for one in await cup.store.tournaments.entrants_of(cup.id) if one.placing}
    assert stored == placings(view.tournament, view.sheets)
    assert [stored[one.person].points for one in view.sheets if one.played] == [
        one.points for one in view.sheets if one.played
    ]


async def whatever_happens(steps):
    clock = HandClock()
    store = MemoryStore()
    cup = await Cup.begin(store, clock, Node(store, clock))
    for step in steps:
        await carry_out(cup, step)
        await check(cup)
    # In the end everybody who wants to play is there, and plays in time.
    clock.turn(max(0, NOW + 5 * MINUTE_MS - clock.at))
    for person in PEOPLE:
        await cup.come(person)
    await cup.pass_time(longest_wait_ms((await cup.view()).tournament) // 1_000 + 8)
    view = await check(cup)
    if clock.at < view.tournament.ends - 3 * MINUTE_MS:
        waiting = view.field.waiting
        assert not [
            (one.person, other.person)
            for one in waiting
            for other in waiting
            if one.person < other.person
            and other.person not in [met[0] for met in one.met[-1:]]
            and one.person not in [met[0] for met in other.met[-1:]]
            and len({color for _, color in (*one.met[-3:], *other.met[-3:])}) != 1
        ], "two who may meet wait"
    await cup.finish()


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=14))
def test_whatever_happens_nobody_plays_twice_and_the_table_is_what_was_played(steps):
    asyncio.run(whatever_happens(steps))


@settings(max_examples=40, deadline=None)
@given(st.lists(STEPS, max_size=14))
def test_whatever_happens_in_a_swiss_nobody_plays_twice_and_every_round_begins(steps):
    asyncio.run(whatever_happens_in_swiss(steps))


async def test_a_swiss_is_played_to_its_end_with_nobody_met_or_left_over_twice(store, clock, node):
    cup = await Cup.begin(store, clock, node, terms=SWISS)
    await cup.pass_time(2)
    for _ in range(SWISS.rounds):
        assert len(await cup.under_way()) == 2
        assert all(cup.pages[person].games() for pair in await cup.under_way() for person in pair)
        await play_round(cup)
        await cup.pass_time(SWISS.rest_s + 2)
    view = await check_rounds(cup)
    assert view.tournament.over
    assert not view.tournament.called_off
    for sheet in view.sheets:
        opponents = [one.opponent for one in sheet.played]
        assert len(opponents) == len(set(opponents)) == SWISS.rounds
    assert sum(one.points for one in view.sheets) == 2 * 3 * SWISS.rounds
    await cup.finish()


async def test_in_a_swiss_all_who_have_joined_play_whether_their_page_is_open_or_not(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=SWISS)
    await cup.leave(ANNA)
    clock.turn(GRACE_MS + 1)
    await cup.pass_time(2)
    assert len(await cup.under_way()) == 1
    await cup.finish()


async def test_a_pause_is_for_the_next_round_only_and_can_be_asked_for_again(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN, CARLA), terms=SWISS)
    rounds = []
    for who in (CARLA, None, CARLA):
        if who is not None:
            await cup.live.stand_down(cup.id, who.id, Standing.PAUSED)
        await cup.pass_time(SWISS.rest_s + 2)
        rounds.append({one.white: one.black for one in (await store.tournaments.waves_of(cup.id))[-1]})
        await play_round(cup)
    assert rounds[0][CARLA.id] == HALF
    assert HALF not in rounds[1].values()
    assert len(rounds[1]) == 2  # a game, and somebody left over
    assert CARLA.id not in [*rounds[2], *rounds[2].values()]  # half a point is given once
    await cup.finish()


async def test_the_organiser_begins_each_round_and_pressing_twice_begins_one(store, clock, node):
    cup = await Cup.begin(store, clock, node, terms=replace(SWISS, rest_s=0))
    await cup.pass_time(2)
    for by, number in ((OLGA, 2), (ANNA, 2)):
        with pytest.raises(NotAllowed):
            await cup.live.begin_round(cup.id, Manager(by), number)
    await play_round(cup)
    await cup.pass_time(60)
    assert not await cup.under_way()
    await cup.live.begin_round(cup.id, Manager(OLGA), 2)
    await cup.live.begin_round(cup.id, Manager(OLGA), 2)
    await cup.pass_time(2)
    assert len(await store.tournaments.waves_of(cup.id)) == 2
    assert len(await cup.under_way()) == 2
    await cup.finish()


async def test_rounds_begin_at_their_dates_and_late_if_the_last_one_takes_longer(store, clock, node):
    hour = 60 * MINUTE_MS
    terms = replace(SWISS, rounds=3, rest_s=0, dates=(STARTS + 2 * hour, STARTS + 4 * hour))
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=terms)
    await cup.pass_time(2)
    await play_round(cup)
    with pytest.raises(NotAllowed, match="tournament_no_round"):
        await cup.live.begin_round(cup.id, Manager(OLGA), 2)
    clock.turn(STARTS + 2 * hour - clock.at - 3_000)
    await cup.pass_time(2)
    assert (await cup.view()).wait_of(ANNA.id, clock.at).reason is WaitReason.NEXT_ROUND
    assert not (await cup.view()).tournament.over, "an hour without a game is no end"
    await cup.pass_time(3)
    assert [one[0].wave for one in await store.tournaments.waves_of(cup.id)] == [1, 2]
    await play_round(cup)
    clock.turn(STARTS + 4 * hour - clock.at)
    await cup.pass_time(2)
    assert [one[0].wave for one in await store.tournaments.waves_of(cup.id)] == [1, 2, 3]
    await cup.finish()


async def test_nobody_is_paired_with_whom_the_organiser_keeps_them_apart_from(store, clock, node):
    terms = replace(SWISS, rounds=3, apart=(("anna", "ben"), ("carla", "dora", "zoe")))
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN, CARLA, DORA), terms=terms)
    for _ in range(3):
        await cup.pass_time(SWISS.rest_s + 2)
        await play_round(cup)
    waves = await store.tournaments.waves_of(cup.id)
    pairs = [{one.white, one.black} for wave in waves for one in wave if one.is_game]
    assert len(pairs) >= 4
    assert {ANNA.id, BEN.id} not in pairs
    assert {CARLA.id, DORA.id} not in pairs
    await cup.finish()


async def test_nobody_new_joins_a_swiss_after_half_of_its_rounds_but_who_left_comes_back(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN, CARLA, DORA), terms=replace(SWISS, rounds=3))
    await cup.pass_time(2)
    await play_round(cup)
    await cup.live.stand_down(cup.id, DORA.id, Standing.LEFT)
    await cup.pass_time(SWISS.rest_s + 2)
    with pytest.raises(NotAllowed):
        await cup.live.join(cup.id, Seeker(EMIL, True))
    assert (await cup.live.join(cup.id, Seeker(DORA, True))).standing is Standing.IN
    await cup.finish()


async def test_a_result_that_the_organiser_corrects_counts_on_every_process_and_the_last_one_stays(store, clock, nodes):
    one, two = nodes
    cup = await Cup.begin(store, clock, one, two, people=(ANNA, BEN), terms=SWISS)
    await cup.pass_time(2)
    (pairing,) = (await cup.under_way()).values()
    by, game = Manager(OLGA), pairing.game
    with pytest.raises(NotAllowed, match="tournament_no_result"):
        await cup.live.correct_result(cup.id, by, game, Correction.WHITE)
    await cup.resign(game)
    await cup.pass_time(1)
    with pytest.raises(NotAllowed, match="tournament_not_yours"):
        await cup.live.correct_result(cup.id, Manager(ANNA), game, Correction.DRAW)
    for correction in (Correction.DRAW, Correction.DRAW, Correction.VOID, Correction.NO_WHITE):
        await cup.live.correct_result(cup.id, by, game, correction)
    await cup.pass_time(LOOK_EVERY_MS // 1_000)  # they hear nothing of each other
    for node in (one, two):
        view = await node.live.tournaments.look(cup.id)
        assert {sheet.person: sheet.points for sheet in view.sheets} == {pairing.white: 0, pairing.black: 2}
        assert [(act.number, act.said, act.by) for act in view.acts] == [
            (1, "draw", OLGA),
            (2, "void", OLGA),
            (3, "no_white", OLGA),
        ]
    assert (await store.load(game)).outcome.reason == "resign"
    await cup.finish()


async def test_a_correction_after_the_end_may_change_who_has_won_until_results_are_final(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=replace(SWISS, rounds=3))
    for _ in range(3):
        await cup.pass_time(SWISS.rest_s + 2)
        await play_round(cup)
    await cup.pass_time(2)
    before = await store.tournaments.find_tournament(cup.id)
    winner = before.winner.id
    await check_places(cup)
    (was,) = await store.tournaments.placings_of(winner, "swiss", 9)
    assert (was[0], was[1].place, was[1].of) == (cup.id, 1, 2)
    for result in await store.tournaments.results_of(cup.id):
        other = Correction.BLACK if result.pairing.white == winner else Correction.WHITE
        await cup.live.correct_result(cup.id, Manager(CARLA, of_site=True), result.pairing.game, other)
    after = await store.tournaments.find_tournament(cup.id)
    assert {winner, after.winner.id} == {ANNA.id, BEN.id}
    await check_places(cup)
    (now,) = await cup.live.placings_of(winner, 9)
    assert (now[0], now[1].place, now[1].ended) == (after, 2, before.over)
    clock.turn(CORRECTED_MS)
    with pytest.raises(NotAllowed, match="tournament_final"):
        await cup.live.correct_result(cup.id, Manager(OLGA), result.pairing.game, Correction.VOID)
    await cup.finish()


async def test_places_of_a_tournament_that_was_ended_in_that_very_moment_are_nobody_s(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=replace(SWISS, rounds=3))
    keep = store.tournaments.keep_placings

    async def ended_meanwhile(tournament, placings):
        await keep(tournament, placings)
        await cup.live.call_off(cup.id, Manager(OLGA))

    store.tournaments.keep_placings = ended_meanwhile
    for _ in range(3):
        await cup.pass_time(SWISS.rest_s + 2)
        await play_round(cup)
    await cup.pass_time(2)
    assert (await store.tournaments.find_tournament(cup.id)).called_off
    assert list(await store.tournaments.placings_of(ANNA.id, "swiss", 9))
    assert await cup.live.placings_of(ANNA.id, 9) == []
    await cup.finish()


@pytest.mark.parametrize("seed", range(6))
async def test_the_winner_is_the_first_of_the_table_also_when_they_are_not_in_the_last_round(store, clock, node, seed):
    chance = random.Random(seed)
    terms = replace(SWISS, rounds=3)
    cup = await Cup.begin(store, clock, node, terms=terms)
    for number in range(1, terms.rounds + 1):
        if number == terms.rounds:
            await cup.live.stand_down(cup.id, (await cup.view()).sheets[0].person, Standing.LEFT)
        await cup.pass_time(terms.rest_s + 2)
        for pairing in (await cup.under_way()).values():
            found = await node.rounds.get(pairing.game)
            await found.submit(Resign(chance.choice([Color.WHITE, Color.BLACK])), clock.at)
            await settle()
    await cup.pass_time(2)
    kept = await store.tournaments.find_tournament(cup.id)
    assert kept.over
    assert kept.winner.id == (await cup.view()).sheets[0].person
    await cup.finish()


async def test_who_played_since_is_paired_also_if_an_old_round_is_corrected_to_a_miss(store, clock, node):
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=SWISS)
    games = []
    for _ in range(2):
        await cup.pass_time(SWISS.rest_s + 2)
        games += (await cup.under_way()).values()
        await play_round(cup)
    old, latest = games
    await cup.live.correct_result(cup.id, Manager(OLGA), old.game, Correction.NO_WHITE)
    assert {one.person for one in (await cup.view()).field.waiting} == {ANNA.id, BEN.id}
    await cup.live.correct_result(cup.id, Manager(OLGA), latest.game, Correction.NO_BLACK)
    assert [one.person for one in (await cup.view()).field.waiting] == [latest.white]
    await cup.live.join(cup.id, Seeker(next(one for one in PEOPLE if one.id == latest.black), True))
    await cup.pass_time(SWISS.rest_s + 2)
    assert len(await cup.under_way()) == 1
    await cup.finish()


async def test_results_of_an_arena_are_not_corrected(cup):
    await cup.pass_time(4)
    (game, *_) = [one.game for one in (await cup.under_way()).values()]
    await cup.resign(game)
    with pytest.raises(NotAllowed, match="no_rounds"):
        await cup.live.correct_result(cup.id, Manager(OLGA), game, Correction.DRAW)
    assert not await cup.store.tournaments.acts_of(cup.id)


async def test_what_organisers_do_is_noted_with_who_has_done_it_and_once(store, clock, node):
    cup = await Cup.begin(store, clock, node, terms=replace(SWISS, rest_s=0))
    await cup.pass_time(2)
    await play_round(cup)
    for number in (0, 1):
        with suppress(NotAllowed):
            await cup.live.begin_round(cup.id, Manager(OLGA), number)
    for _ in range(2):
        await cup.live.take_out(cup.id, Manager(CARLA, of_site=True), BEN.id)
        await cup.live.begin_round(cup.id, Manager(OLGA), 2)
        await cup.live.call_off(cup.id, Manager(OLGA))
    acts = [(act.kind.value, act.about, act.by) for act in (await cup.view()).acts]
    assert acts == [("out", BEN.id, CARLA), ("round", "2", OLGA), ("end", "", OLGA)]
    await store.forget_owned(OLGA.id)
    clock.turn(LOOK_EVERY_MS)
    assert [act.by.name for act in (await cup.view()).acts] == ["Carla", DELETED_NAME, DELETED_NAME]
    await cup.finish()


async def test_players_have_as_long_as_the_organiser_says_to_come_to_the_board(store, clock, node):
    terms = replace(SWISS, no_show_s=600)
    cup = await Cup.begin(store, clock, node, people=(ANNA, BEN), terms=terms)
    await cup.pass_time(2)
    (pairing,) = (await cup.under_way()).values()
    found = await node.rounds.get(pairing.game)
    begun = found.game.created
    assert found.game.expires == begun + 600_000
    # Whoever moves at once takes nothing from the other one.
    await found.submit(PlayMove(Color.WHITE, "e2e4", 0), clock.at)
    assert found.game.expires == begun + 600_000
    clock.turn(590_000)
    await cup.pass_time(1)
    assert found.game.status is Status.LIVE
    await cup.pass_time(15)
    assert found.game.status is Status.OVER
    assert {one.person: one.points for one in (await cup.view()).sheets} == {pairing.white: 2, pairing.black: 0}
    await cup.finish()
