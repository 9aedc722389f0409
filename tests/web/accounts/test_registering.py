"""Registering: who gets which name, what cannot be one, and the cookie that comes with it."""

import asyncio

import pytest

from server.realtime.runtime.ids import digest
from server.web.accounts.credentials import SHORTEST
from server.web.budgets.buckets import RateLimit
from server.web.languages import LANGUAGES
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, register, token_of


async def test_registering_keeps_the_user_and_changes_the_token(anna, server):
    guest, planted = await anna.post("/api/guest"), token_of(anna)
    assert await register(anna, "Anna") == "/?registered"
    assert await anna.get("/api/me") == {"id": guest["id"], "name": "Anna"}
    assert token_of(anna) != planted
    assert await server.app[SITE].store.session(digest(planted)) is None


async def test_the_front_page_says_once_that_there_is_an_account(anna, ben):
    said = "signed in as Anna"
    async with anna.http.get(await register(anna, "Anna")) as answer:
        assert said in await answer.text()
    for reader, path in ((anna, "/"), (ben, "/?registered")):
        async with reader.http.get(path) as answer:
            assert said not in await answer.text()


async def test_a_name_is_given_once_also_to_look_alikes_and_to_two_at_once(visitor):
    people = [await visitor() for _ in range(6)]
    names = ["Olli", "olli", "0LLI", "Oili", "o1l1", "OLLI"]
    answers = await asyncio.gather(*(register(*each) for each in zip(people, names, strict=True)))
    assert sorted(map(str, answers)) == ["/?registered", *["409"] * 5]


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        ("a", PASSWORD, "name_shape"),
        ("admin", PASSWORD, "name_reserved"),
        ("QuietHeron27", PASSWORD, "name_guest"),
        ("Anna", "short", "password_short"),
        ("Annabel", "annabel1", "password_name"),
        ("Anna", "password1", "password_common"),
    ],
)
async def test_what_cannot_be_is_said_on_the_page_which_keeps_the_name_and_no_password(
    anna, name, password, code, server
):
    status, page = await go(anna, "/register", name=name, password=password)
    assert status == 400
    assert server.app[LANGUAGES]["en"].t(f"problems.{code}", n=SHORTEST) in page
    assert f'value="{name}"' in page
    assert 'role="alert"' in page
    assert password not in page
    assert await anna.get("/api/me") == {}, "a refused registration makes no guest"


async def test_names_are_registered_slowly_by_one_address(visitor, server):
    server.app[SITE].limits.registrations = RateLimit(2, 3600)
    answers = [await register(await visitor(), f"name{number}") for number in range(4)]
    assert answers == ["/?registered", "/?registered", 429, 429]


async def test_the_cookie_of_an_account_is_as_guarded_as_a_guests(anna):
    fields = {"name": "Anna", "password": PASSWORD}
    async with anna.http.post("/register", data=fields, allow_redirects=False) as answer:
        cookie = answer.cookies["sid"]
    assert len(cookie.value) == 43
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")


async def test_a_form_is_refused_that_is_not_what_the_page_sends(anna):
    for body in (
        "name=Anna&name=Anna&password=x",
        "name=%ff&password=%ff%fe",
        "a",
        "name=Anna",
        "name=x&password=y&admin=1",
    ):
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        async with anna.http.post("/register", data=body, headers=kind) as answer:
            assert answer.status == 400, body
    async with anna.http.post("/register", json={"name": "Anna", "password": PASSWORD}) as answer:
        assert answer.status == 415
