"""The rating that stands beside the name of whoever seeks an opponent."""

from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import Speed, TimeControl
from server.games.rating import Rating
from server.realtime.open_seeks import seek_rating
from server.storage.protocols.ratings import Category, Perf
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import register
from tests.support.web.lobby_socket import lobby_of
from tests.support.web.people import BLITZ, FOOLS_MATE, play

FIVE = TimeControl.realtime(300_000, 0)
VARIANTS = ("chess", "grand", "shogun")
perfs = st.lists(
    st.builds(
        lambda variant, chess960, speed, value, games: Perf(
            "anna", Category(variant, chess960, speed), Rating(value, 45.0, 0.06, games, 0)
        ),
        st.sampled_from(VARIANTS),
        st.booleans(),
        st.sampled_from([Speed.BLITZ, Speed.RAPID]),
        st.floats(1000, 2500),
        st.integers(0, 9),
    ),
    unique_by=lambda perf: perf.category,
)


@given(perfs, st.sets(st.sampled_from(VARIANTS)), st.booleans())
def test_it_is_that_of_the_kind_of_game_that_they_have_played_most(known, variants, chess960):
    told = seek_rating(known, variants, FIVE, 0, chess960=chess960)
    of_that_kind = [
        one.rating
        for one in known
        if one.category.speed is Speed.BLITZ
        and one.category.chess960 == chess960
        and one.category.variant in (variants or VARIANTS)
        and one.rating.games
    ]
    if not of_that_kind:
        assert told == "1500?"
    else:
        most = max(rating.games for rating in of_that_kind)
        assert told in [str(rating.rounded) for rating in of_that_kind if rating.games == most]


def test_an_uncertain_one_is_marked():
    unsure = Perf("anna", Category("chess", False, Speed.BLITZ), Rating(1662.2, 290.0, 0.06, 1, 0))
    assert seek_rating([unsure], (), FIVE, 0, chess960=False) == "1662?"


async def test_everybody_reads_it_in_the_list_of_seeks_and_on_tv(anna, ben, carla, server):
    await register(anna, "Anna")
    await register(ben, "Ben")
    game = await anna.challenge(rated=True)
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await play((white, black), FOOLS_MATE)
        await black.until("rated")
    made = (await ben.post("/api/seeks", 201, variants=["chess"], clock=BLITZ))["seek"]
    assert made["rating"] == "1662?"
    assert (await ben.post("/api/seeks", 201, variants=["grand"], clock=BLITZ))["seek"]["rating"] == "1500?"
    async with lobby_of(carla) as lobby:
        assert [one.get("rating") for one in (await lobby.next())["seeks"]] == ["1662?", "1500?"]
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await play((white, black), ["e2e4", "e7e5"])
        async with carla.http.ws_connect("/ws/watch") as tv:
            await tv.send_str('{"t":"hi","proto":1}')
            (board,) = (await tv.receive_json(timeout=PATIENCE_S))["boards"]
    assert board["ratings"] == ["1338?", "1662?"]


async def test_a_seek_for_some_ratings_is_taken_by_nobody_else(anna, ben, carla):
    await register(anna, "Anna")
    await register(ben, "Ben")
    asked = {"variants": ["chess"], "clock": BLITZ}
    seek = (await anna.post("/api/seeks", 201, **asked, lowest=1600, highest=1900))["seek"]
    assert (seek["lowest"], seek["highest"]) == (1600, 1900)
    refused = await ben.post(f"/api/seeks/{seek['id']}/accept", 403)
    assert "an opponent rated 1600 to 1900; you have 1500?" in refused["message"]
    await ben.post("/api/seeks", 201, **asked)
    assert (await carla.post(f"/api/seeks/{seek['id']}/accept", 403))["code"] == "registered_only"
    assert (await carla.post("/api/seeks", 403, **asked, lowest=1400))["code"] == "registered_only"
    await anna.post("/api/seeks", 400, **asked, lowest=99)
    wide = (await anna.post("/api/seeks", 201, variants=["grand"], clock=BLITZ, lowest=1400))["seek"]
    assert "game" in await ben.post(f"/api/seeks/{wide['id']}/accept")


async def test_a_seek_finds_one_that_asks_for_its_rating(anna, ben):
    await register(anna, "Anna")
    await register(ben, "Ben")
    asked = {"variants": ["chess"], "clock": BLITZ}
    await anna.post("/api/seeks", 201, **asked, lowest=1400, highest=1600)
    assert "game" in await ben.post("/api/seeks", **asked, highest=1500)
