"""The opening explorer over HTTP: moves with results, in the order of how often they were played."""

from urllib.parse import quote

import pytest

from server.realtime.services.explorer_index import ExplorerIndex
from server.rules.notation.fen import format_fen, start_position
from server.web.site import SITE
from tests.support.rules.built_in import VARIANTS
from tests.support.web.people import FOOLS_MATE, play


async def played(anna, ben, moves=FOOLS_MATE, **terms):
    """The id of a game whose moves end it, or that White then resigns."""
    game = await anna.challenge(**terms)
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await play([white, black], moves)
        if moves != FOOLS_MATE:
            await white.command(t="resign")
    return game["id"]


async def index(server):
    """What the server does every few seconds."""
    store = server.app[SITE].store
    while finished := await store.ratings.uncounted(10):
        for one in finished:
            await store.ratings.count(one)
    await ExplorerIndex(store, pause_s=0).step()


async def asked(person, variant="chess", status=200, **query):
    words = "&".join(f"{name}={quote(value)}" for name, value in query.items())
    return await person.get(f"/api/explorer/{variant}?{words}", status)


async def test_it_tells_what_was_played_most_frequent_first(server, anna, ben):
    mates = [await played(anna, ben) for _ in range(2)]
    other = await played(anna, ben, ["e2e4", "e7e5"])
    await index(server)
    found = await asked(anna)
    assert (found["white"], found["draws"], found["black"]) == (0, 0, 3)
    assert [(one["uci"], one["san"], one["black"]) for one in found["moves"]] == [("f2f3", "f3", 2), ("e2e4", "e4", 1)]
    first, second = found["moves"]
    assert (first["last"], second["last"], first["best"], first["rating"]) == (mates[1], other, None, None)


async def test_a_position_can_be_given_by_moves_or_fen(server, anna, ben):
    await played(anna, ben)
    await index(server)
    by_moves = await asked(anna, moves="f2f3,e7e5")
    assert [one["san"] for one in by_moves["moves"]] == ["g4"]
    assert await asked(anna, fen=by_moves["fen"]) == by_moves


async def test_the_last_move_of_a_game_is_followed_by_nothing(server, anna, ben):
    await played(anna, ben)
    await index(server)
    assert (await asked(anna, moves=",".join(FOOLS_MATE)))["moves"] == []


async def test_a_deleted_game_is_not_linked_any_more(server, anna, ben):
    game = await played(anna, ben)
    await index(server)
    await server.app[SITE].store.deletion.delete_games([game])
    [one] = (await asked(anna))["moves"]
    assert (one["black"], one["last"]) == (1, None)


@pytest.mark.parametrize("variant", VARIANTS)
async def test_every_variant_has_one(anna, variant):
    found = await asked(anna, variant)
    assert (found["moves"], found["fen"]) == ([], format_fen(start_position(VARIANTS[variant])))


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"fen": "nonsense"}, "bad_fen"),
        ({"moves": "e2e5"}, "illegal"),
        ({"moves": "nonsense"}, "illegal"),
        ({"chess960": "2"}, "bad_request"),
        ({"depth": "9"}, "bad_request"),
    ],
)
async def test_what_is_no_position_is_refused(anna, query, code):
    assert (await asked(anna, status=400, **query))["code"] == code


async def test_only_variants_with_a_960_form_have_one_of_it(anna):
    assert (await asked(anna, chess960="1"))["moves"] == []
    assert (await asked(anna, "grand", 400, chess960="1"))["code"] == "no_chess960"
    await asked(anna, "nonesuch", 404)
