"""The host's commands, as processes of their own beside a running server and without one."""

import asyncio
import os
import time

import pytest

from server.cli import admin
from server.cli.site_access import CommandRefused, carried_out, opened_store
from server.settings import Settings
from server.storage.admin_commands import FRESH_S, AdminCommands, ResetPassword
from server.storage.tables.accounts import Account, Session, User
from tests.support.storage.engines import MongoPlace
from tests.support.wall_clock import WallClock, needs_faketime
from tests.support.web.host import QuickHost, command
from tests.support.web.people import Person

pytestmark = pytest.mark.slow


@pytest.fixture
async def host(tmp_path):
    host = QuickHost(tmp_path)
    yield host
    await host.kill()


async def register(person, name="Anna", password="a good long one"):
    async with person.http.post(
        "/register", data={"name": name, "password": password}, allow_redirects=False
    ) as answer:
        assert answer.status == 303, await answer.text()


async def sign_in(site, password, name="Anna"):
    """The address to which a sign-in from a new browser leads, or the status of its refusal."""
    async with Person(site) as person:
        fields = {"name": name, "password": password}
        async with person.http.post("/sign-in", data=fields, allow_redirects=False) as answer:
            return answer.headers.get("Location", answer.status)


async def test_a_reset_beside_the_running_server_lets_the_owner_in_once(host):
    await host.start()
    async with Person(host.site) as anna:
        await register(anna)
        code, password, said = await command(host, "account", "reset", "ANNA")
        assert code == 0, said
        assert "Anna" in said
        assert password.strip() not in said
        assert await anna.get("/api/me") == {}, "a stolen session must not survive it"
    assert await sign_in(host.site, "a good long one") == 403
    assert await sign_in(host.site, password.strip()) == "/account"
    assert await sign_in(host.site, password.strip()) == 403
    assert list((host.folder / "data" / "orders").iterdir()) == []


@needs_faketime
@pytest.mark.parametrize("minutes", [-10, 10])
async def test_a_server_whose_clock_is_wrong_obeys_its_host_all_the_same(host, tmp_path, minutes):
    wall = WallClock(tmp_path / "wall")
    wall.set(minutes * 60_000)
    await host.start(**wall.environment)
    async with Person(host.site) as anna:
        await register(anna)
        code, _, said = await command(host, "account", "reset", "Anna")
        assert code == 0, said
        code, _, said = await command(host, "backup", str(tmp_path / "copy"))
        assert code == 0, said


async def test_a_reset_while_no_server_runs(host):
    await host.start()
    async with Person(host.site) as anna:
        await register(anna)
    await host.stop()
    code, password, _ = await command(host, "account", "reset", "Anna")
    assert code == 0
    await host.start()
    assert await sign_in(host.site, password.strip()) == "/account"


async def test_no_password_is_reset_for_an_unknown_name(host):
    await host.start()
    code, password, said = await command(host, "account", "reset", "Nobody-here")
    assert (code, password) == (1, "")
    assert "no account called Nobody-here" in said


async def test_where_there_is_no_site_the_command_says_so_and_creates_none(host):
    code, _, said = await command(host, "account", "reset", "Anna")
    assert code == 1
    assert "DATA_DIR" in said
    assert not (host.folder / "data").exists()


async def test_the_help_names_every_command_and_setting(host):
    code, said, _ = await command(host, "--help")
    assert code == 0
    assert "account" in said
    assert all(name.upper() in said for name in Settings.model_fields)
    code, said, _ = await command(host, "account", "reset", "--help")
    assert code == 0
    assert "--ask" in said


async def test_an_unknown_command_is_refused(host):
    code, _, said = await command(host, "acount")
    assert code == 2
    assert "acount" in said


@pytest.mark.parametrize(
    ("typed", "refused"),
    [(["one of them", "another"], "two passwords differ"), (["anna"] * 2, "at least 8")],
)
def test_a_password_that_the_host_types_is_checked(typed, refused, monkeypatch):
    answers = iter(typed)
    monkeypatch.setattr(admin.getpass, "getpass", lambda _: next(answers))
    with pytest.raises(CommandRefused, match=refused):
        admin.prompt_for_password("Anna")


def test_orders_are_given_once_while_fresh_and_hold_no_password_that_others_can_read(tmp_path):
    admin_commands = AdminCommands(tmp_path / "orders")
    number = admin_commands.submit(ResetPassword("anna", "hash"))
    assert (tmp_path / "orders").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "orders" / f"{number}.order").stat().st_mode & 0o777 == 0o600
    assert [(one, order.name, order.password) for one, order in admin_commands.take()] == [(number, "anna", "hash")]
    assert list(admin_commands.take()) == []
    assert admin_commands.answer(number) is None
    admin_commands.reply(number, "Anna")
    assert admin_commands.answer(number) == "Anna"
    number = admin_commands.submit(ResetPassword("anna", "hash"))
    long_ago = time.time() - FRESH_S - 1
    os.utime(tmp_path / "orders" / f"{number}.order", (long_ago, long_ago))
    assert list(admin_commands.take()) == []
    (tmp_path / "orders" / "x.order").write_text('{"name": 1}')
    assert list(admin_commands.take()) == []
    assert list((tmp_path / "orders").iterdir()) == []


async def test_with_mongodb_the_command_writes_there_itself(secantus, monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    settings = Settings(mongodb_uri=MongoPlace(secantus.uri).uri)
    async with opened_store(settings) as store:
        await store.add_guest(User("id", "SwiftOwl42", guest=True, created=1), Session("guest", "id", 1, 1))
        anna = Account("anna", "id", "Anna", "old hash", 1)
        await store.accounts.register(anna, Session("first", "id", 1, 1), "guest")
        assert await carried_out(settings, ResetPassword("anna", "new hash")) == "Anna"
        assert (await store.accounts.find("anna")).password == "new hash"
        assert await store.accounts.sessions("id") == []
        assert await carried_out(settings, ResetPassword("berta", "new hash")) == ""


async def test_the_host_sees_what_goes_before_deleting_a_player_or_a_game(host):
    await host.start()
    async with Person(host.site) as anna, Person(host.site) as ben:
        await register(anna)
        game = await anna.challenge()
        await ben.join(game)
        for arguments, told in ((("player", "anna"), "Anna"), (("game", game["id"]), "0 half-moves")):
            code, said, _ = await command(host, "delete", *arguments)
            assert (code, told in said, "Nothing was deleted" in said) == (0, True, True)
            assert (await ben.get(f"/api/games/{game['id']}"))["white"]["name"] == "Anna"
            assert (await anna.get("/api/me"))["name"] == "Anna"
        code, said, _ = await command(host, "delete", "player", "Anna", "--yes")
        assert (code, "Deleted" in said) == (0, True)
        assert await anna.get("/api/me") == {}
        code, said, _ = await command(host, "delete", "game", game["id"], "--yes")
        assert (code, "Deleted" in said) == (0, True)
        assert (await ben.get(f"/api/games/{game['id']}", status=404))["code"] == "no_game"


async def test_the_host_deletes_imports_beside_the_running_server(host):
    await host.start()
    async with Person(host.site) as anna, Person(host.site) as ben:
        await register(anna)
        games = []
        for person, text in ((anna, "1. e4 *"), (ben, "1. d4 d5 *")):
            async with person.http.post("/api/import", data=text, headers={"Content-Type": "text/plain"}) as answer:
                games.append((await answer.json())["games"][0]["id"])
        code, said, _ = await command(host, "delete", "imports")
        assert (code, "2 imported games with 3 half-moves" in said, "Nothing was deleted" in said) == (0, True, True)
        assert "Deleted 0 " in (await command(host, "delete", "imports", "--older", "1", "--yes"))[1]
        assert "Deleted 1 " in (await command(host, "delete", "imports", "--of", "Anna", "--yes"))[1]
        assert (await ben.get(f"/api/games/{games[0]}", status=404))["code"] == "no_game"
        assert (await ben.get(f"/api/games/{games[1]}"))["id"] == games[1]
    assert (await command(host, "delete", "imports", "--older", "0"))[0] == 2


async def test_the_host_deletes_without_a_server_too(host):
    await host.start()
    async with Person(host.site) as anna:
        game = await anna.challenge()
    await host.stop()
    assert (await command(host, "delete", "game", game["id"], "--yes"))[0] == 0
    code, _, said = await command(host, "delete", "game", game["id"])
    assert (code, said) == (1, f"There is no game {game['id']}.\n")


async def test_a_notice_is_shown_to_everybody_also_if_it_was_posted_without_a_server(host):
    await host.start()
    await host.stop()
    assert (await command(host, "notice", "We move on Sunday."))[0] == 0
    await host.start()
    async with Person(host.site) as anna:

        async def shown():
            async with anna.http.get("/rules") as page:
                return "We move on Sunday." in await page.text()

        assert await shown(), "it is there from the first page on"
        assert (await command(host, "notice", "--remove"))[0] == 0
        while await shown():  # noqa: ASYNC110 - another process removes it
            await asyncio.sleep(0.1)
        assert (await command(host, "notice", "--remove"))[::2] == (1, "There is no notice.\n")
