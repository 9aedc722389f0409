"""A game of thousands of half-moves makes nobody else wait."""

import asyncio

import pytest

from server.realtime.play import views
from server.rules.notation.pgn_writer import PAUSE_AFTER
from server.storage import time_slices
from server.web.archive import search
from server.web.budgets.buckets import RateLimit
from server.web.budgets.heavy import HEAVY
from server.web.games import api
from server.web.games.game_json import game_steps
from server.web.rendering.page_cache import PAGE_CACHE
from server.web.site import SITE
from tests.support.patience import PATIENCE_S, waits_for_a_slice

PLIES = 1_000


@pytest.fixture
async def long_game(anna):
    """The id of an imported game of so many half-moves."""
    pairs = ("Nf3 Nf6", "Ng1 Ng8")
    moves = " ".join(f"{number + 1}. {pairs[number % 2]}" for number in range(PLIES // 2))
    async with anna.http.post("/api/import", data=f"{moves} *", headers={"Content-Type": "text/plain"}) as answer:
        (taken,) = (await answer.json())["games"]
    assert taken["plies"] == PLIES
    return taken["id"]


async def test_a_long_game_is_replayed_once_and_others_have_their_turn_meanwhile(anna, long_game, monkeypatch):
    replays, steps = [], []

    def counted(game):
        replays.append(game.id)
        made = game_steps(game)
        while True:
            try:
                next(made)
            except StopIteration as stop:
                return stop.value
            steps.append(1)
            yield

    monkeypatch.setattr(api, "game_steps", counted)
    answers = await asyncio.gather(*(anna.get(f"/api/games/{long_game}") for _ in range(20)))
    assert all(answer == answers[0] for answer in answers)
    assert len(answers[0]["moves"]) == PLIES
    assert replays == [long_game]
    assert len(steps) == PLIES, "it can be interrupted after each half-move"


async def test_it_is_replayed_once_for_all_languages_and_kinds_of_visitors(anna, ben, long_game, monkeypatch):
    replays = []
    monkeypatch.setattr(api, "game_steps", lambda game: replays.append(game.id) or game_steps(game))
    texts = set()
    for reader in (anna, ben):  # a guest, and a stranger
        for language in ("en", "es"):
            headers = {"Accept-Language": language}
            async with reader.http.get(f"/api/games/{long_game}", headers=headers) as answer:
                texts.add(await answer.text())
    assert len(texts) == 1
    assert replays == [long_game]


async def test_a_further_move_is_in_the_record_at_once(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    assert (await anna.get(f"/api/games/{game['id']}"))["moves"] == []
    async with anna.follow(game) as white:
        await white.move(0, "e2e4")
    assert [move["uci"] for move in (await anna.get(f"/api/games/{game['id']}"))["moves"]] == ["e2e4"]


async def test_replaying_a_game_costs_by_its_length(anna, ben, long_game, server):
    limits = server.app[SITE].limits
    limits.reads = RateLimit(7, 3600)
    await anna.get(f"/api/games/{long_game}")
    assert limits.reads.wait("127.0.0.1", server.app[SITE].now(), 2), "six of the seven are used up"
    await anna.get(f"/api/games/{long_game}")
    limits.reads = RateLimit(5, 3600)
    server.app[PAGE_CACHE].pages.clear()
    await anna.get(f"/api/games/{long_game}", 429)


async def test_writing_a_pgn_costs_by_its_length(anna, long_game, server):
    server.app[SITE].limits.reads = RateLimit(13, 3600)
    path = f"/api/games/{long_game}.pgn"
    answers = []
    for _ in range(3):
        async with anna.http.get(path) as answer:
            answers.append(answer.status)
    assert answers == [200, 200, 429], "each costs its request and five for a thousand half-moves"


async def test_a_long_pgn_is_written_in_time_slices(anna, long_game, server):
    assert await server.app[SITE].rounds.get(long_game) is not None, "from now on it is in memory"
    async with time_slices.slice_lock():
        asked = asyncio.create_task(anna.http.get(f"/api/games/{long_game}.pgn"))
        assert await waits_for_a_slice(asked)
    assert (await asked).status == 200


@pytest.mark.parametrize(("path", "handler"), [("/api/games/{}.pgn", api), ("/api/games.pgn?source=imported", search)])
async def test_its_pgn_is_written_with_pauses(anna, long_game, monkeypatch, path, handler):
    pauses, run_sliced = [], time_slices.run_sliced

    def counted(work):
        try:
            while True:
                next(work)
                pauses.append(1)
                yield
        except StopIteration as end:
            return end.value

    monkeypatch.setattr(handler, "run_sliced", lambda work: run_sliced(counted(work)))
    async with anna.http.get(path.format(long_game)) as answer:
        assert (await answer.text()).rstrip().endswith(f"{PLIES // 2}. Ng1 Ng8 1/2-1/2")
    assert len(pauses) >= PLIES / PAUSE_AFTER


async def test_files_of_games_are_written_one_game_at_a_time(anna, long_game, server, monkeypatch):
    store, reading, most = server.app[SITE].store, 0, 0
    load = store.load

    async def counted(*asked):
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        try:
            return await load(*asked)
        finally:
            reading -= 1

    monkeypatch.setattr(type(store), "load", lambda _, *asked: counted(*asked))

    async def download():
        async with anna.http.get("/api/games.pgn?source=imported") as answer:
            return await answer.text()

    files = await asyncio.gather(*(download() for _ in range(4)))
    assert len(set(files)) == 1
    assert most == 1


async def test_no_game_is_read_for_a_file_whose_reader_has_left(anna, long_game, connect, server, monkeypatch):
    store, read = server.app[SITE].store, []
    monkeypatch.setattr(type(store), "load", lambda _, *asked: read.append(asked))
    async with server.app[HEAVY].alone("exports"):
        _, writer = await connect(b"GET /api/games.pgn?source=imported HTTP/1.1\r\nHost: localhost:8080\r\n\r\n")
        edge, reader = server.runner.server, writer.get_extra_info("sockname")
        async with asyncio.timeout(PATIENCE_S):
            while not (asking := [one for one in edge.connections if one.peername == reader]):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)  # long enough for it to wait for its turn
            writer.transport.abort()
            while asking[0].transport is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    async with server.app[HEAVY].alone("exports"):
        pass  # whoever waited before has had their turn
    assert read == []


async def test_what_watchers_read_of_a_game_that_is_over_is_encoded_once(anna, ben, long_game, server, monkeypatch):
    made, snapshot = [], views.snapshot
    monkeypatch.setattr(views, "snapshot", lambda *args, **named: made.append(args) or snapshot(*args, **named))
    async with anna.follow({"id": long_game}) as one, ben.follow({"id": long_game}) as other:
        first, second = await one.next(), await other.next()
    assert first == second
    assert len(first["moves"]) == PLIES
    assert len(made) == 1


async def test_a_game_that_goes_on_is_encoded_as_it_stands(anna, ben, server):
    game = await anna.challenge()
    await ben.join(game)
    round_ = await server.app[SITE].rounds.get(game["id"])
    before = round_.feed.snapshot(None)
    async with anna.follow(game) as white:
        await white.move(0, "e2e4")
    assert '"e2e4"' in round_.feed.snapshot(None)
    assert '"e2e4"' not in before
