"""Defences of what people are told of messages in their games, switched off."""

from tests.faults.mutant import Mutant

TELLER = "server/web/notifications/teller.py"
SQLITE = "server/storage/sqlite/mail/digests.py"
OUTBOX = "server/storage/sqlite/mail/outbox.py"
TEST_MAILED = "tests/web/mail/told_later/test_messages.py"
TEST_PUSHED = "tests/web/notifications/test_messages_pushed.py"
TEST_KEPT = "tests/storage/every_store/mail/test_said_kept.py"

OF_MESSAGES: tuple[Mutant, ...] = (
    Mutant(
        "a message is marked by a write of its own, or not at all",
        "server/storage/sqlite/store.py",
        "line.at, int(untold), line.game)",
        "line.at, 0, line.game)",
        f"{TEST_KEPT}::test_only_what_is_marked_is_unheard_also_after_the_store_was_closed",
    ),
    Mutant(
        "a message that a crash left untold is lost",
        TELLER,
        ", *await outbox.unheard(AT_ONCE_MOST)]",
        "]",
        f"{TEST_MAILED}::test_what_a_crash_left_untold_is_told_once",
    ),
    Mutant(
        "a message is told by every node that finds it",
        OUTBOX,
        "    if told.rowcount:\n",
        "    if True:\n",
        f"{TEST_KEPT}::test_what_is_told_is_held_and_marked_no_longer",
    ),
    Mutant(
        "what is said while something else is told is not told",
        OUTBOX,
        " AND player = ? AND at <= ?",
        " AND player = ? AND at <= ? + 10",
        f"{TEST_KEPT}::test_what_is_said_meanwhile_and_what_the_other_says_stays_marked",
    ),
    Mutant(
        "a move takes away what was said before it",
        OUTBOX,
        "(news.game, MESSAGE, json_list(spared))",
        '(news.game, "", json_list(spared))',
        f"{TEST_MAILED}::test_a_move_leaves_what_was_said_to_be_told_to_who_wants_no_mail_of_turns",
    ),
    Mutant(
        "what a mail about a turn has told later is told again",
        SQLITE,
        "    if not begun:\n",
        "    if False:\n",
        f"{TEST_MAILED}::test_what_a_mail_about_a_turn_has_told_is_not_told_again[hourly]",
    ),
    Mutant(
        "what a mail about a turn has told at once is told again",
        TELLER,
        "                await self._store.digests.heard(player.id, game.id, address.address)\n",
        "",
        f"{TEST_MAILED}::test_what_a_mail_about_a_turn_has_told_is_not_told_again[at_once]",
    ),
    Mutant(
        "a mail that a dead server had begun takes away what was said since",
        SQLITE,
        "    if not begun:\n",
        "    if True:\n",
        f"{TEST_KEPT}::test_what_comes_while_a_mail_is_written_is_not_told_with_it",
    ),
    Mutant(
        "whoever has read a message at the board is told of it",
        "server/realtime/play/round.py",
        "            announce_arrival(self._services, self.game, subscriber.color)\n",
        "",
        f"{TEST_MAILED}::test_who_opens_the_board_before_they_are_told_is_not_mailed",
    ),
    Mutant(
        "whoever has the board open is told of what is said there",
        TELLER,
        "said, game, player if away else None",
        "said, game, player",
        f"{TEST_MAILED}::test_who_read_it_at_the_board_is_not_mailed_though_they_have_left_before_anybody_is_told",
    ),
    Mutant(
        "people are told what somebody says whom they have blocked",
        "server/web/notifications/heard.py",
        " and line.player not in blocked:",
        ":",
        f"{TEST_MAILED}::test_nobody_is_told_what_somebody_says_whom_they_have_blocked",
    ),
    Mutant(
        "each line of chat is a mail",
        TELLER,
        "replace(one, due=now + MORE_SAID_MS) if waits else one",
        "one",
        f"{TEST_MAILED}::test_what_is_said_within_a_minute_is_one_mail",
    ),
    Mutant(
        "whoever has answered is told what they have answered",
        "server/web/notifications/held_games.py",
        "[MESSAGE] if heard and MESSAGE in kinds",
        "[MESSAGE] if MESSAGE in kinds",
        f"{TEST_MAILED}::test_who_has_answered_already_is_not_told",
    ),
    Mutant(
        "what watchers say is told to the players",
        "server/games/news.py",
        " or speaker not in {one.id for one in people}:",
        ":",
        "tests/realtime/process/test_domain_events.py"
        "::test_what_is_said_in_games_by_the_minute_and_by_watchers_is_published_to_nobody",
    ),
    Mutant(
        "a push is as long as a message",
        "server/web/notifications/messages.py",
        "    return text if len(text) <= LONGEST_BODY else",
        "    return text if True else",
        f"{TEST_PUSHED}::test_of_a_long_message_the_beginning_is_pushed",
    ),
    Mutant(
        "what a mail about a turn tells is told once more if somebody had to wait",
        TELLER,
        "sorted(tells, key=lambda what: not what)",
        "sorted(tells)",
        f"{TEST_MAILED}::test_what_was_said_before_anybody_was_told_of_the_move_is_one_mail_with_it",
    ),
)
