"""The host's commands to a running server are carried out, or the host learns why not."""

import logging

import pytest

from server.storage.admin_commands import AdminCommands, CommandFailed, DeleteGame, ResetPassword
from server.storage.errors import Unavailable
from server.web.operation.housekeeping import answer_command, start_commands
from server.web.site import SITE


async def test_a_game_in_play_is_deleted_and_its_players_are_told_why(server, anna, ben, tmp_path):
    site, admin_commands = server.app[SITE], AdminCommands(tmp_path / "orders")
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.next()
        assert (await white.move(0, "e2e4"))["t"] == "ok"
        number = admin_commands.submit(DeleteGame(game["id"], sure=True))
        await start_commands(site, admin_commands)
        for socket in (white, black):
            told = await socket.until("error")
            assert (told["code"], told["message"]) == ("deleted", "This game was deleted by the host.")
            assert await socket.closing() == 1000
    assert admin_commands.answer(number).startswith(f"Deleted the game {game['id']} with 1 half-moves")
    async with ben.http.get(f"/{game['id']}") as page:
        assert page.status == 404
    assert await site.store.load(game["id"]) is None


async def test_the_log_says_who_asked_for_what_and_how_it_ended(server, anna, tmp_path, caplog):
    caplog.set_level(logging.INFO, "server.web.operation")
    site, admin_commands = server.app[SITE], AdminCommands(tmp_path / "orders")
    game = (await anna.challenge())["id"]
    for command in (DeleteGame(game, sure=True), DeleteGame("nothing000", sure=True), ResetPassword("Anna", "hash")):
        number = admin_commands.submit(command, "anna-as-fairyhouse")
        assert [one for one, _ in admin_commands.take()] == [number]
        await answer_command(site, admin_commands, number, command)
    deleted, refused, reset = (told for told in caplog.messages if told.startswith("host command"))
    assert deleted == f"host command by anna-as-fairyhouse: DeleteGame game='{game}' sure=True: done"
    assert refused.startswith("host command by anna-as-fairyhouse: DeleteGame game='nothing000' sure=True: refused: ")
    assert reset == "host command by anna-as-fairyhouse: ResetPassword name='Anna': done"


async def test_a_deletion_that_the_store_does_not_carry_out_is_told_as_a_failure(server, anna, tmp_path, monkeypatch):
    site, admin_commands = server.app[SITE], AdminCommands(tmp_path / "orders")

    async def away(games):
        raise Unavailable("The store is away.")

    monkeypatch.setattr(site.store.deletion, "delete_games", away)
    command = DeleteGame((await anna.challenge())["id"], sure=True)
    number = admin_commands.submit(command)
    await answer_command(site, admin_commands, number, command)
    with pytest.raises(CommandFailed, match="The store is away"):
        admin_commands.answer(number)


async def test_a_reset_that_the_store_does_not_carry_out_is_told_as_a_failure(server, tmp_path, monkeypatch):
    site, admin_commands = server.app[SITE], AdminCommands(tmp_path / "orders")

    async def away(name, hashed, until):
        raise Unavailable("The store is away.")

    monkeypatch.setattr(site.store.accounts, "reset_password", away)
    command = ResetPassword("Anna", "a hash")
    number = admin_commands.submit(command)
    await answer_command(site, admin_commands, number, command)
    with pytest.raises(CommandFailed, match="The store is away"):
        admin_commands.answer(number)
