"""A bot is called one wherever its name is read."""

from tests.support.bots.berserk_client import begun, challenge
from tests.support.web.accounts import go, page_of, register
from tests.support.web.people import BLITZ

TITLE = '<span class="bot-title">BOT</span> '


async def test_a_bot_has_its_title_on_pages_and_a_person_has_none(bots, anna, carla):
    await register(carla, "Carla")
    anna.http.headers["Origin"] = anna.origin
    game, (stream, _) = await begun(*bots)
    await stream.until("gameFull")
    await carla.post("/api/games", 201, variant="chess", clock=BLITZ, to="AnnaBot")
    await bots[0].do(bots[0].client.bots.resign_game, game)
    for path, reader in (("/@/AnnaBot", carla), ("/games", carla), ("/account", anna), ("/games/mine", carla)):
        assert TITLE in await page_of(reader, path), path
    assert TITLE + "AnnaBot" in await page_of(carla, "/players?name=AnnaBot")
    await go(carla, "/@/AnnaBot/follow")
    assert TITLE + "AnnaBot" in await page_of(carla, "/online")
    assert f"{TITLE}Carla" not in await page_of(carla, "/@/Carla")


async def test_a_bot_is_marked_at_the_board_in_chat_and_in_the_lobby(bots, anna, carla):
    await register(carla, "Carla")
    anna.http.headers["Origin"] = anna.origin
    game = (await carla.post("/api/games", 201, variant="chess", clock=BLITZ, to="AnnaBot"))["id"]
    async with carla.follow({"id": game}) as socket:
        snapshot = await socket.next()
        assert snapshot["asked"]["bot"] == 1
        await bots[0].do(bots[0].client.bots.accept_challenge, game)
        assert (await socket.until("joined"))["seat"]["bot"] == 1
        await bots[0].do(bots[0].client.bots.post_message, game, "hello")
        assert (await socket.until("said"))["line"]["bot"] == 1
        assert await socket.command(t="chat", text="hi") == {"t": "ok", "id": 1, "v": 3}
    async with carla.follow({"id": game}) as socket:
        seats = await socket.next()
        bot, person = (seats["white"], seats["black"]) if seats["white"]["name"] == "AnnaBot" else (
            seats["black"], seats["white"]
        )  # fmt: skip
        assert (bot["bot"], person.get("bot")) == (1, None)
        assert [line.get("bot") for line in seats["chat"]] == [1, None]
    assert (await anna.post("/api/seeks", 201, variants=["chess"], clock=BLITZ))["seek"]["bot"] == 1
    (seek,) = (await carla.get("/api/seeks"))["seeks"]
    assert seek["bot"] == 1


async def test_a_challenge_to_a_bot_shows_it_among_ones_games(bots, carla):
    await register(carla, "Carla")
    assert await challenge(*bots)
    await carla.post("/api/games", 201, variant="chess", clock=BLITZ, to="AnnaBot")
    assert TITLE in await page_of(carla, "/")
