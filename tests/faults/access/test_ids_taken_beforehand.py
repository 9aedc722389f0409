"""A known id names nothing that does not exist yet: no request makes a record under an id of its choosing.

It is tried at every route of the application's own table that has an id in its address, so at new ones, too.
"""

import re

import pytest

from server.cli.transfer import everything
from server.games.game_id import OFFLINE
from server.web.site import SITE
from tests.faults.abuse.bodies import ordinary
from tests.faults.abuse.targets import DYNAMIC, Target, targets
from tests.support.web.accounts import register

IDS = ("game", "seek", "study", "chapter", "puzzle", "tournament")
"""Parts of addresses that name a record of their own."""
FREE = {
    "game": "Bef0reh4nd",
    "seek": "Bef0reh4nd",
    "chapter": "Bef0reh4nd",
    "puzzle": "bef0reh4nd",
    "study": "Bef0re" * 4,
    "tournament": "Bef0reh4nd",
}
CLOCK = {"kind": "realtime", "initial": 300, "increment": 0}
PGN = '[White "A"]\n[Black "B"]\n[Date "2024.01.01"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n'


def naming(target: Target) -> list[str]:
    return [name for name in re.findall(r"{(\w+)", target.route) if name in IDS]


def at(target: Target, free: dict[str, str]) -> str:
    path = target.path
    for name in naming(target):
        path = path.replace(DYNAMIC[name], free[name])
    return path


async def send_everywhere(people, free):
    """How many requests were sent that could change something."""
    sent = 0
    for target in targets():
        if target.method in ("GET", "OPTIONS") or not naming(target):
            continue
        body, kind = ordinary(target)
        for person in people:
            async with person.http.request(
                target.method, at(target, free), data=body, headers={"Content-Type": kind}, allow_redirects=False
            ) as answer:
                assert answer.status < 500, (target.name, await answer.text())
            sent += 1
    return sent


async def stored_ids(server) -> set[str]:
    """Every id of every record in the store."""
    found = server.app[SITE].store.records
    return {str(record.get("_id", record.get("id"))) async for _, record in everything(found)}


@pytest.mark.row("A12")
@pytest.mark.usefixtures("unlimited")
async def test_no_request_makes_a_record_under_an_id_of_its_choosing(server, anna, ben, counted):
    await register(anna, "anna")
    await ben.post("/api/guest")
    sent = await send_everywhere([anna, ben], FREE)
    taken = {one for one in await stored_ids(server) for free in set(FREE.values()) if free in one}
    assert not taken
    assert f"{FREE['game'][:-1]}{OFFLINE}" in await stored_ids(server), "a browser names what was played offline"
    counted("requests", sent)


@pytest.mark.row("A12")
@pytest.mark.usefixtures("unlimited")
async def test_whoever_takes_every_public_id_first_comes_into_nobodys_way(server, anna, ben, carla):
    """Ids of seeks were those of the games to come, and both players landed on a stranger's finished game."""
    await carla.post("/api/guest")
    for accepts in (False, True):
        made = (await anna.post("/api/seeks", 201, variants=["chess"], clock=CLOCK))["seek"]
        await send_everywhere([carla], FREE | {"game": made["id"], "chapter": made["id"]})
        if accepts:
            game = (await ben.post(f"/api/seeks/{made['id']}/accept"))["game"]
        else:
            game = (await ben.post("/api/seeks", variants=["chess"], clock=CLOCK))["game"]
        shown = await anna.get(f"/api/games/{game}")
        names = {(await person.get("/api/me"))["name"] for person in (anna, ben)}
        assert {shown["white"]["name"], shown["black"]["name"]} == names
        assert shown["status"] == "live"
        async with anna.follow({"id": game}) as board:
            await board.until("snapshot")
            await board.command(t="abort")


@pytest.mark.row("A12")
@pytest.mark.usefixtures("unlimited")
async def test_the_id_of_a_game_to_import_cannot_be_taken_beforehand(anna, carla):
    async with anna.http.post("/api/import", data=PGN.encode(), headers={"Content-Type": "text/plain"}) as answer:
        (first,) = (await answer.json())["games"]
    assert first["id"][-1] != OFFLINE
    await send_everywhere([carla], FREE | {"game": first["id"]})
    async with carla.http.post("/api/import", data=PGN.encode(), headers={"Content-Type": "text/plain"}) as answer:
        (again,) = (await answer.json())["games"]
    assert again["id"] == first["id"]
