"""Registering, signing in and out, changing the password: what each does to the browser, the games and the others."""

import asyncio

import pytest
from argon2 import PasswordHasher

from server.realtime.ids import digest
from server.web.languages import LANGUAGES
from server.web.limits import RateLimit
from server.web.open_sockets import SERVICE_RESTART, SESSION_ENDED
from server.web.people import accounts, hashing
from server.web.people.accounts import ACCOUNTS
from server.web.site import SITE
from tests.web.members import PASSWORD, go, register, sign_in, sign_out, token_of


@pytest.fixture(autouse=True)
def cheap_hashes(monkeypatch):
    """The parameters are tested by themselves; here only what is done with the answers."""
    monkeypatch.setattr(hashing, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    monkeypatch.setattr(hashing.Hashing.__init__, "__defaults__", (hashing.HASHER,))


async def test_who_registers_stays_who_he_is_with_another_token(anna, server):
    guest, planted = await anna.post("/api/guest"), token_of(anna)
    assert await register(anna, "Anna") == "/account"
    assert await anna.get("/api/me") == {"id": guest["id"], "name": "Anna"}
    assert token_of(anna) != planted
    assert await server.app[SITE].store.session(digest(planted)) is None


async def test_a_stranger_can_register_too_and_sign_in_elsewhere(anna, ben):
    await register(anna, "Anna")
    assert await sign_in(ben, "anna") == "/"
    assert await ben.get("/api/me") == await anna.get("/api/me")


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


async def test_a_guest_keeps_his_seat_in_a_running_game_when_he_registers(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        assert (await white.move(0, "e2e4"))["t"] == "ok"
        assert (await black.next())["t"] == "snapshot"
        await register(anna, "Anna")
        assert await white.closing() == SERVICE_RESTART
        assert (await black.until("joined"))["seat"]["name"] == "Anna"
    async with anna.follow(game) as white, ben.follow(game) as black:
        snapshot = await white.next()
        assert (snapshot["you"], snapshot["white"]["name"], snapshot["status"]) == ("white", "Anna", "live")
        assert (await black.move(1, "e7e5"))["t"] == "ok"
        assert (await white.move(2, "g1f3"))["t"] == "ok"


async def test_the_games_of_a_guest_follow_when_he_signs_in_to_his_account(anna, visitor, ben):
    await register(anna, "Anna")
    phone = await visitor()
    game = await phone.challenge()
    await ben.join(game)
    over = await phone.challenge()
    await ben.join(over)
    async with ben.follow(over) as line:
        await line.next()
        await line.send({"t": "resign", "id": 1})
        await line.until("over")
    await sign_in(phone, "Anna")
    for one in (game, over):
        assert (await anna.get(f"/api/games/{one['id']}"))["white"]["name"] == "Anna"
    async with anna.follow(game) as white:
        assert (await white.next())["you"] == "white"
        assert (await white.move(0, "e2e4"))["t"] == "ok"


async def test_who_had_the_seat_before_can_only_watch(anna, visitor, ben):
    await register(anna, "Anna")
    phone = await visitor()
    game = await phone.challenge()
    await ben.join(game)
    old = {"Cookie": f"sid={token_of(phone)}"}
    await sign_in(phone, "Anna")
    stranger = await visitor()
    async with stranger.line(**old) as line:
        await line.hello(game["id"])
        assert (await line.next()).get("you") is None
        assert (await line.move(0, "e2e4"))["code"] == "not_a_player"


async def test_a_socket_that_another_process_holds_open_loses_the_seat_too(anna, visitor, ben, server, monkeypatch):
    await register(anna, "Anna")
    phone = await visitor()
    game = await phone.challenge()
    await ben.join(game)
    monkeypatch.setattr(type(server.app[SITE].open_sockets), "end_sessions", lambda *_: None)
    async with phone.follow(game) as stale:
        assert (await stale.next())["you"] == "white"
        await sign_in(phone, "Anna")
        assert (await stale.until("snapshot")).get("you") is None
        assert (await stale.move(0, "e2e4"))["code"] == "not_a_player"


async def test_nobody_comes_to_play_against_himself(anna, visitor):
    await register(anna, "Anna")
    game = await anna.challenge()
    phone = await visitor()
    await phone.join(game)
    guest = (await phone.get("/api/me"))["name"]
    await sign_in(phone, "Anna")
    assert (await anna.get(f"/api/games/{game['id']}"))["black"]["name"] == guest


async def test_a_name_is_given_once_also_to_look_alikes_and_to_two_at_once(visitor):
    people = [await visitor() for _ in range(6)]
    names = ["Olli", "olli", "0LLI", "Oili", "o1l1", "OLLI"]
    answers = await asyncio.gather(*(register(*each) for each in zip(people, names, strict=True)))
    assert sorted(map(str, answers)) == ["/account", *["409"] * 5] or sorted(map(str, answers)) == [
        *["409"] * 5,
        "/account",
    ]


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
    assert server.app[LANGUAGES]["en"].t(f"problems.{code}") in page
    assert f'value="{name}"' in page
    assert 'role="alert"' in page
    assert password not in page
    assert await anna.get("/api/me") == {}, "a refused registration makes no guest"


async def test_wrong_name_and_wrong_password_look_alike_after_the_same_work(anna, ben, server, monkeypatch):
    await register(anna, "Anna")
    compared = []
    real = hashing.matches
    monkeypatch.setattr(hashing, "matches", lambda *each: (compared.append(1), real(*each))[1])
    answers = [await go(ben, "/sign-in", name=name, password="wrong password") for name in ("Anna", "Anne")]
    assert len(compared) == 2
    (status, first), (other, second) = answers
    assert status == other == 403
    assert first.replace("Anna", "Anne") == second


async def test_guessing_one_password_is_slow_and_the_answer_says_when_to_come_again(anna, visitor, server, monkeypatch):
    await register(anna, "Anna")
    await sign_out(anna)
    compared = []
    real = hashing.matches
    monkeypatch.setattr(hashing, "matches", lambda *each: (compared.append(1), real(*each))[1])
    guesser = await visitor()
    server.app[ACCOUNTS].known.clear()
    for _ in range(40):
        fields = {"name": "aNNa", "password": "guess guess"}
        async with guesser.http.post("/sign-in", data=fields, allow_redirects=False) as answer:
            last = answer
    assert len(compared) == 10
    assert last.status == 429
    assert 0 < int(last.headers["Retry-After"]) <= 60
    assert await sign_in(guesser, "Anna") == 429, "the right password neither, from where nobody has signed in before"


async def test_the_owner_gets_in_from_his_own_address_while_others_guess(anna, visitor, server):
    await register(anna, "Anna")
    await sign_out(anna)
    await sign_in(anna, "Anna")
    await sign_out(anna)
    limits = server.app[SITE].limits
    while not limits.sign_ins.take("anna", server.app[SITE].now() / 1000):
        pass
    assert await sign_in(anna, "Anna") == "/"


async def test_one_address_tries_many_names_slowly(ben, server):
    server.app[SITE].limits.sign_ins_by_address = RateLimit(5, 600)
    answers = [await sign_in(ben, f"name{number}") for number in range(8)]
    assert answers == [403] * 5 + [429] * 3


async def test_names_are_registered_slowly_by_one_address(visitor, server):
    server.app[SITE].limits.registrations = RateLimit(2, 3600)
    answers = [await register(await visitor(), f"name{number}") for number in range(4)]
    assert answers == ["/account", "/account", 429, 429]


async def test_too_many_at_once_are_told_so(visitor, monkeypatch):
    monkeypatch.setattr(hashing, "MOST_WAITING", 0)
    people = [await visitor() for _ in range(12)]
    answers = await asyncio.gather(*(sign_in(one, f"nobody{number}") for number, one in enumerate(people)))
    assert set(answers) == {403, 503}


async def test_signing_out_ends_this_browser_alone(anna, ben):
    await register(anna, "Anna")
    await sign_in(ben, "Anna")
    game = await ben.challenge()
    async with ben.follow(game) as line:
        assert await sign_out(ben) == "/"
        assert await line.closing() == SESSION_ENDED
    assert await ben.get("/api/me") == {}
    assert (await anna.get("/api/me"))["name"] == "Anna"
    async with anna.follow(game) as line:
        assert (await line.next())["you"] == "white", "the seat is the person's, not the browser's"


async def test_a_guest_cannot_lose_himself_by_signing_out(anna):
    guest = await anna.post("/api/guest")
    assert await sign_out(anna) == "/"
    assert await anna.get("/api/me") == guest


async def test_signing_out_everywhere_ends_every_browser(anna, ben):
    await register(anna, "Anna")
    await sign_in(ben, "Anna")
    async with ben.follow(await ben.challenge()) as line:
        assert await go(anna, "/account/sign-out-everywhere") == "/sign-in"
        assert await line.closing() == SESSION_ENDED
    assert await anna.get("/api/me") == await ben.get("/api/me") == {}


async def test_a_changed_password_ends_the_other_browsers_and_changes_this_ones_token(anna, ben, visitor):
    await register(anna, "Anna")
    await sign_in(ben, "Anna")
    before = token_of(anna)
    status, _ = await go(anna, "/account/password", old="not this one", new="another good one")
    assert status == 403
    assert await go(anna, "/account/password", old=PASSWORD, new="another good one") == "/account"
    assert token_of(anna) != before
    assert (await anna.get("/api/me"))["name"] == "Anna"
    assert await ben.get("/api/me") == {}
    stranger = await visitor()
    assert await sign_in(stranger, "Anna") == 403
    assert await sign_in(stranger, "Anna", "another good one") == "/"


async def test_a_new_password_must_be_good_too(anna):
    await register(anna, "Anna")
    for new in ("short", "anna1234"[:7], "password"):
        status, _ = await go(anna, "/account/password", old=PASSWORD, new=new)
        assert status == 400
    assert (await sign_in(anna, "Anna")) in ("/", "/account")


async def test_who_was_let_in_by_the_host_chooses_a_password_without_an_old_one(anna, server, visitor):
    await register(anna, "Anna")
    site = server.app[SITE]
    hashed = await server.app[ACCOUNTS].hash("told on the phone")
    await site.store.accounts.reset_password("anna", hashed, site.now() + accounts.ONCE)
    assert await sign_in(anna, "Anna", "told on the phone") == "/account"
    assert await go(anna, "/account/password", new="my very own one") == "/account"
    assert await sign_in(await visitor(), "Anna", "my very own one") == "/"


async def test_a_password_of_the_host_is_good_for_a_day(anna, server):
    await register(anna, "Anna")
    site = server.app[SITE]
    hashed = await server.app[ACCOUNTS].hash("told on the phone")
    await site.store.accounts.reset_password("anna", hashed, site.now() - 1)
    assert await sign_in(anna, "Anna", "told on the phone") == 403


async def test_a_hash_of_older_parameters_is_made_anew_at_sign_in(anna, server):
    await register(anna, "Anna")
    store = server.app[SITE].store.accounts
    older = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1).hash(PASSWORD)
    await store.set_password(await store.find("anna"), older)
    assert await sign_in(anna, "Anna") == "/"
    assert (await store.find("anna")).password != older
    assert await sign_in(anna, "Anna") in ("/", "/account")


async def test_the_cookie_of_an_account_is_as_guarded_as_a_guests(anna):
    fields = {"name": "Anna", "password": PASSWORD}
    async with anna.http.post("/register", data=fields, allow_redirects=False) as answer:
        cookie = answer.cookies["sid"]
    assert len(cookie.value) == 43
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")


@pytest.mark.parametrize(
    "way", ["//evil.example", "https://evil.example", "/\\evil", "/%2f%2fevil", "/a?b", "javascript:1", "/a\n"]
)
async def test_nobody_is_led_to_another_site(anna, way):
    await register(anna, "Anna")
    await sign_out(anna)
    status, _ = await go(anna, "/sign-in", name="Anna", password=PASSWORD, next=way)
    assert status == 400
    async with anna.http.get("/sign-in", params={"next": way}) as answer:
        assert 'name="next" value=""' in await answer.text()


async def test_who_signs_in_goes_on_where_he_was(anna, ben):
    await register(anna, "Anna")
    assert await sign_in(ben, "Anna", next="/rules/grand") == "/rules/grand"


PATHS = ["/register", "/sign-in", "/sign-out", "/account/password", "/account/delete", "/account/sign-out-everywhere"]


@pytest.mark.parametrize("path", PATHS)
async def test_other_sites_cannot_send_these_forms(server, visitor, anna, path):
    await register(anna, "Anna")
    headers = {"Origin": "https://evil.example"}
    fields = {"name": "Anna", "password": PASSWORD, "old": PASSWORD, "new": "another good one"}
    async with anna.http.post(path, data=fields, headers=headers, allow_redirects=False) as answer:
        assert answer.status == 403
    assert (await anna.get("/api/me"))["name"] == "Anna"


@pytest.mark.parametrize("path", PATHS[3:])
async def test_without_an_account_these_lead_to_the_sign_in(anna, path):
    await anna.post("/api/guest")
    assert await go(anna, path, password="x", new="y") == "/sign-in?next=/account"


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
