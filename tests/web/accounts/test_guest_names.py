"""A guest chooses a name: it is marked as a guest's wherever it stands, and nobody takes it for an account's."""

import pytest

from server.games.people import GUEST_NAME, is_account_name
from tests.support.web.accounts import go, page_of, register

NAMED = "/register?named#guest-title"


async def me(person):
    return (await person.get("/api/me"))["name"]


async def test_a_chosen_name_is_that_of_a_guest_in_games_and_pages_of_both_languages(anna, ben):
    assert await go(anna, "/guest", name="Zoe") == NAMED
    assert await me(anna) == "guest: Zoe"
    assert not is_account_name("guest: Zoe")
    assert "You play as guest: Zoe now." in await page_of(anna, "/register?named")
    async with anna.http.get("/register", headers={"Accept-Language": "es"}) as answer:
        assert "invitado: Zoe" in await answer.text()
    game = await anna.challenge()
    await ben.join(game)
    async with ben.follow(game) as socket:
        seat = (await socket.until("snapshot"))["white"]
    assert (seat["name"], seat.get("account")) == ("guest: Zoe", None)
    async with anna.http.get(f"/api/games/{game['id']}.pgn") as answer:
        assert '[White "guest: Zoe"]' in await answer.text()
    async with ben.http.get("/@/guest: Zoe") as answer:
        assert answer.status == 404


async def test_two_guests_may_have_one_name_and_an_empty_one_is_made_up_again(anna, ben):
    for person in (anna, ben):
        assert await go(person, "/guest", name="Zoe") == NAMED
    assert await me(anna) == await me(ben)
    assert await go(anna, "/guest", name="", next="/rules") == "/rules"
    assert GUEST_NAME.fullmatch(await me(anna))


@pytest.mark.parametrize("name", ["x", "a b", "(deleted)", "guest: Zoe", "<b>", "QuietHeron27", "Admin", "x" * 21])
async def test_it_is_filtered_as_the_names_of_accounts_are(anna, name):
    before = await anna.post("/api/guest")
    status, page = await go(anna, "/guest", name=name)
    assert status == 400
    assert 'class="refusal"' in page
    assert await me(anna) == before["name"]


async def test_nobody_takes_the_name_of_an_account_and_who_has_one_is_no_guest(anna, ben):
    await register(anna, "Annabel")
    status, _ = await go(ben, "/guest", name="annabe1")
    assert status == 409
    assert await go(anna, "/guest", name="Zoe") == "/account"
    assert await me(anna) == "Annabel"


async def test_whoever_registers_leaves_the_name_of_a_guest_behind(anna):
    await go(anna, "/guest", name="Zoe")
    game = await anna.challenge()
    await register(anna, "Zoe")
    assert await me(anna) == "Zoe"
    assert (await anna.get(f"/api/games/{game['id']}"))["white"]["name"] == "Zoe"
