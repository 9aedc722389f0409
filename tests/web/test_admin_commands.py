"""What the host orders of a running server is carried out, or the host is told why not."""

import pytest

from server.storage.admin_commands import DeleteGame, NotDone, Orders, ResetPassword
from server.storage.errors import Unavailable
from server.web.housekeeping import carry_out, delete
from server.web.site import SITE


async def test_a_game_in_play_is_deleted_and_its_players_are_told_why(server, anna, ben, tmp_path):
    site, orders = server.app[SITE], Orders(tmp_path / "orders")
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.next()
        assert (await white.move(0, "e2e4"))["t"] == "ok"
        number = orders.leave(DeleteGame(game["id"], sure=True))
        await carry_out(site, orders)
        for line in (white, black):
            told = await line.until("error")
            assert (told["code"], told["message"]) == ("deleted", "This game was deleted by the host.")
            assert await line.closing() == 1000
    assert orders.answer(number).startswith(f"Deleted the game {game['id']} with 1 half-moves")
    async with ben.http.get(f"/{game['id']}") as page:
        assert page.status == 404
    assert await site.store.load(game["id"]) is None


async def test_a_deletion_that_the_store_does_not_carry_out_is_told_as_a_failure(server, anna, tmp_path, monkeypatch):
    site, orders = server.app[SITE], Orders(tmp_path / "orders")

    async def away(games):
        raise Unavailable("The store is away.")

    monkeypatch.setattr(site.store.disposal, "delete_games", away)
    order = DeleteGame((await anna.challenge())["id"], sure=True)
    number = orders.leave(order)
    await delete(site, orders, number, order)
    with pytest.raises(NotDone, match="The store is away"):
        orders.answer(number)


async def test_a_reset_that_the_store_does_not_carry_out_is_told_as_a_failure(server, tmp_path, monkeypatch):
    site, orders = server.app[SITE], Orders(tmp_path / "orders")

    async def away(name, hashed, until):
        raise Unavailable("The store is away.")

    monkeypatch.setattr(site.store.accounts, "reset_password", away)
    number = orders.leave(ResetPassword("Anna", "a hash"))
    await carry_out(site, orders)
    with pytest.raises(NotDone, match="The store is away"):
        orders.answer(number)
