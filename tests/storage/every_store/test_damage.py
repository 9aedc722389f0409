"""One record that cannot be read: it is left out, counted and named in the log, and everything else is as before."""

import logging

import orjson
import pytest

from server.cli.checking import flaws_of
from server.games.changes.ending import Resign
from server.games.game import play
from server.games.seeks import Pairing
from server.rules.variant.pieces import Color
from server.storage.documents import to_document
from server.storage.errors import Unreadable
from server.storage.protocols.archive import Search
from server.storage.protocols.ratings import Category
from server.storage.tables.accounts import Session, User
from server.storage.tables.imports import ImportNote
from tests.support.games import START, live_game
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.damage import spoil, spoil_head
from tests.support.storage.rated_games import ANNA, BERTA, count_all, played, register
from tests.support.storage.seeks import BEN, EVERY_KIND
from tests.support.storage.stored_games import game_called, random_steps


async def spoil_moves(store, game, moves):
    """The moves of a stored game become `moves`."""
    if hasattr(store, "_client"):
        await spoil(store, "games", game.id, moves=list(moves))
        return

    def write(connection):
        connection.execute("DELETE FROM moves WHERE game = ?", (game.id,))
        rows = [(game.id, ply, move) for ply, move in enumerate(moves)]
        connection.executemany("INSERT INTO moves (game, ply, move) VALUES (?, ?, ?)", rows)

    await store._file.write(write)


@pytest.fixture
async def game(store):
    """A game of 20 plies, and beside it one that stays whole."""
    game = random_steps(live_game(), 20)[-1]
    await store.create(game)
    await store.create(game_called("whole", game))
    return game


async def check_left_out(store, game, caplog):
    for _ in range(2):
        with pytest.raises(Unreadable, match="game"):
            await store.load(game.id)
    assert (await store.load("whole")).plies == game.plies
    assert store.damage.found["games"] == 1
    named = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(named) == 1, "once is enough"
    assert game.id in named[0].getMessage()
    assert "fairyhouse check" in named[0].getMessage()


async def test_a_game_whose_head_cannot_be_read_is_left_out(store, game, caplog):
    await spoil_head(store, game)
    await check_left_out(store, game, caplog)
    assert [line.id for line in await store.by_player(game.white.id, 10)] == ["whole"]
    assert set(await store.running()) == {"game", "whole"}


@pytest.mark.parametrize("lost", [{0}, {7}, {19}, {18, 19}])
async def test_a_game_with_a_hole_is_not_served(store, game, lost, caplog):
    moves = to_document(game).moves
    await spoil_moves(store, game, [move for ply, move in enumerate(moves) if ply not in lost])
    await check_left_out(store, game, caplog)


async def test_a_game_with_an_illegal_move_is_not_served(store, caplog):
    game = random_steps(live_game(), 1)[-1]
    await store.create(game)
    await store.create(game_called("whole", game))
    await spoil_moves(store, game, ["e2e5 300000 0 e5"])
    await check_left_out(store, game, caplog)


@pytest.mark.parametrize(
    "fields",
    [
        *({"status": "over"}, {"ended": 5}, {"white": "", "white_name": ""}, {"turn": "b"}, {"created": 2**60}),
        *({"rev": -4}, {"since": 2**62}, {"left": f"{2**62} 300000"}, {"expires": 2**62}),
    ],
)
async def test_a_head_that_no_game_can_have_is_not_served(store, game, fields, caplog):
    await spoil_head(store, game, **fields)
    await check_left_out(store, game, caplog)


async def test_a_game_under_the_name_of_another_is_not_served(store, game, caplog):
    """Only SQLite keeps the name twice."""
    if hasattr(store, "_client"):
        assert (await store.load("whole")).id == "whole"
        return
    await spoil_head(store, game, _id="whole")
    await check_left_out(store, game, caplog)
    assert [line.id for line in await store.by_player(game.white.id, 10)] == ["whole"]


async def test_a_game_whose_moves_could_not_be_stored_is_not_served(store, game, caplog):
    """SQLite compares a step with the column of the revision, MongoDB with the one revision that there is."""
    if hasattr(store, "_client"):
        await spoil_head(store, game, rev=-1)
    else:
        await spoil(store, "games", game.id, rev=2**62)
    await check_left_out(store, game, caplog)


HUGE = 2**62


async def spoil_change(store, player, **fields):
    """Writes over what the games of one player have done to their rating."""
    if hasattr(store, "_client"):
        named = {"deviation": "doubt", "at": "when"}
        counted = store._client.get_default_database("fairyhouse")["counted"]
        wanted = {"player": player, "chart": {"$ne": ""}}
        await counted.update_many(wanted, {"$set": {named.get(name, name): value for name, value in fields.items()}})
        return
    changes = ", ".join(f"{name} = ?" for name in fields)
    await store._file.write(
        lambda connection: connection.execute(
            f"UPDATE changes SET {changes} WHERE player = ?", (*fields.values(), player)
        )
    )


@pytest.mark.parametrize("name", ["number", "before", "deviation", "after", "at"])
async def test_an_absurd_rating_change_is_left_out(store, name, caplog):
    await register(store, ANNA, BERTA)
    game = await played(store, "game", ANNA, BERTA)
    await count_all(store)
    await spoil_change(store, ANNA.id, **{name: HUGE})
    assert await store.ratings.history(ANNA.id, Category.of(game.terms), 10) == []
    assert set(await store.ratings.changes("game")) == {Color.BLACK}
    assert store.damage.found == {"changes": 1}
    assert [
        flaw.kind async for flaw in flaws_of(store.records, VARIANTS) if "beyond" in flaw.what or "time" in flaw.what
    ]


async def test_an_absurd_import_charge_locks_nobody_out(store):
    await store.imports.note_imports(
        [ImportNote("one", START, 5, "anna", "a1b2"), ImportNote("two", START, HUGE, "anna", "a1b2")]
    )
    assert await store.imports.plies_of_user("anna", START) == 5
    assert set(await store.imports.notes_of_games(["one", "two"])) == {"one"}


async def test_a_taken_seek_with_a_bad_colour_keeps_no_other_from_its_game(store, caplog):
    for one in EVERY_KIND[:2]:
        await store.seeks.add(one)
        assert await store.seeks.take(one.seek.id, Pairing(BEN, "chess", Color.WHITE))
    bad, good = (one.seek for one in EVERY_KIND[:2])
    await spoil(store, "seeks", bad.id, maker_color="green")
    assert [seek for seek, _ in await store.seeks.taken()] == [good]
    assert store.damage.found == {"seeks": 1}
    assert bad.id in caplog.text


async def test_an_open_seek_that_cannot_be_read_does_not_stand(store):
    for one in EVERY_KIND:
        await store.seeks.add(one)
    await spoil(store, "seeks", EVERY_KIND[0].seek.id, initial=-5, days=0)
    assert {one.seek.id for one in await store.seeks.open()} == {one.seek.id for one in EVERY_KIND[1:]}
    assert not await store.seeks.take(EVERY_KIND[0].seek.id, Pairing(BEN, "chess", Color.WHITE))


async def test_games_that_cannot_be_counted_hold_up_no_others(store):
    await register(store, ANNA, BERTA)
    ended = [await played(store, f"game{number}", ANNA, BERTA, at=START + number) for number in range(3)]
    for game in ended[:2]:
        await spoil_head(store, game)
    assert [due.game for due in await store.ratings.uncounted(1)] == ["game2"]


async def test_check_finds_what_is_wrong_with_every_engine(store):
    """References and the archive are looked up as each engine keeps them."""
    game = random_steps(live_game(), 20)[-1]
    for name in ("hole", "spoilt", "whole"):
        await store.create(game_called(name, game))
    await store.add_guest(*session_of_guest("w"))
    await store.add_guest(*session_of_guest("b"))
    assert [flaw async for flaw in flaws_of(store.records, VARIANTS)] == []
    await spoil_moves(store, game_called("hole", game), to_document(game).moves[:7])
    await spoil_head(store, game_called("spoilt", game))
    await store.seeks.add(EVERY_KIND[0])
    await spoil(store, "seeks", EVERY_KIND[0].seek.id, maker="nobody")
    found = {(flaw.kind, flaw.key) async for flaw in flaws_of(store.records, VARIANTS)}
    assert found == {("games", "hole"), ("games", "spoilt"), ("seeks", EVERY_KIND[0].seek.id)}


def session_of_guest(user):
    return User(user, user, True, START), Session(f"of {user}", user, START, START)


async def listed(store):
    return [line.id for line in (await store.archive.page(Search(), 9)).games]


async def finished(store):
    """Two games in the archive; the first of them, with its moves."""
    game = random_steps(live_game(), 20)[-1]
    over, _ = play(game, Resign(game.to_move), START)
    for one in (over, game_called("whole", over)):
        await store.create(one)
    assert sorted(await listed(store)) == sorted([over.id, "whole"])
    return over


async def test_the_archive_does_not_list_a_game_whose_head_cannot_be_read(store, caplog):
    game = await finished(store)
    await spoil_head(store, game)
    assert await listed(store) == ["whole"]
    assert game.id in caplog.text
    assert store.damage.found["games"] == 1


async def test_the_archive_does_not_list_a_game_that_ended_at_no_time(store):
    game = await finished(store)
    line = orjson.dumps({**to_document(game).head, "board": "", "ended": HUGE}).decode()
    if hasattr(store, "_client"):
        await spoil(store, "archive", game.id, line=line)
    else:
        of_game = "UPDATE archive SET line = ? WHERE json_extract(line, '$._id') = ?"
        await store._file.write(lambda connection: connection.execute(of_game, (line, game.id)))
    assert await listed(store) == ["whole"]


async def test_the_archive_does_not_list_a_game_that_could_not_be_opened(store):
    game = await finished(store)
    document = to_document(game)
    await spoil_moves(store, game, ["e2e5", *document.moves[1:]])
    with pytest.raises(Unreadable):
        await store.load(game.id)
    assert await listed(store) == ["whole"]


async def test_the_archive_does_not_list_what_is_left_of_a_game(store):
    game = await finished(store)
    if hasattr(store, "_client"):
        await store._games.delete_one({"_id": game.id})
    else:
        await store._file.write(lambda connection: connection.execute("DELETE FROM games WHERE id = ?", (game.id,)))
    assert await listed(store) == ["whole"]
