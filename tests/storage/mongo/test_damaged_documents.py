"""Documents of MongoDB that are damaged at random: nothing else is lost, and no question about the others fails."""

from random import Random

from server.storage.errors import Unreadable
from server.storage.protocols.archive import Search
from server.storage.stores import ChatLine
from server.storage.tables.imports import ImportNote
from tests.support.games import START, over_game
from tests.support.storage.damage import damage_document
from tests.support.storage.stored_games import game_called

GAMES = 12
ROUNDS = 6
COLLECTIONS = ("games", "chat", "archive", "imports")


async def test_any_damaged_document_keeps_no_other_from_being_read(shared_place, seed):
    store = await shared_place.open()
    for number in range(GAMES):
        game = game_called(f"game{number:02d}", over_game())
        await store.create(game)
        await store.add_chat(ChatLine(game.id, "players", "w", "Wanda", "hello", START))
        await store.imports.note_imports([ImportNote(game.id, START, 2, "anna", "a1b2")])
    random = Random(seed)
    done = [
        damage_document(shared_place.uri, shared_place.name, random, collection)
        for collection in COLLECTIONS
        for _ in range(ROUNDS)
    ]
    least = GAMES - ROUNDS
    assert sum([await is_whole(store, f"game{number:02d}") for number in range(GAMES)]) >= least, done
    assert sum([len(await store.chat(f"game{number:02d}", 9)) for number in range(GAMES)]) >= least, done
    assert len((await store.archive.page(Search(), GAMES)).games) >= least, done
    assert len(await store.imports.notes_of_games([f"game{number:02d}" for number in range(GAMES)])) >= least, done
    assert isinstance(await store.imports.plies_of_user("anna", START), int), done
    assert len(await store.by_player(over_game().white.id, GAMES)) >= least, done


async def is_whole(store, game_id):
    try:
        return await store.load(game_id) == game_called(game_id, over_game())
    except Unreadable:
        return False
