"""The archive of every store finds what a plain filter over all games finds, in order, page by page."""

import asyncio
import sqlite3
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pymongo import DeleteMany

from server.games.changes.beginning import Reseat
from server.games.changes.ending import Abort, Resign
from server.games.clocks.time_control import DAY_MS
from server.games.player import DELETED_NAME, Player
from server.games.state import ImportSource
from server.games.status import Status
from server.rules.endings import Outcome
from server.rules.variant.pieces import Color
from server.storage.documents import to_document, to_head
from server.storage.errors import Unavailable
from server.storage.mongo import archive as mongo_archive
from server.storage.mongo.client import close_client, connect_client
from server.storage.protocols import archive
from server.storage.protocols.archive import FACETS, Search, branches, entry_of, key_at, time_of
from server.storage.sqlite import archive as sqlite_archive
from server.storage.sqlite.scripts import SCRIPTS
from server.storage.sqlite.store import SqliteStore
from server.storage.summaries import summary
from tests.support.games import (
    START,
    WHITE,
    after,
    live_game,
    open_game,
    over_game,
    running_game,
    terms,
)
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.old_rows import insert_old_game
from tests.support.storage.stored_games import game_called, stepped, stored

NAMES = ["Ann", "ann", "Boris", "Zoë Ñandú", "a|b", "?"]
ENDS = [
    Outcome(Color.WHITE, "resign"),
    Outcome(Color.BLACK, "time"),
    Outcome(None, "agreed"),
    Outcome(None, "unfinished"),
]


def finished(number, white, black, variant, outcome, day, rated, imported):
    """A finished game; the archive does not look at its moves."""
    return replace(
        live_game(variant=variant),
        id=f"g{number:03d}",
        terms=replace(terms(variant=variant), rated=rated, chess960=variant == "chess" and number % 3 == 0),
        white=Player("" if imported else f"w{number}", white),
        black=Player("" if imported else f"b{number}", black),
        status=Status.OVER,
        outcome=outcome,
        ended=START - 60_000 * DAY_MS + day * DAY_MS,
        import_source=ImportSource((("Event", "Cup"),)) if imported else None,
    )


def random_games(count):
    random = Random(1)
    return [
        finished(
            number,
            *random.choices(NAMES, k=2),
            random.choice(["chess", "grand", "shouse"]),
            random.choice(ENDS),
            random.randrange(6),
            *random.choices([False, True], k=2),
        )
        for number in range(count)
    ]


searches = st.builds(
    Search,
    player=st.sampled_from(["", "", *NAMES, "ANN", " zoë  ñandú "]),
    color=st.sampled_from([None, None, *Color]),
    opponent=st.sampled_from(["", "", *NAMES]),
    variant=st.sampled_from(["", "", "chess", "grand"]),
    chess960=st.sampled_from([None, None, False, True]),
    outcome=st.sampled_from([None, None, "white", "black", "draw", "unfinished", "won", "lost"]),
    reason=st.sampled_from(["", "", "resign", "agreed", "checkmate"]),
    rated=st.sampled_from([None, None, False, True]),
    source=st.sampled_from([None, None, "played", "imported"]),
    since=st.sampled_from([None, None, START - 59_998 * DAY_MS]),
    until=st.sampled_from([None, None, START - 59_997 * DAY_MS]),
).filter(lambda search: search.player or (not search.opponent and search.outcome not in ("won", "lost")))


def same(one, other):
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def answers(game, search):
    """Does `game` answer the question? Said once more, in the plainest words."""
    names = {Color.WHITE: game.white.name, Color.BLACK: game.black.name}

    def seated(color):
        won = search.outcome not in ("won", "lost") or game.outcome.winner is (
            color if search.outcome == "won" else color.other
        )
        opposed = not search.opponent or same(names[color.other], search.opponent)
        return same(names[color], search.player) and opposed and won

    colors = Color if search.color is None else (search.color,)
    results = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2", "unfinished": "*"}
    return all(
        (
            not search.player or any(seated(color) for color in colors),
            search.variant in ("", game.terms.variant.id),
            search.chess960 in (None, game.terms.chess960),
            search.outcome not in results or results[search.outcome] == game.result,
            search.reason in ("", game.outcome.reason),
            search.rated in (None, game.terms.rated),
            search.source in (None, "imported" if game.import_source else "played"),
            search.since is None or game.ended >= search.since,
            search.until is None or game.ended < search.until,
        )
    )


async def all_pages(store, search, limit):
    """The ids of all pages, and how many pages there were."""
    found, before, pages = [], "", 0
    while True:
        page = await store.archive.page(search, limit, before)
        assert len(page.games) <= limit
        found += [game.id for game in page.games]
        pages += 1
        if page.next is None:
            return found, pages
        assert not before or page.next < before
        before = page.next


@pytest.fixture
async def filled(store):
    games = random_games(60)
    for game in games:
        await store.create(game)
    return store, games


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(search=searches, limit=st.integers(1, 7))
async def test_every_search_finds_what_a_plain_filter_finds(filled, search, limit):
    store, games = filled
    expected = sorted((game for game in games if answers(game, search)), key=lambda game: (game.ended, game.id))
    assert (await all_pages(store, search, limit))[0] == [game.id for game in reversed(expected)]


def as_seen_by(game, color):
    """What their player of that colour is told of a game."""
    scores = {None: 0.5, color: 1, color.other: 0}
    other = (game.black if color is Color.WHITE else game.white).name
    return (
        *(game.id, game.ended, color, game.terms.variant.id, game.terms.chess960),
        *(" ".join(other.split()).casefold(), game.terms.rated),
        None if game.result == "*" else scores[game.outcome.winner],
    )


@pytest.mark.parametrize("name", ["ANN", "Boris", "a|b", "nobody"])
async def test_the_newest_games_of_a_player_are_told_as_they_saw_them(filled, name):
    store, games = filled
    theirs = [
        (game, color)
        for game in games
        for color, player in ((Color.WHITE, game.white), (Color.BLACK, game.black))
        if same(player.name, name) and not game.import_source
    ]
    expected = sorted((as_seen_by(*one) for one in theirs), key=lambda one: (one[1], one[0]), reverse=True)
    assert sorted(map(tuple, await store.archive.played_by(name, 99)), key=str) == sorted(expected, key=str)
    newest = await store.archive.played_by(name, 3)
    assert len(newest) <= 6
    assert [(one.at, one.id) for one in newest] == sorted(((one.at, one.id) for one in newest), reverse=True)


async def test_games_begin_with_their_first_moves(store):
    played = stepped(stepped(live_game()))
    moves = [ply.uci for ply in played.plies]
    await store.create(played)
    await store.create(game_called("none", live_game()))
    found = {one.id: one for one in await store.archive.beginnings(["game", "none", "nothing"], 1)}
    start = terms().start_fen
    assert found == {"game": ("game", start, moves[:1]), "none": ("none", start, [])}
    assert [one.moves for one in await store.archive.beginnings(["game"], 9)] == [moves]
    assert list(await store.archive.beginnings([], 9)) == []


@pytest.fixture
def short_looks(monkeypatch):
    """Looks that read three entries at most."""
    for module in (archive, sqlite_archive, mongo_archive):
        monkeypatch.setattr(module, "SCAN", 3)


async def test_a_rare_combination_is_found_over_several_short_pages(store, short_looks):
    for number in range(12):
        variant, outcome = ("grand", ENDS[0]) if number % 2 else ("chess", ENDS[1])
        await store.create(finished(number, "Ann", "Boris", variant, outcome, number, False, False))
    await store.create(finished(99, "Ann", "Boris", "grand", ENDS[1], 0, False, False))
    first = await store.archive.page(Search(variant="grand", reason="time"), 5)
    assert first.games == []
    assert first.next is not None
    found, pages = await all_pages(store, Search(variant="grand", reason="time"), 5)
    assert found == ["g099"]
    assert pages == 2


async def test_a_game_enters_when_it_ends_and_once(store):
    game = await stored(store, running_game())
    assert (await store.archive.page(Search(), 10)).games == []
    over = after(game, Resign(WHITE), now=START + 5)
    await store.save(game, over)
    await store.save(game, over)
    (line,) = (await store.archive.page(Search(), 10)).games
    assert (line.id, line.white, line.black, line.result, line.reason) == (game.id, "Wanda", "Boris", "0-1", "resign")
    assert (line.ended, line.plies, line.control, line.imported) == (START + 5, 2, game.terms.control, False)
    assert line.board == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


async def test_unfinished_games_are_not_listed(store):
    await store.create(open_game())
    await store.create(game_called("running", running_game()))
    unstarted = await stored(store, game_called("unstarted"))
    await store.save(unstarted, after(unstarted, Abort(WHITE)))
    assert (await store.archive.page(Search(), 10)).games == []


def test_keys_sort_by_time_back_to_the_year_one():
    times = [-62_135_596_800_000, -1_000, 0, START, START + 1]
    keys = [key_at(ms, "game") for ms in times]
    assert keys == sorted(keys)
    assert [time_of(key) for key in keys] == times


def test_only_a_finished_game_leaves_an_entry():
    assert entry_of(running_game()) is None
    assert entry_of(after(live_game(), Abort(WHITE))) is None
    assert entry_of(replace(over_game(), outcome=Outcome(None, "declined"))) is None
    assert entry_of(over_game()).facets["winner"] == "0-1"


def test_a_player_who_won_is_looked_for_with_both_colours():
    assert [(one["winner"], "white" in one) for one in branches(Search(player="Ann", outcome="won"))] == [
        ("1-0", True),
        ("0-1", False),
    ]


OLD_GAMES = (
    game_called("old", over_game()),
    game_called("aborted", after(live_game(), Abort(WHITE))),
    running_game(),
)


async def test_games_that_ended_before_there_was_an_archive_are_in_it_on_sqlite(tmp_path):
    path = tmp_path / "games.sqlite3"
    version = next(number for number, script in enumerate(SCRIPTS) if "CREATE TABLE archive" in script)
    connection = sqlite3.connect(path)
    connection.executescript("".join(SCRIPTS[:version]) + f"PRAGMA user_version = {version};")
    for game in OLD_GAMES:
        insert_old_game(connection, to_document(game).head, to_document(game).moves)
    connection.commit()
    connection.close()
    store = await SqliteStore.open(path, VARIANTS)
    assert await lines_of_wanda(store) == [replace(summary(to_head(OLD_GAMES[0])), board="")]
    await store.close()


async def test_games_that_ended_before_there_was_an_archive_are_in_it_on_mongodb(shared_place):
    store = await shared_place.open()
    for game in OLD_GAMES:
        await store.create(game)
    client = connect_client(shared_place.uri)
    database = client.get_default_database()
    await database["archive"].bulk_write([DeleteMany({})])
    await database["filled"].bulk_write([DeleteMany({})])
    await close_client(client)
    assert await lines_of_wanda(store) == []
    assert await lines_of_wanda(await shared_place.open()) == [summary(to_head(OLD_GAMES[0]))]


async def lines_of_wanda(store):
    return (await store.archive.page(Search(player="wanda"), 10)).games


async def test_an_entry_that_a_crash_left_out_is_made_when_a_server_starts(shared_place, monkeypatch):
    store = await shared_place.open()
    game = await stored(store, running_game())

    async def crash(_):
        raise ConnectionError

    monkeypatch.setattr(store.archive, "add", crash)
    with pytest.raises(ConnectionError):
        await store.save(game, after(game, Resign(WHITE)))
    again = await shared_place.open()
    assert [line.id for line in (await again.archive.page(Search(), 10)).games] == [game.id]


def test_every_look_in_the_file_reads_one_index_in_order():
    """However the machine is loaded: nothing is sorted, and nothing is read but along an index that ends in the key."""
    connection = sqlite3.connect(":memory:")
    connection.executescript("".join(SCRIPTS))
    for facet in FACETS:
        ((*_, plan),) = connection.execute(
            f"EXPLAIN QUERY PLAN SELECT key, line FROM archive INDEXED BY archive_by_{facet}"
            f" WHERE {facet} = ? AND rated = ? AND key < ? AND key >= ? ORDER BY key DESC LIMIT ?",
            ("x", "0", "~", "", 5),
        )
        assert plan == f"SEARCH archive USING INDEX archive_by_{facet} ({facet}=? AND key>? AND key<?)"
    connection.close()


async def test_a_game_that_ends_while_the_archive_cannot_be_written_is_stored_and_filed_by_the_chore(
    shared_place, monkeypatch
):
    store = await shared_place.open()
    with unable_to_file(store, monkeypatch):
        game = replace(over_game(), id="ended")
        await store.create(game)
    assert (await store.load("ended")).status is Status.OVER
    assert list((await store.archive.page(Search(), 9)).games) == []
    await store.archive.file_the_rest()
    assert [one.id for one in (await store.archive.page(Search(), 9)).games] == ["ended"]


@contextmanager
def held_up(store, monkeypatch):
    """Makes a store wait before it files a game: yields when it begins to, and what lets it go on."""
    begins, go = asyncio.Event(), asyncio.Event()
    add = store.archive.add

    async def slow(entries):
        begins.set()
        await go.wait()
        await add(entries)

    with monkeypatch.context() as patch:
        patch.setattr(store.archive, "add", slow)
        yield begins, go


@contextmanager
def unable_to_file(store, monkeypatch):
    async def down(_entries):
        raise Unavailable("down for a moment")

    with monkeypatch.context() as outage:
        outage.setattr(store.archive, "add", down)
        yield


async def forget_white(store, game_id):
    """Takes the name of White out of the game, as the end of an account does."""
    there = await store.load(game_id)
    await store.save(there, after(there, Reseat(there.white.id, Player(there.white.id, DELETED_NAME))))


async def names_listed(store):
    return [line.white for line in (await store.archive.page(Search(), 10)).games]


@pytest.mark.parametrize("by_chore", [False, True])
async def test_a_deleted_name_does_not_return_with_a_server_that_is_slow_to_file(shared_place, monkeypatch, by_chore):
    slow, other = await shared_place.open(), await shared_place.open()
    game = await stored(slow, running_game())
    if by_chore:
        with unable_to_file(slow, monkeypatch):
            await slow.save(game, after(game, Resign(WHITE)))
    with held_up(slow, monkeypatch) as (begins, go):
        work = slow.archive.file_the_rest() if by_chore else slow.save(game, after(game, Resign(WHITE)))
        filing = asyncio.create_task(work)
        await begins.wait()
        await forget_white(other, game.id)
        go.set()
        await filing
    assert await names_listed(other) == [DELETED_NAME]
    await other.archive.file_the_rest()
    assert await names_listed(other) == [DELETED_NAME]


async def test_a_game_stays_marked_while_its_entry_is_of_an_earlier_revision(shared_place, monkeypatch):
    """One server is slow, and the other fails before it has filed the new name."""
    slow, other = await shared_place.open(), await shared_place.open()
    game = await stored(slow, running_game())
    with held_up(slow, monkeypatch) as (begins, go), unable_to_file(other, monkeypatch):
        saving = asyncio.create_task(slow.save(game, after(game, Resign(WHITE))))
        await begins.wait()
        await forget_white(other, game.id)
        go.set()
        await saving
    await other.archive.file_the_rest()
    assert await names_listed(other) == [DELETED_NAME]


async def test_an_entry_of_a_release_that_noted_no_revision_gets_the_new_name(shared_place):
    store = await shared_place.open()
    game = await stored(store, over_game())
    client = connect_client(shared_place.uri)
    await client.get_default_database()["archive"].update_one({"_id": game.id}, {"$unset": {"rev": 1}})
    await close_client(client)
    await forget_white(store, game.id)
    assert await names_listed(store) == [DELETED_NAME]
