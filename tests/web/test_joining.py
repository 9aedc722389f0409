"""Who may join, by the forms of the site: every way in is checked, whatever a page shows, and answers are read."""

import re

import pytest

from server.games.desk import Role
from server.games.joining import (
    CODE_LETTERS,
    HOUR_MS,
    LONGEST_ANSWER,
    LONGEST_QUESTION,
    LONGEST_REASON,
    MOST_INVITATIONS,
    Answer,
    Guests,
    Invitation,
    Joining,
    SignUp,
)
from server.realtime.services.joining import choose_joining, expire_joining, make_invitation
from server.storage.admin_commands import (
    AnswerRequest,
    ChooseJoining,
    EndInvitation,
    Invite,
    ListInvitations,
    ListJoining,
    described,
)
from server.storage.errors import NotStored
from server.web.accounts.accounts import ACCOUNTS
from server.web.joining import TICK
from server.web.operation.host_commands import NO_INVITATIONS, carry_out_command
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in
from tests.support.web.desk import ROOT, seat_at_desk
from tests.support.web.people import FOOLS_MATE, play

pytestmark = pytest.mark.usefixtures("unlimited")
CODE = CODE_LETTERS[:10]
JOINING = "/host/joining"
BLITZ = {"kind": "realtime", "initial": 300, "increment": 2}
GAME = {"variant": "chess", "color": "white", "clock": BLITZ}
PGN = '[Event "A"]\n[Result "*"]\n\n1. e4 *\n'


async def choose(site, sign_up=SignUp.OPEN, guests=Guests.ALL, question=""):
    """As another node would have it in the store."""
    await choose_joining(site.store, Joining(sign_up, guests, question), ROOT, site.now())


async def status_of(person, path, body):
    async with person.http.post(path, json=body) as answer:
        return answer.status


async def log_of(site):
    return [(one.by.name, one.deed.value, one.detail) for one in await site.store.desk.log(site.now(), 99)][::-1]


async def test_the_host_chooses_who_may_join_and_a_moderator_does_not(site, host, ben):
    fields = {"sign_up": "asked", "guests": "link", "question": "Which <b>club</b>?"}
    for _ in range(2):
        assert await go(host, JOINING, **fields) == f"{JOINING}?done"
    assert (await site.store.site_settings.read()).joining == Joining(SignUp.ASKED, Guests.LINK, fields["question"])
    assert (await log_of(site))[-1] == ("Hilda", "joining", "asked link Which <b>club</b>?")
    assert "Which &lt;b&gt;club&lt;/b&gt;?" in await page_of(ben, "/register")
    assert (await go(host, JOINING, **{**fields, "question": "x" * (LONGEST_QUESTION + 1)}))[0] == 400
    assert (await go(host, JOINING, **{**fields, "sign_up": "everybody"}))[0] == 400
    await choose(site)
    await seat_at_desk(site, ben, "Ben", Role.MODERATOR)
    page = await page_of(ben, JOINING)
    assert 'name="sign_up"' not in page
    assert 'name="uses"' in page
    assert (await go(ben, JOINING, **fields))[0] == 403
    assert (await site.store.site_settings.read()).joining == Joining()


async def test_who_asks_is_a_guest_until_they_are_let_in_by_their_own_password(site, host, ben, carla):
    await choose(site, SignUp.ASKED)
    asks = {"name": "Ben", "password": PASSWORD, "words": "I play\r\n<i>here</i>."}
    assert (await go(ben, "/register", **{**asks, "words": "x" * (LONGEST_ANSWER + 1)}))[0] == 400
    for _ in range(2):
        assert await go(ben, "/register", **asks) == "/register?asked"
    assert "Your request is with the host." in await page_of(ben, "/register?asked")
    assert (await go(carla, "/register", **{**asks, "password": "another good one"}))[0] == 409, "the name is theirs"
    status, page = await go(ben, "/sign-in", name="Ben", password=PASSWORD)
    assert (status, "Your request to join is with the host" in page) == (403, True)
    assert "name and password do not match" in (await go(carla, "/sign-in", name="Ben", password="not this one"))[1]
    assert await site.store.accounts.find("Ben") is None
    assert (await ben.challenge())["id"], "guests may play meanwhile"
    page = await page_of(host, JOINING)
    assert "1 person asks to join" in page
    assert "I play\n&lt;i&gt;here&lt;/i&gt;." in page
    assert "1 waits" in await page_of(host, "/host")
    for _ in range(2):
        assert (
            await go(host, f"{JOINING}/answer", answer="accepted", **{f"{TICK}ben": "yes"}) == f"{JOINING}?answered=1"
        )
    assert "has not signed in yet" in await page_of(host, JOINING)
    user = (await ben.get("/api/me"))["id"]
    held = await site.store.joining.request("ben")
    assert await sign_in(ben, "Ben", "not this one") == 403
    assert await sign_in(ben, "Ben") == "/"
    account = await site.store.accounts.find("Ben")
    assert account.user == user, "and keeps the games that they have played"
    assert await site.store.joining.request("ben") is None
    # The process has died before it deleted the request, and with it the second copy of the password's hash.
    await site.store.joining.add_request(held)
    assert await sign_in(carla, "Ben") == "/"
    await expire_joining(site.store, site.now())
    assert await site.store.joining.request("ben") is None
    assert [line for line in await log_of(site) if line[1] == "accepted"] == [("Hilda", "accepted", "Ben")]


@pytest.mark.parametrize("late", ["request", "matches"])
async def test_pressing_twice_lets_them_in_twice(server, site, host, ben, carla, monkeypatch, late):
    """The first press makes the account before the second looks for the request, or while it weighs the password."""
    await choose(site, SignUp.ASKED)
    assert await register(ben, "Ben") == "/register?asked"
    assert await go(host, f"{JOINING}/answer", one="ben", answer="accepted") == f"{JOINING}?answered=1"
    where = site.store.joining if late == "request" else server.app[ACCOUNTS].hashing
    really, pressed = getattr(where, late), []

    async def look(*what, **more):
        if "first" not in pressed:
            pressed.append("first")
            pressed.append(await sign_in(carla, "Ben"))
        return await really(*what, **more)

    monkeypatch.setattr(where, late, look)
    pressed.append(await sign_in(ben, "Ben"))
    assert pressed == ["first", "/", "/"]


async def test_ticked_requests_are_refused_together_and_each_reads_why_until_the_name_is_free(
    site, host, ben, carla, clock
):
    await choose(site, SignUp.ASKED)
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        assert await go(person, "/register", name=name, password=PASSWORD, words="") == "/register?asked"
    assert (await go(host, f"{JOINING}/answer", answer="refused"))[0] == 400, "nothing is ticked"
    ticked = {f"{TICK}ben": "yes", f"{TICK}carla": "yes"}
    too_long = "x" * (LONGEST_REASON + 1)
    assert (await go(host, f"{JOINING}/answer", answer="refused", reason=too_long, **ticked))[0] == 400
    assert await go(host, f"{JOINING}/answer", answer="refused", reason="Only <b>members</b>.", **ticked)
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        for path in ("/sign-in", "/register"):
            status, page = await go(person, path, name=name, password=PASSWORD)
            assert (status, "“Only &lt;b&gt;members&lt;/b&gt;.”" in page) == (403, True), path
            assert "members" not in (await go(person, path, name=name, password="not this one"))[1]
    status, page = await go(host, f"{JOINING}/answer", answer="refused", reason="Other.", **ticked)
    assert (status, "Somebody else has answered" in page) == (403, True)
    assert await go(host, f"{JOINING}/answer", one="ben") == f"{JOINING}?answered=1", "after all"
    assert await sign_in(ben, "Ben") == "/"
    clock.turn(31 * 24 * HOUR_MS)
    await expire_joining(site.store, site.now())
    assert await go(carla, "/register", name="Carla", password="another good one") == "/register?asked"


@pytest.mark.parametrize("sign_up", SignUp)
async def test_an_account_is_made_only_as_the_host_has_chosen(site, host, ben, sign_up):
    await choose(site, sign_up)
    page = await page_of(ben, "/register")
    assert ('action="/register"' in page) == (sign_up is not SignUp.CLOSED)
    found = await go(ben, "/register", name="Ben", password=PASSWORD)
    expected = {SignUp.OPEN: "/?registered", SignUp.ASKED: "/register?asked"}
    assert (found if isinstance(found, str) else found[0]) == expected.get(sign_up, 403)
    assert (await site.store.accounts.find("Ben") is not None) == (sign_up is SignUp.OPEN)


@pytest.mark.parametrize("sign_up", SignUp)
async def test_an_invitation_opens_the_site_unless_it_is_closed_and_one_that_is_over_never_does(
    site, host, ben, carla, visitor, clock, sign_up
):
    invited = {"code": CODE, "note": "Poster", "uses": "1", "hours": "1"}
    for _ in range(2):
        assert await go(host, f"{JOINING}/invitations", **invited) == f"{JOINING}/invitations/{CODE}"
    await choose(site, sign_up)
    page = await page_of(host, f"{JOINING}/invitations/{CODE}")
    link = re.search(r'value="http://[^"]*(/register\?invitation=\w+)"', page)[1]
    closed = sign_up is SignUp.CLOSED
    assert ("Hilda has invited you." in await page_of(ben, link)) == (not closed)
    typed = f"{CODE[:5]}-{CODE[5:]}".lower()
    found = await go(ben, "/register", name="Ben", password=PASSWORD, invitation=typed)
    if closed:
        assert found[0] == 403
        return
    assert found == "/?registered"
    assert "Ben" in await page_of(host, f"{JOINING}/invitations/{CODE}")
    status, page = await go(carla, "/register", name="Carla", password=PASSWORD, invitation=CODE)
    assert (status, "As many people as this invitation was for" in page) == (403, True)
    assert await site.store.accounts.find("Carla") is None
    clock.turn(HOUR_MS)
    for code in (CODE, CODE_LETTERS[-10:], "x"):
        status, page = await go(carla, "/register", name="Carla", password=PASSWORD, invitation=code)
        assert (status, "This invitation is not good any more" in page) == (403, True)
    async with carla.http.get(link) as answer:
        assert "This invitation is not good any more" in await answer.text()
    assert await site.store.accounts.find("Carla") is None
    assert await site.store.joining.request("carla") is None


async def test_an_ended_invitation_lets_nobody_in(site, host, ben):
    await choose(site, SignUp.INVITED)
    await go(host, f"{JOINING}/invitations", code=CODE, uses="0", hours="24")
    for _ in range(2):
        assert await go(host, f"{JOINING}/invitations/end", code=CODE) == f"{JOINING}?done#invitations-title"
    assert await register(ben, "Ben") == 403
    assert (await go(ben, "/register", name="Ben", password=PASSWORD, invitation=CODE))[0] == 403
    assert [line for line in await log_of(site) if line[1] in ("invited", "revoked")] == [
        ("Hilda", "invited", f"{CODE[:4]}…"),
        ("Hilda", "revoked", f"{CODE[:4]}…"),
    ]
    for bad in ({"uses": "101"}, {"hours": "9999"}, {"code": "short"}, {"uses": "-1"}):
        fields = {"code": CODE_LETTERS[-10:], "uses": "1", "hours": "1", **bad}
        assert (await go(host, f"{JOINING}/invitations", **fields))[0] == 400
    assert (await go(host, f"{JOINING}/invitations/end", code=CODE_LETTERS[-10:]))[0] == 403


GUEST_WAYS = {
    "seek": ("/api/seeks", {"variants": ["chess"], "clock": BLITZ}, {Guests.ALL}),
    "link": ("/api/games", GAME, {Guests.ALL}),
    "chat": ("/api/guest", {}, {Guests.ALL}),
    "alert": ("/api/alerts", {"variants": ["chess"], "speeds": []}, {Guests.ALL}),
    "computer": ("/api/games", {**GAME, "computer": 1}, {Guests.ALL, Guests.LINK}),
}


@pytest.mark.parametrize("guests", Guests)
async def test_strangers_and_guests_may_only_what_the_host_lets_them_and_members_everything(
    site, host, visitor, ben, carla, guests
):
    await register(ben, "Ben")
    assert await go(carla, "/guest", name="Carl")
    made = await ben.challenge()
    seek = await ben.post("/api/seeks", 201, variants=["chess"], clock={**BLITZ, "initial": 600})
    await choose(site, guests=guests)
    for way, (path, body, allowed) in GUEST_WAYS.items():
        for person in (carla, await visitor()):
            if way == "chat" and person is carla:
                continue
            status = await status_of(person, path, body)
            assert (status < 300) == (guests in allowed), (way, status)
            assert status < 300 or status == 403
    stranger = await visitor()
    status = await status_of(stranger, f"/api/seeks/{seek['seek']['id']}/accept", {})
    assert (status == 200) == (guests is Guests.ALL)
    status = await status_of(carla, f"/api/games/{made['id']}/join", {"secret": made["secret"]})
    assert status == (403 if guests is Guests.NONE else 200)
    for path, fields in (("/computer", {"variant": "chess", "level": "1"}), ("/guest", {"name": "Nora"})):
        found = await go(stranger, path, **fields)
        assert isinstance(found, str) if guests is not Guests.NONE else found[0] == 403, path
    async with stranger.http.post(
        "/api/import", data=PGN, headers={"Content-Type": "application/x-chess-pgn"}
    ) as answer:
        assert answer.status == (200 if guests is Guests.ALL else 403)
    for path, body, _ in GUEST_WAYS.values():
        assert await status_of(ben, path, body) < 300, path
    page = await page_of(stranger, "/register")
    assert ('action="/guest"' in page) == (guests is not Guests.NONE)


async def test_who_is_let_in_while_the_site_opens_or_is_invited_need_not_ask_again(site, host, ben, carla):
    await choose(site, SignUp.ASKED)
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        await go(person, "/register", name=name, password=PASSWORD)
    await go(host, f"{JOINING}/invitations", code=CODE, uses="1", hours="24")
    assert await go(carla, "/register", name="Carla", password=PASSWORD, invitation=CODE) == "/?registered"
    await choose(site, SignUp.OPEN)
    assert await go(ben, "/register", name="Ben", password=PASSWORD) == "/?registered"
    assert await site.store.joining.count_waiting() == 0
    assert list(await site.store.joining.requests(Answer.ACCEPTED, 9)) == []


async def test_commands_do_the_same_by_the_same_code_with_the_same_log(site, ben, carla):
    async def do(command):
        return await carry_out_command(site.store, command, site.now(), "https://x.example", print, "root")

    assert (
        await do(ChooseJoining("asked", "", "Which club?")) == "accounts: asked\nguests: all\nquestion: Which club?\n"
    )
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        assert await go(person, "/register", name=name, password=PASSWORD, words="I play\nhere.")
    told = await do(ListJoining())
    assert re.search(r"\nBen asks since .* UTC\n  \| I play\n  \| here.\n", told)
    await do(AnswerRequest("ben", accept=True, reason=""))
    await do(AnswerRequest("Carla", accept=False, reason="Full."))
    assert await sign_in(ben, "Ben") == "/"
    assert "“Full.”" in (await go(carla, "/sign-in", name="Carla", password=PASSWORD))[1]
    with pytest.raises(NotStored, match="no such request"):
        await do(AnswerRequest("Nobody", accept=True, reason=""))
    now = site.now()
    assert await do(Invite(CODE, "Poster", 0, now, now + HOUR_MS)) == f"https://x.example/register?invitation={CODE}"
    assert f"{CODE[:5]}-{CODE[5:]}" in await do(ListInvitations())
    await do(EndInvitation(CODE))
    assert await do(ListInvitations()) == NO_INVITATIONS
    done = {(by, deed) for by, deed, _ in await log_of(site)}
    assert done >= {("root", deed) for deed in ("joining", "accepted", "refused", "invited", "revoked")}
    assert CODE not in described(Invite(CODE, "Poster", 0, now, now + HOUR_MS))


async def test_a_name_that_was_somebodys_until_recently_is_refused_when_it_is_asked_for(site, host, ben, carla):
    await register(ben, "Ben")
    assert await go(ben, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    await choose(site, SignUp.ASKED)
    assert (await go(carla, "/register", name="Ben", password=PASSWORD))[0] == 409
    assert await site.store.joining.count_waiting() == 0


async def test_the_page_lists_every_invitation_that_is_good(site, host):
    now = site.now()
    codes = [f"{number:010}".translate(str.maketrans("01", "XY")) for number in range(MOST_INVITATIONS)]
    for code in codes:
        await make_invitation(site.store, Invitation(code, "", ROOT, 1, now, now + HOUR_MS))
    page = await page_of(host, JOINING)
    assert all(code in page for code in codes)


async def test_where_guests_only_watch_those_who_are_there_meet_nobody_and_say_nothing_but_finish(
    site, host, ben, carla, visitor
):
    """They have a game with a member, one with another guest, a seek, and watch."""
    await register(ben, "Ben")
    async with carla.http.post("/api/guest") as answer:
        assert answer.status == 200
    game = await ben.challenge()
    await carla.join(game)
    other = await carla.post("/api/seeks", 201, variants=["chess"], clock={**BLITZ, "initial": 600})
    watched = await host.challenge(players="others", color="random")
    stranger = await visitor()
    async with (
        ben.follow(game) as white,
        carla.follow(game) as black,
        carla.follow(watched) as watching,
    ):
        assert (await watching.command(t="chat", text="Good luck"))["t"] == "ok"
        await choose(site, guests=Guests.NONE)
        await site.live.settings.refresh()
        await site.live.services.background.finish(5)
        assert site.live.lobby.seeks.get_seek(other["seek"]["id"]) is None
        assert (await watching.command(t="chat", text="Hello"))["refusal"] == "chat_without_name"
        assert (await black.command(t="chat", text="Good luck"))["t"] == "ok", "to whom they play with"
        await play([white, black], FOOLS_MATE)
        for one in (white, black):
            answer = await one.command(t="offer", kind="rematch")
            assert answer["refusal"] == "no_rematch"
    for path, body in (
        ("/@/Ben/block", None),
        ("/api/push", {"endpoint": "https://push.example/1", "p256dh": "p", "auth": "a"}),
    ):
        if body is None:
            assert (await go(stranger, path))[0] == 403
    assert (await stranger.get("/api/me")) == {}
