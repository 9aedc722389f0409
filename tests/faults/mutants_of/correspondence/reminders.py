"""Defences of reminders in correspondence games, each given once and only where a move is waited for, switched off."""

from tests.faults.mutant import Mutant

REMINDERS = "server/games/reminders.py"
LOOK = "server/realtime/play/reminders.py"
DOMAIN_EVENTS = "server/realtime/process/domain_events.py"
TEST_REMINDERS = "tests/games/test_reminders.py"
TEST_LOOK = "tests/realtime/play/test_reminders.py"
TEST_STORE = "tests/storage/every_store/test_games_found.py"

OF_REMINDERS: tuple[Mutant, ...] = (
    Mutant(
        "a reminder is given again at every look",
        REMINDERS,
        " if share > clock.reminded]",
        "]",
        f"{TEST_REMINDERS}::test_reminders_are_due_at_half_and_at_a_tenth_of_the_time_and_each_is_noted_once",
    ),
    Mutant(
        "after an outage both reminders are given",
        REMINDERS,
        "reminded=max(due)",
        "reminded=min(due)",
        f"{TEST_LOOK}::test_after_an_outage_over_both_only_the_later_is_given",
    ),
    Mutant(
        "an adjourned game reminds",
        REMINDERS,
        " or game.status is not Status.LIVE:\n        return []",
        ":\n        return []",
        f"{TEST_REMINDERS}::test_an_adjourned_game_reminds_nobody",
    ),
    Mutant(
        "real-time games remind",
        REMINDERS,
        "if not clock.control.by_days or game.status",
        "if game.status",
        f"{TEST_REMINDERS}::test_other_games_remind_nobody",
    ),
    Mutant(
        "a move that is due soon anyway is reminded of",
        REMINDERS,
        "    if given < SHORTEST_TURN_MS:\n",
        "    if False:\n",
        f"{TEST_REMINDERS}::test_nobody_is_reminded_of_a_move_for_which_they_have_little_time",
    ),
    Mutant(
        "a reminder of one turn counts for all later ones",
        "server/games/clocks/clock.py",
        "else now, reminded=0)",
        "else now)",
        f"{TEST_REMINDERS}::test_the_next_turn_has_reminders_of_its_own",
    ),
    Mutant(
        "what was reminded is forgotten with the process",
        "server/storage/documents.py",
        "    if clock.reminded:\n",
        "    if False:\n",
        f"{TEST_STORE}::test_a_reminder_is_kept_with_the_game_also_after_a_restart",
    ),
    Mutant(
        "every look at the reminders reads all games",
        "server/storage/sqlite/scripts/late.py",
        "    CREATE INDEX games_by_reminder ON games (remind_at) WHERE remind_at >= 0;\n",
        "",
        "tests/storage/sqlite/test_sqlite_file.py::test_lists_are_read_from_an_index_and_not_sorted",
    ),
    Mutant(
        "nobody looks whom to remind",
        "server/realtime/live.py",
        "            every(REMIND_EVERY_S, partial(remind_players, self.rounds)),\n",
        "",
        f"{TEST_LOOK}::test_a_running_server_looks_by_itself",
    ),
    Mutant(
        "a process that does not know who is at the board reminds first",
        LOOK,
        "    if not services.bus.alone:\n",
        "    if False:\n",
        f"{TEST_LOOK}::test_the_process_where_the_player_is_comes_before_those_that_do_not_know",
    ),
    Mutant(
        "any number of games is loaded at one look",
        LOOK,
        "AT_ONCE: Final = 200\n",
        "AT_ONCE: Final = 200_000\n",
        f"{TEST_LOOK}::test_idle_games_are_neither_loaded_nor_timed",
    ),
    Mutant(
        "whoever has lost on time is reminded of their move",
        DOMAIN_EVENTS,
        " and after.clock.reminded != before.clock.reminded:",
        ":",
        f"{TEST_LOOK}::test_a_player_who_is_out_of_time_has_lost_and_is_not_reminded",
    ),
    Mutant(
        "whoever has the board open is reminded by web push",
        DOMAIN_EVENTS,
        "(game, told, told in away)\n",
        "(game, told, True)\n",
        f"{TEST_LOOK}::test_a_player_at_the_board_is_not_away_and_hears_of_it_once",
    ),
)
