"""Every address of studies for every kind of person: let in is who should be; others learn and change nothing."""

import json

import pytest
from aiohttp import WSMsgType

from server.realtime.protocol.wire import PROTOCOL
from server.web.budgets.buckets import RateLimit
from server.web.routes import STUDIES
from server.web.site import SITE
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import PASSWORD, go, register

NAME, SAID = "A name that nobody guesses", "a word that nobody guesses"
PGN = f"1. e4 {{ {SAID} }} e5 *\n"
BODIES = {
    "make_study": {"name": "New", "chapter": "New", "pgn": "*"},
    "change_study": {"rev": 3, "name": "Changed", "shared": True},
    "copy_study": {},
    "add_chapter": {"name": "More", "pgn": "*"},
    "change_chapter": {"rev": 1, "pgn": "1. d4 *"},
    "invite_member": {"name": "Carla", "role": "read"},
}
"""By handler: what is sent."""
PEOPLE = ("the owner", "a writer", "a reader", "another account", "a guest", "nobody")
ACCOUNTS, MEMBERS, WRITERS = PEOPLE[:4], PEOPLE[:3], PEOPLE[:2]
OWNERS_ALONE = ("delete_study", "invite_member", "remove_member")


def right_answer(route, who, shared):
    """The status with which the site has to answer, as docs/players.md and the docstrings of the handlers promise."""
    name, account = route.handler.__name__, who in ACCOUNTS
    seen = 200 if shared or who in MEMBERS else 404
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
    if name == "change_study" and who == "a writer":
        return 403  # for sharing it; see below
    may = WRITERS if name not in OWNERS_ALONE else PEOPLE[:1]
    return 403 if seen == 200 and who not in may else seen


@pytest.fixture
async def author(server, anna, carla):
    """The owner, in a site where nobody asks too often."""
    limits = server.app[SITE].limits
    for limit in ("studies", "misses", "long_tries", "pages"):
        setattr(limits, limit, RateLimit(10**6, 1))
    await register(anna, "Anna")
    await register(carla, "Carla")
    return anna


@pytest.fixture
async def somebody(author, ben):
    """The one of these people by their kind."""

    async def find(who):
        if who == "the owner":
            return author
        if who in ACCOUNTS:
            await register(ben, "Ben")
        if who == "a guest":
            await ben.post("/api/guest")
        return ben

    return find


async def new_study(author, shared, who=""):
    """Its third revision, with two chapters so that one may go, and Ben among its members if he is to be one."""
    made = await author.post("/api/studies", name=NAME, chapter=NAME, pgn=PGN)
    made = await author.post(f"/api/studies/{made['id']}/chapters", name=NAME, pgn=PGN)
    if who in MEMBERS[1:]:
        role = "write" if who == "a writer" else "read"
        await author.post(f"/api/studies/{made['id']}/members", name="Ben", role=role)
    return await author.post(f"/api/studies/{made['id']}", rev=made["rev"], shared=shared)


def address(route, study):
    path = route.path.replace(r"{study:[0-9A-Za-z_-]{22}}", study["id"]).replace("{name}", "Anna")
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
        study = await new_study(author, shared, who)
        before = await whole(author, study)
        body = BODIES[route.handler.__name__] if route.method == "POST" else None
        asked = person.http.request(route.method, address(route, study), json=body, allow_redirects=False)
        async with asked as answer:
            status, text = answer.status, await answer.text()
        case = f"{who}: {route.method} {route.path}"
        assert status == right_answer(route, who, shared), f"{case}: {text}"
        listed = route.handler.__name__ in ("own_studies", "own_page")
        if status != 200 or (who not in MEMBERS and (listed or not shared)):
            assert NAME not in text, case
            assert SAID not in text, case
        if who not in WRITERS or status != 200:
            assert await whole(author, study) == before, case


@pytest.mark.parametrize("who", PEOPLE[1:])
async def test_what_people_take_with_them_is_their_own(author, somebody, who):
    await new_study(author, True)
    person = await somebody(who)
    async with person.http.get("/account/export", allow_redirects=False) as answer:
        assert NAME not in await answer.text()
    async with author.http.get("/account/export") as answer:
        assert NAME in await answer.text()


async def test_a_writer_changes_name_and_chapters_but_does_not_share(author, somebody):
    writer = await somebody("a writer")
    study = await new_study(author, False, "a writer")
    path, chapter = f"/api/studies/{study['id']}", study["chapters"][0]["id"]
    told = await writer.post(path, rev=study["rev"], name="Ours")
    assert (told["name"], told["mine"], told["own"]) == ("Ours", True, False)
    assert told["members"] == [{"name": "Ben", "role": "write"}]
    changed = await writer.post(f"{path}/chapters/{chapter}", rev=1, pgn="1. d4 *")
    assert changed["rev"] == 2
    # Of two who write in the same chapter the second is told.
    await author.post(f"{path}/chapters/{chapter}", 409, rev=1, pgn="1. c4 *")
    await writer.post(path, 403, rev=told["rev"], shared=True)
    assert not (await author.get(path))["shared"]


async def test_a_member_loses_what_was_given_with_the_next_request(author, somebody):
    ben = await somebody("a writer")
    study = await new_study(author, False, "a writer")
    path = f"/api/studies/{study['id']}"
    assert [(one["name"], one["role"]) for one in (await ben.get("/api/studies"))["others"]] == [(NAME, "write")]
    told = await author.post(f"{path}/members", name="ben", role="read")
    assert told == {"members": [{"name": "Ben", "role": "read"}]}
    await ben.post(path, 403, rev=study["rev"], name="Mine")
    assert not (await ben.get(path))["mine"]
    await author.http.delete(f"{path}/members/BEN")
    await ben.get(path, 404)
    assert (await ben.get("/api/studies"))["others"] == []
    assert (await author.get(path))["members"] == []


async def test_a_member_leaves_but_takes_nobody_else_out(author, somebody):
    ben = await somebody("a writer")
    study = await new_study(author, False, "a writer")
    path = f"/api/studies/{study['id']}"
    await author.post(f"{path}/members", name="Carla")
    async with ben.http.delete(f"{path}/members/Carla") as answer:
        assert answer.status == 403
    async with ben.http.delete(f"{path}/members/Ben") as answer:
        assert answer.status == 200
    assert [one["name"] for one in (await author.get(path))["members"]] == ["Carla"]
    await ben.get(path, 404)


async def test_nobody_is_bothered_by_whom_they_have_blocked_and_nobody_else_notices(author, somebody):
    ben = await somebody("another account")
    async with ben.http.post("/@/Anna/block", allow_redirects=False) as answer:
        assert answer.status == 303
    study = await new_study(author, False)
    told = await author.post(f"/api/studies/{study['id']}/members", name="Ben")
    assert told == {"members": [{"name": "Ben", "role": "write"}]}
    assert (await ben.get("/api/studies"))["others"] == []
    async with ben.http.get("/studies") as answer:
        assert NAME not in await answer.text()


async def test_the_owner_is_no_member_and_members_are_few(author, somebody, monkeypatch):
    await somebody("another account")
    study = await new_study(author, False)
    path = f"/api/studies/{study['id']}/members"
    assert (await author.post(path, 403, name="Anna"))["refusal"] == "own_member"
    monkeypatch.setattr("server.storage.tables.studies.MAX_MEMBERS", 1)
    await author.post(path, name="Carla")
    assert (await author.post(path, 403, name="Ben"))["refusal"] == "too_many_members"
    assert (await author.post(path, name="Carla", role="read"))["members"] == [{"name": "Carla", "role": "read"}]


async def listened(person, study, *told):
    """What the socket of the study's page says, up to the last of these kinds of messages, each in turn."""
    heard = []
    async with person.http.ws_connect("/ws/study") as socket:
        await socket.send_str(json.dumps({"t": "hi", "proto": PROTOCOL, "study": study["id"]}))
        for kind, act in told:
            while not heard or heard[-1]["t"] != kind:
                message = await socket.receive(timeout=PATIENCE_S)
                assert message.type is WSMsgType.TEXT, (message, heard)
                heard.append(json.loads(message.data))
            if act is not None:
                await act()
    return heard


@pytest.mark.parametrize("who", PEOPLE)
async def test_a_socket_lets_in_who_may_read(author, somebody, who):
    person = await somebody(who)
    study = await new_study(author, False, who)
    heard = await listened(person, study, ("study" if who in MEMBERS else "study_gone", None))
    assert NAME in json.dumps(heard) if who in MEMBERS else heard == [{"t": "study_gone"}]


async def test_an_open_page_hears_each_change_and_is_closed_to_whom_one_takes_out(author, somebody):
    ben = await somebody("a writer")
    study = await new_study(author, False, "a writer")
    path, chapter = f"/api/studies/{study['id']}", study["chapters"][0]["id"]
    heard = await listened(
        ben,
        study,
        ("study", lambda: author.post(f"{path}/chapters/{chapter}", rev=1, pgn="1. d4 *")),
        ("chapter_changed", lambda: author.http.delete(f"{path}/members/Ben")),
        ("study_gone", None),
    )
    assert {"t": "chapter_changed", "chapter": chapter, "rev": 2, "by": "Anna"} in heard


async def test_an_open_page_is_closed_when_the_owner_deletes_their_account(author, somebody):
    ben = await somebody("a writer")
    study = await new_study(author, False, "a writer")

    async def leave():
        await go(author, "/account/delete", password=PASSWORD)

    assert (await listened(ben, study, ("study", leave), ("study_gone", None)))[-1] == {"t": "study_gone"}
