"""People who ask for more than they may have, all in one instant: as many stand as may, and the rest are refused (R10).
That is so at one node, and at two that hear nothing of each other.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import pytest
import pytest_asyncio

from server.games.changes.ending import Abort
from server.games.clocks.time_control import RATED_SPEEDS
from server.games.people import MAX_TIES, TieKind
from server.games.status import Status
from server.web.games.your_games import require_room, room_for_game
from tests.storage.repeated.actions import DAYS, PASSWORD, Hand, World, registered
from tests.storage.repeated.fault_store import FAULT, Fault, content_on
from tests.storage.repeated.site import Deaf, Sites
from tests.support.rules.built_in import VARIANTS

pytestmark = pytest.mark.asyncio(loop_scope="module")

MORE = 8
FEW = 5
KINDS = tuple(VARIANTS)
PEOPLE = FEW + MORE + 2
"""Whom somebody can follow or block."""


@dataclass(frozen=True)
class Limited:
    """What nobody may have more of than `most`.

    `add` asks for the one of that number, `standing` says which there are, and `remove` ends one of these. `refusal`: a
    part of what is said to whoever has as many; "": the oldest goes instead. `over`: how many more may be left where
    there are two nodes.
    """

    most: int
    refusal: str
    add: Callable[[Hand, int], Awaitable[object]]
    standing: Callable[[Hand], Awaitable[Sequence[str]]]
    remove: Callable[[Hand, str], Awaitable[object]]
    over: int = 0


def me(hand):
    return hand.world.ids["owner_id"]


def game(hand, **more):
    return hand.send("owner", "/api/games", {"variant": "chess", "color": "white", "clock": DAYS, **more})


async def challenges(hand):
    """Those that Ben was told of are those that there are."""
    store = hand.site.store
    open_games = [one for one in await store.running_of(me(hand)) if one.status == Status.OPEN]
    assert {one.id for one in open_games} == set(await store.challenges.of(hand.world.ids["person0_id"]))
    return [one.id for one in open_games]


async def withdraw(hand, game_id):
    site = hand.site.site
    await (await site.rounds.get(game_id)).submit(Abort((await site.rounds.get(game_id)).game.to_move), site.now())
    await site.store.challenges.drop(game_id)


def alert(hand, number):
    asked = {"variants": [KINDS[number % len(KINDS)]], "speeds": [RATED_SPEEDS[number // len(KINDS)].value]}
    return hand.send("owner", "/api/alerts", asked)


def device(hand, number):
    endpoint = f"https://fcm.googleapis.com/fcm/send/{number:04}"
    return hand.send("owner", "/api/push", {"endpoint": endpoint, "p256dh": "B" * 87, "auth": "A" * 22})


def address(hand, number):
    sent = {"address": f"box{number}@example.org", "password": PASSWORD, "turns": "at_once"}
    return hand.post("owner", "/account/mail", **sent)


def seek(hand, number, who="owner"):
    asked = {"variants": [KINDS[number % len(KINDS)]], "clock": {**DAYS, "days": 1 + number // len(KINDS)}}
    return hand.send(who, "/api/seeks", asked)


async def post_seeks(hand):
    """One of each person, none of which suits another."""
    for number in range(PEOPLE):
        made = (await seek(hand, number, f"person{number}")).json()
        hand.world.ids[f"seek{number}"] = made["seek"]["id"]


def study(hand, number):
    return hand.send("owner", "/api/studies", {"name": f"{number}", "chapter": "One", "pgn": "1. e4 *"})


async def chapter(hand, number):
    """In the only study; the first makes it."""
    if not (made := await hand.site.store.studies.studies_of(me(hand))):
        return await study(hand, number)
    return await hand.send("owner", f"/api/studies/{made[0].id}/chapters", {"name": f"{number}", "pgn": "1. d4 *"})


async def chapters(hand):
    (made,) = await hand.site.store.studies.studies_of(me(hand))
    return [f"{made.id}/chapters/{one}" for one in made.chapters]


async def ids(found, name="id"):
    return [getattr(one, name) for one in await found]


def tied(kind, ending, refusal):
    """Following or blocking."""

    async def others(hand):
        return [one.other.id for one in await hand.site.store.ties.of(me(hand)) if one.kind is kind]

    return Limited(
        FEW,
        refusal,
        lambda hand, number: hand.post("owner", f"/@/Person{number}/{ending}"),
        others,
        lambda hand, one: hand.post("owner", "/account/ties", kind=kind.value, other=one),
    )


LIMITED = {
    "challenges": Limited(
        5,
        "Person0 has not answered your other challenges yet.",
        lambda hand, number: game(hand, to="Person0"),
        challenges,
        withdraw,
    ),
    "games": Limited(
        FEW,
        f"You have {FEW} unfinished games.",
        lambda hand, number: game(hand),
        lambda hand: ids(hand.site.store.running_of(me(hand))),
        withdraw,
        over=1,
    ),
    "taken seeks": Limited(
        FEW,
        f"You have {FEW} unfinished games.",
        lambda hand, number: hand.send("owner", f"/api/seeks/{hand.world.ids[f'seek{number}']}/accept"),
        lambda hand: ids(hand.site.store.running_of(me(hand))),
        withdraw,
        over=1,
    ),
    "alerts": Limited(
        5,
        "You already have 5 alerts.",
        alert,
        lambda hand: ids(hand.site.store.alerts.alerts_of(me(hand), 0)),
        lambda hand, one: hand.delete("owner", f"/api/alerts/{one}"),
    ),
    "devices": Limited(
        10,
        "",
        device,
        lambda hand: ids(hand.site.store.push.of(me(hand)), "endpoint"),
        lambda hand, one: hand.site.store.push.drop(one),
    ),
    "tokens": Limited(
        20,
        "You have 20 tokens, as many as one account can have.",
        lambda hand, number: hand.post("owner", "/account/tokens", name=f"{number}", bot_play="yes"),
        lambda hand: ids(hand.site.store.tokens.of(me(hand)), "hashed"),
        lambda hand, one: hand.post("owner", "/account/tokens/revoke", token=one),
    ),
    "mail addresses": Limited(
        5,
        "You have 5 addresses already.",
        address,
        lambda hand: ids(hand.site.store.addresses.of(me(hand)), "address"),
        lambda hand, one: hand.post("owner", "/account/mail/remove", address=one),
    ),
    "seeks": Limited(
        5,
        "You have too many open seeks.",
        seek,
        lambda hand: ids(_seeks(hand)),
        lambda hand, one: hand.delete("owner", f"/api/seeks/{one}"),
    ),
    "studies": Limited(
        FEW,
        "Delete one first.",
        study,
        lambda hand: ids(hand.site.store.studies.studies_of(me(hand))),
        lambda hand, one: hand.delete("owner", f"/api/studies/{one}"),
    ),
    "chapters": Limited(
        FEW,
        f"A study has at most {FEW} chapters.",
        chapter,
        chapters,
        lambda hand, one: hand.delete("owner", f"/api/studies/{one}"),
    ),
    "follows": tied(TieKind.FOLLOWS, "follow", f"You follow {FEW} people"),
    "blocks": tied(TieKind.BLOCKS, "block", f"You have blocked {FEW} people"),
}


async def _seeks(hand):
    return [one.seek for one in await hand.site.store.seeks.open() if one.seek.maker.player.id == me(hand)]


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=["sqlite", pytest.param("SecantusDB", marks=pytest.mark.slow)]
)
async def sites(request, tmp_path_factory):
    """A store on each engine, with some people."""
    folder = tmp_path_factory.mktemp("quotas")
    with pytest.MonkeyPatch.context() as patch:
        async with content_on(request, folder) as content:
            sites, world = Sites(content, folder, patch), World()
            site = await sites.start()
            for number in range(PEOPLE):
                await registered(Hand(site, world), f"Person{number}")
            await site.stop()
            yield sites, world


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Of what one may have hundreds of."""
    for kind in TieKind:
        monkeypatch.setitem(MAX_TIES, kind, FEW)
    monkeypatch.setattr("server.storage.tables.studies.MAX_STUDIES", FEW)
    monkeypatch.setattr("server.games.studies.MAX_CHAPTERS", FEW)


@pytest.mark.row("R10")
@pytest.mark.parametrize("nodes", [1, 2])
@pytest.mark.parametrize("what", LIMITED)
async def test_of_many_in_one_instant_as_many_stand_as_may(sites, what, nodes, seed, counted, monkeypatch):
    (sites, world), limited, rng = sites, LIMITED[what], random.Random(f"{seed} {what} {nodes}")
    world = world.copy()
    hands = [first := Hand(await sites.start(Deaf() if nodes > 1 else None), world)]
    await registered(first, f"{what.title().replace(' ', '')}{nodes}")
    world.people["owner"] = list(world.people.values())[-1]
    world.ids["owner_id"] = list(world.ids.values())[-1]
    begun = 0
    match what:
        case "chapters":
            assert (await limited.add(first, 0)).status < 400
            begun = 1
        case "taken seeks":
            await post_seeks(first)
            monkeypatch.setattr(require_room, "__defaults__", (FEW,))
        case "games":
            monkeypatch.setattr(room_for_game.__wrapped__, "__defaults__", (FEW,))
    hands += [Hand(await sites.start(Deaf()), world) for _ in range(nodes - 1)]

    async def hold(_):
        for _ in range(rng.randrange(4)):
            await asyncio.sleep(0)

    async def ask(number):
        FAULT.set(Fault(hold=hold))
        return await limited.add(hands[number % nodes], number)

    answers = await asyncio.gather(*(ask(number) for number in range(begun, limited.most + MORE)))
    stand = await limited.standing(first)
    taken = [one for one in answers if one.status < 400]
    assert limited.most <= len(stand) <= limited.most + limited.over * (nodes - 1)
    assert len(taken) + begun == (len(stand) if limited.refusal else limited.most + MORE)
    wrong = [one.text for one in answers if one not in taken and limited.refusal not in one.text]
    assert not wrong
    for one in stand[limited.most - 1 :]:
        await limited.remove(first, one)
    assert len(await limited.standing(first)) == limited.most - 1
    answers = [await limited.add(first, limited.most + MORE + number) for number in range(2)]
    assert answers[0].status < 400, answers[0].text
    assert not limited.refusal or limited.refusal in answers[1].text
    stand = await limited.standing(first)
    assert len(stand) == limited.most
    for one in stand:
        await limited.remove(first, one)
    await first.site.store.seeks.expire(2**60)
    for hand in hands:
        await hand.site.stop()
    counted("requests", limited.most + MORE)
