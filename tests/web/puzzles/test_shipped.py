"""A new site has puzzles soon after its start, once, and without those that its host has removed."""

import asyncio

import pytest

from server.games.shipped_puzzles import FOLDER, shipped_puzzles
from server.storage.admin_commands import RemovePuzzles
from server.web.operation.host_commands import carry_out_puzzles
from server.web.operation.shipped_puzzles import bring_shipped_puzzles
from server.web.site import SITE
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS

FEW = 4
"""Of each form: bringing all takes seconds."""


@pytest.fixture(autouse=True)
def few_puzzles(tmp_path, monkeypatch):
    for file in FOLDER.iterdir():
        lines = file.read_text(encoding="utf-8").splitlines()[: FEW + 1]
        (tmp_path / file.name).write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr("server.games.shipped_puzzles.FOLDER", tmp_path)


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"shipped_puzzles": True})


async def number_of(site, variant):
    return sum([await site.store.puzzles.count_puzzles(variant, chess960) for chess960 in (False, True)])


async def brought(site):
    """Waits until the start has brought them."""
    packs = [list(shipped_puzzles(one, 0)) for one in VARIANTS.values()]
    async with asyncio.timeout(PATIENCE_S):
        while sum([await number_of(site, one) for one in VARIANTS]) < sum(map(len, packs)):  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0.01)


async def test_they_are_there_are_solved_like_others_and_lead_to_no_game(server, anna):
    site = server.app[SITE]
    await brought(site)
    told = (await anna.post("/api/puzzles", form="chess"))["puzzle"]
    assert await site.store.puzzles.count_puzzles("chess", True) == FEW
    found = next(one for one in shipped_puzzles(VARIANTS["chess"], 0) if one.id == told["id"])
    solved = await anna.post(f"/api/puzzles/{told['id']}", moves=list(found.line[::2]))
    assert solved["solved"]
    assert solved["about"]["game"] is None


async def test_what_the_host_has_removed_stays_away_and_nothing_comes_twice(server):
    site = server.app[SITE]
    await brought(site)
    [first, *rest] = list(shipped_puzzles(VARIANTS["grand"], 0))
    await site.store.puzzles.remove_puzzles([first.id])
    await bring_shipped_puzzles(site)
    assert await site.store.puzzles.count_puzzles("grand", False) == len(rest)
    await carry_out_puzzles(site.store, RemovePuzzles([], "grand", sure=True), "")
    await bring_shipped_puzzles(site)
    assert await site.store.puzzles.count_puzzles("grand", False) == 0


async def test_a_file_that_cannot_be_read_keeps_no_others_away(server, monkeypatch):
    site = server.app[SITE]
    await brought(site)

    def damaged(variant, now):
        if variant.id == "chess":
            raise ValueError("not what it was")
        return shipped_puzzles(variant, now)

    monkeypatch.setattr("server.web.operation.shipped_puzzles.shipped_version", lambda variant: "of another release")
    for name in ("chess", "grand"):
        await site.store.puzzles.remove_puzzles([one.id for one in shipped_puzzles(VARIANTS[name], 0)])
    monkeypatch.setattr("server.web.operation.shipped_puzzles.shipped_puzzles", damaged)
    await bring_shipped_puzzles(site)
    assert await site.store.puzzles.count_puzzles("chess", False) == 0
    assert await site.store.puzzles.count_puzzles("grand", False) > 0
