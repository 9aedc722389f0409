"""Following and blocking by the forms of the site, and all the ways by which somebody who is blocked does not come."""

import json

from server.realtime.play import meetings
from server.web.accounts.accounts import ACCOUNTS
from server.web.budgets.buckets import RateLimit
from server.web.site import SITE
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in
from tests.support.web.lobby_socket import lobby_of

BLITZ = {"kind": "realtime", "initial": 180, "increment": 2}


async def both_registered(anna, ben):
    assert await register(anna, "Anna") == "/?registered"
    assert await register(ben, "Ben") == "/?registered"


async def block(person, name="Ben"):
    assert await go(person, f"/@/{name}/block") == f"/@/{name}"


async def seeks_of(person):
    return [seek["name"] for seek in (await person.get("/api/seeks"))["seeks"]]


async def test_a_profile_offers_what_one_can_do_and_shows_what_one_has_done(anna, ben):
    await both_registered(anna, ben)
    assert 'href="/?to=Ben"' in (page := await page_of(anna, "/@/Ben"))
    assert "/@/Ben/follow" in page
    assert "/@/Ben/block" in page
    assert await go(anna, "/@/Ben/follow") == "/@/Ben"
    assert "/@/Ben/unfollow" in await page_of(anna, "/@/Ben")
    await block(anna)
    page = await page_of(anna, "/@/Ben")
    assert "You have blocked Ben." in page
    assert "/@/Ben/unblock" in page
    assert "/?to=Ben" not in page
    assert await go(anna, "/@/Ben/unblock") == "/@/Ben"
    assert "/@/Ben/follow" in await page_of(anna, "/@/Ben"), "whom one blocks one no longer follows"
    assert "/block" not in await page_of(anna, "/@/Anna")


async def test_a_challenge_begins_with_what_its_opponent_plays_most(anna, ben):
    await both_registered(anna, ben)
    game = await anna.challenge(variant="grand")
    await ben.join(game)
    async with anna.follow(game) as board:
        await board.until("snapshot")
        await board.send({"t": "resign", "id": 1})
        await board.until("over")
    assert 'href="/?to=Ben#grand"' in await page_of(anna, "/@/Ben")


async def test_the_blocked_are_shown_nothing_of_it(anna, ben):
    await both_registered(anna, ben)
    before = await page_of(ben, "/@/Anna")
    await block(anna)
    assert await page_of(ben, "/@/Anna") == before


async def test_nobody_follows_without_an_account_or_themselves(anna, ben):
    assert await register(anna, "Anna") == "/?registered"
    assert await go(ben, "/@/Anna/follow") == "/sign-in?next=/@/Anna"
    assert (await go(anna, "/@/Anna/follow"))[0] == 403
    assert (await go(anna, "/@/Nobody/block"))[0] == 404


async def test_a_guest_can_block_and_keeps_that_as_a_member(anna, carla):
    await register(carla, "Carla")
    await anna.post("/api/guest")
    await block(anna, "Carla")
    assert await register(anna, "Anna") == "/?registered"
    assert "You have blocked Carla." in await page_of(anna, "/@/Carla")


async def test_a_block_of_a_guest_holds_when_they_sign_in(anna, ben, visitor):
    await both_registered(anna, ben)
    phone = await visitor()
    await phone.post("/api/guest")
    await block(phone)
    assert await sign_in(phone, "Anna") == "/"
    assert "You have blocked Ben." in await page_of(anna, "/@/Ben")


async def test_seeks_of_each_are_hidden_from_the_other_and_cannot_be_taken(anna, ben, carla):
    await both_registered(anna, ben)
    await block(anna)
    annas = (await anna.post("/api/seeks", 201, clock=BLITZ, variants=["chess"]))["seek"]
    bens = (await ben.post("/api/seeks", 201, clock=BLITZ, variants=["chess"]))["seek"]
    assert (await seeks_of(anna), await seeks_of(ben), await seeks_of(carla)) == (["Anna"], ["Ben"], ["Anna", "Ben"])
    gone = "/api/seeks/0123456789/accept"
    as_if_gone = await ben.post(gone, 410)
    assert await ben.post(f"/api/seeks/{annas['id']}/accept", 410) == as_if_gone
    assert await anna.post(f"/api/seeks/{bens['id']}/accept", 410) == as_if_gone
    assert (await carla.post(f"/api/seeks/{annas['id']}/accept"))["game"]


async def test_open_pages_of_the_lobby_lose_and_get_back_the_seek(anna, ben, carla):
    await both_registered(anna, ben)
    async with ben.http.ws_connect("/ws/lobby") as page:
        await page.send_str('{"t":"hi","proto":1}')

        async def next_seeks():
            message = json.loads((await page.receive(timeout=PATIENCE_S)).data)
            return [seek["name"] for seek in message["seeks"]] if message["t"] == "seeks" else message["t"]

        assert await next_seeks() == []
        await anna.post("/api/seeks", 201, clock=BLITZ, variants=["chess"])
        assert await next_seeks() == "seek_added"
        await block(anna)
        assert await next_seeks() == []
        await anna.post("/api/seeks", 201, clock=BLITZ, variants=["grand"])
        await carla.post("/api/seeks", 201, clock=BLITZ, variants=["shogun"])
        assert await next_seeks() == "seek_added", "Carla's"
        async with ben.http.ws_connect("/ws/lobby") as another:
            await another.send_str('{"t":"hi","proto":1}')
            seeks = json.loads((await another.receive(timeout=PATIENCE_S)).data)["seeks"]
            assert [seek["variants"] for seek in seeks] == [["shogun"]]
        await go(anna, "/@/Ben/unblock")
        assert await next_seeks() == ["Anna", "Anna", (await carla.get("/api/me"))["name"]]


async def challenges_of(person):
    return [one["game"] for one in (await person.get("/api/me/challenges"))["challenges"]]


def challenge(person, status, to):
    return person.post("/api/games", status, variant="chess", color="white", clock=BLITZ, to=to)


async def test_a_challenge_by_somebody_blocked_is_answered_like_any_other_and_reaches_nobody(anna, ben, carla, server):
    """The first refusal would tell them; and they are refused as soon as anybody, and no sooner."""
    await both_registered(anna, ben)
    await register(carla, "Carla")
    server.app[SITE].limits.create = RateLimit(1_000, 1)
    await block(anna)
    async with anna.http.ws_connect("/ws/lobby") as lobby:
        await lobby.send_str('{"t":"hi","proto":1}')
        made = [await challenge(ben, 201, "Anna") for _ in range(meetings.MAX_OF_ONE)]
        seen = await challenge(carla, 201, "Anna")
        while (message := json.loads((await lobby.receive(timeout=PATIENCE_S)).data))["t"] != "challenged":
            pass
        assert message["by"] == "Carla"
    assert made[0].keys() == seen.keys()
    assert await challenges_of(anna) == [seen["id"]]
    refused = await challenge(ben, 403, "Anna")
    assert refused["message"] == "Anna has not answered your other challenges yet."
    assert (await anna.post(f"/api/games/{made[0]['id']}/join", 403, secret=""))["refusal"] == "blocked_by_you"
    async with ben.follow(made[0]) as board:
        await board.until("snapshot")
        assert (await board.command(t="abort"))["t"] == "ok"
    await challenge(ben, 201, "Anna")
    refused = await challenge(anna, 403, "Ben")
    assert refused["message"].startswith("You have blocked Ben.")


async def test_nobody_makes_somebody_unreachable_for_others_with_as_many_challenges_as_they_like(
    anna, ben, carla, monkeypatch
):
    monkeypatch.setattr(meetings, "MAX_OF_ONE", 1)
    await both_registered(anna, ben)
    await register(carla, "Carla")
    await challenge(ben, 201, "Anna")
    assert (await challenge(ben, 403, "Anna"))["refusal"] == "challenges_wait"
    await challenge(ben, 201, "Carla")
    heard = await challenge(carla, 201, "Anna")
    assert (await challenges_of(anna))[0] == heard["id"]


async def test_neither_of_two_who_are_apart_hears_of_a_game_nor_who_proposes_it_why(anna, ben, carla):
    """Nor does anybody hear of a game that is proposed by a person whom they have blocked."""
    await both_registered(anna, ben)
    await register(carla, "Carla")
    await block(anna)
    asked = {"variant": "chess", "clock": BLITZ, "players": "others", "between": ["Anna", "Ben"]}
    made = await carla.post("/api/games", 201, **asked)
    for one, told in ((anna, "blocked_by_you"), (ben, "cannot_join")):
        assert await challenges_of(one) == []
        assert (await one.post(f"/api/games/{made['id']}/join", 403, secret=""))["refusal"] == told
    await go(anna, "/@/Ben/unblock")
    await block(anna, "Carla")
    made = await carla.post("/api/games", 201, **asked | {"between": ["Ben", "Anna"], "color": "white"})
    assert await challenges_of(anna) == []
    assert await challenges_of(ben) == []
    # Ben may have its link.
    async with lobby_of(anna) as lobby:
        await ben.post(f"/api/games/{made['id']}/join", secret="")
        own = await ben.challenge(to="Anna")
        while (message := await lobby.next())["t"] != "challenged":
            pass
    assert message["game"] == own["id"]
    assert await challenges_of(anna) == [own["id"]]


async def test_a_challenge_from_before_waits_for_nobody_and_cannot_be_accepted(anna, ben):
    await both_registered(anna, ben)
    game = await anna.challenge(to="Ben")
    link = await anna.challenge()
    assert game["id"] in await page_of(ben, "/")
    await block(anna)
    assert game["id"] not in await page_of(ben, "/")
    assert (await ben.post(f"/api/games/{game['id']}/join", 403, secret=""))["refusal"] == "cannot_join"
    assert (await ben.post(f"/api/games/{link['id']}/join", 403, secret=link["secret"]))["refusal"] == "cannot_join"


async def test_whoever_is_blocked_cannot_tell_by_games_that_they_could_not_join_anyway(anna, ben, carla):
    await both_registered(anna, ben)
    await register(carla, "Carla")
    running, over = await anna.challenge(), await anna.challenge()
    await carla.join(running)
    async with anna.follow(over) as hers:
        await hers.command(t="abort")
    games = [running, over, await anna.challenge(), await anna.challenge(to="Carla")]
    secrets = ["A" * 22, ""]

    async def answers():
        joining = [(f"/api/games/{game['id']}/join", secret) for game in games for secret in secrets]
        joining.append((f"/api/games/{over['id']}/join", over["secret"]))
        return [await ben.post(path, 403, secret=secret) for path, secret in joining]

    before = await answers()
    await block(anna)
    assert await answers() == before


async def test_a_game_goes_on_in_silence_and_has_no_rematch(anna, ben, carla):
    await both_registered(anna, ben)
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as hers, ben.follow(game) as his, carla.follow(game) as watching:
        first, *_ = [await socket.next() for socket in (hers, his, watching)]
        await his.command(t="chat", text="before")
        assert (await hers.until("said"))["line"]["text"] == "before"
        await block(anna)
        assert (await hers.until("snapshot"))["chat"] == []
        await his.command(t="chat", text="after")
        assert (await hers.move(0, "e2e4"))["t"] == "ok"
        await his.until("moved")
        assert (await his.move(1, "e7e5"))["t"] == "ok"
        await hers.until("moved")
        await hers.command(t="resign")
        await his.until("over")
        assert (await his.command(t="offer", kind="rematch"))["refusal"] == "no_rematch"
        assert (await hers.command(t="offer", kind="rematch"))["refusal"] == "blocked_by_you"
        assert not [one for one in hers.seen if one["t"] == "said" and one["line"]["text"] == "after"]
        assert [line["text"] for one in his.seen if one["t"] == "said" for line in [one["line"]]] == ["before", "after"]
    for known in ({}, {"epoch": first["epoch"], "v": first["v"]}):
        async with anna.follow(game, **known) as again:
            assert (await again.next())["chat"] == []
    assert '"text":"after"' not in await page_of(anna, f"/{game['id']}")
    assert '"text":"after"' in await page_of(ben, f"/{game['id']}")


async def test_a_rematch_offered_before_a_block_cannot_be_accepted_after_it(anna, ben):
    await both_registered(anna, ben)
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as hers, ben.follow(game) as his:
        await hers.command(t="abort")
        assert (await his.command(t="offer", kind="rematch"))["t"] == "ok"
        offer = (await hers.until("offered"))["offer"]
        await block(anna)
        assert (await hers.command(t="accept", offer=offer))["refusal"] == "blocked_by_you"


async def test_ties_are_in_ones_data_and_can_be_ended_on_the_account_page(anna, ben):
    await both_registered(anna, ben)
    await block(anna)
    assert [(one["kind"], one["to"]) for one in (await anna.get("/account/export"))["ties"]] == [("blocks", "Ben")]
    other = (await ben.get("/api/me"))["id"]
    assert 'action="/account/ties"' in await page_of(anna)
    assert await go(anna, "/account/ties", kind="blocks", other=other) == "/account#ties-title"
    assert 'action="/account/ties"' not in await page_of(anna)


async def test_with_an_account_go_its_ties_and_those_to_it(anna, ben, server):
    await both_registered(anna, ben)
    await block(anna)
    await go(ben, "/@/Anna/follow")
    site = server.app[SITE]
    assert await go(ben, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    await server.app[ACCOUNTS].merges.carry_out_all()
    assert list(await site.store.ties.blocks()) == []
    assert 'action="/account/ties"' not in await page_of(anna)


async def test_what_somebody_can_block_in_an_hour_is_limited(anna, ben, server):
    await both_registered(anna, ben)
    most = server.app[SITE].limits.ties.amount
    for number in range(most):
        await go(anna, f"/@/Ben/{('follow', 'unfollow')[number % 2]}")
    assert (await go(anna, "/@/Ben/follow"))[0] == 429
