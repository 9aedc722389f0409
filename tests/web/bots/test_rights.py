"""What a token lets a program do, and what nobody may do by the Bot API, however they ask."""

import asyncio
import json
import re
from unittest import mock

import pytest

from server.realtime.protocol.outbox import WakingOutbox
from server.realtime.runtime.ids import digest
from server.storage.errors import Unavailable, Unreadable
from server.web.accounts.accounts import ACCOUNTS
from server.web.bots import streams as open_streams
from server.web.bots.streams import LineStream
from server.web.budgets.buckets import RateLimit
from server.web.operation import housekeeping
from server.web.routes import BOT_API
from server.web.site import SITE, Site
from tests.support.bots.berserk_client import begun, challenge, with_token
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import PASSWORD, go, register
from tests.support.web.people import BLITZ

FOR_ALL = {"/api/user/{name}", "/api/users/status", "/api/bot/online", "/api/token/test"}
TO_READ = ("/game/export", "/api/tournament", "/api/swiss", "/swiss")
BY_TOKEN = [
    (route.method, route.path)
    for route, _ in BOT_API
    if route.path not in FOR_ALL and not (route.method == "GET" and route.path.startswith(TO_READ))
]
FILLED = {
    "game": "0123456789",
    "uci": "e2e4",
    "name": "Anna",
    "seek": "0123456789",
    "answer": "no",
    "tournament": "0123456789",
}
PLACEHOLDER = re.compile(r"\{(\w+)(?::(?:[^{}]|\{[\d,]+\})+)?\}")


def filled(path):
    return PLACEHOLDER.sub(lambda found: FILLED[found[1]], path)


async def ask(person, method, path, token=None, **sent):
    """The status and the answer to somebody whose browser sends its cookies, and no origin."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    person.http.headers.pop("Origin", None)
    async with person.http.request(method, path, headers=headers, **sent) as answer:
        return answer.status, json.loads(await answer.text() or "{}")


@pytest.mark.parametrize(("method", "path"), BY_TOKEN)
async def test_nothing_is_done_without_a_token_that_is_good(anna, method, path):
    await register(anna, "Anna")
    for token in (None, "", "fh_" + "a" * 43, "a" * 46):
        status, answer = await ask(anna, method, filled(path), token)
        assert (status, "token" in answer["error"]) == (401, True), (token, answer)


async def test_a_token_that_lost_a_part_while_it_was_copied_is_told_from_none(anna):
    token = await with_token(anna, "Anna", bot_play="yes")
    answers = [await ask(anna, "GET", "/api/account", sent) for sent in (None, token[:-1], f"{token}.")]
    assert [answer["code"] for _, answer in answers] == ["no_token", "wrong_token", "wrong_token"]


async def test_a_token_does_only_what_it_is_for(anna, ben):
    reading, playing = await with_token(anna, "Anna", read="yes"), await with_token(ben, "Ben", bot_play="yes")
    assert (await ask(anna, "GET", "/api/account", reading))[1]["username"] == "Anna"
    assert (await ask(anna, "GET", "/api/challenge", reading))[0] == 200
    for path in ("/api/challenge/Ben", "/api/bot/account/upgrade", "/api/bot/game/0123456789/resign"):
        status, answer = await ask(anna, "POST", path, reading)
        assert (status, answer["refusal"]) == (403, "token_not_for_that")
    assert (await ask(ben, "POST", "/api/bot/game/0123456789/resign", playing))[1]["refusal"] == "not_a_bot"


async def test_a_revoked_token_and_that_of_a_deleted_account_are_good_for_nothing(server, anna, ben):
    revoked, deleted = await with_token(anna, "Anna"), await with_token(ben, "Ben")
    await go(anna, "/account/tokens/revoke", token=digest(revoked))
    await go(ben, "/account/delete", password=PASSWORD)
    for token in (revoked, deleted):
        assert (await ask(anna, "GET", "/api/account", token))[0] == 401
    await server.app[ACCOUNTS].merges.carry_out_all()


async def test_the_last_use_of_a_token_is_noted(server, clock, anna):
    token = await with_token(anna, "Anna")
    tokens = server.app[SITE].store.tokens
    assert (await tokens.find(digest(token))).used == 0
    clock.turn(1)
    await ask(anna, "GET", "/api/account", token)
    noted = clock()
    clock.turn(60_000)
    await ask(anna, "GET", "/api/account", token)
    assert (await tokens.find(digest(token))).used == noted, "an hour is exact enough"


async def test_only_an_account_that_nobody_has_played_becomes_a_bot(anna, ben):
    token = await with_token(anna, "Anna")
    anna.http.headers["Origin"] = anna.origin
    await ben.join(await anna.challenge())
    status, answer = await ask(anna, "POST", "/api/bot/account/upgrade", token)
    assert (status, answer["refusal"]) == (400, "bot_has_games")


async def test_a_game_that_cannot_be_read_keeps_no_other_from_a_program(server, anna, ben, monkeypatch):
    token = await with_token(anna, "Anna", read="yes")
    await register(ben, "Ben")
    for person in (anna, ben):
        person.http.headers["Origin"] = person.origin
    playing, asked = [await ben.challenge() for _ in range(2)], [await ben.challenge(to="Anna") for _ in range(2)]
    for game in playing:
        await anna.join(game)
    damaged = {games[0]["id"] for games in (playing, asked)}
    read = Site.game

    async def game(site, game_id):
        if game_id in damaged:
            raise Unreadable("no such variant")
        return await read(site, game_id)

    monkeypatch.setattr(Site, "game", game)
    _, told = await ask(anna, "GET", "/api/account/playing", token)
    assert [one["gameId"] for one in told["nowPlaying"]] == [playing[1]["id"]]
    _, told = await ask(anna, "GET", "/api/challenge", token)
    assert [one["id"] for one in told["in"]] == [asked[1]["id"]]


async def test_who_becomes_a_bot_is_paired_into_no_rated_game_by_what_they_sought_before(server, anna, ben):
    days = {"kind": "correspondence", "days": 3}
    token = await with_token(anna, "Anna")
    anna.http.headers["Origin"] = anna.origin
    made = await anna.post("/api/seeks", 201, variants=["chess"], clock=days, rated=True)
    assert (await ask(anna, "POST", "/api/bot/account/upgrade", token))[0] == 200
    seeks = server.app[SITE].live.lobby.seeks
    assert seeks.get_seek(made["seek"]["id"]) is None
    await register(ben, "Ben")
    await ben.post("/api/seeks", 201, variants=["chess"], clock=days, rated=True)


@pytest.mark.parametrize("within", ["the upgrade", "the joining"])
async def test_nobody_comes_into_a_rated_game_with_people_while_they_become_a_bot(server, anna, ben, within):
    """The one happens while the store writes the other, so that no check beforehand can see it."""
    site, token = server.app[SITE], await with_token(anna, "Anna")
    await register(ben, "Ben")
    game = await ben.challenge(rated=True)
    accounts = site.store.accounts
    store, name = (accounts, "set_choice") if within == "the upgrade" else (site.store, "save")
    write = getattr(store, name)

    async def join():
        anna.http.headers["Origin"] = anna.origin
        await anna.post(f"/api/games/{game['id']}/join", 200, secret=game["secret"])

    async def upgrade():
        assert (await ask(anna, "POST", "/api/bot/account/upgrade", token))[0] == 200

    first, then = (upgrade, join) if within == "the upgrade" else (join, upgrade)

    async def write_after_the_other(*given):
        held.stop()
        await then()
        return await write(*given)

    held = mock.patch.object(store, name, write_after_the_other)
    held.start()
    await first()
    await site.live.services.background.finish(PATIENCE_S)
    assert (await ben.get(f"/api/games/{game['id']}"))["reason"] == "abort"


async def test_a_bot_plays_only_its_own_games(bots, carla):
    game, _ = await begun(*bots)
    token = await with_token(carla, "Carla")
    assert (await ask(carla, "POST", "/api/bot/account/upgrade", token))[0] == 200
    for path in ("move/e2e4", "resign", "abort", "draw/yes", "takeback/yes", "claim-victory"):
        status, answer = await ask(carla, "POST", f"/api/bot/game/{game}/{path}", token)
        assert (status, answer["refusal"]) == (404, "not_your_game"), path
    said = await ask(carla, "POST", f"/api/bot/game/{game}/chat", token, json={"room": "player", "text": "hi"})
    assert said[0] == 404
    assert (await ask(carla, "GET", f"/api/bot/game/stream/{game}", token))[0] == 404


async def test_nobody_answers_for_somebody_else(bots, carla):
    made = await challenge(*bots)
    token = await with_token(carla, "Carla")
    for how in ("accept", "decline", "cancel", "show"):
        method = "GET" if how == "show" else "POST"
        status, _ = await ask(carla, method, f"/api/challenge/{made['id']}/{how}", token)
        assert status == 404
    assert (await bots[0].post(f"/api/challenge/{made['id']}/accept"))[0] == 404, "one's own"
    assert (await bots[0].post(f"/api/challenge/{made['id']}/decline"))[0] == 404, "one's own"


async def test_a_bot_plays_casual_games_unless_the_host_says_otherwise(server, bots, carla):
    rated = {"json": {"rated": True, "clock.limit": 300, "clock.increment": 2}}
    assert await register(carla, "Carla") == "/?registered"
    for name in ("BenBot", "Carla"):
        status, answer = await bots[0].post(f"/api/challenge/{name}", **rated)
        assert (status, answer["refusal"]) == (400, "rated_bot")
    await carla.post("/api/games", 403, variant="chess", clock=BLITZ, rated=True, to="AnnaBot")
    link = await carla.challenge(rated=True)
    bot_page = await server.app[SITE].store.accounts.find("AnnaBot")
    assert bot_page.bot
    server.app[SITE].live.services.bots.may_be_rated = True
    assert (await bots[0].post("/api/challenge/BenBot", **rated))[0] == 200
    assert (await bots[0].post("/api/challenge/Carla", **rated))[1]["refusal"] == "rated_bot"
    assert link["id"]


async def test_a_bot_in_a_browser_finds_no_rated_game_either(server, bots, anna, carla):
    anna.http.headers["Origin"] = anna.origin
    await register(carla, "Carla")
    link = await carla.challenge(rated=True)
    await anna.post(f"/api/games/{link['id']}/join", 403, secret=link["secret"])
    await anna.post("/api/seeks", 403, variants=["chess"], clock=BLITZ, rated=True)
    seek = (await carla.post("/api/seeks", 201, variants=["chess"], clock=BLITZ, rated=True))["seek"]
    await anna.post(f"/api/seeks/{seek['id']}/accept", 403)


async def test_ever_more_requests_are_put_off(server, bots, carla):
    server.app[SITE].limits.bots = RateLimit(2, 60, shared=6_000)
    for status in (200, 200, 429):
        assert (await ask(carla, "GET", "/api/account", bots[0].token))[0] == status
    server.app[SITE].limits.wrong_tokens = RateLimit(2, 60)
    for status in (401, 401, 429):
        assert (await ask(carla, "GET", "/api/account", "fh_" + "b" * 43))[0] == status


async def test_who_asks_about_many_people_at_once_asks_less_often(server, bots, carla):
    await challenge(*bots)
    for bot in bots:
        # Once it hears of something it is here.
        await bot.listen(bot.client.bots.stream_incoming_events()).until("challenge")
    for path in ("/api/users/status?ids=AnnaBot,BenBot", "/api/bot/online"):
        server.app[SITE].limits.bots = RateLimit(1_200, 60, shared=2)
        for status in (200, 429):
            async with carla.http.get(path) as answer:
                assert (answer.status, (await answer.text()).count('"BenBot"') > 0) == (status, status == 200)


async def test_an_account_has_only_so_many_streams(bots, monkeypatch):
    monkeypatch.setattr(open_streams, "PER_ACCOUNT", 2)
    game, (first, _) = await begun(*bots)
    await first.until("gameFull")
    second = bots[0].listen(bots[0].client.bots.stream_game_state(game))
    await second.until("gameFull")
    third = bots[0].listen(bots[0].client.bots.stream_game_state(game))
    assert (await third.next())["error"].status_code == 429


async def test_another_stream_of_events_ends_the_former(bots):
    first = bots[0].listen(bots[0].client.bots.stream_incoming_events())
    await challenge(bots[1], bots[0])
    await first.until("challenge")
    second = bots[0].listen(bots[0].client.bots.stream_incoming_events())
    await second.until("challenge")
    await first.ended.wait()


async def away(_):
    raise Unavailable("the store is away")


@pytest.fixture
def never_looking(server, monkeypatch):
    """Streams learn only by notice that their token is over."""
    monkeypatch.setattr(server.app[SITE].store.tokens, "find_all", away)


async def both_streams(bots, anna):
    """Those of a game and of events, which somebody reads whose cookie is `anna`'s."""
    _, (stream, _) = await begun(*bots)
    events = bots[0].listen(bots[0].client.bots.stream_incoming_events())
    await stream.until("gameFull")
    await events.until("gameStart")
    anna.http.headers["Origin"] = anna.origin
    return stream, events


async def both_end(streams):
    await asyncio.wait_for(asyncio.gather(*(stream.ended.wait() for stream in streams)), PATIENCE_S)


async def test_a_revoked_token_reads_no_more(bots, anna, never_looking):
    streams = await both_streams(bots, anna)
    await go(anna, "/account/tokens/revoke", token=digest(bots[0].token))
    await both_end(streams)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/account/password", {"old": PASSWORD, "new": "another good one"}),
        ("/account/delete", {"password": PASSWORD}),
    ],
)
async def test_the_token_of_an_old_password_or_a_deleted_account_reads_no_more(bots, anna, never_looking, path, fields):
    streams = await both_streams(bots, anna)
    await go(anna, path, **fields)
    await both_end(streams)


async def test_a_stream_ends_though_nobody_told_it_that_its_token_is_over(bots, anna, server):
    """Another process has revoked it, and the notice was lost; a store that is away ends nothing before."""
    streams = await both_streams(bots, anna)
    site, me = server.app[SITE], (await anna.get("/api/me"))["id"]
    with mock.patch.object(site.store.tokens, "find_all", away), pytest.raises(Unavailable):
        await housekeeping.close_what_has_ended(site)
    await housekeeping.close_what_has_ended(site)
    made = (await challenge(bots[1], bots[0]))["id"]
    assert (await streams[1].until("challenge"))["challenge"]["id"] == made
    await site.store.tokens.forget(me)
    await housekeeping.close_what_has_ended(site)
    await both_end(streams)


async def test_who_reads_nothing_is_disconnected(monkeypatch):
    monkeypatch.setattr(open_streams, "SEND_S", 0.01)
    aborted = []

    class Stuck:
        async def write(self, _):
            await asyncio.Event().wait()

    class Request:
        class transport:
            abort = staticmethod(lambda: aborted.append(True))

    stream = LineStream(Request, None)
    stream._answer = Stuck()
    with pytest.raises(ConnectionResetError):
        await stream.send_lines([{"type": "gameState"}])
    assert aborted


async def test_seeks_that_come_and_go_make_no_stream_of_events_read_the_store(bots, carla, server):
    """Each change of the lobby made each of 400 streams read it: a processor at 12 % came to 52 %."""
    bot, other = bots
    stream = bot.listen(bot.client.bots.stream_incoming_events())
    await challenge(other, bot)
    await stream.until("challenge")
    (page,) = [one for one in server.app[SITE].live.lobby.pages if isinstance(one.outbox, WakingOutbox)]
    woken = []
    with mock.patch.object(page.outbox, "_news", mock.Mock(set=lambda: woken.append(1), wait=asyncio.Event().wait)):
        for _ in range(5):
            made = await carla.post("/api/seeks", 201, variants=["chess"], clock=BLITZ)
            async with carla.http.delete(f"/api/seeks/{made['seek']['id']}") as answer:
                assert answer.status == 200
        assert not woken
        await challenge(other, bot)
        assert woken
