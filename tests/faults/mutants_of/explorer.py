"""Defences of the opening explorer: each game counts once, and only games between people. Switched off."""

from tests.faults.mutant import Mutant

KEPT = "tests/storage/explorer/test_explorer_kept.py"
MONGO = "server/storage/mongo/explorer.py"
PROTOCOL = "server/storage/protocols/explorer.py"

OF_EXPLORER: tuple[Mutant, ...] = (
    Mutant(
        "a batch that was cut short counts twice",
        MONGO,
        '        {"_id": _id(one), "batch": {"$lt": number}},\n',
        '        {"_id": _id(one)},\n',
        f"{KEPT}::test_a_game_is_counted_once_wherever_the_server_stopped",
    ),
    Mutant(
        "two servers write down a batch of the same number",
        MONGO,
        'self._batch.update_one({"_id": BATCH, "number": number, "pending": 0}, {"$set": batch})',
        'self._batch.update_one({"_id": BATCH}, {"$set": batch})',
        f"{KEPT}::test_a_server_whose_batch_came_too_late_loses_no_game",
    ),
    Mutant(
        "a game is counted that nobody marked",
        "server/storage/sqlite/explorer.py",
        "    added = additions([games[game] for (game,) in removed])\n",
        "    added = additions(list(games.values()))\n",
        f"{KEPT}::test_only_games_that_are_due_are_taken_in",
    ),
    Mutant(
        "the explorer does not wait for ratings",
        "server/storage/sqlite/explorer.py",
        '            " AND game NOT IN (SELECT game FROM uncounted) LIMIT ?",\n',
        '            " LIMIT ?",\n',
        f"{KEPT}::test_the_average_rating_and_the_best_game_are_those_of_rated_games",
    ),
    Mutant(
        "games against the computer and set-up positions count as openings",
        PROTOCOL,
        "    plies = game.plies[:DEPTH] if counts else ()\n",
        "    plies = game.plies[:DEPTH]\n",
        f"{KEPT}::test_it_counts_what_a_naive_look_through_the_games_counts",
    ),
    Mutant(
        "a deleted game is linked",
        "server/web/archive/explorer.py",
        '        "last": one.last if one.last in there else None,\n',
        '        "last": one.last,\n',
        "tests/web/archive/test_explorer.py::test_a_deleted_game_is_not_linked_any_more",
    ),
)
