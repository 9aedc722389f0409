"""Defences of what is stored, switched off."""

from tests.faults.mutant import Mutant

REPLAY = "server/storage/replay.py"
DAMAGE = "tests/storage/every_store/test_damage.py"
UNCONFIRMED = "tests/realtime/play/test_unconfirmed_writes.py"

OF_STORES: tuple[Mutant, ...] = (
    Mutant(
        "a move waits behind all the pages that are asked for",
        "server/storage/sqlite/file.py",
        "self._done(self._turns.add_write, partial(_commit",
        "self._done(self._turns.add_read, partial(_commit",
        "tests/storage/sqlite/test_sqlite_file.py",
    ),
    Mutant(
        "no page is read as long as there are moves to be stored",
        "server/storage/sqlite/turns.py",
        " and not (self._wrote and self._reads)\n",
        "\n",
        "tests/storage/sqlite/test_sqlite_file.py",
    ),
    Mutant(
        "a move is sent away from behind the server's own slow command",
        "server/realtime/play/round.py",
        "            if patience_ms:\n",
        "            if True:\n",
        "tests/realtime/play/test_storage_failure.py",
    ),
    Mutant(
        "whoever waits behind another's slow command is not told so",
        "server/realtime/play/round.py",
        "        self._services.timers.set(behind, now + SHORT_WAIT_MS, reply.waiting)\n",
        "",
        "tests/realtime/play/test_storage_failure.py",
    ),
    Mutant(
        "a game with a hole is taken for a whole one",
        REPLAY,
        '        if len(plies) != number(head, "plies"):\n',
        "        if False:\n",
        f"{DAMAGE}::test_a_game_with_a_hole_is_not_served",
    ),
    Mutant(
        "half-moves may have any numbers",
        "server/storage/sqlite/rows.py",
        "        if ply != number:\n",
        "        if False:\n",
        "tests/storage/sqlite/test_sqlite_file.py",
    ),
    Mutant(
        "a rating beyond reason is believed",
        "server/storage/protocols/ratings.py",
        '_within(fields, "after", MAX_VALUE) / MILLI',
        'number(fields, "after") / MILLI',
        f"{DAMAGE}::test_an_absurd_rating_change_is_left_out",
    ),
    Mutant(
        "the chart has a line every ten points",
        "server/web/people/rating_chart.py",
        "    power: int = 10 ** math.floor(math.log10(least))\n",
        "    power = least = 10\n",
        "tests/web/people/test_rating_chart.py::test_the_lines_of_a_picture_are_few_whatever_the_span",
    ),
    Mutant(
        "a finished game may end at any time",
        "server/storage/summaries.py",
        'ended=instant_or_none(head, "ended", NONE)',
        'ended=None if head["ended"] == NONE else number(head, "ended")',
        f"{DAMAGE}::test_the_archive_does_not_list_a_game_that_ended_at_no_time",
    ),
    Mutant(
        "a game is served under the name of another",
        "server/storage/sqlite/rows.py",
        '    if head.get("_id") != game_id:\n',
        "    if False:\n",
        f"{DAMAGE}::test_a_game_under_the_name_of_another_is_not_served",
    ),
    Mutant(
        "a stored move is legal",
        REPLAY,
        "from server.rules.notation.uci import parse_uci\n",
        "from server.rules.notation.uci import parse_uci_trusted as parse_uci\n",
        f"{DAMAGE}::test_a_game_with_an_illegal_move_is_not_served",
    ),
    Mutant(
        "whatever is stored is a game",
        REPLAY,
        "        check_consistent(game)\n",
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
    Mutant(
        "an old order is carried out",
        "server/storage/admin_commands.py",
        "                fresh = abs(self._age_s(path)) <= FRESH_S\n",
        "                fresh = True\n",
        "tests/process/test_command_line.py::test_orders_are_given_once_while_fresh_and_hold_no_password_that_others_can_read",
    ),
    Mutant(
        "a hyphen makes another name",
        "server/storage/folding.py",
        'ALIKE = str.maketrans("015i", "olsl", "-_")\n',
        'ALIKE = str.maketrans("015i", "olsl")\n',
        "tests/web/people/test_account_names.py",
    ),
    Mutant(
        "rn is not m",
        "server/storage/folding.py",
        '(("rn", "m"), ',
        "(",
        "tests/web/people/test_account_names.py",
    ),
    Mutant(
        "a word of an office may be in a name",
        "server/web/people/account_names.py",
        "        or any(word in TITLES for word in words)\n",
        "",
        "tests/web/people/test_account_names.py",
    ),
    Mutant(
        "a new name may be like one of an earlier release",
        "server/storage/mongo/accounts.py",
        'alike = {ALIKE: fold(account.name), "_id": {"$ne": account.folded}}',
        'alike = {ALIKE: "", "_id": ""}',
        "tests/storage/every_store/test_accounts_kept.py::test_look_alike_accounts_of_earlier_releases_keep_their_names",
    ),
    Mutant(
        "who looks into the data folder is not told of",
        "server/backends.py",
        "    if mode & 0o077:\n",
        "    if False:\n",
        "tests/process/test_open_folder.py",
    ),
    Mutant(
        "check does not ask the rules",
        "server/host/checking.py",
        "            judge(game)\n",
        "",
        "tests/host/test_check.py",
    ),
    Mutant(
        "check looks for nobody",
        "server/host/checking.py",
        "            if kind_named == target and key not in there:\n",
        "            if False:\n",
        "tests/host/test_check.py",
    ),
    Mutant(
        "a game given up at once moves ratings",
        "server/games/rating.py",
        "    return plies >= MIN_PLIES or reason not in OFF_THE_BOARD\n",
        "    return True\n",
        "tests/web/people/test_ratings.py::test_a_game_given_up_at_once_moves_no_rating_and_stands_in_the_record",
    ),
    Mutant(
        "a dry run deletes",
        "server/web/deletion.py",
        """    if not command.sure:
        return f"This would delete {told}."
    await store.deletion""",
        "    await store.deletion",
        "tests/process/test_command_line.py::test_the_host_sees_what_goes_before_deleting_a_player_or_a_game",
    ),
    Mutant(
        "what a guest left stays for ever",
        "server/storage/sqlite/accounts.py",
        " in OF_GUESTS if forgotten.rowcount else ():",
        " in ():",
        "tests/storage/every_store/test_alerts_kept.py::test_alerts_of_a_guest_go_with_them",
    ),
    Mutant(
        "finished games are thrown away like aborted ones",
        "server/storage/protocols/deletion.py",
        ' and text(head, "reason") in NO_GAME\n',
        "\n",
        "tests/storage/every_store/test_deletion.py",
    ),
    Mutant(
        "a restart lifts the day's limit of imports",
        "server/web/archive/import_quota.py",
        "        admitted = await self.store.admit(ImportNote(game, now, plies, self.user, self.place), allowance)\n",
        "        admitted = True\n",
        "tests/web/archive/test_import_pages.py::test_imported_half_moves_per_day_are_limited_even_after_a_restart",
    ),
    Mutant(
        "several servers together take in more than one may bring",
        "server/storage/mongo/imports.py",
        "        if by_user <= allowance.by_user and by_place <= allowance.by_place:\n",
        "        if by_user - note.plies < allowance.by_user:\n",
        "tests/storage/every_store/test_imports_kept.py",
    ),
    Mutant(
        "imports are deleted whoever brought them",
        "server/web/deletion.py",
        "    return old_enough and (not user or (note is not None and note.user == user))\n",
        "    return old_enough\n",
        "tests/storage/every_store/test_deletion.py::test_the_host_deletes_imports_by_age_and_by_who_brought_them_page_by_page",
    ),
    Mutant(
        "a refresh takes a write of this process for another's",
        "server/realtime/play/round.py",
        "            confirmed = self._writer.confirm(self.game, stored)\n",
        "            confirmed = None\n",
        f"{UNCONFIRMED}::test_an_end_found_by_a_refresh_is_published_once",
    ),
    Mutant(
        "time goes on while an offer is unconfirmed",
        "server/realtime/play/game_writer.py",
        "isinstance(unconfirmed.command, PlayMove) else self._unconfirmed_at\n",
        "True else self._unconfirmed_at\n",
        f"{UNCONFIRMED}::test_time_stands_still_for_the_side_to_move_while_an_offer_is_unconfirmed",
    ),
    Mutant(
        "a command is acknowledged with the write of the one before",
        "server/realtime/play/round.py",
        "                if result.command != command:\n",
        "                if False:\n",
        f"{UNCONFIRMED}::test_another_command_is_not_taken_for_the_one_whose_answer_was_lost",
    ),
    Mutant(
        "time stands still for a game that goes on elsewhere",
        "server/realtime/play/game_writer.py",
        """            self.stalled_since = None
            return None
        # After a move""",
        """            return None
        # After a move""",
        f"{UNCONFIRMED}::test_clocks_run_again_once_another_process_has_stored_a_move",
    ),
)
