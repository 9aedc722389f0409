"""The lobby: what its pages receive, and who is paired with whom."""

import asyncio
from dataclasses import replace

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import Gone, NotAllowed, OwnSeek, RegisteredOnly, RestartSoon
from server.games.player import Player
from server.games.seeks import MAX_OPEN, MAX_SEEKS, Seeker
from server.realtime.open_seeks import LATELY_MS, OTHERS_FIRST_MS
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.lobby_page import ANNA, BEN, BLITZ, CARLA, DAYS, Page, seek


async def test_the_list_is_sent_once_and_then_only_changes(node, lobby):
    first = seek(node)
    assert await lobby.post_seek(first) is None
    page = Page(node, BEN)
    second = seek(node, CARLA, variants=(), color=Color.BLACK, control=DAYS)
    await lobby.post_seek(second)
    await lobby.withdraw_seek(first.id, ANNA)
    seeks, added, gone = page.read()
    assert seeks == {
        "t": "seeks",
        "seeks": [{"id": first.id, "by": ANNA.id, "name": "Anna", "variants": ["grand"], "clock": "180+2"}],
    }
    assert added["seek"] == {"id": second.id, "by": CARLA.id, "name": "Carla", "clock": "3d", "color": "black"}
    assert gone == {"t": "seek_gone", "id": first.id}


async def test_the_list_is_encoded_once_for_many_pages(node, lobby):
    await lobby.post_seek(seek(node))
    one = lobby.seeks.listed(None)
    assert lobby.seeks.listed(BEN.id) is one
    await lobby.post_seek(second := seek(node, CARLA, control=DAYS))
    assert second.id in lobby.seeks.listed(None)
    await lobby.withdraw_seek(second.id, CARLA)
    assert lobby.seeks.listed(None) == one


async def test_the_largest_delta_stays_small(node, lobby):
    page = Page(node, None)
    longest = ("capablanca", "grandhouse", "crazyhouse", "capahouse")
    long_name = Player(ANNA.id, "N" * 20)
    await lobby.post_seek(seek(node, long_name, True, variants=longest, color=Color.WHITE, rated=True, rating="1712?"))
    assert page.kinds() == ["seeks", "seek_added"]


async def test_a_pairing_leads_both_to_the_game_in_every_tab(node, lobby, store):
    standing = seek(node)
    await lobby.post_seek(standing)
    pages = [Page(node, ANNA), Page(node, ANNA), Page(node, BEN), Page(node, CARLA)]
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert game == standing.game
    assert [page.kinds()[1:] for page in pages] == [["seek_gone", "paired"]] * 3 + [["seek_gone"]]
    played = store.games[game]
    assert {played.white, played.black} == {ANNA, BEN}
    assert (played.terms.variant.id, played.terms.control) == ("grand", BLITZ)


async def test_nobody_is_paired_before_a_restart_and_those_who_wait_are_after_it(node, lobby):
    standing = seek(node, control=DAYS)
    assert await lobby.post_seek(standing) is None
    node.live.services.restart.announced = True
    with pytest.raises(RestartSoon):
        await lobby.accept_seek(standing.id, Seeker(BEN, False))
    with pytest.raises(RestartSoon):
        await lobby.post_seek(seek(node, BEN, control=DAYS))
    # On a node that has not heard of it yet.
    other = seek(node, BEN, control=DAYS)
    await lobby._store_seek(other)
    await lobby.refresh_seeks()
    assert {one.id for one in lobby.seeks} == {standing.id, other.id}
    node.live.services.restart.announced = False
    await lobby.refresh_seeks()
    assert not list(lobby.seeks)


async def test_quick_pairing_takes_the_oldest_that_suits_instead_of_waiting(node, lobby):
    other, first, second = seek(node, control=DAYS), seek(node), seek(node, CARLA, color=Color.BLACK)
    other = replace(other, color=Color.BLACK)
    first = replace(first, color=Color.BLACK)
    for one in (other, first, second):
        assert await lobby.post_seek(one) is None
    assert await lobby.post_seek(seek(node, BEN, variants=())) == first.game
    assert {one.id for one in lobby.seeks} == {other.id, second.id}


@pytest.mark.parametrize("bot", [ANNA, BEN], ids=["who stands", "who comes"])
async def test_who_has_become_a_bot_meanwhile_is_not_paired_into_a_rated_game(node, lobby, bot):
    standing, coming = [replace(seek(node, rated=True), maker=Seeker(one, True)) for one in (ANNA, BEN)]
    assert await lobby.post_seek(standing) is None
    assert [*lobby.seeks.compatible_with(coming, node.live.services.now())] == [standing]
    node.live.services.bots.add_bot(bot.id, bot.name)
    assert [*lobby.seeks.compatible_with(coming, node.live.services.now())] == []


async def played(node, lobby):
    """A game of Anna and Ben that has just ended."""
    standing = seek(node)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    page = Client(node, BEN)
    await page.hi(game)
    await page.ask("abort")
    page.close()


@pytest.fixture
async def three(node):
    return [Page(node, player) for player in (ANNA, BEN, CARLA)]


@pytest.mark.usefixtures("three")
async def test_two_who_have_just_played_are_paired_again_only_if_nobody_else_comes(node, lobby):
    await played(node, lobby)
    assert await lobby.post_seek(seek(node)) is None
    await node.tick(4_000)
    assert await lobby.post_seek(ben := seek(node, BEN)) is None, "both have asked for somebody else"
    await node.tick(OTHERS_FIRST_MS - 1)
    await lobby.expire_seeks()
    assert len(lobby.seeks) == 2
    await node.tick(1)
    await lobby.expire_seeks()
    assert len(lobby.seeks) == 0, ben


@pytest.mark.usefixtures("three")
async def test_who_has_just_played_somebody_is_paired_with_anybody_else(node, lobby, store):
    await played(node, lobby)
    await lobby.post_seek(seek(node))
    await lobby.post_seek(seek(node, BEN))
    game = await lobby.post_seek(seek(node, CARLA))
    assert {store.games[game].white, store.games[game].black} == {ANNA, CARLA}
    (left,) = lobby.seeks
    assert left.maker.player == BEN
    assert await lobby.accept_seek(left.id, Seeker(ANNA, False)), "who takes it from the list wants just that opponent"


@pytest.mark.usefixtures("three")
async def test_after_a_while_two_who_have_played_are_paired_at_once(node, lobby):
    await played(node, lobby)
    await node.tick(LATELY_MS)
    await lobby.post_seek(seek(node))
    assert await lobby.post_seek(seek(node, BEN)) is not None


async def test_players_get_the_colours_they_asked_for(node, lobby, store):
    await lobby.post_seek(seek(node, color=Color.BLACK))
    game = await lobby.post_seek(seek(node, BEN))
    assert store.games[game].black == ANNA
    await lobby.post_seek(seek(node, CARLA))
    game = await lobby.post_seek(seek(node, BEN, color=Color.BLACK))
    assert store.games[game].black == BEN


@pytest.mark.parametrize("shuffled", [False, True])
async def test_every_variant_is_found_rated_and_shuffled(node, lobby, store, variants, shuffled):
    for variant in variants.values():
        if variant.chess960 or not shuffled:
            wanted = {"variants": (variant.id,), "chess960": shuffled, "rated": True}
            await lobby.post_seek(seek(node, ANNA, True, **wanted))
            game = store.games[await lobby.post_seek(seek(node, BEN, True, **wanted))]
            assert (game.terms.variant.id, game.terms.chess960, game.terms.rated) == (variant.id, shuffled, True)


async def test_two_who_accept_at_once_make_one_game(node, lobby, store):
    standing = seek(node)
    await lobby.post_seek(standing)
    takers = [Seeker(Player(f"taker-{n}", f"Taker {n}"), False) for n in range(6)]
    results = await asyncio.gather(*(lobby.accept_seek(standing.id, one) for one in takers), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Gone"] * 5 + ["str"]
    assert len(store.games) == 1


async def test_two_players_who_take_each_others_seek_at_once_get_one_game(node, lobby, store):
    mine, theirs = seek(node, color=Color.WHITE), seek(node, BEN, color=Color.WHITE)
    await lobby.post_seek(mine)
    await lobby.post_seek(theirs)
    asked = (lobby.accept_seek(theirs.id, Seeker(ANNA, False)), lobby.accept_seek(mine.id, Seeker(BEN, False)))
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Gone", "str"]
    assert (len(store.games), list(lobby.seeks)) == (1, [])


async def test_a_player_who_takes_a_seek_while_theirs_is_taken_plays_once(node, lobby, store):
    mine, theirs = seek(node, color=Color.WHITE), seek(node, BEN, color=Color.WHITE)
    await lobby.post_seek(mine)
    await lobby.post_seek(theirs)
    asked = (lobby.accept_seek(mine.id, Seeker(CARLA, False)), lobby.accept_seek(theirs.id, Seeker(ANNA, False)))
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert results[0] == mine.game
    assert isinstance(results[1], Gone)
    assert (list(store.games), list(lobby.seeks)) == ([mine.game], [theirs])


async def test_limits_hold_against_requests_at_once(node, lobby):
    wanted = [seek(node, control=TimeControl.realtime(60_000, n)) for n in range(MAX_SEEKS + 3)]
    results = await asyncio.gather(*map(lobby.post_seek, wanted), return_exceptions=True)
    assert sum(isinstance(result, NotAllowed) for result in results) == 3
    assert len(lobby.seeks) == MAX_SEEKS
    twice = [lobby.post_seek(seek(node, BEN)) for _ in range(2)]
    results = await asyncio.gather(*twice, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["NoneType", "NotAllowed"]


async def test_what_is_refused(node, lobby):
    standing = seek(node, registered=True, rated=True)
    standing = replace(standing, maker=Seeker(ANNA, True))
    await lobby.post_seek(standing)
    with pytest.raises(OwnSeek):
        await lobby.accept_seek(standing.id, Seeker(ANNA, True))
    with pytest.raises(RegisteredOnly):
        await lobby.accept_seek(standing.id, Seeker(BEN, False))
    with pytest.raises(NotAllowed):
        await lobby.accept_seek(standing.id, Seeker(BEN, True), ["chess"])
    with pytest.raises(Gone):
        await lobby.withdraw_seek(standing.id, BEN)
    for n in range(4):
        await lobby.post_seek(seek(node, control=TimeControl.realtime(60_000, n)))
    with pytest.raises(NotAllowed, match="too_many_seeks"):
        await lobby.post_seek(seek(node, control=DAYS))


@pytest.mark.parametrize("moves", [(), ("e2e4",)])
async def test_a_game_in_which_the_other_never_comes_is_called_off_within_a_minute_or_two(node, lobby, store, moves):
    standing = seek(node, color=Color.WHITE, variants=("chess",))
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    white = await node.seat(game, ANNA)
    for ply, uci in enumerate(moves):
        assert (await white.move(uci, ply))["t"] == "ok"
    await node.pass_time(60)
    await node.rounds.check_deadlines()
    assert str(store.games[game].outcome.reason) == "expired"
    assert white.last("over") is not None


async def test_a_correspondence_game_is_not_called_off(node, lobby, store, clock):
    standing = seek(node, control=DAYS)
    await lobby.post_seek(standing)
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert store.games[game].expires == clock() + 3 * DAY_MS


async def test_a_player_in_a_game_looks_no_further_except_for_correspondence(node, lobby):
    await lobby.post_seek(seek(node, control=TimeControl.realtime(600_000, 0)))
    patient = seek(node, control=DAYS)
    await lobby.post_seek(patient)
    standing = seek(node)
    await lobby.post_seek(standing)
    await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert [one.id for one in lobby.seeks] == [patient.id]


async def test_a_correspondence_game_ends_no_other_seek(node, lobby):
    quick, patient = seek(node), seek(node, control=DAYS)
    await lobby.post_seek(quick)
    await lobby.post_seek(patient)
    await lobby.accept_seek(patient.id, Seeker(BEN, False))
    assert list(lobby.seeks) == [quick]


async def test_two_simultaneous_correspondence_seeks_become_one_game(node, lobby, store):
    both = (lobby.post_seek(seek(node, person, control=DAYS)) for person in (ANNA, BEN))
    await asyncio.gather(*both)
    assert (len(store.games), list(lobby.seeks)) == (1, [])


async def test_two_seeks_of_the_same_instant_are_paired(node, lobby, store):
    """Each looked around, saw nobody and sat down to wait."""
    pages = [Page(node, ANNA), Page(node, BEN), Page(node, CARLA)]
    games = await asyncio.gather(*(lobby.post_seek(seek(node, person)) for person in (ANNA, BEN)))
    assert list(lobby.seeks) == []
    (played,) = store.games.values()
    assert {played.white, played.black} == {ANNA, BEN}
    assert [game for game in games if game is not None] == [played.id]
    assert [page.last("paired") for page in pages] == [played.id, played.id, None]


async def test_a_repeated_seek_waits_once(node, lobby):
    await lobby.post_seek(seek(node, variants=("grand", "chess")))
    with pytest.raises(NotAllowed, match="seek_repeated"):
        await lobby.post_seek(seek(node, variants=("chess", "grand")))
    await lobby.post_seek(seek(node, variants=("grand", "chess"), color=Color.WHITE))
    assert len(lobby.seeks) == 2


async def test_a_lobby_is_full_before_its_list_is_too_long_for_a_page(node, lobby):
    names = ("capablanca", "grandhouse", "crazyhouse", "capahouse")
    for n in range(MAX_OPEN):
        maker = Player(f"maker-{n:04}", "N" * 20)
        await lobby.post_seek(seek(node, maker, True, variants=names, color=Color.WHITE, rated=True))
    with pytest.raises(NotAllowed, match="lobby_full"):
        await lobby.post_seek(seek(node))
    page = Page(node, BEN)
    assert len(page.read()[0]["seeks"]) == MAX_OPEN
    assert not page.outbox.closed


async def test_a_page_with_another_protocol_version_is_told_to_reload(node):
    page = Page(node, ANNA)
    stale = Page(node, None)
    page.say("move")
    page.say("ping")
    assert page.kinds() == ["seeks", "error", "pong"]
    stale.say("hi", proto=0)
    assert stale.kinds()[-1] == "reload"
    assert stale.outbox.close_code == 4400
    newer = Page(node, None)
    newer.say("hi", proto=99)
    assert "reload" not in newer.kinds()
    assert newer.outbox.close_code == 1013
