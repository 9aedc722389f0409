"""A defect that shows in one game, account or person keeps the regular work of no other waiting, today or for ever."""

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.clocks.vacations import day_at
from server.games.status import Status
from server.realtime.cluster.bus import PresenceChanged
from server.realtime.play.round import Round
from server.realtime.play.round_timers import DOUBT_MS
from server.realtime.runtime.background import act_on_each
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable, Unreadable
from tests.support.realtime.node import BLACK, WHITE

TEN_DAYS = TimeControl.correspondence(10)


@pytest.fixture
async def two_games(nodes, variants):
    """Ids of two games in which White is to move and has the same time left, at the first of two processes."""
    here, _ = nodes
    return [(await here.opened(variants, control=TEN_DAYS))[0] for _ in range(2)]


@pytest.fixture
def broken(two_games, monkeypatch):
    """Nothing can be done to the first of them, by a defect."""
    for name in ("submit", "refresh", "repeat_presence"):
        whole = getattr(Round, name)

        def fails(self, *args, whole=whole, **options):
            if self.game.id == two_games[0]:
                raise RuntimeError("a defect")
            return whole(self, *args, **options)

        monkeypatch.setattr(Round, name, fails)


@pytest.mark.usefixtures("broken")
async def test_the_other_game_is_over_in_time(nodes, two_games, store, clock, caplog):
    clock.turn(10 * DAY_MS + DOUBT_MS + 1)
    await nodes[1].rounds.check_deadlines()
    assert [store.games[game].status for game in two_games] == [Status.LIVE, Status.OVER]
    assert f"regular work for game {two_games[0]} failed" in caplog.text


@pytest.mark.usefixtures("broken")
async def test_the_other_player_is_reminded(nodes, two_games, store, clock):
    clock.turn(5 * DAY_MS)
    await nodes[0].rounds.remind_players()
    assert [store.games[game].clock.reminded for game in two_games] == [0, 2]


@pytest.mark.usefixtures("broken")
async def test_where_the_other_players_are_is_repeated(nodes, two_games):
    told = []
    nodes[0].live.services.bus.tell = told.append
    await nodes[0].live.others.keep_in_touch()
    places = {(one.game, one.color) for one in told if isinstance(one, PresenceChanged)}
    assert places == {(two_games[1], color) for color in Color}


async def test_the_other_person_comes_back_from_a_vacation(nodes, two_games, store, clock, monkeypatch):
    here = nodes[0]
    for person in (WHITE, BLACK):
        await here.live.vacations.go_away(person.id, day_at(clock() + DAY_MS))
    whole = store.running_of

    async def running_of(person):
        if person == WHITE.id:
            raise RuntimeError("a defect")
        return await whole(person)

    monkeypatch.setattr(store, "running_of", running_of)
    clock.turn(3 * DAY_MS)
    await here.live.vacations.follow()
    assert [tuple(map(bool, store.games[game].away)) for game in two_games] == [(True, False)] * 2


@pytest.mark.parametrize(("error", "goes_on"), [(RuntimeError, True), (Unreadable, True), (Unavailable, False)])
async def test_only_a_store_that_is_away_ends_it_for_all(error, goes_on):
    done = []

    async def act(one):
        if one == "first":
            raise error("it fails")
        done.append(one)

    try:
        await act_on_each(("first", "second"), act, str)
    except Unavailable:
        assert not goes_on
    assert done == (["second"] if goes_on else [])
