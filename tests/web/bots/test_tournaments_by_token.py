"""Tournaments by lichess' addresses, as berserk reads them; each answer is compared with lichess' shapes, too."""

from datetime import UTC, datetime

import berserk
import pytest

from server.rules.variant.pieces import Color
from server.web.bots.shapes import tournament_ids
from server.web.site import SITE
from tests.support.bots.berserk_client import BerserkBot, become_bot, with_token
from tests.support.web.accounts import go
from tests.support.web.cup import Cup

ARENA = {"key": "abcdefgh12", "variant": "chess", "clock": "180+2", "starts": "5", "lasts": "30", "name": "Friday"}
RATED = {**ARENA, "rated": "yes", "scoring": "arena", "berserk": "yes", "late": "yes"}
SWISS = {**ARENA, "key": "swissswiss", "format": "swiss", "rounds": "3", "rest": "60"}
SECTION = {**ARENA, "key": "sectionsec", "format": "robin", "days": "3", "size": "4", "name": "Mail"}
MAY = {"tournaments": "yes"}


@pytest.fixture
async def clients(server, clock, anna, ben):
    """The programs of Anna and Ben, who are no bots."""
    site = server.make_url("/")
    return [
        BerserkBot(site, name, await with_token(person, name, **MAY)) for person, name in ((anna, "Anna"), (ben, "Ben"))
    ]


@pytest.fixture
async def arena(server, clients, anna):
    return Cup(server, await go(anna, "/tournaments", **RATED, lowest="1000", highest="2000"))


@pytest.fixture
async def swiss(server, clients, anna):
    return Cup(server, await go(anna, "/tournaments", **SWISS))


def listed(stream):
    return lambda *given, **named: list(stream(*given, **named))


async def test_an_arena_from_its_announcement_to_its_podium(arena, clients, clock):
    anna, ben = clients
    read = anna.client.tournaments
    now = await anna.do(read.get)
    ((made,), started, finished) = now["created"], now["started"], now["finished"]
    assert (made["id"], made["fullName"], made["status"], made["secondsToStart"]) == (arena.id, "Friday", 10, 300)
    assert (made["minRating"], made["maxRating"]) == ({"rating": 1000}, {"rating": 2000})
    assert isinstance(made["startsAt"], datetime)
    assert (started, finished) == ([], [])
    for one in clients:
        await one.do(one.client.tournaments.join_arena, arena.id)
    await ben.do(ben.client.tournaments.withdraw_arena, arena.id)
    assert (await anna.do(read.get_tournament, arena.id))["nbPlayers"] == 1
    await ben.do(ben.client.tournaments.join_arena, arena.id)
    clock.turn(301_000)
    pairing = await arena.pair(clock)
    names = [(await arena.live.look(arena.id)).entrants[one].person.name for one in (pairing.white, pairing.black)]
    full = await anna.do(read.get_tournament, arena.id)
    assert full["startsAt"] == datetime.fromtimestamp(made["startsAt"].timestamp() // 1, UTC)
    assert [(one["id"], [who["n"] for who in one["p"]]) for one in full["duels"]] == [(pairing.game, names)]
    assert full["secondsToFinish"] == 30 * 60 - 4
    playing = await anna.do(anna.client.games.get_ongoing)
    assert [(one["tournamentId"], one["source"]) for one in playing] == [(arena.id, "arena")]
    await arena.win(Color.BLACK)
    await ben.do(ben.client.tournaments.withdraw_arena, arena.id)
    rows = await anna.do(listed(read.stream_results), arena.id, sheet=True)
    assert [(one["rank"], one["username"], one["score"], one["sheet"]) for one in rows] == [
        (1, names[1], 2, {"scores": "2"}),
        (2, names[0], 0, {"scores": "0"}),
    ]
    assert len(await anna.do(listed(read.stream_results), arena.id, limit=1)) == 1
    (exported,) = await anna.do(listed(read.export_arena_games), arena.id)
    assert (exported["id"], exported["moves"], exported["winner"]) == (pairing.game, "e4 e5", "black")
    assert exported["arenaTour"] == {"id": arena.id, "name": "Friday"}
    pgn = "\n".join(await anna.do(listed(read.export_arena_games), arena.id, as_pgn=True))
    assert '[Event "Friday"]' in pgn
    clock.turn(100 * 60_000)
    await arena.live.tick()
    with pytest.raises(berserk.exceptions.ResponseError, match="400"):
        await anna.do(anna.client.tournaments.withdraw_arena, arena.id)
    over = await anna.do(read.get_tournament, arena.id)
    assert (over["isFinished"], over["podium"][0]["name"], over["stats"]["games"]) == (True, names[1], 1)
    ((last,),) = ((await anna.do(read.get))["finished"],)
    assert (last["winner"]["name"], last["status"]) == (names[1], 30)


async def test_a_swiss_from_its_announcement_to_its_report(swiss, clients, clock):
    anna, ben = clients
    read = anna.client.tournaments
    for one in clients:
        await one.do(one.client.tournaments.join_swiss, swiss.id)
    made = await anna.do(read.get_swiss, swiss.id)
    assert (made["name"], made["status"], made["nbRounds"], made["nbPlayers"]) == ("Friday", "created", 3, 2)
    assert made["nextRound"]["in"] == 300
    await swiss.begin()
    begun = await anna.do(read.get_swiss, swiss.id)
    assert (begun["status"], begun["round"], begun["nbOngoing"]) == ("started", 1, 1)
    await swiss.win(Color.WHITE)
    await ben.do(ben.client.tournaments.withdraw_swiss, swiss.id)
    rows = await anna.do(listed(read.stream_swiss_results), swiss.id)
    assert [(one["rank"], one["points"], one.get("absent", False)) for one in rows] == [
        (at, points, rows[at - 1]["username"] == "Ben") for at, points in ((1, 1.0), (2, 0.0))
    ]
    (exported,) = await anna.do(listed(read.export_swiss_games), swiss.id)
    assert exported["swissTour"] == {"id": swiss.id}
    assert (await anna.do(read.get_swiss, swiss.id))["stats"]["whiteWins"] == 1
    assert "XXR 3" in await anna.do(read.export_swiss_trf, swiss.id)


async def test_only_the_games_of_a_player_are_sent_where_one_is_named(swiss, clients):
    anna, _ = clients
    for one in clients:
        await one.do(one.client.tournaments.join_swiss, swiss.id)
    await swiss.begin()
    await swiss.win(Color.WHITE)
    for player, games in (("BEN", 1), ("nobody", 0)):
        asked = {"params": {"player": player}, "headers": {"Accept": "application/x-ndjson"}}
        answer = await anna.do(anna.session.get, f"{anna.site}/api/swiss/{swiss.id}/games", **asked)
        assert len(answer.text.splitlines()) == games


async def test_arenas_and_swiss_tournaments_do_not_answer_for_each_other(arena, swiss, clients):
    anna, _ = clients
    for path in (f"/api/swiss/{arena.id}", f"/api/tournament/{swiss.id}", "/api/tournament/0000000000"):
        for more in ("", "/results", "/games"):
            assert (await anna.do(anna.session.get, anna.site + path + more)).status_code == 404, path
        for act in ("join", "withdraw"):
            assert (await anna.post(f"{path}/{act}"))[0] == 404


async def test_a_section_of_everyone_against_everyone_is_neither(server, clients, anna):
    section = Cup(server, await go(anna, "/tournaments", **SECTION))
    program = clients[0]
    for path in (f"/api/swiss/{section.id}", f"/api/tournament/{section.id}"):
        assert (await program.do(program.session.get, program.site + path)).status_code == 404
        assert (await program.post(f"{path}/join"))[0] == 404
    listed = await program.do(program.session.get, f"{program.site}/api/tournament")
    assert section.id not in listed.text
    kept = (await server.app[SITE].live.tournaments.look(section.id)).tournament
    assert tournament_ids(kept) == {}


async def test_who_may_not_join_is_told_why_and_a_token_for_something_else_does_nothing(
    server, arena, swiss, clients, carla, visitor
):
    anna, ben = clients
    for path in (f"/api/tournament/{arena.id}", f"/api/swiss/{swiss.id}"):
        status, answer = await ben.post(f"{path}/withdraw")
        assert (status, answer["refusal"]) == (400, "not_joined")
    bot = await become_bot(carla, "CarlaBot", anna.site)
    for path in (f"/api/tournament/{arena.id}/join", f"/api/swiss/{swiss.id}/join"):
        assert (await bot.post(path))[1]["refusal"] == "token_not_for_that"
    dora = await visitor()
    program = BerserkBot(anna.site, "DoraBot", await with_token(dora, "DoraBot", bot_play="yes", **MAY))
    await program.do(program.client.account.upgrade_to_bot)
    with pytest.raises(berserk.exceptions.ResponseError, match="400"):
        await program.do(program.client.tournaments.join_arena, arena.id)
    assert (await server.app[SITE].live.tournaments.look(arena.id)).entrants == {}
