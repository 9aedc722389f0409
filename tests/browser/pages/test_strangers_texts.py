"""Texts from strangers that would like to be scripts, in a real browser: names and lines are shown, and never run (I1).

The store is filled with names and lines that the site itself would refuse or clean, as a page must not rely on that.
"""

import itertools
import time
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from playwright.async_api import expect

from server.games.changes.beginning import new_game
from server.games.changes.ending import Resign
from server.games.game import play
from server.games.player import Player
from server.rules.variant.pieces import Color
from server.storage.sqlite.store import SqliteStore
from server.storage.stores import ChatLine
from tests.support.games import terms
from tests.support.rules.built_in import VARIANTS
from tests.support.web.in_process import InProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

RUN = "alert(1)"
ATTACKS = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}>",
    f"<svg><script>{RUN}</script></svg>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<svg><a xlink:href=javascript:{RUN}><text y=20>x</text></a></svg>",
    f"<body onload={RUN}>",
    f"<iframe src=javascript:{RUN}></iframe>",
    f'<iframe srcdoc="<script>{RUN}</script>"></iframe>',
    f"<input autofocus onfocus={RUN}>",
    f"<details open ontoggle={RUN}>",
    f"<video><source onerror={RUN}></video>",
    f"<math><mi xlink:href=javascript:{RUN}>x</mi></math>",
    f"<a href=javascript:{RUN}>x</a>",
    f"<form action=javascript:{RUN}><button>x</button></form>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'>",
    f"<base href=//evil.example/><link rel=stylesheet href=data:,*{{x:{RUN}}}>",
    f"<object data=javascript:{RUN}></object><embed src=javascript:{RUN}>",
    f"<style>@import 'javascript:{RUN}';*{{display:none}}</style>",
    f"<template><img src=x onerror={RUN}></template>",
    f"<noscript><p title='</noscript><img src=x onerror={RUN}>'>",
    f"{{{{constructor.constructor('{RUN}')()}}}}${{{RUN}}}",
    f"javascript:{RUN}//",
    f"data:text/html,<script>{RUN}</script>",
    "\u202e<b>not bold</b>\u2066 &lt;script&gt;&#97;lert(1)&lt;/script&gt;",
)
WRAPS = (
    *("{}", '">{}', "'>{}", "</b>{}", "</script>{}", "</title></textarea>{}", "-->{}", "]]>{}", "`>{}", '\\"}});{}//'),
    *("<!--{}", "<b>{}</b>", "&quot;&gt;{}", "\x00{}", "<\x00{}", "{}<!--", "%3Cscript%3E{}", "\\u003c{}"),
    *("\n{}\n", "<p {}"),
)
AT_ONE_GAME = 25


def payloads():
    """500 texts, the plain attacks first."""
    return [wrap.format(attack) for wrap, attack in itertools.product(WRAPS, ATTACKS)]


@pytest.fixture
def games(scale):
    """For each game its number and the texts that are told in it."""
    texts = payloads()[: scale(500)]
    return [(number, texts[at : at + AT_ONE_GAME]) for number, at in enumerate(range(0, len(texts), AT_ONE_GAME))]


@pytest_asyncio.fixture(loop_scope="session")
async def host(tmp_path, monkeypatch, games):
    (tmp_path / "data").mkdir(mode=0o700)
    store = await SqliteStore.open(tmp_path / "data" / "fairyhouse.sqlite3", VARIANTS)
    # Of now: a game that nobody began long ago is deleted, and what was said in it.
    start = time.time_ns() // 1_000_000
    for number, texts in games:
        people = [Player(f"stranger{number}{side}", texts[side - 1]) for side in (0, 1)]
        game = new_game(f"{number:010}", terms(), start, *people)
        await store.create(game)
        for at, text in enumerate(texts):
            await store.add_chat(ChatLine(game.id, "watchers", people[0].id, texts[-1 - at], text, start + at))
        if number % 2 == 0:
            over, _ = play(game, Resign(Color.WHITE), start + 1)
            await store.save(game, over)
    await store.close()
    async with InProcess(tmp_path, monkeypatch) as site:
        yield site


@pytest.mark.row("I1")
async def test_no_name_and_no_line_runs_as_a_script(seat, games, counted):
    person = await seat()
    page = person.page
    for number, texts in games:
        await page.goto(f"{person.site}/{number:010}")
        lines = page.locator("#chat-lines li")
        await expect(lines).to_have_count(len(texts))
        assert await lines.locator("span").all_text_contents() == texts
        assert await page.locator("#chat-lines li *:not(b, span, .person-link), #chat-lines li *:not(b) *").count() == 0
    for path in ("/games", "/watch", "/", "/players"):
        await page.goto(f"{person.site}{path}")
        await page.wait_for_load_state("networkidle")
    counted("payloads", sum(len(texts) for _, texts in games))


@pytest.mark.row("I1")
async def test_what_stands_in_an_address_is_shown_as_text(seat, scale, counted):
    person, tried = await seat(), ATTACKS[: scale(120)]
    for text in (attack[:40] for attack in tried):
        await person.page.goto(f"{person.site}/games?{urlencode({'player': text})}")
        assert await person.page.input_value("#ask-player") == text
    # Some of them are no names that could be looked for, and the page comes with status 400.
    person.problems = [problem for problem in person.problems if "status of 400" not in problem]
    counted("payloads", len(tried))
