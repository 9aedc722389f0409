"""Tournaments in every store: one process pairs, a wave and a result are stored once, and five are announced a day."""

import asyncio
from dataclasses import replace

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import NotAllowed
from server.games.player import DELETED_NAME
from server.games.tournaments import tournament
from server.games.tournaments.tournament import (
    A_DAY,
    MOST_OF_GAME,
    MOST_OPEN,
    TELLING_MS,
    Act,
    ActKind,
    Correction,
    Entrant,
    GameResult,
    Pairing,
    Placing,
    Played,
    Scoring,
    Sheet,
    Standing,
    TournamentTerms,
    announced,
    called_off,
    finished,
    news_claimed,
    news_told,
    next_section,
    stood_down,
)
from server.rules.variant.pieces import Color
from tests.support.games import START
from tests.support.storage.rated_games import ANNA, BERTA

TERMS = TournamentTerms("Cup", "arena", "chess", False, TimeControl.realtime(60_000, 0), True, START, 20)
SWISS = replace(TERMS, format="swiss", minutes=0, scoring=Scoring.PLAIN, rounds=3)
SECTION = replace(TERMS, format="robin", minutes=0, control=TimeControl.correspondence(3), size=4)
CUP = announced("cup", ANNA, TERMS, START - 1)
PAIRING = Pairing("g1", 1, 0, ANNA.id, BERTA.id, START)
PLAYED = Played("g1", ANNA.id, Color.BLACK, True, False, 2, False, False, False, START)


async def test_what_is_announced_is_found_until_it_is_over(store):
    kept = store.tournaments
    await kept.announce_tournament(CUP)
    await kept.announce_tournament(CUP)
    assert await kept.find_tournament("cup") == CUP
    assert (await kept.announced_by(ANNA.id), await kept.announced_by(BERTA.id)) == ([CUP], [])
    assert (list(await kept.coming(START - 1, 9)), list(await kept.begun(START - 1, 9))) == ([CUP], [])
    assert (list(await kept.coming(START, 9)), list(await kept.begun(START, 9))) == ([], [CUP])
    assert (list(await kept.all_begun(START - 1)), list(await kept.all_begun(START))) == ([], ["cup"])
    assert list(await kept.tournaments_among({"cup", "none"})) == [CUP]
    done = finished(CUP, START + 9, [Sheet(Entrant(BERTA, 1500, False, START), (PLAYED,))])
    assert done.winner == BERTA
    assert await kept.change_tournament(done)
    assert (list(await kept.begun(START, 9)), list(await kept.finished(START + 10, 9))) == ([], [done])
    assert not list(await kept.finished(START + 9, 9))


@pytest.mark.parametrize("terms", [SWISS, SECTION], ids=lambda terms: terms.format)
async def test_the_final_table_is_news_until_it_has_been_told(store, terms):
    kept = store.tournaments
    cup = announced("cup", ANNA, terms, START - 1)
    await kept.announce_tournament(cup)
    assert not list(await kept.with_news(START + 9, 9))
    done = finished(cup, START + 9, [Sheet(Entrant(BERTA, 1500, False, START), (PLAYED,))])
    assert await kept.change_tournament(done)
    assert (list(await kept.with_news(START + 8, 9)), list(await kept.with_news(START + 9, 9))) == ([], [done])
    claimed = news_claimed(done, START + 10)
    assert await kept.change_tournament(claimed)
    assert not await kept.change_tournament(claimed), "another process has claimed it"
    assert not list(await kept.with_news(START + 10, 9))
    assert list(await kept.with_news(START + 10 + TELLING_MS, 9)) == [claimed], "if that process has died"
    assert await kept.change_tournament(news_told(claimed, START + 11))
    assert not list(await kept.with_news(START + DAY_MS, 9))


async def test_one_person_corrects_so_many_results_and_everything_else_that_is_done_is_noted(store, monkeypatch):
    monkeypatch.setattr(tournament, "MOST_CORRECTIONS", MOST_OF_GAME + 2)
    kept = store.tournaments

    def correction(game, number, by=ANNA):
        return Act(ActKind.RESULT, game, by, START, number, Correction.DRAW.value)

    for number in range(1, MOST_OF_GAME + 1):
        assert await kept.add_act("cup", correction("g1", number))
    with pytest.raises(NotAllowed, match="tournament_corrected"):
        await kept.add_act("cup", correction("g1", MOST_OF_GAME + 1))
    for game in ("g2", "g3"):
        assert await kept.add_act("cup", correction(game, 1))
    with pytest.raises(NotAllowed, match="tournament_corrections"):
        await kept.add_act("cup", correction("g4", 1))
    assert await kept.add_act("cup", correction("g1", MOST_OF_GAME + 1, BERTA))
    assert await kept.add_act("cup", Act(ActKind.OUT, BERTA.id, ANNA, START))
    assert await kept.add_act("cup", Act(ActKind.END, "", ANNA, START))
    assert len(await kept.acts_of("cup")) == MOST_OF_GAME + 5
    assert [(id, act.by) for id, act in await kept.acts_by(BERTA.id)] == [("cup", BERTA)]


async def test_of_two_changes_at_once_one_is_stored(store):
    await store.tournaments.announce_tournament(CUP)
    assert await store.tournaments.change_tournament(finished(CUP, START + 9))
    assert not await store.tournaments.change_tournament(called_off(CUP, START + 9))


async def test_one_person_announces_five_within_a_day_however_many_at_once(store):
    made = [replace(CUP, id=f"cup{n}") for n in range(A_DAY + 2)]
    told = await asyncio.gather(*map(store.tournaments.announce_tournament, made), return_exceptions=True)
    assert sum(isinstance(one, NotAllowed) for one in told) == 2
    assert len(await store.tournaments.begun(START, 99)) == A_DAY
    await store.tournaments.announce_tournament(replace(CUP, id="later", created=CUP.created + DAY_MS + 1))


async def test_one_person_has_ten_that_are_not_over(store):
    for n in range(MOST_OPEN):
        await store.tournaments.announce_tournament(replace(CUP, id=f"cup{n}", created=n * DAY_MS))
    with pytest.raises(NotAllowed, match="tournaments_open"):
        await store.tournaments.announce_tournament(CUP)
    assert await store.tournaments.change_tournament(finished(replace(CUP, id="cup0", created=0), START))
    await store.tournaments.announce_tournament(CUP)


async def test_one_process_leases_a_tournament_and_another_once_that_is_over(store):
    kept = store.tournaments
    await kept.announce_tournament(CUP)
    assert await kept.lease("cup", "one", START, START + 10) == 1
    assert await kept.lease("cup", "two", START + 9, START + 20) == 0
    assert await kept.lease("cup", "one", START + 9, START + 20) == 1
    assert await kept.lease("cup", "two", START + 21, START + 30) == 2


async def test_a_wave_is_stored_once_and_only_by_who_leases_the_tournament(store):
    kept = store.tournaments
    await kept.announce_tournament(CUP)
    term = await kept.lease("cup", "one", START, START + 10)
    assert not await kept.add_wave("cup", [PAIRING], "two", term)
    assert not await kept.add_wave("cup", [PAIRING], "one", term + 1)
    assert await kept.add_wave("cup", [PAIRING], "one", term)
    assert not await kept.add_wave("cup", [replace(PAIRING, game="other")], "one", term)
    assert [list(wave) for wave in await kept.waves_of("cup")] == [[PAIRING]]
    assert not list(await kept.waves_of("cup", after=1))


async def test_a_result_counts_once(store):
    result = GameResult(PAIRING, Color.WHITE, 20, START + 5, berserk=(False, True))
    assert await store.tournaments.add_result("cup", result)
    assert not await store.tournaments.add_result("cup", replace(result, winner=Color.BLACK))
    assert list(await store.tournaments.results_of("cup")) == [result]


async def test_what_an_entrant_says_counts_only_after_what_they_had_said(store):
    kept, anna = store.tournaments, Entrant(ANNA, 1500, False, START, at=START)
    assert await kept.keep_entrant("cup", None, anna)
    assert not await kept.keep_entrant("cup", None, anna)
    paused = stood_down(anna, Standing.PAUSED, START + 1)
    assert await kept.keep_entrant("cup", anna, paused)
    assert not await kept.keep_entrant("cup", anna, stood_down(anna, Standing.LEFT, START + 2))
    assert (await kept.entries_of(ANNA.id), await kept.entries_of(BERTA.id)) == ([("cup", paused)], [])
    assert await kept.find_entrant("cup", ANNA.id) == paused


async def test_who_is_deleted_is_named_so_and_plays_no_more(store):
    kept = store.tournaments
    await kept.announce_tournament(CUP)
    await kept.announce_tournament(replace(CUP, id="other"))
    anna = Entrant(ANNA, 1500, False, START, at=START)
    for id in ("cup", "other"):
        await kept.keep_entrant(id, None, anna)
    await kept.change_tournament(finished(CUP, START + 9, [Sheet(anna, (PLAYED,))]))
    await store.forget_owned(ANNA.id)
    # A merge is carried out again until all is done, which says nothing new.
    await store.forget_owned(ANNA.id)
    (gone,) = await kept.entrants_of("other")
    assert (gone.person.name, gone.standing, gone.at) == (DELETED_NAME, Standing.OUT, START + 1)
    # In what is over they have been to the end.
    (there,) = await kept.entrants_of("cup")
    assert (there.person.name, there.standing, there.at) == (DELETED_NAME, Standing.IN, START)
    found = await kept.find_tournament("cup")
    assert (found.organiser.name, found.winner.name) == (DELETED_NAME, DELETED_NAME)


async def test_what_somebody_has_come_to_is_found_by_format_the_last_one_first(store):
    kept = store.tournaments
    for number, format in enumerate(("arena", "swiss", "swiss", "swiss")):
        cup = replace(CUP, id=f"cup{number}", terms=replace(TERMS, format=format))
        for one in (ANNA, BERTA):
            await kept.keep_entrant(cup.id, None, Entrant(one, 1500, False, START))
        for place in (2, 1):
            await kept.keep_placings(cup, {ANNA.id: Placing(place, 9, 11, START + number)})
    found = await kept.placings_of(ANNA.id, "swiss", 2)
    assert list(found) == [(f"cup{number}", Placing(1, 9, 11, START + number)) for number in (3, 2)]
    assert (list(await kept.placings_of(BERTA.id, "swiss", 9)), len(await kept.placings_of(ANNA.id, "arena", 9))) == (
        [],
        1,
    )
    assert (await kept.find_entrant("cup0", ANNA.id)).placing == Placing(1, 9, 11, START)


async def test_who_takes_part_is_counted_and_found_without_reading_them_all(store):
    kept, anna = store.tournaments, Entrant(ANNA, 1500, False, START, at=START)
    for one in (anna, replace(anna, person=BERTA)):
        await kept.keep_entrant("cup", None, one)
    assert await kept.keep_entrant("cup", anna, stood_down(anna, Standing.LEFT, START + 1))
    assert await kept.count_joined("cup") == 1
    assert [await kept.joined_of(one.id, ["cup", "other"]) for one in (ANNA, BERTA)] == [set(), {"cup"}]


async def test_a_wave_is_known_to_be_made_once_that_is_noted(store):
    kept = store.tournaments
    await kept.announce_tournament(CUP)
    term = await kept.lease("cup", "one", START, START + 10)
    await kept.add_wave("cup", [PAIRING], "one", term)
    assert await kept.unmade_waves("cup") == {1}
    for _ in range(2):
        await kept.note_made("cup", 1)
    assert await kept.unmade_waves("cup") == set()


@pytest.mark.parametrize("field", ["initial", "starts"])
async def test_a_damaged_tournament_is_left_out(store, field):
    await store.tournaments.announce_tournament(CUP)
    await store.tournaments.announce_tournament(replace(CUP, id="other"))
    await store.tournaments._table.set({field: 2**62}, _id="cup")
    assert [one.id for one in await store.tournaments.begun(START, 9)] == ["other"]


async def test_sections_of_an_event_are_found_by_their_place_and_those_that_are_open(store):
    kept, days = store.tournaments, TimeControl.correspondence(3)
    terms = TournamentTerms("Club", "robin", "chess", False, days, True, START, 0, Scoring.PLAIN, berserk=False, size=5)
    first = announced("first", ANNA, terms, START)
    await kept.announce_tournament(first)
    second, final = next_section("second", first, 1, 2, START + 1), next_section("final", first, 2, 1, START + 2)
    assert [await kept.open_section(one) for one in (second, final, second)] == [True, True, False]
    assert await kept.find_tournament("second") == second
    assert [one.id for one in await kept.sections_of("first")] == ["first", "second", "final"]
    assert (await kept.last_section("first", 1), await kept.last_section("first", 3)) == (second, None)
    assert await kept.change_tournament(replace(first, called=1, led_to="final", rev=2))
    assert list(await kept.all_sections()) == ["second", "final", "first"]
    assert [one.id for one in await kept.open_sections(9)] == ["final", "second"]
    assert [one.id for one in await kept.open_sections(1)] == ["final"]
    assert [(one.id, one.led_to) for one in await kept.begun_sections(9)] == [("first", "final")]
    assert await kept.change_tournament(called_off(second, START + 9))
    assert list(await kept.all_sections()) == ["final", "first"]
    assert [one.id for one in await kept.open_sections(9)] == ["final"]
    # They have no time at which they start.
    assert (list(await kept.all_begun(START)), list(await kept.begun(START, 9))) == ([], [])
    assert not list(await kept.coming(START - 1, 9))


async def test_what_opens_by_itself_takes_none_of_what_its_organiser_may_announce(store):
    days = TimeControl.correspondence(3)
    terms = TournamentTerms("Club", "robin", "chess", False, days, True, START, 0, Scoring.PLAIN, berserk=False, size=5)
    first = announced("first", ANNA, terms, START)
    await store.tournaments.announce_tournament(first)
    for number in range(2, MOST_OPEN + 3):
        await store.tournaments.open_section(next_section(f"s{number}", first, 1, number, START))
        await store.tournaments.open_section(next_section(f"w{number}", first, number, 1, START))
    await store.tournaments.announce_tournament(CUP)


async def test_an_event_counts_among_those_that_are_open_as_long_as_any_of_its_sections_is(store):
    kept, days = store.tournaments, TimeControl.correspondence(3)
    terms = TournamentTerms("Club", "robin", "chess", False, days, True, START, 0, Scoring.PLAIN, berserk=False, size=5)
    for number in range(MOST_OPEN):
        event = announced(f"e{number}", ANNA, terms, START + number * DAY_MS)
        await kept.announce_tournament(event)
        await kept.open_section(next_section(f"f{number}", event, 1, 2, START + number * DAY_MS))
        assert await kept.change_tournament(finished(event, START + number * DAY_MS))
    late = replace(CUP, created=START + MOST_OPEN * DAY_MS)
    with pytest.raises(NotAllowed, match="tournaments_open"):
        await kept.announce_tournament(late)
    assert await kept.find_tournament(late.id) is None
    second = await kept.find_tournament("f3")
    assert await kept.change_tournament(called_off(second, START + MOST_OPEN * DAY_MS))
    await kept.announce_tournament(late)


async def test_the_end_of_a_section_does_not_move_however_seldom_it_is_looked_at(store):
    days = TimeControl.correspondence(3)
    terms = TournamentTerms("Club", "robin", "chess", False, days, True, START, 0, Scoring.PLAIN, berserk=False, size=5)
    section = announced("first", ANNA, terms, START)
    await store.tournaments.announce_tournament(section)
    assert await store.tournaments.lease("first", "one", START, START + 10)
    assert await store.tournaments.lease("first", "two", START + 60_000, START + 60_010)
    assert (await store.tournaments.find_tournament("first")).ends == section.ends
