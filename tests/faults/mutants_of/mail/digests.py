"""Defences of news that people are told of later, and of reminders by mail, switched off."""

from tests.faults.mutant import Mutant

DIGESTS = "server/web/notifications/digests.py"
MAILS_LATER = "server/web/notifications/digest_mails.py"
TELLER = "server/web/notifications/teller.py"
SQLITE = "server/storage/sqlite/mail/digests.py"
OUTBOX = "server/storage/sqlite/mail/outbox.py"
WISHES = "server/mail/wishes.py"
TEST_DIGESTS = "tests/web/mail/told_later/test_digests.py"
TEST_REMINDERS = "tests/web/mail/told_later/test_reminders.py"
TEST_STORE = "tests/storage/every_store/mail/test_digests_kept.py"
HOURS = "server/mail/quiet_hours.py"
TEST_QUIET = "tests/mail/test_quiet_hours.py"
TEST_ELSEWHERE = "tests/realtime/process/test_boards_elsewhere.py"
TEST_WISHES = "tests/mail/test_wishes.py"

OF_DIGESTS: tuple[Mutant, ...] = (
    Mutant(
        "what is to be told later is told at once",
        TELLER,
        " or address is None or one.due > now:\n",
        " or address is None or one.due > now * 2:\n",
        f"{TEST_DIGESTS}::test_the_moves_of_an_hour_are_one_mail_that_says_what_is_new_and_where_to_answer",
    ),
    Mutant(
        "what is to be told later is forgotten when its mark is removed",
        OUTBOX,
        "    for one in held:\n",
        "    for one in ():\n",
        f"{TEST_STORE}::test_news_are_kept_until_they_are_due_and_told_in_one_mail",
    ),
    Mutant(
        "people are told later of what they did not ask for, as the game has ended since",
        "server/web/notifications/held_games.py",
        " and player in concerned(game) and _is_about(kind, game)]",
        " and player in concerned(game)]",
        f"{TEST_DIGESTS}::test_a_game_is_told_as_it_stands_also_if_its_latest_news_are_still_untold",
    ),
    Mutant(
        "older news of a game are told beside newer ones",
        OUTBOX,
        "DELETE FROM held WHERE game = ? AND kind != ?",
        "DELETE FROM held WHERE game = ? AND kind = ?",
        f"{TEST_STORE}::test_newer_news_of_a_game_take_the_place_of_older_ones_also_while_those_are_told",
    ),
    Mutant(
        "whoever no longer wants it is told of what was held",
        MAILS_LATER,
        " if how_often(address.wishes, one.kind) is not Often.NEVER]",
        "]",
        f"{TEST_DIGESTS}::test_who_no_longer_wants_it_gets_nothing_of_what_was_held",
    ),
    Mutant(
        "a mail that a dead server had begun is never sent",
        SQLITE,
        "(one, until, *due[1], begun)",
        "(one, until + 10**12, *due[1], begun)",
        f"{TEST_STORE}::test_what_somebody_had_begun_who_died_is_told_under_the_same_id_and_without_what_came_since",
    ),
    Mutant(
        "a mail that a dead server had begun is sent under another id",
        SQLITE,
        "    one = begun or digest\n",
        "    one = digest\n",
        f"{TEST_STORE}::test_what_somebody_had_begun_who_died_is_told_under_the_same_id_and_without_what_came_since",
    ),
    Mutant(
        "several nodes tell the same news",
        "server/storage/mongo/mail/digests.py",
        '"digest": begun, "due": due[0]["due"]}, claimed)',
        "}, claimed)",
        f"{TEST_STORE}::test_of_several_who_claim_at_once_one_gets_all",
    ),
    Mutant(
        "news are told twice",
        SQLITE,
        """    connection.execute("DELETE FROM held WHERE digest = ?", (digest,))\n""",
        "",
        f"{TEST_STORE}::test_nothing_is_told_twice",
    ),
    Mutant(
        "a mail that cannot be written holds up all others",
        DIGESTS,
        "        except Exception:\n            # The other mailboxes do not wait for it.\n",
        "        except ZeroDivisionError:\n",
        f"{TEST_DIGESTS}::test_a_mail_that_cannot_be_written_holds_up_no_other",
    ),
    Mutant(
        "every look for what is due reads all that is held",
        SQLITE,
        " INDEXED BY held_by_due",
        "",
        "tests/storage/sqlite/test_sqlite_file.py::test_whoever_is_told_later_is_found_by_an_index",
    ),
    Mutant(
        "a reminder waits with other news",
        WISHES,
        "kind: (Often.AT_ONCE, Often.NEVER) if kind == REMINDER else tuple(Often)",
        "kind: tuple(Often)",
        f"{TEST_WISHES}::test_a_wish_of_another_release_is_no_wish_for_anything_else",
    ),
    Mutant(
        "whoever has set their wishes before there were reminders by mail gets none",
        WISHES,
        "    if kind in WITH_TURNS and kind not in stored:\n",
        "    if False:\n",
        f"{TEST_WISHES}::test_where_nothing_is_said_of_reminders_they_are_told_where_turns_are",
    ),
    Mutant(
        "a reminder that a crash left untold is lost",
        "server/games/news.py",
        " or after.clock.reminded > before.clock.reminded:",
        ":",
        f"{TEST_REMINDERS}::test_a_reminder_that_a_crash_left_untold_is_told",
    ),
    Mutant(
        "a reminder to one player takes away what the other is to be told",
        TELLER,
        "held, telling.spared)",
        "held)",
        f"{TEST_REMINDERS}::test_what_was_told_the_opponent_still_holds",
    ),
    Mutant(
        "people are mailed in their quiet hours",
        "server/mail/due.py",
        "    return quiet.over(at)\n",
        "    return at\n",
        f"{TEST_QUIET}::test_nothing_is_ever_due_in_quiet_hours",
    ),
    Mutant(
        "what waits for the mail server goes out in quiet hours",
        "server/mail/sender.py",
        "        if mail.topic and (over",
        "        if not mail.topic and (over",
        "tests/mail/test_sender.py::test_mail_about_games_waits_for_the_end_of_quiet_hours_and_other_mail_does_not",
    ),
    Mutant(
        "what is due is told in quiet hours that were chosen since",
        DIGESTS,
        "        if over > now:\n",
        "        if False:\n",
        "tests/web/mail/test_quiet_hours.py::test_quiet_hours_that_are_chosen_later_hold_for_what_is_held_already",
    ),
    Mutant(
        "the quiet hours end an hour late when the clocks are put forward",
        HOURS,
        "            at = self._unchanged_until(at, at + left)\n",
        "            at += left\n",
        f"{TEST_QUIET}::test_they_are_over_at_the_first_instant_that_is_not_in_them",
    ),
    Mutant(
        "the quiet hours end an hour early when the clocks are put back",
        HOURS,
        "        while left := self._left(at):\n",
        "        if left := self._left(at):\n",
        f"{TEST_QUIET}::test_they_are_over_at_the_first_instant_that_is_not_in_them",
    ),
    Mutant(
        "quiet hours outlive their account",
        "server/realtime/account_merges.py",
        "            await store.notification_settings.forget(merge.user)\n",
        "",
        "tests/web/mail/test_quiet_hours.py::TestForm::test_it_goes_with_the_account",
    ),
    Mutant(
        "moves wait while many games are put into a letter",
        MAILS_LATER,
        "await asyncio.to_thread(self.writer.about_several, told, address, digest, more=more)",
        "self.writer.about_several(told, address, digest, more=more)",
        f"{TEST_DIGESTS}::test_moves_do_not_wait_while_many_games_are_written_down",
    ),
    Mutant(
        "moves wait while a long letter is written down as a mail",
        "server/mail/mailer.py",
        "await asyncio.to_thread(self.for_outbox, letter, owner, kept_ms, topic)",
        "self.for_outbox(letter, owner, kept_ms, topic)",
        f"{TEST_DIGESTS}::test_moves_do_not_wait_while_many_games_are_written_down",
    ),
    Mutant(
        "moves wait while the news of a game are written down as a mail",
        TELLER,
        "await self._writer.mailer.write(letter, address.owner, MAIL_KEPT_MS, topic=game.id)",
        "self._writer.mailer.for_outbox(letter, address.owner, MAIL_KEPT_MS, topic=game.id)",
        "tests/web/mail/test_beside_the_loop.py",
    ),
    Mutant(
        "a mail about many games says that no more wait than it tells",
        "server/web/notifications/digest_letter.py",
        '    key += "_more" if head.more else ""\n',
        "",
        "tests/web/mail/told_later/test_more_games.py",
    ),
    Mutant(
        "a mail about many games keeps what was said in them",
        "server/web/notifications/digest_letter.py",
        "        for said in heard_lines(one.game, one.color, one.recipient):\n            yield from said\n",
        "",
        f"{TEST_DIGESTS}::test_several_games_in_one_mail_say_what_was_said_in_each",
    ),
    Mutant(
        "people are told later of a game whose board they look at",
        "server/web/notifications/held_games.py",
        " or await at_board(game.id, owner):",
        ":",
        f"{TEST_DIGESTS}::test_of_a_game_whose_board_she_has_open_by_then_she_is_told_nothing",
    ),
    Mutant(
        "what a crash left untold is mailed to whoever has the board open",
        TELLER,
        "        if await self._at_board(game.id, player.id):\n            return []\n",
        "",
        "tests/web/mail/test_untold.py::test_who_has_the_board_open_by_then_is_not_told",
    ),
    Mutant(
        "a mail that waited for its server is sent to whoever has the board open by then",
        "server/mail/sender.py",
        " or await self._at_board(mail.topic, mail.owner):",
        ":",
        "tests/mail/test_sender.py::test_a_mail_about_a_game_is_dropped_while_its_reader_has_the_board_open",
    ),
    Mutant(
        "a process does not listen to who is at a board elsewhere",
        "server/realtime/other_processes.py",
        "                self._services.boards_elsewhere.hear(notice, self._services.now())\n",
        "",
        f"{TEST_ELSEWHERE}::test_what_another_process_says_counts_until_it_is_too_old",
    ),
    Mutant(
        "the word of a process that died counts for ever",
        "server/realtime/process/boards_elsewhere.py",
        "    return at <= now - HEARSAY_MS\n",
        "    return False\n",
        TEST_ELSEWHERE,
    ),
    Mutant(
        "a game that is loaded for a move does not know who is at its board elsewhere",
        "server/realtime/play/round.py",
        "            self.presence[color].hear(PresenceState.HERE, at)\n",
        "            pass\n",
        f"{TEST_ELSEWHERE}::test_whoever_is_at_the_board_on_another_process_is_not_told_of_a_move_made_here",
    ),
    Mutant(
        "results of long ago are told when a site gets mail or web push",
        TELLER,
        "game.ended < since",
        "game.ended < 0",
        "tests/web/mail/test_untold.py::test_a_result_of_long_ago_is_not_told_any_more",
    ),
)
