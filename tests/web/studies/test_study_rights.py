"""Every address of studies for every kind of person: let in is who should be; others learn and change nothing."""

import pytest

from server.web.budgets.buckets import RateLimit
from server.web.routes import STUDIES
from server.web.site import SITE
from tests.support.web.accounts import register

NAME, SAID = "A name that nobody guesses", "a word that nobody guesses"
PGN = f"1. e4 {{ {SAID} }} e5 *\n"
BODIES = {
    "make_study": {"name": "New", "chapter": "New", "pgn": "*"},
    "change_study": {"rev": 3, "name": "Changed"},
    "copy_study": {},
    "add_chapter": {"name": "More", "pgn": "*"},
    "change_chapter": {"rev": 1, "pgn": "1. d4 *"},
}
"""By handler: what is sent."""
PEOPLE = ("the owner", "another account", "a guest", "nobody")


def right_answer(route, who, shared):
    """The status with which the site has to answer, as docs/players.md and the docstrings of the handlers promise."""
    name, account = route.handler.__name__, who in ("the owner", "another account")
    seen = 200 if shared or who == "the owner" else 404
    match name:
        case "own_studies":
            return 200
        case "own_page":
            return 200 if account else 303
        case "make_study":
            return 200 if account else 403
        case "copy_study":
            return seen if account else 403
    if route.method == "GET":
        return seen
    if not account:
        return 403
    return 403 if seen == 200 and who != "the owner" else seen


@pytest.fixture
async def author(server, anna):
    """The owner, in a site where nobody asks too often."""
    limits = server.app[SITE].limits
    for limit in ("studies", "misses", "long_tries", "pages"):
        setattr(limits, limit, RateLimit(10**6, 1))
    await register(anna, "Anna")
    return anna


@pytest.fixture
async def somebody(author, ben):
    """The one of these people by their kind."""

    async def find(who):
        if who == "the owner":
            return author
        if who == "another account":
            await register(ben, "Ben")
        if who == "a guest":
            await ben.post("/api/guest")
        return ben

    return find


async def new_study(author, shared):
    """Its third revision, with two chapters so that one may go."""
    made = await author.post("/api/studies", name=NAME, chapter=NAME, pgn=PGN)
    made = await author.post(f"/api/studies/{made['id']}/chapters", name=NAME, pgn=PGN)
    return await author.post(f"/api/studies/{made['id']}", rev=made["rev"], shared=shared)


def address(route, study):
    path = route.path.replace(r"{study:[0-9A-Za-z_-]{22}}", study["id"])
    return path.replace(r"{chapter:[0-9A-Za-z]{10}}", study["chapters"][0]["id"])


async def whole(author, study):
    """All that its owner sees of it."""
    told = [await author.get(f"/api/studies/{study['id']}")]
    for chapter in told[0]["chapters"]:
        told.append(await author.get(f"/api/studies/{study['id']}/chapters/{chapter['id']}"))
    return told


@pytest.mark.parametrize("shared", [False, True], ids=["private", "shared"])
@pytest.mark.parametrize("who", PEOPLE)
async def test_each_address_lets_in_who_should_be(author, somebody, who, shared):
    person = await somebody(who)
    for route, _ in STUDIES:
        study = await new_study(author, shared)
        before = await whole(author, study)
        body = BODIES[route.handler.__name__] if route.method == "POST" else None
        asked = person.http.request(route.method, address(route, study), json=body, allow_redirects=False)
        async with asked as answer:
            status, text = answer.status, await answer.text()
        case = f"{who}: {route.method} {route.path}"
        assert status == right_answer(route, who, shared), f"{case}: {text}"
        listed = route.handler.__name__ in ("own_studies", "own_page")
        if status != 200 or (who != "the owner" and (listed or not shared)):
            assert NAME not in text, case
            assert SAID not in text, case
        if who != "the owner":
            assert await whole(author, study) == before, case


@pytest.mark.parametrize("who", PEOPLE[1:])
async def test_what_people_take_with_them_is_their_own(author, somebody, who):
    await new_study(author, True)
    person = await somebody(who)
    async with person.http.get("/account/export", allow_redirects=False) as answer:
        assert NAME not in await answer.text()
    async with author.http.get("/account/export") as answer:
        assert NAME in await answer.text()
