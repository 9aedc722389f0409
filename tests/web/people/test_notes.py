"""Notes on a player's page and beside a correspondence game: only their writer ever sees them."""

from tests.support.web.accounts import go, page_of, register, sign_in

DAYS = {"kind": "correspondence", "days": 3}
SAID = "Plays <b>fast</b>."


async def write(person, game, text, status=200):
    """What is kept, or the id of the refusal."""
    async with person.http.post(f"/api/games/{game['id']}/note", json={"text": text}) as answer:
        assert answer.status == status, await answer.text()
        told = await answer.json()
        return told["text"] if status == 200 else told["refusal"]


async def begun(white, black, **terms):
    game = await white.challenge(**terms)
    await black.join(game)
    return game


async def test_a_note_about_a_person_is_on_their_page_for_its_writer_alone(anna, ben, carla):
    for person, name in ((anna, "Anna"), (ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    assert await go(anna, "/@/Ben/note", text=f"{SAID}\r\nA friend.") == "/@/Ben#note"
    page = await page_of(anna, "/@/Ben")
    assert "Plays &lt;b&gt;fast&lt;/b&gt;.\nA friend.</textarea>" in page
    for other in (ben, carla):
        assert "Plays" not in await page_of(other, "/@/Ben")
    assert [(one["person"], one["text"]) for one in (await anna.get("/account/export"))["notes"]] == [
        ("Ben", f"{SAID}\nA friend.")
    ]
    assert (await ben.get("/account/export"))["notes"] == []
    await go(anna, "/@/Ben/note", text="")
    assert (await anna.get("/account/export"))["notes"] == []


async def test_who_has_no_account_is_led_to_sign_in_and_nobody_notes_themselves(anna, ben):
    await register(ben, "Ben")
    await anna.post("/api/guest")
    assert await go(anna, "/@/Ben/note", text=SAID) == "/sign-in?next=/@/Ben"
    assert 'id="note"' not in await page_of(anna, "/@/Ben")
    status, page = await go(ben, "/@/Ben/note", text=SAID)
    assert status == 403
    assert "on your account page" in page


async def test_a_player_of_a_correspondence_game_has_a_note_that_neither_opponent_nor_watcher_sees(anna, ben, carla):
    game = await begun(anna, ben, clock=DAYS)
    assert await write(anna, game, f" {SAID}\n\n\n\nCastle long. ") == f"{SAID}\n\nCastle long."
    assert "Plays &lt;b&gt;fast" in await page_of(anna, f"/{game['id']}")
    for other in (ben, carla):
        assert "Plays" not in await page_of(other, f"/{game['id']}")
    assert 'id="note-open"' in await page_of(ben, f"/{game['id']}")
    assert 'id="note-open"' not in await page_of(carla, f"/{game['id']}")
    assert await write(carla, game, SAID, 403) == "note_elsewhere"
    await register(carla, "Carla")
    assert await write(carla, game, SAID, 403) == "note_elsewhere"


async def test_games_by_the_minute_have_none(anna, ben):
    game = await begun(anna, ben)
    assert await write(anna, game, SAID, 403) == "note_elsewhere"
    assert 'id="note-open"' not in await page_of(anna, f"/{game['id']}")


async def test_the_note_of_a_guest_comes_along_into_the_account_that_they_sign_in_to(anna, ben, carla):
    await register(carla, "Anna")
    game = await begun(anna, ben, clock=DAYS)
    await write(anna, game, SAID)
    await sign_in(anna, "Anna")
    assert "Plays &lt;b&gt;fast" in await page_of(anna, f"/{game['id']}")
    (note,) = (await anna.get("/account/export"))["notes"]
    assert (note["game"].rpartition("/")[2], note["text"]) == (game["id"], SAID)
