"""Defences of what is stored, switched off."""

from tests.faults.mutant import Mutant

REPLAY = "server/storage/replay.py"
DAMAGE = "tests/storage/test_damage.py"

OF_STORES: tuple[Mutant, ...] = (
    Mutant(
        "a game with a hole is taken for a whole one",
        REPLAY,
        '        if len(plies) != number(head, "plies"):\n',
        "        if False:\n",
        f"{DAMAGE}::test_a_game_with_a_hole_is_not_served",
    ),
    Mutant(
        "half-moves may have any numbers",
        "server/storage/sqlite_rows.py",
        "        if ply != number:\n",
        "        if False:\n",
        "tests/storage/test_sqlite_file.py",
    ),
    Mutant(
        "a stored move is legal",
        REPLAY,
        "from server.rules.uci import parse_uci\n",
        "from server.rules.uci import parse_uci_trusted as parse_uci\n",
        f"{DAMAGE}::test_a_game_with_an_illegal_move_is_not_served",
    ),
    Mutant(
        "whatever is stored is a game",
        REPLAY,
        "        check_whole(game)\n",
        "",
        f"{DAMAGE}::test_a_head_that_no_game_can_have_is_not_served",
    ),
    Mutant(
        "one unreadable record hides all others",
        "server/storage/damage.py",
        "            except (*WRONG, Unreadable) as error:\n",
        "            except Unreadable as error:\n",
        f"{DAMAGE}::test_a_taken_seek_with_a_bad_colour_keeps_no_other_from_its_game",
    ),
)
