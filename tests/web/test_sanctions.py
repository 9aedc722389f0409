"""What the host decides about people, by the forms of the desk: what it does, what the person reads, and its end."""

import json

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.desk import Role
from server.games.errors import NotAllowed
from server.games.sanctions import HOUR_MS, LENGTHS, SHUT_OUT, Measure, search_for
from server.games.tournaments.tournament import TournamentTerms
from server.realtime.runtime.ids import digest
from server.realtime.services.desk import make_claim, use_claim
from server.realtime.services.sanctions import delete_closed_accounts, lift_sanction
from server.storage.admin_commands import ImposeSanction, ListSanctions, Pardon
from server.storage.errors import NotStored
from server.web.operation.host_commands import NO_SANCTIONS, carry_out_command
from server.web.session import network_mark
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in
from tests.support.web.desk import ROOT, appoint, person_called, seat_at_desk

PGN = {"Content-Type": "application/x-chess-pgn"}
pytestmark = pytest.mark.usefixtures("unlimited")


@pytest.fixture
async def site(server, anna):
    """Anna is its host."""
    site = server.app[SITE]
    await seat_at_desk(site, anna, "Anna")
    return site


async def id_of(person):
    async with person.http.get("/api/me") as answer:
        return (await answer.json())["id"]


async def decide(desk, person, measure="mute", sure="yes", id="", **more):
    """What the form of the desk answers."""
    fields = {"id": id or f"{measure.replace('_', '')}1", "person": person, "measure": measure, "reason": "insult"}
    return await go(desk, "/host/people", **fields, sure=sure, **more)


async def make_game(white, black):
    made = await white.post(
        "/api/games", status=201, variant="chess", clock={"kind": "correspondence", "days": 3}, color="white"
    )
    await black.post(f"/api/games/{made['id']}/join", secret=made["secret"])
    return made["id"]


async def test_it_is_shown_as_it_will_be_read_and_only_then_decided(site, anna, ben):
    await register(ben, "Ben")
    person = await id_of(ben)
    status, page = await decide(anna, person, sure="", words="Be <kind>.", length="7d")
    assert status == 200
    assert "You cannot write" in page
    assert "Be &lt;kind&gt;." in page
    assert await site.store.sanctions.of(person) == []
    for _ in range(2):  # pressed twice
        assert await decide(anna, person, words="Be <kind>.", length="7d") == f"/host/people?person={person}&done"
    (made,) = await site.store.sanctions.of(person)
    assert (made.measure, made.until) == (Measure.MUTE, made.at + 7 * DAY_MS)
    assert [one.detail.split()[:2] for one in await site.store.desk.log(site.now(), 1)] == [["mute", "insult"]]
    assert "The host has decided something about you" in await page_of(ben, "/settings")
    for other in ({"words": "Be quiet."}, {"length": "1h"}, {"measure": "hide", "id": "mute1"}):
        status, page = await decide(anna, person, **{"words": "Be <kind>.", "length": "7d", **other})
        assert (status, "has decided something else before" in page) == (403, True), "its id names that decision"
        assert 'name="id" value="mute1"' not in page, "so that it can be sent again"
    assert await site.store.sanctions.of(person) == [made]
    read = await page_of(ben, "/decisions")
    assert "You cannot write" in read
    assert "Be &lt;kind&gt;." in read
    assert await go(ben, "/decisions/read", sanction=made.id) == "/decisions"
    assert "The host has decided something about you" not in await page_of(ben, "/settings")
    assert "You cannot write" in await page_of(ben, "/decisions"), "it holds, and stays to be read"


async def test_who_is_muted_writes_nowhere_until_it_ends(site, anna, ben, clock):
    await register(ben, "Ben")
    await decide(anna, await id_of(ben), length="1h")
    assert (await go(ben, "/account/profile", text="Hello."))[0] == 403
    study = {"name": "Rude", "chapter": "One", "pgn": "1. e4 *"}
    async with ben.http.post("/api/studies", json=study) as answer:
        assert answer.status == 403
        assert (await answer.json())["refusal"] == "muted"
    clock.turn(HOUR_MS)
    assert await go(ben, "/account/profile", text="Hello.") == "/@/Ben"


async def test_who_is_muted_changes_no_text_in_a_study_that_others_read(site, anna, ben):
    await register(ben, "Ben")
    study = await ben.post("/api/studies", name="Endings", chapter="One", pgn="1. e4 *")
    path = f"/api/studies/{study['id']}"
    chapter, change = f"{path}/chapters/{study['chapters'][0]['id']}", {"pgn": "1. e4 {You fool} *"}
    await decide(anna, await id_of(ben), length="1h")
    assert await ben.post(chapter, **change, rev=1), "nobody else reads it"
    assert (await ben.post(path, 403, shared=True, rev=study["rev"]))["refusal"] == "muted"
    await go(anna, "/host/people/lift", sanction="mute1")
    await ben.post(path, shared=True, rev=study["rev"])
    await decide(anna, await id_of(ben), length="1h", id="mute2")
    assert (await ben.post(chapter, 403, **change, rev=2))["refusal"] == "muted"


async def test_who_is_muted_shows_nothing_that_they_wrote_before(site, anna, ben, carla, clock):
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    await go(ben, "/account/profile", text="You fools.")
    study = await ben.post("/api/studies", name="Endings", chapter="One", pgn="1. e4 {You fools} *")
    await decide(anna, await id_of(ben), length="1h")
    assert "You fools." not in await page_of(carla, "/@/Ben")
    assert "You fools." in await page_of(ben, "/@/Ben")
    invited = {"name": "Carla", "role": "read"}
    assert (await ben.post(f"/api/studies/{study['id']}/members", 403, **invited))["refusal"] == "muted"
    async with ben.http.post("/api/import", data=b"1. e4 {You fools} *", headers=PGN) as answer:
        assert (answer.status, (await answer.json())["refusal"]) == (403, "muted")
    clock.turn(HOUR_MS)
    assert "You fools." in await page_of(carla, "/@/Ben")
    await ben.post(f"/api/studies/{study['id']}/members", **invited)


async def test_a_word_that_is_held_back_is_in_no_text_that_others_read(site, anna, ben):
    await register(ben, "Ben")
    study = await ben.post("/api/studies", name="Endings", chapter="One", pgn="1. e4 *")
    path = f"/api/studies/{study['id']}"
    await go(anna, "/host/chats/words", words="rude\nyou fool", rev=str((await site.store.held_words.read()).rev))
    for text in ("So rude.", "So RU\u200bDE.", "So ｒｕｄｅ.", "you\n\nfool"):
        assert (await go(ben, "/account/profile", text=text))[0] == 403, text
    assert await go(ben, "/account/profile", text="So ruder.") == "/@/Ben"
    said = [
        (f"{path}/chapters", {"name": "Ru\u00adde", "pgn": "1. e4 *"}),
        (f"{path}/chapters", {"name": "Two", "pgn": "1. e4 {You\n fool} *"}),
        (f"{path}/chapters", {"name": "Two", "pgn": '[White "Rude"]\n\n1. e4 *'}),
        (f"{path}/chapters", {"name": "Two", "games": True, "pgn": '[ChapterName "Rude"]\n\n1. e4 *'}),
        (f"{path}/chapters/{study['chapters'][0]['id']}", {"pgn": "1. e4 (1. d4 {rude}) *", "rev": 1}),
        ("/api/studies", {"name": "Rude", "chapter": "One", "pgn": "1. e4 *"}),
    ]
    for where, what in said:
        assert (await ben.post(where, 403, **what))["refusal"] == "word_held", what
    games = b'[White "Rude"]\n\n1. e4 *\n\n[White "Ben"]\n\n1. e4 {you fool} *\n\n[White "Ben"]\n\n1. e4 *'
    async with ben.http.post("/api/import", data=games, headers=PGN) as answer:
        told = await answer.json()
    assert [one["code"] for one in told["refused"]] == ["word_held"] * 2
    assert len(told["games"]) == 1


async def test_a_guest_has_no_word_that_is_held_back_in_their_name(site, anna, ben):
    await go(anna, "/host/chats/words", words="rude", rev=str((await site.store.held_words.read()).rev))
    await ben.post("/api/guest")
    assert (await go(ben, "/guest", name="so_rude"))[0] == 403


async def test_a_word_that_is_held_back_is_in_no_name_of_an_account(site, anna, ben):
    await go(anna, "/host/chats/words", words="rude", rev=str((await site.store.held_words.read()).rev))
    assert await register(ben, "Rude") == 403
    assert await register(ben, "Ruder") == "/?registered"


async def test_what_nobody_can_read_is_no_word_that_is_held_back(site, anna, ben):
    await register(ben, "Ben")
    unread = "_\n__\n\u200b\n\u00ad \u2060"
    await go(anna, "/host/chats/words", words=f"rude\n{unread}", rev=str((await site.store.held_words.read()).rev))
    assert (await site.store.held_words.read()).words == ("rude",)
    assert await go(ben, "/account/profile", text="Good game, everyone.") == "/@/Ben"
    assert search_for(["_", "\u200b"]) is None, "a list of before"
    assert search_for(["_", "rude"]).pattern.search("good game, everyone.") is None


async def test_nobody_takes_a_seat_in_a_game_with_somebody_suspended(site, anna, ben, carla):
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    by_link, by_name = await ben.challenge(), await ben.challenge(to="Carla")
    await decide(anna, await id_of(ben), "suspend", length="7d")
    for game in (by_link, by_name):
        answer = await carla.post(f"/api/games/{game['id']}/join", 410, secret=game.get("secret", ""))
        assert answer["refusal"] == "opponent_gone"
    await go(anna, "/host/people/lift", sanction="suspend1")
    await carla.join(by_link)


async def test_who_is_kept_out_of_tournaments_enters_none_until_it_ends(site, anna, ben, clock):
    await register(ben, "Ben")
    terms = TournamentTerms(
        "Cup", "arena", "chess", False, TimeControl.realtime(60_000, 0), False, site.now() + DAY_MS, 60
    )
    cup = await site.live.tournaments.announce(await person_called(site, "Anna"), terms, "key")
    await decide(anna, await id_of(ben), "tournaments", length="1h")
    status, page = await go(ben, f"/tournament/{cup.id}/join")
    assert (status, "keeps you out of tournaments" in page) == (403, True)
    assert "You cannot take part in tournaments." in await page_of(ben, "/decisions")
    clock.turn(HOUR_MS)
    assert isinstance(await go(ben, f"/tournament/{cup.id}/join"), str)


async def test_a_link_that_makes_a_host_makes_none_of_somebody_suspended(site, anna, ben):
    await register(ben, "Ben")
    ben_there = await person_called(site, "Ben")
    await decide(anna, ben_there.id, "suspend", length="7d")
    await make_claim(site.store.desk, digest("another"), ROOT, site.now())
    with pytest.raises(NotAllowed, match="role_shut_out"):
        await use_claim(site.store.desk, site.store.sanctions, "another", ben_there, site.now())
    assert (await site.store.desk.read()).role_of(ben_there.id) is None


async def test_what_was_decided_about_a_guest_shuts_nobody_out_of_an_account_of_before(site, anna, ben):
    """A moderator who suspends the guest that a host is at the moment takes no host from the site."""
    await ben.post("/api/guest")
    guest, host = await id_of(ben), await person_called(site, "Anna")
    for measure in ("suspend", "mute"):
        await decide(anna, guest, measure, length="7d")
    await site.store.sanctions.hand_over(guest, host)
    assert [one.measure for one in await site.store.sanctions.of(host.id)] == ["mute"]


async def test_a_mute_in_one_game_leaves_the_others(site, anna, ben, carla):
    await register(ben, "Ben")
    await register(carla, "Carla")
    games = [await make_game(ben, carla) for _ in range(2)]
    person = await id_of(ben)
    await decide(anna, person, "mute_here", place=games[0])
    site.live.services.sanctions.check_speech(person, games[1], site.now())
    with pytest.raises(Exception, match="muted"):
        site.live.services.sanctions.check_speech(person, games[0], site.now())
    (one,) = await site.store.sanctions.of(person)
    assert one.place == games[0]


async def test_who_is_suspended_is_out_at_once_and_reads_why(site, anna, ben, carla, clock):
    await register(ben, "Ben")
    person = await id_of(ben)
    async with ben.http.ws_connect("/ws/lobby") as socket:
        await decide(anna, person, "suspend", length="7d", words="Enough.")
        message = await socket.receive()
        while message.type.name != "CLOSE":
            message = await socket.receive()
        assert message.data == 4401
    assert "Enough." in await page_of(ben, "/decisions")
    assert await page_of(ben, "/account") == "/sign-in?next=/account"
    async with ben.http.post(
        "/api/seeks", json={"variants": [], "clock": {"kind": "correspondence", "days": 3}, "color": "random"}
    ) as answer:
        assert (answer.status, (await answer.json())["refusal"]) == (403, "shut_out")
    assert await sign_in(carla, "Ben") == "/decisions"
    assert "Enough." in await page_of(carla, "/decisions")
    assert "decided something about you" in await page_of(carla, "/")
    assert "decided something about you" not in await page_of(anna, "/")
    clock.turn(7 * DAY_MS)
    assert "Ben" in await page_of(ben, "/account")


async def test_a_token_of_somebody_suspended_opens_nothing(site, anna, ben):
    await register(ben, "Ben")
    page = await page_of(ben, "/account/tokens")
    assert page
    answer = await go(ben, "/account/tokens", name="mine", bot_play="yes")
    token = answer[1].split("fh_")[1][:43]
    headers = {"Authorization": f"Bearer fh_{token}"}
    async with ben.http.get("/api/account", headers=headers) as before:
        assert before.status == 200
    await decide(anna, await id_of(ben), "suspend", length="1d")
    async with ben.http.get("/api/account", headers=headers) as after:
        assert after.status == 403


async def test_an_appeal_is_made_once_and_read_by_the_desk(site, anna, ben):
    await register(ben, "Ben")
    person = await id_of(ben)
    await decide(anna, person, "suspend", length="1d")
    await decide(anna, person, "hide", length="ever")
    assert (await go(ben, "/decisions/appeal", sanction="suspend1", text="x" * 1001))[0] == 403
    for _ in range(2):  # the first answer was lost
        assert await go(ben, "/decisions/appeal", sanction="suspend1", text="It was <not> me.") == "/decisions?sent"
    assert (await go(ben, "/decisions/appeal", sanction="suspend1", text="Please."))[0] == 403
    assert (await go(ben, "/decisions/appeal", sanction="hide1", text="Nor this."))[0] == 403, "one at a time"
    assert "It was &lt;not&gt; me." in await page_of(anna, "/host/people")
    assert await go(anna, "/host/people/keep", sanction="suspend1") == "/host/people?done"
    assert "stays with the decision" in await page_of(ben, "/decisions")
    assert await go(ben, "/decisions/appeal", sanction="hide1", text="Nor this.") == "/decisions?sent"
    assert await go(anna, "/host/people/lift", sanction="suspend1") == f"/host/people?person={person}&done"
    assert "Ben" in await page_of(ben, "/account")
    assert [one.deed for one in await site.store.desk.log(site.now(), 2)][::-1] == ["kept", "pardon"]


async def test_nobody_answers_or_confirms_what_is_about_somebody_else(site, anna, ben, carla):
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    await decide(anna, await id_of(ben), "warn")
    assert (await go(carla, "/decisions/appeal", sanction="warn1", text="Mine."))[0] == 403
    await go(carla, "/decisions/read", sanction="warn1")
    (one,) = await site.store.sanctions.of(await id_of(ben))
    assert (one.seen, one.appealed) == (0, 0)


async def test_who_is_hidden_is_in_no_list(site, anna, ben):
    await register(ben, "Ben")
    await decide(anna, await id_of(ben), "hide", length="ever")
    sanctions = site.live.services.sanctions
    assert sanctions.hidden_names(site.now()) == {"Ben"}
    assert sanctions.hidden(site.now()) == {await id_of(ben)}


async def test_who_plays_no_rated_games_seeks_none_and_takes_none(site, anna, ben, carla):
    seek = {"variants": ["chess"], "clock": {"kind": "correspondence", "days": 3}, "color": "random"}
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    async with ben.http.post("/api/seeks", json={**seek, "rated": True}) as answer:
        assert answer.status == 201, await answer.text()
        standing = (await answer.json())["seek"]["id"]
    await decide(anna, await id_of(ben), "unrated", length="ever")
    async with carla.http.post(f"/api/seeks/{standing}/accept", json={}) as answer:
        assert (answer.status, (await answer.json())["refusal"]) == (403, "unrated_other")
    async with ben.http.post("/api/seeks", json={**seek, "rated": True}) as answer:
        assert (answer.status, (await answer.json())["refusal"]) == (403, "unrated")


async def test_a_closed_account_can_be_opened_again_for_thirty_days_and_is_deleted_then(site, anna, ben, clock):
    await register(ben, "Ben")
    person = await id_of(ben)
    await decide(anna, person, "close")
    assert await page_of(ben, "/account") == "/sign-in?next=/account"
    await go(anna, "/host/people/lift", sanction="close1")
    assert "Ben" in await page_of(ben, "/account")
    await decide(anna, person, "close", id="close2")
    clock.turn(LENGTHS["30d"] - 1)
    assert await delete_closed_accounts(site.store, DAY_MS, site.now()) == 0
    clock.turn(1)
    closed = await site.store.sanctions.find("close2")
    assert not await lift_sanction(site.store, closed, ROOT, site.now())
    assert await delete_closed_accounts(site.store, DAY_MS, site.now()) == 1, "it was too late to open it"
    assert await site.store.accounts.find("Ben") is None


async def test_moderators_decide_about_nobody_with_a_role_and_nobody_shuts_out_a_host(site, anna, ben, carla):
    for person, name in ((ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    await appoint(site, "Ben", Role.MODERATOR)
    await appoint(site, "Carla", Role.ORGANISER)
    await go(ben, "/host/password", password=PASSWORD)
    for whom in (anna, carla, ben):
        assert (await decide(ben, await id_of(whom), "warn"))[0] == 403
    for measure in SHUT_OUT:
        assert (await decide(anna, await id_of(anna), measure, length="1d"))[0] == 403
    await appoint(site, "Ben")
    for measure in SHUT_OUT:
        assert (await decide(anna, await id_of(ben), measure, length="1d"))[0] == 403
    assert await decide(anna, await id_of(carla), "suspend", length="1d") == (
        f"/host/people?person={(await person_called(site, 'Carla')).id}&done"
    )
    status, page = await go(anna, "/host/roles", name="Carla", role="host", password=PASSWORD)
    assert (status, "They are suspended." in page) == (403, True)
    assert await site.store.sanctions.of((await person_called(site, "Anna")).id) == []


async def test_who_is_muted_as_a_guest_stays_so_with_an_account(site, anna, ben):
    await ben.post("/api/guest")
    guest = await id_of(ben)
    await decide(anna, guest, length="1d")
    assert (await decide(anna, guest, "close"))[0] == 403, "there is no account to close"
    await register(ben, "Ben")
    assert [one.person.name for one in await site.store.sanctions.of(await id_of(ben))] == ["Ben"]


async def test_no_new_guests_come_from_a_network_until_it_ends_or_is_lifted(server, site, anna, ben, carla, clock):
    key = await site.store.addresses.signing_key()
    await ben.post("/api/guest")
    guest = await id_of(ben)
    mark = network_mark(key, None)
    assert mark == "", "where nobody knows where a guest came from, nobody is kept out"
    await site.store.sanctions.note_network(guest, "a1b2", site.now())
    await decide(anna, guest, length="7d", network="1d")
    assert await site.store.sanctions.is_blocked("a1b2", site.now())
    assert not await site.store.sanctions.is_blocked("c3d4", site.now())
    await go(anna, "/host/people/lift", sanction="mute1")
    assert not await site.store.sanctions.is_blocked("a1b2", site.now())
    await decide(anna, guest, length="7d", network="1d", id="mute2")
    clock.turn(DAY_MS)
    assert not await site.store.sanctions.is_blocked("a1b2", site.now())


async def test_the_export_has_what_was_decided(site, anna, ben):
    await register(ben, "Ben")
    await decide(anna, await id_of(ben), "warn", words="Please.")
    own = json.loads(await page_of(ben, "/account/export"))
    assert [(one["measure"], one["words"], one["until"]) for one in own["decisions"]] == [("warn", "Please.", None)]


async def test_commands_decide_list_and_pardon_by_the_same_code(site, ben):
    await register(ben, "Ben")

    async def typed(command):
        return await carry_out_command(site.store, command, site.now(), "", lambda _: None, "root")

    assert await typed(ListSanctions()) == NO_SANCTIONS
    with pytest.raises(NotStored, match="that long"):
        await typed(ImposeSanction("Ben", "mute", "spam", "ever", ""))
    with pytest.raises(NotStored, match="host"):
        await typed(ImposeSanction("Anna", "suspend", "spam", "1d", ""))
    said = await typed(ImposeSanction("Ben", "hide", "spam", "", "Please."))
    assert said == await typed(ListSanctions()) == "hide       Ben (spam) until it is lifted, by root\n"
    assert await typed(Pardon("Ben")) == "Ben: hide lifted.\n"
    assert await typed(Pardon("Ben")) == ""
    log = await site.store.desk.log(site.now(), 2)
    assert {(one.by.name, one.deed, one.whom.name) for one in log} == {
        ("root", "sanction", "Ben"),
        ("root", "pardon", "Ben"),
    }


async def test_a_command_typed_again_tells_when_what_was_decided_ends(site, ben, clock):
    """Ten minutes later it told an end ten minutes after the one that counts."""
    await register(ben, "Ben")

    async def typed(command):
        return await carry_out_command(site.store, command, site.now(), "", lambda _: None, "root")

    first = await typed(ImposeSanction("Ben", "mute", "spam", "1d", ""))
    clock.turn(600_000)
    assert await typed(ImposeSanction("Ben", "mute", "spam", "1d", "")) == first == await typed(ListSanctions())
