"""Signing in: who comes in with which token and password, and where it leads."""

import re
from pathlib import Path

import aiohttp_jinja2
import pytest
from argon2 import PasswordHasher

from server.storage.errors import Unavailable
from server.storage.sqlite.file import SqliteFile
from server.web.accounts import credentials
from server.web.operation.logs import JsonFormatter
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in, sign_out, token_of

ROOT = Path(__file__).parents[3]


async def test_a_stranger_can_register_too_and_sign_in_elsewhere(anna, ben):
    await register(anna, "Anna")
    assert await sign_in(ben, "anna") == "/"
    assert await ben.get("/api/me") == await anna.get("/api/me")


@pytest.mark.parametrize("typed", ["Anna ", " anna", "\tAnna \n"])
async def test_a_space_beside_the_name_keeps_nobody_out(anna, ben, typed):
    await register(anna, "Anna ")
    assert await sign_in(ben, typed) == "/"
    assert (await ben.get("/api/me"))["name"] == "Anna"


async def test_a_token_planted_before_a_sign_in_opens_nothing_afterwards(anna, ben, visitor):
    await register(anna, "Anna")
    for _ in range(5):
        await ben.post("/api/guest")
        planted = token_of(ben)
        await sign_in(ben, "Anna")
        thief = await visitor()
        async with thief.http.get("/api/me", headers={"Cookie": f"sid={planted}"}) as answer:
            assert await answer.json() == {}
        await sign_out(ben)


@pytest.mark.row("A6")
async def test_wrong_name_and_wrong_password_look_alike_after_the_same_work(anna, ben, server, monkeypatch):
    await register(anna, "Anna")
    compared = []
    real = credentials.matches
    monkeypatch.setattr(credentials, "matches", lambda *each: (compared.append(1), real(*each))[1])
    answers = [await go(ben, "/sign-in", name=name, password="wrong password") for name in ("Anna", "Anne")]
    assert len(compared) == 2
    (status, first), (other, second) = answers
    assert status == other == 403
    assert first.replace("Anna", "Anne") == second


async def test_a_hash_with_older_parameters_is_replaced_at_sign_in(anna, server):
    await register(anna, "Anna")
    store = server.app[SITE].store.accounts
    older = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1).hash(PASSWORD)
    await store.set_password(await store.find("anna"), older)
    assert await sign_in(anna, "Anna") == "/"
    assert (await store.find("anna")).password != older
    assert await sign_in(anna, "Anna") in ("/", "/account")


async def test_whoever_has_lost_their_password_finds_the_host(anna, server, monkeypatch):
    """It said to ask whoever runs the server, and not how."""
    assert "Ask whoever runs this server;" in await page_of(anna, "/sign-in")
    monkeypatch.setitem(aiohttp_jinja2.get_env(server.app).globals, "host_contact", "mailto:host@example.org")
    page = await page_of(anna, "/sign-in")
    assert '<a href="mailto:host@example.org">whoever runs this server</a>;' in page
    assert '<a href="mailto:host@example.org">Contact the host</a>' in page


async def test_signing_in_and_registering_lead_back_to_the_very_page_with_its_query(anna, ben):
    """From the analysis of a game one came back to an empty board."""
    page = "/analysis/chess?game=AbCdEfGhIj&x=1"
    for person in (anna, ben):
        assert "next=/analysis/chess%3Fgame%3DAbCdEfGhIj%26x%3D1" in await page_of(person, page)
    asked = "/sign-in?next=/analysis/chess%3Fgame%3DAbCdEfGhIj%26x%3D1"
    assert "/register?next=/analysis/chess%3Fgame%3DAbCdEfGhIj%26x%3D1" in await page_of(anna, asked)
    assert 'href="/AbCdEfGhIj"' in await page_of(anna, page), "the analysis leads back to the game"
    assert await go(anna, "/register", name="Anna", password=PASSWORD, next=page) == page
    assert await sign_in(ben, "Anna", next=page) == page


@pytest.mark.parametrize(
    "way",
    ["//evil.example", "https://evil.example", "/\\evil", "/%2f%2fevil", "/a?<b>", "//a?b", "javascript:1", "/a\n"],
)
async def test_signing_in_never_leads_to_another_site(anna, way):
    await register(anna, "Anna")
    await sign_out(anna)
    status, _ = await go(anna, "/sign-in", name="Anna", password=PASSWORD, next=way)
    assert status == 400
    async with anna.http.get("/sign-in", params={"next": way}) as answer:
        assert 'name="next" value=""' in await answer.text()


async def test_signing_in_leads_back_to_where_one_was(anna, ben):
    await register(anna, "Anna")
    assert await sign_in(ben, "Anna", next="/rules/grand") == "/rules/grand"


@pytest.mark.parametrize("path", ["/register", "/sign-in"])
async def test_whoever_has_a_session_gets_its_cookie_although_the_store_fails_after_that(anna, ben, server, path):
    """Else it opens nothing, and their name is taken, or their password that was good once used up."""
    accounts = server.app[SITE].store.accounts
    if path == "/sign-in":
        await register(anna, "Anna")
        account = await accounts.find("anna")
        await accounts.set_password(account, account.password)  # sessions of an earlier one are ended, too
    await go(ben, "/settings", theme="dark")
    open_session = accounts.register if path == "/register" else accounts.sign_in
    with pytest.MonkeyPatch.context() as patch:

        async def away(*_, **__):
            raise Unavailable("just now")

        async def opened(*args, **named):
            await open_session(*args, **named)
            for name in ("read", "rows", "fields", "write", "write_together", "change"):
                patch.setattr(SqliteFile, name, away)

        patch.setattr(type(accounts), open_session.__name__, staticmethod(opened))
        answer = await go(ben, path, name="Anna", password=PASSWORD)
    assert answer == ("/?registered" if path == "/register" else "/")
    assert (await ben.get("/api/me"))["name"] == "Anna"


async def test_a_refused_sign_in_is_logged_as_the_filter_of_the_manual_reads_it(anna, caplog):
    (rule,) = re.findall(r"^failregex = (.+)$", (ROOT / "docs" / "monitoring.md").read_text(), re.MULTILINE)
    rule = rule.replace("<ADDR>", r"(?P<address>[0-9a-f.:]+)")
    await register(anna, "Anna")
    await sign_in(anna, "Anna", "a wrong password")
    (line,) = [JsonFormatter().format(one) for one in caplog.records if one.name == "server.web.accounts.account_pages"]
    assert re.search(rule, line)["address"] == "127.0.0.1"
    assert "Anna" not in line
    assert "a wrong password" not in line
