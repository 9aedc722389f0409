"""Defences of what is deleted: nothing of it comes back, and nobody is left at a board that is gone. Switched off."""

from tests.faults.mutant import Mutant

DELETED = "tests/realtime/play/test_deleted_games.py"
DELETION = "tests/storage/every_store/test_deletion.py"
LIVE = "server/realtime/live.py"

OF_DELETION: tuple[Mutant, ...] = (
    Mutant(
        "a game that is gone is a fault of the server",
        "server/realtime/play/game_writer.py",
        "            raise GameDeleted\n",
        '            raise LookupError("it has vanished")\n',
        DELETED,
    ),
    Mutant(
        "a game deleted while it is loaded is loaded all the same",
        "server/realtime/play/rounds.py",
        "        if not self._loading.is_current(game_id):\n",
        "        if False:\n",
        f"{DELETED}::test_a_game_that_is_deleted_while_it_is_loaded_stays_away",
    ),
    Mutant(
        "nobody looks whether a followed game is still stored",
        "server/realtime/other_processes.py",
        "if one.game.rev < progress.revs.get(game, one.game.rev + 1)]",
        "if one.game.rev < progress.revs.get(game, 0)]",
        f"{DELETED}::test_a_deletion_is_seen_at_servers_that_heard_nothing_of_it",
    ),
    Mutant(
        "a deleted game stays on TV",
        LIVE,
        "        self.tv.deleted(deleted)\n",
        "",
        f"{DELETED}::test_a_deletion_elsewhere_removes_an_unfollowed_game_from_tv_and_lists",
    ),
    Mutant(
        "the archive lists what cannot be opened",
        "server/storage/sqlite/archive.py",
        "        return Page([one for one in listed if one.id in whole], following)\n",
        "        return Page(listed, following)\n",
        "tests/storage/every_store/test_damage.py::test_the_archive_does_not_list_a_game_whose_head_cannot_be_read",
    ),
    Mutant(
        "what is said in a deleted game is kept by MongoDB",
        "server/storage/mongo/store.py",
        "            await self._chat.remove(number)\n",
        "",
        f"{DELETION}::test_nothing_can_be_said_in_a_game_that_is_gone",
    ),
    Mutant(
        "the archive lists a game that was deleted as it ended",
        "server/storage/mongo/archive.py",
        "        if found.matched_count < len(entries):\n",
        "        if False:\n",
        f"{DELETION}::test_a_game_deleted_between_its_end_and_its_entry_is_not_listed",
    ),
    Mutant(
        "what is written while a game is deleted outlives it",
        "server/storage/mongo/deletion.py",
        '        for collection, key in (*OF_GAMES, ("games", "_id"), *OF_GAMES):\n',
        '        for collection, key in (*OF_GAMES, ("games", "_id")):\n',
        f"{DELETION}::test_a_line_said_while_the_game_is_deleted_goes_with_it",
    ),
)
