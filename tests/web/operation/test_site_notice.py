"""What the host has to say to everybody: on every page while it is due, and at once on the pages that are open."""

import pytest

from server.cli.admin import post_notice
from server.cli.site_access import CommandRefused
from server.games.clocks.time_control import DAY_MS
from server.realtime.play.chat import LETTER
from server.storage.admin_commands import AdminCommands, PostNotice, RemoveNotice
from server.storage.tables.notices import SiteNotice
from server.web.operation.housekeeping import answer_command
from server.web.site import SITE
from tests.support.web.lobby_socket import lobby_of

WORDS = "We move on <b>Sunday</b>."
ON_PAGE = "We move on &lt;b&gt;Sunday&lt;/b&gt;."
PAGES = ("/", "/rules", "/rules/grand", "/analysis", "/watch", "/sign-in", "/nothing-of-that-name")


@pytest.fixture
def posted(server):
    """Posts a notice for a day, or none, as every process finds it at its next look."""

    async def post(text):
        site = server.app[SITE]
        if text is None:
            await site.store.notices.remove()
        else:
            await site.store.notices.post(SiteNotice(text, site.now(), site.now() + DAY_MS))
        await site.live.notice.refresh()

    return post


async def read(person, path):
    async with person.http.get(path) as page:
        return await page.text()


async def test_every_page_has_it_as_text_and_no_longer_than_it_is_due(server, anna, posted, clock):
    before = {path: await read(anna, path) for path in PAGES}
    await posted(WORDS)
    for path in PAGES:
        page = await read(anna, path)
        assert ON_PAGE in page, path
        assert WORDS not in page, path
    assert WORDS not in await read(anna, "/offline")
    assert ON_PAGE not in await read(anna, "/offline"), "it may be read long after"
    clock.turn(DAY_MS)
    await server.app[SITE].live.notice.refresh()
    assert {path: await read(anna, path) for path in PAGES} == before


async def test_open_pages_are_told_once_of_each_change(server, anna, ben, posted):
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as player, lobby_of(ben) as lobby:
        await player.next()
        assert (await lobby.next())["t"] == "seeks"
        for text in (WORDS, WORDS + " At noon.", None):
            await posted(text)
            await server.app[SITE].live.notice.refresh()
            assert (await player.until("notice")).get("text") == text
            told = await lobby.next()
            assert (told["t"], told.get("text")) == ("notice", text)


async def test_open_pages_are_told_how_long_it_is_until_a_restart(server, anna, clock):
    site = server.app[SITE]
    await site.store.notices.post(SiteNotice(WORDS, site.now(), site.now() + DAY_MS, site.now() + 600_000))
    clock.turn(1_500)
    async with lobby_of(anna) as lobby:
        await lobby.next()
        await site.live.notice.refresh()
        assert await lobby.next() == {"t": "notice", "text": WORDS, "restarts_in": 598_500}


async def test_the_host_has_the_running_server_post_and_remove_it(server, anna, tmp_path):
    site, admin_commands = server.app[SITE], AdminCommands(tmp_path / "orders")
    for command, said in (
        (PostNotice(WORDS, site.now(), site.now() + DAY_MS), ""),
        (RemoveNotice(), "yes"),
        (RemoveNotice(), ""),
    ):
        number = admin_commands.submit(command)
        (pending,) = admin_commands.take()
        assert pending == (number, command)
        await answer_command(site, admin_commands, number, command)
        assert admin_commands.answer(number) == said
        await site.live.notice.refresh()
        assert (ON_PAGE in await read(anna, "/rules")) == isinstance(command, PostNotice)


@pytest.mark.parametrize("text", ["", " \n ", "\u200b", "x" * (LETTER.longest + 1)])
def test_what_is_no_notice_is_refused(settings, text):
    with pytest.raises(CommandRefused, match="Nothing was changed"):
        post_notice(settings, text, 1)
