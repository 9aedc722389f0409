"""What somebody says about themselves on their page: plain text for all but those who have blocked them."""

import pytest

from server.games.people import LONGEST_PROFILE_TEXT
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register


async def test_everybody_reads_it_as_plain_text_and_its_author_changes_and_takes_it_along(anna, ben):
    await register(anna, "Anna")
    said = "I play slowly.\r\n\r\n\r\n<b>https://example.org/?a=1&b=2</b> \u202eolleh"
    assert await go(anna, "/account/profile", text=said) == "/@/Anna"
    for reader in (anna, ben):
        page = await page_of(reader, "/@/Anna")
        assert "I play slowly.\n\n&lt;b&gt;https://example.org/?a=1&amp;b=2&lt;/b&gt; olleh</p>" in page
    assert (await anna.get("/account/export"))["profile"]["text"].startswith("I play slowly.")
    assert "I play slowly." in await page_of(anna)
    assert await go(anna, "/account/profile", text=" ") == "/@/Anna"
    assert "profile-text" not in await page_of(ben, "/@/Anna")


async def test_whoever_has_blocked_its_author_does_not_read_it(anna, ben, carla):
    await register(anna, "Anna")
    await register(ben, "Ben")
    await go(anna, "/account/profile", text="I play slowly.")
    await go(ben, "/@/Anna/block")
    assert "I play slowly." not in await page_of(ben, "/@/Anna")
    assert "I play slowly." in await page_of(carla, "/@/Anna")
    await go(ben, "/@/Anna/unblock")
    assert "I play slowly." in await page_of(ben, "/@/Anna")


async def test_only_somebody_with_an_account_says_anything(anna):
    await anna.post("/api/guest")
    assert await go(anna, "/account/profile", text="I play slowly.") == "/sign-in?next=/account"


@pytest.mark.parametrize("char", ["x", "\N{GRINNING FACE}"])
async def test_it_is_cut_at_its_length_and_a_longer_one_is_refused(anna, char):
    await register(anna, "Anna")
    assert await go(anna, "/account/profile", text=char * LONGEST_PROFILE_TEXT) == "/@/Anna"
    assert f">{char * LONGEST_PROFILE_TEXT}<" in await page_of(anna, "/@/Anna")
    status, _ = await go(anna, "/account/profile", text=char * (2 * LONGEST_PROFILE_TEXT + 1))
    assert status == 400


async def test_it_goes_with_the_account(server, anna, ben):
    await register(anna, "Anna")
    user = (await anna.get("/api/me"))["id"]
    await go(anna, "/account/profile", text="I play slowly.")
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    assert await server.app[SITE].store.profiles.text_of(user) == ""
