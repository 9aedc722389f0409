"""The lobby: what its pages are told, who is paired with whom, how long a seek stands, and what a crash leaves."""

import asyncio
import json
from dataclasses import replace

import pytest

from server.games.clock import DAY_MS, TimeControl
from server.games.errors import Gone, NotAllowed, OwnSeek, RegisteredOnly
from server.games.player import Player
from server.games.seek import Pairing, Seek, Seeker
from server.realtime.feed_connection import FeedConnection
from server.realtime.ids import new_id
from server.realtime.lobby import LEASE_MS, MOST_OPEN
from server.realtime.outbox import Outbox
from server.rules.pieces import Color
from server.storage.errors import Unavailable
from server.storage.seeks import Standing
from tests.realtime.table import House, settle

ANNA, BEN, CARLA = Player("anna-id-00", "Anna"), Player("ben-id-000", "Ben"), Player("carla-id-0", "Carla")
BLITZ, DAYS = TimeControl.realtime(180_000, 2_000), TimeControl.correspondence(3)


class Page:
    """One lobby page; `got` is everything it was told."""

    def __init__(self, house, player):
        self.got = []
        self.outbox = Outbox(lambda: None)
        node = house.live.node
        self.line = FeedConnection(house.live.lobby, node.timers, player, self.outbox, node.now())
        self.say("hi", proto=1)

    def say(self, t, **fields):
        self.line.receive(json.dumps({"t": t, **fields}), 0)

    def read(self):
        while self.outbox._texts:
            text = self.outbox._texts.pop(0)
            self.got.append(json.loads(text))
            assert len(text) < 200 or self.got[-1]["t"] == "seeks", text
        return self.got

    def kinds(self):
        return [message["t"] for message in self.read()]

    def last(self, t):
        """The game of the newest message of that kind, None if there was none."""
        return next((message["game"] for message in reversed(self.read()) if message["t"] == t), None)

    def close(self):
        self.line.closed(0)


def seek(house, maker=ANNA, registered=False, **changes):
    wanted = Seek(new_id(), new_id(), Seeker(maker, registered), ("grand",), False, BLITZ, None, False, house.clock())
    return replace(wanted, **changes)


@pytest.fixture
def lobby(house):
    return house.live.lobby


async def test_the_list_is_told_once_and_then_only_what_changes(house, lobby):
    first = seek(house)
    assert await lobby.seek(first) is None
    page = Page(house, BEN)
    second = seek(house, CARLA, variants=(), color=Color.BLACK, control=DAYS)
    await lobby.seek(second)
    await lobby.withdraw(first.id, ANNA)
    seeks, added, gone = page.read()
    assert seeks == {
        "t": "seeks",
        "seeks": [{"id": first.id, "by": ANNA.id, "name": "Anna", "variants": ["grand"], "clock": "180+2"}],
    }
    assert added["seek"] == {"id": second.id, "by": CARLA.id, "name": "Carla", "clock": "3d", "color": "black"}
    assert gone == {"t": "seek_gone", "id": first.id}


async def test_the_largest_delta_stays_small(house, lobby):
    page = Page(house, None)
    longest = ("capablanca", "grandhouse", "crazyhouse", "capahouse")
    long_name = Player(ANNA.id, "N" * 20)
    await lobby.seek(seek(house, long_name, True, variants=longest, color=Color.WHITE, rated=True))
    assert page.kinds() == ["seeks", "seek_added"]


async def test_both_are_sent_to_the_game_in_every_tab(house, lobby, store):
    standing = seek(house)
    await lobby.seek(standing)
    pages = [Page(house, ANNA), Page(house, ANNA), Page(house, BEN), Page(house, CARLA)]
    game = await lobby.accept(standing.id, Seeker(BEN, False))
    assert game == standing.game
    assert [page.kinds()[1:] for page in pages] == [["seek_gone", "paired"]] * 3 + [["seek_gone"]]
    played = store.games[game]
    assert {played.white, played.black} == {ANNA, BEN}
    assert (played.terms.variant.id, played.terms.control) == ("grand", BLITZ)


async def test_quick_pairing_takes_the_oldest_that_suits_instead_of_waiting(house, lobby):
    other, first, second = seek(house, control=DAYS), seek(house), seek(house, CARLA, color=Color.BLACK)
    other = replace(other, color=Color.BLACK)
    first = replace(first, color=Color.BLACK)
    for one in (other, first, second):
        assert await lobby.seek(one) is None
    assert await lobby.seek(seek(house, BEN, variants=())) == first.game
    assert {one.id for one in lobby.seeks} == {other.id, second.id}


async def test_colours_are_as_asked(house, lobby, store):
    await lobby.seek(seek(house, color=Color.BLACK))
    game = await lobby.seek(seek(house, BEN))
    assert store.games[game].black == ANNA
    await lobby.seek(seek(house, CARLA))
    game = await lobby.seek(seek(house, BEN, color=Color.BLACK))
    assert store.games[game].black == BEN


@pytest.mark.parametrize("shuffled", [False, True])
async def test_every_variant_is_found_rated_and_shuffled(house, lobby, store, variants, shuffled):
    for variant in variants.values():
        if variant.chess960 or not shuffled:
            wanted = {"variants": (variant.id,), "chess960": shuffled, "rated": True}
            await lobby.seek(seek(house, ANNA, True, **wanted))
            game = store.games[await lobby.seek(seek(house, BEN, True, **wanted))]
            assert (game.terms.variant.id, game.terms.chess960, game.terms.rated) == (variant.id, shuffled, True)


async def test_a_variant_that_changed_keeps_no_server_from_starting(house, store, clock, monkeypatch):
    standing = seek(house, chess960=True)
    await store.seeks.add(Standing(standing, clock() + LEASE_MS))
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    monkeypatch.setattr("server.realtime.lobby.shuffled_fen", lambda *_: "8/8/8/8/8/8/8/8 w - - 0 1")
    await house.live.lobby.open()
    assert (store.games, await store.seeks.taken()) == ({}, [])


async def test_two_who_accept_at_once_make_one_game(house, lobby, store):
    standing = seek(house)
    await lobby.seek(standing)
    takers = [Seeker(Player(f"taker-{n}", f"Taker {n}"), False) for n in range(6)]
    results = await asyncio.gather(*(lobby.accept(standing.id, one) for one in takers), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Gone"] * 5 + ["str"]
    assert len(store.games) == 1


async def test_what_is_refused(house, lobby):
    standing = seek(house, registered=True, rated=True)
    standing = replace(standing, maker=Seeker(ANNA, True))
    await lobby.seek(standing)
    with pytest.raises(OwnSeek):
        await lobby.accept(standing.id, Seeker(ANNA, True))
    with pytest.raises(RegisteredOnly):
        await lobby.accept(standing.id, Seeker(BEN, False))
    with pytest.raises(NotAllowed):
        await lobby.accept(standing.id, Seeker(BEN, True), ["chess"])
    with pytest.raises(Gone):
        await lobby.withdraw(standing.id, BEN)
    for n in range(4):
        await lobby.seek(seek(house, control=TimeControl.realtime(60_000, n)))
    with pytest.raises(NotAllowed, match="too many open seeks"):
        await lobby.seek(seek(house, control=DAYS))


async def test_a_seek_stands_while_any_tab_is_open_and_a_minute_longer(house, lobby):
    page, other = Page(house, ANNA), Page(house, ANNA)
    await lobby.seek(seek(house))
    page.close()
    for _ in range(20):
        await house.tick(20_000)
        await lobby.renew()
        await lobby.expire()
    assert len(lobby.seeks) == 1
    other.close()
    await house.tick(LEASE_MS - 1)
    await lobby.expire()
    assert len(lobby.seeks) == 1
    await house.tick(2)
    await lobby.expire()
    assert lobby.seeks == ()


async def test_who_reloads_within_the_minute_keeps_his_seek(house, lobby):
    page = Page(house, ANNA)
    await lobby.seek(seek(house))
    page.close()
    await house.tick(LEASE_MS - 1_000)
    Page(house, ANNA)
    await settle()
    await house.tick(LEASE_MS - 1_000)
    await lobby.expire()
    assert len(lobby.seeks) == 1


async def test_a_seek_of_days_stands_two_weeks_without_anybody(house, lobby, store):
    standing = seek(house, control=DAYS)
    await lobby.seek(standing)
    await house.tick(14 * DAY_MS - 1)
    await lobby.expire()
    game = await lobby.accept(standing.id, Seeker(BEN, False))
    assert store.games[game].terms.control == DAYS


async def test_who_plays_does_not_look_any_further_but_for_games_of_days(house, lobby):
    await lobby.seek(seek(house, control=TimeControl.realtime(600_000, 0)))
    patient = seek(house, control=DAYS)
    await lobby.seek(patient)
    standing = seek(house)
    await lobby.seek(standing)
    await lobby.accept(standing.id, Seeker(BEN, False))
    assert [one.id for one in lobby.seeks] == [patient.id]


async def test_a_restart_loses_no_seek(house, lobby, store, clock):
    await lobby.seek(seek(house))
    clock.turn(10 * LEASE_MS)
    reborn = House(store, clock)
    await reborn.live.lobby.open()
    await reborn.live.lobby.expire()
    assert len(reborn.live.lobby.seeks) == 1


async def test_a_crash_between_taking_and_playing_is_made_up_for(house, lobby, store, clock):
    standing = seek(house)
    await lobby.seek(standing)
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    for _ in range(2):
        reborn = House(store, clock)
        await reborn.live.lobby.open()
        assert [(one.white, one.black) for one in store.games.values()] == [(ANNA, BEN)]
        assert (await store.seeks.taken(), reborn.live.lobby.seeks) == ([], ())


async def test_two_who_come_at_the_same_instant_are_paired(house, lobby, store):
    """Each looked around, saw nobody and sat down to wait."""
    pages = [Page(house, ANNA), Page(house, BEN), Page(house, CARLA)]
    games = await asyncio.gather(*(lobby.seek(seek(house, person)) for person in (ANNA, BEN)))
    assert lobby.seeks == ()
    (played,) = store.games.values()
    assert {played.white, played.black} == {ANNA, BEN}
    assert [game for game in games if game is not None] == [played.id]
    assert [page.last("paired") for page in pages] == [played.id, played.id, None]


async def test_two_at_two_processes_are_paired_as_soon_as_these_know_of_each_other(house, lobby, store, clock):
    there = House(store, clock)
    mine, theirs = seek(house), replace(seek(house, BEN), created=clock() + 1)
    assert await lobby.seek(mine) is None
    assert await there.live.lobby.seek(theirs) is None
    await asyncio.gather(lobby.look_again(), there.live.lobby.look_again())
    (played,) = store.games.values()
    assert {played.white, played.black} == {ANNA, BEN}
    await asyncio.gather(lobby.look_again(), there.live.lobby.look_again())
    assert (lobby.seeks, there.live.lobby.seeks) == ((), ())


async def test_looking_again_drops_nothing_that_came_meanwhile(house, lobby):
    page = Page(house, CARLA)
    await asyncio.gather(lobby.look_again(), lobby.seek(seek(house)))
    assert page.kinds() == ["seeks", "seek_added"]


async def test_who_asks_twice_for_one_game_waits_once(house, lobby):
    await lobby.seek(seek(house, variants=("grand", "chess")))
    with pytest.raises(NotAllowed, match="already"):
        await lobby.seek(seek(house, variants=("chess", "grand")))
    await lobby.seek(seek(house, variants=("grand", "chess"), color=Color.WHITE))
    assert len(lobby.seeks) == 2


async def test_a_lobby_is_full_before_its_list_is_too_long_for_a_page(house, lobby):
    names = ("capablanca", "grandhouse", "crazyhouse", "capahouse")
    for n in range(MOST_OPEN):
        maker = Player(f"maker-{n:04}", "N" * 20)
        await lobby.seek(seek(house, maker, True, variants=names, color=Color.WHITE, rated=True))
    with pytest.raises(NotAllowed, match="So many"):
        await lobby.seek(seek(house))
    page = Page(house, BEN)
    assert len(page.read()[0]["seeks"]) == MOST_OPEN
    assert not page.outbox.closed


async def test_a_game_that_could_not_be_made_is_made_later(house, lobby, store):
    page = Page(house, ANNA)
    standing = seek(house)
    await lobby.seek(standing)
    store.down = True
    with pytest.raises(Unavailable):
        await lobby.accept(standing.id, Seeker(BEN, False))
    store.down = False
    await store.seeks.take(standing.id, Pairing(BEN, "grand", Color.WHITE))
    await lobby.expire()
    assert page.last("paired") == standing.game
    assert len(store.games) == 1


async def test_two_processes_show_and_pair_alike(house, lobby, store, clock):
    there = House(store, clock)
    page, watching = Page(there, ANNA), Page(there, CARLA)
    standing = seek(house)
    await lobby.seek(standing)
    await there.live.lobby.look_again()
    game = await lobby.accept(standing.id, Seeker(BEN, False))
    await there.live.lobby.look_again()
    assert page.kinds() == ["seeks", "seek_added", "seek_gone", "paired"]
    assert page.got[-1]["game"] == game
    assert watching.kinds() == ["seeks", "seek_added", "seek_gone"]


async def test_a_page_of_another_protocol_is_told_to_load_anew(house):
    page = Page(house, ANNA)
    stale = Page(house, None)
    page.say("move")
    page.say("ping")
    assert page.kinds() == ["seeks", "error", "pong"]
    stale.say("hi", proto=99)
    assert stale.kinds()[-1] == "reload"
    assert stale.outbox.closed
