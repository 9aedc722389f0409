"""A number beyond reason anywhere in the store: every page still comes, or says that something is damaged."""

import asyncio
import shutil

import aiohttp
import pytest

from server.realtime.runtime.ids import digest
from server.storage.sqlite.store import SqliteStore
from server.storage.tables.accounts import Session
from tests.support.games import START
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.filled_site import fill_site
from tests.support.storage.rated_games import ANNA
from tests.support.web.in_process import InProcess
from tests.web.huge_numbers import make_huge_in_file, numbers_in_file

pytestmark = pytest.mark.slow

TOKEN = "a" * 43
OF_A_GAME = ("/{}", "/api/games/{}", "/api/games/{}.pgn", "/{}.txt", "/{}/board.svg", "/{}/replay.svg", "/{}/card.png")
GAMES = ("rated0", "running", "random-chess", "open")
PAGES = (
    *("/", "/games", "/games/mine", "/import", "/players", "/watch", "/@/Anna", "/@/Berta", "/account"),
    *("/account/export", "/api/me", "/api/me/games", "/api/alerts", "/api/seeks", "/api/games?player=Anna"),
    *("/api/games.pgn?player=Anna", "/health", "/ready"),
    *(page.format(game) for page in OF_A_GAME for game in GAMES),
)
PATIENCE = aiohttp.ClientTimeout(total=20)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("filled") / "fairyhouse.sqlite3"

    async def fill():
        await fill_site(path)
        store = await SqliteStore.open(path, VARIANTS)
        anna = await store.accounts.find("anna")
        await store.accounts.sign_in(anna, Session(digest(TOKEN), ANNA.id, START, START), "")
        await store.close()

    asyncio.run(fill())
    return path


async def wrong_answers(site):
    """The pages that neither come nor say what is wrong."""
    wrong = {}
    async with aiohttp.ClientSession(site.site, cookies={"sid": TOKEN}, timeout=PATIENCE) as http:
        for page in PAGES:
            async with http.get(page, allow_redirects=False) as answer:
                text = (await answer.read()).decode(errors="replace")
                if answer.status >= 500 and "damaged" not in text:
                    wrong[page] = answer.status, text[:200]
    return wrong


async def check_pages(tmp_path, monkeypatch, filled, caplog, places):
    site = InProcess(tmp_path, monkeypatch)
    failed = {}
    for place in places:
        shutil.rmtree(site.settings.data_dir, ignore_errors=True)
        site.settings.data_dir.mkdir()
        make_huge_in_file(shutil.copy(filled, site.settings.data_dir), *place)
        caplog.clear()
        async with site:
            wrong = await wrong_answers(site)
        raised = [one.exc_text for one in caplog.records if one.exc_info]
        if wrong or raised:
            failed[place] = wrong, raised
    assert not failed


CRASHED_ONCE = [("changes", "after", ""), ("archive", "line", "ended"), ("games", "rev", "")]


async def test_huge_numbers_that_stopped_pages_once_do_not(tmp_path, monkeypatch, filled, caplog):
    assert set(CRASHED_ONCE) <= set(numbers_in_file(filled))
    await check_pages(tmp_path, monkeypatch, filled, caplog, CRASHED_ONCE)


@pytest.mark.only_full("starts a site for every number that is stored")
@pytest.mark.timeout(600)
async def test_no_huge_number_anywhere_keeps_a_page_from_coming(tmp_path, monkeypatch, filled, caplog):
    await check_pages(tmp_path, monkeypatch, filled, caplog, numbers_in_file(filled))
