"""Games and seats follow whoever registers or signs in, and stay with nobody else."""

from server.web.accounts.accounts import Accounts
from server.web.operation.housekeeping import close_what_has_ended
from server.web.site import SITE
from server.web.websocket.open_sockets import SERVICE_RESTART
from tests.support.web.accounts import PASSWORD, go, register, sign_in, token_of


async def test_a_guest_keeps_their_seat_in_a_running_game_when_they_register(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        assert (await white.move(0, "e2e4"))["t"] == "ok"
        assert (await black.next())["t"] == "snapshot"
        await register(anna, "Anna")
        assert await white.closing() == SERVICE_RESTART
        assert (await black.until("joined"))["seat"]["name"] == "Anna"
    async with anna.follow(game) as white, ben.follow(game) as black:
        snapshot = await white.next()
        assert (snapshot["you"], snapshot["white"]["name"], snapshot["status"]) == ("white", "Anna", "live")
        assert (await black.move(1, "e7e5"))["t"] == "ok"
        assert (await white.move(2, "g1f3"))["t"] == "ok"


async def test_a_look_for_ended_sessions_while_a_guest_registers_closes_no_board_for_good(server, anna, monkeypatch):
    """The guest's session is gone, and their games follow, before their pages are told to come back."""
    follow = Accounts.follow

    async def look_and_follow(accounts, user):
        await close_what_has_ended(server.app[SITE])
        await follow(accounts, user)

    monkeypatch.setattr(Accounts, "follow", look_and_follow)
    game = await anna.challenge()
    async with anna.follow(game) as board:
        await board.next()
        await register(anna, "Anna")
        assert await board.closing() == SERVICE_RESTART


async def test_a_look_while_a_password_changes_closes_no_board_for_good(server, anna, monkeypatch):
    start = Accounts._start_session

    async def look_and_start(accounts, *session):
        await close_what_has_ended(server.app[SITE])
        return await start(accounts, *session)

    await register(anna, "Anna")
    game = await anna.challenge()
    monkeypatch.setattr(Accounts, "_start_session", look_and_start)
    async with anna.follow(game) as board:
        await board.next()
        await go(anna, "/account/password", old=PASSWORD, new="another good one")
        assert await board.closing() == SERVICE_RESTART


async def test_the_games_of_a_guest_follow_when_they_sign_in_to_their_account(anna, visitor, ben):
    await register(anna, "Anna")
    phone = await visitor()
    game = await phone.challenge()
    await ben.join(game)
    over = await phone.challenge()
    await ben.join(over)
    async with ben.follow(over) as socket:
        await socket.next()
        await socket.send({"t": "resign", "id": 1})
        await socket.until("over")
    await sign_in(phone, "Anna")
    for one in (game, over):
        assert (await anna.get(f"/api/games/{one['id']}"))["white"]["name"] == "Anna"
    async with anna.follow(game) as white:
        assert (await white.next())["you"] == "white"
        assert (await white.move(0, "e2e4"))["t"] == "ok"


async def test_the_former_holder_of_a_seat_can_only_watch(anna, visitor, ben):
    await register(anna, "Anna")
    phone = await visitor()
    game = await phone.challenge()
    await ben.join(game)
    old = {"Cookie": f"sid={token_of(phone)}"}
    await sign_in(phone, "Anna")
    stranger = await visitor()
    async with stranger.open_socket(**old) as socket:
        await socket.hello(game["id"])
        assert (await socket.next()).get("you") is None
        assert (await socket.move(0, "e2e4"))["code"] == "not_a_player"


async def test_a_socket_that_another_process_holds_open_loses_the_seat_too(anna, visitor, ben, server, monkeypatch):
    await register(anna, "Anna")
    phone = await visitor()
    game = await phone.challenge()
    await ben.join(game)
    monkeypatch.setattr(type(server.app[SITE].open_sockets), "end_sessions", lambda *_: None)
    async with phone.follow(game) as stale:
        assert (await stale.next())["you"] == "white"
        await sign_in(phone, "Anna")
        assert (await stale.until("snapshot")).get("you") is None
        assert (await stale.move(0, "e2e4"))["code"] == "not_a_player"


async def test_nobody_ends_up_playing_against_themselves(anna, visitor):
    await register(anna, "Anna")
    game = await anna.challenge()
    phone = await visitor()
    await phone.join(game)
    guest = (await phone.get("/api/me"))["name"]
    await sign_in(phone, "Anna")
    assert (await anna.get(f"/api/games/{game['id']}"))["black"]["name"] == guest
